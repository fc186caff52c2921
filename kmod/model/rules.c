// SPDX-License-Identifier: GPL-2.0
#include "buffers.h"
#include "callbacks.h"
#include "derived.h"
#include "policy.h"
#include "rules.h"
#include "segments.h"
#include "sizes.h"
#include "trigger.h"
#include "verbs_table.h"

/* Default of iterations with until: ends a run that has not reached its precision. */
#define MOST_UNTIL	10000000

/*
 * Default of until-time, ns. The tick and other events that recur several times a second
 * occur within it.
 */
#define LEAST_UNTIL	1000000000ULL

/* Largest path MTU there is, bytes. */
#define MAX_MTU			4096

static int refuse_unless_open(struct icb_params *params,
			      struct icb_reason *why)
{
	static const u32 attrs[] = {
		ICBENCH_A_PARAMS_RATE, ICBENCH_A_PARAMS_ARRIVAL,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(attrs); i++)
		if (icb_params_given(params, attrs[i]))
			return icb_refuse(why, -EINVAL,
					  "%s: only with trigger clock; with %s nothing is due at a time",
					  icb_param_by_attr(attrs[i])->name,
					  icb_params_word(params, ICBENCH_A_PARAMS_TRIGGER));
	return 0;
}

/* A QP keeps the order of its own operations; several QPs keep no common order. */
static int check_qps(const struct icb_params *params, struct icb_reason *why)
{
	const struct icb_verb *verb = icb_verb_of(params);

	if (params->qps == 1)
		return 0;
	/* no QP sends anything: any number is possible */
	if (params->verb == ICBENCH_VERB_CALIBRATE)
		return 0;
	if (params->trigger == ICBENCH_TRIGGER_RETURN)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: with trigger return the calls of one are timed; accepted: 1, or verb calibrate");
	if (params->trigger == ICBENCH_TRIGGER_COMPLETION &&
	    params->verb == ICBENCH_VERB_CMP_SWAP)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: with trigger completion each cmp-swap expects what the one before it has left, and several QPs keep no order; accepted: 1, or verb fetch-add");
	if (params->trigger == ICBENCH_TRIGGER_CLOCK)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: with trigger clock operations are due one by one, on one QP; accepted: 1");
	if (params->registration == ICBENCH_REGISTRATION_FRWR)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: with registration frwr the first QP registers what its own receives take; accepted: 1, or registration dma");
	if (verb->note)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: with notify message each note goes behind its write, on one QP; accepted: 1, or notify imm");
	if (params->reply)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: with reply a window is answered as a whole, on one QP; accepted: 1");
	if (params->trigger == ICBENCH_TRIGGER_COMPLETION && params->verify)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: with verify each message of a stream has a buffer in their order, and several QPs keep none; accepted: 1, or verify no");
	/* a receive of a send gets the buffer of its message when it is posted */
	if (!verb->recv || verb->remote)
		return 0;
	if (params->reuse < ICB_BUFFERS_WHOLE)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: with reuse %u and verb send the receives of one QP only know their buffers; accepted: 1",
				  params->reuse);
	if (params->trigger == ICBENCH_TRIGGER_COMPLETION &&
	    icb_buffers_ring(params) > 1)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: in a stream of sends the receives of several QPs share a buffer; accepted: 1, or buffers 1");
	return 0;
}

