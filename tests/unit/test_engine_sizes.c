// SPDX-License-Identifier: GPL-2.0
/* Messages of different sizes: their distribution, and streams of them. */
#include "model/rules.h"
#include "unit.h"
#include <math.h>
#include "check.h"
#include "host/clock.h"
#include "mode.h"
#include "model/sizes.h"

static struct pair pair;
static struct pair_config config;
static struct icb_params params;
static struct icb_sizes sizes;

static void draw(u32 dist, u32 size)
{
	icb_params_init(&params);
	params.trigger = ICBENCH_TRIGGER_COMPLETION;
	params.size = size;
	params.size_dist = dist;
	icb_sizes_start(&sizes, &params);
}

static u64 sum_of_parts(void)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < ICB_SIZES; i++)
		sum += sizes.size[i];
	return sum;
}

/* The mean of all parts is the requested size. */
static void test_mean(void **state)
{
	const u32 wanted[] = { 512, 4096, 65536, 1 << 20, 100000000 };
	unsigned int i, dist;
	double mean;

	(void)state;
	for (dist = ICBENCH_SIZE_DIST_UNIFORM;
	     dist <= ICBENCH_SIZE_DIST_EXPONENTIAL; dist++)
		for (i = 0; i < ARRAY_SIZE(wanted); i++) {
			draw(dist, wanted[i]);
			assert_true(sizes.on);
			mean = (double)sum_of_parts() / ICB_SIZES;
			assert_true(fabs(mean - wanted[i]) < 1 + wanted[i] / 1e4);
			assert_int_equal(icb_sizes_room(&params),
					 sizes.size[0]);
		}
	draw(ICBENCH_SIZE_DIST_FIXED, 4096);
	assert_false(sizes.on);
	assert_int_equal(icb_sizes_room(&params), 4096);
}

/* Each part of an exponential distribution is the mean of its interval. */
static void test_exponential(void **state)
{
	const u32 mean = 1 << 20;
	double a, b, part;
	u32 i;

	(void)state;
	draw(ICBENCH_SIZE_DIST_EXPONENTIAL, mean);
	for (i = 0; i < ICB_SIZES; i++) {
		a = (double)i / ICB_SIZES;
		b = (double)(i + 1) / ICB_SIZES;
		part = b - b * log(b) - (i ? a - a * log(a) : 0);
		assert_true(fabs(sizes.size[i] - part * ICB_SIZES * mean) <
			    mean / 1e3);
		if (i)
			assert_true(sizes.size[i] < sizes.size[i - 1]);
	}
}

/* With small means, each message has at least one byte. */
static void test_least(void **state)
{
	u32 dist, i;

	(void)state;
	for (dist = ICBENCH_SIZE_DIST_UNIFORM;
	     dist <= ICBENCH_SIZE_DIST_EXPONENTIAL; dist++) {
		draw(dist, 1);
		for (i = 0; i < ICB_SIZES; i++)
			assert_in_range(sizes.size[i], 1, 7);
	}
}

/*
 * Over many messages, all parts are equally frequent; another seed gives another
 * sequence.
 */
static void test_drawn(void **state)
{
	u64 n, same = 0, sum = 0, seen[ICB_SIZES] = {};
	const u64 count = 256000;
	u32 i, size;

	(void)state;
	draw(ICBENCH_SIZE_DIST_EXPONENTIAL, 1 << 20);
	for (n = 1; n <= count; n++) {
		size = icb_sizes_at(&sizes, true, n);
		sum += size;
		same += size == icb_sizes_at(&sizes, false, n);
		for (i = 0; sizes.size[i] != size; i++)
			;
		seen[i]++;
	}
	for (i = 0; i < ICB_SIZES; i++)
		assert_in_range(seen[i], 850, 1150);
	assert_in_range(same, 850, 1150);
	assert_int_equal(icb_sizes_sum(&sizes, true, 1, count), sum);
	assert_int_equal(icb_sizes_sum(&sizes, true, 1, count) -
			 icb_sizes_sum(&sizes, true, 1, 1000),
			 icb_sizes_sum(&sizes, true, 1001, count - 1000));
	assert_true(fabs((double)sum / count / (1 << 20) - 1) < 0.01);
}

