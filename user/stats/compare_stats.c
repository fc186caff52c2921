// SPDX-License-Identifier: GPL-2.0
/*
 * Confidence intervals of means and of differences of means, from one value for each run,
 * and the trimmed mean of a histogram.
 */
#include <math.h>

#include "compare_stats.h"

/* More degrees of freedom are treated as this many: Student's t hardly changes. */
#define DF_MAX		1000
/* Terms of the continued fraction: enough for DF_MAX and t from T_LOW on. */
#define TERMS		100
/* The quantile is between these for 1 to DF_MAX degrees of freedom. */
#define T_LOW		1.9
#define T_HIGH		12.8
/* Bisections of that range: down to 1e-9. */
#define HALVINGS	34
/* Probability of a value outside of the interval, on either side. */
#define OUTSIDE		0.05

/* A numerator of the continued fraction of the incomplete beta function. */
static double numerator(double a, double b, double x, unsigned int k)
{
	const unsigned int m = k / 2;

	if (k % 2)
		return -(a + m) * (a + b + m) * x /
		       ((a + 2 * m) * (a + 2 * m + 1));
	return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
}

/* The regularized incomplete beta function, for x below (a + 1) / (a + b + 2). */
static double incomplete_beta(double a, double b, double x)
{
	double fraction = 1;
	unsigned int k;

	for (k = TERMS; k; k--)
		fraction = 1 + numerator(a, b, x, k) / fraction;
	return exp(a * log(x) + b * log1p(-x) + lgamma(a + b) - lgamma(a) -
		   lgamma(b)) / (a * fraction);
}

/**
 * student_t() - Student's t with 95 % of the distribution between -t and t
 * @df: degrees of freedom, 1 or more, not necessarily whole
 *
 * Return: t.
 */
double student_t(double df)
{
	double low = T_LOW, high = T_HIGH, t;
	unsigned int i;

	df = df < 1 ? 1 : df > DF_MAX ? DF_MAX : df;
	for (i = 0; i < HALVINGS; i++) {
		t = (low + high) / 2;
		if (incomplete_beta(df / 2, 0.5, df / (df + t * t)) > OUTSIDE)
			low = t;
		else
			high = t;
	}
	return (low + high) / 2;
}

/**
 * sample_add() - add the figure of one more run
 * @sample: sample to add to; figures beyond SAMPLE_MAX are left out
 * @figure: the figure
 */
void sample_add(struct sample *sample, const struct figure *figure)
{
	if (sample->count == SAMPLE_MAX)
		return;
	sample->value[sample->count++] = figure->value;
	sample->error += figure->error;
}

/**
 * sample_mean() - arithmetic mean of a sample
 * @sample: the sample, not empty
 *
 * Return: the mean.
 */
double sample_mean(const struct sample *sample)
{
	double sum = 0;
	unsigned int i;

	/* offsets from the first value: the mean of equal values is exact */
	for (i = 1; i < sample->count; i++)
		sum += sample->value[i] - sample->value[0];
	return sample->value[0] + sum / sample->count;
}

/* Square of the standard error of the mean; needs two values or more. */
static double squared_error(const struct sample *sample)
{
	const double mean = sample_mean(sample);
	double d, sum = 0;
	unsigned int i;

	for (i = 0; i < sample->count; i++) {
		d = sample->value[i] - mean;
		sum += d * d;
	}
	return sum / sample->count / (sample->count - 1);
}

static void spread(struct range *range, double value, double half)
{
	range->value = value;
	range->low = value - half;
	range->high = value + half;
}

/**
 * range_of_mean() - the confidence interval of a mean
 * @range: takes the interval
 * @sample: a value for each run; for paired differences, a difference for each pair
 *
 * Uses Student's t for independent runs. Adds the mean error of the values, which may be
 * common to all runs.
 *
 * Return: false for fewer than two values.
 */
bool range_of_mean(struct range *range, const struct sample *sample)
{
	if (sample->count < 2)
		return false;
	spread(range, sample_mean(sample),
	       student_t(sample->count - 1) * sqrt(squared_error(sample)) +
	       sample->error / sample->count);
	return true;
}

/**
 * range_of_difference() - the confidence interval of a difference of two means
 * @range: takes the interval of the mean of @a minus the mean of @b
 * @a: a value for each run of one kind
 * @b: a value for each run of another kind
 *
 * Uses Welch's t: the runs are independent, and the two kinds may have different
 * variances. Adds the mean errors of both kinds.
 *
 * Return: false if either kind has fewer than two values.
 */
