// SPDX-License-Identifier: GPL-2.0
/* The figures of a metric in a document, and the interval that the document gives each. */
#include <math.h>
#include <string.h>
#include <json-c/json.h>

#include "document.h"
#include "estimate.h"

/* Relative width of a histogram's bucket. */
#define BUCKET	(1.0 / 128)

/*
 * With a clock that counts instructions a minimum repeats to the instruction. A mean, a
 * rate or a cost repeats to this share, because a tick may be in another sample.
 */
#define REPEATS	0.0005

/* Metrics whose direction does not follow from their unit. */
static const struct {
	const char *name;
	enum better better;
} directions[] = {
	{ "accepted", BETTER_HIGHER },
	{ "availability", BETTER_HIGHER },
	{ "fairness", BETTER_HIGHER },
	{ "foreign", BETTER_LOWER },
	{ "lost", BETTER_LOWER },
	{ "missed_events", BETTER_LOWER },
	{ "peer_lost", BETTER_LOWER },
	{ "spurious_wakeups", BETTER_LOWER },
	{ "torn", BETTER_LOWER },
	{ "unanswered", BETTER_LOWER },
	{ "wakeups_per_message", BETTER_LOWER },
	{ "clock_offset", BETTER_NEITHER },
	{ "elapsed", BETTER_NEITHER },
	{ "offered_rate", BETTER_NEITHER },
	{ "peer_elapsed", BETTER_NEITHER },
};

/**
 * estimate_better() - find the direction in which a metric is better
 * @metric: name of the metric
 * @unit: unit of the metric
 *
 * Return: the direction.
 */
enum better estimate_better(const char *metric, const char *unit)
{
	size_t i;

	for (i = 0; i < sizeof(directions) / sizeof(*directions); i++)
		if (!strcmp(directions[i].name, metric))
			return directions[i].better;
	if (!strcmp(unit, "ns"))
		return BETTER_LOWER;
	if (!strcmp(unit, "B/s") || !strcmp(unit, "1/s"))
		return BETTER_HIGHER;
	return BETTER_NEITHER;
}

/* Names of the percentiles in documents. */
static const char *const percentiles[STATISTICS] = {
	[STATISTIC_P50] = "50",
	[STATISTIC_P90] = "90",
	[STATISTIC_P99] = "99",
	[STATISTIC_P999] = "99.9",
	[STATISTIC_P9999] = "99.99",
};

static const char *const suffixes[STATISTICS] = {
	[STATISTIC_VALUE] = "",
	[STATISTIC_MIN] = ".min",
	[STATISTIC_MEAN] = ".mean",
	[STATISTIC_P50] = ".p50",
	[STATISTIC_P90] = ".p90",
	[STATISTIC_P99] = ".p99",
	[STATISTIC_P999] = ".p99.9",
	[STATISTIC_P9999] = ".p99.99",
};

/**
 * estimate_suffix() - the part of a figure's name behind the name of its metric
 * @statistic: the figure
 *
 * Return: the suffix.
 */
const char *estimate_suffix(enum statistic statistic)
{
	return suffixes[statistic];
}

static struct json_object *member(struct json_object *object, const char *key)
{
	return json_object_is_type(object, json_type_object) ?
		json_object_object_get(object, key) : NULL;
}

/* True if the array @key of @object has the string @name. */
static bool lists(struct json_object *object, const char *key, const char *name)
{
	struct json_object *array = member(object, key);
	size_t i;

	if (!json_object_is_type(array, json_type_array))
		return false;
	for (i = 0; i < json_object_array_length(array); i++)
		if (!strcmp(json_object_get_string(json_object_array_get_idx(array, i)) ? : "",
			    name))
			return true;
	return false;
}

static bool is_false(struct json_object *metric, const char *key)
{
	struct json_object *value = member(metric, key);

	return json_object_is_type(value, json_type_boolean) &&
	       !json_object_get_boolean(value);
}

/* Take an interval, which contains the value. */
static bool take_interval(struct estimate *estimate, struct json_object *object)
{
	double low, high;

	if (!document_number(object, "low", &low) ||
	    !document_number(object, "high", &high) || low > high)
		return false;
	estimate->low = low < estimate->value ? low : estimate->value;
	estimate->high = high > estimate->value ? high : estimate->value;
	return true;
}

