// SPDX-License-Identifier: GPL-2.0
/* Causes of long samples on simulated hosts: which are named, and with which shares. */
#include <math.h>

#include "unit.h"
#include "check.h"

static struct icb_tail tail;
static struct icb_hist hist;

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
 * @source: sources of the events of this host; the last ones may be unused
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

	/* an event makes the sample longer, so that further events may fall into it */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_length_bias),
		cmocka_unit_test(test_real_cause),
		cmocka_unit_test(test_worlds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
