// SPDX-License-Identifier: GPL-2.0
/* Runs in which each side sends on its own device. */
#include "model/rules.h"
#include "unit.h"
#include "check.h"
#include "mode.h"

#define SEEDS	20

static struct pair pair;

/* Conditions for runs with answers, which check_stream_complete() does not cover. */
static const char *check_answers(void)
{
	const struct icb_run *run = &pair.run[0];
	const char *const wrong[] = {
		pair.net.wrong[0] ? pair.net.wrong : NULL,
		HOLDS(!pair.side[0].err && !pair.side[1].err),
		HOLDS(!pair.side[0].compared && !pair.side[1].compared),
		HOLDS(run->acked == run->seq && pair.run[1].seen == run->seq),
		HOLDS(pair.net.ep[0].own.taken == pair.net.ep[1].own.calls[NET_REPLY]),
	};

	return check_first(wrong, ARRAY_SIZE(wrong));
}

static const char *check(void)
{
	if (pair.params[0].reply)
		return check_answers();
	return icb_params_windowed(&pair.params[0]) ?
		check_stream_complete(&pair) : check_complete(&pair);
}

/* Return: true if the mode can be run this way; it is then run with several timings. */
static bool try_mode(const struct mode *mode)
{
	bool stream = mode->trigger == ICBENCH_TRIGGER_COMPLETION;
	struct icb_params params, checked;
	struct pair_config config;
	u64 seed;

	for (seed = 0; seed < SEEDS; seed++) {
		mode_params(mode, &params);
		mode_config(mode, seed, &config);
		icb_params_preset(&params, ICBENCH_A_PARAMS_POLICY,
				  ICBENCH_POLICY_CHANNELS);
		params.devices = 2;
		checked = params;
		if (icb_params_check(&checked, NULL))
			return false;
		icb_params_preset(&params, ICBENCH_A_PARAMS_ITERATIONS, 41);
		icb_params_preset(&params, ICBENCH_A_PARAMS_WARMUP, seed % 9);
		params.verify = seed & 1;
		config.net.lenient = params.reply;
		if (stream) {
			params.window = 4;
			params.refill = params.reply ? 4 : 2;
			params.signal_every = 2;
		}
		pair_run(&pair, &params, &config);
		mode_expect(&pair, mode, check(), "run", seed);
	}
	return true;
}

static unsigned int try_table(const struct mode *mode, unsigned int count)
{
	unsigned int tried = 0;

	while (count--)
		tried += try_mode(mode++);
	return tried;
}

/* All ping-pongs, except with callbacks and with verbs that the same QP answers. */
static void test_echo(void **state)
{
	(void)state;
	assert_int_equal(try_table(mode_table, MODES), 12);
	assert_int_equal(try_table(crossing_table, CROSSINGS), CROSSINGS);
}

/* All bidirectional streams: three each of send, write and write-imm, and two more. */
static void test_streams(void **state)
{
	(void)state;
	assert_int_equal(try_table(stream_table, STREAMS), 11);
	assert_int_equal(try_table(answer_table, ANSWERS), ANSWERS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_echo),
		cmocka_unit_test(test_streams),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	pair_free(&pair);
	return failed;
}
