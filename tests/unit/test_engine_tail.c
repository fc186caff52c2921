// SPDX-License-Identifier: GPL-2.0
/* Causes of long samples, from the loop to the shares of a tail. */
#include <math.h>

#include "unit.h"
#include "check.h"
#include "mode.h"

#define for_each_mode(mode)						\
	for ((mode) = mode_table; (mode) < mode_table + MODES; (mode)++)

static struct icb_tail tail;
static struct icb_hist hist;
static struct pair pair;
static struct pair_config config;
static struct icb_params params;

static void empty(void)
{
	memset(&tail, 0, sizeof(tail));
	icb_hist_reset(&hist);
}

static void add(u64 value, u32 causes)
{
	icb_hist_add(&hist, value);
	if (causes)
		icb_tail_add(&tail, value, causes);
}

static void test_shares(void **state)
{
	struct icb_share share;
	unsigned int i;

	(void)state;
	empty();
	for (i = 0; i < 990; i++)
		add(100, i < 5 ? BIT(ICB_CAUSE_IPI) : 0);
	for (i = 0; i < 8; i++)
		add(1000, BIT(ICB_CAUSE_TICK) |
			  (i < 3 ? BIT(ICB_CAUSE_SOFTIRQ) : 0));
	add(1000, 0);
	add(50000, BIT(ICB_CAUSE_PREEMPTION));

	icb_tail_share(&tail, &hist, 0, 10000, &share);
	assert_int_equal(share.samples, 1000);
	assert_int_equal(share.by[ICB_CAUSE_IPI], 5);
	assert_int_equal(share.by[ICB_CAUSE_TICK], 8);
	assert_int_equal(share.unexplained, 1000 - 5 - 8 - 1);

	icb_tail_share(&tail, &hist, 9900, 10000, &share);
	assert_int_equal(share.samples, 10);
	assert_int_equal(share.by[ICB_CAUSE_TICK], 8);
	assert_int_equal(share.by[ICB_CAUSE_SOFTIRQ], 3);
	assert_int_equal(share.by[ICB_CAUSE_PREEMPTION], 1);
	assert_int_equal(share.by[ICB_CAUSE_IPI], 0);
	assert_int_equal(share.unexplained, 1);

	icb_tail_share(&tail, &hist, 9990, 10000, &share);
	assert_int_equal(share.samples, 1);
	assert_int_equal(share.by[ICB_CAUSE_PREEMPTION], 1);
	assert_int_equal(share.unexplained, 0);
}

/* If the percentile is the greatest value, the tail is empty. */
static void test_nothing_above(void **state)
{
	struct icb_share share;
	unsigned int i;

	(void)state;
	empty();
	icb_tail_share(&tail, &hist, 0, 10000, &share);
	assert_int_equal(share.samples, 0);
	icb_tail_share(&tail, &hist, 9900, 10000, &share);
	assert_int_equal(share.samples, 0);
	for (i = 0; i < 50; i++)
		add(100 + i, BIT(ICB_CAUSE_STEAL));
	icb_tail_share(&tail, &hist, 9900, 10000, &share);
	assert_int_equal(share.samples, 0);
	assert_int_equal(share.unexplained, 0);
}

/*
 * Operations of about 20 us, ticks of 3 us each 4 ms, and stalls independent of ticks:
 * exponential, 2 ms on average.
 */
#define SIM_TICK	4000000
#define SIM_TICK_COST	3000
#define SIM_STALL	2e6

static u64 sim_state, sim_now, sim_tick;

static double sim_random(void)
{
	sim_state ^= sim_state << 13;
	sim_state ^= sim_state >> 7;
	sim_state ^= sim_state << 17;
	return ((sim_state >> 11) + 0.5) / (double)(1ULL << 53);
}

/* Add a sample that takes @length without ticks; each tick in it adds @cost. */
static void sim_sample(u64 length, u64 cost)
{
	bool ticked = false;
	u64 end = sim_now + length;

	for (; sim_tick <= end; sim_tick += SIM_TICK) {
		ticked = true;
		end += cost;
	}
	add(end - sim_now, ticked ? BIT(ICB_CAUSE_TICK) : 0);
	/* time between two samples */
	sim_now = end + 500;
	while (sim_tick <= sim_now)
		sim_tick += SIM_TICK;
}

static void simulate(u64 seed, unsigned int samples, double stalls, u64 cost)
{
	unsigned int i;
	u64 length;

	empty();
	sim_state = seed;
	sim_now = 0;
	sim_tick = SIM_TICK / 3;
	for (i = 0; i < samples; i++) {
		length = 19000 + 2000 * sim_random();
		if (sim_random() < stalls)
			length += -SIM_STALL * log(sim_random());
		sim_sample(length, cost);
	}
}

