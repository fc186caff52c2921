// SPDX-License-Identifier: GPL-2.0
/*
 * A result in text, laid out as perftest's: a block that says what was
 * measured, then a row for each point.
 */
#include "derived.h"
#include "interval.h"
#include "model/verbs_table.h"
#include "plan/derive.h"
#include "plan/knee.h"
#include "plan/load.h"
#include "plan/number.h"
#include "plan/repeat.h"
#include "plan/result.h"
#include "plan/trace.h"
#include "print.h"
#include "stats/confidence.h"

#define RULE	"-------------------------------------------------------------" \
		"-------------------------------------------------------------\n"
/* Width of the left one of two entries. */
#define LEFT	54
/* Most that a line of numbers holds. */
#define LINE	122
/* Width of a column of times. */
#define WIDTH	13
/* Width of a column of intervals. */
#define RANGE	20

/* The keys that have a place in every row. */
#define ROW_KEYS	(BIT_ULL(ICBENCH_A_PARAMS_SIZE) |	\
			 BIT_ULL(ICBENCH_A_PARAMS_ITERATIONS))

static bool is_column(u64 varying, const struct icb_param *param)
{
	return (varying & ~ROW_KEYS) & BIT_ULL(param->attr);
}

static unsigned int section_of(const struct result *result,
			       const struct point *point)
{
	return result->plan->point[point - result->point].section;
}

/* The first one that has its row in the same table. */
static const struct point *first_of(const struct result *result,
				    const struct point *point)
{
	while (point > result->point &&
	       section_of(result, point - 1) == section_of(result, point))
		point--;
	return point;
}

