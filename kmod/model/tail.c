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
	[ICB_CAUSE_NMI] = "nmi",
	[ICB_CAUSE_PEER] = "peer",
};

/* A cause is dropped if it took less than this part of the sample's excess time. */
#define LEAST_PART	10

/* Probabilities are fixed-point numbers, in units of 1 / CERTAIN. */
#define CERTAIN_BITS	20
#define CERTAIN		BIT_ULL(CERTAIN_BITS)

/**
 * icb_tail_timed() - get the causes whose time in a sample is known
 * @tail: disturbed samples of any distribution
 *
 * Return: BIT() of each enum icb_cause.
 */
u32 icb_tail_timed(const struct icb_tail *tail)
{
	return ICB_CAUSES_TIMED | tail->accounted;
}

/**
 * icb_tail_add() - count a disturbed sample
 * @tail: disturbed samples of the distribution
 * @value: the sample, as added to its distribution
 * @causes: BIT() of each enum icb_cause; not 0
 */
void icb_tail_add(struct icb_tail *tail, u64 value, u32 causes)
{
	unsigned int i = icb_hist_index(min_t(u64, value, ICB_HIST_LIMIT));
	unsigned int cause;

	tail->any[i]++;
	if (causes & icb_tail_timed(tail))
		tail->timed[i]++;
	for (cause = 0; cause < ICB_CAUSES; cause++)
		if (causes & BIT(cause))
			tail->by[cause][i]++;
	for (cause = 0; cause < ICB_CAUSES_BARE; cause++)
		if (causes & BIT(cause) && !(causes & BIT(ICB_CAUSE_SOFTIRQ)))
			tail->bare[cause][i]++;
}

/**
 * icb_tail_waited() - check whether a wait for the CPU made a sample longer
 * @usual: usual wait of a sample, ns; lowered to @waited if that is less
 * @waited: time for which the thread was runnable but had no CPU, ns; not 0
 * @ns: the sample, ns
 * @least: least sample so far, ns
 *
 * A thread that is woken always waits for a moment. Therefore only the wait beyond the
 * usual one counts. It must be at least a quarter of the least sample, and half of the
 * time by which this sample exceeds the least one. A wait of more than twice the sample
 * belongs to another sample.
 *
 * Return: true if the wait made the sample longer.
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

/* Samples with a preemption, up to which preemptions are not regarded as usual. */
#define FEW_LOST	8

/* Update the moving average, and return its old value. One long wait counts little. */
static u64 polled_usually(struct icb_waits *waits, u64 waited)
{
	u64 usual = waits->polled ? : waited;

	waits->polled = usual +
			(s64)(min_t(u64, waited, 2 * usual) - usual) / 16 + 1;
	return usual;
}

/**
 * icb_tail_causes() - drop waits and preemptions that are usual from a sample's causes
 * @waits: usual waits of the measuring thread; updated
 * @causes: BIT() of each enum icb_cause of the sample, with ICB_CAUSE_RUNQUEUE if a
 *	thread waited for its CPU at all
 * @waited: length of the longest such wait, ns
 * @ns: the sample, ns
 * @hist: distribution of the samples before it
 *
 * A polling thread is preempted in each sample if another thread on its CPU does the work
 * that it polls for, as the thread of soft-RoCE does since Linux 6.12. While most samples
 * have a preemption, a preemption counts only if the wait was longer than usual.
 *
 * Return: the remaining causes.
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

static bool is_short(u64 took, u64 longer)
{
	return took && took < longer / LEAST_PART;
}

/* Causes that take little time in each interrupt. */
#define CAUSES_BRIEF	(BIT(ICB_CAUSE_TICK) | BIT(ICB_CAUSE_TIMER))

/* A single interrupt that takes long changes little. */
static void learn(struct icb_tail *tail, unsigned int cause, u64 spent)
{
	u64 usual = tail->alone[cause] ? : spent;

	tail->alone[cause] = usual +
			     (s64)(min_t(u64, spent, 2 * usual) - usual) / 16 + 1;
}