/*
 * Long samples are more likely to contain a tick. Here more than four of ten stalls do,
 * although ticks are not their cause.
 */
static void test_length_bias(void **state)
{
	static const double rates[] = { 0.0005, 0.002, 0.01, 0.1 };
	struct icb_share share;
	unsigned int i;
	u64 seed;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rates); i++)
		for (seed = 1; seed <= 5; seed++) {
			simulate(seed * 7919, 200000, rates[i], SIM_TICK_COST);
			icb_tail_share(&tail, &hist, 200000 * (1 - rates[i]),
				       200000, &share);
			/* about all stalls, and nothing else */
			assert_in_range(share.samples, 60, 20400);
			assert_in_range(share.had[ICB_CAUSE_TICK] * 100 / share.samples,
					30, 56);
			assert_in_range(share.expected[ICB_CAUSE_TICK] * 100 / share.samples,
					33, 55);
			/* fewer than a tenth, which is the limit for a named cause */
			assert_true(share.by[ICB_CAUSE_TICK] * 10 < share.samples);
			assert_true(share.unexplained * 10 > share.samples * 9);
		}
}

/* Ticks are named as the cause if they take long, or are the only cause. */
static void test_real_cause(void **state)
{
	struct icb_share share;
	u64 seed;

	(void)state;
	for (seed = 1; seed <= 5; seed++) {
		simulate(seed, 200000, 0, SIM_TICK_COST);
		icb_tail_share(&tail, &hist, 9960, 10000, &share);
		assert_true(share.samples >= 500);
		assert_true(share.by[ICB_CAUSE_TICK] * 100 >= share.samples * 95);
		assert_true(share.expected[ICB_CAUSE_TICK] * 50 < share.samples);
		/* half as long as their period */
		simulate(seed, 100000, 0, SIM_TICK / 2);
		icb_tail_share(&tail, &hist, 9900, 10000, &share);
		assert_true(share.samples >= 500);
		assert_true(share.by[ICB_CAUSE_TICK] * 100 >= share.samples * 99);
		assert_in_range(share.expected[ICB_CAUSE_TICK] * 100 / share.samples,
				40, 60);
		assert_true(share.unexplained * 100 <= share.samples);
		/* ticks above 99 %, with one stall for ten of them */
		simulate(seed, 200000, 0.0005, SIM_TICK_COST);
		icb_tail_share(&tail, &hist, 9950, 10000, &share);
		assert_true(share.samples >= 900);
		assert_true(share.by[ICB_CAUSE_TICK] * 100 >= share.samples * 80);
		assert_true(share.unexplained * 100 >= share.samples * 5);
	}
}

/**
 * struct source - events of a simulated world that disturb samples
 * @cause: enum icb_cause that the module notices; ICB_CAUSES for stalls, which it does not
 * @period: time between two events, ns; on average if @random
 * @random: the time between two events is exponential
 * @cost: time by which an event makes a sample longer, ns; on average for stalls, which are
 *	exponential
 * @with: index + 1 of a source; this event only occurs with an event of that source
 * @part: share of the events of @with
 */
struct source {
	u32 cause;
	double period;
	bool random;
	double cost;
	unsigned int with;
	double part;
};

#define SOURCES		5
#define WORLD_SAMPLES	200000
#define STALLS(_period)	{ .cause = ICB_CAUSES, .period = (_period), .random = true, \
			  .cost = SIM_STALL }
#define TICKS(_period, _cost)						\
			{ .cause = ICB_CAUSE_TICK, .period = (_period), .cost = (_cost) }

/**
 * struct world - a simulated host
 * @name: name of the world
 * @tail: share of the samples that are regarded as the tail
 * @source: its events; those at the end may be unused
 */
