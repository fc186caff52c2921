// SPDX-License-Identifier: GPL-2.0
/* Prints the block above the rows, which describes what was measured. */
#include "column.h"
#include "head.h"
#include "model/verbs_table.h"
#include "plan/result.h"

/* Width of the left entry of a line. */
#define LEFT	54

/* Print two entries to a line, as perftest. @right: width of the left entry, or 0. */
static void print_entry(FILE *f, int *right, const char *label,
			const char *value)
{
	if (!*value)
		return;
	if (*right) {
		fprintf(f, "%*s %-15s: %s\n", *right < LEFT ? LEFT - *right : 0,
			"", label, value);
		*right = 0;
	} else {
		*right = fprintf(f, " %-15s: %s", label, value);
	}
}

static void print_param(FILE *f, int *right, const struct result *result,
			const struct point *point, unsigned int attr,
			const char *label)
{
	const struct icb_params *params = &point->job.params;
	const struct icb_param *param = icb_param_by_attr(attr);
	char value[ICB_NAMES];

	if (column_is_key(result->plan->varying, param)) {
		print_entry(f, right, label, "varies");
		return;
	}
	if (!icb_params_has(params, attr))
		return;
	plan_value(param, params, value, sizeof(value));
	print_entry(f, right, label, value);
}

static void print_device(FILE *f, int *right, const struct result *result,
			 const struct point *point)
{
	const struct nl_dev *dev = result_device(result, point);
	char text[160];

	if (!dev || point->job.params.devices > 1) {
		print_entry(f, right, "Device", point->job.params.device);
		return;
	}
	snprintf(text, sizeof(text), "%s port %u%s%s%s", dev->name, dev->port,
		 *dev->driver ? " (" : "", dev->driver,
		 *dev->driver ? ")" : "");
	print_entry(f, right, "Device", text);
	result_link(dev, text, sizeof(text));
	print_entry(f, right, "Link", text);
	if (NL_HAS(dev, ICBENCH_A_DEV_MTU)) {
		snprintf(text, sizeof(text), "%u B", dev->mtu);
		print_entry(f, right, "MTU", text);
	}
}

static void print_peer(FILE *f, int *right, const struct result *result,
		       const struct point *point)
{
	const struct nl_job *job = &point->job;
	const char *peer = "this host";

	if (column_is_key(result->plan->varying,
			  icb_param_by_attr(ICBENCH_A_PARAMS_PEER)))
		peer = "varies";
	else if (icb_params_has(&job->params, ICBENCH_A_PARAMS_PEER))
		peer = *job->target ? job->target : job->params.peer;
	print_entry(f, right, "Peer", peer);
}

static void print_cpus(FILE *f, int *right, const struct point *point)
{
	const struct icb_params *params = &point->job.params;
	char text[64];
	int len;

	if (!icb_params_has(params, ICBENCH_A_PARAMS_CPU))
		return;
	len = snprintf(text, sizeof(text), "%u", params->cpu);
	if (icb_params_has(params, ICBENCH_A_PARAMS_PEER_CPU))
		snprintf(text + len, sizeof(text) - len, ", the peer's %u",
			 params->peer_cpu);
	print_entry(f, right, "CPU", text);
}

/* Shortest step of a clock, in ps, that is reported because it is visible in samples. */
#define COARSE_PS	5000

static void print_clock(FILE *f, int *right, const struct nl_clock *clock)
{
	char text[96];
	int len;

	len = snprintf(text, sizeof(text), "%s", clock->source);
	if (len && NL_HAS(clock, ICBENCH_A_CLOCK_READ_PS))
		len += snprintf(text + len, sizeof(text) - len,
				", %.1f ns a read", clock->read_ps / 1000.0);
	if (len && NL_HAS(clock, ICBENCH_A_CLOCK_STEP_PS) &&
	    clock->step_ps >= COARSE_PS)
		len += snprintf(text + len, sizeof(text) - len,
				", in steps of %.1f ns", clock->step_ps / 1000.0);
	if (len && NL_HAS(clock, ICBENCH_A_CLOCK_INVARIANT) &&
	    !clock->invariant)
		snprintf(text + len, sizeof(text) - len, ", NOT INVARIANT");
	print_entry(f, right, "Clock", text);
}

/* True if the latencies of all points have the same meaning. */
static bool is_uniform(const struct plan *plan)
{
	const struct icb_params *first = &plan->point[0].params, *params;
	unsigned int i;

	for (i = 1; i < plan->count; i++) {
		params = &plan->point[i].params;
		if (params->direction != first->direction ||
		    icb_verb_of(params)->passive != icb_verb_of(first)->passive)
			return false;
	}
	return true;
}

