// SPDX-License-Identifier: GPL-2.0
/*
 * A result in text, laid out as perftest's: a block that says what was
 * measured, then a row for each point.
 */
#include "knee.h"
#include "number.h"
#include "print.h"
#include "result.h"
#include "verbs_table.h"

#define RULE	"-------------------------------------------------------------" \
		"-------------------------------------------------------------\n"
/* Width of the left one of two entries. */
#define LEFT	54
/* Width of a column of times. */
#define WIDTH	13

/* The keys that have a place in every row. */
#define ROW_KEYS	(BIT_ULL(ICBENCH_A_PARAMS_SIZE) |	\
			 BIT_ULL(ICBENCH_A_PARAMS_ITERATIONS))

static bool is_column(const struct result *result,
		      const struct icb_param *param)
{
	return (result->plan->varying & ~ROW_KEYS) & BIT_ULL(param->attr);
}

/* Two entries to a line, as perftest has them. */
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
	char value[ICBENCH_MAX_NAME + 1];

	if (is_column(result, param)) {
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

	if (!dev) {
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

	if (is_column(result, icb_param_by_attr(ICBENCH_A_PARAMS_PEER)))
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

static void print_clock(FILE *f, int *right, const struct nl_clock *clock)
{
	char text[96];
	int len;

	len = snprintf(text, sizeof(text), "%s", clock->source);
	if (len && NL_HAS(clock, ICBENCH_A_CLOCK_READ_PS))
		len += snprintf(text + len, sizeof(text) - len,
				", %.1f ns a read", clock->read_ps / 1000.0);
	if (len && NL_HAS(clock, ICBENCH_A_CLOCK_INVARIANT) &&
	    !clock->invariant)
		snprintf(text + len, sizeof(text) - len, ", NOT INVARIANT");
	print_entry(f, right, "Clock", text);
}

/* Whether the times of all points are of the same kind. */
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

/* What the times are: of a way there, or of a way there and back. */
static const char *print_divided(const struct result *result,
				 const struct metric *metric,
				 const struct icb_params *params)
{
	if (params->trigger == ICBENCH_TRIGGER_CLOCK)
		return "from when it was due, in us";
	if (!is_uniform(result->plan))
		return "as its verb and direction have it, in us";
	if (params->direction == ICBENCH_DIRECTION_BI)
		return "one-way, while messages cross, in us";
	return metric->divisor == 2 ? "one-way (round trip / 2), in us" :
		"round trip, in us";
}

static void print_head(FILE *f, const struct result *result,
		       const struct point *point)
{
	const struct metric *metric = metrics_main(&point->metrics);
	int right = 0;

	fputs(RULE, f);
	fprintf(f, "                    %s: %s\n", result->recipe->name,
		result->recipe->title);
	print_device(f, &right, result, point);
	print_peer(f, &right, result, point);
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
	if (point->job.params.direction != ICBENCH_DIRECTION_UNI)
		print_param(f, &right, result, point,
			    ICBENCH_A_PARAMS_DIRECTION, "Direction");
	print_cpus(f, &right, point);
	print_param(f, &right, result, point, ICBENCH_A_PARAMS_PRIORITY,
		    "Priority");
	print_param(f, &right, result, point, ICBENCH_A_PARAMS_WARMUP,
		    "Warm-up");
	print_param(f, &right, result, point, ICBENCH_A_PARAMS_VERIFY,
		    "Verify");
	print_clock(f, &right, &point->job.clock);
	if (metric && !strcmp(metric->name, "latency"))
		print_entry(f, &right, "Latency",
			    print_divided(result, metric,
					  &point->job.params));
	if (right)
		putc('\n', f);
	fputs(RULE, f);
}

/* The longest thing that a column of a key has to hold. */
static int key_width(const struct result *result, const struct icb_param *param)
{
	char value[ICBENCH_MAX_NAME + 1];
	size_t width = strlen(param->name);
	unsigned int i;

	for (i = 0; i < result->plan->count; i++) {
		const struct icb_params *params = &result->plan->point[i].params;

		if (!icb_params_has(params, param->attr))
			continue;
		plan_value(param, params, value, sizeof(value));
		if (strlen(value) > width)
			width = strlen(value);
	}
	return width;
}

static void print_keys(FILE *f, const struct result *result,
		       const struct icb_params *params)
{
	char value[ICBENCH_MAX_NAME + 1];
	unsigned int i;

	for (i = 0; i < icb_param_count; i++) {
		const struct icb_param *param = &icb_param_table[i];

		if (!is_column(result, param))
			continue;
		if (!params)
			snprintf(value, sizeof(value), "%s", param->name);
		else if (icb_params_has(params, param->attr))
			plan_value(param, params, value, sizeof(value));
		else
			snprintf(value, sizeof(value), "-");
		fprintf(f, " %-*s", key_width(result, param), value);
	}
}

static void print_times_head(FILE *f)
{
	static const char *const titles[] = {
		"t_min[us]", "t_typical[us]", "t_avg[us]", "t_stdev[us]",
		"99%[us]", "99.9%[us]", "t_max[us]",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(titles); i++)
		fprintf(f, " %*s", WIDTH, titles[i]);
}

static void print_times(FILE *f, const struct stats *stats)
{
	const double times[] = {
		stats->min, stats->percentile[STATS_50], stats->mean,
		stats->stddev, stats->percentile[STATS_99],
		stats->percentile[STATS_999], stats->max,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(times); i++)
		fprintf(f, " %*.3f", WIDTH, times[i] / 1000);
}

/* What people read it in, and how much of its own unit that is. */
static const char *rate_unit(const struct metric *metric, double *factor)
{
	switch (metric->unit) {
	case ICBENCH_UNIT_BYTES_PER_SECOND:
		*factor = 1e6;
		return "MB/s";
	case ICBENCH_UNIT_NS:
		*factor = 1000;
		return "us";
	default:
		*factor = 1;
		return metric_unit(metric);
	}
}

/* The column of a rate is as wide as its title. */
static int rate_title(const struct metric *metric, char *buf, size_t size)
{
	double factor;
	int len = snprintf(buf, size, "%s[%s]", metric->name,
			   rate_unit(metric, &factor));

	return len > WIDTH ? len : WIDTH;
}

/* A run that is not about a distribution has its rates in the row. */
static void print_rate(FILE *f, const struct metric *metric, int width)
{
	double value, factor;

	bool whole;

	if (!metric || metric->hist) {
		fprintf(f, " %*s", width, "-");
		return;
	}
	rate_unit(metric, &factor);
	whole = metric->unit == ICBENCH_UNIT_COUNT && metric->divisor == 1;
	value = (double)metric->value / metric->divisor / factor;
	fprintf(f, " %*.*f", width, value < 1000 && !whole ? 3 : 0, value);
}

/* In the columns that the first point has; without metrics, their titles. */
static void print_rates(FILE *f, const struct result *result,
			const struct metrics *metrics)
{
	const struct metrics *columns = &result->point[0].metrics;
	const struct metric *metric;
	char title[96];
	unsigned int i;
	int width;

	for (i = 0; i < columns->count; i++) {
		metric = &columns->metric[i];
		if (metric->hist || metric->kind != ICBENCH_METRIC_KIND_SCALAR)
			continue;
		width = rate_title(metric, title, sizeof(title));
		if (metrics)
			print_rate(f, metrics_find(metrics, metric->name),
				   width);
		else
			fprintf(f, " %*s", width, title);
	}
}

static bool has_baseline(const struct result *result)
{
	unsigned int i;

	/* a stream has no latency to compare */
	for (i = 0; i < result->plan->count; i++)
		if (result->plan->point[i].baseline >= 0 &&
		    result->plan->point[i].params.trigger !=
		    ICBENCH_TRIGGER_COMPLETION)
			return true;
	return false;
}

/* Numbers beside the times, where the recipe asks for them; or their titles. */
static void print_columns(FILE *f, const struct result *result,
			  const struct metrics *metrics)
{
	const struct recipe *recipe = result->recipe;
	const struct metric *metric;
	char title[96];
	unsigned int i;
	int width;

	for (i = 0; i < recipe->columns; i++) {
		metric = metrics_find(&result->point[0].metrics,
				      recipe->column[i]);
		/* its unit is known where the first run has it */
		if (metric)
			width = rate_title(metric, title, sizeof(title));
		else
			width = snprintf(title, sizeof(title), "%s",
					 recipe->column[i]);
		if (metrics)
			print_rate(f, metrics_find(metrics, recipe->column[i]),
				   width);
		else
			fprintf(f, " %*s", width, title);
	}
}

static void print_row_head(FILE *f, const struct result *result,
			   const struct point *point)
{
	fputs(" #bytes     #iterations", f);
	print_keys(f, result, NULL);
	if (metrics_main(&point->metrics)) {
		print_times_head(f);
		print_columns(f, result, NULL);
	} else {
		print_rates(f, result, NULL);
	}
	if (has_baseline(result))
		fprintf(f, " %*s", WIDTH, "overhead[us]");
	putc('\n', f);
}

static void print_row(FILE *f, const struct result *result,
		      const struct point *point)
{
	const struct metric *metric = metrics_main(&point->metrics);

	fprintf(f, " %-10u %-11llu", point->job.params.size,
		(unsigned long long)(metric ? metric->stats.count :
					      point->job.done));
	print_keys(f, result, &point->job.params);
	if (metric) {
		print_times(f, &metric->stats);
		print_columns(f, result, &point->metrics);
	} else {
		print_rates(f, result, &point->metrics);
	}
	if (point->has_overhead)
		fprintf(f, " %+*.3f", WIDTH, point->overhead / 1000);
	putc('\n', f);
}

/**
 * print_text_point() - print the row of a run that has just ended
 * @f: where to
 * @result: the result so far
 * @point: the last point of @result; before the first comes what they have in
 *	common
 */
void print_text_point(FILE *f, const struct result *result,
		      const struct point *point)
{
	if (point == result->point) {
		print_head(f, result, point);
		print_row_head(f, result, point);
	}
	print_row(f, result, point);
	fflush(f);
}

static bool is_call(const struct metrics *metrics, const struct metric *metric)
{
	return metric->hist && metric != metrics_main(metrics);
}

static void print_call(FILE *f, const struct result *result,
		       const struct point *point, const struct metric *metric)
{
	fprintf(f, " %-13s %-11llu", metric->name,
		(unsigned long long)metric->stats.count);
	if (result->plan->count > 1)
		fprintf(f, " %-10u", point->job.params.size);
	print_keys(f, result, &point->job.params);
	print_times(f, &metric->stats);
	putc('\n', f);
}

/* The distributions beside the one that the table is about. */
static void print_calls(FILE *f, const struct result *result)
{
	bool begun = false;
	unsigned int i, j;

	for (i = 0; i < result->count; i++) {
		const struct point *point = &result->point[i];

		for (j = 0; j < point->metrics.count; j++) {
			const struct metric *metric = &point->metrics.metric[j];

			if (!is_call(&point->metrics, metric))
				continue;
			if (!begun) {
				fprintf(f, " cost of       #calls     %s",
					result->plan->count > 1 ?
						" #bytes    " : "");
				print_keys(f, result, NULL);
				print_times_head(f);
				putc('\n', f);
				begun = true;
			}
			print_call(f, result, point, metric);
		}
	}
}

static void print_scalar(FILE *f, const struct metric *metric)
{
	double value = (double)metric->value / metric->divisor;

	switch (metric->unit) {
	case ICBENCH_UNIT_NS:
		fprintf(f, "%s %.3f us", metric->name, value / 1000);
		break;
	case ICBENCH_UNIT_BYTES_PER_SECOND:
		fprintf(f, "%s %.3f MB/s", metric->name, value / 1e6);
		break;
	case ICBENCH_UNIT_PER_SECOND:
		fprintf(f, "%s %.*f /s", metric->name, value < 100 ? 3 : 0,
			value);
		break;
	case ICBENCH_UNIT_PERCENT:
		fprintf(f, "%s %.3f %%", metric->name, value);
		break;
	default:
		fprintf(f, "%s %.*f", metric->name,
			metric->divisor > 1 ? 3 : 0, value);
	}
}

/* One line of all the scalars of a kind. */
static void print_scalars(FILE *f, const struct metrics *metrics, u32 kind,
			  const char *label)
{
	bool begun = false;
	unsigned int i;

	for (i = 0; i < metrics->count; i++) {
		const struct metric *metric = &metrics->metric[i];

		if (metric->hist || metric->kind != kind)
			continue;
		if (begun)
			fputs(", ", f);
		else
			fprintf(f, " %-15s: ", label);
		print_scalar(f, metric);
		begun = true;
	}
	if (begun)
		putc('\n', f);
}

static void print_clock_error(FILE *f, const struct nl_clock *clock)
{
	if (NL_HAS(clock, ICBENCH_A_CLOCK_ERROR_PPM))
		fprintf(f, " %-15s: %+d ppm against the kernel's raw clock\n",
			"Clock error", clock->error_ppm);
}

static void print_details(FILE *f, const struct result *result)
{
	const struct point *point;
	char name[160];
	unsigned int i;

	for (i = 0; i < result->count; i++) {
		point = &result->point[i];
		plan_name(result->plan, &point->job.params, name, sizeof(name));
		if (*name)
			fprintf(f, " %s\n", name);
		if (metrics_main(&point->metrics))
			print_scalars(f, &point->metrics,
				      ICBENCH_METRIC_KIND_SCALAR, "Rates");
		print_scalars(f, &point->metrics,
			      ICBENCH_METRIC_KIND_DISTURBANCE, "Disturbance");
		print_clock_error(f, &point->job.clock);
	}
}

/* What needs a second CPU is not there without one. */
static void print_absent(FILE *f, const struct point *point)
{
	const struct icb_verb *verb = icb_verb_of(&point->job.params);
	bool begun = false;
	unsigned int i;

	for (i = 0; i < verb->calls; i++) {
		if (!verb->call[i].cross ||
		    metrics_find(&point->metrics, verb->call[i].name))
			continue;
		if (begun)
			fprintf(f, ", %s", verb->call[i].name);
		else
			fprintf(f, " %-15s: %s", "Not measured",
				verb->call[i].name);
		begun = true;
	}
	if (begun && point->job.params.cpu == point->job.params.peer_cpu)
		fprintf(f, ": they need a second CPU, and both cpu and peer-cpu are %u",
			point->job.params.cpu);
	if (begun)
		putc('\n', f);
}

/* Each call by itself is what such a run is about. */
static bool times_calls(const struct result *result)
{
	return result->count && result->point[0].job.params.trigger ==
				ICBENCH_TRIGGER_RETURN;
}

static void print_knee(FILE *f, const struct result *result,
		       const struct knee *knee)
{
	const struct icb_param *param = result->recipe->knee;
	char name[160], holds[24], falls[24], peak[24];
	struct plan others = *result->plan;
	double factor;
	const char *unit = rate_unit(knee->metric, &factor);

	others.varying &= ~BIT_ULL(param->attr);
	plan_name(&others, &result->point[knee->first].job.params, name,
		  sizeof(name));
	number_print(holds, sizeof(holds), param->type, knee->holds);
	number_print(falls, sizeof(falls), param->type, knee->falls);
	snprintf(peak, sizeof(peak), "%.3f", knee->peak / factor);
	fprintf(f, " %-15s: %s%s%s %s %u %% of its peak, %s %s, ", "Knee",
		name, *name ? ": " : "", knee->metric->name,
		knee->found ? "falls below" : "has at least", KNEE_PERCENT,
		peak, unit);
	if (knee->found)
		fprintf(f, "at %s=%s; it has it at %s\n", param->name, falls,
			holds);
	else
		fprintf(f, "up to %s=%s\n", param->name, holds);
}

/**
 * print_text_end() - print what follows the rows
 * @f: where to
 * @result: the result
 * @details: also what a sweep leaves out for being too long
 */
void print_text_end(FILE *f, const struct result *result, bool details)
{
	char baseline[96];
	struct knee knee;
	unsigned int i;

	if (result->count) {
		fputs(RULE, f);
		if (has_baseline(result)) {
			result_baseline(result, baseline, sizeof(baseline));
			fprintf(f, " overhead: t_avg less that of %s\n",
				baseline);
		}
	}
	for (i = 0; i < result->count; i++)
		if (knee_find(&knee, result, i))
			print_knee(f, result, &knee);
	details = details || result->plan->count == 1;
	if (details || times_calls(result))
		print_calls(f, result);
	for (i = 0; i < result->count; i++)
		print_absent(f, &result->point[i]);
	if (details)
		print_details(f, result);
	if (*result->reason)
		fprintf(f, " PARTIAL: %s\n", result->reason);
	fflush(f);
}