static const struct world {
	const char *name;
	double tail;
	struct source source[SOURCES];
} worlds[] = {
	/* stalls of 2 ms among ticks that cost nothing to speak of */
	{ "rare stalls, 100 Hz", 0.0005, { STALLS(40e6), TICKS(10e6, 1000) } },
	{ "rare stalls, 250 Hz", 0.0005, { STALLS(40e6), TICKS(4e6, 1000) } },
	{ "rare stalls, 1000 Hz", 0.0005, { STALLS(40e6), TICKS(1e6, 1000) } },
	{ "frequent stalls, 250 Hz", 0.005, { STALLS(4e6), TICKS(4e6, 1000) } },
	/* ticks are a tenth, a third, a half and nearly all of the tail */
	{ "nine stalls a tick", 0.005, { STALLS(4.4e6), TICKS(40e6, 50000) } },
	{ "two stalls a tick", 0.005, { STALLS(6e6), TICKS(12e6, 50000) } },
	{ "one stall a tick", 0.005, { STALLS(8e6), TICKS(8e6, 50000) } },
	{ "a stall in ten ticks", 0.005, { STALLS(40e6), TICKS(4e6, 50000) } },
	{ "no stalls", 0.005, { TICKS(4e6, 50000) } },
	/* causes in the same samples: half of the ticks raise a softirq that takes long */
	{ "softirqs of ticks", 0.0025,
	  { TICKS(4e6, 1000), { .cause = ICB_CAUSE_SOFTIRQ, .cost = 60000, .with = 1,
				.part = 0.5 } } },
	{ "softirqs and stalls", 0.005,
	  { TICKS(4e6, 1000), { .cause = ICB_CAUSE_SOFTIRQ, .cost = 60000, .with = 1,
				.part = 0.5 }, STALLS(8e6) } },
	/* frequent interrupts that cost little beside rare ones that cost much */
	{ "IPIs and NMIs", 0.002,
	  { { .cause = ICB_CAUSE_IPI, .period = 1e5, .random = true, .cost = 300 },
	    { .cause = ICB_CAUSE_NMI, .period = 1e7, .random = true, .cost = 90000 },
	    TICKS(4e6, 1000) } },
	{ "IPIs, interrupts and stalls", 0.006,
	  { { .cause = ICB_CAUSE_IPI, .period = 1e5, .random = true, .cost = 300 },
	    { .cause = ICB_CAUSE_INTERRUPT, .period = 7e6, .random = true, .cost = 80000 },
	    TICKS(4e6, 1000), STALLS(7e6) } },
	/* two independent causes, each of which explains a part */
	{ "ticks and interrupts", 0.007,
	  { TICKS(4e6, 50000),
	    { .cause = ICB_CAUSE_INTERRUPT, .period = 8e6, .random = true, .cost = 80000 } } },
};

/* A sample of a world: its length, and the causes that took a tenth of its excess. */
static struct {
	u64 ns;
	u32 guilty;
} seen[WORLD_SAMPLES];

static double next_event(const struct source *source, double from)
{
	return from + source->period *
		      (source->random ? -log(sim_random()) : 1);
}

/* Add a sample; @next has the time of the next event of each source. */
static void world_sample(const struct world *world, double *next, double *now,
			 unsigned int at)
{
	const struct source *source;
	double base = 19000 + 2000 * sim_random(), end = *now + base, cost;
	double took[ICB_CAUSES + 1] = {};
	u32 causes = 0, cause;
	unsigned int i, j;
	bool more = true;

	/* what makes a sample longer may bring further events into it */
	while (more) {
		more = false;
		for (i = 0; i < SOURCES; i++) {
			source = &world->source[i];
			if (!source->period || next[i] > end)
				continue;
			more = true;
			next[i] = next_event(source, next[i]);
			cost = source->cause == ICB_CAUSES ?
			       -source->cost * log(sim_random()) : source->cost;
			took[source->cause] += cost;
			causes |= BIT(source->cause);
			end += cost;
			for (j = 0; j < SOURCES; j++) {
				if (world->source[j].with != i + 1 ||
				    sim_random() >= world->source[j].part)
					continue;
				took[world->source[j].cause] += world->source[j].cost;
				causes |= BIT(world->source[j].cause);
				end += world->source[j].cost;
			}
		}
	}
	seen[at].ns = end - *now;
	seen[at].guilty = 0;
	for (cause = 0; cause < ICB_CAUSES; cause++)
		if (took[cause] * 10 >= end - *now - 19000 && took[cause] > 0)
			seen[at].guilty |= BIT(cause);
	add(seen[at].ns, causes & (BIT(ICB_CAUSES) - 1));
	*now = end + 500;
	for (i = 0; i < SOURCES; i++)
		while (world->source[i].period && next[i] <= *now)
			next[i] = next_event(&world->source[i], next[i]);
}

static void run_world(const struct world *world, u64 seed)
{
	double next[SOURCES] = {}, now = 0;
	unsigned int i;

	empty();
	sim_state = seed * 7919;
	for (i = 0; i < SOURCES; i++)
		next[i] = world->source[i].period * sim_random();
	for (i = 0; i < WORLD_SAMPLES; i++)
		world_sample(world, next, &now, i);
}

/*
 * In each world, a cause is named (with a tenth of the tail or more) only if it took a tenth
 * of the excess of about so many samples, and the causes that did are named. The share that
 * length alone predicts is that of a cause that made nothing longer.
 */