/* The largest number that a peer may report takes no longer to sum than that of a run. */
static void test_many(void **state)
{
	const u64 summed = 1 << 24, many = 1ULL << 40;
	u64 sum;

	(void)state;
	draw(ICBENCH_SIZE_DIST_EXPONENTIAL, 1000);
	sum = icb_sizes_sum(&sizes, true, 1, summed);
	assert_int_equal(icb_sizes_sum(&sizes, true, 1, 3 * summed), 3 * sum);
	assert_int_equal(icb_sizes_sum(&sizes, true, 1, many),
			 sum * (many / summed));
	assert_true(fabs((double)sum / summed / 1000 - 1) < 0.001);
	assert_int_equal(icb_sizes_sum(&sizes, true, 1, U64_MAX), U64_MAX);
	assert_int_equal(icb_sizes_sum(&sizes, true, 1, 0), 0);
}

static bool takes_sizes(const struct mode *mode)
{
	return !mode_verb(mode)->atomic && !mode_verb(mode)->note;
}

static void prepare(const struct mode *mode, u64 seed)
{
	mode_params(mode, &params);
	mode_config(mode, seed, &config);
	params.size = 40;
	params.size_dist = ICBENCH_SIZE_DIST_UNIFORM + seed % 2;
	params.seed = seed;
	params.window = (const u32[]){ 1, 4, 33 }[seed % 3];
	params.refill = params.window > 1 ? params.window / 2 : 1;
	params.batch = params.refill > 1 ? 2 : 1;
	params.signal_every = 1;
	params.iterations = 120;
	params.warmup = seed % 4 * 5;
}

static void verify(void)
{
	params.verify = 1;
	icb_params_preset(&params, ICBENCH_A_PARAMS_BUFFERS,
			  icb_buffers_ring(&params));
}

static const struct icb_metric *metric_of(const struct icb_result *result,
					  const char *name)
{
	unsigned int i;

	for (i = 0; i < result->count; i++)
		if (!strcmp(result->metric[i].name, name))
			return &result->metric[i];
	return NULL;
}

/* First measured message, if it is not the first one after the warm-up. */
static u64 begins;

/* Bandwidth and mean size are those of the transferred bytes. */
static void expect_bytes(const struct mode *mode)
{
	const struct icb_run *it = &pair.run[0], *peer = &pair.run[1];
	bool both = mode->direction == ICBENCH_DIRECTION_BI;
	u64 first = icb_buffers_warmup(&params) + 1, n, own = 0, other = 0;
	u64 mine = begins ? begins : first;
	u64 elapsed = icb_clock_ns(it->ended - it->began);
	u64 theirs = icb_clock_ns(peer->ended - peer->began);
	u64 done = it->done, peer_done = peer->done;
	struct icb_steady_part part, peer_part;
	const struct icb_metric *metric;
	struct icb_result result = {};
	double mean, rate;

	icb_steady_get(&it->steady, 0, &part);
	icb_steady_get(&peer->steady, ICB_STEADY_TRAILING, &peer_part);
	if (both && part.done && peer_part.done) {
		mine += part.before;
		done = part.done;
		elapsed = icb_clock_ns(part.ticks);
		first += peer_part.before;
		peer_done = peer_part.done;
		theirs = icb_clock_ns(peer_part.ticks);
	}
	for (n = mine; n < mine + done; n++)
		own += icb_sizes_at(&it->sizes, true, n);
	for (n = first; both && n < first + peer_done; n++)
		other += icb_sizes_at(&it->sizes, false, n);
	icb_stream_ops.report(it, &result);
	metric = metric_of(&result, "size_mean");
	assert_non_null(metric);
	assert_int_equal(metric->unit, ICBENCH_UNIT_BYTES);
	mean = (double)(own + other) / (done + (both ? peer_done : 0));
	assert_true(fabs((double)metric->value / metric->divisor - mean) < 0.01);
	assert_null(metric_of(&result, "bandwidth_median"));
	metric = metric_of(&result, "bytes");
	assert_int_equal(metric ? metric->value : 0, own);
	metric = metric_of(&result, "peer_bytes");
	assert_int_equal(metric ? metric->value : 0, other);
	metric = metric_of(&result, "bandwidth");
	assert_non_null(metric);
	rate = own * 1e9 / elapsed;
	if (both)
		rate += other * 1e9 / theirs;
	assert_true(fabs((double)metric->value / metric->divisor / rate - 1) <
		    1e-6);
}

