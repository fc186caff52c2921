/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPARE_VERDICT_H
#define COMPARE_VERDICT_H

#include "estimate.h"
#include "stats/compare_stats.h"

/**
 * enum verdict - what a comparison shows of a figure
 * @VERDICT_NOT_COMPARABLE: there is no interval of the difference
 * @VERDICT_NO_DIFFERENCE: zero is in the interval of the difference
 * @VERDICT_FASTER: the new figure is better
 * @VERDICT_SLOWER: the new figure is worse
 * @VERDICT_CHANGED: the figure differs, and neither direction is better
 */
enum verdict {
	VERDICT_NOT_COMPARABLE,
	VERDICT_NO_DIFFERENCE,
	VERDICT_FASTER,
	VERDICT_SLOWER,
	VERDICT_CHANGED,
	VERDICTS,
};

extern const char *const verdict_words[VERDICTS];

/**
 * struct figures - a figure in the documents of one side
 * @count: number of documents, 1 to SAMPLE_MAX
 * @estimate: figure of each document
 * @exact: true if the clocks of all documents count instructions
 */
struct figures {
	unsigned int count;
	struct estimate estimate[SAMPLE_MAX];
	bool exact;
};

/**
 * struct difference - a figure on both sides, and what the comparison shows
 * @base: mean of the base documents
 * @new: mean of the new documents
 * @range: @new minus @base with its interval, in the unit of the figure; the interval is
 *	not set if not comparable
 * @relative: true if the figures below are known: @base is not 0
 * @percent: @range in percent of @base
 * @verdict: the verdict
 * @regression: true if the figure is slower by the threshold or more
 * @why_not: reason why the figure is not comparable; NULL if it is comparable
 */
struct difference {
	double base;
	double new;
	struct range range;
	bool relative;
	struct range percent;
	enum verdict verdict;
	bool regression;
	const char *why_not;
};

void verdict_find(struct difference *difference, const struct figures *base,
		  const struct figures *new, enum better better,
		  double threshold);

#endif /* COMPARE_VERDICT_H */