static int check_until(const struct icb_params *params, struct icb_reason *why)
{
	static const u32 attrs[] = {
		ICBENCH_A_PARAMS_UNTIL_PERCENTILE,
		ICBENCH_A_PARAMS_UNTIL_TIME,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(attrs); i++)
		if (icb_params_has(params, attrs[i]) &&
		    !icb_params_has(params, ICBENCH_A_PARAMS_UNTIL))
			return icb_refuse(why, -EINVAL,
					  "%s: only with until; accepted: until, or none of both",
					  icb_param_by_attr(attrs[i])->name);
	if (!icb_params_has(params, ICBENCH_A_PARAMS_UNTIL))
		return 0;
	if (params->trigger == ICBENCH_TRIGGER_ECHO &&
	    params->direction == ICBENCH_DIRECTION_BI)
		return icb_refuse(why, -EOPNOTSUPP,
				  "until: with direction bi messages cross, and short and long samples take turns, which have no interval; accepted: direction uni, or iterations or duration");
	if (params->trigger == ICBENCH_TRIGGER_ECHO ||
	    params->trigger == ICBENCH_TRIGGER_RETURN)
		return 0;
	return icb_refuse(why, -EOPNOTSUPP,
			  "until: only with trigger echo or return, whose samples come one after the other; accepted: iterations or duration");
}

static int refuse_transport(const struct icb_params *params, const char *what,
			    const char *reason, struct icb_reason *why)
{
	return icb_refuse(why, -EOPNOTSUPP,
			  "transport: %s is not possible with %s%s; accepted: rc",
			  icb_params_word(params, ICBENCH_A_PARAMS_TRANSPORT),
			  what, reason);
}

static bool several_buffers(const struct icb_params *params)
{
	return params->reuse != ICB_BUFFERS_WHOLE ||
	       icb_buffers_ring(params) > 1;
}

/*
 * A ping-pong whose messages may be lost gives up on an answer after a time. It must
 * still recognize the next message that arrives, and find its buffer.
 */
static int check_lossy_echo(const struct icb_params *params,
			    struct icb_reason *why)
{
	if (params->devices > 1)
		return refuse_transport(params, "trigger echo and several devices",
					", which answer in turn", why);
	if (params->direction == ICBENCH_DIRECTION_BI &&
	    params->completion == ICBENCH_COMPLETION_MEMORY)
		return icb_refuse(why, -EOPNOTSUPP,
				  "direction: with transport %s nobody knows in which buffer the next one of writes that cross is to be seen; accepted: uni, or verb send, write-imm",
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_TRANSPORT));
	if (params->direction == ICBENCH_DIRECTION_BI && params->qps > 1)
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: with transport %s and direction bi a message tells by its order what was lost, and several QPs keep none; accepted: 1",
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_TRANSPORT));
	if (params->completion == ICBENCH_COMPLETION_MEMORY &&
	    several_buffers(params))
		return icb_refuse(why, -EOPNOTSUPP,
				  "buffers: with transport %s nobody knows in which of several the next write is to be seen; accepted: 1, or verb send, write-imm",
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_TRANSPORT));
	if (params->qps > 1 && !icb_verb_of(params)->remote &&
	    several_buffers(params))
		return icb_refuse(why, -EOPNOTSUPP,
				  "qps: with transport %s nobody knows which message the receives of several QPs will take; accepted: 1, or buffers 1 and verify no",
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_TRANSPORT));
	return 0;
}

/*
 * Only the first device has a control connection, which is reliable. UD needs it to
 * resolve the route, and its QP registers remote memory, see icb_side_register(). A
 * stream of sends over UC needs neither on the other devices.
 */
static int check_lossy_devices(const struct icb_params *params,
			       struct icb_reason *why)
{
	if (icb_params_datagrams(params))
		return refuse_transport(params, "several devices",
					", of which the first alone has a connection that tells the way",
					why);
	if (icb_verb_of(params)->remote)
		return refuse_transport(params, "several devices and this verb",
					", for which the first alone has a connection that registers memory",
					why);
	return 0;
}

/* Without flow control a later write may overwrite a message that is not checked yet. */
static int check_lossy_verify(const struct icb_params *params,
			      struct icb_reason *why)
{
	if (!params->verify || !icb_verb_of(params)->remote)
		return 0;
	return icb_refuse(why, -EOPNOTSUPP,
			  "verify: with transport %s nothing keeps a later write from where an earlier one is checked; accepted: no, or verb send",
			  icb_params_word(params, ICBENCH_A_PARAMS_TRANSPORT));
}