/* BIT_ULL(attribute) of what tells the rows of a table apart. */
static u64 row_keys(const struct result *result, const struct point *point)
{
	return section_of(result, point) ?
		result->plan->point[point - result->point].varying :
		result->plan->varying;
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
	char value[ICB_NAMES];

	if (is_column(result->plan->varying, param)) {
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

	if (is_column(result->plan->varying,
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

/* A clock whose steps are longer than this shows in samples. */
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

/* Of one device there is nothing to tell. */
static void print_policy(FILE *f, int *right, const struct result *result,
			 const struct point *point)
{
	if (point->job.params.devices == 1)
		return;
	print_param(f, right, result, point, ICBENCH_A_PARAMS_POLICY, "Policy");
	if (point->job.params.policy == ICBENCH_POLICY_STRIPE)
		print_param(f, right, result, point,
			    ICBENCH_A_PARAMS_STRIPE_THRESHOLD, "Whole up to");
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
	/* a rate is compared with those of as many completions */
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
	char value[ICB_NAMES];
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

/* The widest name of a load. */
static int load_width(const struct result *result)
{
	size_t width = strlen("load");
	char name[96];
	unsigned int i;

	for (i = 0; i < result->plan->count; i++) {
		load_name(result->plan, i, name, sizeof(name));
		if (strlen(name) > width)
			width = strlen(name);
	}
	return width;
}

/* What runs beside it; without a point, the title. */
static void print_load(FILE *f, const struct result *result,
		       const struct point *point)
{
	char name[96] = "load";

	if (!result->plan->loaded)
		return;
	if (point)
		load_name(result->plan, point - result->point, name,
			  sizeof(name));
	fprintf(f, " %-*s", load_width(result), name);
}

/* What tells points apart; without one, the titles. */
static void print_keys(FILE *f, const struct result *result, u64 varying,
		       const struct point *point)
{
	const struct icb_params *params = point ? &point->job.params : NULL;
	char value[ICB_NAMES];
	unsigned int i;

	for (i = 0; i < icb_param_count; i++) {
		const struct icb_param *param = &icb_param_table[i];

		if (!is_column(varying, param))
			continue;
		if (!params)
			snprintf(value, sizeof(value), "%s", param->name);
		else if (icb_params_has(params, param->attr))
			plan_value(param, params, value, sizeof(value));
		else
			snprintf(value, sizeof(value), "-");
		fprintf(f, " %-*s", key_width(result, param), value);
	}
	print_load(f, result, point);
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

/* A number in a row; of a distribution, that is the median. */
static void print_rate(FILE *f, const struct metric *metric, int width)
{
	double value, factor;
	bool whole;

	if (!metric || (metric->hist && !metric->stats.count)) {
		fprintf(f, " %*s", width, "-");
		return;
	}
	rate_unit(metric, &factor);
	whole = !metric->hist && metric->unit == ICBENCH_UNIT_COUNT &&
		metric->divisor == 1;
	value = metric->hist ? metric->stats.percentile[STATS_50] :
			       (double)metric->value / metric->divisor;
	value /= factor;
	fprintf(f, " %*.*f", width, value < 1000 && !whole ? 3 : 0, value);
}

/* What the rates are made of. */
static bool is_operand(const struct metric *metric)
{
	static const char *const names[] = {
		"bytes", "elapsed", "peer_bytes", "peer_elapsed",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(metric->name, names[i]))
			return true;
	return false;
}

/* Beside cpu_per_message: whose it is, and what was subtracted. */
static bool is_cpu_time(const struct metric *metric)
{
	static const char *const names[] = {
		"cpu_per_message_both", "cpu_per_message_one",
		"cpu_per_message_run", "cpu_background",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(metric->name, names[i]))
			return true;
	return false;
}

/* How long the warm-up was, and whether it was long enough. */
static bool is_warmup(const struct metric *metric)
{
	return !strcmp(metric->name, "warmup_made") ||
	       !strcmp(metric->name, "warmup_steady");
}

static bool is_wakeups(const struct metric *metric)
{
	return !strcmp(metric->name, "wakeups_per_message");
}

/* Who never sleeps is never woken, which goes without saying. */
static bool has_column(const struct point *first, const struct metric *metric)
{
	const u32 awake = ICB_COMPLETIONS_BUSY | ICB_COMPLETIONS_CALLBACK;

	if (metric->hist || metric->kind != ICBENCH_METRIC_KIND_SCALAR ||
	    is_operand(metric) || is_cpu_time(metric) || is_warmup(metric))
		return false;
	return !is_wakeups(metric) ||
	       !(BIT(first->job.params.completion) & awake);
}

/*
 * A run that is not about a distribution has its rates in the row, in the columns
 * that the first point has; without metrics, their titles.
 */
static void print_rates(FILE *f, const struct point *first,
			const struct metrics *metrics)
{
	const struct metrics *columns = &first->metrics;
	const struct metric *metric;
	char title[96];
	unsigned int i;
	int width;

	for (i = 0; i < columns->count; i++) {
		metric = &columns->metric[i];
		if (!has_column(first, metric))
			continue;
		width = rate_title(metric, title, sizeof(title));
		if (metrics)
			print_rate(f, metrics_find(metrics, metric->name),
				   width);
		else
			fprintf(f, " %*s", width, title);
	}
}

/* Numbers beside the times, where the recipe asks for them; or their titles. */
static void print_columns(FILE *f, const struct result *result,
			  const struct point *first,
			  const struct metrics *metrics)
{
	const struct recipe *recipe = result->recipe;
	const struct metric *metric;
	char title[96];
	unsigned int i;
	int width;

	for (i = 0; i < recipe->columns; i++) {
		metric = metrics_find(&first->metrics, recipe->column[i]);
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

/* What the load moved; without a point, the title. */
static void print_load_rate(FILE *f, const struct result *result,
			    const struct point *point)
{
	const struct metric *metric;

	if (!result->plan->loaded)
		return;
	if (!point) {
		fprintf(f, " %*s", WIDTH, "load[MB/s]");
		return;
	}
	metric = metrics_find(&point->load_metrics, "bandwidth");
	print_rate(f, metric, WIDTH);
}

static void print_section(FILE *f, const struct result *result,
			  const struct point *point)
{
	unsigned int section = section_of(result, point);

	if (section)
		fprintf(f, " [%s]\n",
			result->recipe->sections.section[section - 1].name);
}

static void print_row_head(FILE *f, const struct result *result,
			   const struct point *point)
{
	print_section(f, result, point);
	fputs(" #bytes     #iterations", f);
	print_keys(f, result, row_keys(result, point), NULL);
	if (metrics_main(&point->metrics)) {
		print_times_head(f);
		print_columns(f, result, point, NULL);
	} else {
		print_rates(f, point, NULL);
	}
	print_load_rate(f, result, NULL);
	if (plan_subtracts(result->plan))
		fprintf(f, " %*s", WIDTH, "overhead[us]");
	if (plan_subtracts(result->plan) && plan_repeats(result->plan))
		fprintf(f, " %*s", RANGE, "95% certain[us]");
	putc('\n', f);
}

static void print_overhead(FILE *f, const struct point *point)
{
	const struct range *overhead = &point->overhead;
	char range[64];

	fprintf(f, " %+*.3f", WIDTH, overhead->value / 1000);
	if (!point->bounded)
		return;
	snprintf(range, sizeof(range), "%+.3f..%+.3f", overhead->low / 1000,
		 overhead->high / 1000);
	fprintf(f, " %*s%s", RANGE, range, range_has_zero(overhead) ?
		" not distinguishable" : "");
}

static void print_row(FILE *f, const struct result *result,
		      const struct point *point)
{
	const struct metric *metric = metrics_main(&point->metrics);

	fprintf(f, " %-10u %-11llu", point->job.params.size,
		(unsigned long long)(metric ? metric->stats.count :
					      point->job.done));
	print_keys(f, result, row_keys(result, point), point);
	if (metric) {
		print_times(f, &metric->stats);
		print_columns(f, result, first_of(result, point),
			      &point->metrics);
	} else {
		print_rates(f, first_of(result, point), &point->metrics);
	}
	print_load_rate(f, result, point);
	if (point->has_overhead)
		print_overhead(f, point);
	putc('\n', f);
}

/**
 * print_text_point() - print the row of a run that has just ended
 * @f: where to
 * @result: the result so far
 * @point: the last point of @result; before the first comes what they have in
 *	common, and before the first of a section its titles
 */
void print_text_point(FILE *f, const struct result *result,
		      const struct point *point)
{
	if (point == result->point)
		print_head(f, result, point);
	if (point == first_of(result, point))
		print_row_head(f, result, point);
	print_row(f, result, point);
	fflush(f);
}

static bool is_call(const struct metrics *metrics, const struct metric *metric)
{
	return metric->hist && metric != metrics_main(metrics);
}

/* The column of the calls' names, of all tables. */
static int call_width(const struct result *result)
{
	const struct metrics *metrics;
	size_t width = WIDTH;
	unsigned int i, j;

	for (i = 0; i < result->count; i++) {
		metrics = &result->point[i].metrics;
		for (j = 0; j < metrics->count; j++)
			if (is_call(metrics, &metrics->metric[j]) &&
			    strlen(metrics->metric[j].name) > width)
				width = strlen(metrics->metric[j].name);
	}
	return width;
}

static void print_call(FILE *f, const struct result *result,
		       const struct point *point, const struct metric *metric)
{
	fprintf(f, " %-*s %-11llu", call_width(result), metric->name,
		(unsigned long long)metric->stats.count);
	if (result->plan->count > 1)
		fprintf(f, " %-10u", point->job.params.size);
	print_keys(f, result, row_keys(result, point), point);
	print_times(f, &metric->stats);
	putc('\n', f);
}

static void print_calls_head(FILE *f, const struct result *result,
			     const struct point *point)
{
	print_section(f, result, point);
	fprintf(f, " %-*s #calls     %s", call_width(result), "cost of",
		result->plan->count > 1 ? " #bytes    " : "");
	print_keys(f, result, row_keys(result, point), NULL);
	print_times_head(f);
	putc('\n', f);
}

/* The distributions beside the one that the table is about. */
static void print_calls(FILE *f, const struct result *result)
{
	const struct point *table = NULL;
	unsigned int i, j;

	for (i = 0; i < result->count; i++) {
		const struct point *point = &result->point[i];

		for (j = 0; j < point->metrics.count; j++) {
			const struct metric *metric = &point->metrics.metric[j];

			if (!is_call(&point->metrics, metric))
				continue;
			if (table != first_of(result, point)) {
				table = first_of(result, point);
				print_calls_head(f, result, table);
			}
			print_call(f, result, point, metric);
		}
	}
}

static int write_scalar(char *buf, size_t size, const struct metric *metric)
{
	double value = (double)metric->value / metric->divisor;

	switch (metric->unit) {
	case ICBENCH_UNIT_NS:
		return snprintf(buf, size, "%s %.3f us", metric->name,
				value / 1000);
	case ICBENCH_UNIT_BYTES_PER_SECOND:
		return snprintf(buf, size, "%s %.3f MB/s", metric->name,
				value / 1e6);
	case ICBENCH_UNIT_PER_SECOND:
		return snprintf(buf, size, "%s %.*f /s", metric->name,
				value < 100 ? 3 : 0, value);
	case ICBENCH_UNIT_PERCENT:
		return snprintf(buf, size, "%s %.3f %%", metric->name, value);
	case ICBENCH_UNIT_BYTES:
		return snprintf(buf, size, "%s %.3f B", metric->name, value);
	default:
		return snprintf(buf, size, "%s %.*f", metric->name,
				metric->divisor > 1 ? 3 : 0, value);
	}
}

/* All the scalars of a kind, in as few lines as hold them. */
static void print_scalars(FILE *f, const struct metrics *metrics,
			  bool (*wanted)(const struct metric *metric),
			  const char *label)
{
	int width = 0, len;
	char text[128];
	unsigned int i;

	for (i = 0; i < metrics->count; i++) {
		const struct metric *metric = &metrics->metric[i];

		if (metric->hist || !wanted(metric))
			continue;
		len = write_scalar(text, sizeof(text), metric);
		if (!width)
			width = fprintf(f, " %-15s: ", label);
		else if (width + len + 2 > LINE)
			width = fprintf(f, ",\n%18s", "") - 2;
		else
			width += fprintf(f, ", ");
		width += fprintf(f, "%s", text);
	}
	if (width)
		putc('\n', f);
}

static bool is_disturbance(const struct metric *metric)
{
	return metric->kind == ICBENCH_METRIC_KIND_DISTURBANCE;
}

/* How often something was, and not how much of it. */
static bool is_tally(const struct metric *metric)
{
	return metric->kind == ICBENCH_METRIC_KIND_SCALAR &&
	       metric->unit == ICBENCH_UNIT_COUNT && metric->divisor == 1 &&
	       !is_warmup(metric);
}

/* Where it was longer than it had to be, or not long enough. */
static void print_warmup(FILE *f, const struct point *point)
{
	const struct metric *made = metrics_find(&point->metrics, "warmup_made");
	const struct metric *steady =
		metrics_find(&point->metrics, "warmup_steady");

	if (!made || !steady || made->hist || steady->hist ||
	    (steady->value && made->value <= point->job.params.warmup))
		return;
	fprintf(f, " %-15s: %llu operations, %s\n", "Warmed up",
		(unsigned long long)made->value,
		steady->value ? "until the samples were steady" :
				"after which the samples were not steady yet");
}

static bool is_rate(const struct metric *metric)
{
	return metric->kind == ICBENCH_METRIC_KIND_SCALAR &&
	       !is_tally(metric) && !is_operand(metric) &&
	       !is_cpu_time(metric) && !is_warmup(metric) &&
	       (metric->value || !is_wakeups(metric));
}

static void print_clock_error(FILE *f, const struct nl_clock *clock)
{
	if (NL_HAS(clock, ICBENCH_A_CLOCK_ERROR_PPM))
		fprintf(f, " %-15s: %+d ppm against the kernel's raw clock\n",
			"Clock error", clock->error_ppm);
}

/* The percentiles of the row that are a matter of chance; AFTER what that is of. */
static void print_unsupported(FILE *f, const struct metric *metric,
			      const char *after)
{
	static const enum stats_percentile shown[] = { STATS_99, STATS_999 };
	const char *sep = "";
	unsigned int i;

	if (confidence_supports(metric, STATS_999))
		return;
	fprintf(f, " %-15s: ", "Not supported");
	for (i = 0; i < ARRAY_SIZE(shown); i++) {
		if (confidence_supports(metric, shown[i]))
			continue;
		fprintf(f, "%s%s %%", sep, stats_percentile_name[shown[i]]);
		sep = ", ";
	}
	fprintf(f, " by %llu samples%s\n",
		(unsigned long long)metric->stats.count, after);
}

/* Of many rows, the one that supports least. */
static void print_least_supported(FILE *f, const struct result *result)
{
	const struct metric *metric, *least = NULL;
	bool differ = false;
	unsigned int i;

	for (i = 0; i < result->count; i++) {
		metric = metrics_main(&result->point[i].metrics);
		if (!metric || !metric->stats.count)
			continue;
		differ |= least && metric->stats.count != least->stats.count;
		if (!least || metric->stats.count < least->stats.count)
			least = metric;
	}
	if (least)
		print_unsupported(f, least, differ ?
				  ", the fewest of a row" : " a row");
}

static void print_known(FILE *f, const struct metric *metric)
{
	struct confidence confidence;
	unsigned int known = 0, p;

	for (p = 0; p < ICB_BATCH_PERCENTILES; p++) {
		if (!confidence_find(&confidence, metric, p) ||
		    confidence.state != ICB_BOUNDS_KNOWN)
			continue;
		if (known++)
			fputs(", ", f);
		else
			fprintf(f, " %-15s: ", "95 % certain");
		fprintf(f, "%g %% at %.3f..%.3f us (+-%.1f %%)",
			confidence.percent, confidence.low / 1000,
			confidence.high / 1000,
			confidence_percent(&confidence));
	}
	if (known)
		fprintf(f, ", %s%u batches of %llu\n", known > 1 ? "each, " : "",
			metric->batches,
			(unsigned long long)metric->batch_size);
}

static bool print_figure(FILE *f, const struct point *point,
			 const struct metric *metric, const char *label,
			 repeat_figure figure, bool begun)
{
	struct sample sample;
	struct range range;
	const char *unit;
	double factor;

	repeat_sample(&sample, point, metric->name, figure);
	if (!range_of_mean(&range, &sample))
		return false;
	unit = rate_unit(metric, &factor);
	if (!begun)
		fprintf(f, " %-15s: by %u runs, ", "95 % certain",
			sample.count);
	fprintf(f, "%s%s at %.3f..%.3f %s", begun ? ", " : "", label,
		range.low / factor, range.high / factor, unit);
	return true;
}

/* By how much the runs of a point differ, in what it is about. */
static void print_between(FILE *f, const struct point *point)
{
	static const struct {
		const char *label;
		repeat_figure figure;
	} figures[] = {
		{ "t_avg", repeat_mean }, { "50 %", repeat_p50 },
		{ "99 %", repeat_p99 },
	};
	static const char *const rates[] = { "bandwidth", "message_rate" };
	const struct metric *metric = metrics_main(&point->metrics);
	bool begun = false;
	unsigned int i;

	for (i = 0; metric && i < ARRAY_SIZE(figures); i++)
		begun |= print_figure(f, point, metric, figures[i].label,
				      figures[i].figure, begun);
	for (i = 0; i < ARRAY_SIZE(rates); i++) {
		metric = metrics_find(&point->metrics, rates[i]);
		if (metric && !metrics_main(&point->metrics))
			begun |= print_figure(f, point, metric, rates[i],
					      repeat_mean, begun);
	}
	if (begun)
		putc('\n', f);
}

/* Why a percentile has no interval, or has one that hides something. */
static void print_reserve(FILE *f, const struct confidence *confidence)
{
	if (confidence->state == ICB_BOUNDS_DEPENDENT)
		fprintf(f, " %-15s: %g %%: %s, correlation %.2f of %u batches of %llu\n",
			"Not independent", confidence->percent,
			"no interval, a batch depends on the one before it",
			confidence->correlation, confidence->batches,
			(unsigned long long)confidence->batch_size);
	else if (confidence->state == ICB_BOUNDS_BEYOND)
		fprintf(f, " %-15s: %g %%: no interval, it would reach beyond all samples\n",
			"Not certain", confidence->percent);
	if (confidence->step)
		fprintf(f, " %-15s: %g %% sits on a step, at most %.3f us or at least %.3f us\n",
			"Step", confidence->percent,
			confidence->step_low / 1000,
			confidence->step_high / 1000);
}

static void print_confidence(FILE *f, const struct metric *metric)
{
	struct confidence confidence;
	unsigned int p;

	print_known(f, metric);
	for (p = 0; p < ICB_BATCH_PERCENTILES; p++)
		if (confidence_find(&confidence, metric, p))
			print_reserve(f, &confidence);
}

static void print_trust(FILE *f, const struct metric *metric)
{
	if (!metric || !metric->stats.count)
		return;
	if (metric->batch_size)
		print_confidence(f, metric);
	if (metric->alternates)
		fprintf(f, " %-15s: too short and too long in turn, percentiles have no interval\n",
			"Alternating");
	print_unsupported(f, metric, "");
}

static void print_share(FILE *f, const char *name, u64 count, u64 samples)
{
	if (count)
		fprintf(f, ", %s %.1f %%", name, 100.0 * count / samples);
}

/* A cause, and what there would be of it if it explained nothing. */
static void print_cause(FILE *f, const struct tail *tail, unsigned int i)
{
	if (!tail_names(tail, i))
		return;
	print_share(f, tail_causes[i].name, tail->by[i], tail->samples);
	if (tail->by_length.by[i] * 1000 >= tail->samples)
		fprintf(f, " (%.1f %% by length)",
			100.0 * tail->by_length.by[i] / tail->samples);
}

/* What has disturbed the samples of what the run is about. */
static void print_tails(FILE *f, const struct metric *metric)
{
	const struct tail *tail;
	char name[16], label[32];
	unsigned int i, j;

	for (i = 0; i < metric->tails; i++) {
		tail = &metric->tail[i];
		tail_name(tail, name, sizeof(name));
		snprintf(label, sizeof(label), tail->percentile ?
			 "Above %s %%" : "Of %s", name);
		fprintf(f, " %-15s: %llu samples", label,
			(unsigned long long)tail->samples);
		for (j = 0; j < TAIL_CAUSES; j++)
			print_cause(f, tail, j);
		print_share(f, tail->percentile ? "unexplained" : "undisturbed",
			    tail->unexplained, tail->samples);
		putc('\n', f);
	}
}

/* What each of them was, and how fast. */
static void print_workers(FILE *f, const struct point *point)
{
	const struct icb_params *params;
	const struct metrics *metrics;
	const struct metric *metric;
	char label[24], text[128];
	double factor;
	u32 i;

	for (i = 0; i < point->workers; i++) {
		params = &point->worker[i].job.params;
		metrics = &point->worker[i].metrics;
		snprintf(label, sizeof(label), "Worker %u", i + 1);
		fprintf(f, " %-15s: %s", label, params->device);
		if (icb_params_has(params, ICBENCH_A_PARAMS_CPU))
			fprintf(f, ", CPU %u", params->cpu);
		if (icb_params_has(params, ICBENCH_A_PARAMS_PEER_CPU))
			fprintf(f, ", the peer's %u", params->peer_cpu);
		metric = metrics_find(metrics, "bandwidth");
		if (metric && write_scalar(text, sizeof(text), metric))
			fprintf(f, ", %s", text);
		metric = metrics_find(metrics, "message_rate");
		if (metric && write_scalar(text, sizeof(text), metric))
			fprintf(f, ", %s", text);
		metric = metrics_main(metrics);
		if (metric)
			fprintf(f, ", %s t_avg %.3f %s", metric->name,
				metric->stats.mean / 1000,
				rate_unit(metric, &factor));
		putc('\n', f);
	}
}

static void print_details(FILE *f, const struct result *result)
{
	const struct point *point;
	char name[160], load[96] = "";
	unsigned int i, j;

	for (i = 0; i < result->count; i++) {
		point = &result->point[i];
		section_point(&result->recipe->sections, result->plan, i, name,
			      sizeof(name));
		if (result->plan->loaded)
			load_name(result->plan, i, load, sizeof(load));
		if (*name || *load)
			fprintf(f, " %s%s%s%s\n", name, *name && *load ? " " : "",
				*load ? "load:" : "", load);
		if (metrics_main(&point->metrics)) {
			print_scalars(f, &point->metrics, is_rate, "Rates");
			print_scalars(f, &point->metrics, is_tally, "Counts");
		}
		print_scalars(f, &point->metrics, is_cpu_time, "CPU time");
		print_scalars(f, &point->metrics, is_disturbance,
			      "Disturbance");
		print_warmup(f, point);
		print_workers(f, point);
		print_between(f, point);
		print_intervals(f, &point->metrics);
		print_trust(f, metrics_main(&point->metrics));
		for (j = 0; j < point->metrics.count; j++)
			print_tails(f, &point->metrics.metric[j]);
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

/* Its stages are what such a run is about. */
static bool has_stages(const struct result *result)
{
	return result->count && result->point[0].job.params.stages;
}

static void print_knee(FILE *f, const struct result *result,
		       const struct knee *knee)
{
	const struct icb_param *param = result->recipe->knee;
	char name[160], holds[24], falls[24], peak[24];
	struct plan others = *result->plan;
	double factor;
	const char *unit = rate_unit(knee->metric, &factor);
	double at = param->type == ICB_PARAM_SHARE ? knee->at / 10 : knee->at;

	others.varying &= ~BIT_ULL(param->attr);
	plan_name(&others, &result->point[knee->first].job.params, name,
		  sizeof(name));
	if (knee->repeated || knee->peaks > 1)
		fprintf(f, " %-15s: the mean of %u runs that %s the greatest\n",
			"Peak", knee->peaks, knee->repeated ? "repeat" :
			"cannot be told from");
	number_print(holds, sizeof(holds), param->type, knee->holds);
	number_print(falls, sizeof(falls), param->type, knee->falls);
	snprintf(peak, sizeof(peak), "%.3f", knee->peak / factor);
	fprintf(f, " %-15s: %s%s%s %s %u %% of its peak, %s %s, ", "Knee",
		name, *name ? ": " : "", knee->metric->name,
		knee->found ? "falls below" : "has at least", KNEE_PERCENT,
		peak, unit);
	if (knee->found)
		fprintf(f, "at %s=%s; it has it at %s, and about at %.*f\n",
			param->name, falls, holds, at < 100 ? 2 : 0, at);
	else
		fprintf(f, "up to %s=%s\n", param->name, holds);
}

static void print_range(FILE *f, const struct range *range, double factor)
{
	fprintf(f, "; 95 %% certain: %.3f..%.3f%s", range->low / factor,
		range->high / factor, range_has_zero(range) ?
		", not distinguishable from 0" : "");
}

static void print_quantity(FILE *f, const struct quantity *quantity,
			   const struct derived *derived)
{
	bool time = !strcmp(quantity->unit, "ns");
	bool count = !strcmp(quantity->unit, "count");
	char value[32] = "-";

	if (derived->known)
		snprintf(value, sizeof(value), "%.*f", count ? 0 : 3,
			 time ? derived->value / 1000 : derived->value);
	fprintf(f, " %-15s: %*s %-5s %s", quantity->name, WIDTH, value,
		time ? "us" : count ? "" : quantity->unit, quantity->what);
	if (derived->bounded)
		print_range(f, &derived->range, time ? 1000 : 1);
	putc('\n', f);
}

/* What is so of a run, in words, and then what is worked out of it in figures. */
static void print_derived_each(FILE *f, const struct result *result,
			       unsigned int index)
{
	const struct derivation *derivation = result->recipe->derivation;
	struct derived derived[DERIVE_MAX];
	char name[160], load[96] = "";
	const char *sep = "";
	bool told = false;
	unsigned int i;

	if (!derive_each(result, index, derived))
		return;
	section_point(&result->recipe->sections, result->plan, index, name,
		      sizeof(name));
	if (result->plan->loaded)
		load_name(result->plan, index, load, sizeof(load));
	fprintf(f, " %s%s%s:", name, *load ? " load:" : "", load);
	for (i = 0; i < derivation->eachs; i++) {
		if (derivation->each[i].unit || !derived[i].known)
			continue;
		told = true;
		if (!derived[i].value)
			continue;
		fprintf(f, "%s %s", sep, derivation->each[i].what);
		sep = ",";
	}
	fputs(told && !*sep ? " -\n" : "\n", f);
	for (i = 0; i < derivation->eachs; i++)
		if (derivation->each[i].unit && derived[i].known)
			print_quantity(f, &derivation->each[i], &derived[i]);
}

static void print_derived(FILE *f, const struct result *result)
{
	const struct derivation *derivation = result->recipe->derivation;
	struct derived derived[DERIVE_MAX];
	unsigned int i, known;

	if (!derivation)
		return;
	known = derive_values(result, derived);
	for (i = 0; !known && i < result->count; i++)
		known = derive_each(result, i, derived);
	if (!known)
		return;
	fprintf(f, " %s, %s\n", derivation->title, derivation->basis);
	if (!plan_repeats(result->plan) && !derivation->once)
		fputs(" No interval    : each was run once (--repeat 3)\n", f);
	if (derivation->table)
		print_derived_table(f, result);
	for (i = 0; !derivation->table && i < result->count; i++)
		print_derived_each(f, result, i);
	derive_values(result, derived);
	for (i = 0; i < derivation->quantities; i++)
		if (derived[i].known || !derivation->quantity[i].optional)
			print_quantity(f, &derivation->quantity[i],
				       &derived[i]);
}

static void print_trace(FILE *f, const struct trace *trace)
{
	if (!trace)
		return;
	if (trace->state == TRACE_ON)
		fputs(" Trace          : none, no sample was beyond the threshold\n", f);
	if (trace->state == TRACE_KEPT)
		fprintf(f, " Trace          : %s%s%s\n", trace->name,
			*trace->fs.missing ? ", without events of " : "",
			trace->fs.missing);
}

/* What an overhead is, and how far it can be trusted. */
static void print_basis(FILE *f, const struct result *result)
{
	char baseline[96];

	result_baseline(result, baseline, sizeof(baseline));
	fprintf(f, " overhead: t_avg less that of %s%s\n", baseline,
		plan_repeats(result->plan) ?
		", from the mean of each run; not distinguishable: 0 is in the interval" :
		"; no interval, as each was run once (--repeat 3)");
}

/**
 * print_text_end() - print what follows the rows
 * @f: where to
 * @result: the result
 * @details: also what a sweep leaves out for being too long
 */
void print_text_end(FILE *f, const struct result *result, bool details)
{
	struct knee knee;
	unsigned int i;

	if (result->count) {
		fputs(RULE, f);
		if (plan_subtracts(result->plan))
			print_basis(f, result);
	}
	print_startups(f, result);
	for (i = 0; i < result->count; i++)
		if (knee_find(&knee, result, i))
			print_knee(f, result, &knee);
	print_derived(f, result);
	details = details || result->plan->count == 1;
	if (details || times_calls(result) || has_stages(result))
		print_calls(f, result);
	for (i = 0; i < result->count; i++)
		print_absent(f, &result->point[i]);
	if (details)
		print_details(f, result);
	else
		print_least_supported(f, result);
	print_few_windows(f, result);
	print_trace(f, result->trace);
	if (*result->reason)
		fprintf(f, " PARTIAL: %s\n", result->reason);
	fflush(f);
}
