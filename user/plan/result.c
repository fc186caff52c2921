// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "base/alloc.h"
#include "load.h"
#include "result.h"

/**
 * result_add() - append an empty point to a result
 * @result: the result
 *
 * Return: the new point, owned by @result and valid until the next call.
 */
struct point *result_add(struct result *result)
{
	result->point = alloc_grow(result->point, result->count,
				   sizeof(*result->point));
	return &result->point[result->count++];
}

/**
 * result_device() - find the device that a point ran on
 * @result: the result
 * @point: the point
 *
 * Return: the device and port, owned by @result->devs, or NULL if unknown.
 */
const struct nl_dev *result_device(const struct result *result,
				   const struct point *point)
{
	const struct icb_params *params = &point->job.params;
	char name[ICBENCH_MAX_NAME + 1];
	const struct nl_dev *dev;
	unsigned int i;
	u32 port;

	/* the first of several devices */
	icb_params_device(params, 0, name, &port);
	for (i = 0; i < result->devs->count; i++) {
		dev = &result->devs->dev[i];
		if (!strcmp(dev->name, name) && (!port || dev->port == port))
			return dev;
	}
	return NULL;
}

/**
 * result_link() - describe the link of a device's port
 * @dev: the device and port
 * @buf: destination: "Ethernet, RoCE, 100 Gb/s"
 * @size: size of @buf, bytes
 */
void result_link(const struct nl_dev *dev, char *buf, size_t size)
{
	size_t len;

	len = snprintf(buf, size, "%s%s%s", dev->link_layer,
		       *dev->link_layer && *dev->protocol ? ", " : "",
		       dev->protocol);
	if (NL_HAS(dev, ICBENCH_A_DEV_SPEED) && len < size)
		snprintf(buf + len, size - len, "%s%g Gb/s", len ? ", " : "",
			 dev->speed / 1000.0);
}

/**
 * result_baseline() - describe the baseline of a result
 * @result: the result
 * @buf: destination: "completion=poll"; "load=no" if only loads are compared; empty if
 *	there is no baseline
 * @size: size of @buf, bytes
 */
void result_baseline(const struct result *result, char *buf, size_t size)
{
	const struct sweep *baseline = &result->recipe->baseline;
	struct icb_params params;
	char value[ICB_NAMES];

	buf[0] = '\0';
	if (!baseline->param && result->plan->loaded)
		snprintf(buf, size, "load=no");
	if (!baseline->param)
		return;
	icb_params_init(&params);
	if (sweep_set(baseline, 0, &params, NULL))
		return;
	plan_value(baseline->param, &params, value, sizeof(value));
	snprintf(buf, size, "%s=%s", baseline->param->name, value);
}

/**
 * result_point_name() - print what distinguishes a point from the others
 * @result: the result
 * @index: index of the point
 * @buf: destination: "[modes] completion=poll load:window=4"; empty for a single point
 * @size: size of @buf, bytes
 */
void result_point_name(const struct result *result, unsigned int index,
		       char *buf, size_t size)
{
	char load[96] = "";
	size_t len;

	len = section_point(&result->recipe->sections, result->plan, index, buf,
			    size);
	if (!result->plan->loaded || len >= size)
		return;
	load_name(result->plan, index, load, sizeof(load));
	snprintf(buf + len, size - len, "%sload:%s", len ? " " : "", load);
}

/**
 * result_started() - print the start time of a result
 * @result: the result
 * @buf: destination: "2025-01-31T23:59:59Z"
 * @size: size of @buf, bytes
 */
void result_started(const struct result *result, char *buf, size_t size)
{
	struct tm tm;

	gmtime_r(&result->started, &tm);
	strftime(buf, size, "%Y-%m-%dT%H:%M:%SZ", &tm);
}

/**
 * point_clear() - free the measurements of a point
 * @point: the point
 */
void point_clear(struct point *point)
{
	u32 i;

	metrics_free(&point->metrics);
	metrics_free(&point->load_metrics);
	for (i = 0; i < point->workers; i++)
		metrics_free(&point->worker[i].metrics);
	free(point->worker);
	point->worker = NULL;
	point->workers = 0;
	for (i = 0; i < point->runs; i++)
		point_clear(&point->run[i]);
	free(point->run);
	point->run = NULL;
	point->runs = 0;
}

/**
 * result_free() - free a result
 * @result: the result; empty afterwards
 */
void result_free(struct result *result)
{
	unsigned int i;

	for (i = 0; i < result->count; i++)
		point_clear(&result->point[i]);
	free(result->point);
	result->point = NULL;
	result->count = 0;
	isolation_free(&result->isolation);
}

/**
 * result_metrics() - get the metrics of a run that was not cut short
 * @result: result of all runs
 * @index: index of the run
 *
 * Return: the metrics, owned by @result; NULL if there is no such run, or if it was cut
 * short.
 */
const struct metrics *result_metrics(const struct result *result,
				     unsigned int index)
{
	if (index >= result->count ||
	    result->point[index].job.outcome != ICBENCH_OUTCOME_COMPLETE)
		return NULL;
	return &result->point[index].metrics;
}
