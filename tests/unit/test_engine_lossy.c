// SPDX-License-Identifier: GPL-2.0
/*
 * Transports that lose messages without notification. Lost messages are counted, no side
 * waits for them for long, and nothing else changes.
 */
#include <stdlib.h>

#include "check.h"
#include "engine/account.h"
#include "engine/run.h"
#include "mode.h"
#include "model/rules.h"
#include "unit.h"

#define KHZ		1000000

/* How long an answer is waited for, ticks; longer than any message takes. */
#define PATIENCE	2000000

/* ... in runs in which no answer arrives. */
#define MOMENT		5000

/*
 * Seeds of each mode: each rate of loss with each rate of reordering. The environment
 * variable ICBENCH_SEEDS sets another number.
 */
static u64 seeds = 35;

static struct pair pair;

/* Transport of the runs, and foreign messages per 1000 messages. */
static u32 transport;
static unsigned int strays;

/* Other parameters of the runs; 0 for the default. */
static struct {
	u32 verify;
	u32 buffers;
	u32 reuse;
	u32 qps;
	u32 sizes;
} more;

static bool possible(const struct mode *mode, struct icb_params *params)
{
	mode_params(mode, params);
	params->transport = transport;
	params->timeout = 1000ULL * PATIENCE;
	params->set &= ~BIT_ULL(ICBENCH_A_PARAMS_BUFFERS);
	params->given &= ~BIT_ULL(ICBENCH_A_PARAMS_BUFFERS);
	params->verify = more.verify;
	if (more.buffers) {
		params->buffers = more.buffers;
		params->given |= BIT_ULL(ICBENCH_A_PARAMS_BUFFERS);
	}
	params->reuse = more.reuse ? : 100;
	params->qps = more.qps ? : 1;
	params->size_dist = more.sizes;
	/*
	 * by default a stream of writes uses immediate data; given notify, it is a plain
	 * write
	 */
	if (mode->verb == ICBENCH_VERB_WRITE)
		params->given |= BIT_ULL(ICBENCH_A_PARAMS_NOTIFY);
	return !icb_params_check(params, NULL);
}

static void run(const struct mode *mode, const struct icb_params *params,
		u64 seed, unsigned int loss, unsigned int back)
{
	struct pair_config config;

	mode_config(mode, seed, &config);
	config.task.khz = KHZ;
	config.net.lenient = true;
	config.net.jitter = seed % 3 * 1000;
	config.net.one_cpu = seed % 2;
	config.net.faults[0].loss = loss;
	config.net.faults[1].loss = back;
	config.net.faults[0].foreign = strays;
	config.net.faults[1].foreign = strays;
	pair_run(&pair, params, &config);
}

/* Conditions that hold however late messages arrive. */
static const char *wrong_end(const struct icb_params *params)
{
	const struct icb_run *run = &pair.run[0];

	if (pair.net.wrong[0])
		return pair.net.wrong;
	if (pair.side[0].err || pair.side[1].err)
		return "a side failed";
	if (pair.side[0].compared || pair.side[1].compared)
		return "the sides do not agree";
	return run->done + run->unanswered != params->iterations ?
		"operations are missing" : NULL;
}

static const char *wrong_run(const struct icb_params *params)
{
	const struct icb_run *run = &pair.run[0];
	const char *wrong = wrong_end(params);

	if (wrong)
		return wrong;
	if (!run->lost_known || run->lost != pair.net.ep[0].own.dropped)
		return "what was lost is not what was dropped";
	if (run->seq != pair.run[1].seen + run->lost)
		return "sent is not seen and lost";
	if (run->errors || pair.run[1].errors)
		return "what was sent is taken for something else";
	if (run->foreign > pair.net.ep[0].own.foreign ||
	    pair.run[1].foreign > pair.net.ep[1].own.foreign)
		return "what is of the run is taken for a stranger's";
	if (run->foreign + 8 < pair.net.ep[0].own.foreign ||
	    pair.run[1].foreign + ICBENCH_MAX_BATCH < pair.net.ep[1].own.foreign)
		return "a stranger's message is not seen";
	return NULL;
}

