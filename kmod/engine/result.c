// SPDX-License-Identifier: GPL-2.0
#include "account.h"
#include "io/endpoint.h"
#include "model/triggers_table.h"
#include "result.h"
#include "run.h"

/* Rates are stored in thousandths: multiplied by this, and divided by it for output. */
#define RATE_DIVISOR	1000
#define RATE_SECOND	(1000000000ULL * RATE_DIVISOR)

/* Sizes that are added for a batch: 2^24 for all batches, as in icb_sizes_sum(). */
#define BATCH_MOST	(16777216 / ICB_MEANS)

/* Busy time of one per cent of a CPU, ns per second. */
#define RATE_PERCENT	(1000000000ULL / 100)

static struct icb_metric *next_metric(struct icb_result *result)
{
	struct icb_metric *metric = &result->metric[result->count++];

	memset(metric, 0, sizeof(*metric));
	metric->divisor = 1;
	return metric;
}

/**
 * icb_result_scalar() - add a number to a result
 * @result: the result
 * @name: name of the metric
 * @unit: enum icbench_unit
 * @kind: enum icbench_metric_kind, not a distribution
 * @value: the number
 */
void icb_result_scalar(struct icb_result *result, const char *name, u32 unit,
		       u32 kind, u64 value)
{
	struct icb_metric *metric = next_metric(result);

	metric->name = name;
	metric->unit = unit;
	metric->kind = kind;
	metric->value = value;
}

/**
 * icb_result_lost() - add numbers of lost, unanswered and foreign messages to a result
 * @result: the result
 * @run: the initiator, after the run
 *
 * Adds nothing if no message can be lost. Numbers that need the responder's report are
 * left out if there is none.
 */
void icb_result_lost(struct icb_result *result, const struct icb_run *run)
{
	u64 foreign;

	if (!run->lossy)
		return;
	if (run->lost_known)
		icb_result_scalar(result, "lost", ICBENCH_UNIT_COUNT,
				  ICBENCH_METRIC_KIND_SCALAR, run->lost);
	if (run->lost_known && icb_params_returns(run->params))
		icb_result_scalar(result, "peer_lost", ICBENCH_UNIT_COUNT,
				  ICBENCH_METRIC_KIND_SCALAR, run->peer_lost);
	if (icb_trigger_of(run->params)->answers)
		icb_result_scalar(result, "unanswered", ICBENCH_UNIT_COUNT,
				  ICBENCH_METRIC_KIND_SCALAR, run->unanswered);
	foreign = run->foreign + run->peer_foreign;
	if (run->lost_known && (foreign || icb_params_datagrams(run->params)))
		icb_result_scalar(result, "foreign", ICBENCH_UNIT_COUNT,
				  ICBENCH_METRIC_KIND_SCALAR, foreign);
}

/**
 * icb_result_torn() - add the number of messages that were noticed while incomplete
 * @result: the result
 * @run: the initiator, after the run
 *
 * Covers the messages that the initiator has checked. Adds nothing if the number is 0.
 */
void icb_result_torn(struct icb_result *result, const struct icb_run *run)
{
	if (run->torn)
		icb_result_scalar(result, "torn", ICBENCH_UNIT_COUNT,
				  ICBENCH_METRIC_KIND_SCALAR, run->torn);
}

/**
 * icb_result_dist() - add a distribution of times to a result
 * @result: the result
 * @name: name of the metric
 * @hist: the distribution, ns; not added if it is empty
 * @divisor: divisor of its values
 */
void icb_result_dist(struct icb_result *result, const char *name,
		     const struct icb_hist *hist, u32 divisor)
{
	struct icb_metric *metric;

	if (!hist->count)
		return;
	metric = next_metric(result);
	metric->name = name;
	metric->unit = ICBENCH_UNIT_NS;
	metric->kind = ICBENCH_METRIC_KIND_DISTRIBUTION;
	metric->divisor = divisor;
	metric->hist = hist;
}

/**
 * icb_result_trust() - add data on the reliability of a distribution
 * @result: the result; its last metric, if any, is the main distribution of the run
 * @run: the initiator, after the run
 *
 * Adds the disturbances of its samples, and its batches.
 */
void icb_result_trust(struct icb_result *result, const struct icb_run *run)
{
	struct icb_metric *metric;

	if (!result->count)
		return;
	metric = &result->metric[result->count - 1];
	metric->tail = run->disturbed;
	metric->batches = run->batches;
	if (!run->batches)
		return;
	icb_batches_over(run->batches, metric->hist);
	metric->means = &run->means;
}

/*
 * amount * by / of, limited to U64_MAX. No link is that fast, but a clock that jumps, or
 * a peer's report, may suggest so.
 */
