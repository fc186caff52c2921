/* SPDX-License-Identifier: GPL-2.0 */
/*
 * 95 % confidence intervals of figures, from the variation between runs of the same kind.
 */
#ifndef COMPARE_STATS_H
#define COMPARE_STATS_H

#include "model/hist.h"

/* Most values of a sample. */
#define SAMPLE_MAX	100

/* Share of the samples that a trimmed mean leaves out at either end, percent. */
#define TRIM_PERCENT	10

/**
 * struct figure - a value and its error bound
 * @value: the value
 * @error: most that the true value can differ from @value, due to the histogram's buckets
 */
struct figure {
	double value;
	double error;
};

/**
 * struct sample - a figure for each of several runs
 * @count: number of runs, SAMPLE_MAX at most
 * @value: value of each run
 * @error: sum of the error bounds of all values
 */
struct sample {
	unsigned int count;
	double value[SAMPLE_MAX];
	double error;
};

/**
 * struct range - a value and its 95 % confidence interval
 * @value: the value
 * @low: lower end of the interval
 * @high: upper end of the interval
 */
struct range {
	double value;
	double low;
	double high;
};

double student_t(double df);
void sample_add(struct sample *sample, const struct figure *figure);
double sample_mean(const struct sample *sample);
bool range_of_mean(struct range *range, const struct sample *sample);
bool range_of_difference(struct range *range, const struct sample *a,
			 const struct sample *b);
bool range_has_zero(const struct range *range);
bool range_below(const struct range *a, const struct range *b);
bool trimmed_mean(struct figure *figure, const struct icb_hist *hist,
		  u32 divisor);

#endif /* COMPARE_STATS_H */
