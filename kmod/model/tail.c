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

/* A cause that takes less than this part of what a sample took longer is none. */
#define LEAST_PART	10

/* Probabilities are in parts of this. */
#define CERTAIN_BITS	20
#define CERTAIN		BIT_ULL(CERTAIN_BITS)

/**
 * icb_tail_timed() - the causes whose time in a sample is known
 * @tail: any
 *
 * Return: BIT() of each.
 */
u32 icb_tail_timed(const struct icb_tail *tail)
{
	return ICB_CAUSES_TIMED | tail->accounted;
}

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
	if (causes & icb_tail_timed(tail))
		tail->timed[i]++;
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
 * icb_tail_weigh() - drop the causes that explain too little of a sample
 * @tail: that the sample is for; learns which times the kernel accounts for, and
 *	what each kind of interrupt takes
 * @spent: what causes have taken of it
 * @causes: of the sample, by icb_tail_causes()
 * @waited: how long its thread could run, and had no CPU, ns; 0 if unknown
 * @ns: the sample
 * @least: the least one so far; U64_MAX where there is none
 *
 * A cause is dropped whose time is less than a tenth of what the sample took longer
 * than the least one. Where several kinds of interrupt are in a sample, the time of
 * each is estimated. A cause whose time is unknown stays.
 *
 * Return: what of @causes is left.
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

/* The middle of a bucket. */
static u64 length_of(unsigned int i)
{
	return icb_hist_low(i) + (icb_hist_high(i) - icb_hist_low(i)) / 2;
}

/*
 * A cause that comes each so many ns, whatever is measured, is in a sample of length
 * l with probability l / period, and in each that is longer than the period. The
 * period is the one with which as many samples have the cause as have had it. Of a
 * cause that comes at random the probability is less: the cause is blamed less.
 *
 * Returns ns; U64_MAX where no sample had the cause.
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
	/* samples above the period have it each, and the others for their length */
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
 * icb_tail_chance() - find the causes that the length of one sample explains
 * @tail: of the samples before it
 * @hist: those samples
 * @causes: of the sample
 * @ns: the sample
 * @tick: period of the scheduler's tick, ns
 *
 * Return: what of @causes is in half of the samples of this length and more, by their
 * length alone. What has a known time is not among them.
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
 * struct group - samples of a tail that are looked at together
 * @samples: how many
 * @had: of these, with the cause
 * @expected: by their length alone, in parts of CERTAIN
 * @variance: of that number, in parts of CERTAIN
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

/* How many more have the cause than their length explains, in parts of CERTAIN. */
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
 * A sample that the cause explains always has it; of the others, as many as their
 * length says. So the samples that it explains are these, of all: (had - expected) /
 * (samples - expected).
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
 * Octave by octave, since a sample that is so long that it always has the cause says
 * nothing of short ones. What is not certain of the whole tail is none of a part.
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
 * Software interrupts come at the end of another interrupt: in the same samples. Of
 * the others it is taken that each explains samples of its own, as long as there are
 * so many.
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
 * icb_tail_share() - what has disturbed the samples above a percentile
 * @tail: of the disturbed ones
 * @hist: of all of them, not being written to
 * @num: numerator of the percentile; 0 for all samples
 * @den: its denominator
 * @share: where to; has no samples where none is above
 *
 * A sample is above it if its bucket is above that of the percentile. The longer a
 * sample, the more comes in its way that is not why it is long: a cause explains no
 * more of them than have it beyond what their length alone makes likely.
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
			share->by[cause] = attribute(tail->by[cause], hist, first,
						     &share->expected[cause]);
	}
	if (num)
		any = explained_by_any(share, timed, any, some_timed);
	share->unexplained = share->samples - any;
}