/* Ping-pong: an operation has no answer only if a message was lost. */
static const char *wrong_echo(const struct icb_params *params)
{
	u64 dropped = pair.net.ep[0].own.dropped + pair.net.ep[1].own.dropped;
	const struct icb_run *run = &pair.run[0];

	/*
	 * one thread gives a crossing up, and the next crossing lacks the message that
	 * this one began
	 */
	if (params->direction == ICBENCH_DIRECTION_BI && pair.config.one_thread)
		dropped += pair.net.ep[0].own.dropped;
	if (run->hist[ICB_HIST_LATENCY].count != run->done)
		return "a sample is missing";
	if (run->unanswered > dropped)
		return "an answer was given up that was not lost";
	/*
	 * the message that starts callbacks, at first or again, is not counted if there
	 * is no warm-up
	 */
	if (!params->warmup && !icb_run_callbacks(run) &&
	    params->direction == ICBENCH_DIRECTION_UNI &&
	    run->unanswered != dropped)
		return "an answer was lost that was not given up";
	if (run->hist[ICB_HIST_LATENCY].max >= PATIENCE)
		return "a late answer was taken";
	return NULL;
}

/* The other side's stream, part of which may not have completed when it was stopped. */
static const char *wrong_return(void)
{
	const struct icb_run *run = &pair.run[0], *peer = &pair.run[1];
	const struct icb_ep *ep = &pair.net.ep[1];
	u64 late = pair.returns.counted - peer->done;

	if (peer->seq != ep->own.posts)
		return "the other side has lost count";
	if (run->peer_lost != ep->own.dropped || run->seen + run->peer_lost != peer->seq)
		return "what the other side sent is not seen and lost";
	if (run->marked + ep->own.dropped_measured != pair.returns.counted)
		return "of the other side's something else counts";
	if (!peer->done || !run->peer_elapsed)
		return "the other side has not measured";
	if (run->peer_done > peer->done ||
	    run->peer_done + ep->own.dropped_measured + late < peer->done)
		return "too much or too little has come of the other side";
	return NULL;
}

/* Stream: the messages that arrived are those sent and not lost. */
static const char *wrong_stream(const struct icb_params *params)
{
	const struct icb_run *run = &pair.run[0];

	if (run->delivered > run->done ||
	    run->delivered + run->lost < run->done)
		return "too much or too little was delivered";
	if (run->delivered + pair.net.ep[0].own.dropped_measured != run->done)
		return "delivered is not what was not lost";
	return params->direction == ICBENCH_DIRECTION_BI ? wrong_return() : NULL;
}

static void try_modes(const struct mode *table, unsigned int count,
		      unsigned int least)
{
	struct icb_params params;
	unsigned int i, modes = 0;
	const char *wrong;
	u64 seed;

	for (i = 0; i < count; i++) {
		if (!possible(&table[i], &params))
			continue;
		modes++;
		for (seed = 0; seed < seeds; seed++) {
			possible(&table[i], &params);
			params.iterations = 1 + seed % 40;
			params.warmup = seed % 3;
			run(&table[i], &params, seed, seed % 5 * 60,
			    seed % 7 * 40);
			wrong = wrong_run(&params);
			mode_expect(&pair, &table[i],
				    wrong ? : wrong_echo(&params), "echo", seed);
		}
	}
	assert_true(modes >= least);
}

static void try_echo(unsigned int least)
{
	try_modes(mode_table, MODES, least);
}

static void uses(u32 asked, unsigned int with)
{
	transport = asked;
	strays = with;
}

static void test_echo(void **state)
{
	(void)state;
	uses(ICBENCH_TRANSPORT_UC, 0);
	try_echo(12);
	uses(ICBENCH_TRANSPORT_UD, 0);
	try_echo(6);
}

/*
 * Crossing messages: after a loss, the next message shows it, and both sides continue
 * together.
 */
static void test_crossing(void **state)
{
	(void)state;
	for (more.verify = 0; more.verify < 2; more.verify++) {
		uses(ICBENCH_TRANSPORT_UC, 0);
		try_modes(crossing_table, CROSSINGS, more.verify ? 3 : 6);
		uses(ICBENCH_TRANSPORT_UD, 0);
		try_modes(crossing_table, CROSSINGS, 3);
		uses(ICBENCH_TRANSPORT_UD, 300);
		try_modes(crossing_table, CROSSINGS, 3);
	}
	more.verify = 0;
	more.buffers = 7;
	try_modes(crossing_table, CROSSINGS, 3);
	more.buffers = 0;
	more.reuse = 50;
	try_modes(crossing_table, CROSSINGS, 3);
	more.reuse = 0;
}

