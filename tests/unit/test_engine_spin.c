// SPDX-License-Identifier: GPL-2.0
/* When a thread polls before it sleeps, and when it stops doing so. */
#include "engine/bench.h"
#include "engine/run.h"
#include "unit.h"

static struct icb_run run;

static void begin(u64 spin)
{
	memset(&run, 0, sizeof(run));
	run.spin = spin;
}

/* One wait. Return: true if it began by polling. */
static bool wait_for(u64 ticks)
{
	bool spins = icb_run_spins(&run, 0);

	icb_run_waited(&run, ticks);
	return spins;
}

static void test_near(void **state)
{
	unsigned int i;

	(void)state;
	begin(100);
	for (i = 0; i < 1000; i++)
		assert_row(i, wait_for(i % 101));
	assert_true(icb_run_spins(&run, 99));
	assert_false(icb_run_spins(&run, 100));
	/* the clock of another CPU may be slightly behind */
	assert_true(icb_run_spins(&run, -5));
	assert_true(wait_for(-5));
}

static void test_far(void **state)
{
	unsigned int i, spun = 0;

	(void)state;
	begin(100);
	for (i = 0; i < 8; i++)
		assert_row(i, wait_for(101));
	for (; i < 8 + 640; i++)
		spun += wait_for(101);
	assert_int_equal(spun, 10);
	/* a wait that was slept through, but was short enough to poll */
	assert_false(wait_for(100));
	for (i = 0; i < 8; i++)
		assert_row(i, wait_for(1000));
	assert_false(wait_for(1000));
}

/* Seven long waits of eight do not stop the polling. */
static void test_some(void **state)
{
	unsigned int i;

	(void)state;
	begin(100);
	for (i = 0; i < 800; i++)
		assert_row(i, wait_for(i % 8 ? 5000 : 50));
}

/* With a spin time of 0, a thread never polls for longer than one look. */
static void test_none(void **state)
{
	unsigned int i;

	(void)state;
	begin(0);
	for (i = 0; i < 100; i++) {
		assert_row(i, !icb_run_spins(&run, 0));
		icb_run_waited(&run, i);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_near),
		cmocka_unit_test(test_far),
		cmocka_unit_test(test_some),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