/* Of the verbs that time calls, only descriptor makes its calls on UC and UD as well. */
static int check_lossy_calls(const struct icb_params *params,
			     struct icb_reason *why)
{
	const char *reason;

	switch (params->verb) {
	case ICBENCH_VERB_DESCRIPTOR:
		return 0;
	case ICBENCH_VERB_REGISTER:
		reason = "which some devices take from a reliable connection only";
		break;
	case ICBENCH_VERB_CALIBRATE:
		reason = "which sends nothing";
		break;
	default:
		reason = "which makes reliable connections";
		break;
	}
	return icb_refuse(why, -EOPNOTSUPP,
			  "transport: %s is not possible with verb %s, %s; accepted: rc",
			  icb_params_word(params, ICBENCH_A_PARAMS_TRANSPORT),
			  icb_params_word(params, ICBENCH_A_PARAMS_VERB),
			  reason);
}

/* A datagram is a single packet, and consumes a receive of the peer. */
static int check_datagram(const struct icb_params *params,
			  struct icb_reason *why)
{
	u32 most = icb_params_has(params, ICBENCH_A_PARAMS_MTU) ? params->mtu :
								  MAX_MTU;

	if (params->verb != ICBENCH_VERB_SEND &&
	    params->verb != ICBENCH_VERB_DESCRIPTOR)
		return icb_refuse(why, -EOPNOTSUPP,
				  "verb: %s is not possible with transport ud, whose messages reach into no memory of the other side; accepted: send",
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_VERB));
	if (icb_sizes_room(params) > most)
		return icb_refuse(why, -EOPNOTSUPP,
				  "size: %u bytes do not fit into one packet, which a message of transport ud is; accepted: 0 to %u, and no more than the path MTU",
				  icb_sizes_room(params), most);
	return 0;
}

/* Messages that may be lost must be counted, and no step may depend on one arriving. */
static int check_transport(const struct icb_params *params,
			   struct icb_reason *why)
{
	const struct icb_verb *verb = icb_verb_of(params);
	int err = 0;

	if (!icb_params_lossy(params))
		return 0;
	if (params->trigger == ICBENCH_TRIGGER_RETURN)
		err = check_lossy_calls(params, why);
	if (!err && icb_params_datagrams(params))
		err = check_datagram(params, why);
	if (err || params->trigger == ICBENCH_TRIGGER_RETURN)
		return err;
	if (verb->passive)
		return icb_refuse(why, -EOPNOTSUPP,
				  "verb: %s is not possible with transport %s, which has no answers; accepted: send, write, write-imm",
				  icb_params_word(params, ICBENCH_A_PARAMS_VERB),
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_TRANSPORT));
	if (verb->note)
		return refuse_transport(params, "notify message",
					", which may come without its write",
					why);
	if (icb_params_windowed(params) && !verb->recv)
		return icb_refuse(why, -EOPNOTSUPP,
				  "verb: of write nobody sees with transport %s what was lost; accepted: send, write-imm, or notify imm",
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_TRANSPORT));
	if (params->reply)
		return refuse_transport(params, "reply",
					", which has to come", why);
	err = check_lossy_verify(params, why);
	if (!err && params->trigger == ICBENCH_TRIGGER_ECHO)
		err = check_lossy_echo(params, why);
	if (!err && params->devices > 1)
		err = check_lossy_devices(params, why);
	return err;
}

/* A worker that has measured keeps posting until all workers have measured. */
static int check_workers(const struct icb_params *params,
			 struct icb_reason *why)
{
	if (params->workers <= 1)
		return 0;
	if (params->policy == ICBENCH_POLICY_BIND)
		return icb_refuse(why, -EOPNOTSUPP,
				  "policy: bind gives each of several workers one device; accepted: single, with that");
	if (icb_params_channels(params))
		return icb_refuse(why, -EOPNOTSUPP,
				  "policy: channels gives each way of one process a device; accepted with several workers: bind, which gives each of them one");
	if (params->reuse < ICB_BUFFERS_WHOLE)
		return icb_refuse(why, -EOPNOTSUPP,
				  "workers: reuse %u takes new buffers, and one of several workers goes on until all have measured; accepted: 1",
				  params->reuse);
	if (icb_params_has(params, ICBENCH_A_PARAMS_SHADOW_CPU))
		return icb_refuse(why, -EOPNOTSUPP,
				  "workers: one CPU watches for the arrivals of one run; accepted: 1, or no shadow-cpu");
	return 0;
}

