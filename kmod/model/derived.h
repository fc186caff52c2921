/* SPDX-License-Identifier: GPL-2.0 */
/* What follows from the parameters of a run: the parts of its two sides, QPs, losses. */
#ifndef ICB_DERIVED_H
#define ICB_DERIVED_H

#include "callbacks.h"
#include "engine.h"
#include "params.h"
#include "verbs_table.h"

/* What signal-every is for a ping-pong of one QP, unless said otherwise. */
#define ICB_SELDOM_SIGNALLED	512

/**
 * icb_params_one_way() - whether operations go from one side to the other only
 * @params: of a run
 *
 * Return: true if the responder begins none, not even an answer.
 */
static inline bool icb_params_one_way(const struct icb_params *params)
{
	if (params->direction == ICBENCH_DIRECTION_BI)
		return false;
	return params->trigger != ICBENCH_TRIGGER_ECHO ||
	       icb_verb_of(params)->passive;
}

/* Of a window, what one note tells of at most; and in bytes. */
#define ICB_TOLD_PARTS	4
#define ICB_TOLD_BYTES	(1024U * 1024)

/**
 * icb_params_report_every() - writes of a stream that one empty send tells of
 * @params: of a run, with a window where it has one
 *
 * Where each message is to be checked, and its target sees none: it checks those that
 * it was told of, and gives the receive of that note back only then. A callback looks
 * at no more than icb_callback_messages().
 *
 * Return: how many; 0 where no note is sent.
 */
static inline u32 icb_params_report_every(const struct icb_params *params)
{
	const struct icb_verb *verb = icb_verb_of(params);
	u32 every;

	if (params->trigger != ICBENCH_TRIGGER_COMPLETION || !params->verify ||
	    verb->recv || verb->passive)
		return 0;
	every = min_t(u32, params->window / ICB_TOLD_PARTS,
		      ICB_TOLD_BYTES / max_t(u32, params->size, 1));
	every = min_t(u32, every, icb_callback_messages(params));
	return max_t(u32, every, 1);
}

/**
 * icb_params_passive() - whether the responder has nothing to do
 * @params: of a run
 *
 * Return: true if it only offers memory.
 */
static inline bool icb_params_passive(const struct icb_params *params)
{
	return icb_params_one_way(params) && !icb_verb_of(params)->recv &&
	       !icb_params_report_every(params);
}

/**
 * icb_params_counts() - whether a side sees each message that arrives
 * @params: of a run
 *
 * Return: true if so: by a completion, or as the answer to its own.
 */
static inline bool icb_params_counts(const struct icb_params *params)
{
	return icb_verb_of(params)->recv ||
	       (params->trigger == ICBENCH_TRIGGER_ECHO &&
		!icb_params_one_way(params));
}

/**
 * icb_params_begins() - whether a side begins operations, or answers with one
 * @params: of a run
 * @initiator: which side
 *
 * Return: true if it does.
 */
static inline bool icb_params_begins(const struct icb_params *params,
				     bool initiator)
{
	return initiator || !icb_params_one_way(params);
}

/**
 * icb_params_fills() - whether operations bring content to a side
 * @params: of a run
 * @initiator: which side
 *
 * Return: true if they do.
 */
static inline bool icb_params_fills(const struct icb_params *params,
				    bool initiator)
{
	if (params->trigger == ICBENCH_TRIGGER_RETURN)
		return false;
	return !icb_params_one_way(params) ||
	       icb_verb_of(params)->passive == initiator;
}

/**
 * icb_params_windowed() - whether more than one operation may be on its way
 * @params: of a run
 *
 * Return: true if as many as the window has.
 */
static inline bool icb_params_windowed(const struct icb_params *params)
{
	return params->trigger == ICBENCH_TRIGGER_COMPLETION ||
	       params->trigger == ICBENCH_TRIGGER_CLOCK;
}

/**
 * icb_params_waits_own() - whether a side waits for its own work requests
 * @params: of a run
 * @initiator: which side
 *
 * Return: true if so; it may wait for arrivals, too.
 */
