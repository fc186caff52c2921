// SPDX-License-Identifier: GPL-2.0
/* Published figures of a benchmark, beside those of a result. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/datafile.h"
#include "page.h"
#include "plan/recipe.h"
#include "points.h"
#include "published.h"
#include "table.h"

/* True if all conditions "KEY:VALUE ..." hold for a point. */
static bool holds(const struct points *points, size_t index,
		  const char *conditions)
{
	char *copy = alloc_text("%s", conditions), *next = copy, *word, *value;
	bool all = true;

	while (all && (word = strsep(&next, " "))) {
		value = strchr(word, ':');
		if (!value)
			continue;
		*value++ = '\0';
		all = points_is(points, index, word, value);
	}
	free(copy);
	return all;
}

/* The figure of a name "METRIC" or "METRIC.STATISTIC"; without one, the mean or the value. */
static bool find_figure(const struct points *points, size_t index,
			const char *name, double *value)
{
	const size_t len = strcspn(name, ".");
	char *metric = alloc_copy(name, len);
	struct estimate estimate;
	enum statistic statistic;
	bool found = false;

	for (statistic = 0; !found && statistic < STATISTICS; statistic++) {
		if (name[len] ? strcmp(estimate_suffix(statistic), name + len) :
		    statistic != STATISTIC_VALUE && statistic != STATISTIC_MEAN)
			continue;
		found = points_figure(points, index, metric, statistic, &estimate);
	}
	free(metric);
	*value = found ? estimate.value : 0;
	return found;
}

/* Find the best point: the least time, or the greatest rate. */
static bool find_best(const struct points *points,
		      const struct published *figure, double *best, size_t *at)
{
	const bool lower = estimate_better(figure->metric, figure->unit) ==
			   BETTER_LOWER;
	bool found = false;
	double value;
	size_t i;

	for (i = 0; i < points->count; i++) {
		if (!holds(points, i, figure->conditions) ||
		    !find_figure(points, i, figure->metric, &value) ||
		    (found && (lower ? value >= *best : value <= *best)))
			continue;
		found = true;
		*best = value;
		*at = i;
	}
	return found;
}

static void add_row(struct table *table, const struct points *points,
		    const struct published *figure)
{
	double best = 0;
	size_t at = 0;
	char *label;

	table_text(table, figure->metric);
	table_text(table, figure->conditions);
	table_text(table, figure->system);
	table_text(table, figure->source);
	table_text(table, figure->text);
	/* instructions are not comparable with the time of other machines */
	if (points->doc->icount || !find_best(points, figure, &best, &at)) {
		table_absent(table);
		table_absent(table);
		return;
	}
	table_number(table, best / figure->factor);
	label = points_label(points, at, NULL);
	table_text(table, *label ? label : "all");
	free(label);
}

/**
 * published_table() - add a table of published and measured figures
 * @page: the page
 * @points: the points of a result
 * @benchmark: benchmark of the result, from any source
 *
 * The table is added if there is a recipe of this name with published figures.
 */
void published_table(struct page *page, const struct points *points,
		     const char *benchmark)
{
	struct recipe recipe = { 0 };
	struct icb_reason why;
	struct table table;
	unsigned int i;

	/* a path of a document would be read */
	if (!datafile_is_name(benchmark, strlen(benchmark)) ||
	    recipe_load(&recipe, benchmark, &why)) {
		recipe_free(&recipe);
		return;
	}
	table_begin(&table, "Published figures, and the best measured ones of the same metric%s",
		    points->doc->icount ?
		    " (none: the clock counts instructions)" : "");
	table_column(&table, "metric", false);
	table_column(&table, "where", false);
	table_column(&table, "system", false);
	table_column(&table, "source", false);
	table_column(&table, "published", true);
	table_column(&table, "measured, same unit", true);
	table_column(&table, "measured point", false);
	for (i = 0; i < recipe.figures; i++)
		add_row(&table, points, &recipe.figure[i]);
	page_table(page, &table);
	recipe_free(&recipe);
}