static void test_echo_strays(void **state)
{
	(void)state;
	uses(ICBENCH_TRANSPORT_UD, 300);
	try_echo(4);
}

static u64 value_of(const struct icb_result *result, const char *name)
{
	unsigned int i;

	for (i = 0; i < result->count; i++)
		if (!strcmp(result->metric[i].name, name))
			return result->metric[i].value;
	return 0;
}

/* If sizes differ, the report has the bytes that arrived. */
static const char *wrong_bytes(void)
{
	const struct icb_run *run = &pair.run[0];
	const struct icb_result empty = {};
	struct icb_result result = empty;
	u64 n, bytes = 0;

	for (n = 0; n < run->done; n++)
		bytes += icb_sizes_at(&run->sizes, true, run->first + n);
	if (run->delivery.bytes + pair.net.ep[0].own.dropped_bytes != bytes)
		return "bytes are missing";
	run->ops->report(run, &result);
	if (run->delivered && value_of(&result, "size_mean") !=
	    run->delivery.bytes * 1000 / run->delivered)
		return "the mean is not of what has come";
	return value_of(&result, "bandwidth_median") ?
		"nobody knows how many bytes an interval has" : NULL;
}

/* The arrival times of consecutive windows are recorded, as many as there is room for. */
static const char *wrong_steps(const struct icb_params *params)
{
	const struct icb_run *run = &pair.run[0];
	u64 windows = run->delivered ? (run->delivered - 1) / params->window : 0;
	const struct icb_result empty = {};
	struct icb_result result = empty;
	u64 least, median;

	if (!icb_params_steps(params))
		return pair.steps.count || run->delivery.longest ?
			"windows are told of that nobody asked for" : NULL;
	if (pair.steps.count != windows)
		return "windows are missing";
	run->ops->report(run, &result);
	least = value_of(&result, "bandwidth_min");
	median = value_of(&result, "bandwidth_median");
	if (!run->delivery.middle)
		return least || median ? "a window without time" : NULL;
	return !least || median < least ||
	       value_of(&result, "bandwidth_p1") < least ?
		"bandwidth is in no order" : NULL;
}

/* Bandwidth counts the messages that arrived, as do the bytes. */
static const char *wrong_quotient(const struct icb_params *params)
{
	const struct icb_run *run = &pair.run[0];
	const struct icb_result empty = {};
	struct icb_result result = empty;
	u64 bytes, elapsed, bandwidth = 0;

	run->ops->report(run, &result);
	bytes = value_of(&result, "bytes");
	elapsed = value_of(&result, "elapsed");
	if (bytes != (more.sizes ? run->delivery.bytes :
				   run->delivered * params->size))
		return "other bytes than came";
	if (bytes)
		bandwidth = (u64)((__uint128_t)bytes * 1000000000000ULL / elapsed);
	bytes = value_of(&result, "peer_bytes");
	elapsed = value_of(&result, "peer_elapsed");
	if (bytes)
		bandwidth += (u64)((__uint128_t)bytes * 1000000000000ULL / elapsed);
	return value_of(&result, "bandwidth") == bandwidth ?
		NULL : "bandwidth x time is not bytes";
}

static const char *wrong_came(const struct icb_params *params)
{
	const char *wrong = wrong_steps(params);

	if (!wrong)
		wrong = wrong_quotient(params);
	return wrong || !more.sizes ? wrong : wrong_bytes();
}

static void try_stream(unsigned int least)
{
	struct icb_params params;
	unsigned int i, modes = 0;
	const char *wrong;
	u64 seed;

	for (i = 0; i < STREAMS; i++) {
		if (!possible(&stream_table[i], &params))
			continue;
		modes++;
		for (seed = 0; seed < seeds; seed++) {
			possible(&stream_table[i], &params);
			params.iterations = 1 + seed % 90;
			params.warmup = seed % 3 * 5;
			run(&stream_table[i], &params, seed, seed % 5 * 100,
			    seed % 7 * 60);
			wrong = wrong_run(&params);
			mode_expect(&pair, &stream_table[i],
				    wrong ? : wrong_stream(&params), "stream",
				    seed);
			mode_expect(&pair, &stream_table[i],
				    wrong_came(&params), "bytes", seed);
		}
	}
	assert_true(modes >= least);
}

static void test_stream(void **state)
{
	(void)state;
	uses(ICBENCH_TRANSPORT_UC, 0);
	try_stream(4);
	uses(ICBENCH_TRANSPORT_UD, 0);
	try_stream(3);
}

