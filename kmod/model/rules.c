// SPDX-License-Identifier: GPL-2.0
#include "buffers.h"
#include "callbacks.h"
#include "derived.h"
#include "policy.h"
#include "rule.h"
#include "rules.h"
#include "segments.h"
#include "sizes.h"
#include "trigger.h"
#include "triggers_table.h"
#include "verb_rules.h"
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

static bool mtu_is_odd(const struct icb_params *params)
{
	return icb_params_has(params, ICBENCH_A_PARAMS_MTU) &&
	       params->mtu & (params->mtu - 1);
}

static void preset_goal(struct icb_params *params)
{
	bool until = icb_params_has(params, ICBENCH_A_PARAMS_UNTIL);

	if (!icb_params_has(params, ICBENCH_A_PARAMS_DURATION) &&
	    !icb_params_has(params, ICBENCH_A_PARAMS_ITERATIONS))
		icb_params_preset(params, ICBENCH_A_PARAMS_ITERATIONS,
				  until ? MOST_UNTIL : 10000);
	if (icb_verb_of(params)->warmup &&
	    !icb_params_given(params, ICBENCH_A_PARAMS_WARMUP))
		icb_params_preset(params, ICBENCH_A_PARAMS_WARMUP,
				  icb_verb_of(params)->warmup);
	if (until && !icb_params_has(params, ICBENCH_A_PARAMS_UNTIL_TIME))
		icb_params_preset(params, ICBENCH_A_PARAMS_UNTIL_TIME,
				  LEAST_UNTIL);
}

static void preset_cm_port(struct icb_params *params)
{
	if (!icb_params_has(params, ICBENCH_A_PARAMS_CM_PORT))
		icb_params_preset(params, ICBENCH_A_PARAMS_CM_PORT,
				  ICBENCH_DEFAULT_CM_PORT);
}

/* How long a run lasts, and with which peer. */
static const struct icb_rule run_rules[] = {
	{ ICB_KEY(DURATION), .when = ICB_IF_DURATION | ICB_IF_ITERATIONS,
	  .err = EINVAL, .words =
	  "not together with iterations; accepted: one of them",
	},
	{ .preset = preset_goal },
	{ ICB_KEY(MTU), .holds = mtu_is_odd, .err = EINVAL, .words =
	  "{mtu} is not a path MTU; accepted: 256, 512, 1024, 2048, 4096",
	},
	{ .keys = { ICBENCH_A_PARAMS_CM_PORT, ICBENCH_A_PARAMS_TOKEN },
	  .given = true, .unless = ICB_IF_PEER, .err = EINVAL,
	  .words = "only with peer; without it both sides of the run are on this host" },
	{ .preset = preset_cm_port, .when = ICB_IF_PEER },
	{ }
};

/* notify is not checked yet: it must not select the properties of another verb */
static bool verb_misfits(const struct icb_params *params)
{
	return icb_trigger_of(params)->times_calls !=
	       !!icb_verb_table[params->verb].calls;
}

static bool verb_is_missing(const struct icb_params *params)
{
	return verb_misfits(params) &&
	       !icb_params_given(params, ICBENCH_A_PARAMS_VERB);
}

static void accepted_verbs(const struct icb_params *params, char *text)
{
	icb_param_list_words(icb_param_by_attr(ICBENCH_A_PARAMS_VERB),
			     icb_verbs(icb_trigger_of(params)->times_calls),
			     text, ICB_RULE_VALUE);
}

static const struct icb_rule verb_rules[] = {
	{ ICB_KEY(TRIGGER), .holds = verb_is_missing, .err = EINVAL,
	  .value = accepted_verbs, .words =
	  "{trigger} needs a verb; accepted: verb {}",
	},
	{ ICB_KEY(VERB), .holds = verb_misfits, .err = EOPNOTSUPP,
	  .value = accepted_verbs, .words =
	  "{verb} is not possible with trigger {trigger}; accepted: {}",
	},
	{ }
};