/*
 * The kernel accounts for all interrupts together. A kind that is alone in a sample has
 * the whole time. Of several kinds each is taken to need what it needs alone; a tick
 * or timer that was never alone is taken to need little. Something has taken the time:
 * one kind is left, not a brief one if there is a choice.
 *
 * Returns those of @irqs that are left.
 */
static u32 weigh_irqs(struct icb_tail *tail, u32 irqs, u64 spent, u64 longer)
{
	u32 left = irqs;
	unsigned int cause;

	if (!spent || !irqs)
		return irqs;
	if (!(irqs & (irqs - 1)))
		learn(tail, fls64(irqs) - 1, spent);
	if (is_short(spent, longer))
		return 0;
	for (cause = 0; cause < ICB_CAUSES; cause++)
		if (tail->alone[cause] ?
		    is_short(tail->alone[cause], longer) :
		    !!(CAUSES_BRIEF & BIT(cause)))
			left &= ~BIT(cause);
	return left ? : irqs & ~CAUSES_BRIEF ? : irqs;
}

/**
 * icb_tail_weigh() - drop causes that took too little time of a sample
 * @tail: disturbed samples of the distribution; @accounted is updated
 * @spent: time that causes took of the sample
 * @causes: causes of the sample, from icb_tail_causes()
 * @waited: time for which a thread was runnable but had no CPU, ns; 0 if unknown
 * @ns: the sample, ns
 * @least: least sample so far, ns; U64_MAX if there is none
 *
 * A cause is dropped if its time is less than a tenth of the time by which the sample
 * exceeds the least one. A cause whose time is unknown stays.
 *
 * Return: the remaining causes.
 */
u32 icb_tail_weigh(struct icb_tail *tail, const struct icb_spent *spent,
		   u32 causes, u64 waited, u64 ns, u64 least)
{
	u64 longer = ns - min_t(u64, least, ns);
	u32 irqs = causes & ICB_CAUSES_IRQ;

	causes &= ~irqs;
	if (spent->irq)
		tail->accounted |= ICB_CAUSES_IRQ;
	if (spent->softirq)
		tail->accounted |= BIT(ICB_CAUSE_SOFTIRQ);
	if (is_short(waited, longer))
		causes &= ~BIT(ICB_CAUSE_PREEMPTION);
	if (is_short(spent->stolen, longer))
		causes &= ~BIT(ICB_CAUSE_STEAL);
	if (is_short(spent->softirq, longer))
		causes &= ~BIT(ICB_CAUSE_SOFTIRQ);
	return causes | weigh_irqs(tail, irqs, spent->irq, longer);
}

/* The middle of a bucket, ns. */
static u64 length_of(unsigned int i)
{
	return icb_hist_low(i) + (icb_hist_high(i) - icb_hist_low(i)) / 2;
}

/*
 * Estimate the period of a cause. A periodic cause that is independent of the samples
 * occurs in a sample of length l with probability l / period, and in each sample longer
 * than the period. With the estimated period, the expected number of samples with the
 * cause is the number that had it. A cause that occurs at random has a lower probability,
 * so fewer samples are attributed to it than it explains.
 *
 * Returns ns; U64_MAX if no sample had the cause.
 */
static u64 period_of(const u64 *by, const struct icb_hist *hist)
{
	u64 had = 0, time = 0, longer = 0, period;
	unsigned int i;

	for (i = 0; i < ICB_HIST_BUCKETS; i++) {
		had += by[i];
		time += hist->bucket[i] * length_of(i);
	}
	if (!had)
		return U64_MAX;
	/* samples above the period all have the cause, others in proportion to length */
	for (i = ICB_HIST_BUCKETS; i--;) {
		if (!hist->bucket[i])
			continue;
		period = had > longer ? div64_u64(time, had - longer) : 0;
		if (period >= length_of(i))
			return period;
		time -= hist->bucket[i] * length_of(i);
		longer += hist->bucket[i];
	}
	return 1;
}