static void test_stream_strays(void **state)
{
	(void)state;
	uses(ICBENCH_TRANSPORT_UD, 300);
	try_stream(3);
}

/* The size of a message follows from its number, whichever messages were lost before. */
static void test_sizes(void **state)
{
	(void)state;
	for (more.sizes = ICBENCH_SIZE_DIST_UNIFORM;
	     more.sizes <= ICBENCH_SIZE_DIST_EXPONENTIAL; more.sizes++)
		for (more.verify = 0; more.verify < 2; more.verify++) {
			uses(ICBENCH_TRANSPORT_UC, 0);
			try_stream(4);
			uses(ICBENCH_TRANSPORT_UD, 0);
			try_stream(4);
			uses(ICBENCH_TRANSPORT_UD, 300);
			try_stream(4);
		}
	more.sizes = ICBENCH_SIZE_DIST_FIXED;
	more.verify = 0;
}

/*
 * A message with a length other than its number has is foreign, or breaks the connection.
 */
static void test_sizes_cut(void **state)
{
	struct pair_config config;
	struct icb_params params;
	unsigned int i;

	(void)state;
	more.sizes = ICBENCH_SIZE_DIST_UNIFORM;
	for (i = 0; i < STREAMS; i++) {
		uses(ICBENCH_TRANSPORT_UC + i % 2, 0);
		if (!possible(&stream_table[i], &params))
			continue;
		mode_config(&stream_table[i], i, &config);
		config.task.khz = KHZ;
		config.net.lenient = true;
		config.net.faults[0].truncate = 9;
		pair_run(&pair, &params, &config);
		assert_string_equal(pair.net.wrong, "");
		if (transport == ICBENCH_TRANSPORT_UD)
			assert_int_equal(pair.run[1].foreign, 1);
		else
			assert_int_equal(pair.side[!pair.config.one_thread].err,
					 -EPROTO);
	}
	more.sizes = ICBENCH_SIZE_DIST_FIXED;
}

/* Reports of impossible or inconsistent values are not accepted. */
static void test_sizes_lies(void **state)
{
	static const struct icb_delivery lies[] = {
		{ .count = 12, .bytes = 1 << 20 },
		{ .count = 12, .bytes = 11 },
		{ .count = 12, .bytes = 12, .middle = 1 },
		{ .count = 12, .bytes = 12, .middle = 1, .slow = 2 },
		{ .count = 12, .bytes = 12, .longest = 2, .slow = 1, .middle = 2 },
	};
	struct icb_params params;
	struct icb_reason why;
	unsigned int i;

	(void)state;
	more.sizes = ICBENCH_SIZE_DIST_UNIFORM;
	uses(ICBENCH_TRANSPORT_UC, 0);
	assert_true(possible(&stream_table[0], &params));
	run(&stream_table[0], &params, 1, 0, 0);
	assert_string_equal(pair.net.wrong, "");
	for (i = 0; i < ARRAY_SIZE(lies); i++)
		assert_int_equal(icb_run_account(&pair.run[0], 16, 16, &lies[i],
						 &why), -EBADMSG);
	assert_int_equal(icb_run_account(&pair.run[0], 16, 16, &pair.delivery,
					 &why), 0);
	more.sizes = ICBENCH_SIZE_DIST_FIXED;
}

/* The content is that of the message number that arrived; lost messages are no errors. */
static void test_verify(void **state)
{
	(void)state;
	more.verify = 1;
	uses(ICBENCH_TRANSPORT_UC, 0);
	try_echo(4);
	try_stream(7);
	uses(ICBENCH_TRANSPORT_UD, 0);
	try_echo(4);
	try_stream(7);
	uses(ICBENCH_TRANSPORT_UD, 300);
	try_echo(4);
	try_stream(7);
	more.verify = 0;
}

/* With several buffers, a message is in the buffer of the receive that it used. */
static void test_buffers(void **state)
{
	static const u32 buffers[][2] = { { 3, 0 }, { 0, 50 }, { 0, 1 }, { 64, 0 } };
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(buffers); i++) {
		more.buffers = buffers[i][0];
		more.reuse = buffers[i][1];
		/* a bidirectional stream cannot have new buffers */
		uses(ICBENCH_TRANSPORT_UC, 0);
		try_echo(7);
		try_stream(more.reuse ? 6 : 13);
		uses(ICBENCH_TRANSPORT_UD, 300);
		try_echo(4);
		try_stream(more.reuse ? 3 : 7);
		more.verify = 1;
		if (!more.buffers)
			try_echo(4);
		more.verify = 0;
	}
	more.buffers = 0;
	more.reuse = 0;
}

