// SPDX-License-Identifier: GPL-2.0
/* Messages in pieces: the location of each piece, and when all have arrived. */
#include <stdlib.h>

#include "model/stripe.h"
#include "unit.h"

/* Pieces have equal sizes and no gaps; the last one has the remainder. */
static void test_cut(void **state)
{
	u32 size, count, i, begin, end, next;

	(void)state;
	for (size = 1; size < 200; size++) {
		for (count = 1; count <= size && count <= ICBENCH_MAX_DEVICES; count++) {
			next = 0;
			for (i = 0; i < count; i++) {
				icb_stripe_cut(size, count, i, &begin, &end);
				assert_int_equal(begin, next);
				assert_true(end > begin);
				if (i + 1 < count)
					assert_int_equal(end - begin, size / count);
				next = end;
			}
			assert_int_equal(next, size);
		}
	}
	icb_stripe_cut(ICBENCH_MAX_SIZE, 8, 7, &begin, &end);
	assert_int_equal(begin, ICBENCH_MAX_SIZE / 8 * 7);
	assert_int_equal(end, ICBENCH_MAX_SIZE);
}

/* A message is complete with its last piece, in whatever order the devices progress. */
static void test_take(void **state)
{
	struct icb_stripes stripes = { .count = 3 };

	(void)state;
	assert_int_equal(icb_stripes_take(&stripes), 0);
	stripes.piece[2] = 5;
	stripes.piece[0] = 1;
	assert_int_equal(icb_stripes_take(&stripes), 0);
	stripes.piece[1] = 1;
	assert_int_equal(icb_stripes_take(&stripes), 1);
	assert_int_equal(icb_stripes_take(&stripes), 0);
	stripes.piece[0] = 4;
	stripes.piece[1] = 3;
	assert_int_equal(icb_stripes_take(&stripes), 2);
	stripes.piece[1] = 9;
	stripes.piece[0] = 9;
	assert_int_equal(icb_stripes_take(&stripes), 2);
	assert_int_equal(stripes.whole, 5);
	/* counters behind the last device are not used */
	stripes.piece[2] = 9;
	stripes.piece[3] = 1;
	assert_int_equal(icb_stripes_take(&stripes), 4);
}

/* Devices progress at random: complete messages are those of the slowest device. */
static void test_random(void **state)
{
	struct icb_stripes stripes = { .count = ICBENCH_MAX_DEVICES };
	u64 taken = 0, least;
	unsigned int i, k;

	(void)state;
	srandom(1);
	for (k = 0; k < 10000; k++) {
		stripes.piece[random() % ICBENCH_MAX_DEVICES] += random() % 17;
		taken += icb_stripes_take(&stripes);
		least = stripes.piece[0];
		for (i = 1; i < ICBENCH_MAX_DEVICES; i++)
			least = min_t(u64, least, stripes.piece[i]);
		assert_int_equal(taken, least);
	}
	assert_true(taken > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_take),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
