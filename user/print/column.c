// SPDX-License-Identifier: GPL-2.0
/* Prints the columns that several tables share. */
#include "column.h"
#include "plan/load.h"
#include "plan/result.h"
#include "stats/confidence.h"

/* Keys that have a fixed column in every row. */
#define ROW_KEYS	(BIT_ULL(ICBENCH_A_PARAMS_SIZE) |	\
			 BIT_ULL(ICBENCH_A_PARAMS_ITERATIONS))

/**
 * column_is_key() - check whether a key has a column of its own
 * @varying: BIT_ULL(attribute) of each key that varies
 * @param: the key
 *
 * Return: true if the key varies and has no fixed column in every row.
 */
bool column_is_key(u64 varying, const struct icb_param *param)
{
	return (varying & ~ROW_KEYS) & BIT_ULL(param->attr);
}

/**
 * column_key_width() - get the width of a key's column
 * @result: the result
 * @param: the key
 *
 * Return: the length of its name or of its longest value.
 */
int column_key_width(const struct result *result, const struct icb_param *param)
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

/**
 * column_load_width() - get the width of the column of loads
 * @result: the result
 *
 * Return: the length of its title or of the longest name of a load.
 */
int column_load_width(const struct result *result)
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

/* Print the load of a point; or the title of its column if @point is NULL. */
static void print_load(FILE *f, const struct result *result,
		       const struct point *point)
{
	char name[96] = "load";

	if (!result->plan->loaded)
		return;
	if (point)
		load_name(result->plan, point - result->point, name,
			  sizeof(name));
	fprintf(f, " %-*s", column_load_width(result), name);
}

/**
 * print_keys() - print the columns of keys, and of the load
 * @f: output stream
 * @result: the result
 * @varying: BIT_ULL(attribute) of each key that varies
 * @point: the point of the row; NULL for the titles
 */
void print_keys(FILE *f, const struct result *result, u64 varying,
		const struct point *point)
{
	const struct icb_params *params = point ? &point->job.params : NULL;
	char value[ICB_NAMES];
	unsigned int i;

	for (i = 0; i < icb_param_count; i++) {
		const struct icb_param *param = &icb_param_table[i];

		if (!column_is_key(varying, param))
			continue;
		if (!params)
			snprintf(value, sizeof(value), "%s", param->name);
		else if (icb_params_has(params, param->attr))
			plan_value(param, params, value, sizeof(value));
		else
			snprintf(value, sizeof(value), "-");
		fprintf(f, " %-*s", column_key_width(result, param), value);
	}
	print_load(f, result, point);
}

/**
 * print_times_head() - print the titles of print_times()
 * @f: output stream
 */
void print_times_head(FILE *f)
{
	static const char *const titles[] = {
		"t_min[us]", "t_typical[us]", "t_avg[us]", "t_stdev[us]",
		"99%[us]", "99.9%[us]", "t_max[us]",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(titles); i++)
		fprintf(f, " %*s", WIDTH, titles[i]);
}

static void print_time(FILE *f, double ns)
{
	fprintf(f, " %*.3f", WIDTH, ns / 1000);
}

static void print_rare(FILE *f, const struct metric *metric,
		       enum stats_percentile percentile)
{
	if (confidence_supports(metric, percentile))
		print_time(f, metric->stats.percentile[percentile]);
	else
		fprintf(f, " %*s", WIDTH, "-");
}

/**
 * print_times() - print the columns of a distribution of times
 * @f: output stream
 * @metric: the distribution, in ns; "-" is printed for a percentile that it has too few
 *	samples for
 */
void print_times(FILE *f, const struct metric *metric)
{
	const struct stats *stats = &metric->stats;

	print_time(f, stats->min);
	print_time(f, stats->percentile[STATS_50]);
	print_time(f, stats->mean);
	print_time(f, stats->stddev);
	print_rare(f, metric, STATS_99);
	print_rare(f, metric, STATS_999);
	print_time(f, stats->max);
}
