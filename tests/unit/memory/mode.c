// SPDX-License-Identifier: GPL-2.0
#include "engine/bench.h"
#include "mode.h"
#include "model/rules.h"
#include "unit.h"

/* Steps after which a run is aborted. */
#define STEPS	50000000

#define MODE(_name, _verb, _completion) {				\
	.name = (_name), .verb = ICBENCH_VERB_##_verb,			\
	.completion = ICBENCH_COMPLETION_##_completion }

#define ONE_THREAD(_name, _verb, _completion) {				\
	.name = _name " in one thread", .verb = ICBENCH_VERB_##_verb,	\
	.completion = ICBENCH_COMPLETION_##_completion, .one_thread = true }

#define BY_COMPLETION(_name, _verb)					\
	MODE(_name " poll", _verb, POLL),				\
	MODE(_name " softirq", _verb, SOFTIRQ),				\
	MODE(_name " workqueue", _verb, WORKQUEUE),			\
	MODE(_name " block", _verb, BLOCK)

#define NOTED(_name, _completion, _trigger, _direction, _one_thread) {	\
	.name = (_name), .verb = ICBENCH_VERB_WRITE,			\
	.notify = ICBENCH_NOTIFY_MESSAGE,				\
	.trigger = ICBENCH_TRIGGER_##_trigger,				\
	.completion = ICBENCH_COMPLETION_##_completion,			\
	.direction = ICBENCH_DIRECTION_##_direction,			\
	.one_thread = (_one_thread) }

const struct mode mode_table[MODES] = {
	BY_COMPLETION("send", SEND),
	ONE_THREAD("send poll", SEND, POLL),
	MODE("write memory", WRITE, MEMORY),
	ONE_THREAD("write memory", WRITE, MEMORY),
	BY_COMPLETION("write-imm", WRITE_IMM),
	ONE_THREAD("write-imm poll", WRITE_IMM, POLL),
	NOTED("write and message poll", POLL, ECHO, UNI, false),
	NOTED("write and message softirq", SOFTIRQ, ECHO, UNI, false),
	NOTED("write and message in one thread", POLL, ECHO, UNI, true),
	BY_COMPLETION("read", READ),
	BY_COMPLETION("fetch-add", FETCH_ADD),
	BY_COMPLETION("cmp-swap", CMP_SWAP),
	MODE("send adaptive", SEND, ADAPTIVE),
	MODE("send timer", SEND, TIMER),
	MODE("read adaptive", READ, ADAPTIVE),
	MODE("read timer", READ, TIMER),
};

#define CROSSING(_name, _verb, _completion, _one_thread) {		\
	.name = _name ", crossing", .verb = ICBENCH_VERB_##_verb,	\
	.completion = ICBENCH_COMPLETION_##_completion,			\
	.direction = ICBENCH_DIRECTION_BI, .one_thread = (_one_thread) }

const struct mode crossing_table[CROSSINGS] = {
	CROSSING("send poll", SEND, POLL, false),
	CROSSING("send poll in one thread", SEND, POLL, true),
	CROSSING("send block", SEND, BLOCK, false),
	CROSSING("write memory", WRITE, MEMORY, false),
	CROSSING("write memory in one thread", WRITE, MEMORY, true),
	CROSSING("write-imm poll", WRITE_IMM, POLL, false),
	CROSSING("write-imm poll in one thread", WRITE_IMM, POLL, true),
	CROSSING("write-imm block", WRITE_IMM, BLOCK, false),
	CROSSING("send adaptive", SEND, ADAPTIVE, false),
	CROSSING("send timer", SEND, TIMER, false),
	NOTED("write and message poll, crossing", POLL, ECHO, BI, false),
};

#define STREAM(_name, _verb, _completion, _direction, _one_thread) {	\
	.name = "stream of " _name,					\
	.trigger = ICBENCH_TRIGGER_COMPLETION,				\
	.verb = ICBENCH_VERB_##_verb,					\
	.completion = ICBENCH_COMPLETION_##_completion,			\
	.direction = ICBENCH_DIRECTION_##_direction,			\
	.one_thread = (_one_thread) }

#define BOTH_WAYS(_name, _verb)						\
	STREAM(_name ", poll", _verb, POLL, UNI, false),		\
	STREAM(_name ", softirq", _verb, SOFTIRQ, UNI, false),		\
	STREAM(_name ", block", _verb, BLOCK, UNI, false),		\
	STREAM(_name ", poll, bi", _verb, POLL, BI, false),		\
	STREAM(_name ", softirq, bi", _verb, SOFTIRQ, BI, false),	\
	STREAM(_name ", block, bi", _verb, BLOCK, BI, false),		\
	STREAM(_name ", bi in one thread", _verb, POLL, BI, true)

const struct mode stream_table[STREAMS] = {
	BOTH_WAYS("send", SEND),
	STREAM("send in one thread", SEND, POLL, UNI, true),
	BOTH_WAYS("write", WRITE),
	BOTH_WAYS("write-imm", WRITE_IMM),
	STREAM("write-imm in one thread", WRITE_IMM, POLL, UNI, true),
	NOTED("stream of write and message, poll", POLL, COMPLETION, UNI, false),
	NOTED("stream of write and message, softirq, bi", SOFTIRQ, COMPLETION, BI, false),
	BOTH_WAYS("read", READ),
	BOTH_WAYS("fetch-add", FETCH_ADD),
	BOTH_WAYS("cmp-swap", CMP_SWAP),
	STREAM("send, adaptive", SEND, ADAPTIVE, UNI, false),
	STREAM("send, adaptive, bi", SEND, ADAPTIVE, BI, false),
	STREAM("write, timer", WRITE, TIMER, UNI, false),
	STREAM("send, timer, bi", SEND, TIMER, BI, false),
};

