// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "metric.h"

static const char *const unit_names[] = {
	[ICBENCH_UNIT_NS] = "ns",
	[ICBENCH_UNIT_BYTES_PER_SECOND] = "B/s",
	[ICBENCH_UNIT_PER_SECOND] = "1/s",
	[ICBENCH_UNIT_COUNT] = "count",
	[ICBENCH_UNIT_PERCENT] = "%",
	[ICBENCH_UNIT_BYTES] = "B",
};

/**
 * metric_unit() - the name of a metric's unit in results
 * @metric: the metric
 *
 * Return: the unit's name.
 */
const char *metric_unit(const struct metric *metric)
{
	return metric->unit < ARRAY_SIZE(unit_names) ?
		unit_names[metric->unit] : "unknown";
}

/**
 * metrics_any() - check whether a run measured anything
 * @metrics: metrics of the run
 *
 * Return: true if there are metrics other than disturbances.
 */
bool metrics_any(const struct metrics *metrics)
{
	unsigned int i;

	for (i = 0; i < metrics->count; i++)
		if (metrics->metric[i].kind != ICBENCH_METRIC_KIND_DISTURBANCE)
			return true;
	return false;
}

/**
 * metrics_main() - the distribution that a run is about
 * @metrics: metrics of the run
 *
 * Return: the first metric, if it is a distribution; NULL if it is a rate.
 */
const struct metric *metrics_main(const struct metrics *metrics)
{
	return metrics->count && metrics->metric[0].hist ?
		&metrics->metric[0] : NULL;
}

/**
 * metrics_find() - find a metric by its name
 * @metrics: metrics of the run
 * @name: the name
 *
 * Return: the metric, owned by @metrics; NULL if there is none.
 */
struct metric *metrics_find(const struct metrics *metrics, const char *name)
{
	unsigned int i;

	for (i = 0; i < metrics->count; i++)
		if (!strcmp(metrics->metric[i].name, name))
			return &metrics->metric[i];
	return NULL;
}

/**
 * metrics_free() - free the metrics of a run
 * @metrics: the metrics; empty afterwards
 */
void metrics_free(struct metrics *metrics)
{
	unsigned int i;

	for (i = 0; i < metrics->count; i++) {
		free(metrics->metric[i].hist);
		free(metrics->metric[i].sample);
	}
	free(metrics->metric);
	metrics->metric = NULL;
	metrics->count = 0;
}