/* All kinds of streams, each message checked. */
static void test_streams(void **state)
{
	const struct mode *mode;
	u64 seed;

	(void)state;
	for (mode = stream_table; mode < stream_table + STREAMS; mode++)
		for (seed = 0; seed < 12; seed++) {
			if (!takes_sizes(mode))
				continue;
			prepare(mode, seed);
			if (seed % 4 < 2)
				verify();
			pair_run(&pair, &params, &config);
			mode_expect(&pair, mode, check_stream_complete(&pair), "sizes",
				    seed);
			assert_int_equal(pair.side[0].compared, 0);
			assert_int_equal(pair.side[1].compared, 0);
			expect_bytes(mode);
		}
}

static struct icb_barrier barrier;

/* Another run needs longer to warm up, and to measure. */
static void go_on(void *arg)
{
	const struct icb_run *run = &pair.run[0];

	(void)arg;
	if (run->timed)
		begins = run->base + 1;
	if (run->held && run->seq > 3 * params.window)
		icb_barrier_abort(&barrier);
	pair.net.config.hook_at = pair.net.calls + 1;
}

/* With a start barrier, measuring starts later than the warm-up alone would imply. */
static void test_crowd(void **state)
{
	const struct mode *mode;
	u64 seed;

	(void)state;
	for (mode = stream_table; mode < stream_table + STREAMS; mode++)
		for (seed = 0; seed < 4; seed++) {
			if (!takes_sizes(mode) || mode->reply ||
			    mode->direction == ICBENCH_DIRECTION_BI)
				continue;
			prepare(mode, seed);
			icb_barrier_init(&barrier, 2);
			begins = 0;
			config.barrier = &barrier;
			config.net.hook_at = 1;
			config.net.hook = go_on;
			pair_run(&pair, &params, &config);
			mode_expect(&pair, mode, pair.net.wrong[0] ?
				    pair.net.wrong : NULL, "crowd", seed);
			assert_true(pair.complete);
			assert_true(begins > icb_buffers_warmup(&params) + 1);
			expect_bytes(mode);
		}
	begins = 0;
}

/* A message that is one byte too short is detected on arrival. */
static void test_cut(void **state)
{
	const struct mode *mode;
	u64 seed;

	(void)state;
	for (mode = stream_table; mode < stream_table + STREAMS; mode++)
		for (seed = 1; seed < 7; seed++) {
			if (!takes_sizes(mode) || !mode_verb(mode)->recv ||
			    mode->direction == ICBENCH_DIRECTION_BI)
				continue;
			prepare(mode, seed);
			config.net.faults[0].truncate = seed * 7;
			pair_run(&pair, &params, &config);
			mode_expect(&pair, mode, pair.net.wrong[0] ?
				    pair.net.wrong : NULL, "cut", seed);
			assert_false(pair.complete);
			assert_int_equal(pair.side[mode->one_thread ? 0 : 1].err,
					 -EPROTO);
		}
}

/* Parameters that exclude different sizes are named in the refusal. */
static void test_refused(void **state)
{
	static const struct {
		const char *key;
		const char *value;
		const char *words;
	} cases[] = {
		{ "trigger", "echo", "this trigger; accepted: fixed, or trigger completion or clock" },
		{ "size", "0", "a size of 0" },
		{ "inline", "64", "inline; accepted: fixed, or inline 0" },
		{ "sges", "2", "several segments" },
		{ "qps", "2", "several QPs" },
		{ "reply", "1", "reply" },
		{ "size", "400000000", "the largest message has" },
	};
	struct icb_reason why;
	unsigned int i;
	int err;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		icb_params_init(&params);
		assert_int_equal(icb_params_set_number(&params, icb_param_by_name("trigger"),
						       ICBENCH_TRIGGER_COMPLETION, &why), 0);
		assert_int_equal(icb_params_set_number(&params, icb_param_by_name("size-dist"),
						       ICBENCH_SIZE_DIST_EXPONENTIAL, &why), 0);
		assert_int_equal(icb_params_set_number(&params, icb_param_by_name(cases[i].key),
						       strcmp(cases[i].value, "echo") ?
						       strtoull(cases[i].value, NULL, 0) :
						       ICBENCH_TRIGGER_ECHO, &why), 0);
		err = icb_params_check(&params, &why);
		assert_true(err == -EOPNOTSUPP || err == -EINVAL);
		assert_non_null(strstr(why.text, cases[i].words));
	}
}

static int teardown(void **state)
{
	(void)state;
	pair_free(&pair);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mean),
		cmocka_unit_test(test_exponential),
		cmocka_unit_test(test_least),
		cmocka_unit_test(test_drawn),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_streams),
		cmocka_unit_test(test_crowd),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, teardown);
}
