// SPDX-License-Identifier: GPL-2.0
#include "account.h"
#include "result.h"
#include "run.h"
#include "verbs/endpoint.h"

/* What a rate is divided by, and what it is a rate of is multiplied by. */
#define RATE_DIVISOR	1000
#define RATE_SECOND	(1000000000ULL * RATE_DIVISOR)

/* A CPU that is busy all the time is so for that part of a rate, per cent. */
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
 * @result: where to
 * @name: its name
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
 * icb_result_lost() - add what was lost to a result
 * @result: where to
 * @run: the initiator, after the run
 *
 * Nothing is added where nothing can be lost, or the other side did not tell.
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
	if (run->params->trigger == ICBENCH_TRIGGER_ECHO)
		icb_result_scalar(result, "unanswered", ICBENCH_UNIT_COUNT,
				  ICBENCH_METRIC_KIND_SCALAR, run->unanswered);
	foreign = run->foreign + run->peer_foreign;
	if (run->lost_known && (foreign || icb_params_datagrams(run->params)))
		icb_result_scalar(result, "foreign", ICBENCH_UNIT_COUNT,
				  ICBENCH_METRIC_KIND_SCALAR, foreign);
}

/**
 * icb_result_torn() - add how many messages were noticed too early to a result
 * @result: where to
 * @run: the initiator, after the run
 *
 * Of those that it has checked; nothing is added where there were none.
 */
void icb_result_torn(struct icb_result *result, const struct icb_run *run)
{
	if (run->torn)
		icb_result_scalar(result, "torn", ICBENCH_UNIT_COUNT,
				  ICBENCH_METRIC_KIND_SCALAR, run->torn);
}

/**
 * icb_result_dist() - add a distribution of times to a result
 * @result: where to
 * @name: its name
 * @hist: the distribution, ns; left out where it is empty
 * @divisor: what its values are to be divided by
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
 * icb_result_trust() - say how far a distribution can be trusted
 * @result: whose last metric is that distribution, what the run is about, if it is
 *	there at all
 * @run: the initiator, after the run
 *
 * What has disturbed its samples, and the percentiles of its batches.
 */
void icb_result_trust(struct icb_result *result, const struct icb_run *run)
{
	struct icb_metric *metric;

	if (!result->count)
		return;
	metric = &result->metric[result->count - 1];
	metric->tail = run->disturbed;
	metric->batches = run->batches;
	if (run->batches)
		metric->means = &run->means;
}

/* What exceeds a u64 no link carries, but a clock that jumps, or a peer, may claim it. */
static u64 scaled(u64 amount, u64 by, u64 of)
{
	if (amount / of >= U64_MAX / by)
		return U64_MAX;
	return mul_u64_u64_div_u64(amount, by, of);
}

/* In thousandths, so that a slow device has a rate, too. */
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

/* In thousandths; of both sides, where both stream. */
static u64 total_rate(const struct icb_run *run, u64 own, u64 others)
{
	u64 elapsed = icb_clock_ns(run->ended - run->began);
	u64 sum = elapsed ? rate(own, elapsed) : 0, peer = 0;

	if (run->peer_elapsed)
		peer = rate(others, run->peer_elapsed);
	return sum > U64_MAX - peer ? U64_MAX : sum + peer;
}

static void add_rate(struct icb_result *result, const char *name, u32 unit,
		     const struct icb_run *run, u64 own, u64 others)
{
	if (run->ended == run->began && !run->peer_elapsed)
		return;
	add_value(result, name, unit, total_rate(run, own, others));
}

/* What a bandwidth is the quotient of; nothing where no time has passed. */
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

/* Whether busy times are of a whole run, and of the same CPUs. */
static bool is_busy_known(const struct icb_run *run)
{
	const struct icb_busy *before = &run->busy[0], *after = &run->busy[1];
	int stop = READ_ONCE(run->consumer.stop);

	/* who waited in vain was busy with nothing that was measured */
	if (stop == ICB_STOP_TIMEOUT || stop == ICB_STOP_ERROR)
		return false;
	return before->cpus && before->cpus == after->cpus &&
	       after->ns > before->ns;
}