bool range_of_difference(struct range *range, const struct sample *a,
			 const struct sample *b)
{
	double of_a, of_b, both, df, half = 0;

	if (a->count < 2 || b->count < 2)
		return false;
	of_a = squared_error(a);
	of_b = squared_error(b);
	both = of_a + of_b;
	if (both > 0) {
		df = both * both / (of_a * of_a / (a->count - 1) +
				    of_b * of_b / (b->count - 1));
		half = student_t(df) * sqrt(both);
	}
	spread(range, sample_mean(a) - sample_mean(b),
	       half + a->error / a->count + b->error / b->count);
	return true;
}

/**
 * range_has_zero() - check whether a difference may be zero
 * @range: interval of the difference
 *
 * Return: true if 0 is in the interval: the two figures are not distinguishable.
 */
bool range_has_zero(const struct range *range)
{
	return range->low <= 0 && range->high >= 0;
}

/**
 * range_below() - check whether one figure is distinguishably less than another
 * @a: interval of the one figure
 * @b: interval of the other figure
 *
 * Return: true if all of @a is below all of @b. If neither is below the other, the
 * intervals overlap: the figures are tied.
 */
bool range_below(const struct range *a, const struct range *b)
{
	return a->high < b->low;
}

/* Bounds of a sum of samples. */
struct bounds {
	long double low;
	long double high;
};

static u64 low_of(const struct icb_hist *hist, unsigned int bucket)
{
	return max_t(u64, icb_hist_low(bucket), hist->min);
}

static u64 high_of(const struct icb_hist *hist, unsigned int bucket)
{
	return min_t(u64, icb_hist_high(bucket), hist->max);
}

/*
 * Bounds the sum of the samples of ranks @from to @to - 1; rank 0 is the least sample.
 * Each sample lies in its bucket; the least and the greatest sample are known exactly.
 */
static struct bounds sum_ranks(const struct icb_hist *hist, u64 from, u64 to)
{
	u64 seen = 0, first, last;
	struct bounds sum = { 0 };
	unsigned int i;

	if (from >= to)
		return sum;
	for (i = 0; i < ICB_HIST_BUCKETS && seen < to; i++) {
		first = max_t(u64, seen, from);
		seen += hist->bucket[i];
		last = min_t(u64, seen, to);
		if (first >= last)
			continue;
		sum.low += (long double)(last - first) * low_of(hist, i);
		sum.high += (long double)(last - first) * high_of(hist, i);
	}
	if (!from)
		sum.high -= high_of(hist, icb_hist_index(hist->min)) - hist->min;
	if (to == hist->count)
		sum.low += hist->max - low_of(hist, icb_hist_index(hist->max));
	return sum;
}

/**
 * trimmed_mean() - the mean of a distribution without its ends
 * @figure: takes the mean and its error
 * @hist: the distribution
 * @divisor: divisor of every value, not 0
 *
 * Leaves out TRIM_PERCENT of the samples, rounded down, at either end: a disturbance of
 * few samples has no influence. The buckets bound the remaining sum in two ways: by the
 * buckets of the remaining samples, and by the exact sum minus the buckets of the others.
 * The value is the middle of the range that both allow, and its error is half of that
 * range.
 *
 * Return: false for an empty distribution.
 */
bool trimmed_mean(struct figure *figure, const struct icb_hist *hist,
		  u32 divisor)
{
	long double sum, left;
	const u64 cut = hist->count / 100 * TRIM_PERCENT +
			hist->count % 100 * TRIM_PERCENT / 100;
	struct bounds least, middle, most;

	if (!hist->count)
		return false;
	least = sum_ranks(hist, 0, cut);
	middle = sum_ranks(hist, cut, hist->count - cut);
	most = sum_ranks(hist, hist->count - cut, hist->count);
	sum = (long double)hist->origin * hist->count + (long double)hist->sum;
	middle.low = fmaxl(middle.low, sum - least.high - most.high);
	middle.high = fminl(middle.high, sum - least.low - most.low);
	left = (long double)(hist->count - 2 * cut) * divisor;
	figure->value = (double)((middle.low + middle.high) / 2 / left);
	figure->error = (double)(fmaxl(middle.high - middle.low, 0) / 2 / left);
	return true;
}