static bool size_is_beyond(const struct icb_params *params)
{
	return icb_sizes_largest(params) > ICBENCH_MAX_SIZE;
}

static void largest_size(const struct icb_params *params, char *text)
{
	snprintf(text, ICB_RULE_VALUE, "%llu",
		 (unsigned long long)icb_sizes_largest(params));
}

static bool is_inline(const struct icb_params *params)
{
	return params->size <= params->inline_size;
}

static bool calls_have_no_buffers(const struct icb_params *params)
{
	return !icb_verb_of(params)->min_size;
}

/* The sizes of messages, the times when they are due, and their memory. */
static const struct icb_rule message_rules[] = {
	{ ICB_KEY(SIZE_DIST), .when = ICB_IF_SIZE_DIST,
	  .unless = ICB_IF_WINDOWED, .err = EOPNOTSUPP, .words =
	  "{size-dist} is not possible with this trigger; accepted: fixed, or trigger completion or clock",
	},
	{ ICB_KEY(SIZE_DIST), .when = ICB_IF_SIZE_DIST | ICB_IF_ATOMIC,
	  .err = EOPNOTSUPP, .words =
	  "{size-dist} is not possible with atomics, which work on one word; accepted: fixed",
	},
	{ ICB_KEY(SIZE_DIST), .when = ICB_IF_SIZE_DIST | ICB_IF_EMPTY,
	  .err = EOPNOTSUPP, .words =
	  "{size-dist} is not possible with a size of 0; accepted: fixed",
	},
	{ ICB_KEY(SIZE_DIST), .when = ICB_IF_SIZE_DIST | ICB_IF_NOTE,
	  .err = EOPNOTSUPP, .words =
	  "{size-dist} is not possible with notify message; accepted: fixed, or notify none, imm",
	},
	{ ICB_KEY(SIZE_DIST), .when = ICB_IF_SIZE_DIST | ICB_IF_REPLY,
	  .err = EOPNOTSUPP, .words =
	  "{size-dist} is not possible with reply; accepted: fixed, or reply no",
	},
	{ ICB_KEY(SIZE_DIST), .when = ICB_IF_SIZE_DIST | ICB_IF_INLINE,
	  .err = EOPNOTSUPP, .words =
	  "{size-dist} is not possible with inline; accepted: fixed, or inline 0",
	},
	{ ICB_KEY(SIZE_DIST), .when = ICB_IF_SIZE_DIST | ICB_IF_SEVERAL_SGES,
	  .err = EOPNOTSUPP, .words =
	  "{size-dist} is not possible with several segments; accepted: fixed, or sges 1",
	},
	{ ICB_KEY(SIZE_DIST), .when = ICB_IF_SIZE_DIST | ICB_IF_SEVERAL_QPS,
	  .err = EOPNOTSUPP, .words =
	  "{size-dist} is not possible with several QPs, which keep no common order; accepted: fixed, or qps 1",
	},
	{ ICB_KEY(SIZE_DIST), .when = ICB_IF_SIZE_DIST | ICB_IF_SEVERAL_DEVICES,
	  .err = EOPNOTSUPP, .words =
	  "{size-dist} is not possible with several devices; accepted: fixed, or one device",
	},
	{ ICB_KEY(SIZE_DIST),
	  .when = ICB_IF_SIZE_DIST | ICB_IF_LOSSY | ICB_IF_BI,
	  .err = EOPNOTSUPP, .words =
	  "{size-dist} is not possible with direction bi where messages may be lost; accepted: fixed, direction uni, or transport rc",
	},
	{ ICB_KEY(SIZE), .when = ICB_IF_SIZE_DIST, .holds = size_is_beyond,
	  .err = EINVAL, .value = largest_size, .words =
	  "{size} is the mean size, and with size-dist {size-dist} the largest message has {} bytes; accepted: at most "
	  __stringify(ICBENCH_MAX_SIZE) " bytes in the largest message",
	},

	{ .keys = { ICBENCH_A_PARAMS_RATE, ICBENCH_A_PARAMS_ARRIVAL },
	  .given = true, .unless = ICB_IF_SCHEDULED, .err = EINVAL,
	  .words = "only with trigger clock; trigger {trigger} has no schedule" },

	/* a region has at least one byte, and only the device may access it */
	{ ICB_KEY(REGISTRATION), .when = ICB_IF_FRWR | ICB_IF_TIMES_CALLS,
	  .err = EOPNOTSUPP, .words =
	  "frwr is not possible with trigger return, whose calls have buffers of their own; accepted: dma",
	},
	{ ICB_KEY(REGISTRATION), .when = ICB_IF_FRWR | ICB_IF_EMPTY,
	  .err = EOPNOTSUPP, .words =
	  "frwr is not possible with messages of 0 bytes; accepted: dma",
	},
	{ ICB_KEY(REGISTRATION), .when = ICB_IF_FRWR, .holds = is_inline,
	  .err = EOPNOTSUPP, .words =
	  "frwr is not possible with messages that are posted inline, which the CPU reads; accepted: dma",
	},

	{ ICB_KEY(MEMORY), .when = ICB_IF_PLACED | ICB_IF_CALLS,
	  .holds = calls_have_no_buffers, .err = EOPNOTSUPP, .words =
	  "the calls of verb {verb} have no buffers; accepted: any",
	},
	{ ICB_KEY(MEMORY), .when = ICB_IF_PLACED | ICB_IF_EMPTY,
	  .err = EOPNOTSUPP, .words =
	  "messages of 0 bytes use no memory; accepted: any",
	},
	{ }
};