static void test_worlds(void **state)
{
	double by, is, had, expected;
	const struct world *world;
	struct icb_share share;
	unsigned int i, tail_samples, guilty[ICB_CAUSES], first;
	u32 cause;
	u64 seed;

	(void)state;
	for (world = worlds; world < worlds + ARRAY_SIZE(worlds); world++)
		for (seed = 1; seed <= 4; seed++) {
			run_world(world, seed);
			icb_tail_share(&tail, &hist, 1000000 * (1 - world->tail), 1000000,
				       &share);
			first = icb_hist_index(icb_hist_quantile(&hist,
						1000000 * (1 - world->tail), 1000000)) + 1;
			memset(guilty, 0, sizeof(guilty));
			tail_samples = 0;
			for (i = 0; i < WORLD_SAMPLES; i++) {
				if (icb_hist_index(seen[i].ns) < first)
					continue;
				tail_samples++;
				for (cause = 0; cause < ICB_CAUSES; cause++)
					guilty[cause] += !!(seen[i].guilty & BIT(cause));
			}
			assert_int_equal(share.samples, tail_samples);
			for (cause = 0; cause < ICB_CAUSES; cause++) {
				if (!share.had[cause])
					continue;
				by = (double)share.by[cause] / tail_samples;
				is = (double)guilty[cause] / tail_samples;
				had = (double)share.had[cause] / tail_samples;
				expected = (double)share.expected[cause] / tail_samples;
				if ((by >= 0.1 ? is < 0.07 : is > 0.13) ||
				    fabs(by - is) > 0.08)
					fail_msg("%s, seed %llu: %s in %.3f of %u, blamed for %.3f, guilty of %.3f",
						 world->name, (unsigned long long)seed,
						 icb_cause_words[cause], had, tail_samples,
						 by, is);
				if (cause == ICB_CAUSE_TICK && is < 0.01 &&
				    !share.had[ICB_CAUSE_SOFTIRQ])
					assert_true(fabs(had - expected) < 0.15);
			}
		}
}

/* A cause that is in each sample does not explain the long ones. */
static void test_everywhere(void **state)
{
	struct icb_share share;
	unsigned int i;

	(void)state;
	empty();
	for (i = 0; i < 10000; i++)
		add(i % 100 ? 1000 + i % 7 : 5000,
		    BIT(ICB_CAUSE_IPI) | (i % 100 ? 0 : BIT(ICB_CAUSE_TIMER) |
							BIT(ICB_CAUSE_RUNQUEUE)));
	icb_tail_share(&tail, &hist, 9900, 10000, &share);
	assert_int_equal(share.samples, 100);
	assert_int_equal(share.had[ICB_CAUSE_IPI], 100);
	assert_int_equal(share.expected[ICB_CAUSE_IPI], 100);
	assert_int_equal(share.by[ICB_CAUSE_IPI], 0);
	assert_int_equal(share.by[ICB_CAUSE_TIMER], 100);
	/* its time is known, so chance plays no role */
	assert_int_equal(share.by[ICB_CAUSE_RUNQUEUE], 100);
	assert_int_equal(share.expected[ICB_CAUSE_RUNQUEUE], 100);
	assert_int_equal(share.unexplained, 0);
}

/*
 * A cause that took less than a tenth of the excess over the shortest sample is no cause.
 */
static void test_weigh(void **state)
{
	const u32 irqs = BIT(ICB_CAUSE_TICK) | BIT(ICB_CAUSE_TIMER) |
			 BIT(ICB_CAUSE_INTERRUPT) | BIT(ICB_CAUSE_IPI);
	const u32 brief = BIT(ICB_CAUSE_TICK) | BIT(ICB_CAUSE_TIMER);
	u32 all = BIT(ICB_CAUSES) - 1;
	struct icb_spent spent = {};

	(void)state;
	empty();
	/* unknown times, or no earlier sample */
	assert_int_equal(icb_tail_weigh(&tail, &spent, all, 0, 120000, 20000), all);
	assert_int_equal(icb_tail_weigh(&tail, &spent, all, 1, 120000, U64_MAX), all);
	assert_int_equal(tail.accounted, 0);
	assert_int_equal(icb_tail_weigh(&tail, &spent, all, 10000, 120000, 20000), all);
	assert_int_equal(icb_tail_weigh(&tail, &spent, all, 9999, 120000, 20000),
			 all & ~BIT(ICB_CAUSE_PREEMPTION));
	spent.stolen = 9999;
	assert_int_equal(icb_tail_weigh(&tail, &spent, all, 0, 120000, 20000),
			 all & ~BIT(ICB_CAUSE_STEAL));
	spent.stolen = 10000;
	assert_int_equal(icb_tail_weigh(&tail, &spent, all, 0, 120000, 20000), all);
	/* if the kernel accounts for interrupts, their times are known from then on */
	spent.irq = 9999;
	assert_int_equal(icb_tail_weigh(&tail, &spent, all, 0, 120000, 20000),
			 all & ~irqs);
	assert_int_equal(tail.accounted, irqs);
	/* of several kinds a tick or timer is not taken to have taken it */
	spent.irq = 10000;
	spent.softirq = 9999;
	all &= ~brief;
	assert_int_equal(icb_tail_weigh(&tail, &spent, all | brief, 0, 120000, 20000),
			 all & ~BIT(ICB_CAUSE_SOFTIRQ));
	spent.softirq = 10000;
	assert_int_equal(icb_tail_weigh(&tail, &spent, all | brief, 0, 120000, 20000), all);
	assert_int_equal(tail.accounted, irqs | BIT(ICB_CAUSE_SOFTIRQ));
	/* a tick whose times are known is a cause however long the sample is */
	add(10000000, BIT(ICB_CAUSE_TICK));
	assert_int_equal(icb_tail_chance(&tail, &hist, irqs, 10000000, SIM_TICK), 0);
}

