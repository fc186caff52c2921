// SPDX-License-Identifier: GPL-2.0
#include "buffers.h"
#include "derived.h"
#include "sizes.h"
#include "triggers_table.h"
#include "verbs_table.h"

/* Least memory of a buffer, bytes: each buffer begins on its own page. */
#define LEAST_SIZE	4096

/* Least number of receives of a stream, unless verify limits it. */
#define MANY_RECVS	512

/* True if each message of a stream has its own content, and so its own buffer. */
static bool keeps_apart(const struct icb_params *params)
{
	return icb_trigger_of(params)->refills &&
	       params->verify && !icb_verb_of(params)->atomic;
}

/* Receives for two windows, each in whole batches. */
static u32 window_recvs(const struct icb_params *params)
{
	return 2 * ((params->window + ICB_BUFFERS_BATCH - 1) &
		    ~(ICB_BUFFERS_BATCH - 1));
}

/*
 * True for a ping-pong that checks messages, some of which may be late: a side that has
 * given up on an answer sends its next message, which consumes another receive.
 */
static bool keeps_late(const struct icb_params *params)
{
	return icb_trigger_of(params)->answers && params->verify &&
	       icb_params_lossy(params);
}

/*
 * Buffers of a stream that checks each message: one more than there are receives, or than
 * the window if no receives are used. So no message overwrites the one that is checked.
 */
static u32 stream_ring(const struct icb_params *params)
{
	return 1 + (icb_verb_of(params)->recv ? window_recvs(params) :
						params->window);
}

/* Fewest buffers in the ring with which a run is correct. */
static u32 least_ring(const struct icb_params *params)
{
	if (keeps_apart(params))
		return stream_ring(params);
	if (!icb_trigger_of(params)->answers ||
	    icb_params_one_way(params))
		return 1;
	if (keeps_late(params))
		return 1 + ICB_BUFFERS_ECHO;
	if (params->direction == ICBENCH_DIRECTION_BI)
		return 4;
	return params->verify ? 2 : 1;
}

/**
 * icb_buffers_ring() - get the number of buffers that operations use in turn
 * @params: parameters of a run
 *
 * The default is
 * - one more than the receives, or than the window without receives, for a stream that
 *   checks each message;
 * - one more than the receives for a ping-pong that checks messages which may be late;
 * - 4 for a ping-pong whose messages cross: a third one may arrive while the first one
 *   is checked;
 * - 2 for any other ping-pong that checks messages while other messages are in flight;
 * - else 1.
 *
 * Return: parameter buffers if it was given; else the default.
 */
u32 icb_buffers_ring(const struct icb_params *params)
{
	return icb_params_given(params, ICBENCH_A_PARAMS_BUFFERS) ?
		params->buffers : least_ring(params);
}

/**
 * icb_buffers_recvs() - get the number of receives that a side of a stream posts ahead
 * @params: checked parameters of a run with trigger completion
 *
 * With verify there are fewer receives than buffers in the ring, since one buffer is
 * being checked. Where a note reports several writes, the receives are for notes: there
 * are so few that the writes after the last note with a receive use no buffer that is
 * being checked.
 *
 * Return: number of receives: with verify as above, else at least two windows, in whole
 * batches.
 */
u32 icb_buffers_recvs(const struct icb_params *params)
{
	u32 recvs = max_t(u32, window_recvs(params), MANY_RECVS);
	u32 every = icb_params_report_every(params);

	if (every)
		return min_t(u32, recvs, icb_buffers_ring(params) / every - 1);
	if (!keeps_apart(params))
		return recvs;
	return min_t(u32, recvs, (icb_buffers_ring(params) - 1) &
				 ~(ICB_BUFFERS_BATCH - 1));
}

/* New buffers that the first @operations operations of the sequence take. */
static u64 fresh_of(const struct icb_params *params, u64 operations)
{
	return operations * (ICB_BUFFERS_WHOLE - params->reuse) /
	       ICB_BUFFERS_WHOLE;
}

/* For one operation more than measured: the last of crossing messages is not awaited. */
static u64 needed(const struct icb_params *params)
{
	u64 ring = icb_buffers_ring(params);

	if (params->reuse == ICB_BUFFERS_WHOLE)
		return ring;
	return ring + fresh_of(params, params->iterations + 1);
}

/**
 * icb_buffers_count() - get the number of message buffers
 * @params: checked parameters of a run
 *
 * Return: number of buffers of each side, for each direction that carries content.
 */
u32 icb_buffers_count(const struct icb_params *params)
{
	return min_t(u64, needed(params), ICBENCH_MAX_BUFFERS);
}

/**
 * icb_buffers_sent() - get the number of buffers whose content a side sends to its peer
 * @params: checked parameters of a run
 * @initiator: true for the initiator side
 *
 * Return: number of buffers; 1 if the side sends no content.
 */
u32 icb_buffers_sent(const struct icb_params *params, bool initiator)
{
	return icb_buffers_filled(params, !initiator);
}

