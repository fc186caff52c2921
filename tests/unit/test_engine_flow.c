// SPDX-License-Identifier: GPL-2.0
/* How evenly the QPs of a run have got on. */
#include "unit.h"
#include "bench.h"

#define MOST	4096

static struct icb_flow flow[MOST];

static const struct icb_metric *metric(const struct icb_result *result,
				       const char *name)
{
	unsigned int i;

	for (i = 0; i < result->count; i++)
		if (!strcmp(result->metric[i].name, name))
			return &result->metric[i];
	return NULL;
}

/* QPs that have done so much each, but for the first, with so much before it. */
static void report(struct icb_result *result, unsigned int flows, u64 first,
		   u64 each, u64 base)
{
	struct icb_run run = { .flow = flow, .flows = flows };
	unsigned int i;

	for (i = 0; i < flows; i++) {
		flow[i].base = base;
		flow[i].acked = base + (i ? each : first);
		run.done += i ? each : first;
	}
	memset(result, 0, sizeof(*result));
	icb_result_flows(result, &run);
}

static void test_flows(void **state)
{
	static const struct {
		unsigned int flows;
		u64 first;
		u64 each;
		u64 base;
		u64 fairness;
	} rows[] = {
		{ 2, 100, 100, 0, 1000000 },
		{ 2, 100, 100, 77, 1000000 },
		{ 2, 100, 0, 5, 500000 },
		{ 4, 7, 0, 0, 250000 },
		{ 64, 312, 312, 16, 1000000 },
		/* (2 + 1)² of 2 (4 + 1) */
		{ 2, 2, 1, 0, 900000 },
		{ 2, 2000000000000ULL, 1000000000000ULL, 3, 900000 },
		{ MOST, 1, 1, 0, 1000000 },
		{ MOST, 1000000000000ULL, 1000000000000ULL, 9, 1000000 },
		{ MOST, 1000000000000ULL, 0, 0, 244 },
	};
	struct icb_result result;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		u64 least = min_t(u64, rows[i].first, rows[i].each);
		u64 most = max_t(u64, rows[i].first, rows[i].each);

		report(&result, rows[i].flows, rows[i].first, rows[i].each,
		       rows[i].base);
		assert_row(i, result.count == 3);
		assert_row(i, metric(&result, "qp_min")->value == least);
		assert_row(i, metric(&result, "qp_max")->value == most);
		/* large counts lose their last bits */
		assert_row(i, metric(&result, "fairness")->value + 2 -
			      rows[i].fairness <= 4);
		assert_row(i, metric(&result, "fairness")->divisor == 1000000);
	}
}

static void test_nothing(void **state)
{
	struct icb_result result;

	(void)state;
	report(&result, 1, 100, 100, 0);
	assert_int_equal(result.count, 0);
	report(&result, 8, 0, 0, 5);
	assert_int_equal(result.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flows),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
