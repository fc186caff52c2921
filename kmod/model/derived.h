/* SPDX-License-Identifier: GPL-2.0 */
/* Properties derived from the parameters of a run: roles of its sides, QPs, losses. */
#ifndef ICB_DERIVED_H
#define ICB_DERIVED_H

#include "callbacks.h"
#include "engine.h"
#include "params.h"
#include "triggers_table.h"
#include "verbs_table.h"

/* Default of signal-every for a ping-pong with one QP. */
#define ICB_SELDOM_SIGNALLED	512

/**
 * icb_params_one_way() - check whether only the initiator starts operations
 * @params: parameters of a run
 *
 * Return: true if the responder starts none, not even as an answer.
 */
static inline bool icb_params_one_way(const struct icb_params *params)
{
	if (params->direction == ICBENCH_DIRECTION_BI)
		return false;
	return !icb_trigger_of(params)->answers ||
	       icb_verb_of(params)->passive;
}

/* One note reports at most this part of a window, and at most so many bytes. */
#define ICB_TOLD_PARTS	4
#define ICB_TOLD_BYTES	(1024U * 1024)

/**
 * icb_params_report_every() - get the number of writes of a stream that one note reports
 * @params: parameters of a run; the window is set if the run has one
 *
 * A note is an empty send. A stream with verify sends notes if its target does not see
 * the writes arrive. The target checks the writes that a note reports, and then posts the
 * receive of the note again. A callback checks at most icb_callback_messages().
 *
 * Return: number of writes per note; 0 if no notes are sent.
 */
static inline u32 icb_params_report_every(const struct icb_params *params)
{
	const struct icb_verb *verb = icb_verb_of(params);
	u32 every;

	if (!icb_trigger_of(params)->refills || !params->verify ||
	    verb->recv || verb->passive)
		return 0;
	every = min_t(u32, params->window / ICB_TOLD_PARTS,
		      ICB_TOLD_BYTES / max_t(u32, params->size, 1));
	every = min_t(u32, every, icb_callback_messages(params));
	return max_t(u32, every, 1);
}

/**
 * icb_params_passive() - check whether the responder takes no part in operations
 * @params: parameters of a run
 *
 * Return: true if the responder only offers memory.
 */
static inline bool icb_params_passive(const struct icb_params *params)
{
	return icb_params_one_way(params) && !icb_verb_of(params)->recv &&
	       !icb_params_report_every(params);
}

/**
 * icb_params_counts() - check whether a side sees each message that arrives
 * @params: parameters of a run
 *
 * Return: true if it does: by a completion, or as the answer to its own message.
 */
static inline bool icb_params_counts(const struct icb_params *params)
{
	return icb_verb_of(params)->recv ||
	       (icb_trigger_of(params)->answers &&
		!icb_params_one_way(params));
}

/**
 * icb_params_begins() - check whether a side starts operations, or answers with them
 * @params: parameters of a run
 * @initiator: true for the initiator side
 *
 * Return: true if it does.
 */
static inline bool icb_params_begins(const struct icb_params *params,
				     bool initiator)
{
	return initiator || !icb_params_one_way(params);
}

/**
 * icb_params_fills() - check whether operations bring content to a side
 * @params: parameters of a run
 * @initiator: true for the initiator side
 *
 * Return: true if they do.
 */
static inline bool icb_params_fills(const struct icb_params *params,
				    bool initiator)
{
	if (icb_trigger_of(params)->times_calls)
		return false;
	return !icb_params_one_way(params) ||
	       icb_verb_of(params)->passive == initiator;
}

/**
 * icb_params_windowed() - check whether several operations may be in flight
 * @params: parameters of a run
 *
 * Return: true if up to a window of operations may be in flight.
 */
static inline bool icb_params_windowed(const struct icb_params *params)
{
	return icb_trigger_windowed(icb_trigger_of(params));
}

/**
 * icb_params_waits_own() - check whether a side waits for its own work requests
 * @params: parameters of a run
 * @initiator: true for the initiator side
 *
 * Return: true if it does; it may wait for arrivals as well.
 */
static inline bool icb_params_waits_own(const struct icb_params *params,
					bool initiator)
{
	return icb_params_begins(params, initiator) && !params->reply &&
	       (!icb_trigger_of(params)->answers ||
		icb_verb_of(params)->passive);
}

/**
 * icb_params_striped() - check whether messages are cut into pieces
 * @params: parameters of a run
 *
 * Return: true if each device carries a piece of each message.
 */