static int check_verb(const struct icb_params *params, struct icb_reason *why)
{
	const struct icb_param *param =
		icb_param_by_attr(ICBENCH_A_PARAMS_VERB);
	u32 verbs = params->trigger == ICBENCH_TRIGGER_RETURN ?
		ICB_VERBS_CALL : ICB_VERBS_DATA;
	char accepted[128];

	if (verbs & BIT(params->verb))
		return 0;
	icb_param_list_words(param, verbs, accepted, sizeof(accepted));
	if (!icb_params_given(params, ICBENCH_A_PARAMS_VERB))
		return icb_refuse(why, -EINVAL,
				  "trigger: %s needs a verb; accepted: verb %s",
				  icb_params_word(params,
						  ICBENCH_A_PARAMS_TRIGGER),
				  accepted);
	return icb_refuse(why, -EOPNOTSUPP,
			  "verb: %s is not possible with trigger %s; accepted: %s",
			  param->words[params->verb],
			  icb_params_word(params, ICBENCH_A_PARAMS_TRIGGER),
			  accepted);
}

/* A region has at least one byte, and is registered only for access by the device. */
static int check_registration(const struct icb_params *params,
			      struct icb_reason *why)
{
	if (params->registration == ICBENCH_REGISTRATION_DMA)
		return 0;
	if (params->trigger == ICBENCH_TRIGGER_RETURN)
		return icb_refuse(why, -EOPNOTSUPP,
				  "registration: frwr is not possible with trigger return, whose calls have buffers of their own; accepted: dma");
	if (!params->size)
		return icb_refuse(why, -EOPNOTSUPP,
				  "registration: frwr is not possible with messages of 0 bytes; accepted: dma");
	if (params->size <= params->inline_size)
		return icb_refuse(why, -EOPNOTSUPP,
				  "registration: frwr is not possible with messages that are posted inline, which the CPU reads; accepted: dma");
	return 0;
}

/* Refuse a placement where there are no buffers, or messages have no bytes. */
static int check_memory(const struct icb_params *params,
			struct icb_reason *why)
{
	const struct icb_verb *verb = icb_verb_of(params);

	if (params->memory == ICBENCH_MEMORY_ANY)
		return 0;
	if (verb->calls && !verb->min_size)
		return icb_refuse(why, -EOPNOTSUPP,
				  "memory: the calls of verb %s have no buffers; accepted: any",
				  icb_params_word(params, ICBENCH_A_PARAMS_VERB));
	if (!params->size)
		return icb_refuse(why, -EOPNOTSUPP,
				  "memory: messages of 0 bytes lie nowhere; accepted: any");
	return 0;
}

static int refuse_sizes(const struct icb_params *params, const char *what,
			const char *accepted, struct icb_reason *why)
{
	return icb_refuse(why, -EOPNOTSUPP,
			  "size-dist: %s is not possible with %s; accepted: %s",
			  icb_params_word(params, ICBENCH_A_PARAMS_SIZE_DIST),
			  what, accepted);
}