static u64 scaled(u64 amount, u64 by, u64 of)
{
	if (amount / of >= U64_MAX / by)
		return U64_MAX;
	return mul_u64_u64_div_u64(amount, by, of);
}

/* Rate per second, in thousandths, so that a slow device has a nonzero rate, too. */
static u64 rate(u64 amount, u64 elapsed)
{
	return scaled(amount, RATE_SECOND, elapsed);
}

static void add_value(struct icb_result *result, const char *name, u32 unit,
		      u64 value)
{
	icb_result_scalar(result, name, unit, ICBENCH_METRIC_KIND_SCALAR,
			  value);
	result->metric[result->count - 1].divisor = RATE_DIVISOR;
}

/**
 * struct direction - what the rates of one direction are computed from
 * @before: measured messages before these
 * @messages: number of messages
 * @ns: time in which they completed, ns
 */
struct direction {
	u64 before;
	u64 messages;
	u64 ns;
};

/* The steady part of the initiator's stream if both sides have one, else the whole run. */
static struct direction own_direction(const struct icb_run *run, u64 messages)
{
	struct direction own = { .messages = messages,
		.ns = icb_clock_ns(run->ended - run->began) };
	struct icb_steady_part part;

	icb_steady_get(&run->steady, 0, &part);
	if (!run->peer_even || !part.done || !icb_clock_ns(part.ticks))
		return own;
	own.before = part.before;
	own.messages = part.done;
	own.ns = icb_clock_ns(part.ticks);
	return own;
}

/* Messages and time of the responder's stream. */
static struct direction peer_direction(const struct icb_run *run)
{
	struct direction peer = { .messages = run->peer_done,
		.ns = run->peer_elapsed };
	struct icb_steady_part own;

	icb_steady_get(&run->steady, 0, &own);
	if (!own.done || !run->peer_even)
		return peer;
	peer.before = run->peer_before;
	peer.messages = run->peer_even;
	peer.ns = run->peer_even_ns;
	return peer;
}

/* Rate per second, in thousandths; the sum of the rates of both directions. */
static u64 total_rate(u64 own, u64 own_ns, u64 others, u64 others_ns)
{
	u64 sum = own_ns ? rate(own, own_ns) : 0;
	u64 peer = others_ns ? rate(others, others_ns) : 0;

	return sum > U64_MAX - peer ? U64_MAX : sum + peer;
}

/* Messages of both directions per second, in thousandths. */
static u64 message_rate(const struct icb_run *run, u64 messages)
{
	struct direction own = own_direction(run, messages);
	struct direction peer = peer_direction(run);

	return total_rate(own.messages, own.ns, peer.messages, peer.ns);
}

/* Add the bytes and the time that a bandwidth is computed from, unless the time is 0. */
static void add_quotient(struct icb_result *result, const char *bytes_name,
			 u64 bytes, const char *elapsed_name, u64 elapsed)
{
	if (!elapsed)
		return;
	icb_result_scalar(result, bytes_name, ICBENCH_UNIT_BYTES,
			  ICBENCH_METRIC_KIND_SCALAR, bytes);
	icb_result_scalar(result, elapsed_name, ICBENCH_UNIT_NS,
			  ICBENCH_METRIC_KIND_SCALAR, elapsed);
}

/* True if both busy times are known, and cover the whole run and the same CPUs. */
static bool is_busy_known(const struct icb_run *run)
{
	const struct icb_busy *before = &run->busy[0], *after = &run->busy[1];
	int stop = READ_ONCE(run->consumer.stop);

	/* the busy time of a failed wait belongs to no measured operation */
	if (stop == ICB_STOP_TIMEOUT || stop == ICB_STOP_ERROR)
		return false;
	return before->cpus && before->cpus == after->cpus &&
	       after->ns > before->ns;
}

/* Get the busy time per second of the other CPUs before the run. False if unknown. */
static bool background(const struct icb_run *run, u64 *idle)
{
	if (!run->idle_ns || run->idle.cpus != run->busy[0].cpus)
		return false;
	*idle = rate(run->idle.ns, run->idle_ns);
	return true;
}

static void add_cpu_time(struct icb_result *result, const char *name,
			 u64 cpu, u64 messages)
{
	add_value(result, name, ICBENCH_UNIT_NS,
		  div64_u64(cpu * RATE_DIVISOR, messages));
}

/**
 * icb_result_cpu() - add the CPU time per message on this host
 * @result: the result
 * @run: the initiator, after the run
 * @messages: number of measured messages; nothing is added if no time has passed
 *
 * The CPU time is all busy time of the CPUs of the run's threads, and the busy time of
 * the other CPUs minus their busy time before the run, if that is known. It is added a
 * second time by a name that shows whether it covers both sides or one, and a third time
 * for the CPUs of the run's threads alone. Nothing is added where the host does not
 * account for busy time.
 */