static u32 weigh(u32 causes, u64 irq, u64 longer)
{
	const struct icb_spent spent = { .irq = irq };

	return icb_tail_weigh(&tail, &spent, causes, 0, 20000 + longer, 20000);
}

/*
 * The kernel accounts for the interrupts of a sample together. A tick of 1 us beside a
 * device's interrupt of 100 us has not made it 100 us longer.
 */
static void test_several_interrupts(void **state)
{
	const u32 tick = BIT(ICB_CAUSE_TICK), timer = BIT(ICB_CAUSE_TIMER);
	const u32 device = BIT(ICB_CAUSE_INTERRUPT), ipi = BIT(ICB_CAUSE_IPI);
	unsigned int i;

	(void)state;
	empty();
	/* what a tick takes is not known yet */
	assert_int_equal(weigh(tick | device, 101000, 101000), device);
	assert_int_equal(weigh(tick | timer, 101000, 101000), tick | timer);
	assert_int_equal(weigh(tick, 1000, 1000), tick);
	assert_int_equal(weigh(device, 100000, 100000), device);
	assert_int_equal(weigh(tick | device, 101000, 101000), device);
	assert_int_equal(weigh(device | ipi, 101000, 101000), device | ipi);
	/* it explains a tenth */
	assert_int_equal(weigh(tick | device, 9000, 9000), tick | device);
	/* an IPI takes as little */
	assert_int_equal(weigh(ipi, 1000, 1000), ipi);
	assert_int_equal(weigh(device | ipi, 101000, 101000), device);
	/* one that was long once is not always so, nor is it left out */
	assert_int_equal(weigh(tick, 500000, 500000), tick);
	assert_int_equal(weigh(tick | device, 101000, 101000), device);
	/* none of them takes so long alone */
	assert_int_equal(weigh(tick | ipi, 101000, 101000), ipi);
	assert_int_equal(weigh(tick | timer, 101000, 101000), tick | timer);
	/* ticks that do take long are blamed beside any interrupt */
	for (i = 0; i < 200; i++)
		assert_int_equal(weigh(tick, 50000, 50000), tick);
	assert_int_equal(weigh(tick | device, 150000, 150000), tick | device);
	/* one alone has the whole time, and all of them may have too little */
	assert_int_equal(weigh(timer, 101000, 101000), timer);
	assert_int_equal(weigh(tick | device, 9999, 100000), 0);
	assert_int_equal(weigh(tick, 9999, 100000), 0);
}

/* A single sample: what half of all as long have is explained by its length. */
static void test_chance(void **state)
{
	const u32 causes = BIT(ICB_CAUSE_TICK) | BIT(ICB_CAUSE_TIMER) |
			   BIT(ICB_CAUSE_RUNQUEUE);
	unsigned int i;

	(void)state;
	empty();
	/* only the tick is known */
	assert_int_equal(icb_tail_chance(&tail, &hist, causes, 1999999, SIM_TICK), 0);
	assert_int_equal(icb_tail_chance(&tail, &hist, causes, 2000000, SIM_TICK),
			 BIT(ICB_CAUSE_TICK));
	/* a timer each 200 us */
	for (i = 0; i < 1000; i++)
		add(20000, i % 10 ? 0 : BIT(ICB_CAUSE_TIMER));
	assert_int_equal(icb_tail_chance(&tail, &hist, causes, 90000, SIM_TICK), 0);
	assert_int_equal(icb_tail_chance(&tail, &hist, causes, 110000, SIM_TICK),
			 BIT(ICB_CAUSE_TIMER));
	assert_int_equal(icb_tail_chance(&tail, &hist, causes, U64_MAX, SIM_TICK),
			 causes & ~BIT(ICB_CAUSE_RUNQUEUE));
}

/* A value that is clipped in the distribution is in the same bucket here. */
static void test_limits(void **state)
{
	struct icb_share share;

	(void)state;
	empty();
	add(0, 0);
	add(U64_MAX, BIT(ICB_CAUSE_MIGRATION));
	icb_tail_share(&tail, &hist, 1, 2, &share);
	assert_int_equal(share.samples, 1);
	assert_int_equal(share.had[ICB_CAUSE_MIGRATION], 1);
	icb_tail_share(&tail, &hist, 1, 1, &share);
	assert_int_equal(share.samples, 0);
}