static const struct icb_rule until_rules[] = {
	{ .keys = { ICBENCH_A_PARAMS_UNTIL_PERCENTILE,
		    ICBENCH_A_PARAMS_UNTIL_TIME },
	  .given = true, .unless = ICB_IF_UNTIL, .err = EINVAL,
	  .words = "only with until; accepted: until as well, or neither of them" },
	{ ICB_KEY(UNTIL), .when = ICB_IF_UNTIL | ICB_IF_ANSWERS | ICB_IF_BI,
	  .err = EOPNOTSUPP, .words =
	  "with direction bi messages cross, and short and long samples alternate, which leaves no valid interval; accepted: direction uni, or iterations or duration",
	},
	{ ICB_KEY(UNTIL), .when = ICB_IF_UNTIL | ICB_IF_WINDOWED,
	  .err = EOPNOTSUPP, .words =
	  "only with trigger echo or return, which take one sample at a time; accepted: iterations or duration",
	},
	{ }
};

static bool needs_rc(const struct icb_params *params)
{
	return icb_verb_of(params)->needs_rc;
}

static void needs_rc_why(const struct icb_params *params, char *text)
{
	snprintf(text, ICB_RULE_VALUE, "%s", icb_verb_of(params)->needs_rc);
}

/* A datagram is a single packet, and consumes a receive of the peer. */
static int check_packet(struct icb_params *params, struct icb_reason *why)
{
	u32 most = icb_params_has(params, ICBENCH_A_PARAMS_MTU) ? params->mtu :
								  MAX_MTU;

	if (icb_sizes_room(params) <= most)
		return 0;
	return icb_refuse(why, -EOPNOTSUPP,
			  "size: %u bytes do not fit into the one packet of a message of transport ud; accepted: 0 to %u, and at most the path MTU",
			  icb_sizes_room(params), most);
}

static bool several_buffers(const struct icb_params *params)
{
	return params->reuse != ICB_BUFFERS_WHOLE ||
	       icb_buffers_ring(params) > 1;
}

static bool receives_several_buffers(const struct icb_params *params)
{
	return !icb_verb_of(params)->remote && several_buffers(params);
}

