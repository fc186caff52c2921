// SPDX-License-Identifier: GPL-2.0
#include "payload.h"
#include "segments.h"
#include "sizes.h"
#include "derived.h"
#include "verbs_table.h"

/* Bytes between two segments, so that a device cannot merge them. */
#define GAP	64

/*
 * Distance between two segments. A segment crosses from one piece of the buffer to the
 * next only if it is larger than a piece.
 */
static u64 stride_of(u32 size)
{
	if (size <= ICB_PIECE_SIZE - GAP)
		return 1ULL << fls64(size + GAP - 1);
	return ((u64)size + ICB_PIECE_SIZE - 1) &
	       ~(u64)(ICB_PIECE_SIZE - 1);
}

/**
 * icb_segments_cut() - calculate the layout of a message
 * @seg: the layout to set
 * @size: size of the message, bytes
 * @count: number of segments; 1, or at most @size
 */
void icb_segments_cut(struct icb_segments *seg, u32 size, u32 count)
{
	seg->count = count;
	seg->size = size / count;
	seg->last = size - (count - 1) * seg->size;
	/* the last segment is the largest */
	seg->stride = stride_of(seg->last);
	seg->extent = icb_segments_end(seg, count - 1);
}

/**
 * icb_segments_of() - calculate the layouts of the messages of a run
 * @params: parameters of the run
 * @tx: layout to set: messages that a side sends, or that its peer reads
 * @rx: layout to set: messages that arrive
 *
 * Remote memory that an operation accesses is contiguous, in one region.
 */
void icb_segments_of(const struct icb_params *params, struct icb_segments *tx,
		     struct icb_segments *rx)
{
	const struct icb_verb *verb = icb_verb_of(params);
	bool into = verb->remote && !verb->passive;
	u32 room = icb_sizes_room(params);

	icb_segments_cut(tx, room, verb->passive ? 1 : params->sges);
	icb_segments_cut(rx, room, into ? 1 : params->sges);
}

/**
 * icb_segments_fill() - write the content of a message
 * @seg: layout of the message
 * @buf: buffer to fill
 * @random: stream of the sending side, from icb_payload_of()
 * @number: number of the message
 */
void icb_segments_fill(const struct icb_segments *seg, u8 *buf,
		       struct icb_random random, u64 number)
{
	size_t at = 0, len;
	u64 begin;
	u32 i;

	for (i = 0; i < seg->count; i++, at += len) {
		begin = icb_segments_begin(seg, i);
		len = icb_segments_end(seg, i) - begin;
		icb_payload_fill(buf + begin, at, len, random, number);
	}
}

/**
 * icb_segments_spoil() - change every byte of a message
 * @seg: layout of the message
 * @buf: buffer of the message
 */
void icb_segments_spoil(const struct icb_segments *seg, u8 *buf)
{
	u64 begin;
	u32 i;

	for (i = 0; i < seg->count; i++) {
		begin = icb_segments_begin(seg, i);
		icb_payload_spoil(buf + begin,
				  icb_segments_end(seg, i) - begin);
	}
}

/**
 * icb_segments_check() - compare a message with the content that was sent
 * @seg: layout of the message
 * @buf: buffer of the message
 * @len: number of bytes to compare
 * @random: stream of the sending side, from icb_payload_of()
 * @number: number of the message
 *
 * Return: offset of the first byte of the message that differs; @len if none does.
 */
size_t icb_segments_check(const struct icb_segments *seg, const u8 *buf,
			  size_t len, struct icb_random random, u64 number)
{
	size_t at = 0, part, good;
	u64 begin;
	u32 i;

	for (i = 0; i < seg->count && at < len; i++, at += part) {
		begin = icb_segments_begin(seg, i);
		part = min_t(size_t, len - at,
			     icb_segments_end(seg, i) - begin);
		good = icb_payload_check(buf + begin, at, part, random, number);
		if (good < part)
			return at + good;
	}
	return at;
}

