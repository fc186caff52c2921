// SPDX-License-Identifier: GPL-2.0
/* Random numbers: all streams are independent. */
#include "unit.h"
#include <math.h>
#include "host/clock.h"
#include "model/arrival.h"
#include "model/payload.h"
#include "model/random.h"
#include "model/sizes.h"
#include "task.h"

#define DRAWS	20000
/* The correlation of 20,000 independent pairs has a standard error of 0.0071. */
#define MOST	(5.5 / sqrt(DRAWS))

/* Seeds as in runs: those of workers are consecutive. */
static const u64 seeds[] = { 0, 1, 2, 3, 64, 65, 1ULL << 32, ~0ULL, ~1ULL };

#define STREAMS	(ARRAY_SIZE(seeds) * 2 * ICB_RANDOM_USES)

static double stream[STREAMS][DRAWS];
static struct icb_params params;
/* One tick is 1 ns. */
static const struct task_config task = { .khz = 1000000 };

/* Correlation of x[i] and y[i + lag], both from 0 to 1. */
static double correlation(const double *x, const double *y, unsigned int lag)
{
	double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
	const unsigned int count = DRAWS - lag;
	unsigned int i;

	for (i = 0; i < count; i++) {
		mx += x[i] / count;
		my += y[i + lag] / count;
	}
	for (i = 0; i < count; i++) {
		xx += (x[i] - mx) * (x[i] - mx);
		yy += (y[i + lag] - my) * (y[i + lag] - my);
		xy += (x[i] - mx) * (y[i + lag] - my);
	}
	return xy / sqrt(xx * yy);
}

static void draw(void)
{
	struct icb_random random;
	unsigned int s, side, use, i;
	double *to = stream[0];

	for (s = 0; s < ARRAY_SIZE(seeds); s++)
		for (side = 0; side < 2; side++)
			for (use = 0; use < ICB_RANDOM_USES; use++) {
				random = icb_random_of(seeds[s], side, use);
				for (i = 0; i < DRAWS; i++)
					*to++ = icb_random_at(random, i + 1) /
						4294967296.0;
			}
}

/* Each pair of streams, at the same place and at the following ones. */
static void test_pairs(void **state)
{
	unsigned int a, b, lag;

	(void)state;
	draw();
	for (a = 0; a < STREAMS; a++)
		for (b = a; b < STREAMS; b++)
			for (lag = a == b; lag < 2; lag++)
				if (fabs(correlation(stream[a], stream[b],
						     lag)) > MOST)
					fail_msg("streams %u and %u, %u later: correlation %.4f",
						 a, b, lag,
						 correlation(stream[a],
							     stream[b], lag));
}

/* Each stream is uniform: 16 parts, 15 degrees of freedom. */
static void test_uniform(void **state)
{
	unsigned int s, i, seen[16];
	double chi;

	(void)state;
	draw();
	for (s = 0; s < STREAMS; s++) {
		memset(seen, 0, sizeof(seen));
		for (i = 0; i < DRAWS; i++)
			seen[(unsigned int)(stream[s][i] * 16)]++;
		for (i = 0, chi = 0; i < 16; i++)
			chi += pow(seen[i] - DRAWS / 16.0, 2) / (DRAWS / 16.0);
		/* 50.5: probability of one in 100,000 */
		assert_row(s, chi < 50.5);
	}
}

/* Gaps between operations, and sizes, drawn as the module draws them. */
static void test_uses(void **state)
{
	static double gap[DRAWS], size[2][DRAWS], byte[2][DRAWS];
	struct icb_random payload[2];
	struct icb_arrival arrival;
	struct icb_sizes sizes;
	unsigned int i, s, side;
	u64 last;

	(void)state;
	task_init(&task);
	for (s = 0; s < ARRAY_SIZE(seeds); s++) {
		for (i = 0; i < 4; i++) {
			icb_params_init(&params);
			params.trigger = ICBENCH_TRIGGER_CLOCK;
			params.seed = seeds[s];
			params.size = 4096;
			params.rate = 1000;
			params.arrival = i & 1 ? ICBENCH_ARRIVAL_UNIFORM :
						 ICBENCH_ARRIVAL_EXPONENTIAL;
			params.size_dist = i & 2 ? ICBENCH_SIZE_DIST_UNIFORM :
						   ICBENCH_SIZE_DIST_EXPONENTIAL;
			icb_arrival_start(&arrival, &params, 0, icb_clock_ticks(1000000000));
			icb_sizes_start(&sizes, &params);
			for (side = 0; side < 2; side++)
				payload[side] = icb_payload_of(params.seed,
							       side);
			last = 0;
			for (u64 n = 1; n <= DRAWS; n++) {
				gap[n - 1] = arrival.due - last;
				last = arrival.due;
				icb_arrival_next(&arrival);
				for (side = 0; side < 2; side++) {
					size[side][n - 1] =
						icb_sizes_at(&sizes, side, n);
					byte[side][n - 1] =
						icb_payload_at(payload[side],
							       n, 0);
				}
			}
			for (side = 0; side < 2; side++) {
				assert_row(s, fabs(correlation(gap, size[side],
							       0)) < MOST);
				assert_row(s, fabs(correlation(gap, byte[side],
							       0)) < MOST);
				assert_row(s, fabs(correlation(size[0],
							       byte[side],
							       0)) < MOST);
				assert_row(s, fabs(correlation(size[1],
							       byte[side],
							       0)) < MOST);
			}
			assert_row(s, fabs(correlation(size[0], size[1], 0)) <
				      MOST);
			assert_row(s, fabs(correlation(byte[0], byte[1], 0)) <
				      MOST);
		}
	}
}

/*
 * Effect of a correlation: the mean wait in a queue whose service time is 1 ns per byte,
 * at a load of 0.9. With independent exponential sizes and arrivals it is 9 mean service
 * times. It would be far less if small gaps came with small messages.
 */
static void test_queue(void **state)
{
	const u64 count = 4000000;
	struct icb_arrival arrival;
	double wait = 0, sum = 0;
	struct icb_sizes sizes;
	double mean, variance;
	u64 n, last;
	u32 i;

	(void)state;
	task_init(&task);
	icb_params_init(&params);
	params.trigger = ICBENCH_TRIGGER_CLOCK;
	params.seed = 1;
	params.size = 90000;
	params.rate = 10000;
	params.arrival = ICBENCH_ARRIVAL_EXPONENTIAL;
	params.size_dist = ICBENCH_SIZE_DIST_EXPONENTIAL;
	icb_arrival_start(&arrival, &params, 0, icb_clock_ticks(1000000000));
	icb_sizes_start(&sizes, &params);
	for (n = 1; n <= count; n++) {
		last = arrival.due;
		icb_arrival_next(&arrival);
		/* 1 ns per byte */
		wait = fmax(0, wait + icb_sizes_at(&sizes, true, n) -
			       (double)icb_clock_ns(arrival.due - last));
		sum += wait;
	}
	for (i = 0, mean = 0, variance = 0; i < ICB_SIZES; i++)
		mean += (double)sizes.size[i] / ICB_SIZES;
	for (i = 0; i < ICB_SIZES; i++)
		variance += pow(sizes.size[i] - mean, 2) / ICB_SIZES;
	/* Pollaczek-Khinchine formula, in mean service times */
	mean = 0.9 / 0.1 * (1 + variance / mean / mean) / 2;
	assert_true(mean > 8.8 && mean < 9.1);
	assert_true(fabs(sum / count / 90000 / mean - 1) < 0.1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_uniform),
		cmocka_unit_test(test_uses),
		cmocka_unit_test(test_queue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