/* Messages that may be lost must be counted, and no step may depend on one arriving. */
static const struct icb_rule transport_rules[] = {
	{ ICB_KEY(TRANSPORT), .when = ICB_IF_LOSSY | ICB_IF_TIMES_CALLS,
	  .holds = needs_rc, .err = EOPNOTSUPP, .value = needs_rc_why, .words =
	  "{transport} is not possible with verb {verb}, {}; accepted: rc",
	},
	{ ICB_KEY(VERB), .when = ICB_IF_UD, .unless = ICB_IF_DATAGRAM,
	  .err = EOPNOTSUPP, .words =
	  "{verb} is not possible with transport ud, whose messages cannot access the peer's memory; accepted: send",
	},
	{ .check = check_packet, .when = ICB_IF_UD },
	{ ICB_KEY(VERB), .when = ICB_IF_LOSSY | ICB_IF_PASSIVE,
	  .err = EOPNOTSUPP, .words =
	  "{verb} is not possible with transport {transport}, which has no answers; accepted: send, write, write-imm",
	},
	{ ICB_KEY(TRANSPORT), .when = ICB_IF_LOSSY | ICB_IF_NOTE,
	  .err = EOPNOTSUPP, .words =
	  "{transport} is not possible with notify message, which may arrive without its write; accepted: rc",
	},
	{ ICB_KEY(VERB), .when = ICB_IF_LOSSY | ICB_IF_WINDOWED,
	  .unless = ICB_IF_RECV, .err = EOPNOTSUPP, .words =
	  "with transport {transport} the receiver cannot detect lost writes; accepted: send, write-imm, or notify imm",
	},
	{ ICB_KEY(TRANSPORT), .when = ICB_IF_LOSSY | ICB_IF_REPLY,
	  .err = EOPNOTSUPP, .words =
	  "{transport} is not possible with reply, because a reply must not be lost; accepted: rc",
	},
	/* without flow control a later write may overwrite a message before its check */
	{ ICB_KEY(VERIFY), .when = ICB_IF_LOSSY | ICB_IF_VERIFY | ICB_IF_REMOTE,
	  .err = EOPNOTSUPP, .words =
	  "with transport {transport} a later write may overwrite a message before it is checked; accepted: no, or verb send",
	},

	/*
	 * A ping-pong whose messages may be lost gives up on an answer after a time. It
	 * must still recognize the next message that arrives, and find its buffer.
	 */
	{ ICB_KEY(TRANSPORT),
	  .when = ICB_IF_LOSSY | ICB_IF_ANSWERS | ICB_IF_SEVERAL_DEVICES,
	  .err = EOPNOTSUPP, .words =
	  "{transport} is not possible with trigger echo and several devices, which answer in turn; accepted: rc",
	},
	{ ICB_KEY(DIRECTION),
	  .when = ICB_IF_LOSSY | ICB_IF_ANSWERS | ICB_IF_BI | ICB_IF_IN_MEMORY,
	  .err = EOPNOTSUPP, .words =
	  "with transport {transport} writes that cross may be lost, and the receiver cannot determine the buffer of the next write; accepted: uni, or verb send, write-imm",
	},
	{ ICB_KEY(QPS),
	  .when = ICB_IF_LOSSY | ICB_IF_ANSWERS | ICB_IF_BI | ICB_IF_SEVERAL_QPS,
	  .err = EOPNOTSUPP, .words =
	  "with transport {transport} and direction bi lost messages are detected by their order, and several QPs keep no common order; accepted: 1",
	},
	{ ICB_KEY(BUFFERS),
	  .when = ICB_IF_LOSSY | ICB_IF_ANSWERS | ICB_IF_IN_MEMORY,
	  .holds = several_buffers, .err = EOPNOTSUPP, .words =
	  "with transport {transport} writes may be lost, and the receiver cannot determine the buffer of the next write; accepted: 1, or verb send, write-imm",
	},
	{ ICB_KEY(QPS),
	  .when = ICB_IF_LOSSY | ICB_IF_ANSWERS | ICB_IF_SEVERAL_QPS,
	  .holds = receives_several_buffers, .err = EOPNOTSUPP, .words =
	  "with transport {transport} messages may be lost, and the receiver cannot determine which QP receives the next message; accepted: 1, or buffers 1 and verify no",
	},

	/*
	 * Only the first device has a control connection, which is reliable. UD needs it
	 * to resolve the route, and its QP registers remote memory, see
	 * icb_side_register(). A stream of sends over UC needs neither on the other
	 * devices.
	 */
	{ ICB_KEY(TRANSPORT), .when = ICB_IF_UD | ICB_IF_SEVERAL_DEVICES,
	  .err = EOPNOTSUPP, .words =
	  "{transport} is not possible with several devices, because only the first device has the control connection that resolves the route; accepted: rc",
	},
	{ ICB_KEY(TRANSPORT),
	  .when = ICB_IF_LOSSY | ICB_IF_SEVERAL_DEVICES | ICB_IF_REMOTE,
	  .err = EOPNOTSUPP, .words =
	  "{transport} is not possible with several devices and this verb, because only the first device has the control connection that registers memory; accepted: rc",
	},
	{ }
};

