/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPARE_COMPARISON_H
#define COMPARE_COMPARISON_H

#include <stdio.h>

#include "pair.h"
#include "verdict.h"

/* Default thresholds for clocks that count instructions, and for clocks of time; percent. */
#define THRESHOLD_ICOUNT	1
#define THRESHOLD_TIME		5

/**
 * struct row - a figure of a point
 * @pair: the point
 * @metric: name of the metric, owned by a document
 * @unit: unit of the metric, owned by a document
 * @name: name of the figure: @metric and the suffix of its statistic
 * @better: direction in which the figure is better
 * @has: sides whose documents all have the figure
 * @difference: the comparison
 */
struct row {
	const struct pair *pair;
	const char *metric;
	const char *unit;
	char name[80];
	enum better better;
	bool has[SIDES];
	struct difference difference;
};

/**
 * struct comparison - a comparison of documents
 * @groups: the documents
 * @notes: differences that make them incomparable
 * @pairs: the matched points
 * @row: figures of all points, in their order; allocated
 * @rows: number of figures
 * @threshold: least change that is a regression, percent
 * @icount: true if the clocks of all documents count instructions
 * @verdicts: number of figures with each verdict
 * @regressions: number of regressions
 */
struct comparison {
	struct groups groups;
	struct notes notes;
	struct pairs pairs;
	struct row *row;
	unsigned int rows;
	double threshold;
	bool icount;
	unsigned int verdicts[VERDICTS];
	unsigned int regressions;
};

int comparison_read(struct comparison *comparison,
		    char *const *const paths[SIDES], struct icb_reason *why);
void comparison_make(struct comparison *comparison, double threshold);
char *comparison_select(struct comparison *comparison,
			char *const *names);
char *comparison_select_file(struct comparison *comparison, const char *file,
			     char *const *names);
void comparison_count(struct comparison *comparison);
void comparison_free(struct comparison *comparison);

#endif /* COMPARE_COMPARISON_H */
