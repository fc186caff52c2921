// SPDX-License-Identifier: GPL-2.0
/* Prints metrics as numbers with their units, and classifies metrics. */
#include <string.h>

#include "column.h"
#include "scalar.h"
#include "stats/metric.h"

/**
 * scalar_unit() - get the unit in which a metric is printed
 * @metric: the metric
 * @factor: set to the divisor that converts a value to this unit
 *
 * Return: the name of the unit.
 */
const char *scalar_unit(const struct metric *metric, double *factor)
{
	switch (metric->unit) {
	case ICBENCH_UNIT_BYTES_PER_SECOND:
		*factor = 1e6;
		return "MB/s";
	case ICBENCH_UNIT_NS:
		*factor = 1000;
		return "us";
	default:
		*factor = 1;
		return metric_unit(metric);
	}
}

/**
 * scalar_title() - make the title of a metric's column
 * @metric: the metric
 * @buf: buffer for the title
 * @size: size of @buf, bytes
 *
 * Return: the width of the column, in which the title fits.
 */
int scalar_title(const struct metric *metric, char *buf, size_t size)
{
	double factor;
	int len = snprintf(buf, size, "%s[%s]", metric->name,
			   scalar_unit(metric, &factor));

	return len > WIDTH ? len : WIDTH;
}

/**
 * print_scalar() - print a metric in its column
 * @f: output stream
 * @metric: the metric, or NULL if the run lacks it; a distribution is printed as its
 *	median
 * @width: width of the column
 */
void print_scalar(FILE *f, const struct metric *metric, int width)
{
	double value, factor;
	bool whole;

	if (!metric || (metric->hist && !metric->stats.count)) {
		fprintf(f, " %*s", width, "-");
		return;
	}
	scalar_unit(metric, &factor);
	whole = !metric->hist && metric->unit == ICBENCH_UNIT_COUNT &&
		metric->divisor == 1;
	value = metric->hist ? metric->stats.percentile[STATS_50] :
			       (double)metric->value / metric->divisor;
	value /= factor;
	fprintf(f, " %*.*f", width, value < 1000 && !whole ? 3 : 0, value);
}

/**
 * scalar_write() - write a scalar as text: name, value, unit
 * @buf: buffer for the text
 * @size: size of @buf, bytes
 * @metric: the scalar
 *
 * Return: length of the whole text in bytes, as snprintf() returns it.
 */
int scalar_write(char *buf, size_t size, const struct metric *metric)
{
	double value = (double)metric->value / metric->divisor;

	switch (metric->unit) {
	case ICBENCH_UNIT_NS:
		return snprintf(buf, size, "%s %.3f us", metric->name,
				value / 1000);
	case ICBENCH_UNIT_BYTES_PER_SECOND:
		return snprintf(buf, size, "%s %.3f MB/s", metric->name,
				value / 1e6);
	case ICBENCH_UNIT_PER_SECOND:
		return snprintf(buf, size, "%s %.*f /s", metric->name,
				value < 100 ? 3 : 0, value);
	case ICBENCH_UNIT_PERCENT:
		return snprintf(buf, size, "%s %.3f %%", metric->name, value);
	case ICBENCH_UNIT_BYTES:
		return snprintf(buf, size, "%s %.3f B", metric->name, value);
	default:
		return snprintf(buf, size, "%s %.*f", metric->name,
				metric->divisor > 1 ? 3 : 0, value);
	}
}

/**
 * scalar_is_operand() - check whether rates are computed from a metric
 * @metric: the metric
 *
 * Return: true for bytes and elapsed time.
 */
bool scalar_is_operand(const struct metric *metric)
{
	static const char *const names[] = {
		"bytes", "elapsed", "peer_bytes", "peer_elapsed",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(metric->name, names[i]))
			return true;
	return false;
}

/**
 * scalar_is_cpu_time() - check whether a metric belongs to the line of CPU times
 * @metric: the metric
 *
 * Return: true for the variants of cpu_per_message, and for the background CPU time that
 * was subtracted from them.
 */
bool scalar_is_cpu_time(const struct metric *metric)
{
	static const char *const names[] = {
		"cpu_per_message_both", "cpu_per_message_one",
		"cpu_per_message_run", "cpu_background",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(metric->name, names[i]))
			return true;
	return false;
}

/**
 * scalar_is_warmup() - check whether a metric describes the warm-up
 * @metric: the metric
 *
 * Return: true for the length of the warm-up, and for whether it was long enough.
 */
bool scalar_is_warmup(const struct metric *metric)
{
	return !strcmp(metric->name, "warmup_made") ||
	       !strcmp(metric->name, "warmup_steady");
}

/**
 * scalar_is_wakeups() - check whether a metric counts wake-ups
 * @metric: the metric
 *
 * Return: true for wakeups_per_message.
 */
bool scalar_is_wakeups(const struct metric *metric)
{
	return !strcmp(metric->name, "wakeups_per_message");
}

/**
 * scalar_is_disturbance() - check whether a metric counts disturbances
 * @metric: the metric
 *
 * Return: true for a metric of that kind.
 */
bool scalar_is_disturbance(const struct metric *metric)
{
	return metric->kind == ICBENCH_METRIC_KIND_DISTURBANCE;
}

/**
 * scalar_is_tally() - check whether a metric counts events
 * @metric: the metric
 *
 * Return: true for a whole number of events.
 */
bool scalar_is_tally(const struct metric *metric)
{
	return metric->kind == ICBENCH_METRIC_KIND_SCALAR &&
	       metric->unit == ICBENCH_UNIT_COUNT && metric->divisor == 1 &&
	       !scalar_is_warmup(metric);
}

/**
 * scalar_is_rate() - check whether a metric is a rate
 * @metric: the metric
 *
 * Return: true for a scalar that is printed on no other line of the details.
 */
bool scalar_is_rate(const struct metric *metric)
{
	return metric->kind == ICBENCH_METRIC_KIND_SCALAR &&
	       !scalar_is_tally(metric) && !scalar_is_operand(metric) &&
	       !scalar_is_cpu_time(metric) && !scalar_is_warmup(metric) &&
	       (metric->value || !scalar_is_wakeups(metric));
}