/* An answer uses the QP of its message, whichever QPs earlier messages used. */
static void test_qps(void **state)
{
	(void)state;
	for (more.qps = 2; more.qps < 8; more.qps += 5) {
		uses(ICBENCH_TRANSPORT_UC, 0);
		try_echo(7);
		try_stream(13);
		uses(ICBENCH_TRANSPORT_UD, 0);
		try_echo(4);
		try_stream(7);
	}
	more.qps = 0;
}

/*
 * An answer may arrive while it is being given up, or later: only one context continues
 * with the next operation, and nothing is counted twice.
 */
static const char *wrong_late(const struct icb_params *params)
{
	const struct icb_run *run = &pair.run[0];
	const char *wrong = wrong_end(params);

	if (wrong)
		return wrong;
	if (run->hist[ICB_HIST_LATENCY].count != run->done)
		return "a sample is missing";
	if (!run->lost_known || run->lost != pair.net.ep[0].own.dropped)
		return "what was lost is not what was dropped";
	return run->errors || pair.run[1].errors ?
		"what was sent is taken for something else" : NULL;
}

static void test_late(void **state)
{
	struct icb_params params;
	u64 seed, late = 0, done = 0;
	unsigned int i;

	(void)state;
	more.verify = 1;
	for (i = 0; i < MODES; i++) {
		uses(ICBENCH_TRANSPORT_UC + i % 2, 0);
		if (!mode_callbacks(&mode_table[i]) ||
		    mode_table[i].verb != ICBENCH_VERB_SEND)
			continue;
		for (seed = 0; seed < 4 * seeds; seed++) {
			assert_true(possible(&mode_table[i], &params));
			params.iterations = 1 + seed % 40;
			params.warmup = seed % 3;
			/* about the time that an answer takes */
			params.timeout = 1000ULL * (2000 + seed % 7 * 700);
			run(&mode_table[i], &params, seed, seed % 5 * 30, 0);
			mode_expect(&pair, &mode_table[i], wrong_late(&params),
				    "late", seed);
			late += pair.run[0].foreign;
			done += pair.run[0].done;
		}
	}
	more.verify = 0;
	assert_true(late > 100 && done > 100);
}

/* No message arrives: the run ends by the timeout of either side, and not before. */
static const char *wrong_silence(void)
{
	const struct pair_side *side = pair.side;

	if (pair.net.wrong[0])
		return pair.net.wrong;
	if (side[0].stop != ICB_STOP_TIMEOUT && side[1].stop != ICB_STOP_TIMEOUT)
		return "it does not end by a timeout";
	if (side[0].ended < pair.run[0].timeout)
		return "it ends too early";
	return side[0].ended > 2 * pair.run[0].timeout ? "it ends too late" :
							 NULL;
}

static void test_silence(void **state)
{
	struct icb_params params;
	unsigned int i;

	(void)state;
	uses(ICBENCH_TRANSPORT_UC, 0);
	for (i = 0; i < MODES; i++) {
		if (!possible(&mode_table[i], &params))
			continue;
		params.iterations = 100000;
		params.timeout = 1000ULL * MOMENT;
		run(&mode_table[i], &params, i, 1000, 0);
		mode_expect(&pair, &mode_table[i], wrong_silence(), "silence",
			    i);
	}
}

static struct icb_params asked_of(u32 transport, u32 trigger, u32 verb)
{
	struct icb_params params;

	icb_params_init(&params);
	params.trigger = trigger;
	params.verb = verb;
	params.transport = transport;
	params.given |= BIT_ULL(ICBENCH_A_PARAMS_VERB);
	return params;
}

static struct icb_params asked(u32 trigger, u32 verb)
{
	return asked_of(ICBENCH_TRANSPORT_UC, trigger, verb);
}

/* An impossible combination is refused, with the name of the parameter. */
static void refuses(struct icb_params params, const char *word)
{
	struct icb_reason why = {};

	assert_int_equal(icb_params_check(&params, &why), -EOPNOTSUPP);
	assert_ptr_equal(strstr(why.text, word), why.text);
	assert_non_null(strstr(why.text, "accepted: "));
}

