// SPDX-License-Identifier: GPL-2.0
/* Fairness: how evenly the QPs of a run have progressed. */
#include "engine/bench.h"
#include "engine/flow.h"
#include "mode.h"
#include "unit.h"

#define MOST	ICBENCH_MAX_RUN_QPS
#define SEEDS	6

static struct pair pair;

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

/* All QPs but the first have done @each operations; all of them had done @base before. */
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
		{ MOST, 1000000000000ULL, 0, 0, 61 },
		{ 2, 1000000, 999999, 0, 999999 },
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

/* Operations started on each QP have completed, and their sum is that of the run. */
static const char *check_flows(u64 total)
{
	const struct icb_run *run = &pair.run[0];
	const struct icb_ep *ep = &pair.net.ep[0];
	u64 seq = 0, done = 0;
	u32 i;

	if (pair.net.wrong[0])
		return pair.net.wrong;
	if (pair.side[0].err || pair.side[1].err || !pair.complete)
		return "it failed";
	if (pair.side[0].compared || pair.side[1].compared)
		return "what came is not what was sent";
	/* the run continues until the other side has measured */
	if (run->tail) {
		for (i = 0; i < run->flows; i++)
			done += run->flow[i].done;
		if (done != run->done)
			return "the QPs have measured something else";
		total = max_t(u64, total, run->seq);
	}
	if (run->seq != total || ep->own.posts != total)
		return "it has posted something else";
	for (i = 0; run->params->trigger == ICBENCH_TRIGGER_COMPLETION &&
	     i < run->flows; i++) {
		if (run->flow[i].seq != run->flow[i].acked)
			return "a QP has more to come";
		seq += run->flow[i].seq;
	}
	if (seq && (seq != total || run->acked != total))
		return "the QPs do not add up";
	if (seq && ep->own.freed != total)
		return "what is booked has not completed";
	return NULL;
}

static void try_mode(const struct mode *mode, u32 qps, u64 seed, u64 stretch)
{
	bool stream = mode->trigger == ICBENCH_TRIGGER_COMPLETION;
	struct pair_config config;
	struct icb_params params;
	u64 total = 41 + 9;

	mode_params(mode, &params);
	mode_config(mode, seed, &config);
	config.stretch = stretch;
	icb_params_preset(&params, ICBENCH_A_PARAMS_QPS, qps);
	icb_params_preset(&params, ICBENCH_A_PARAMS_ITERATIONS, 41);
	icb_params_preset(&params, ICBENCH_A_PARAMS_WARMUP, 9);
	icb_params_preset(&params, ICBENCH_A_PARAMS_SIGNAL_EVERY,
			  stream ? 2 : mode_signal(mode, 3));
	if (stream) {
		icb_params_preset(&params, ICBENCH_A_PARAMS_WINDOW, 4);
		icb_params_preset(&params, ICBENCH_A_PARAMS_REFILL, 2);
	}
	pair_run(&pair, &params, &config);
	total += pair.net.callbacks;
	mode_expect(&pair, mode, check_flows(total), "QPs", qps);
}

/* With every other seed, streams yield after each post. */
static void test_modes(void **state)
{
	static const u32 qps[] = { 2, 3, 8 };
	u64 seed;
	size_t i, j;

	(void)state;
	for (seed = 0; seed < SEEDS; seed++) {
		for (j = 0; j < ARRAY_SIZE(qps); j++) {
			for (i = 0; i < MODES; i++)
				try_mode(&mode_table[i], qps[j], seed, 0);
			for (i = 0; i < STREAMS; i++)
				if (stream_table[i].verb !=
				    ICBENCH_VERB_CMP_SWAP)
					try_mode(&stream_table[i], qps[j],
						 seed, seed % 2);
		}
	}
	pair_free(&pair);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flows),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_modes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