/* A wait of usual length is no cause; nor is one that is a small part of the excess. */
static void test_waited(void **state)
{
	u64 usual = U64_MAX;

	(void)state;
	/* neither the usual wait nor the shortest sample is known */
	assert_false(icb_tail_waited(&usual, 1000, 20000, U64_MAX));
	assert_int_equal(usual, 1000);
	assert_false(icb_tail_waited(&usual, 900, 20000, 20000));
	assert_int_equal(usual, 900);
	assert_false(icb_tail_waited(&usual, 900, 20000, 20000));
	/* less than a quarter of the shortest sample */
	assert_false(icb_tail_waited(&usual, 5899, 25000, 20000));
	assert_true(icb_tail_waited(&usual, 5900, 25000, 20000));
	/* half of the excess */
	assert_true(icb_tail_waited(&usual, 50900, 120000, 20000));
	assert_false(icb_tail_waited(&usual, 50899, 120002, 20000));
	/* a thread that is not woken has no usual wait */
	usual = 0;
	assert_true(icb_tail_waited(&usual, 10000, 20000, U64_MAX));
	assert_false(icb_tail_waited(&usual, 4999, 20000, 20000));
	assert_int_equal(usual, 0);
	/* a wait longer than this sample was another sample's */
	assert_true(icb_tail_waited(&usual, 40000, 20000, 20000));
	assert_false(icb_tail_waited(&usual, 40001, 20000, 20000));
}

/* A polling thread loses its CPU to the device's thread: usual if most samples do. */
static void test_polls(void **state)
{
	const u32 lost = BIT(ICB_CAUSE_PREEMPTION) | BIT(ICB_CAUSE_RUNQUEUE);
	struct icb_waits waits = { .usual = U64_MAX };
	unsigned int i;

	(void)state;
	/* now and then: another task had the CPU */
	empty();
	for (i = 0; i < 100; i++) {
		add(20000, 0);
		if (i % 3 != 2)
			continue;
		assert_int_equal(icb_tail_causes(&waits, lost, 50000, 80000, &hist), lost);
		waits.lost--; /* the same sample, again */
		/* too short a wait is removed, but not the other cause */
		assert_int_equal(icb_tail_causes(&waits, lost, 1000, 20000, &hist),
				 BIT(ICB_CAUSE_PREEMPTION));
	}
	assert_int_equal(waits.usual, U64_MAX);
	/* in each sample, for about the same time */
	empty();
	memset(&waits, 0, sizeof(waits));
	waits.usual = U64_MAX;
	for (i = 0; i < 100; i++) {
		u32 causes = lost | BIT(ICB_CAUSE_TICK);

		add(20000 + i * 10, 0);
		causes = icb_tail_causes(&waits, causes, 15000 + i * 5, 20000 + i * 10, &hist);
		/* it takes some samples until it is usual */
		if (i < 8)
			assert_true(causes & BIT(ICB_CAUSE_PREEMPTION));
		else
			assert_int_equal(causes, BIT(ICB_CAUSE_TICK));
	}
	/* a shorter wait changes nothing */
	assert_int_equal(icb_tail_causes(&waits, lost, 100, 15000, &hist), 0);
	assert_in_range(waits.polled, 13000, 15500);
	assert_int_equal(icb_tail_causes(&waits, lost, 15500, 21000, &hist), 0);
	assert_int_equal(waits.usual, U64_MAX);
	/* a single longer wait */
	assert_int_equal(icb_tail_causes(&waits, lost, 4000000, 4020000, &hist), lost);
	/* a sample that was long for another reason */
	assert_int_equal(icb_tail_causes(&waits, lost, 16000, 4020000, &hist), 0);
	/* waits are not counted, so their length is unknown */
	assert_int_equal(icb_tail_causes(&waits, BIT(ICB_CAUSE_PREEMPTION), 0, 20000, &hist),
			 BIT(ICB_CAUSE_PREEMPTION));
}

/* Each third sample by a tick, each fifth by an interrupt and a softirq. */
static u32 causes_of(u64 sample)
{
	return (sample % 3 ? 0 : BIT(ICB_CAUSE_TICK)) |
	       (sample % 5 ? 0 : BIT(ICB_CAUSE_INTERRUPT) |
				 BIT(ICB_CAUSE_SOFTIRQ));
}

static u64 count_causes(u64 first, u64 last, u32 cause)
{
	u64 count = 0, i;

	for (i = first; i <= last; i++)
		count += !!(causes_of(i) & cause);
	return count;
}