static inline bool icb_params_waits_own(const struct icb_params *params,
					bool initiator)
{
	return icb_params_begins(params, initiator) && !params->reply &&
	       (params->trigger != ICBENCH_TRIGGER_ECHO ||
		icb_verb_of(params)->passive);
}

/**
 * icb_params_striped() - whether messages are cut in pieces
 * @params: of a run
 *
 * Return: true if each device takes a piece of each.
 */
static inline bool icb_params_striped(const struct icb_params *params)
{
	return params->policy == ICBENCH_POLICY_STRIPE &&
	       params->size > params->stripe_threshold &&
	       params->size >= params->devices;
}

/**
 * icb_params_channels() - whether each side sends by a device of its own
 * @params: of a run
 *
 * Return: true if the initiator has the first one of two, and the responder the second.
 */
static inline bool icb_params_channels(const struct icb_params *params)
{
	return params->policy == ICBENCH_POLICY_CHANNELS;
}

/**
 * icb_params_rails() - devices that have a part in a run
 * @params: of a run
 *
 * Return: how many: the first so many of those that were given.
 */
static inline u32 icb_params_rails(const struct icb_params *params)
{
	return params->policy == ICBENCH_POLICY_BIND ||
	       icb_params_channels(params) || icb_params_striped(params) ?
		params->devices : 1;
}

/**
 * icb_params_total_qps() - QPs that a run takes
 * @params: of a run
 *
 * What is cut in pieces has one on each device in the place of each QP, and so has what
 * goes by another device than what comes. By the QPs of calibrate nothing is sent: they
 * are booked, and not made.
 *
 * Return: how many; QP n is one of the device n modulo icb_params_rails().
 */
static inline u32 icb_params_total_qps(const struct icb_params *params)
{
	if (params->verb == ICBENCH_VERB_CALIBRATE)
		return 1;
	return icb_params_channels(params) || icb_params_striped(params) ?
		params->devices : params->qps;
}

/**
 * icb_params_lossy() - whether a message may be lost without anybody being told
 * @params: of a run
 *
 * Return: true if so.
 */
static inline bool icb_params_lossy(const struct icb_params *params)
{
	return params->transport != ICBENCH_TRANSPORT_RC;
}

/**
 * icb_params_steps() - whether a responder knows how steadily messages have come
 * @params: of a run
 *
 * Return: true if so: of a stream of equal ones, where only it knows which were lost.
 */
static inline bool icb_params_steps(const struct icb_params *params)
{
	return icb_params_lossy(params) && icb_params_one_way(params) &&
	       params->trigger == ICBENCH_TRIGGER_COMPLETION &&
	       params->size_dist == ICBENCH_SIZE_DIST_FIXED;
}

/**
 * icb_params_datagrams() - whether each message goes without a connection
 * @params: of a run
 *
 * Return: true if so: one packet, to a QP that others may send to, too.
 */
static inline bool icb_params_datagrams(const struct icb_params *params)
{
	return params->transport == ICBENCH_TRANSPORT_UD;
}

/**
 * icb_params_numbered() - whether messages tell their number where they arrive
 * @params: of a run
 *
 * Return: true if so: by immediate data.
 */
static inline bool icb_params_numbered(const struct icb_params *params)
{
	return icb_params_lossy(params) && icb_verb_of(params)->recv;
}

/**
 * icb_params_returns() - whether both sides have to know what came of a stream
 * @params: of a run
 *
 * Return: true if both stream messages that the other one sees, or may lose.
 */
static inline bool icb_params_returns(const struct icb_params *params)
{
	return (icb_params_lossy(params) || icb_params_counts(params)) &&
	       params->trigger == ICBENCH_TRIGGER_COMPLETION &&
	       params->direction == ICBENCH_DIRECTION_BI;
}

/* An answer that may be lost is waited for that part of the timeout. */
#define ICB_PATIENCE	1000

/**
 * icb_params_patience() - how long an answer that may be lost is waited for
 * @params: of a run
 *
 * Return: ns.
 */
static inline u64 icb_params_patience(const struct icb_params *params)
{
	return div64_u64(params->timeout, ICB_PATIENCE);
}

#endif /* ICB_DERIVED_H */