static inline bool icb_params_striped(const struct icb_params *params)
{
	return params->policy == ICBENCH_POLICY_STRIPE &&
	       params->size > params->stripe_threshold &&
	       params->size >= params->devices;
}

/**
 * icb_params_channels() - check whether each side sends by a device of its own
 * @params: parameters of a run
 *
 * Return: true if the initiator sends by the first device, and the responder by the
 * second.
 */
static inline bool icb_params_channels(const struct icb_params *params)
{
	return params->policy == ICBENCH_POLICY_CHANNELS;
}

/**
 * icb_params_rails() - get the number of devices that a run uses
 * @params: parameters of a run
 *
 * Return: number of devices, which are the first of those given.
 */
static inline u32 icb_params_rails(const struct icb_params *params)
{
	return params->policy == ICBENCH_POLICY_BIND ||
	       icb_params_channels(params) || icb_params_striped(params) ?
		params->devices : 1;
}

/**
 * icb_params_total_qps() - get the number of QPs that a run creates
 * @params: parameters of a run
 *
 * Messages that are cut into pieces, or that each side sends by a device of its own, need
 * one QP on each device. Verb calibrate sends nothing: its loops account for all QPs, but
 * only one is created.
 *
 * Return: number of QPs; QP n is on device n modulo icb_params_rails().
 */
static inline u32 icb_params_total_qps(const struct icb_params *params)
{
	if (icb_verb_of(params)->rehearses)
		return 1;
	return icb_params_channels(params) || icb_params_striped(params) ?
		params->devices : params->qps;
}

/**
 * icb_params_lossy() - check whether messages may be lost without an error
 * @params: parameters of a run
 *
 * Return: true if they may.
 */
static inline bool icb_params_lossy(const struct icb_params *params)
{
	return params->transport != ICBENCH_TRANSPORT_RC;
}

/**
 * icb_params_steps() - check whether the responder measures the arrival time of windows
 * @params: parameters of a run
 *
 * Return: true for a one-way stream of messages of equal size that may be lost: only the
 * responder sees which of them arrive.
 */
static inline bool icb_params_steps(const struct icb_params *params)
{
	return icb_params_lossy(params) && icb_params_one_way(params) &&
	       icb_trigger_of(params)->refills &&
	       params->size_dist == ICBENCH_SIZE_DIST_FIXED;
}

/**
 * icb_params_steady() - check whether rates are of the steady part of two streams
 * @params: parameters of a run
 *
 * Return: true if both sides stream and no message may be lost. The responder's account of
 * messages that may be lost is one of the whole run.
 */
static inline bool icb_params_steady(const struct icb_params *params)
{
	return icb_params_waits_own(params, false) &&
	       !icb_trigger_of(params)->answers && !icb_params_lossy(params);
}

/**
 * icb_params_peer_batches() - check whether the responder reports batches of a rate
 * @params: parameters of a run
 *
 * Return: true if so: of its own stream, or of the messages that arrived.
 */
static inline bool icb_params_peer_batches(const struct icb_params *params)
{
	return icb_params_steady(params) || icb_params_steps(params);
}

/**
 * icb_params_datagrams() - check whether messages are sent without a connection
 * @params: parameters of a run
 *
 * Return: true if each message is one packet, to a QP that other hosts may send to as
 * well.
 */
static inline bool icb_params_datagrams(const struct icb_params *params)
{
	return params->transport == ICBENCH_TRANSPORT_UD;
}

/**
 * icb_params_numbered() - check whether messages carry their number
 * @params: parameters of a run
 *
 * Return: true if they do, in their immediate data.
 */
static inline bool icb_params_numbered(const struct icb_params *params)
{
	return icb_params_lossy(params) && icb_verb_of(params)->recv;
}

/**
 * icb_params_returns() - check whether the responder reports on a stream of its own
 * @params: parameters of a run
 *
 * Return: true if both sides stream messages that their receiver sees, or that may be
 * lost.
 */
static inline bool icb_params_returns(const struct icb_params *params)
{
	return (icb_params_lossy(params) || icb_params_counts(params)) &&
	       icb_trigger_of(params)->refills &&
	       params->direction == ICBENCH_DIRECTION_BI;
}

/* A side waits for timeout / ICB_PATIENCE for an answer that may be lost. */
#define ICB_PATIENCE	1000

/**
 * icb_params_patience() - get the time to wait for an answer that may be lost
 * @params: parameters of a run
 *
 * Return: the time, ns.
 */
static inline u64 icb_params_patience(const struct icb_params *params)
{
	return div64_u64(params->timeout, ICB_PATIENCE);
}

#endif /* ICB_DERIVED_H */