static u64 booked(const u64 *bucket)
{
	u64 count = 0;
	unsigned int i;

	for (i = 0; i < ICB_HIST_BUCKETS; i++)
		count += bucket[i];
	return count;
}

static void expect_booked(const struct mode *mode)
{
	const struct icb_run *run = &pair.run[0];
	u64 first = params.warmup + 1, last = params.warmup + params.iterations;
	unsigned int i;

	mode_expect(&pair, mode, pair.complete ? NULL : "was cut short",
		    "attribute", 0);
	assert_int_equal(run->disturb.begun, last);
	assert_int_equal(run->disturb.ended, last);
	assert_int_equal(booked(pair.tail.any),
			 count_causes(first, last, U32_MAX));
	for (i = 0; i < ICB_CAUSES; i++)
		assert_int_equal(booked(pair.tail.by[i]),
				 count_causes(first, last, BIT(i)));
}

/* Each measured sample is booked with its causes, and no other sample is. */
static void test_loops(void **state)
{
	const struct mode *mode;

	(void)state;
	disturb_causes = causes_of;
	for_each_mode(mode) {
		mode_params(mode, &params);
		mode_config(mode, 7, &config);
		params.warmup = 11;
		params.iterations = 50;
		params.attribute = !(BIT(params.completion) &
				     ICB_COMPLETIONS_CALLBACK);
		pair_run(&pair, &params, &config);
		if (params.attribute)
			expect_booked(mode);
		else
			assert_int_equal(pair.run[0].disturb.begun, 0);
	}
	disturb_causes = NULL;
}

static u32 waits(u64 sample)
{
	return sample % 4 ? 0 : BIT(ICB_CAUSE_RUNQUEUE);
}

/* The time that a thread waits for its CPU decides whether the wait is a cause. */
static void test_waits(void **state)
{
	static const struct mode poll = {
		.name = "send poll", .verb = ICBENCH_VERB_SEND,
		.completion = ICBENCH_COMPLETION_POLL };
	const u64 times[] = { 1, 3000 };
	unsigned int i;
	u64 count;

	(void)state;
	disturb_causes = waits;
	for (i = 0; i < ARRAY_SIZE(times); i++) {
		disturb_waited = times[i];
		mode_params(&poll, &params);
		mode_config(&poll, 7, &config);
		params.warmup = 0;
		params.iterations = 40;
		params.attribute = 1;
		pair_run(&pair, &params, &config);
		count = booked(pair.tail.any);
		assert_int_equal(count,
				 booked(pair.tail.by[ICB_CAUSE_RUNQUEUE]));
		/* except for samples that took much longer for another reason */
		assert_true(i ? count >= 5 && count <= 10 : !count);
	}
	disturb_waited = 0;
	disturb_causes = NULL;
}

/* Streams: each interval is a sample, and begins where the previous one ends. */
static void test_streams(void **state)
{
	const struct icb_hist *interval = &pair.hist[ICB_HIST_INTERVAL];
	const struct icb_run *run = &pair.run[0];
	struct icb_result result;
	const struct mode *mode;
	unsigned int i, told;

	(void)state;
	disturb_causes = causes_of;
	for (mode = stream_table; mode < stream_table + STREAMS; mode++) {
		mode_params(mode, &params);
		mode_config(mode, 7, &config);
		params.window = 4;
		params.refill = 1;
		params.batch = 1;
		params.signal_every = 1;
		params.iterations = 60;
		params.attribute = !mode_callbacks(mode);
		pair_run(&pair, &params, &config);
		mode_expect(&pair, mode, pair.complete ? NULL : "was cut short",
			    "attribute", 0);
		if (!params.attribute) {
			assert_int_equal(run->disturb.begun, 0);
			continue;
		}
		assert_int_equal(run->disturb.begun, 1);
		assert_int_equal(run->disturb.ended, interval->count);
		assert_int_equal(booked(pair.tail.any),
				 count_causes(1, interval->count, U32_MAX));
		memset(&result, 0, sizeof(result));
		run->ops->report(run, &result);
		for (i = 0, told = 0; i < result.count; i++) {
			assert_ptr_equal(result.metric[i].tail,
					 strcmp(result.metric[i].name,
						"interval") ? NULL :
					 &pair.tail);
			told += !!result.metric[i].tail;
		}
		assert_int_equal(told, 1);
	}
	disturb_causes = NULL;
}

static u32 every(u64 sample)
{
	(void)sample;
	return BIT(ICB_CAUSE_TICK);
}

static u64 disturbed_at;

/* One cause, in the middle of the run. */
static u32 once(u64 sample)
{
	return sample == disturbed_at ? BIT(ICB_CAUSE_PREEMPTION) : 0;
}

