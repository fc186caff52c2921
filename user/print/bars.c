// SPDX-License-Identifier: GPL-2.0
#include <math.h>

#include "bars.h"
#include "layout.h"
#include "plan/result.h"
#include "scale.h"

/* Columns of a histogram, and of the bar of the whole interrupt. */
#define BINS		48
#define BAR		40

/* Columns of the name and of the time of a stage. */
#define STAGE_WIDTH	12
#define TIME_WIDTH	9

/* Eighths of a block, from the bottom and from the left. */
static const char *const heights[] = {
	" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█",
};

static const char *const lengths[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };

/*
 * Count the samples of a histogram in BINS intervals of one ratio.
 * @low: least sample, not divided
 * @high: greatest sample, not divided
 */
static void count_bins(u64 bin[BINS], const struct icb_hist *hist, double low,
		       double high)
{
	unsigned int i, at;
	double value;

	memset(bin, 0, BINS * sizeof(*bin));
	for (i = 0; i < ICB_HIST_BUCKETS; i++) {
		if (!hist->bucket[i])
			continue;
		value = fmin(fmax((double)icb_hist_low(i), low), high);
		at = log(value / low) / log(high / low) * BINS;
		bin[at < BINS ? at : BINS - 1] += hist->bucket[i];
	}
}

/* Height of a bin in eighths: by the logarithm, so that rare samples are visible. */
static unsigned int height_of(u64 count, u64 most)
{
	if (!count)
		return 0;
	if (most < 2)
		return 8;
	return 1 + lround(7 * log(count) / log(most));
}

/**
 * print_histogram() - print a distribution as one line
 * @f: output stream
 * @metric: the distribution; nothing is printed if its samples do not differ
 *
 * Both axes are logarithmic.
 */
void print_histogram(FILE *f, const struct metric *metric)
{
	const double low = metric->stats.min * metric->divisor;
	const double high = metric->stats.max * metric->divisor;
	const struct scale *scale = scale_times(metric->stats.percentile[STATS_50],
						metric->stats.max);
	char picture[BINS * 4 + 1] = "", least[32], most[32];
	u64 bin[BINS], top = 0;
	unsigned int i;

	if (low < 1 || high <= low)
		return;
	count_bins(bin, metric->hist, low, high);
	for (i = 0; i < BINS; i++)
		if (bin[i] > top)
			top = bin[i];
	for (i = 0; i < BINS; i++)
		strcat(picture, heights[height_of(bin[i], top)]);
	scale_write(least, sizeof(least), metric->stats.min / scale->ns);
	scale_write(most, sizeof(most), metric->stats.max / scale->ns);
	layout_left(f, "Histogram", 15);
	fprintf(f, ": %s %s %s %s, logarithmic\n", least, picture, most,
		scale->unit);
}

static void write_bar(char *buf, double share)
{
	unsigned int eighths = lround(fmin(fmax(share, 0), 1) * BAR * 8);

	buf[0] = '\0';
	for (; eighths >= 8; eighths -= 8)
		strcat(buf, heights[8]);
	strcat(buf, lengths[eighths]);
}

/*
 * Print a stage. The bar is its share of the total; a stage that is no part of the total
 * has none.
 */
static void print_stage(FILE *f, const struct scale *scale,
			const struct metric *metric, double total)
{
	char bar[BAR * 4 + 1], value[32];

	scale_write(value, sizeof(value), metric->stats.mean / scale->ns);
	layout_left(f, metric->name, STAGE_WIDTH);
	layout_right(f, value, TIME_WIDTH);
	fprintf(f, " %s", scale->unit);
	if (total > 0) {
		write_bar(bar, metric->stats.mean / total);
		fprintf(f, " %5.1f %%%s%s", 100 * metric->stats.mean / total,
			*bar ? " " : "", bar);
	}
	putc('\n', f);
}

/**
 * print_stages() - print the stages of an event as bars
 * @f: output stream
 * @point: the point; nothing is printed if it has no stages
 * @name: name of the point; may be empty
 */
void print_stages(FILE *f, const struct point *point, const char *name)
{
	static const struct {
		const char *name;
		bool outside;
	} stages[] = {
		{ "lateness", true }, { "deliver", false },
		{ "handler", false }, { "wake", false }, { "reap", false },
		{ "interrupt", true }, { "rearm", true },
	};
	const struct metric *all = metrics_find(&point->metrics, "interrupt");
	const struct metric *metric;
	const struct scale *scale;
	unsigned int i;

	if (!point->job.params.stages || !all || !all->hist || !all->stats.count)
		return;
	scale = scale_times(all->stats.mean, all->stats.mean);
	layout_line(f, "Stages", "%s%smeans of %llu messages, in %% of interrupt",
		    name, *name ? ": " : "",
		    (unsigned long long)all->stats.count);
	for (i = 0; i < ARRAY_SIZE(stages); i++) {
		metric = metrics_find(&point->metrics, stages[i].name);
		if (metric && metric->hist && metric->stats.count)
			print_stage(f, scale, metric,
				    stages[i].outside ? 0 : all->stats.mean);
	}
}