/**
 * head_latency() - describe the meaning of the latency
 * @result: the result
 * @point: a point of the result whose main metric is a latency
 *
 * Return: one-way, round trip, or from when it was due.
 */
const char *head_latency(const struct result *result, const struct point *point)
{
	const struct icb_params *params = &point->job.params;

	if (params->trigger == ICBENCH_TRIGGER_CLOCK)
		return "from its due time";
	if (!is_uniform(result->plan))
		return "as defined by its verb and direction";
	if (params->direction == ICBENCH_DIRECTION_BI)
		return "one-way, while messages cross";
	return metrics_main(&point->metrics)->divisor == 2 ?
		"one-way (round trip / 2)" : "round trip";
}

/* Print the meaning of the latency. */
static void print_latency(FILE *f, int *right, const struct result *result,
			  const struct point *point)
{
	const struct metric *metric = metrics_main(&point->metrics);
	char text[64];

	if (!metric || strcmp(metric->name, "latency"))
		return;
	snprintf(text, sizeof(text), "%s, in us", head_latency(result, point));
	print_entry(f, right, "Latency", text);
}

/* Print the policy, which has no meaning for a single device. */
static void print_policy(FILE *f, int *right, const struct result *result,
			 const struct point *point)
{
	if (point->job.params.devices == 1)
		return;
	print_param(f, right, result, point, ICBENCH_A_PARAMS_POLICY, "Policy");
	if (point->job.params.policy == ICBENCH_POLICY_STRIPE)
		print_param(f, right, result, point,
			    ICBENCH_A_PARAMS_STRIPE_THRESHOLD, "Uncut up to");
}

static void print_repeat(FILE *f, int *right, const struct plan *plan)
{
	char text[48];

	if (!plan_repeats(plan))
		return;
	snprintf(text, sizeof(text), "%u of each%s", plan->repeat,
		 plan->count > 1 ? ", in turns (A B B A)" : "");
	print_entry(f, right, "Runs", text);
}

/**
 * print_head() - print the block that describes what was measured
 * @f: output stream
 * @result: the result so far
 * @point: first point of the result
 */
void print_head(FILE *f, const struct result *result, const struct point *point)
{
	int right = 0;

	fputs(RULE, f);
	fprintf(f, "                    %s: %s\n", result->recipe->name,
		result->recipe->title);
	print_device(f, &right, result, point);
	print_peer(f, &right, result, point);
	print_policy(f, &right, result, point);
	print_param(f, &right, result, point, ICBENCH_A_PARAMS_VERB, "Verb");
	print_param(f, &right, result, point, ICBENCH_A_PARAMS_TRANSPORT,
		    "Transport");
	print_param(f, &right, result, point, ICBENCH_A_PARAMS_COMPLETION,
		    "Completion");
	print_param(f, &right, result, point, ICBENCH_A_PARAMS_CONTEXT,
		    "Context");
	print_param(f, &right, result, point, ICBENCH_A_PARAMS_WINDOW,
		    "Window");
	print_param(f, &right, result, point, ICBENCH_A_PARAMS_REFILL,
		    "Refill");
	/* rates are comparable only if equally many operations have a completion */
	if (point->job.params.trigger == ICBENCH_TRIGGER_COMPLETION)
		print_param(f, &right, result, point,
			    ICBENCH_A_PARAMS_SIGNAL_EVERY, "Signalled every");
	if (point->job.params.direction != ICBENCH_DIRECTION_UNI)
		print_param(f, &right, result, point,
			    ICBENCH_A_PARAMS_DIRECTION, "Direction");
	print_cpus(f, &right, point);
	print_repeat(f, &right, result->plan);
	if (point->workers || (point->runs && point->run->workers))
		print_param(f, &right, result, point,
			    ICBENCH_A_PARAMS_WORKERS, "Workers");
	print_param(f, &right, result, point, ICBENCH_A_PARAMS_PRIORITY,
		    "Priority");
	print_param(f, &right, result, point,
		    ICBENCH_A_PARAMS_CPU_LATENCY_QOS, "Idle exit");
	print_param(f, &right, result, point, ICBENCH_A_PARAMS_WARMUP,
		    "Warm-up");
	print_param(f, &right, result, point, ICBENCH_A_PARAMS_VERIFY,
		    "Verify");
	print_clock(f, &right, &point->job.clock);
	print_latency(f, &right, result, point);
	if (right)
		putc('\n', f);
	fputs(RULE, f);
}