#define ANSWERED(_name, _verb, _completion, _one_thread) {		\
	.name = "answered windows of " _name,				\
	.trigger = ICBENCH_TRIGGER_COMPLETION,				\
	.verb = ICBENCH_VERB_##_verb,					\
	.completion = ICBENCH_COMPLETION_##_completion,			\
	.reply = 1, .one_thread = (_one_thread) }

const struct mode answer_table[ANSWERS] = {
	ANSWERED("send, poll", SEND, POLL, false),
	ANSWERED("send, block", SEND, BLOCK, false),
	ANSWERED("write-imm, poll", WRITE_IMM, POLL, false),
	ANSWERED("send in one thread", SEND, POLL, true),
};

/**
 * mode_size() - limit a payload to what the verb of a mode supports
 * @mode: the mode
 * @size: wanted payload, bytes
 *
 * Return: payload, bytes.
 */
u32 mode_size(const struct mode *mode, u32 size)
{
	const struct icb_verb *verb = mode_verb(mode);

	if (size < verb->min_size)
		return verb->min_size;
	return verb->max_size && size > verb->max_size ? verb->max_size : size;
}

/**
 * mode_sges() - limit the segments of a message to what a mode supports
 * @mode: the mode
 * @size: payload of the message, bytes
 * @sges: wanted number of segments
 *
 * Return: number of segments: at most @size, but at least 1; 1 for an atomic.
 */
u32 mode_sges(const struct mode *mode, u32 size, u32 sges)
{
	if (mode_verb(mode)->atomic)
		return 1;
	return min_t(u32, sges, max_t(u32, size, 1));
}

/**
 * mode_signal() - get a value of signal_every that a mode supports
 * @mode: the mode
 * @every: wanted value
 *
 * Return: value of the parameter: 1 for a passive verb, else @every.
 */
u32 mode_signal(const struct mode *mode, u32 every)
{
	return mode_verb(mode)->passive ? 1 : every;
}

/**
 * mode_params() - set the parameters of a short run
 * @mode: the mode
 * @params: the parameters, which are also checked
 *
 * The timeout is far below the least value that a user may set: simulating it takes long.
 */
void mode_params(const struct mode *mode, struct icb_params *params)
{
	icb_params_init(params);
	icb_params_preset(params, ICBENCH_A_PARAMS_TRIGGER, mode->trigger);
	icb_params_preset(params, ICBENCH_A_PARAMS_DIRECTION, mode->direction);
	icb_params_preset(params, ICBENCH_A_PARAMS_VERB, mode->verb);
	icb_params_preset(params, ICBENCH_A_PARAMS_NOTIFY, mode->notify);
	icb_params_preset(params, ICBENCH_A_PARAMS_REPLY, mode->reply);
	icb_params_preset(params, ICBENCH_A_PARAMS_COMPLETION,
			  mode->completion);
	icb_params_preset(params, ICBENCH_A_PARAMS_ITERATIONS, 12);
	icb_params_preset(params, ICBENCH_A_PARAMS_WARMUP, 4);
	icb_params_preset(params, ICBENCH_A_PARAMS_SIGNAL_EVERY, 5);
	icb_params_preset(params, ICBENCH_A_PARAMS_SIZE, 24);
	assert_int_equal(icb_params_check(params, NULL), 0);
	/* the module measures the default of spin before the run */
	if (params->completion == ICBENCH_COMPLETION_ADAPTIVE &&
	    !icb_params_has(params, ICBENCH_A_PARAMS_SPIN))
		icb_params_preset(params, ICBENCH_A_PARAMS_SPIN, 20000);
	assert_int_equal(icb_bench_check(params, NULL), 0);
	icb_params_preset(params, ICBENCH_A_PARAMS_TIMEOUT, 500000);
}

/**
 * mode_config() - configure a network without faults, in virtual time
 * @mode: the mode
 * @seed: seed of all random numbers; the environment variable SEED is added to it
 * @config: the configuration to set
 */
void mode_config(const struct mode *mode, u64 seed, struct pair_config *config)
{
	const char *offset = getenv("SEED");

	memset(config, 0, sizeof(*config));
	config->task.seed = seed + (offset ? strtoull(offset, NULL, 0) : 0);
	config->task.khz = 3000000;
	config->task.preempt = 300;
	config->task.stall = 20000;
	config->task.steps = STEPS;
	config->net.delay = 500;
	config->net.jitter = 1500;
	config->net.ack_jitter = 3000;
	config->one_thread = mode->one_thread;
}

/**
 * mode_expect() - fail the test if a check has failed
 * @pair: the pair that has run
 * @mode: the mode
 * @wrong: text of the failed check; NULL if there is none
 * @where: name of the test case
 * @number: parameter of the test case
 */
void mode_expect(const struct pair *pair, const struct mode *mode,
		 const char *wrong, const char *where, u64 number)
{
	if (!wrong)
		return;
	fail_msg("%s, %s %llu, seed %llu: %s\n"
		 "stopped by %d and %d, returned %d and %d, errors %d and %d, done %llu of %llu",
		 mode->name, where, (unsigned long long)number,
		 (unsigned long long)pair->config.task.seed, wrong,
		 pair->side[0].stop, pair->side[1].stop,
		 pair->side[0].ret, pair->side[1].ret,
		 pair->side[0].err, pair->side[1].err,
		 (unsigned long long)pair->run[0].done,
		 (unsigned long long)pair->run[0].goal);
}
