// SPDX-License-Identifier: GPL-2.0
/* Prints the details of a point that have no place in its row. */
#include "details.h"
#include "interval.h"
#include "plan/load.h"
#include "plan/result.h"
#include "scalar.h"
#include "trust.h"

/* Longest line of numbers, columns. */
#define LINE	122

/* Print all scalars for which @wanted is true, in as few lines as possible. */
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
		len = scalar_write(text, sizeof(text), metric);
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

/*
 * Print the length of the warm-up, if it was longer than its parameter or too short. If
 * callbacks drive a ping-pong, the warm-up has one operation more than its parameter: the
 * message that the run's thread posts.
 */
static void print_warmup(FILE *f, const struct point *point)
{
	const struct metric *made = metrics_find(&point->metrics, "warmup_made");
	const struct metric *steady =
		metrics_find(&point->metrics, "warmup_steady");

	if (!made || !steady || made->hist || steady->hist ||
	    (steady->value && made->value <= point->job.params.warmup + 1))
		return;
	fprintf(f, " %-15s: %llu operations, %s\n", "Warmed up",
		(unsigned long long)made->value,
		steady->value ? "until the samples were steady" :
				"after which the samples were not steady yet");
}

static void print_clock_error(FILE *f, const struct nl_clock *clock)
{
	if (NL_HAS(clock, ICBENCH_A_CLOCK_ERROR_PPM))
		fprintf(f, " %-15s: %+d ppm against the kernel's raw clock\n",
			"Clock error", clock->error_ppm);
}

static void print_share(FILE *f, const char *name, u64 count, u64 samples)
{
	if (count)
		fprintf(f, ", %s %.1f %%", name, 100.0 * count / samples);
}

/*
 * Print the share of samples that a cause explains. In brackets is the share in which the
 * cause occurs merely because of the length of the samples.
 */
static void print_cause(FILE *f, const struct tail *tail, unsigned int i)
{
	if (!tail_names(tail, i))
		return;
	print_share(f, tail_causes[i].name, tail->by[i], tail->samples);
	if (tail->by_length.by[i] * 1000 >= tail->samples)
		fprintf(f, " (%.1f %% by length)",
			100.0 * tail->by_length.by[i] / tail->samples);
}

/* Print the causes that disturbed the samples of a metric, overall and in its tails. */
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

/* Print the device, the CPUs and the rates of each worker. */
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
		if (metric && scalar_write(text, sizeof(text), metric))
			fprintf(f, ", %s", text);
		metric = metrics_find(metrics, "message_rate");
		if (metric && scalar_write(text, sizeof(text), metric))
			fprintf(f, ", %s", text);
		metric = metrics_main(metrics);
		if (metric)
			fprintf(f, ", %s t_avg %.3f %s", metric->name,
				metric->stats.mean / 1000,
				scalar_unit(metric, &factor));
		putc('\n', f);
	}
}

/**
 * print_details() - print the details of each point that have no place in its row
 * @f: output stream
 * @result: the result
 */
void print_details(FILE *f, const struct result *result)
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
			print_scalars(f, &point->metrics, scalar_is_rate, "Rates");
			print_scalars(f, &point->metrics, scalar_is_tally, "Counts");
		}
		print_scalars(f, &point->metrics, scalar_is_cpu_time, "CPU time");
		print_scalars(f, &point->metrics, scalar_is_disturbance,
			      "Disturbance");
		print_warmup(f, point);
		print_workers(f, point);
		print_between(f, point);
		print_intervals(f, point);
		print_trust(f, metrics_main(&point->metrics));
		for (j = 0; j < point->metrics.count; j++)
			print_tails(f, &point->metrics.metric[j]);
		print_clock_error(f, &point->job.clock);
	}
}