/**
 * icb_buffers_filled() - get the number of buffers of a side that operations fill
 * @params: checked parameters of a run
 * @initiator: true for the initiator side
 *
 * Return: number of buffers; 1 if operations bring no content to the side.
 */
u32 icb_buffers_filled(const struct icb_params *params, bool initiator)
{
	return icb_params_fills(params, initiator) ?
		icb_buffers_count(params) : 1;
}

/**
 * icb_buffers_warmup() - get the number of operations before the sequence begins
 * @params: parameters of a run
 *
 * Return: number of operations of each side that starts any: the warm-up, and one more
 * that starts callbacks where these drive the run.
 */
u64 icb_buffers_warmup(const struct icb_params *params)
{
	bool kick = BIT(params->completion) & ICB_COMPLETIONS_CALLBACK &&
		    !icb_trigger_of(params)->scheduled;

	return params->warmup + kick;
}

/**
 * icb_buffers_start() - start at the first operation
 * @buffers: position of a side, for one direction
 * @params: parameters of the run
 */
void icb_buffers_start(struct icb_buffers *buffers,
		       const struct icb_params *params)
{
	memset(buffers, 0, sizeof(*buffers));
	buffers->ring = icb_buffers_ring(params);
	buffers->count = icb_buffers_count(params);
	buffers->fresh = buffers->ring;
	buffers->step = ICB_BUFFERS_WHOLE - params->reuse;
	buffers->warmup = icb_buffers_warmup(params);
	icb_buffers_next(buffers);
}

/**
 * icb_buffers_none() - start where operations have no content and share one buffer
 * @buffers: position of a side, for one direction
 */
void icb_buffers_none(struct icb_buffers *buffers)
{
	memset(buffers, 0, sizeof(*buffers));
	buffers->ring = 1;
	buffers->count = 1;
	icb_buffers_next(buffers);
}

/**
 * icb_buffers_seek() - continue with any operation
 * @buffers: position of a side, for one direction; started
 * @params: parameters of the run
 * @number: number of the operation, from 1
 *
 * Sets the position as if all operations before @number had been made. Too slow to be
 * called for each operation.
 */
void icb_buffers_seek(struct icb_buffers *buffers,
		      const struct icb_params *params, u64 number)
{
	u64 warmup = icb_buffers_warmup(params), before = number - 1, fresh = 0;
	u64 old = before, past;

	buffers->warmup = warmup - min_t(u64, before, warmup);
	past = before - (warmup - buffers->warmup);
	buffers->share = 0;
	if (buffers->step) {
		fresh = min_t(u64, fresh_of(params, past),
			      buffers->count - buffers->ring);
		old -= fresh;
		buffers->share = past * buffers->step % ICB_BUFFERS_WHOLE;
	}
	buffers->fresh = buffers->ring + fresh;
	buffers->turn = old % buffers->ring;
	buffers->lap = old / buffers->ring;
	/* with a single buffer only the number of its uses matters */
	buffers->mark = before;
	icb_buffers_next(buffers);
}

/**
 * icb_buffers_at() - get the buffer of any operation
 * @params: parameters of the run
 * @number: number of an operation of the run, from 1
 *
 * Not for a hot loop.
 *
 * Return: the buffer and mark that icb_buffers_next() gives this operation.
 */
struct icb_buffer icb_buffers_at(const struct icb_params *params, u64 number)
{
	u64 warmup = icb_buffers_warmup(params), fresh = 0;
	u32 ring = icb_buffers_ring(params);
	struct icb_buffer buffer;
	u64 old = number - 1;

	if (params->reuse < ICB_BUFFERS_WHOLE && number > warmup) {
		fresh = fresh_of(params, number - warmup - 1);
		old -= fresh;
		if (fresh_of(params, number - warmup) > fresh &&
		    ring + fresh < icb_buffers_count(params)) {
			buffer.index = ring + fresh;
			buffer.mark = 1;
			return buffer;
		}
	}
	buffer.index = old % ring;
	buffer.mark = old / ring + 1;
	return buffer;
}

/**
 * icb_buffers_newest() - find the last operation of a run that takes a new buffer
 * @params: parameters of the run
 *
 * Return: number of the operation, from 1; the last operation of the warm-up if none
 * takes a new buffer.
 */
u64 icb_buffers_newest(const struct icb_params *params)
{
	u64 step = ICB_BUFFERS_WHOLE - params->reuse;
	u64 fresh = icb_buffers_count(params) - icb_buffers_ring(params);

	return icb_buffers_warmup(params) +
	       (step ? (fresh * ICB_BUFFERS_WHOLE + step - 1) / step : 0);
}

/**
 * icb_buffers_refuse() - refuse a run that needs too many buffers
 * @params: parameters of the run
 * @most: largest possible number of buffers
 * @limit: name of the memory that the buffers must fit into
 * @why: the reason of the refusal
 *
 * Return: -EINVAL with a reason that names the parameter to change.
 */
