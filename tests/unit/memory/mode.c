// SPDX-License-Identifier: GPL-2.0
#include "unit.h"
#include "mode.h"

#define STEPS	50000000

const struct mode mode_table[MODES] = {
	{ "poll", ICBENCH_VERB_SEND, ICBENCH_COMPLETION_POLL, false },
	{ "poll in one thread", ICBENCH_VERB_SEND, ICBENCH_COMPLETION_POLL,
	  true },
	{ "memory", ICBENCH_VERB_WRITE, ICBENCH_COMPLETION_MEMORY, false },
	{ "memory in one thread", ICBENCH_VERB_WRITE,
	  ICBENCH_COMPLETION_MEMORY, true },
	{ "softirq", ICBENCH_VERB_SEND, ICBENCH_COMPLETION_SOFTIRQ, false },
	{ "workqueue", ICBENCH_VERB_SEND, ICBENCH_COMPLETION_WORKQUEUE,
	  false },
	{ "block", ICBENCH_VERB_SEND, ICBENCH_COMPLETION_BLOCK, false },
};

/**
 * mode_params() - a short run
 * @mode: in this way
 * @params: where to; checked
 *
 * Its timeout is far below what a user may ask for, as virtual time is dear.
 */
void mode_params(const struct mode *mode, struct icb_params *params)
{
	icb_params_init(params);
	icb_params_preset(params, ICBENCH_A_PARAMS_VERB, mode->verb);
	icb_params_preset(params, ICBENCH_A_PARAMS_COMPLETION,
			  mode->completion);
	icb_params_preset(params, ICBENCH_A_PARAMS_ITERATIONS, 12);
	icb_params_preset(params, ICBENCH_A_PARAMS_WARMUP, 4);
	icb_params_preset(params, ICBENCH_A_PARAMS_SIGNAL_EVERY, 5);
	icb_params_preset(params, ICBENCH_A_PARAMS_SIZE, 24);
	assert_int_equal(icb_params_check(params, NULL), 0);
	assert_int_equal(icb_bench_check(params, NULL), 0);
	icb_params_preset(params, ICBENCH_A_PARAMS_TIMEOUT, 500000);
}

/**
 * mode_config() - a network without faults, in virtual time
 * @mode: for this way
 * @seed: of everything random; the environment's SEED gives others
 * @config: where to
 */
void mode_config(const struct mode *mode, u64 seed, struct pair_config *config)
{
	const char *others = getenv("SEED");

	memset(config, 0, sizeof(*config));
	config->task.seed = seed + (others ? strtoull(others, NULL, 0) : 0);
	config->task.khz = 3000000;
	config->task.preempt = 300;
	config->task.stall = 20000;
	config->task.steps = STEPS;
	config->net.delay = 500;
	config->net.jitter = 1500;
	config->net.ack_jitter = 3000;
	config->alone = mode->alone;
}

/**
 * mode_expect() - fail unless all is well
 * @pair: that has run
 * @mode: in this way
 * @wrong: what is wrong; NULL for nothing
 * @where: what the test does
 * @number: and with what
 */
void mode_expect(const struct pair *pair, const struct mode *mode,
		 const char *wrong, const char *where, u64 number)
{
	if (!wrong)
		return;
	fail_msg("%s, %s %llu, seed %llu: %s\n"
		 "ended by %d and %d, returned %d and %d, came to %d and %d, done %llu of %llu",
		 mode->name, where, (unsigned long long)number,
		 (unsigned long long)pair->config.task.seed, wrong,
		 pair->side[0].stop, pair->side[1].stop,
		 pair->side[0].ret, pair->side[1].ret,
		 pair->side[0].err, pair->side[1].err,
		 (unsigned long long)pair->run[0].done,
		 (unsigned long long)pair->run[0].goal);
}
