// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#include "tail.h"

const struct tail_cause tail_causes[TAIL_CAUSES] = {
	{ "tick", ICBENCH_A_TAIL_TICK },
	{ "timer", ICBENCH_A_TAIL_TIMER },
	{ "interrupt", ICBENCH_A_TAIL_INTERRUPT },
	{ "ipi", ICBENCH_A_TAIL_IPI },
	{ "softirq", ICBENCH_A_TAIL_SOFTIRQ },
	{ "preemption", ICBENCH_A_TAIL_PREEMPTION },
	{ "migration", ICBENCH_A_TAIL_MIGRATION },
	{ "steal", ICBENCH_A_TAIL_STEAL },
	{ "runqueue", ICBENCH_A_TAIL_RUNQUEUE },
	{ "nmi", ICBENCH_A_TAIL_NMI },
	{ "peer", ICBENCH_A_TAIL_PEER },
};

/**
 * tail_knows() - check whether the module could detect a cause
 * @tail: tail of a distribution
 * @cause: index into tail_causes
 *
 * Return: true if it could.
 */
bool tail_knows(const struct tail *tail, unsigned int cause)
{
	return tail->has & BIT_ULL(tail_causes[cause].attr);
}

/**
 * tail_names() - check whether the text output names a cause
 * @tail: tail of a distribution
 * @cause: index into tail_causes
 *
 * Above a percentile, a cause is named only if it explains a tenth of the samples.
 *
 * Return: true if the cause is named.
 */
bool tail_names(const struct tail *tail, unsigned int cause)
{
	if (!tail->percentile)
		return tail->by[cause];
	return tail->by[cause] && tail->by[cause] >= (tail->samples + 9) / 10;
}

/**
 * tail_is_sound() - check the numbers of samples that the module sent
 * @tail: tail as the module sent it
 * @count: samples of the distribution
 *
 * Return: true if the numbers are possible.
 */
bool tail_is_sound(const struct tail *tail, u64 count)
{
	unsigned int i;

	for (i = 0; i < TAIL_CAUSES; i++)
		if (tail->by[i] > tail->samples - tail->unexplained ||
		    tail->present.by[i] > tail->samples ||
		    tail->by_length.by[i] > tail->samples)
			return false;
	return tail->samples && tail->samples <= count &&
	       tail->unexplained <= tail->samples && tail->percentile < 10000;
}

/**
 * tail_name() - the name of a tail in results
 * @tail: the tail
 * @buf: takes the percentile, for example "99.9", or "all"
 * @size: size of @buf, bytes
 */
void tail_name(const struct tail *tail, char *buf, size_t size)
{
	if (tail->percentile)
		snprintf(buf, size, "%g", tail->percentile / 100.0);
	else
		snprintf(buf, size, "all");
}