static bool takes_turns(const struct icb_params *params)
{
	return icb_buffers_ring(params) > 1;
}

/* A QP keeps the order of its own operations; several QPs keep no common order. */
static const struct icb_rule qps_rules[] = {
	/* a rehearsal sends nothing: any number is possible */
	{ ICB_KEY(QPS), .when = ICB_IF_SEVERAL_QPS | ICB_IF_TIMES_CALLS,
	  .unless = ICB_IF_REHEARSES, .err = EOPNOTSUPP, .words =
	  "with trigger return the calls of one QP are timed; accepted: 1, or verb calibrate",
	},
	{ ICB_KEY(QPS),
	  .when = ICB_IF_SEVERAL_QPS | ICB_IF_REFILLS | ICB_IF_SWAPS,
	  .err = EOPNOTSUPP, .words =
	  "with trigger completion each cmp-swap expects the value that the previous one wrote, and several QPs keep no common order; accepted: 1, or verb fetch-add",
	},
	{ ICB_KEY(QPS), .when = ICB_IF_SEVERAL_QPS | ICB_IF_SCHEDULED,
	  .err = EOPNOTSUPP, .words =
	  "with trigger clock operations are due one by one, on one QP; accepted: 1",
	},
	{ ICB_KEY(QPS), .when = ICB_IF_SEVERAL_QPS | ICB_IF_FRWR,
	  .err = EOPNOTSUPP, .words =
	  "with registration frwr the first QP registers only the buffers of its own receives; accepted: 1, or registration dma",
	},
	{ ICB_KEY(QPS), .when = ICB_IF_SEVERAL_QPS | ICB_IF_NOTE,
	  .err = EOPNOTSUPP, .words =
	  "with notify message each message follows its write, on one QP; accepted: 1, or notify imm",
	},
	{ ICB_KEY(QPS), .when = ICB_IF_SEVERAL_QPS | ICB_IF_REPLY,
	  .err = EOPNOTSUPP, .words =
	  "with reply a window is answered as a whole, on one QP; accepted: 1",
	},
	{ ICB_KEY(QPS),
	  .when = ICB_IF_SEVERAL_QPS | ICB_IF_REFILLS | ICB_IF_VERIFY,
	  .err = EOPNOTSUPP, .words =
	  "with verify the order of the messages of a stream determines their buffers, and several QPs keep no common order; accepted: 1, or verify no",
	},
	/* a receive of a send gets the buffer of its message when it is posted */
	{ ICB_KEY(QPS),
	  .when = ICB_IF_SEVERAL_QPS | ICB_IF_RECV | ICB_IF_NEW_BUFFERS,
	  .unless = ICB_IF_REMOTE, .err = EOPNOTSUPP, .words =
	  "with reuse {reuse} and verb send a receive is posted with the buffer of its message, and several QPs keep no common order; accepted: 1",
	},
	{ ICB_KEY(QPS),
	  .when = ICB_IF_SEVERAL_QPS | ICB_IF_RECV | ICB_IF_REFILLS,
	  .unless = ICB_IF_REMOTE, .holds = takes_turns, .err = EOPNOTSUPP,
	  .words =
	  "in a stream of sends the receives of several QPs share a buffer; accepted: 1, or buffers 1",
	},
	{ }
};

