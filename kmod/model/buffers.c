// SPDX-License-Identifier: GPL-2.0
#include "buffers.h"
#include "derived.h"
#include "sizes.h"
#include "verbs_table.h"

/* What a buffer takes at least: it begins on a page of its own. */
#define LEAST_SIZE	4096

/* Receives of a stream at least, where nothing speaks against it. */
#define MANY_RECVS	512

/* Whether each message of a stream has a content, and so a buffer, of its own. */
static bool keeps_apart(const struct icb_params *params)
{
	return params->trigger == ICBENCH_TRIGGER_COMPLETION &&
	       params->verify && !icb_verb_of(params)->atomic;
}

/* Twice a window of receives, in whole batches. */
static u32 window_recvs(const struct icb_params *params)
{
	return 2 * ((params->window + ICB_BUFFERS_BATCH - 1) &
		    ~(ICB_BUFFERS_BATCH - 1));
}

/*
 * Whether messages of a ping-pong are checked of which some may be late: who has
 * given one up sends the next one, and that has another receive.
 */
static bool keeps_late(const struct icb_params *params)
{
	return params->trigger == ICBENCH_TRIGGER_ECHO && params->verify &&
	       icb_params_lossy(params);
}

/*
 * Where each message of a stream is checked, one more than may be on its way, or
 * than there are receives posted: what is checked is not overwritten meanwhile.
 */
static u32 stream_ring(const struct icb_params *params)
{
	return 1 + (icb_verb_of(params)->recv ? window_recvs(params) :
						params->window);
}

/* As many as correctness needs, in turn. */
static u32 least_ring(const struct icb_params *params)
{
	if (keeps_apart(params))
		return stream_ring(params);
	if (params->trigger != ICBENCH_TRIGGER_ECHO ||
	    icb_params_one_way(params))
		return 1;
	if (keeps_late(params))
		return 1 + ICB_BUFFERS_ECHO;
	if (params->direction == ICBENCH_DIRECTION_BI)
		return 4;
	return params->verify ? 2 : 1;
}

/**
 * icb_buffers_ring() - buffers that operations take in turn
 * @params: of a run
 *
 * Return: what was asked for; else 1, 2 where contents are checked while other
 * messages move, 4 where messages cross, so that a third one may come while the
 * first is checked, and one more than there are receives where late ones may.
 */
u32 icb_buffers_ring(const struct icb_params *params)
{
	return icb_params_given(params, ICBENCH_A_PARAMS_BUFFERS) ?
		params->buffers : least_ring(params);
}

/**
 * icb_buffers_recvs() - receives that a side of a stream posts ahead
 * @params: of a run, checked, of trigger completion
 *
 * Return: twice a window of them at least, in whole batches; with verify no
 * more than buffers are taken in turn, less the one that is looked at. Where a note
 * tells of several messages, so many that what comes behind the last note that finds
 * one takes no buffer of those that are looked at.
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

/* New buffers that the first so many operations of the sequence take. */
static u64 fresh_of(const struct icb_params *params, u64 operations)
{
	return operations * (ICB_BUFFERS_WHOLE - params->reuse) /
	       ICB_BUFFERS_WHOLE;
}

/* One more than is measured: where messages cross, the last one is not awaited. */
static u64 needed(const struct icb_params *params)
{
	u64 ring = icb_buffers_ring(params);

	if (params->reuse == ICB_BUFFERS_WHOLE)
		return ring;
	return ring + fresh_of(params, params->iterations + 1);
}

/**
 * icb_buffers_count() - buffers that messages are in
 * @params: of a run, checked
 *
 * Return: how many of each side, for each direction that has content.
 */
u32 icb_buffers_count(const struct icb_params *params)
{
	return min_t(u64, needed(params), ICBENCH_MAX_BUFFERS);
}

/**
 * icb_buffers_sent() - buffers of a side whose content goes to the other one
 * @params: of a run, checked
 * @initiator: which side
 *
 * Return: how many; one where there is no such content.
 */
u32 icb_buffers_sent(const struct icb_params *params, bool initiator)
{
	return icb_buffers_filled(params, !initiator);
}

/**
 * icb_buffers_filled() - buffers of a side that are filled by operations
 * @params: of a run, checked
 * @initiator: which side
 *
 * Return: how many; one where nothing is.
 */
u32 icb_buffers_filled(const struct icb_params *params, bool initiator)
{
	return icb_params_fills(params, initiator) ?
		icb_buffers_count(params) : 1;
}