/* Refuse parameters of sent messages where the initiator sends none. */
static int check_passive(const struct icb_params *params,
			 struct icb_reason *why)
{
	const struct icb_verb *verb = icb_verb_of(params);
	const char *word = icb_params_word(params, ICBENCH_A_PARAMS_VERB);

	if (params->inline_size)
		return icb_refuse(why, -EOPNOTSUPP,
				  "inline: verb %s %s; accepted: 0", word,
				  verb->calls ? "posts no message" :
				  "receives a message and sends none");
	if (params->sges == 1 || !(verb->atomic || verb->calls))
		return 0;
	return icb_refuse(why, -EOPNOTSUPP, "sges: verb %s %s; accepted: 1",
			  word, verb->calls ? "posts no message" :
			  "works on one word");
}

/**
 * icb_segments_rules() - check the rules of segments
 * @params: the parameters, each of them within its own range
 * @why: the reason of a refusal; may be NULL
 *
 * Return: 0; -EINVAL or -EOPNOTSUPP with a reason.
 */
int icb_segments_rules(const struct icb_params *params,
		       struct icb_reason *why)
{
	int err = 0;

	if (icb_verb_of(params)->passive)
		err = check_passive(params, why);
	if (err)
		return err;
	if (params->sges > 1 && params->sges > params->size)
		return icb_refuse(why, -EINVAL,
				  "sges: %u segments are more than a message of %u bytes can fill; accepted: 1 to %u",
				  params->sges, params->size,
				  max_t(u32, params->size, 1));
	if (icb_params_has(params, ICBENCH_A_PARAMS_MAX_SGES) &&
	    params->max_sges < params->sges)
		return icb_refuse(why, -EINVAL,
				  "max-sges: %u is less than sges, %u; accepted: %u and more",
				  params->max_sges, params->sges,
				  params->sges);
	return 0;
}

/* A limit of a device, and its name. */
struct limit {
	u32 most;
	const char *name;
};

static void lower(struct limit *limit, u32 most, const char *name)
{
	if (most >= limit->most)
		return;
	limit->most = most;
	limit->name = name;
}

/**
 * icb_segments_refuse() - refuse the segments of a run if a device does not accept them
 * @params: parameters of the run
 * @device: name of the device
 * @limits: limits of the device
 * @why: the reason of a refusal; may be NULL
 *
 * Return: 0; -EOPNOTSUPP with a reason.
 */
int icb_segments_refuse(const struct icb_params *params, const char *device,
			const struct icb_sge_limits *limits,
			struct icb_reason *why)
{
	const struct icb_verb *verb = icb_verb_of(params);
	struct limit limit = { limits->send, "max_send_sge" };
	bool grh = icb_params_datagrams(params);

	/*
	 * max-sges is for both queues of a QP. The receive of a datagram needs one more
	 * SGE, for the GRH.
	 */
	lower(&limit, limits->recv - (limits->recv && grh), "max_recv_sge");
	if (icb_params_has(params, ICBENCH_A_PARAMS_MAX_SGES) &&
	    params->max_sges > limit.most)
		return icb_refuse(why, -EOPNOTSUPP,
				  "max-sges: %u is more than %s takes; accepted: %u to %u (%s)",
				  params->max_sges, device, params->sges,
				  limit.most, limit.name);
	if (verb->remote && !verb->calls) {
		limit = (struct limit){ limits->send, "max_send_sge" };
		if (verb->passive && limits->read)
			lower(&limit, limits->read, "max_sge_rd");
	}
	if (params->sges <= limit.most || params->sges == 1)
		return 0;
	return icb_refuse(why, -EOPNOTSUPP,
			  "sges: %u is more than %s takes for verb %s; accepted: 1 to %u (%s)",
			  params->sges, device,
			  icb_params_word(params, ICBENCH_A_PARAMS_VERB),
			  limit.most, limit.name);
}