/* A worker that has measured keeps posting until all workers have measured. */
static const struct icb_rule workers_rules[] = {
	{ ICB_KEY(POLICY), .when = ICB_IF_SEVERAL_WORKERS | ICB_IF_BIND,
	  .err = EOPNOTSUPP, .words =
	  "with several workers each worker uses one device; accepted: single, with one device",
	},
	{ ICB_KEY(POLICY), .when = ICB_IF_SEVERAL_WORKERS | ICB_IF_CHANNELS,
	  .err = EOPNOTSUPP, .words =
	  "channels uses one device for each direction of one process; accepted with several workers: bind, which gives each worker one device",
	},
	{ ICB_KEY(WORKERS), .when = ICB_IF_SEVERAL_WORKERS | ICB_IF_NEW_BUFFERS,
	  .err = EOPNOTSUPP, .words =
	  "reuse {reuse} takes new buffers, and each worker continues until all workers have measured; accepted: 1",
	},
	{ ICB_KEY(WORKERS), .when = ICB_IF_SEVERAL_WORKERS | ICB_IF_SHADOW,
	  .err = EOPNOTSUPP, .words =
	  "one CPU watches for the arrivals of one run; accepted: 1, or no shadow-cpu",
	},
	{ }
};

/*
 * Most messages that a callback handles for one completion: the messages that a signalled
 * work request covers, the batch that is posted next, or the writes that a note reports.
 */
static u32 messages(const struct icb_params *params)
{
	u32 most;

	if (!icb_trigger_of(params)->refills)
		return 1;
	most = max_t(u32, params->signal_every, params->batch);
	return max_t(u32, most, icb_params_report_every(params));
}

/**
 * icb_callback_bytes() - calculate how many bytes a callback fills and checks
 * @params: parameters of the run, including defaults that depend on other parameters
 *
 * The bytes of a window that is refilled are attributed to the completions that made room
 * for it. &icb_run.part limits the part of a window that one callback fills.
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
static int check_callbacks(struct icb_params *params, struct icb_reason *why)
{
	u64 bytes = icb_callback_bytes(params);
	char accepted[ICB_RULE_VALUE], less[40];

	if (bytes <= ICB_CALLBACK_BYTES)
		return 0;
	icb_rule_threads(params, accepted);
	if (messages(params) > 1)
		snprintf(less, sizeof(less), "a smaller size, signal-every or batch");
	else if (params->size_dist != ICBENCH_SIZE_DIST_FIXED)
		snprintf(less, sizeof(less), "a smaller size");
	else
		snprintf(less, sizeof(less), "size up to %u",
			 (u32)div64_u64((u64)ICB_CALLBACK_BYTES * params->size,
					bytes));
	return icb_refuse(why, -EOPNOTSUPP,
			  "verify: with completion %s a callback fills and checks %llu bytes, and blocks its CPU; accepted: %s, or completion %s",
			  icb_params_word(params, ICBENCH_A_PARAMS_COMPLETION),
			  (unsigned long long)bytes, less, accepted);
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
	return icb_rules_check(run_rules, params, why) ? :
	       icb_devices_check(params, why) ? :
	       icb_rules_check(verb_rules, params, why) ? :
	       icb_verb_check(params, why) ? :
	       icb_segments_rules(params, why) ? :
	       icb_rules_check(message_rules, params, why) ? :
	       icb_policy_check(params, why) ? :
	       icb_trigger_check(params, why) ? :
	       icb_rules_check(until_rules, params, why) ? :
	       icb_rules_check(transport_rules, params, why) ? :
	       icb_rules_check(qps_rules, params, why) ? :
	       icb_rules_check(workers_rules, params, why) ? :
	       check_callbacks(params, why) ? :
	       icb_buffers_check(params, why);
}
