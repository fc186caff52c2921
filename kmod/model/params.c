// SPDX-License-Identifier: GPL-2.0
#include "params.h"
#include "words.h"

/* "node:" is followed by the number of the node. */
static const char *const place_words[] = {
	[ICBENCH_MEMORY_ANY] = "any",
	[ICBENCH_MEMORY_DEVICE] = "device",
	[ICBENCH_MEMORY_NODE] = "node:",
};

static const char *const switch_words[] = { "no", "yes", NULL };

#define AT(_field)	.offset = offsetof(struct icb_params, _field)
#define BYTES(_field)	.bytes = sizeof_field(struct icb_params, _field)
#define WORDS(_words)	.type = ICB_PARAM_WORD, .words = (_words)
#define LAST(_words)	.max = ARRAY_SIZE(_words) - 2

/* The parameters, in display order. */
const struct icb_param icb_param_table[] = {
	{ "trigger", "what triggers the next operation",
	  .attr = ICBENCH_A_PARAMS_TRIGGER, AT(trigger), BYTES(trigger),
	  WORDS(trigger_words), LAST(trigger_words),
	  .flags = ICB_PARAM_WIRE },
	{ "verb", "the operation",
	  .attr = ICBENCH_A_PARAMS_VERB, AT(verb), BYTES(verb),
	  WORDS(verb_words), LAST(verb_words),
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "transport", "the QP's transport service",
	  .attr = ICBENCH_A_PARAMS_TRANSPORT, AT(transport), BYTES(transport),
	  WORDS(transport_words), LAST(transport_words),
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "size", "payload of a message, bytes",
	  .attr = ICBENCH_A_PARAMS_SIZE, AT(size), BYTES(size),
	  .type = ICB_PARAM_SIZE,
	  .max = ICBENCH_MAX_SIZE,
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "size-dist", "distribution of the message sizes",
	  .attr = ICBENCH_A_PARAMS_SIZE_DIST, AT(size_dist), BYTES(size_dist),
	  WORDS(size_dist_words), LAST(size_dist_words),
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "sges", "segments of a message, one SGE each",
	  .attr = ICBENCH_A_PARAMS_SGES, AT(sges), BYTES(sges),
	  .type = ICB_PARAM_COUNT,
	  .min = 1, .max = ICBENCH_MAX_SGES,
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "max-sges", "segments per message that the QP allows",
	  .attr = ICBENCH_A_PARAMS_MAX_SGES, AT(max_sges), BYTES(max_sges),
	  .type = ICB_PARAM_COUNT,
	  .min = 1, .max = ICBENCH_MAX_SGES,
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "inline", "largest message that is posted inline, bytes",
	  .attr = ICBENCH_A_PARAMS_INLINE, AT(inline_size), BYTES(inline_size),
	  .type = ICB_PARAM_SIZE,
	  .max = ICBENCH_MAX_INLINE,
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "mtu", "path MTU, bytes",
	  .attr = ICBENCH_A_PARAMS_MTU, AT(mtu), BYTES(mtu),
	  .type = ICB_PARAM_COUNT,
	  .min = ICBENCH_MIN_MTU, .max = ICBENCH_MAX_MTU,
	  .flags = ICB_PARAM_SWEEP },
	{ "iterations", "operations to measure",
	  .attr = ICBENCH_A_PARAMS_ITERATIONS, AT(iterations), BYTES(iterations),
	  .type = ICB_PARAM_COUNT,
	  .min = 1, .max = ICBENCH_MAX_ITERATIONS,
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "duration", "time to measure for, instead of iterations",
	  .attr = ICBENCH_A_PARAMS_DURATION, AT(duration), BYTES(duration),
	  .type = ICB_PARAM_TIME,
	  .min = 1, .max = ICBENCH_MAX_DURATION,
	  .flags = ICB_PARAM_SWEEP },
	{ "until", "measure until p50 and p99 are known to within this, per cent",
	  .attr = ICBENCH_A_PARAMS_UNTIL, AT(until), BYTES(until),
	  .type = ICB_PARAM_COUNT,
	  .min = 1, .max = ICBENCH_MAX_UNTIL,
	  .flags = ICB_PARAM_SWEEP },
	{ "until-percentile", "percentile that until applies to, instead of p50 and p99",
	  .attr = ICBENCH_A_PARAMS_UNTIL_PERCENTILE, AT(until_percentile),
	  BYTES(until_percentile), .type = ICB_PARAM_PERCENTILE,
	  .min = 1, .max = ICBENCH_MAX_UNTIL_PERCENTILE },
	{ "until-time", "shortest time to measure for with until",
	  .attr = ICBENCH_A_PARAMS_UNTIL_TIME, AT(until_time), BYTES(until_time),
	  .type = ICB_PARAM_TIME,
	  .max = ICBENCH_MAX_DURATION },
	{ "threshold", "stop at the first sample above this, and keep its trace",
	  .attr = ICBENCH_A_PARAMS_THRESHOLD, AT(threshold), BYTES(threshold),
	  .type = ICB_PARAM_TIME,
	  .min = 1, .max = ICBENCH_MAX_THRESHOLD,
	  .flags = ICB_PARAM_UNIT },
	{ "warmup", "operations before the measured ones",
	  .attr = ICBENCH_A_PARAMS_WARMUP, AT(warmup), BYTES(warmup),
	  .type = ICB_PARAM_COUNT,
	  .max = ICBENCH_MAX_ITERATIONS,
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "direction", "which sides begin operations",
	  .attr = ICBENCH_A_PARAMS_DIRECTION, AT(direction), BYTES(direction),
	  WORDS(direction_words), LAST(direction_words),
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "qps", "QPs of the run, connected before it starts",
	  .attr = ICBENCH_A_PARAMS_QPS, AT(qps), BYTES(qps),
	  .type = ICB_PARAM_COUNT,
	  .min = 1, .max = ICBENCH_MAX_RUN_QPS,
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "workers", "runs that are measured at the same time",
	  .attr = ICBENCH_A_PARAMS_WORKERS, AT(workers), BYTES(workers),
	  .type = ICB_PARAM_COUNT,
	  .min = 1, .max = ICBENCH_MAX_WORKERS,
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "window", "operations outstanding at a time",
	  .attr = ICBENCH_A_PARAMS_WINDOW, AT(window), BYTES(window),
	  .type = ICB_PARAM_COUNT,
	  .min = 1, .max = ICBENCH_MAX_WINDOW,
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "refill", "completions after which as many operations are posted",
	  .attr = ICBENCH_A_PARAMS_REFILL, AT(refill), BYTES(refill),
	  .type = ICB_PARAM_COUNT,
	  .min = 1, .max = ICBENCH_MAX_WINDOW,
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "batch", "work requests in one posting call",
	  .attr = ICBENCH_A_PARAMS_BATCH, AT(batch), BYTES(batch),
	  .type = ICB_PARAM_COUNT,
	  .min = 1, .max = ICBENCH_MAX_BATCH,
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "rate", "operations due per second",
	  .attr = ICBENCH_A_PARAMS_RATE, AT(rate), BYTES(rate),
	  .type = ICB_PARAM_COUNT,
	  .min = 1, .max = ICBENCH_MAX_RATE,
	  .flags = ICB_PARAM_SWEEP },
	{ "arrival", "distribution of the times between operations",
	  .attr = ICBENCH_A_PARAMS_ARRIVAL, AT(arrival), BYTES(arrival),
	  WORDS(arrival_words), LAST(arrival_words),
	  .flags = ICB_PARAM_SWEEP },
	{ "reply", "the receiver answers each window",
	  .attr = ICBENCH_A_PARAMS_REPLY, AT(reply), BYTES(reply),
	  WORDS(switch_words), LAST(switch_words),
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "compute", "time to compute between posting and waiting",
	  .attr = ICBENCH_A_PARAMS_COMPUTE, AT(compute), BYTES(compute),
	  .type = ICB_PARAM_TIME,
	  .max = ICBENCH_MAX_COMPUTE,
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "compute-share", "per cent of the thread's time to compute, instead of compute",
	  .attr = ICBENCH_A_PARAMS_COMPUTE_SHARE, AT(compute_share), BYTES(compute_share),
	  .type = ICB_PARAM_SHARE,
	  .max = ICBENCH_MAX_COMPUTE_SHARE,
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "buffers", "message buffers, used in turn",
	  .attr = ICBENCH_A_PARAMS_BUFFERS, AT(buffers), BYTES(buffers),
	  .type = ICB_PARAM_COUNT,
	  .min = 1, .max = ICBENCH_MAX_BUFFERS,
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "reuse", "percentage of operations that reuse a buffer",
	  .attr = ICBENCH_A_PARAMS_REUSE, AT(reuse), BYTES(reuse),
	  .type = ICB_PARAM_COUNT,
	  .max = 100,
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "notify", "how the receiver of a write is notified",
	  .attr = ICBENCH_A_PARAMS_NOTIFY, AT(notify), BYTES(notify),
	  WORDS(notify_words), LAST(notify_words),
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "registration", "how each side's buffers are made accessible to its device",
	  .attr = ICBENCH_A_PARAMS_REGISTRATION, AT(registration), BYTES(registration),
	  WORDS(registration_words), LAST(registration_words),
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "memory", "memory in which the buffers of both sides are allocated",
	  .attr = ICBENCH_A_PARAMS_MEMORY, AT(memory), BYTES(memory),
	  .type = ICB_PARAM_PLACE,
	  .max = ICBENCH_MAX_MEMORY,
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "completion", "how a side waits for a message or a completion",
	  .attr = ICBENCH_A_PARAMS_COMPLETION, AT(completion), BYTES(completion),
	  WORDS(completion_words), LAST(completion_words),
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "spin", "time to poll before sleeping",
	  .attr = ICBENCH_A_PARAMS_SPIN, AT(spin), BYTES(spin),
	  .type = ICB_PARAM_TIME,
	  .max = ICBENCH_MAX_SPIN,
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "interval", "time between two polls, with completion timer",
	  .attr = ICBENCH_A_PARAMS_INTERVAL, AT(interval), BYTES(interval),
	  .type = ICB_PARAM_TIME,
	  .min = ICBENCH_MIN_INTERVAL, .max = ICBENCH_MAX_INTERVAL,
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "context", "context of the posting calls",
	  .attr = ICBENCH_A_PARAMS_CONTEXT, AT(context), BYTES(context),
	  WORDS(context_words), LAST(context_words),
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "signal-every", "work requests per signalled completion",
	  .attr = ICBENCH_A_PARAMS_SIGNAL_EVERY, AT(signal_every), BYTES(signal_every),
	  .type = ICB_PARAM_COUNT,
	  .min = 1, .max = ICBENCH_MAX_SIGNAL_EVERY,
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "overhead", "time the communication calls of each message",
	  .attr = ICBENCH_A_PARAMS_OVERHEAD, AT(overhead), BYTES(overhead),
	  WORDS(switch_words), LAST(switch_words),
	  .flags = ICB_PARAM_SWEEP },
	{ "attribute", "record what disturbed each sample",
	  .attr = ICBENCH_A_PARAMS_ATTRIBUTE, AT(attribute), BYTES(attribute),
	  WORDS(switch_words), LAST(switch_words),
	  .flags = ICB_PARAM_SWEEP },
	{ "stages", "time each stage from an arrival to the waiting thread",
	  .attr = ICBENCH_A_PARAMS_STAGES, AT(stages), BYTES(stages),
	  WORDS(switch_words), LAST(switch_words),
	  .flags = ICB_PARAM_SWEEP },
	{ "shadow-cpu", "CPU that watches for arrivals",
	  .attr = ICBENCH_A_PARAMS_SHADOW_CPU, AT(shadow_cpu), BYTES(shadow_cpu),
	  .type = ICB_PARAM_COUNT,
	  .max = ICBENCH_MAX_CPU, .flags = ICB_PARAM_SWEEP },
	{ "samples", "single samples to keep of each distribution",
	  .attr = ICBENCH_A_PARAMS_SAMPLES, AT(samples), BYTES(samples),
	  .type = ICB_PARAM_COUNT,
	  .max = ICBENCH_MAX_SAMPLES, .flags = ICB_PARAM_SWEEP },
	{ "cpu", "CPU of the initiator",
	  .attr = ICBENCH_A_PARAMS_CPU, AT(cpu), BYTES(cpu),
	  .type = ICB_PARAM_COUNT,
	  .max = ICBENCH_MAX_CPU, .flags = ICB_PARAM_SWEEP },
	{ "peer-cpu", "CPU of the responder, on its own host",
	  .attr = ICBENCH_A_PARAMS_PEER_CPU, AT(peer_cpu), BYTES(peer_cpu),
	  .type = ICB_PARAM_COUNT,
	  .max = ICBENCH_MAX_CPU,
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "priority", "scheduling class of the threads",
	  .attr = ICBENCH_A_PARAMS_PRIORITY, AT(priority), BYTES(priority),
	  WORDS(priority_words), LAST(priority_words),
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "cpu-latency-qos", "longest exit latency of an idle state of the CPUs",
	  .attr = ICBENCH_A_PARAMS_CPU_LATENCY_QOS,
	  AT(cpu_latency_qos), BYTES(cpu_latency_qos),
	  .type = ICB_PARAM_TIME,
	  .max = ICBENCH_MAX_CPU_LATENCY,
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "device", "RDMA device",
	  .attr = ICBENCH_A_PARAMS_DEVICE, AT(device), BYTES(device),
	  .type = ICB_PARAM_STRING,
	  .min = 1, .max = ICBENCH_MAX_NAME,
	  .flags = ICB_PARAM_SWEEP | ICB_PARAM_LIST },
	{ "policy", "how messages are distributed over several devices",
	  .attr = ICBENCH_A_PARAMS_POLICY, AT(policy), BYTES(policy),
	  WORDS(policy_words), LAST(policy_words),
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "stripe-threshold", "largest message that is not cut, bytes",
	  .attr = ICBENCH_A_PARAMS_STRIPE_THRESHOLD, AT(stripe_threshold),
	  BYTES(stripe_threshold),
	  .type = ICB_PARAM_SIZE,
	  .max = ICBENCH_MAX_SIZE,
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "port", "port of the device",
	  .attr = ICBENCH_A_PARAMS_PORT, AT(port), BYTES(port),
	  .type = ICB_PARAM_COUNT,
	  .min = 1, .max = ICBENCH_MAX_PORT, .flags = ICB_PARAM_SWEEP },
	{ "gid-index", "index in the port's GID table",
	  .attr = ICBENCH_A_PARAMS_GID_INDEX, AT(gid_index), BYTES(gid_index),
	  .type = ICB_PARAM_COUNT,
	  .max = ICBENCH_MAX_GID_INDEX, .flags = ICB_PARAM_SWEEP },
	{ "peer", "host that runs icbenchctl serve; if not given, this host",
	  .attr = ICBENCH_A_PARAMS_PEER, AT(peer), BYTES(peer),
	  .type = ICB_PARAM_STRING,
	  .min = 1, .max = ICBENCH_MAX_NAME,
	  .flags = ICB_PARAM_SWEEP | ICB_PARAM_LIST },
	{ "cm-port", "connection manager port of the peer",
	  .attr = ICBENCH_A_PARAMS_CM_PORT, AT(cm_port), BYTES(cm_port),
	  .type = ICB_PARAM_COUNT,
	  .min = 1, .max = 65535 },
	{ "token", "file with the secret that the peer requires",
	  .attr = ICBENCH_A_PARAMS_TOKEN, AT(token), BYTES(token),
	  .type = ICB_PARAM_BYTES,
	  .min = ICBENCH_MIN_TOKEN, .max = ICBENCH_MAX_TOKEN },
	{ "timeout", "longest time without progress",
	  .attr = ICBENCH_A_PARAMS_TIMEOUT, AT(timeout), BYTES(timeout),
	  .type = ICB_PARAM_TIME,
	  .min = ICBENCH_MIN_TIMEOUT, .max = ICBENCH_MAX_TIMEOUT,
	  .flags = ICB_PARAM_WIRE },
	{ "verify", "check the content of each message",
	  .attr = ICBENCH_A_PARAMS_VERIFY, AT(verify), BYTES(verify),
	  WORDS(switch_words), LAST(switch_words),
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
	{ "seed", "seed of contents, sizes and arrival times",
	  .attr = ICBENCH_A_PARAMS_SEED, AT(seed), BYTES(seed),
	  .type = ICB_PARAM_COUNT, .max = U64_MAX,
	  .flags = ICB_PARAM_WIRE | ICB_PARAM_SWEEP },
};

const unsigned int icb_param_count = ARRAY_SIZE(icb_param_table);

/**
 * icb_param_by_name() - find a parameter by its name
 * @name: the name, as on the command line
 *
 * Return: the parameter, or NULL.
 */
const struct icb_param *icb_param_by_name(const char *name)
{
	unsigned int i;

	for (i = 0; i < icb_param_count; i++)
		if (!strcmp(icb_param_table[i].name, name))
			return &icb_param_table[i];
	return NULL;
}

/**
 * icb_param_by_attr() - find a parameter by its netlink attribute
 * @attr: ICBENCH_A_PARAMS_…
 *
 * Return: the parameter, or NULL.
 */
const struct icb_param *icb_param_by_attr(unsigned int attr)
{
	unsigned int i;

	for (i = 0; i < icb_param_count; i++)
		if (icb_param_table[i].attr == attr)
			return &icb_param_table[i];
	return NULL;
}

static void *field(struct icb_params *params, const struct icb_param *param)
{
	return (char *)params + param->offset;
}

static const void *field_const(const struct icb_params *params,
			       const struct icb_param *param)
{
	return (const char *)params + param->offset;
}

static void store(struct icb_params *params, const struct icb_param *param,
		  u64 value)
{
	if (param->bytes == sizeof(u64))
		*(u64 *)field(params, param) = value;
	else
		*(u32 *)field(params, param) = value;
	params->set |= BIT_ULL(param->attr);
}

/**
 * icb_params_preset() - set a parameter to a default
 * @params: the parameters
 * @attr: ICBENCH_A_PARAMS_… of a parameter that is a word or a number
 * @value: the default
 */
void icb_params_preset(struct icb_params *params, unsigned int attr, u64 value)
{
	store(params, icb_param_by_attr(attr), value);
}

/**
 * icb_params_init() - set every fixed default and mark no parameter as given
 * @params: the parameters
 *
 * icb_params_check() sets the defaults that depend on other parameters. Defaults that
 * depend on the machine are set when the run starts.
 */
void icb_params_init(struct icb_params *params)
{
	memset(params, 0, sizeof(*params));
	params->devices = 1;
	icb_params_preset(params, ICBENCH_A_PARAMS_TRIGGER, ICBENCH_TRIGGER_ECHO);
	icb_params_preset(params, ICBENCH_A_PARAMS_VERB, ICBENCH_VERB_SEND);
	icb_params_preset(params, ICBENCH_A_PARAMS_NOTIFY, ICBENCH_NOTIFY_NONE);
	icb_params_preset(params, ICBENCH_A_PARAMS_TRANSPORT, ICBENCH_TRANSPORT_RC);
	icb_params_preset(params, ICBENCH_A_PARAMS_CONTEXT, ICBENCH_CONTEXT_BH);
	icb_params_preset(params, ICBENCH_A_PARAMS_SIZE, 64);
	icb_params_preset(params, ICBENCH_A_PARAMS_SIZE_DIST,
			  ICBENCH_SIZE_DIST_FIXED);
	icb_params_preset(params, ICBENCH_A_PARAMS_SGES, 1);
	icb_params_preset(params, ICBENCH_A_PARAMS_QPS, 1);
	icb_params_preset(params, ICBENCH_A_PARAMS_WORKERS, 1);
	icb_params_preset(params, ICBENCH_A_PARAMS_INLINE, 0);
	icb_params_preset(params, ICBENCH_A_PARAMS_WARMUP, 1000);
	icb_params_preset(params, ICBENCH_A_PARAMS_REUSE, 100);
	icb_params_preset(params, ICBENCH_A_PARAMS_SIGNAL_EVERY, 64);
	icb_params_preset(params, ICBENCH_A_PARAMS_DIRECTION, ICBENCH_DIRECTION_UNI);
	icb_params_preset(params, ICBENCH_A_PARAMS_PRIORITY, ICBENCH_PRIORITY_NORMAL);
	icb_params_preset(params, ICBENCH_A_PARAMS_TIMEOUT, 10000000000ULL);
	icb_params_preset(params, ICBENCH_A_PARAMS_VERIFY, 0);
	icb_params_preset(params, ICBENCH_A_PARAMS_SEED, 1);
	icb_params_preset(params, ICBENCH_A_PARAMS_OVERHEAD, 0);
	icb_params_preset(params, ICBENCH_A_PARAMS_STAGES, 0);
	icb_params_preset(params, ICBENCH_A_PARAMS_SAMPLES, 0);
	icb_params_preset(params, ICBENCH_A_PARAMS_REGISTRATION,
			  ICBENCH_REGISTRATION_DMA);
	icb_params_preset(params, ICBENCH_A_PARAMS_MEMORY, ICBENCH_MEMORY_ANY);
	icb_params_preset(params, ICBENCH_A_PARAMS_POLICY, ICBENCH_POLICY_SINGLE);
}

/**
 * icb_params_has() - check whether a parameter has a value
 * @params: the parameters
 * @attr: ICBENCH_A_PARAMS_…
 *
 * Return: true if the parameter was given or a default was set.
 */
bool icb_params_has(const struct icb_params *params, unsigned int attr)
{
	return params->set & BIT_ULL(attr);
}

/**
 * icb_params_given() - check whether a parameter was given by the user or the peer
 * @params: the parameters
 * @attr: ICBENCH_A_PARAMS_…
 *
 * Return: true if the parameter was given; false if it has a default or no value.
 */
bool icb_params_given(const struct icb_params *params, unsigned int attr)
{
	return params->given & BIT_ULL(attr);
}

/**
 * icb_params_number() - get the value of a parameter that is a word or a number
 * @params: the parameters
 * @param: the parameter to read
 *
 * Return: the number, or the index of the word.
 */
u64 icb_params_number(const struct icb_params *params,
		      const struct icb_param *param)
{
	if (param->bytes == sizeof(u64))
		return *(const u64 *)field_const(params, param);
	return *(const u32 *)field_const(params, param);
}

/**
 * icb_params_string() - get the value of a parameter that is a string
 * @params: the parameters
 * @param: the parameter to read
 *
 * Return: the string, owned by @params; for a list all names, separated by commas.
 */
const char *icb_params_string(const struct icb_params *params,
			      const struct icb_param *param)
{
	return field_const(params, param);
}

/**
 * icb_params_names() - count the names in the value of a parameter
 * @params: the parameters
 * @param: the parameter to read, of type ICB_PARAM_STRING
 *
 * Return: number of names; 0 if the parameter has no value.
 */
u32 icb_params_names(const struct icb_params *params,
		     const struct icb_param *param)
{
	const char *text = icb_params_string(params, param);
	u32 count = !!*text;

	if (!(param->flags & ICB_PARAM_LIST))
		return count;
	for (; *text; text++)
		count += *text == ',';
	return count;
}

/**
 * icb_params_name() - get one of the names in the value of a parameter
 * @params: the parameters
 * @param: the parameter to read, of type ICB_PARAM_STRING
 * @index: index of the name, below icb_params_names()
 * @name: output buffer of ICBENCH_MAX_NAME + 1 bytes
 *
 * Return: @name.
 */
const char *icb_params_name(const struct icb_params *params,
			    const struct icb_param *param, u32 index,
			    char *name)
{
	const char *text = icb_params_string(params, param);
	bool list = param->flags & ICB_PARAM_LIST;
	u32 len = 0;

	for (; index && *text; text++)
		index -= *text == ',';
	for (; text[len] && !(list && text[len] == ',') &&
	     len < ICBENCH_MAX_NAME; len++)
		name[len] = text[len];
	name[len] = '\0';
	return name;
}

/* Parse the port number after a colon; returns 0 if it is not a valid port. */
static u32 port_number(const char *text)
{
	u32 port = 0;

	for (; *text >= '0' && *text <= '9'; text++) {
		port = port * 10 + *text - '0';
		if (port > ICBENCH_MAX_PORT)
			return 0;
	}
	return *text ? 0 : port;
}

/**
 * icb_params_device() - get the name and port of one of the devices of a run
 * @params: parameters of the run
 * @index: index of the device, below @params->devices
 * @name: output buffer for the name, ICBENCH_MAX_NAME + 1 bytes
 * @port: output: port of the device; 0 if none was given
 *
 * Return: false if the text after the colon of NAME:PORT is not a valid port.
 */
bool icb_params_device(const struct icb_params *params, u32 index, char *name,
		       u32 *port)
{
	char *colon;

	icb_params_name(params, icb_param_by_attr(ICBENCH_A_PARAMS_DEVICE),
			index, name);
	colon = strchr(name, ':');
	*port = icb_params_has(params, ICBENCH_A_PARAMS_PORT) ? params->port :
								0;
	if (!colon)
		return true;
	*colon = '\0';
	*port = port_number(colon + 1);
	return *port;
}

/**
 * icb_params_clear() - remove the value of a parameter
 * @params: the parameters
 * @param: the parameter to clear, of type ICB_PARAM_STRING
 */
void icb_params_clear(struct icb_params *params, const struct icb_param *param)
{
	memset(field(params, param), 0, param->bytes);
	params->set &= ~BIT_ULL(param->attr);
	params->given &= ~BIT_ULL(param->attr);
	if (param->attr == ICBENCH_A_PARAMS_DEVICE)
		params->devices = 1;
}

/**
 * icb_params_word() - get the value of a parameter as a word
 * @params: the parameters
 * @attr: ICBENCH_A_PARAMS_… of a parameter with words
 *
 * Return: the word.
 */
const char *icb_params_word(const struct icb_params *params, unsigned int attr)
{
	const struct icb_param *param = icb_param_by_attr(attr);

	return param->words[icb_params_number(params, param)];
}

/**
 * icb_param_list_words() - list some of the words of a parameter, separated by commas
 * @param: the parameter, of type ICB_PARAM_WORD
 * @bits: BIT() of the index of each word to list
 * @buf: output buffer
 * @size: size of @buf, bytes
 *
 * Return: @buf.
 */
const char *icb_param_list_words(const struct icb_param *param, u32 bits,
				 char *buf, size_t size)
{
	size_t len = 0;
	unsigned int i;

	buf[0] = '\0';
	for (i = 0; param->words[i] && len < size; i++)
		if (bits & BIT(i))
			len += snprintf(buf + len, size - len, "%s%s",
					len ? ", " : "", param->words[i]);
	return buf;
}

/**
 * icb_param_plain() - format a number in the unit of results and refusals
 * @type: type of the parameter
 * @value: any number
 * @buf: output buffer
 * @size: size of @buf, bytes; 24 are enough
 *
 * ICB_PARAM_SHARE is written in per cent, with one decimal unless that is 0, and so is
 * ICB_PARAM_PERCENTILE, with up to two decimals. Any other type is written in the unit in
 * which it is stored.
 *
 * Return: @buf.
 */
const char *icb_param_plain(enum icb_param_type type, u64 value, char *buf,
			    size_t size)
{
	const char *format = "%llu";
	u64 rest = 0, whole = value;

	if (type == ICB_PARAM_PERCENTILE && value >= ICB_PERCENTILE_FINE &&
	    value % 10) {
		whole = div64_u64(value, 100);
		rest = value - whole * 100;
		format = "%llu.%02llu";
	} else if (type == ICB_PARAM_SHARE || type == ICB_PARAM_PERCENTILE) {
		if (type == ICB_PARAM_PERCENTILE && value >= ICB_PERCENTILE_FINE)
			value = div64_u64(value, 10);
		whole = div64_u64(value, 10);
		rest = value - whole * 10;
		if (rest)
			format = "%llu.%llu";
	}
	snprintf(buf, size, format, (unsigned long long)whole,
		 (unsigned long long)rest);
	return buf;
}

/**
 * icb_param_place() - format a memory placement
 * @place: value of a parameter of type ICB_PARAM_PLACE
 * @buf: output buffer
 * @size: size of @buf, bytes; 16 are enough
 *
 * Return: @buf.
 */
const char *icb_param_place(u64 place, char *buf, size_t size)
{
	if (place < ICBENCH_MEMORY_NODE)
		snprintf(buf, size, "%s", place_words[place]);
	else
		snprintf(buf, size, "node:%llu",
			 (unsigned long long)place - ICBENCH_MEMORY_NODE);
	return buf;
}

static int refuse_word(const struct icb_param *param, const char *word,
		       struct icb_reason *why)
{
	char words[128];

	if (param->type == ICB_PARAM_PLACE)
		return icb_refuse(why, -EINVAL,
				  "%s: unknown \"%.32s\"; accepted: any, device, node:0 to node:%u",
				  param->name, word,
				  ICBENCH_MAX_MEMORY - ICBENCH_MEMORY_NODE);
	return icb_refuse(why, -EINVAL, "%s: unknown \"%.32s\"; accepted: %s",
			  param->name, word,
			  icb_param_list_words(param, U32_MAX, words,
					       sizeof(words)));
}

/**
 * icb_params_set_number() - set a parameter that is a word or a number, as given
 * @params: the parameters
 * @param: the parameter to set
 * @value: the number, or the index of the word
 * @why: the reason of a refusal; may be NULL
 *
 * Return: 0; -EINVAL if @param is of another type, or has no word or placement @value;
 * -ERANGE if a number is out of range.
 */
int icb_params_set_number(struct icb_params *params,
			  const struct icb_param *param, u64 value,
			  struct icb_reason *why)
{
	char text[24], low[24], high[24];

	if (param->type == ICB_PARAM_STRING || param->type == ICB_PARAM_BYTES)
		return icb_refuse(why, -EINVAL, "%s: not a number",
				  param->name);
	if (value < param->min || value > param->max) {
		icb_param_plain(param->type, value, text, sizeof(text));
		if (param->type == ICB_PARAM_WORD ||
		    param->type == ICB_PARAM_PLACE)
			return refuse_word(param, text, why);
		return icb_refuse(why, -ERANGE,
				  "%s: %s is out of range; accepted: %s to %s%s",
				  param->name, text,
				  icb_param_plain(param->type, param->min, low,
						  sizeof(low)),
				  icb_param_plain(param->type, param->max,
						  high, sizeof(high)),
				  param->type == ICB_PARAM_TIME ? " ns" :
				  param->type == ICB_PARAM_SIZE ? " bytes" :
				  "");
	}
	store(params, param, value);
	params->given |= BIT_ULL(param->attr);
	return 0;
}

/* Parse a placement. A node number is 1 to 4 digits, without a sign or a blank. */
static bool read_place(const char *word, u64 *place)
{
	const char *node = place_words[ICBENCH_MEMORY_NODE];
	size_t len = strlen(node), i;

	for (i = 0; i < ICBENCH_MEMORY_NODE; i++) {
		if (!strcmp(word, place_words[i])) {
			*place = i;
			return true;
		}
	}
	if (strncmp(word, node, len) || !word[len] || strlen(word + len) > 4)
		return false;
	for (i = len; word[i]; i++) {
		if (word[i] < '0' || word[i] > '9')
			return false;
		*place = *place * 10 + word[i] - '0';
	}
	*place += ICBENCH_MEMORY_NODE;
	return *place <= ICBENCH_MAX_MEMORY;
}

/**
 * icb_params_set_word() - set a parameter by its word, as given
 * @params: the parameters
 * @param: the parameter to set, of type ICB_PARAM_WORD or ICB_PARAM_PLACE
 * @word: the word
 * @why: the reason of a refusal; may be NULL
 *
 * Return: 0; -EINVAL if there is no such word.
 */
int icb_params_set_word(struct icb_params *params,
			const struct icb_param *param, const char *word,
			struct icb_reason *why)
{
	u64 place = 0;
	unsigned int i;

	if (param->type == ICB_PARAM_PLACE && read_place(word, &place))
		return icb_params_set_number(params, param, place, why);
	for (i = 0; param->words && param->words[i]; i++)
		if (!strcmp(param->words[i], word))
			return icb_params_set_number(params, param, i, why);
	return refuse_word(param, word, why);
}

static bool printable(const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (s[i] <= ' ' || s[i] > '~')
			return false;
	return true;
}

/* Append a name to a list. */
static int add_name(struct icb_params *params, const struct icb_param *param,
		    const char *name, size_t len, struct icb_reason *why)
{
	char *text = field(params, param);
	size_t used = strlen(text);

	if (memchr(name, ',', len))
		return icb_refuse(why, -EINVAL,
				  "%s: a name has no comma; accepted: one name at a time",
				  param->name);
	if (icb_params_names(params, param) == ICBENCH_MAX_DEVICES)
		return icb_refuse(why, -EINVAL,
				  "%s: given more than %u times; accepted: 1 to %u",
				  param->name, ICBENCH_MAX_DEVICES,
				  ICBENCH_MAX_DEVICES);
	if (used)
		text[used++] = ',';
	memcpy(text + used, name, len);
	if (param->attr == ICBENCH_A_PARAMS_DEVICE)
		params->devices = icb_params_names(params, param);
	return 0;
}

/**
 * icb_params_set_bytes() - set a parameter that is a string or a secret, as given
 * @params: the parameters
 * @param: the parameter to set, of type ICB_PARAM_STRING or ICB_PARAM_BYTES
 * @data: the value; a string without its NUL
 * @len: length of @data, bytes
 * @why: the reason of a refusal; may be NULL
 *
 * Appends @data to a list.
 *
 * Return: 0; -EINVAL if @param is of another type, @data is not a valid name, or a list
 * is full; -ERANGE if @len is out of range.
 */
int icb_params_set_bytes(struct icb_params *params,
			 const struct icb_param *param, const void *data,
			 size_t len, struct icb_reason *why)
{
	if (param->type != ICB_PARAM_STRING && param->type != ICB_PARAM_BYTES)
		return icb_refuse(why, -EINVAL, "%s: not a string",
				  param->name);
	if (len < param->min || len > param->max)
		return icb_refuse(why, -ERANGE,
				  "%s: %llu bytes; accepted: %llu to %llu",
				  param->name, (unsigned long long)len,
				  (unsigned long long)param->min,
				  (unsigned long long)param->max);
	if (param->type == ICB_PARAM_STRING && !printable(data, len))
		return icb_refuse(why, -EINVAL,
				  "%s: has a space or an unprintable byte; accepted: a name",
				  param->name);
	if (param->flags & ICB_PARAM_LIST) {
		int err = add_name(params, param, data, len, why);

		if (err)
			return err;
	} else {
		memset(field(params, param), 0, param->bytes);
		memcpy(field(params, param), data, len);
	}
	if (param->type == ICB_PARAM_BYTES)
		params->token_len = len;
	params->set |= BIT_ULL(param->attr);
	params->given |= BIT_ULL(param->attr);
	return 0;
}
