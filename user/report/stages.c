// SPDX-License-Identifier: GPL-2.0
/* Plot of the stages between the arrival of a message and its waiter, as stacked bars. */
#include <stdlib.h>

#include "model/engine.h"
#include "page.h"
#include "points.h"
#include "scale.h"
#include "stages.h"

/* Most bars of a plot. */
#define BARS_MAX	24

/* The stages in the order of time; those of a message add up to the metric "interrupt". */
static const char *const stages[] = { "deliver", "handler", "wake", "reap" };

static void add_bar(struct plot *plot, const struct points *points,
		    size_t index, int row, double factor, bool *seen)
{
	struct estimate estimate;
	double from = 0;
	unsigned int i;
	char *label;

	for (i = 0; i < ARRAY_SIZE(stages); i++) {
		if (!points_figure(points, index, stages[i], STATISTIC_MEAN,
				   &estimate))
			continue;
		plot_box(plot, from, from + estimate.value / factor, row, i);
		from += estimate.value / factor;
		seen[i] = true;
	}
	label = points_label(points, index, NULL);
	plot_tic(&plot->y, row, *label ? label : "all");
	free(label);
}

/**
 * stages_plot() - add a plot of the stages of each point that has them
 * @page: the page
 * @points: the points of the result
 */
void stages_plot(struct page *page, const struct points *points)
{
	bool seen[ARRAY_SIZE(stages)] = { false };
	struct estimate estimate;
	struct scale scale;
	struct plot plot;
	double most = 0;
	unsigned int i;
	int row = 0;
	size_t at;

	for (at = 0; at < points->count; at++)
		if (points_figure(points, at, "interrupt", STATISTIC_MEAN,
				  &estimate) && estimate.value > most)
			most = estimate.value;
	scale = scale_of("ns", most, points->doc->icount);
	plot_begin(&plot, "Stages from the arrival to the waiter");
	plot.x.zero = true;
	plot_axis(&plot.x, "mean time", scale.unit);
	for (at = 0; at < points->count && -row < BARS_MAX; at++)
		if (points_figure(points, at, "interrupt", STATISTIC_MEAN, &estimate))
			add_bar(&plot, points, at, row--, scale.factor, seen);
	for (i = 0; i < ARRAY_SIZE(stages); i++)
		if (seen[i])
			plot_key(&plot, i, stages[i]);
	plot.height = 90 + 30 * -row;
	page_plot(page, &plot);
}
