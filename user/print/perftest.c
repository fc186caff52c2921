// SPDX-License-Identifier: GPL-2.0
/*
 * Format "perftest": the columns of perftest, in its order and its units, for scripts that
 * read them. Keys that vary follow as further columns.
 */
#include "column.h"
#include "head.h"
#include "plan/result.h"
#include "print.h"
#include "table.h"

#define LATENCY								\
	" #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec] "
#define BANDWIDTH							\
	" #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]"

/* Rows, with perftest's blanks. */
#define LATENCY_ROW							\
	" %-7u %llu          %-7.2f        %-7.2f      %-7.2f  \t       %-7.2f     \t%-7.2f\t\t%-7.2f \t\t%-7.2f"
#define BANDWIDTH_ROW							\
	" %-7u    %-10llu       %-7.2f            %-7.2f\t\t   %-7.6f"

/* Perftest's MB. */
#define MB	1048576.0

static double rate(const struct metrics *metrics, const char *name)
{
	const struct metric *metric = metrics_find(metrics, name);

	return metric && !metric->hist ?
		(double)metric->value / metric->divisor : 0;
}

static void print_latency(FILE *f, const struct point *point,
			  const struct stats *stats)
{
	fprintf(f, LATENCY_ROW,
		point->job.params.size, (unsigned long long)stats->count,
		stats->min / 1000, stats->max / 1000,
		stats->percentile[STATS_50] / 1000, stats->mean / 1000,
		stats->stddev / 1000, stats->percentile[STATS_99] / 1000,
		stats->percentile[STATS_999] / 1000);
}

/* As perftest with --noPeak, which prints 0 for the peak. */
static void print_bandwidth(FILE *f, const struct point *point)
{
	fprintf(f, BANDWIDTH_ROW,
		point->job.params.size, (unsigned long long)point->job.done, 0.0,
		rate(&point->metrics, "bandwidth") / MB,
		rate(&point->metrics, "message_rate") / 1e6);
}

static void print_point(FILE *f, const struct result *result,
			const struct point *point)
{
	const struct point *first = table_first(result, point);
	const struct metric *metric = metrics_main(&point->metrics);

	if (point == result->point)
		print_head(f, result, point);
	if (point == first) {
		print_table_section(f, result, point);
		fputs(metric ? LATENCY : BANDWIDTH, f);
		print_keys(f, result, table_keys(result, first), NULL);
		putc('\n', f);
	}
	if (metric)
		print_latency(f, point, &metric->stats);
	else
		print_bandwidth(f, point);
	print_keys(f, result, table_keys(result, first), point);
	putc('\n', f);
	fflush(f);
}

static void print_end(FILE *f, const struct result *result, bool details)
{
	(void)details;
	if (result->count)
		fputs(RULE, f);
	if (*result->reason)
		fprintf(f, " PARTIAL: %s\n", result->reason);
	fflush(f);
}

const struct text_format text_perftest = {
	.name = "perftest",
	.point = print_point,
	.end = print_end,
};