static u64 chance_of(u64 length, u64 period)
{
	return length >= period ? CERTAIN :
				  div64_u64(length << CERTAIN_BITS, period);
}

/**
 * icb_tail_chance() - find causes that a sample is likely to have by chance
 * @tail: disturbed samples before this one
 * @hist: distribution of the samples before this one
 * @causes: causes of the sample
 * @ns: the sample, ns
 * @tick: period of the scheduler tick, ns
 *
 * Return: each of @causes that at least half of the samples of this length have by
 * chance; no cause whose time is known.
 */
u32 icb_tail_chance(const struct icb_tail *tail, const struct icb_hist *hist,
		    u32 causes, u64 ns, u64 tick)
{
	const u64 length = min_t(u64, ns, ICB_HIST_LIMIT);
	u32 cause, chance = 0;
	u64 period;

	causes &= ~icb_tail_timed(tail);
	for (cause = 0; cause < ICB_CAUSES; cause++) {
		if (!(causes & BIT(cause)))
			continue;
		period = period_of(tail->by[cause], hist);
		if (cause == ICB_CAUSE_TICK)
			period = min_t(u64, period, tick);
		if (chance_of(length, period) >= CERTAIN / 2)
			chance |= BIT(cause);
	}
	return chance;
}

/**
 * struct group - samples that are evaluated together, for one cause
 * @samples: number of samples
 * @had: samples that had the cause
 * @expected: samples that are expected to have the cause by chance, times CERTAIN
 * @variance: variance of the number of samples with the cause, times CERTAIN
 */
struct group {
	u64 samples;
	u64 had;
	u64 expected;
	u64 variance;
};

static void group_add(struct group *group, u64 samples, u64 had, u64 chance)
{
	group->samples += samples;
	group->had += had;
	group->expected += samples * chance;
	group->variance += samples * (chance * (CERTAIN - chance) >> CERTAIN_BITS);
}

static void group_join(struct group *group, const struct group *other)
{
	group->samples += other->samples;
	group->had += other->had;
	group->expected += other->expected;
	group->variance += other->variance;
}

/*
 * Samples with the cause in excess of the number expected by chance, times CERTAIN; 0 if
 * the excess is not above @sigmas standard deviations.
 */
static u64 beyond_chance(const struct group *group, unsigned int sigmas)
{
	u64 had = group->had << CERTAIN_BITS, more;

	if (had <= group->expected)
		return 0;
	more = had - group->expected;
	return (__uint128_t)more * more >
	       (__uint128_t)group->variance * sigmas * sigmas << CERTAIN_BITS ?
	       more : 0;
}

/*
 * Samples that the cause explains. All of these have the cause; of the other samples, the
 * share that is expected by chance. It follows that the cause explains the part
 * (had - expected) / (samples - expected) of all samples.
 */
static u64 explained(const struct group *group)
{
	u64 more = beyond_chance(group, 2);

	if (!more)
		return 0;
	more = mul_u64_u64_div_u64(2 * group->samples, more,
				   (group->samples << CERTAIN_BITS) -
				   group->expected);
	return min_t(u64, (more + 1) / 2, group->had);
}

/*
 * Samples of the tail that the cause explains, summed over octaves: a sample so long that
 * it always has the cause is no evidence on short samples. The result is 0 unless the
 * excess is significant in the whole tail.
 */
static u64 attribute(const u64 *by, const struct icb_hist *hist, unsigned int first,
		     u64 *expected)
{
	struct group whole = {}, octave = {};
	u64 period = period_of(by, hist), sum = 0;
	unsigned int i;

	for (i = first; i < ICB_HIST_BUCKETS; i++) {
		if (hist->bucket[i])
			group_add(&octave, hist->bucket[i], by[i],
				  chance_of(length_of(i), period));
		if ((i + 1) % (1U << ICB_HIST_SUB_BITS))
			continue;
		group_join(&whole, &octave);
		sum += explained(&octave);
		memset(&octave, 0, sizeof(octave));
	}
	*expected = (whole.expected + CERTAIN / 2) >> CERTAIN_BITS;
	return beyond_chance(&whole, 3) ? sum : 0;
}