static void test_refused(void **state)
{
	const u32 verbs[] = { ICBENCH_VERB_READ, ICBENCH_VERB_FETCH_ADD,
			      ICBENCH_VERB_CMP_SWAP };
	const u32 triggers[] = { ICBENCH_TRIGGER_ECHO,
				 ICBENCH_TRIGGER_COMPLETION,
				 ICBENCH_TRIGGER_CLOCK };
	const u32 calls[] = { ICBENCH_VERB_REGISTER, ICBENCH_VERB_CONNECT,
			      ICBENCH_VERB_CONNECT_CM, ICBENCH_VERB_CALIBRATE };
	struct icb_params params;
	unsigned int i, j;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(triggers); i++)
		for (j = 0; j < ARRAY_SIZE(verbs); j++)
			refuses(asked(triggers[i], verbs[j]), "verb: ");
	for (i = 0; i < ARRAY_SIZE(calls); i++)
		refuses(asked(ICBENCH_TRIGGER_RETURN, calls[i]),
			"transport: uc is not possible with verb ");
	params = asked(ICBENCH_TRIGGER_RETURN, ICBENCH_VERB_DESCRIPTOR);
	assert_int_equal(icb_params_check(&params, NULL), 0);
	for (i = 1; i < ARRAY_SIZE(triggers); i++) {
		params = asked(triggers[i], ICBENCH_VERB_WRITE);
		params.given |= BIT_ULL(ICBENCH_A_PARAMS_NOTIFY);
		refuses(params, "verb: with transport uc the receiver");
	}
	for (i = 0; i < 2; i++) {
		params = asked(triggers[i], ICBENCH_VERB_WRITE_IMM);
		params.verify = 1;
		refuses(params, "verify: ");
	}
	params = asked(ICBENCH_TRIGGER_ECHO, ICBENCH_VERB_SEND);
	params.direction = ICBENCH_DIRECTION_BI;
	assert_int_equal(icb_params_check(&params, NULL), 0);
	params.qps = 2;
	refuses(params, "qps: ");
	params = asked(ICBENCH_TRIGGER_ECHO, ICBENCH_VERB_WRITE);
	params.direction = ICBENCH_DIRECTION_BI;
	refuses(params, "direction: ");
	params = asked(ICBENCH_TRIGGER_COMPLETION, ICBENCH_VERB_SEND);
	params.reply = 1;
	refuses(params, "transport: uc");
	params = asked(ICBENCH_TRIGGER_ECHO, ICBENCH_VERB_SEND);
	params.qps = 2;
	params.verify = 1;
	refuses(params, "qps: ");
	params.verify = 0;
	assert_int_equal(icb_params_check(&params, NULL), 0);
	params.devices = 2;
	params.policy = ICBENCH_POLICY_BIND;
	refuses(params, "transport: uc");
	params.trigger = ICBENCH_TRIGGER_COMPLETION;
	assert_int_equal(icb_params_check(&params, NULL), 0);
	params.verb = ICBENCH_VERB_WRITE_IMM;
	refuses(params, "transport: uc");
	params = asked(ICBENCH_TRIGGER_ECHO, ICBENCH_VERB_WRITE);
	params.buffers = 2;
	params.given |= BIT_ULL(ICBENCH_A_PARAMS_BUFFERS);
	refuses(params, "buffers: ");
	params = asked(ICBENCH_TRIGGER_ECHO, ICBENCH_VERB_WRITE);
	params.notify = ICBENCH_NOTIFY_MESSAGE;
	refuses(params, "transport: uc");
	params = asked(ICBENCH_TRIGGER_ECHO, ICBENCH_VERB_SEND);
	params.completion = ICBENCH_COMPLETION_SOFTIRQ;
	params.set |= BIT_ULL(ICBENCH_A_PARAMS_COMPLETION);
	assert_int_equal(icb_params_check(&params, NULL), 0);
}

/*
 * On a transport that may lose messages, a stream of writes by default notifies the
 * receiver, so that arrivals can be counted.
 */
