// SPDX-License-Identifier: GPL-2.0
#include "tail.h"

const char *const icb_cause_words[ICB_CAUSES] = {
	[ICB_CAUSE_TICK] = "tick",
	[ICB_CAUSE_TIMER] = "timer",
	[ICB_CAUSE_INTERRUPT] = "interrupt",
	[ICB_CAUSE_IPI] = "ipi",
	[ICB_CAUSE_SOFTIRQ] = "softirq",
	[ICB_CAUSE_PREEMPTION] = "preemption",
	[ICB_CAUSE_MIGRATION] = "migration",
	[ICB_CAUSE_STEAL] = "steal",
	[ICB_CAUSE_RUNQUEUE] = "runqueue",
};

/**
 * icb_tail_add() - count a sample that something has disturbed
 * @tail: where to
 * @value: the sample, as its distribution has it
 * @causes: BIT() of each enum icb_cause; not 0
 */
void icb_tail_add(struct icb_tail *tail, u64 value, u32 causes)
{
	unsigned int i = icb_hist_index(min_t(u64, value, ICB_HIST_LIMIT));
	unsigned int cause;

	tail->any[i]++;
	for (cause = 0; cause < ICB_CAUSES; cause++)
		if (causes & BIT(cause))
			tail->by[cause][i]++;
}

/**
 * icb_tail_waited() - see whether a sample took so long for want of a CPU
 * @usual: the least such time of a sample so far, which is what waking takes;
 *	kept here
 * @waited: how long its thread could run, and had no CPU, ns; not 0
 * @ns: the sample
 * @least: the least one so far
 *
 * A thread that is woken always waits for a moment. So it is not that which
 * counts, but what is longer than usual: as much as a quarter of the least
 * sample, and half of what this one took longer than that. It cannot be more than
 * all of it: that has been in another sample.
 *
 * Return: true if so.
 */
bool icb_tail_waited(u64 *usual, u64 waited, u64 ns, u64 least)
{
	u64 more;

	least = min_t(u64, least, ns);
	*usual = min_t(u64, *usual, waited);
	more = waited - *usual;
	return more && more >= least / 4 && more >= (ns - least) / 2 &&
	       waited <= 2 * ns;
}

/* What has come no more often than this is not usual yet. */
#define FEW_LOST	8

/* A single wait that is long changes little. */
static u64 polled_usually(struct icb_waits *waits, u64 waited)
{
	u64 usual = waits->polled ? : waited;

	waits->polled = usual +
			(s64)(min_t(u64, waited, 2 * usual) - usual) / 16 + 1;
	return usual;
}

/**
 * icb_tail_causes() - tell what is usual from what has disturbed a sample
 * @waits: of its thread; kept here
 * @causes: of the sample: BIT() of each enum icb_cause, with ICB_CAUSE_RUNQUEUE
 *	where the thread has waited for its CPU at all
 * @waited: how long, ns
 * @ns: the sample
 * @hist: those before it
 *
 * A thread that polls loses its CPU in each sample where what it polls for is done
 * by another thread there, as by soft-RoCE's since Linux 6.12. As long as that is
 * so in most of them, it counts where it was longer than usual.
 *
 * Return: what of @causes is a cause.
 */
u32 icb_tail_causes(struct icb_waits *waits, u32 causes, u64 waited, u64 ns,
		    const struct icb_hist *hist)
{
	const bool lost = causes & BIT(ICB_CAUSE_PREEMPTION);
	u64 polled = 0;
	bool usual;

	waits->lost += lost;
	if (!(causes & BIT(ICB_CAUSE_RUNQUEUE)))
		return causes;
	usual = lost && waits->lost > max_t(u64, hist->count / 2, FEW_LOST);
	if (usual)
		polled = polled_usually(waits, waited);
	if (icb_tail_waited(waits->sleeps ? &waits->usual : &polled, waited,
			    ns, hist->min))
		return causes;
	causes &= ~BIT(ICB_CAUSE_RUNQUEUE);
	return usual ? causes & ~BIT(ICB_CAUSE_PREEMPTION) : causes;
}

/* The first bucket whose samples are all above a percentile. */
static unsigned int first_above(const struct icb_hist *hist, u32 num, u32 den)
{
	u64 value;

	if (!num)
		return 0;
	value = icb_hist_quantile(hist, num, den);
	return icb_hist_index(value) + 1;
}

/**
 * icb_tail_share() - what has disturbed the samples above a percentile
 * @tail: of the disturbed ones
 * @hist: of all of them, not being written to
 * @num: numerator of the percentile; 0 for all samples
 * @den: its denominator
 * @share: where to; has no samples where none is above
 *
 * A sample is above it if its bucket is above that of the percentile.
 */
void icb_tail_share(const struct icb_tail *tail, const struct icb_hist *hist,
		    u32 num, u32 den, struct icb_share *share)
{
	unsigned int i, cause;
	u64 any = 0;

	memset(share, 0, sizeof(*share));
	for (i = first_above(hist, num, den); i < ICB_HIST_BUCKETS; i++) {
		if (!hist->bucket[i])
			continue;
		share->samples += hist->bucket[i];
		any += tail->any[i];
		for (cause = 0; cause < ICB_CAUSES; cause++)
			share->by[cause] += tail->by[cause][i];
	}
	share->unexplained = share->samples - any;
}