/* Least number of bare interrupts that the tail should have, for a decision by them. */
#define LEAST_BARE	10

/*
 * Samples of the tail that a cause explains. A tick or timer interrupt that raises a softirq
 * is in the same sample as the softirq. If the interrupt itself makes samples long, those
 * without a softirq are in the tail about as often as those with one. If they explain less
 * than a quarter of that, the softirq made the samples long, and only samples without a
 * softirq count for the interrupt.
 */
static u64 attribute_apart(const struct icb_tail *tail, unsigned int cause,
			   const struct icb_hist *hist, unsigned int first,
			   u64 *expected)
{
	u64 all = attribute(tail->by[cause], hist, first, expected), alone, chance;
	u64 bare = 0, both = 0, above = 0;
	unsigned int i;

	if (!all || cause >= ICB_CAUSES_BARE)
		return all;
	for (i = 0; i < ICB_HIST_BUCKETS; i++) {
		u64 with = tail->by[cause][i] - tail->bare[cause][i];

		bare += tail->bare[cause][i];
		both += with;
		above += i < first ? 0 : with;
	}
	if (!both)
		return all;
	bare = mul_u64_u64_div_u64(bare, above, both);
	alone = attribute(tail->bare[cause], hist, first, &chance);
	return bare >= LEAST_BARE && alone < bare / 4 ? alone : all;
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

/*
 * Samples that at least one cause explains. Softirqs run at the end of another interrupt,
 * so they explain the same samples as other causes. All other causes are assumed to
 * explain different samples, as far as there are so many disturbed samples.
 */
static u64 explained_by_any(const struct icb_share *share, u32 timed, u64 any,
			    u64 some_timed)
{
	u64 others = 0;
	unsigned int cause;

	for (cause = 0; cause < ICB_CAUSES; cause++)
		if (cause != ICB_CAUSE_SOFTIRQ && !(timed & BIT(cause)))
			others += share->by[cause];
	if (!(timed & BIT(ICB_CAUSE_SOFTIRQ)))
		others = max_t(u64, others, share->by[ICB_CAUSE_SOFTIRQ]);
	return min_t(u64, any, some_timed + others);
}

/**
 * icb_tail_share() - attribute the samples above a percentile to causes
 * @tail: disturbed samples
 * @hist: distribution of all samples; not being written to
 * @num: numerator of the percentile; 0 for all samples
 * @den: denominator of the percentile
 * @share: the result; without samples if none is above the percentile
 *
 * A sample is above the percentile if its bucket is above that of the percentile. A
 * longer sample has more causes by chance, which did not make it long. Therefore a cause
 * explains samples only so far as more of them have it than their length makes likely. A
 * tick or timer interrupt does not explain samples that its softirq made long.
 */
void icb_tail_share(const struct icb_tail *tail, const struct icb_hist *hist,
		    u32 num, u32 den, struct icb_share *share)
{
	unsigned int i, cause, first = first_above(hist, num, den);
	const u32 timed = icb_tail_timed(tail);
	u64 any = 0, some_timed = 0;

	memset(share, 0, sizeof(*share));
	for (i = first; i < ICB_HIST_BUCKETS; i++) {
		if (!hist->bucket[i])
			continue;
		share->samples += hist->bucket[i];
		any += tail->any[i];
		some_timed += tail->timed[i];
		for (cause = 0; cause < ICB_CAUSES; cause++)
			share->had[cause] += tail->by[cause][i];
	}
	for (cause = 0; cause < ICB_CAUSES; cause++) {
		share->by[cause] = share->had[cause];
		share->expected[cause] = share->had[cause];
		if (num && share->had[cause] && !(timed & BIT(cause)))
			share->by[cause] =
				attribute_apart(tail, cause, hist, first,
						&share->expected[cause]);
	}
	if (num)
		any = explained_by_any(share, timed, any, some_timed);
	share->unexplained = share->samples - any;
}