/* The rules between size-dist and other parameters. */
static int check_sizes(const struct icb_params *params, struct icb_reason *why)
{
	const struct icb_verb *verb = icb_verb_of(params);
	u64 most;

	if (params->size_dist == ICBENCH_SIZE_DIST_FIXED)
		return 0;
	if (!icb_params_windowed(params))
		return refuse_sizes(params, "this trigger",
			      "fixed, or trigger completion or clock", why);
	if (verb->atomic)
		return refuse_sizes(params, "atomics, which work on one word",
			      "fixed", why);
	if (!params->size)
		return refuse_sizes(params, "a size of 0", "fixed", why);
	if (verb->note)
		return refuse_sizes(params, "notify message",
			      "fixed, or notify none, imm", why);
	if (params->reply)
		return refuse_sizes(params, "reply", "fixed, or reply no", why);
	if (params->inline_size)
		return refuse_sizes(params, "inline", "fixed, or inline 0", why);
	if (params->sges > 1)
		return refuse_sizes(params, "several segments", "fixed, or sges 1",
			      why);
	if (params->qps > 1)
		return refuse_sizes(params, "several QPs, which keep no order",
			      "fixed, or qps 1", why);
	if (params->devices > 1)
		return refuse_sizes(params, "several devices", "fixed, or one device",
			      why);
	if (icb_params_lossy(params) &&
	    params->direction == ICBENCH_DIRECTION_BI)
		return refuse_sizes(params, "direction bi where messages may be lost",
			      "fixed, direction uni, or transport rc", why);
	most = icb_sizes_largest(params);
	if (most <= ICBENCH_MAX_SIZE)
		return 0;
	return icb_refuse(why, -EINVAL,
			  "size: %u is the mean, with size-dist %s the largest message has %llu bytes; accepted: at most %llu in the largest",
			  params->size,
			  icb_params_word(params, ICBENCH_A_PARAMS_SIZE_DIST),
			  (unsigned long long)most,
			  (unsigned long long)ICBENCH_MAX_SIZE);
}

/*
 * Most messages that a callback handles for one completion: the messages that a signalled
 * work request covers, the batch that is posted next, or the writes that a note reports.
 */
static u32 messages(const struct icb_params *params)
{
	u32 most;

	if (params->trigger != ICBENCH_TRIGGER_COMPLETION)
		return 1;
	most = max_t(u32, params->signal_every, params->batch);
	return max_t(u32, most, icb_params_report_every(params));
}

/**
 * icb_callback_bytes() - calculate how many bytes a callback fills and checks
 * @params: parameters of the run, including defaults that depend on other parameters
 *
 * The bytes of a window that is refilled are attributed to the completions that made room
 * for it. &icb_run.stretch limits how long one callback fills a window.
 *
 * Return: bytes per completion, on the side with more of them; 0 if no callback fills or
 * checks contents.
 */
u64 icb_callback_bytes(const struct icb_params *params)
{
	return icb_callback_handles(params) ?
		messages(params) * icb_callback_each(params) : 0;
}

/* A callback must not delay other users of its CPU for long. */
static int check_callbacks(const struct icb_params *params,
			   struct icb_reason *why)
{
	const struct icb_param *param =
		icb_param_by_attr(ICBENCH_A_PARAMS_COMPLETION);
	u64 bytes = icb_callback_bytes(params);
	char accepted[128], less[40];

	if (bytes <= ICB_CALLBACK_BYTES)
		return 0;
	icb_param_list_words(param,
			     icb_params_completions(params) &
			     ~ICB_COMPLETIONS_CALLBACK,
			     accepted, sizeof(accepted));
	if (messages(params) > 1)
		snprintf(less, sizeof(less), "less of size, signal-every or batch");
	else if (params->size_dist != ICBENCH_SIZE_DIST_FIXED)
		snprintf(less, sizeof(less), "less of size");
	else
		snprintf(less, sizeof(less), "size up to %u",
			 (u32)div64_u64((u64)ICB_CALLBACK_BYTES * params->size,
					bytes));
	return icb_refuse(why, -EOPNOTSUPP,
			  "verify: with completion %s a callback fills and checks %llu bytes, and holds others up; accepted: %s, or completion %s",
			  param->words[params->completion],
			  (unsigned long long)bytes, less, accepted);
}