void icb_result_cpu(struct icb_result *result, const struct icb_run *run,
		    u64 messages)
{
	const struct icb_busy *before = &run->busy[0], *after = &run->busy[1];
	u64 elapsed = icb_clock_ns(run->ended - run->began), cpu, all, idle = 0,
	    own = 0;
	bool known = background(run, &idle);

	if (!messages || !elapsed || !is_busy_known(run))
		return;
	/* as a rate, too: ns of CPU time per second */
	cpu = rate(after->ns - before->ns, elapsed);
	all = message_rate(run, messages);
	if (!all || cpu > U64_MAX / RATE_DIVISOR)
		return;
	if (after->run_ns > before->run_ns)
		own = min_t(u64, cpu, rate(after->run_ns - before->run_ns,
					   elapsed));
	cpu -= min_t(u64, cpu - own, idle);
	add_cpu_time(result, "cpu_per_message", cpu, all);
	add_cpu_time(result, run->both ? "cpu_per_message_both" :
					 "cpu_per_message_one", cpu, all);
	if (own)
		add_cpu_time(result, "cpu_per_message_run", own, all);
	/* per cent of one CPU */
	if (known)
		add_value(result, "cpu_background", ICBENCH_UNIT_PERCENT,
			  div64_u64(idle, RATE_PERCENT));
}

/**
 * icb_result_warmup() - add the length of a warm-up to a result
 * @result: the result
 * @run: the initiator, after the run
 *
 * Adds nothing for a warm-up whose length is given by its parameter.
 */
void icb_result_warmup(struct icb_result *result, const struct icb_run *run)
{
	if (!run->warmup.on)
		return;
	icb_result_scalar(result, "warmup_made", ICBENCH_UNIT_COUNT,
			  ICBENCH_METRIC_KIND_SCALAR, run->warmup.made);
	icb_result_scalar(result, "warmup_steady", ICBENCH_UNIT_COUNT,
			  ICBENCH_METRIC_KIND_SCALAR, run->warmup.steady);
}

/**
 * icb_result_wakes() - add the number of wake-ups of a thread per message
 * @result: the result
 * @run: the initiator, after the run
 * @messages: number of messages that it has waited for while it measured
 *
 * The number is 0 for a thread that polls, and for callbacks in softirq context. Nothing
 * is added where the woken thread is a worker of a work queue.
 */
void icb_result_wakes(struct icb_result *result, const struct icb_run *run,
		      u64 messages)
{
	if (!messages || run->wakes > U64_MAX / RATE_DIVISOR ||
	    run->params->completion == ICBENCH_COMPLETION_WORKQUEUE)
		return;
	add_value(result, "wakeups_per_message", ICBENCH_UNIT_COUNT,
		  div64_u64(run->wakes * RATE_DIVISOR, messages));
}

/**
 * icb_result_availability() - add the share of the time in which a side has computed
 * @result: the result
 * @run: the initiator, after the run
 *
 * Adds nothing if the side does not compute, or no time has passed.
 */
void icb_result_availability(struct icb_result *result,
			     const struct icb_run *run)
{
	u64 elapsed = run->ended - run->began;

	if (!run->compute.on || !run->done || !elapsed)
		return;
	add_value(result, "availability", ICBENCH_UNIT_PERCENT,
		  mul_u64_u64_div_u64(min_t(u64, run->compute.booked, elapsed),
				      100 * RATE_DIVISOR, elapsed));
}

/**
 * icb_result_spread() - add the variation of a bandwidth
 * @result: the result
 * @longest: longest time to move @bytes, ns
 * @slow: 99th percentile of these times, ns
 * @middle: median of these times, ns; nothing is added if it is 0
 * @bytes: bytes moved in each of these times
 *
 * Adds the least bandwidth, its first percentile and its median.
 */
void icb_result_spread(struct icb_result *result, u64 longest, u64 slow,
		       u64 middle, u64 bytes)
{
	const u32 unit = ICBENCH_UNIT_BYTES_PER_SECOND;

	if (!middle)
		return;
	add_value(result, "bandwidth_min", unit, rate(bytes, longest));
	add_value(result, "bandwidth_p1", unit, rate(bytes, slow));
	add_value(result, "bandwidth_median", unit, rate(bytes, middle));
}

/*
 * The batches of the message rate; NULL if there are none. They are not the windows of the
 * initiator where the rate includes the peer's stream. A window ends when its messages have
 * been sent, so they are not either where a measured message was lost, or may have been:
 * then they are windows of messages that arrived, by the responder's report.
 */