/* Interval of a mean or of a scalar, from the batches or the runs of the document. */
static void find_interval(struct estimate *estimate, struct json_object *metric)
{
	if (is_false(metric, "supported"))
		estimate->why_not = "the run is too short for it";
	else if (take_interval(estimate, member(metric, "interval")) ||
		 take_interval(estimate, metric))
		return;
	else if (is_false(metric, "independent"))
		estimate->why_not = "its samples depend on each other";
	else if (json_object_get_boolean(member(metric, "few_decide")))
		estimate->why_not = "a few long samples decide it";
	else
		estimate->why_not = "the document has no interval of it";
}

static void find_percentile(struct estimate *estimate,
			    struct json_object *metric, const char *name)
{
	struct json_object *confidence = member(metric, "confidence");

	if (take_interval(estimate, member(confidence, name)))
		return;
	if (lists(confidence, "dependent", name))
		estimate->why_not = "its samples depend on each other";
	else if (lists(confidence, "beyond", name))
		estimate->why_not = "its interval ends beyond the samples";
	else
		estimate->why_not = "the document has no interval of it";
}

static void widen(struct estimate *estimate, double half)
{
	estimate->low = estimate->value - half;
	estimate->high = estimate->value + half;
}

/* Set the interval to the histogram's bucket of the value: the percentile is in it. */
static void find_bucket(struct estimate *estimate, struct json_object *metric)
{
	struct json_object *rows = member(metric, "histogram"), *row;
	const double value = estimate->value;
	double low, high;
	size_t i;

	widen(estimate, fabs(value) * BUCKET);
	if (!json_object_is_type(rows, json_type_array))
		return;
	for (i = 0; i < json_object_array_length(rows); i++) {
		row = json_object_array_get_idx(rows, i);
		if (!json_object_is_type(row, json_type_array) ||
		    json_object_array_length(row) < 2)
			continue;
		low = json_object_get_double(json_object_array_get_idx(row, 0));
		high = json_object_get_double(json_object_array_get_idx(row, 1));
		if (low > value || high < value)
			continue;
		estimate->low = low;
		estimate->high = high;
		return;
	}
}

static bool find_value(struct estimate *estimate, struct json_object *metric,
		       enum statistic statistic)
{
	double count;

	if (statistic == STATISTIC_VALUE)
		return document_number(metric, "value", &estimate->value);
	if (!document_number(metric, "count", &count) || count <= 0)
		return false;
	if (statistic == STATISTIC_MIN || statistic == STATISTIC_MEAN)
		return document_number(metric, suffixes[statistic] + 1,
				       &estimate->value);
	return document_number(member(metric, "percentiles"),
			       percentiles[statistic], &estimate->value);
}

/**
 * estimate_of() - read a figure of a metric
 * @estimate: takes the figure and its interval
 * @metric: the metric in a document
 * @statistic: the figure
 * @icount: true if the clock counts instructions: each figure is exact
 *
 * Return: false if the metric has no such figure.
 */
bool estimate_of(struct estimate *estimate, struct json_object *metric,
		 enum statistic statistic, bool icount)
{
	const char *percentile = percentiles[statistic];

	memset(estimate, 0, sizeof(*estimate));
	if (!find_value(estimate, metric, statistic))
		return false;
	estimate->low = estimate->value;
	estimate->high = estimate->value;
	if (percentile && lists(metric, "unsupported", percentile)) {
		estimate->few = true;
		estimate->why_not = "too few samples";
	} else if (icount) {
		if (percentile)
			find_bucket(estimate, metric);
		else if (statistic != STATISTIC_MIN)
			widen(estimate, fabs(estimate->value) * REPEATS);
	} else if (percentile) {
		find_percentile(estimate, metric, percentile);
	} else if (statistic == STATISTIC_MIN) {
		estimate->why_not = "a minimum has no interval";
	} else {
		find_interval(estimate, metric);
	}
	return true;
}
