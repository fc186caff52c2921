// SPDX-License-Identifier: GPL-2.0
/* Causes of long samples, from the loop to the shares of a tail. */
#include "unit.h"
#include "check.h"
#include "mode.h"

#define for_each_mode(mode)						\
	for ((mode) = mode_table; (mode) < mode_table + MODES; (mode)++)

/* Time between two ticks, ns. */
#define PERIOD	4000000

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
	assert_int_equal(icb_tail_chance(&tail, &hist, irqs, 10000000, PERIOD), 0);
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
	assert_int_equal(icb_tail_chance(&tail, &hist, causes, 1999999, PERIOD), 0);
	assert_int_equal(icb_tail_chance(&tail, &hist, causes, 2000000, PERIOD),
			 BIT(ICB_CAUSE_TICK));
	/* a timer each 200 us */
	for (i = 0; i < 1000; i++)
		add(20000, i % 10 ? 0 : BIT(ICB_CAUSE_TIMER));
	assert_int_equal(icb_tail_chance(&tail, &hist, causes, 90000, PERIOD), 0);
	assert_int_equal(icb_tail_chance(&tail, &hist, causes, 110000, PERIOD),
			 BIT(ICB_CAUSE_TIMER));
	assert_int_equal(icb_tail_chance(&tail, &hist, causes, U64_MAX, PERIOD),
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