static const struct mode open_mode = {
	.name = "open loop", .verb = ICBENCH_VERB_SEND,
	.trigger = ICBENCH_TRIGGER_CLOCK,
	.completion = ICBENCH_COMPLETION_POLL };

static void run_open(u64 rate)
{
	mode_params(&open_mode, &params);
	mode_config(&open_mode, 7, &config);
	config.net.no_log = true;
	params.rate = rate;
	params.window = 16;
	params.warmup = 5;
	params.iterations = 100;
	params.attribute = 1;
	pair_run(&pair, &params, &config);
	mode_expect(&pair, &open_mode, pair.complete ? NULL : "was cut short",
		    "attribute", 0);
	assert_int_equal(pair.run[0].disturb.begun, 1);
}

/*
 * Open loop: an event disturbs all operations that were due and had not completed, and
 * none that was due later.
 */
static void test_open(void **state)
{
	static const u64 rates[] = { 20000, 1000000, 10000000 };
	const struct icb_run *run = &pair.run[0];
	struct icb_result result = {};
	u64 all = 0, looks, count;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rates); i++) {
		disturb_causes = NULL;
		run_open(rates[i]);
		assert_int_equal(booked(pair.tail.any), 0);
		looks = run->disturb.ended;
		assert_true(looks >= 20);
		disturb_causes = once;
		for (disturbed_at = 1; disturbed_at <= looks;
		     disturbed_at += looks / 20) {
			run_open(rates[i]);
			count = booked(pair.tail.any);
			assert_int_equal(count,
					 booked(pair.tail.by[ICB_CAUSE_PREEMPTION]));
			/* operations that are due before they can be posted wait */
			assert_true(i || count <= 1);
			all += count;
		}
	}
	assert_true(all > 20);
	disturb_causes = every;
	run_open(1000000);
	assert_int_equal(booked(pair.tail.any), 100);
	run->ops->report(run, &result);
	for (i = 0; i < result.count; i++)
		assert_ptr_equal(result.metric[i].tail,
				 strcmp(result.metric[i].name, "latency") ?
				 NULL : &pair.tail);
	disturb_causes = NULL;
}

/* If causes are not requested, they are not looked up. */
static void test_off(void **state)
{
	struct icb_result result = {};
	const struct mode *mode;

	(void)state;
	disturb_causes = causes_of;
	for_each_mode(mode) {
		mode_params(mode, &params);
		mode_config(mode, 8, &config);
		params.attribute = 0;
		pair_run(&pair, &params, &config);
		assert_int_equal(pair.run[0].disturb.begun, 0);
		assert_int_equal(pair.run[0].disturb.ended, 0);
	}
	pair.run[0].ops->report(&pair.run[0], &result);
	assert_true(result.count > 0);
	assert_null(result.metric[0].tail);
	disturb_causes = NULL;
}

/* The result has the tail for the distribution that it belongs to, and for no other. */
static void test_result(void **state)
{
	static const struct mode call = {
		.name = "register", .verb = ICBENCH_VERB_REGISTER,
		.trigger = ICBENCH_TRIGGER_RETURN,
		.completion = ICBENCH_COMPLETION_POLL };
	static const struct mode echo = {
		.name = "send poll", .verb = ICBENCH_VERB_SEND,
		.completion = ICBENCH_COMPLETION_POLL };
	const struct mode *modes[] = { &call, &echo };
	static const char *const names[] = { "register", "latency" };
	struct icb_result result;
	unsigned int i, j;

	(void)state;
	disturb_causes = causes_of;
	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		mode_params(modes[i], &params);
		mode_config(modes[i], 9, &config);
		params.warmup = 3;
		params.iterations = 40;
		params.attribute = 1;
		pair_run(&pair, &params, &config);
		expect_booked(modes[i]);
		memset(&result, 0, sizeof(result));
		pair.run[0].ops->report(&pair.run[0], &result);
		for (j = 0; j < result.count; j++)
			assert_ptr_equal(result.metric[j].tail,
					 strcmp(result.metric[j].name,
						names[i]) ? NULL : &pair.tail);
	}
	disturb_causes = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_nothing_above),
		cmocka_unit_test(test_length_bias),
		cmocka_unit_test(test_real_cause),
		cmocka_unit_test(test_worlds),
		cmocka_unit_test(test_everywhere),
		cmocka_unit_test(test_weigh),
		cmocka_unit_test(test_several_interrupts),
		cmocka_unit_test(test_chance),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_waited),
		cmocka_unit_test(test_polls),
		cmocka_unit_test(test_loops),
		cmocka_unit_test(test_waits),
		cmocka_unit_test(test_streams),
		cmocka_unit_test(test_open),
		cmocka_unit_test(test_off),
		cmocka_unit_test(test_result),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	pair_free(&pair);
	return failed;
}