static void test_told(void **state)
{
	static const struct {
		u32 transport;
		u32 trigger;
		u32 verb;
		u32 notify;
	} rows[] = {
		{ ICBENCH_TRANSPORT_UC, ICBENCH_TRIGGER_COMPLETION,
		  ICBENCH_VERB_WRITE, ICBENCH_NOTIFY_IMM },
		{ ICBENCH_TRANSPORT_UC, ICBENCH_TRIGGER_CLOCK,
		  ICBENCH_VERB_WRITE, ICBENCH_NOTIFY_IMM },
		{ ICBENCH_TRANSPORT_UC, ICBENCH_TRIGGER_ECHO,
		  ICBENCH_VERB_WRITE, ICBENCH_NOTIFY_NONE },
		{ ICBENCH_TRANSPORT_UC, ICBENCH_TRIGGER_COMPLETION,
		  ICBENCH_VERB_SEND, ICBENCH_NOTIFY_NONE },
		{ ICBENCH_TRANSPORT_RC, ICBENCH_TRIGGER_COMPLETION,
		  ICBENCH_VERB_WRITE, ICBENCH_NOTIFY_NONE },
		{ ICBENCH_TRANSPORT_RC, ICBENCH_TRIGGER_CLOCK,
		  ICBENCH_VERB_WRITE, ICBENCH_NOTIFY_NONE },
	};
	struct icb_params params;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		params = asked_of(rows[i].transport, rows[i].trigger,
				  rows[i].verb);
		assert_int_equal(icb_params_check(&params, NULL), 0);
		assert_int_equal(params.notify, rows[i].notify);
		assert_false(icb_params_given(&params, ICBENCH_A_PARAMS_NOTIFY));
	}
}

static void test_refused_datagrams(void **state)
{
	const u32 triggers[] = { ICBENCH_TRIGGER_ECHO,
				 ICBENCH_TRIGGER_COMPLETION,
				 ICBENCH_TRIGGER_CLOCK };
	const u32 verbs[] = { ICBENCH_VERB_WRITE, ICBENCH_VERB_WRITE_IMM,
			      ICBENCH_VERB_READ, ICBENCH_VERB_FETCH_ADD,
			      ICBENCH_VERB_CMP_SWAP };
	struct icb_params params;
	unsigned int i, j;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(triggers); i++) {
		for (j = 0; j < ARRAY_SIZE(verbs); j++)
			refuses(asked_of(ICBENCH_TRANSPORT_UD, triggers[i],
					 verbs[j]), "verb: ");
		params = asked_of(ICBENCH_TRANSPORT_UD, triggers[i],
				  ICBENCH_VERB_SEND);
		params.size = 4097;
		refuses(params, "size: 4097");
		params.size = 4096;
		assert_int_equal(icb_params_check(&params, NULL), 0);
		params = asked_of(ICBENCH_TRANSPORT_UD, triggers[i],
				  ICBENCH_VERB_SEND);
		params.size = 1025;
		params.mtu = 1024;
		params.set |= BIT_ULL(ICBENCH_A_PARAMS_MTU);
		refuses(params, "size: 1025");
		params.size = 1024;
		assert_int_equal(icb_params_check(&params, NULL), 0);
	}
	refuses(asked_of(ICBENCH_TRANSPORT_UD, ICBENCH_TRIGGER_RETURN,
			 ICBENCH_VERB_CONNECT), "transport: ud");
	params = asked_of(ICBENCH_TRANSPORT_UD, ICBENCH_TRIGGER_RETURN,
			  ICBENCH_VERB_DESCRIPTOR);
	assert_int_equal(icb_params_check(&params, NULL), 0);
	params.size = 4097;
	refuses(params, "size: 4097");
	params = asked_of(ICBENCH_TRANSPORT_UD, ICBENCH_TRIGGER_COMPLETION,
			  ICBENCH_VERB_SEND);
	params.qps = 2;
	params.devices = 2;
	params.policy = ICBENCH_POLICY_BIND;
	refuses(params, "transport: ud");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_echo),
		cmocka_unit_test(test_crossing),
		cmocka_unit_test(test_echo_strays),
		cmocka_unit_test(test_stream),
		cmocka_unit_test(test_stream_strays),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_sizes_cut),
		cmocka_unit_test(test_sizes_lies),
		cmocka_unit_test(test_verify),
		cmocka_unit_test(test_buffers),
		cmocka_unit_test(test_qps),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_silence),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_told),
		cmocka_unit_test(test_refused_datagrams),
	};
	const char *given = getenv("ICBENCH_SEEDS");
	int failed;

	if (given)
		seeds = strtoul(given, NULL, 10);
	failed = cmocka_run_group_tests_name("engine_lossy", tests, NULL, NULL);
	pair_free(&pair);
	return failed;
}