/* How busy the other CPUs are without the run, as a rate; nothing where that is not known. */
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
 * icb_result_cpu() - add what a message has cost this host's CPUs
 * @result: where to
 * @run: the initiator, after the run
 * @messages: that it has measured; none if no time has passed
 *
 * All of the CPUs of the run's threads, and of the others what they did not do before
 * the run, as far as that is known. Once more by a name that says whether this is of both
 * sides or of one; and of the CPUs of the run's threads alone. Nothing is added where the
 * host does not know how busy it is.
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
	/* in as much time as the rate is of: ns of the CPUs in a second */
	cpu = rate(after->ns - before->ns, elapsed);
	all = total_rate(run, messages, run->peer_done);
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
 * icb_result_warmup() - add how long a run has warmed up to a result
 * @result: where to
 * @run: the initiator, after the run
 *
 * Nothing is added where that was to be as long as its parameter says.
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
 * icb_result_wakes() - add how often a thread was woken for a message
 * @result: where to
 * @run: the initiator, after the run
 * @messages: that it has waited for while it measured
 *
 * Who polls all the time never is, nor is anybody for a callback in softirq context.
 * Nothing is added where the thread that is woken is a work queue's.
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
 * icb_result_availability() - add how much of its time a side has computed
 * @result: where to
 * @run: the initiator, after the run
 *
 * Nothing is added where it was not to compute, or no time has passed.
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
 * icb_result_spread() - add how steady a bandwidth was
 * @result: where to
 * @longest: of the times that it took, ns
 * @slow: what 99 of 100 of them do not exceed
 * @middle: and half of them; nothing is added where this is 0
 * @bytes: to move this much
 *
 * The least, the first percentile and the median.
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
 * The windows of a stream are batches of what its rate is the quotient of, unless
 * another stream is in it, too, or it is of what has arrived.
 */
static void trust_rate(struct icb_result *result, const struct icb_run *run)
{
	if (icb_run_streams(run) && icb_params_one_way(run->params) &&
	    !run->lossy && result->count)
		result->metric[result->count - 1].means = &run->means;
}

/**
 * icb_result_rates() - add bandwidth and message rate to a result
 * @result: where to
 * @run: the initiator, after the run
 * @messages: that it has measured; none if no time has passed
 *
 * Where the other side has measured a stream of its own, the sum of both. Beside the
 * bandwidth are the bytes and the time that it is made of, of each side.
 */
void icb_result_rates(struct icb_result *result, const struct icb_run *run,
		      u64 messages)
{
	u64 bytes, others;

	if (!messages)
		return;
	bytes = unlikely(run->lossy && run->sizes.on) ?
		run->delivery.bytes :
		icb_run_bytes(run, true, run->first, messages);
	others = icb_run_bytes(run, false, icb_buffers_warmup(run->params) + 1,
			       run->peer_done);
	add_rate(result, "bandwidth", ICBENCH_UNIT_BYTES_PER_SECOND, run, bytes,
		 others);
	add_rate(result, "message_rate", ICBENCH_UNIT_PER_SECOND, run,
		 messages, run->peer_done);
	trust_rate(result, run);
	add_quotient(result, "bytes", bytes, "elapsed",
		     icb_clock_ns(run->ended - run->began));
	add_quotient(result, "peer_bytes", others, "peer_elapsed",
		     run->peer_elapsed);
	if (run->sizes.on)
		add_value(result, "size_mean", ICBENCH_UNIT_BYTES,
			  scaled(bytes + others, RATE_DIVISOR,
				 messages + run->peer_done));
}

/**
 * icb_result_offered() - add the load that a schedule has offered to a result
 * @result: where to
 * @run: the initiator, after the run
 * @messages: that were due
 * @span: in this time, ticks; nothing is added if none has passed
 *
 * Also the part of it, in per cent, that was accepted.
 */
void icb_result_offered(struct icb_result *result, const struct icb_run *run,
			u64 messages, u64 span)
{
	u64 ns = icb_clock_ns(span), offered, accepted;

	if (!ns || run->ended == run->began)
		return;
	offered = rate(messages, ns);
	accepted = total_rate(run, icb_run_moved(run), run->peer_done);
	add_value(result, "offered_rate", ICBENCH_UNIT_PER_SECOND, offered);
	if (offered)
		add_value(result, "accepted", ICBENCH_UNIT_PERCENT,
			  mul_u64_u64_div_u64(min_t(u64, accepted, offered),
					      100 * RATE_DIVISOR, offered));
}
