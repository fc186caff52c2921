/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PUBLISHED_H
#define PUBLISHED_H

#include "model/engine.h"

/* Most published figures of a recipe. */
#define PUBLISHED_MAX	64

/**
 * struct published - a published figure
 * @metric: metric that measures the same, with the suffix of a statistic if it is not the
 *	mean; allocated
 * @conditions: parameters of the points that it is compared with, as "KEY:VALUE ...",
 *	allocated; empty for all points
 * @number: its value, in the unit of documents
 * @unit: unit of documents: "ns", "B/s", "1/s", "%" or "count"
 * @text: its value and its unit as published, allocated
 * @factor: divisor from the unit of documents to the published one
 * @system: system that was measured, allocated
 * @source: where it was published, allocated
 */
struct published {
	char *metric;
	char *conditions;
	double number;
	const char *unit;
	char *text;
	double factor;
	char *system;
	char *source;
};

int published_parse(struct published *published, const char *text,
		    struct icb_reason *why);
void published_free(struct published *published);

#endif /* PUBLISHED_H */