static const struct icb_means *batches_of(const struct icb_run *run)
{
	if (!icb_run_streams(run) || !icb_params_one_way(run->params))
		return NULL;
	if (!run->lossy || (run->lost_known && run->delivered == run->done))
		return &run->means;
	return run->lost_known && icb_params_steps(run->params) ?
		&run->peer_means : NULL;
}

/* Bytes of the messages of a batch. Only BATCH_MOST sizes are added, to limit the time. */
static u64 bytes_of(const struct icb_run *run, u64 number, u64 messages)
{
	const u64 some = min_t(u64, messages, BATCH_MOST);

	return some ? scaled(icb_run_bytes(run, true, number, some), messages,
			     some) : 0;
}

/* Add the batches of the message rate, and of a bandwidth of messages that differ in size. */
static void trust_rates(struct icb_result *result, const struct icb_run *run)
{
	struct icb_metric *metric = &result->metric[result->count];
	const struct icb_means *means = batches_of(run);
	u64 number = run->first;
	u32 i;

	if (!means || !means->count)
		return;
	metric[-1].means = means;
	if (!run->sizes.on)
		return;
	result->bytes = *means;
	for (i = 0; i < means->count; i++) {
		result->bytes.over[i] = bytes_of(run, number, means->over[i]);
		number += means->over[i];
	}
	metric[-2].means = &result->bytes;
}

/* Add the message rate of each direction, of which the total is the sum. */
static void add_directions(struct icb_result *result, const struct icb_run *run,
			   const struct direction *own,
			   const struct direction *peer)
{
	if (!icb_params_steady(run->params) || !own->ns || !peer->ns)
		return;
	add_value(result, "own_message_rate", ICBENCH_UNIT_PER_SECOND,
		  rate(own->messages, own->ns));
	if (run->means.count)
		result->metric[result->count - 1].means = &run->means;
	add_value(result, "peer_message_rate", ICBENCH_UNIT_PER_SECOND,
		  rate(peer->messages, peer->ns));
	if (run->peer_means.count)
		result->metric[result->count - 1].means = &run->peer_means;
}

/**
 * icb_result_rates() - add bandwidth and message rate to a result
 * @result: the result
 * @run: the initiator, after the run
 * @messages: number of measured messages; no rate is added if no time has passed
 *
 * The rates are sums for both sides if the responder has measured a stream of its own. Then
 * they are those of the steady parts of both streams, if these parts are known. Also adds
 * the bytes and the time that the bandwidth is computed from, for each side.
 */
void icb_result_rates(struct icb_result *result, const struct icb_run *run,
		      u64 messages)
{
	struct direction own = own_direction(run, messages);
	struct direction peer = peer_direction(run);
	u64 bytes, others;

	if (!messages)
		return;
	bytes = unlikely(run->lossy && run->sizes.on) ?
		run->delivery.bytes :
		icb_run_bytes(run, true, run->first + own.before, own.messages);
	others = icb_run_bytes(run, false, icb_buffers_warmup(run->params) + 1 +
			       peer.before, peer.messages);
	if (own.ns || peer.ns) {
		add_value(result, "bandwidth", ICBENCH_UNIT_BYTES_PER_SECOND,
			  total_rate(bytes, own.ns, others, peer.ns));
		add_value(result, "message_rate", ICBENCH_UNIT_PER_SECOND,
			  total_rate(own.messages, own.ns, peer.messages,
				     peer.ns));
		trust_rates(result, run);
	}
	add_directions(result, run, &own, &peer);
	add_quotient(result, "bytes", bytes, "elapsed", own.ns);
	add_quotient(result, "peer_bytes", others, "peer_elapsed", peer.ns);
	if (run->sizes.on)
		add_value(result, "size_mean", ICBENCH_UNIT_BYTES,
			  scaled(bytes + others, RATE_DIVISOR,
				 own.messages + peer.messages));
}

/**
 * icb_result_offered() - add the offered load of a schedule to a result
 * @result: the result
 * @run: the initiator, after the run
 * @messages: number of messages that were due
 * @span: time in which they were due, ticks; nothing is added if it is 0
 *
 * Also adds the accepted part of the load, per cent.
 */
void icb_result_offered(struct icb_result *result, const struct icb_run *run,
			u64 messages, u64 span)
{
	u64 ns = icb_clock_ns(span), offered, accepted;

	if (!ns || run->ended == run->began)
		return;
	offered = rate(messages, ns);
	accepted = message_rate(run, icb_run_moved(run));
	add_value(result, "offered_rate", ICBENCH_UNIT_PER_SECOND, offered);
	if (offered)
		add_value(result, "accepted", ICBENCH_UNIT_PERCENT,
			  mul_u64_u64_div_u64(min_t(u64, accepted, offered),
					      100 * RATE_DIVISOR, offered));
}