static int check_each(struct icb_params *params, struct icb_reason *why)
{
	int err = check_verb(params, why);

	if (!err)
		err = icb_verb_check(params, why);
	if (!err)
		err = icb_segments_rules(params, why);
	if (!err)
		err = check_sizes(params, why);
	if (!err && params->trigger != ICBENCH_TRIGGER_CLOCK)
		err = refuse_unless_open(params, why);
	if (!err)
		err = check_registration(params, why);
	if (!err)
		err = check_memory(params, why);
	if (!err)
		err = icb_policy_check(params, why);
	if (!err)
		err = icb_trigger_check(params, why);
	if (!err)
		err = check_until(params, why);
	if (!err)
		err = check_transport(params, why);
	if (!err)
		err = check_qps(params, why);
	if (!err)
		err = check_workers(params, why);
	if (!err)
		err = check_callbacks(params, why);
	return err ? : icb_buffers_check(params, why);
}

static int only_with_peer(const struct icb_params *params, unsigned int attr,
			  struct icb_reason *why)
{
	if (!icb_params_given(params, attr) ||
	    icb_params_has(params, ICBENCH_A_PARAMS_PEER))
		return 0;
	return icb_refuse(why, -EINVAL,
			  "%s: only with peer; without one the run is of this host with itself",
			  icb_param_by_attr(attr)->name);
}

/**
 * icb_params_check() - check the rules between parameters, and set dependent defaults
 * @params: the parameters, each of them within its own range
 * @why: the reason of a refusal; may be NULL
 *
 * The command line, the module and the peer all check a run by these rules.
 *
 * Return: 0; -EINVAL or -EOPNOTSUPP with a reason.
 */
int icb_params_check(struct icb_params *params, struct icb_reason *why)
{
	int err;

	if (icb_params_has(params, ICBENCH_A_PARAMS_ITERATIONS) &&
	    icb_params_has(params, ICBENCH_A_PARAMS_DURATION))
		return icb_refuse(why, -EINVAL,
				  "duration: not together with iterations; accepted: one of them");
	if (!icb_params_has(params, ICBENCH_A_PARAMS_DURATION) &&
	    !icb_params_has(params, ICBENCH_A_PARAMS_ITERATIONS))
		icb_params_preset(params, ICBENCH_A_PARAMS_ITERATIONS,
				  icb_params_has(params, ICBENCH_A_PARAMS_UNTIL) ?
					MOST_UNTIL : 10000);
	if (icb_verb_of(params)->warmup &&
	    !icb_params_given(params, ICBENCH_A_PARAMS_WARMUP))
		icb_params_preset(params, ICBENCH_A_PARAMS_WARMUP,
				  icb_verb_of(params)->warmup);
	if (icb_params_has(params, ICBENCH_A_PARAMS_UNTIL) &&
	    !icb_params_has(params, ICBENCH_A_PARAMS_UNTIL_TIME))
		icb_params_preset(params, ICBENCH_A_PARAMS_UNTIL_TIME,
				  LEAST_UNTIL);
	if (icb_params_has(params, ICBENCH_A_PARAMS_MTU) &&
	    params->mtu & (params->mtu - 1))
		return icb_refuse(why, -EINVAL,
				  "mtu: %u is none; accepted: 256, 512, 1024, 2048, 4096",
				  params->mtu);
	err = only_with_peer(params, ICBENCH_A_PARAMS_CM_PORT, why);
	if (!err)
		err = only_with_peer(params, ICBENCH_A_PARAMS_TOKEN, why);
	if (err)
		return err;
	if (icb_params_has(params, ICBENCH_A_PARAMS_PEER) &&
	    !icb_params_has(params, ICBENCH_A_PARAMS_CM_PORT))
		icb_params_preset(params, ICBENCH_A_PARAMS_CM_PORT,
				  ICBENCH_DEFAULT_CM_PORT);
	err = icb_devices_check(params, why);
	return err ? : check_each(params, why);
}
