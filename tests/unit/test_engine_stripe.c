// SPDX-License-Identifier: GPL-2.0
/* Messages that are cut in pieces: where each lies, and when all are there. */
#include <stdlib.h>

#include "model/stripe.h"
#include "unit.h"

/* The pieces are even, leave nothing out, and the last one has the rest. */
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

/* A message is there with its last piece, in whatever order devices get on. */
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
	/* what lies behind the last one is nobody's */
	stripes.piece[2] = 9;
	stripes.piece[3] = 1;
	assert_int_equal(icb_stripes_take(&stripes), 4);
}

/* Devices that get on at random: what is whole is what the slowest has. */
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
