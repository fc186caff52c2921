// SPDX-License-Identifier: GPL-2.0
/*
 * Derivation "loggp": parameters of the LogGP model, from four measurements: a ping-pong
 * that times its calls, the call that posts a receive, a stream of small messages, and
 * streams of large messages.
 */
#include "derive.h"
#include "model/verbs_table.h"
#include "result.h"

enum {
	LATENCY,
	SEND_OVERHEAD,
	RECEIVE_OVERHEAD,
	GAP,
	GAP_PER_BYTE,
	REPOST,
	INTERCEPT,
	FIT,
};

static const struct quantity quantities[] = {
	[LATENCY] = { "L", "ns", "latency: one-way, less the calls at both ends" },
	[SEND_OVERHEAD] = { "o_s", "ns",
			    "overhead of sending: the call that posts" },
	[RECEIVE_OVERHEAD] = { "o_r", "ns",
			       "overhead of receiving: calls that take a message, and o_r_repost" },
	[GAP] = { "g", "ns", "gap: between small messages at the highest rate" },
	[GAP_PER_BYTE] = { "G", "ns/B", "gap per byte of a large message" },
	[REPOST] = { "o_r_repost", "ns",
		     "part of o_r: posting the receive again", true },
	[INTERCEPT] = { "G_intercept", "ns",
			"time of a large message that does not depend on its size", true },
	[FIT] = { "G_r2", "%", "R^2 of the line whose slope is G", true },
};

/* Names of the recipe's sections. */
static const char MESSAGE[] = "message", RATE[] = "rate", BYTES[] = "bytes",
		  RECEIVE[] = "receive";

/* Count the points of a section, which are consecutive from index @first. */
static unsigned int find_points(const struct sections *sections,
				const struct plan *plan, const char *name,
				unsigned int *first)
{
	unsigned int section = section_find(sections, name), count = 0, i;

	for (i = 0; section && i < plan->count; i++)
		if (plan->point[i].section == section && !count++)
			*first = i;
	return count;
}

static int check_count(const char *name, unsigned int count,
		       struct icb_reason *why)
{
	if (!count)
		return icb_refuse(why, -EINVAL,
				  "derive: there is no [%s]; loggp needs [%s], [%s] and [%s]",
				  name, MESSAGE, RATE, BYTES);
	if (count > 1)
		return icb_refuse(why, -EINVAL,
				  "derive: [%s] makes %u runs, and loggp needs one; accepted: one value of each key, and no load",
				  name, count);
	return 0;
}

static int check_message(const struct sections *sections,
			 const struct plan *plan, struct icb_reason *why)
{
	const struct icb_params *params;
	unsigned int first = 0;
	int err;

	err = check_count(MESSAGE,
			  find_points(sections, plan, MESSAGE, &first), why);
	if (err)
		return err;
	params = &plan->point[first].params;
	/* otherwise no call takes the message, and o_r is unknown */
	if (params->trigger != ICBENCH_TRIGGER_ECHO || !params->overhead ||
	    !icb_verb_of(params)->recv)
		return icb_refuse(why, -EINVAL,
				  "derive: [%s] has no calls to time at both ends; accepted: trigger echo, overhead yes, and verb send or write-imm",
				  MESSAGE);
	if (params->direction != ICBENCH_DIRECTION_UNI)
		return icb_refuse(why, -EINVAL,
				  "derive: in [%s] messages cross; accepted: direction uni",
				  MESSAGE);
	return 0;
}

static int check_stream(const char *name, const struct icb_params *params,
			struct icb_reason *why)
{
	if (params->trigger == ICBENCH_TRIGGER_COMPLETION &&
	    params->direction == ICBENCH_DIRECTION_UNI)
		return 0;
	return icb_refuse(why, -EINVAL,
			  "derive: [%s] is not a stream in one direction; accepted: trigger completion, direction uni",
			  name);
}

static int check_rate(const struct sections *sections, const struct plan *plan,
		      struct icb_reason *why)
{
	unsigned int first = 0;
	int err;

	err = check_count(RATE, find_points(sections, plan, RATE, &first), why);
	return err ? err : check_stream(RATE, &plan->point[first].params, why);
}

static int check_bytes(const struct sections *sections, const struct plan *plan,
		       struct icb_reason *why)
{
	const struct icb_param *size = icb_param_by_attr(ICBENCH_A_PARAMS_SIZE);
	unsigned int first = 0, count, i;
	bool differ = false;

	count = find_points(sections, plan, BYTES, &first);
	if (!count)
		return check_count(BYTES, count, why);
	for (i = first; i < first + count; i++) {
		if (!plan_differs_only_in(plan, first, i, size))
			return icb_refuse(why, -EINVAL,
					  "derive: the runs of [%s] differ in more than size; accepted: one value of every other key, and no load",
					  BYTES);
		differ |= plan->point[i].params.size !=
			  plan->point[first].params.size;
	}
	if (!differ)
		return icb_refuse(why, -EINVAL,
				  "derive: [%s] has one size; accepted: two and more",
				  BYTES);
	return check_stream(BYTES, &plan->point[first].params, why);
}