int icb_buffers_refuse(const struct icb_params *params, u64 most,
		       const char *limit, struct icb_reason *why)
{
	u64 ring = icb_buffers_ring(params);
	u64 step = ICB_BUFFERS_WHOLE - params->reuse, operations;

	if (!step && keeps_late(params) &&
	    icb_buffers_ring(params) == least_ring(params))
		return icb_refuse(why, -EINVAL,
				  "verify: with transport %s it needs %u buffers of %u bytes, which do not fit into %s; accepted: a smaller size",
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_TRANSPORT),
				  least_ring(params), icb_sizes_room(params),
				  limit);
	if (!step && keeps_apart(params) &&
	    icb_buffers_ring(params) == least_ring(params))
		return icb_refuse(why, -EINVAL,
				  "verify: with window %u it needs %u buffers of %u bytes, which do not fit into %s; accepted: a smaller window or size",
				  params->window, least_ring(params),
				  icb_sizes_room(params), limit);
	if (!step)
		return icb_refuse(why, -EINVAL,
				  "buffers: %u of %u bytes do not fit into %s; accepted: at most %llu",
				  params->buffers, icb_sizes_room(params), limit,
				  (unsigned long long)most);
	/* most operations whose new buffers still fit */
	operations = most <= ring ? 1 :
		((most - ring + 1) * ICB_BUFFERS_WHOLE - 1) / step;
	if (operations < 2)
		return icb_refuse(why, -EINVAL,
				  "reuse: %u takes more buffers of %u bytes than fit into %s; accepted: %u",
				  params->reuse, icb_sizes_room(params), limit,
				  ICB_BUFFERS_WHOLE);
	return icb_refuse(why, -EINVAL,
			  "iterations: %llu with reuse %u need %llu buffers, which do not fit into %s; accepted: at most %llu",
			  (unsigned long long)params->iterations, params->reuse,
			  (unsigned long long)needed(params), limit,
			  (unsigned long long)operations - 1);
}

/* Refuse buffers and reuse where a run has a fixed number of buffers. */
static int refuse_other(const struct icb_params *params, const char *what,
			struct icb_reason *why)
{
	u32 ring = least_ring(params);

	if (icb_buffers_ring(params) != ring)
		return icb_refuse(why, -EOPNOTSUPP,
				  "buffers: %u is not possible with %s; accepted: %u",
				  params->buffers, what, ring);
	if (params->reuse != ICB_BUFFERS_WHOLE)
		return icb_refuse(why, -EOPNOTSUPP,
				  "reuse: %u is not possible with %s; accepted: %u",
				  params->reuse, what, ICB_BUFFERS_WHOLE);
	return 0;
}

static int check_reuse(const struct icb_params *params, struct icb_reason *why)
{
	if (icb_buffers_ring(params) != least_ring(params))
		return icb_refuse(why, -EINVAL,
				  "buffers: not together with reuse, which counts its buffers itself; accepted: one of them");
	if (icb_params_has(params, ICBENCH_A_PARAMS_DURATION))
		return icb_refuse(why, -EINVAL,
				  "duration: reuse %u takes new buffers, and their number must be known before the run; accepted: iterations",
				  params->reuse);
	if (icb_trigger_of(params)->refills &&
	    params->direction == ICBENCH_DIRECTION_BI)
		return icb_refuse(why, -EOPNOTSUPP,
				  "direction: reuse %u takes new buffers, and with bi the peer streams until the initiator stops it; accepted: uni",
				  params->reuse);
	return 0;
}

/**
 * icb_buffers_check() - check the rules of buffers and reuse, and set the default
 * @params: the parameters; all other rules between them are already checked
 * @why: the reason of a refusal; may be NULL
 *
 * Return: 0; -EINVAL or -EOPNOTSUPP with a reason.
 */
int icb_buffers_check(struct icb_params *params, struct icb_reason *why)
{
	const u64 most = ICBENCH_MAX_SIZE /
			 max_t(u32, icb_sizes_room(params), LEAST_SIZE);
	u32 ring = least_ring(params);
	int err = 0;

	if (icb_trigger_of(params)->times_calls)
		return refuse_other(params, "trigger return, whose buffers carry no messages",
				    why);
	if (icb_verb_of(params)->atomic)
		err = refuse_other(params, "atomics, which work on one word",
				   why);
	else if (!params->size)
		err = refuse_other(params, "messages of 0 bytes", why);
	if (err)
		return err;
	if (icb_buffers_ring(params) < ring)
		return icb_refuse(why, -EINVAL,
				  "buffers: %u is too few with %s; accepted: %u and more",
				  params->buffers,
				  keeps_apart(params) ? "verify and this window" :
				  keeps_late(params) ? "verify and this transport" :
				  ring == 2 ? "verify" :
				  "trigger echo and direction bi", ring);
	if (params->reuse < ICB_BUFFERS_WHOLE)
		err = check_reuse(params, why);
	if (err)
		return err;
	icb_params_preset(params, ICBENCH_A_PARAMS_BUFFERS,
			  icb_buffers_ring(params));
	if (needed(params) > most && (needed(params) > ring ||
				      keeps_apart(params) || keeps_late(params)))
		return icb_buffers_refuse(params, most, "1 GiB", why);
	return 0;
}