/**
 * icb_buffers_warmup() - operations before the sequence begins
 * @params: of a run
 *
 * Return: how many of each side that begins any: with those that are warm-up,
 * the one by which callbacks are started.
 */
u64 icb_buffers_warmup(const struct icb_params *params)
{
	bool kick = BIT(params->completion) & ICB_COMPLETIONS_CALLBACK &&
		    params->trigger != ICBENCH_TRIGGER_CLOCK;

	return params->warmup + kick;
}

/**
 * icb_buffers_start() - begin with the first operation
 * @buffers: of a side and a direction
 * @params: of the run
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
 * icb_buffers_none() - begin where operations have no content, and there is one buffer
 * @buffers: of a side and a direction
 */
void icb_buffers_none(struct icb_buffers *buffers)
{
	memset(buffers, 0, sizeof(*buffers));
	buffers->ring = 1;
	buffers->count = 1;
	icb_buffers_next(buffers);
}

/**
 * icb_buffers_seek() - go on with any operation
 * @buffers: of a side and a direction, begun
 * @params: of the run
 * @number: of the operation, from 1
 *
 * As if all before it had been made. Not for each operation.
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
	/* of one there is a count, and nothing else */
	buffers->mark = before;
	icb_buffers_next(buffers);
}

/**
 * icb_buffers_at() - the buffer of any operation
 * @params: of the run
 * @number: of the operation, from 1
 *
 * For those that a run with these parameters has. Not for a hot loop.
 *
 * Return: what icb_buffers_next() says of it.
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
 * icb_buffers_newest() - the last operation of a run that takes a new buffer
 * @params: of the run
 *
 * Return: its number, from 1; that of the last one of the warm-up if none does.
 */
u64 icb_buffers_newest(const struct icb_params *params)
{
	u64 step = ICB_BUFFERS_WHOLE - params->reuse;
	u64 fresh = icb_buffers_count(params) - icb_buffers_ring(params);

	return icb_buffers_warmup(params) +
	       (step ? (fresh * ICB_BUFFERS_WHOLE + step - 1) / step : 0);
}

/**
 * icb_buffers_refuse() - say that a run has more buffers than there can be
 * @params: the run's
 * @most: how many can be
 * @limit: what they have to fit into
 * @why: the reason
 *
 * Return: -EINVAL with a reason that names what was asked for.
 */
int icb_buffers_refuse(const struct icb_params *params, u64 most,
		       const char *limit, struct icb_reason *why)
{
	u64 ring = icb_buffers_ring(params);
	u64 step = ICB_BUFFERS_WHOLE - params->reuse, operations;

	if (!step && keeps_late(params) &&
	    icb_buffers_ring(params) == least_ring(params))
		return icb_refuse(why, -EINVAL,
				  "verify: with transport %s it needs %u buffers of %u bytes, which do not fit into %s; accepted: less of size",
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_TRANSPORT),
				  least_ring(params), icb_sizes_room(params),
				  limit);
	if (!step && keeps_apart(params) &&
	    icb_buffers_ring(params) == least_ring(params))
		return icb_refuse(why, -EINVAL,
				  "verify: with window %u it needs %u buffers of %u bytes, which do not fit into %s; accepted: less of window or size",
				  params->window, least_ring(params),
				  icb_sizes_room(params), limit);
	if (!step)
		return icb_refuse(why, -EINVAL,
				  "buffers: %u of %u bytes do not fit into %s; accepted: at most %llu",
				  params->buffers, icb_sizes_room(params), limit,
				  (unsigned long long)most);
	/* the greatest number whose new ones are still there */
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

/* What has one buffer and no other. */
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
				  "duration: reuse %u takes new buffers, whose number has to be known before; accepted: iterations",
				  params->reuse);
	if (params->trigger == ICBENCH_TRIGGER_COMPLETION &&
	    params->direction == ICBENCH_DIRECTION_BI)
		return icb_refuse(why, -EOPNOTSUPP,
				  "direction: reuse %u takes new buffers, and with bi the other side streams until it is told to stop; accepted: uni",
				  params->reuse);
	return 0;
}

/**
 * icb_buffers_check() - the rules between buffers, reuse and the rest
 * @params: whose other parameters are checked; the default is filled in
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

	if (params->trigger == ICBENCH_TRIGGER_RETURN)
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