/*
 * Posting the receive again lies between two samples of [message]. It is timed in
 * [receive]; without this section o_r does not contain it.
 */
static int check_receive(const struct sections *sections,
			 const struct plan *plan, struct icb_reason *why)
{
	const struct icb_params *params;
	unsigned int first = 0, count;
	int err;

	count = find_points(sections, plan, RECEIVE, &first);
	if (!count)
		return 0;
	err = check_count(RECEIVE, count, why);
	if (err)
		return err;
	params = &plan->point[first].params;
	if (params->trigger == ICBENCH_TRIGGER_RETURN &&
	    params->verb == ICBENCH_VERB_DESCRIPTOR)
		return 0;
	return icb_refuse(why, -EINVAL,
			  "derive: [%s] does not time the call that posts a receive; accepted: trigger return, verb descriptor",
			  RECEIVE);
}

static int check(const struct sections *sections, const struct plan *plan,
		 struct icb_reason *why)
{
	int err;

	err = check_message(sections, plan, why);
	if (!err)
		err = check_receive(sections, plan, why);
	if (!err)
		err = check_rate(sections, plan, why);
	return err ? err : check_bytes(sections, plan, why);
}

static bool mean_of(const struct metrics *metrics, const char *name,
		    double *mean)
{
	const struct metric *metric = metrics ? metrics_find(metrics, name) :
						NULL;

	if (!metric || !metric->hist || !metric->stats.count)
		return false;
	*mean = metric->stats.mean;
	return true;
}

/* Time from one message of a stream to the next, ns. */
static bool time_of(const struct metrics *metrics, double *time)
{
	const struct metric *metric = metrics ?
		metrics_find(metrics, "message_rate") : NULL;

	if (!metric || metric->hist || !metric->value)
		return false;
	*time = 1e9 * metric->divisor / metric->value;
	return true;
}

static void set(struct derived *derived, double value)
{
	derived->known = true;
	derived->value = value;
}

/*
 * Means are used, because they can be added and subtracted. Arming the CQ and posting the
 * receive again are calls of the receiver, so o_r contains them. They are not on the path
 * of the message, so they are not subtracted from the latency.
 */
static void find_message(const struct metrics *metrics, bool reposts,
			 struct derived *derived)
{
	const struct derived *repost = &derived[REPOST];
	double latency, overhead, post, poll;

	if (!mean_of(metrics, "post", &post))
		return;
	set(&derived[SEND_OVERHEAD], post);
	if (!mean_of(metrics, "poll", &poll))
		return;
	if (mean_of(metrics, "overhead", &overhead) &&
	    (repost->known || !reposts))
		set(&derived[RECEIVE_OVERHEAD],
		    overhead - post + repost->value);
	if (mean_of(metrics, "latency", &latency))
		set(&derived[LATENCY], latency - post - poll);
}

/* Fit a line to time by size with least squares: slope, intercept and R^2. */
static void find_slope(const struct result *result, unsigned int first,
		       unsigned int count, struct derived *derived)
{
	double size, time, sizes = 0, times = 0, over = 0, under = 0, all = 0;
	unsigned int i;

	for (i = first; i < first + count; i++) {
		if (!time_of(result_metrics(result, i), &time))
			return;
		sizes += result->plan->point[i].params.size;
		times += time;
	}
	for (i = first; i < first + count; i++) {
		time_of(result_metrics(result, i), &time);
		size = result->plan->point[i].params.size - sizes / count;
		time -= times / count;
		over += size * time;
		under += size * size;
		all += time * time;
	}
	if (!(under > 0))
		return;
	set(&derived[GAP_PER_BYTE], over / under);
	set(&derived[INTERCEPT], (times - over / under * sizes) / count);
	/* with two sizes the line always fits */
	if (count > 2 && all > 0)
		set(&derived[FIT], 100 * over * over / under / all);
}

static void find(const struct result *result, struct derived *derived)
{
	const struct sections *sections = &result->recipe->sections;
	const struct plan *plan = result->plan;
	unsigned int first = 0, count;
	bool reposts;
	double time;

	reposts = find_points(sections, plan, RECEIVE, &first);
	if (reposts && mean_of(result_metrics(result, first), "post_recv", &time))
		set(&derived[REPOST], time);
	if (find_points(sections, plan, MESSAGE, &first))
		find_message(result_metrics(result, first), reposts, derived);
	if (find_points(sections, plan, RATE, &first) &&
	    time_of(result_metrics(result, first), &time))
		set(&derived[GAP], time);
	count = find_points(sections, plan, BYTES, &first);
	if (count)
		find_slope(result, first, count, derived);
}

const struct derivation derive_loggp = {
	.name = "loggp",
	.title = "LogGP",
	.basis = "from the means of these runs",
	.quantity = quantities,
	.quantities = ARRAY_SIZE(quantities),
	.check = check,
	.find = find,
};
