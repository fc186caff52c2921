// SPDX-License-Identifier: GPL-2.0
/* Rate at which requests of unknown peers are admitted, per source and in total. */
#include "model/admission.h"
#include "unit.h"

#define MS	1000000ULL
#define SECOND	(1000 * MS)

/* Send @each requests in each ms of a second; @source chooses the source. */
static unsigned int flood(struct icb_admission *admission, u64 from,
			  unsigned int each, u32 (*source)(u64 n))
{
	unsigned int taken = 0, i;
	u64 at, n = 0;

	for (at = from; at < from + SECOND; at += MS)
		for (i = 0; i < each; i++)
			taken += icb_admission_take(admission, source(n++), at);
	return taken;
}

static u32 same(u64 n)
{
	(void)n;
	return 7;
}

static u32 forged(u64 n)
{
	return n * 2654435761U >> 16;
}

static void test_burst(void **state)
{
	struct icb_admission admission = {};
	unsigned int i;

	(void)state;
	for (i = 0; i < ICB_ADMISSION_BURST; i++)
		assert_true(icb_admission_take(&admission, 7, SECOND));
	assert_false(icb_admission_take(&admission, 7, SECOND));
	/* one source has used its burst up, others have not */
	assert_true(icb_admission_take(&admission, 8, SECOND));
	/* one more request per share of a second, and never more than a burst */
	assert_true(icb_admission_take(&admission, 7, SECOND +
				       SECOND / ICB_ADMISSION_RATE));
	assert_false(icb_admission_take(&admission, 7, SECOND +
					SECOND / ICB_ADMISSION_RATE));
	for (i = 0; i < ICB_ADMISSION_BURST; i++)
		assert_true(icb_admission_take(&admission, 7, 3600 * SECOND));
	assert_false(icb_admission_take(&admission, 7, 3600 * SECOND));
}

/* A source with 100,000 requests per second is served at the rate of one source. */
static void test_one_source(void **state)
{
	struct icb_admission admission = {};

	(void)state;
	assert_in_range(flood(&admission, SECOND, 100, same),
			ICB_ADMISSION_RATE,
			ICB_ADMISSION_RATE + ICB_ADMISSION_BURST);
	assert_in_range(flood(&admission, 2 * SECOND, 100, same),
			ICB_ADMISSION_RATE - 1, ICB_ADMISSION_RATE + 1);
}

/* Forged sources, another one for each request, are served at the total rate. */
static void test_forged(void **state)
{
	struct icb_admission admission = {};

	(void)state;
	assert_in_range(flood(&admission, SECOND, 100, forged),
			ICB_ADMISSION_ALL_RATE,
			ICB_ADMISSION_ALL_RATE + ICB_ADMISSION_ALL_BURST);
	assert_in_range(flood(&admission, 2 * SECOND, 100, forged),
			ICB_ADMISSION_ALL_RATE - 1, ICB_ADMISSION_ALL_RATE + 1);
}

/* While one source floods, other sources are always served. */
static void test_others(void **state)
{
	struct icb_admission admission = {};
	unsigned int i;
	u64 at;

	(void)state;
	for (at = SECOND; at < 4 * SECOND; at += MS) {
		for (i = 0; i < 100; i++)
			icb_admission_take(&admission, 7, at);
		if (!(at / MS % 10))
			assert_true(icb_admission_take(&admission,
						       8 + at / MS / 10 % 50,
						       at));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_burst),
		cmocka_unit_test(test_one_source),
		cmocka_unit_test(test_forged),
		cmocka_unit_test(test_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
