/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_POINTS_H
#define REPORT_POINTS_H

#include "compare/document.h"
#include "compare/estimate.h"

/* Most parameters that vary in a result. */
#define POINTS_KEYS	24

/**
 * struct points - the points of a result, and the parameters that vary between them
 * @doc: the result
 * @count: number of points
 * @key: names of the parameters; owned by @doc
 * @keys: number of these parameters
 * @sections: true if the points are of several sections
 */
struct points {
	const struct document *doc;
	size_t count;
	const char *key[POINTS_KEYS];
	unsigned int keys;
	bool sections;
};

void points_of(struct points *points, const struct document *doc);
struct json_object *points_get(const struct points *points, size_t index);
struct json_object *points_metric(const struct points *points, size_t index,
				  const char *name);
bool points_has(const struct points *points, const char *metric);
bool points_figure(const struct points *points, size_t index,
		   const char *metric, enum statistic statistic,
		   struct estimate *estimate);
bool points_typical(const struct points *points, size_t index,
		    const char *metric, struct estimate *estimate);
bool points_number(const struct points *points, size_t index, const char *key,
		   double *number);
char *points_value(const struct points *points, size_t index, const char *key);
bool points_is(const struct points *points, size_t index, const char *key,
	       const char *value);
char *points_label(const struct points *points, size_t index,
		   const char *except);
const char *points_axis(const struct points *points);
char *points_key_text(const char *key, double value);

#endif /* REPORT_POINTS_H */
