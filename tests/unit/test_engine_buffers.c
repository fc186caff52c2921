// SPDX-License-Identifier: GPL-2.0
/* The sequence of buffers, its rules, and runs that use it. */
#include "engine/message.h"
#include "model/rules.h"
#include "unit.h"
#include <unistd.h>
#include "check.h"
#include "mode.h"

static struct pair pair;

/* Parameters of a run whose sequence starts with its first operation. */
static void sequence(struct icb_params *params, u32 buffers, u32 reuse,
		     u64 iterations)
{
	icb_params_init(params);
	params->warmup = 0;
	params->reuse = reuse;
	params->iterations = iterations;
	params->buffers = buffers;
	if (buffers)
		params->given |= BIT_ULL(ICBENCH_A_PARAMS_BUFFERS);
}

static void expect_sequence(const struct icb_params *params, const u32 *want,
			    size_t count)
{
	struct icb_buffers buffers;
	size_t i;

	icb_buffers_start(&buffers, params);
	for (i = 0; i < count; i++) {
		assert_row(i, buffers.index == want[i]);
		icb_buffers_next(&buffers);
	}
}

/* The example in section 2.2.7 of the thesis. */
static void test_illustration(void **state)
{
	static const u32 fifo[] = { 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3 };
	static const u32 rate[] = { 0, 1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9 };
	static const u32 half[] = { 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6 };
	static const u32 most[] = { 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3 };
	static const u32 none[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
	static const u32 same[ARRAY_SIZE(fifo)];
	struct icb_params params;

	(void)state;
	sequence(&params, 4, 100, ARRAY_SIZE(fifo));
	expect_sequence(&params, fifo, ARRAY_SIZE(fifo));
	assert_int_equal(icb_buffers_count(&params), 4);
	sequence(&params, 0, 25, ARRAY_SIZE(rate));
	expect_sequence(&params, rate, ARRAY_SIZE(rate));
	assert_int_equal(icb_buffers_count(&params), 10);
	sequence(&params, 0, 50, ARRAY_SIZE(half));
	expect_sequence(&params, half, ARRAY_SIZE(half));
	sequence(&params, 0, 75, ARRAY_SIZE(most));
	expect_sequence(&params, most, ARRAY_SIZE(most));
	sequence(&params, 0, 0, ARRAY_SIZE(none));
	expect_sequence(&params, none, ARRAY_SIZE(none));
	sequence(&params, 0, 100, ARRAY_SIZE(same));
	expect_sequence(&params, same, ARRAY_SIZE(same));
	assert_int_equal(icb_buffers_count(&params), 1);
}

/*
 * The share of reuse is exact and even for any number of operations; no new buffer is
 * used twice.
 */
static void test_share(void **state)
{
	const u64 most = 1234;
	struct icb_buffers buffers;
	struct icb_params params;
	u64 i, old, fresh, gap, since;
	u32 reuse;

	(void)state;
	for (reuse = 0; reuse <= 100; reuse++) {
		sequence(&params, 0, reuse, most);
		icb_buffers_start(&buffers, &params);
		gap = reuse ? (100 + reuse - 1) / reuse : most;
		for (i = 0, old = 0, fresh = 0, since = 0; i < most; i++) {
			if (buffers.index) {
				assert_row(reuse, buffers.index == ++fresh);
				assert_row(reuse, ++since < gap || !reuse);
			} else {
				old++;
				since = 0;
			}
			assert_row(reuse, old == ((i + 1) * reuse + 99) / 100);
			icb_buffers_next(&buffers);
		}
		/* one more operation, which is not waited for, also has a buffer */
		assert_row(reuse, buffers.index <= buffers.count - 1);
		assert_row(reuse, icb_buffers_count(&params) <= fresh + 2);
	}
}

/* A search for any position of the sequence gives the same continuation. */
static void expect_found(const struct icb_buffers *buffers,
			 const struct icb_params *params, u64 number)
{
	struct icb_buffers found, on = *buffers;
	unsigned int i;

	icb_buffers_start(&found, params);
	icb_buffers_seek(&found, params, number);
	for (i = 0; i < 7; i++) {
		assert_int_equal(found.index, on.index);
		assert_int_equal(found.mark, on.mark);
		icb_buffers_next(&found);
		icb_buffers_next(&on);
	}
}

/* Each buffer exists, and has a different mark whenever it is used again. */
static void try_marks(struct icb_params *params, u64 operations)
{
	static u8 mark[8192];
	struct icb_buffers buffers;
	u64 i, newest = icb_buffers_warmup(params);
	struct icb_buffer at;

	memset(mark, 0, sizeof(mark));
	icb_buffers_start(&buffers, params);
	assert_true(buffers.count <= sizeof(mark));
	for (i = 1; i <= operations; i++) {
		assert_true(buffers.index < buffers.count);
		assert_true(buffers.mark != mark[buffers.index]);
		expect_found(&buffers, params, i);
		at = icb_buffers_at(params, i);
		assert_int_equal(at.index, buffers.index);
		assert_int_equal(at.mark, buffers.mark);
		mark[buffers.index] = buffers.mark;
		if (buffers.index >= buffers.ring)
			newest = i;
		icb_buffers_next(&buffers);
	}
	/* receives are posted for more messages than will arrive */
	for (; i <= operations + 2000; i++) {
		assert_true(buffers.index < buffers.count);
		if (buffers.index >= buffers.ring)
			newest = i;
		icb_buffers_next(&buffers);
	}
	assert_int_equal(icb_buffers_newest(params), newest);
}

static void test_marks(void **state)
{
	static const u32 counts[] = { 1, 2, 3, 4, 25, 127, 128, 255, 256, 257,
				      510, 511, 512, 513, 1024 };
	struct icb_params params;
	u32 i, reuse, warmup;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(counts); i++) {
		sequence(&params, counts[i], 100, 1);
		try_marks(&params, 300 * counts[i] + 7);
	}
	for (reuse = 0; reuse <= 100; reuse++)
		for (warmup = 0; warmup <= 600; warmup += 300) {
			sequence(&params, 0, reuse, 3000);
			params.warmup = warmup;
			try_marks(&params, warmup + 3000);
			/* also with two, and with four alternating buffers */
			params.verify = 1;
			try_marks(&params, warmup + 3000);
			params.direction = ICBENCH_DIRECTION_BI;
			try_marks(&params, warmup + 3000);
		}
}

/* A measured operation never has a buffer of the warm-up. */
static void test_warmup(void **state)
{
	struct icb_buffers buffers;
	struct icb_params params;
	u32 i;

	(void)state;
	sequence(&params, 0, 25, 10);
	params.warmup = 5;
	params.completion = ICBENCH_COMPLETION_SOFTIRQ;
	assert_int_equal(icb_buffers_warmup(&params), 6);
	icb_buffers_start(&buffers, &params);
	for (i = 0; i < 7; i++) {
		assert_int_equal(buffers.index, 0);
		icb_buffers_next(&buffers);
	}
	assert_int_equal(buffers.index, 1);
	params.completion = ICBENCH_COMPLETION_POLL;
	assert_int_equal(icb_buffers_warmup(&params), 5);
	/* consecutive messages never share a buffer */
	params.verify = 1;
	icb_buffers_start(&buffers, &params);
	for (i = 0; i < 6; i++) {
		assert_int_equal(buffers.index, i % 2);
		icb_buffers_next(&buffers);
	}
}

/* A run without message content has one buffer, whatever the other direction has. */
static void test_none(void **state)
{
	struct icb_buffers buffers;
	u32 i;

	(void)state;
	icb_buffers_none(&buffers);
	for (i = 1; i < 10; i++) {
		assert_int_equal(buffers.index, 0);
		assert_int_equal(buffers.mark, i);
		icb_buffers_next(&buffers);
	}
}

/* A side was asked to post the operations in the order of the sequence. */
static const char *check_aimed(const struct pair *pair)
{
	u64 number[NET_SIDES] = { 0 };
	const struct net_event *event;
	unsigned int side;
	size_t i;

	if (icb_buffers_count(&pair->params[0]) == 1)
		return NULL;
	for (i = 0; i < pair->net.logged; i++) {
		event = &pair->net.log[i];
		if (event->call != NET_SET_BUFFER)
			continue;
		side = event->side;
		if (event->result !=
		    (int)icb_buffers_at(&pair->params[side],
					++number[side]).index)
			return "an operation takes another buffer";
	}
	for (side = 0; side < NET_SIDES; side++)
		if (number[side] != pair->run[side].seq)
			return "an operation takes no buffer";
	return NULL;
}

/* How buffers are requested: a number, or a share of reuse. */
static const struct scheme {
	u32 buffers;
	u32 reuse;
} schemes[] = {
	{ 4, 100 },
	{ 5, 100 },
	{ 25, 100 },
	{ 255, 100 },
	{ 256, 100 },
	{ 0, 0 },
	{ 0, 25 },
	{ 0, 50 },
	{ 0, 75 },
	{ 0, 99 },
};

static void use_scheme(struct icb_params *params, const struct scheme *scheme)
{
	params->reuse = scheme->reuse;
	if (!scheme->buffers)
		return;
	icb_params_preset(params, ICBENCH_A_PARAMS_BUFFERS, scheme->buffers);
	params->given |= BIT_ULL(ICBENCH_A_PARAMS_BUFFERS);
}

static void run_scheme(const struct mode *mode, size_t i, u64 seed)
{
	bool stream = mode->trigger == ICBENCH_TRIGGER_COMPLETION;
	struct pair_config config;
	struct icb_params params;

	if (mode_verb(mode)->atomic)
		return;
	if (stream && mode->direction && schemes[i].reuse < 100)
		return;
	mode_params(mode, &params);
	mode_config(mode, seed, &config);
	use_scheme(&params, &schemes[i]);
	params.warmup = seed % 3;
	params.iterations = 20 + 300 * !(seed % 4);
	params.verify = !stream && seed % 2;
	assert_int_equal(icb_params_check(&params, NULL), 0);
	params.timeout = 1500000;
	pair_run(&pair, &params, &config);
	mode_expect(&pair, mode, stream ? check_stream_complete(&pair) :
					  check_complete(&pair), "scheme",
		    i * 100 + seed);
	mode_expect(&pair, mode, check_aimed(&pair), "scheme", i * 100 + seed);
}

static void test_echo(void **state)
{
	size_t i, j;
	u64 seed;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(schemes); i++)
		for (j = 0; j < MODES; j++)
			for (seed = 0; seed < 8; seed++)
				run_scheme(&mode_table[j], i, seed);
}

static void test_crossing(void **state)
{
	size_t i, j;
	u64 seed;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(schemes); i++)
		for (j = 0; j < CROSSINGS; j++)
			for (seed = 0; seed < 8; seed++)
				run_scheme(&crossing_table[j], i, seed);
}

static void test_stream(void **state)
{
	size_t i, j;
	u64 seed;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(schemes); i++)
		for (j = 0; j < STREAMS; j++)
			for (seed = 0; seed < 4; seed++)
				run_scheme(&stream_table[j], i, seed);
}

/*
 * The last message is expected in its buffer, and is not found in others. In a stream
 * this applies to the last message in each buffer.
 */
static void expect_last(const struct mode *mode, size_t i)
{
	unsigned int side = !mode_verb(mode)->passive;
	struct icb_reason why = { "" };
	struct icb_buffer last;
	u32 other;
	const struct icb_ep *ep = &pair.net.ep[side];

	if (mode_verb(mode)->atomic || schemes[i].reuse < 100)
		return;
	run_scheme(mode, i, 0);
	last = icb_buffers_at(&pair.params[0], pair.run[0].seq);
	other = last.index ? 0 : 1;
	net_rx(ep, other)[1] ^= 1;
	assert_row(i, !icb_run_check_last(&pair.run[side], &why) ==
		      (mode->trigger != ICBENCH_TRIGGER_COMPLETION));
	net_rx(ep, other)[1] ^= 1;
	assert_row(i, !icb_run_check_last(&pair.run[side], &why));
	net_rx(ep, last.index)[1] ^= 1;
	assert_row(i, icb_run_check_last(&pair.run[side], &why) == -EBADMSG);
	/* the content of another buffer is not accepted */
	memcpy(net_rx(ep, last.index), net_rx(ep, other), pair.params[0].size);
	assert_row(i, icb_run_check_last(&pair.run[side], &why) == -EBADMSG);
}

static void test_last(void **state)
{
	size_t i, j;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(schemes); i++) {
		for (j = 0; j < MODES; j++)
			expect_last(&mode_table[j], i);
		for (j = 0; j < STREAMS; j++)
			if (!stream_table[j].direction)
				expect_last(&stream_table[j], i);
	}
}

/*
 * A peer reports the number of a stream's last message. For any number, the search ends
 * within the run's buffers. By chance, a byte is sometimes the expected one.
 */
static void expect_claims(const struct mode *mode, u64 warmup, u64 claim)
{
	struct pair_config config;
	struct icb_params params;
	struct icb_reason why;
	u32 i, passed = 0;

	mode_params(mode, &params);
	mode_config(mode, 0, &config);
	params.size = 1;
	params.reuse = 99;
	params.iterations = 320;
	assert_int_equal(icb_params_check(&params, NULL), 0);
	params.timeout = 1500000;
	pair_run(&pair, &params, &config);
	/* only the peer's claim: no run has so many operations */
	pair.params[1].workers = 2;
	pair.params[1].warmup += warmup;
	for (i = 0; i < 4000; i++) {
		pair.run[1].peer_sent = claim + i;
		alarm(60);
		passed += !icb_run_check_last(&pair.run[1], &why);
		alarm(0);
	}
	mode_expect(&pair, mode, passed ? NULL : "no claim passes", "claims",
		    passed);
}

static void test_claims(void **state)
{
	size_t j;

	(void)state;
	for (j = 0; j < STREAMS; j++)
		if (stream_table[j].verb == ICBENCH_VERB_WRITE &&
		    !stream_table[j].direction && !stream_table[j].notify) {
			expect_claims(&stream_table[j], 0, 1ULL << 62);
			expect_claims(&stream_table[j], 1000000000000,
				      999999990000);
		}
}

/* Parameters by name, and the text of the refusal; NULL for none. */
static const struct rule {
	const char *keys[10];
	const char *words;
} rules[] = {
	{ { "buffers", "4" }, NULL },
	{ { "buffers", "1" }, NULL },
	{ { "reuse", "25" }, NULL },
	{ { "reuse", "0" }, NULL },
	{ { "buffers", "1", "reuse", "25" }, NULL },
	{ { "buffers", "4", "reuse", "100" }, NULL },
	{ { "buffers", "4", "reuse", "25" },
	  "buffers: not together with reuse, which counts its buffers itself; accepted: one of them" },
	{ { "reuse", "25", "duration", "1000" },
	  "duration: reuse 25 takes new buffers, and their number must be known before the run; accepted: iterations" },
	{ { "buffers", "4", "duration", "1000" }, NULL },
	{ { "verify", "1", "buffers", "1" },
	  "buffers: 1 is too few with verify; accepted: 2 and more" },
	{ { "verify", "1", "buffers", "2" }, NULL },
	{ { "verify", "1", "reuse", "25" }, NULL },
	{ { "trigger", "1", "verify", "1" }, NULL },
	{ { "trigger", "1", "verify", "1", "verb", "4" }, NULL },
	{ { "trigger", "1", "verify", "1", "verb", "1", "buffers", "101" }, NULL },
	{ { "trigger", "1", "verify", "1", "verb", "1", "buffers", "100" },
	  "buffers: 100 is too few with verify and this window; accepted: 101 and more" },
	{ { "trigger", "1", "verify", "1", "buffers", "224" },
	  "buffers: 224 is too few with verify and this window; accepted: 225 and more" },
	{ { "trigger", "1", "verify", "1", "size", "8388608" },
	  "verify: with window 100 it needs 225 buffers of 8388608 bytes, which do not fit into 1 GiB; accepted: a smaller window or size" },
	{ { "trigger", "1", "verify", "1", "reuse", "25" }, NULL },
	{ { "direction", "1", "buffers", "3" },
	  "buffers: 3 is too few with trigger echo and direction bi; accepted: 4 and more" },
	{ { "direction", "1", "buffers", "4" }, NULL },
	{ { "direction", "1", "reuse", "25" }, NULL },
	{ { "trigger", "1", "direction", "1", "buffers", "3" }, NULL },
	{ { "trigger", "1", "direction", "1", "reuse", "25" },
	  "direction: reuse 25 takes new buffers, and with bi the peer streams until the initiator stops it; accepted: uni" },
	{ { "trigger", "1", "reuse", "25" }, NULL },
	{ { "verb", "4", "buffers", "2" },
	  "buffers: 2 is not possible with atomics, which work on one word; accepted: 1" },
	{ { "verb", "5", "reuse", "99" },
	  "reuse: 99 is not possible with atomics, which work on one word; accepted: 100" },
	{ { "size", "0", "buffers", "2" },
	  "buffers: 2 is not possible with messages of 0 bytes; accepted: 1" },
	{ { "size", "0", "reuse", "1" },
	  "reuse: 1 is not possible with messages of 0 bytes; accepted: 100" },
	{ { "trigger", "2", "verb", "6", "buffers", "2" },
	  "buffers: 2 is not possible with trigger return, whose buffers carry no messages; accepted: 1" },
	{ { "trigger", "2", "verb", "7", "reuse", "0" },
	  "reuse: 0 is not possible with trigger return, whose buffers carry no messages; accepted: 100" },
	{ { "buffers", "2048", "size", "524288" }, NULL },
	{ { "buffers", "2049", "size", "524288" },
	  "buffers: 2049 of 524288 bytes do not fit into 1 GiB; accepted: at most 2048" },
	{ { "buffers", "262144", "size", "1" }, NULL },
	{ { "buffers", "262144", "size", "4097" },
	  "buffers: 262144 of 4097 bytes do not fit into 1 GiB; accepted: at most 262080" },
	{ { "buffers", "2", "size", "1073741824" },
	  "buffers: 2 of 1073741824 bytes do not fit into 1 GiB; accepted: at most 1" },
	/* buffers that correctness requires are provided */
	{ { "verify", "1", "size", "1073741824" }, NULL },
	{ { "reuse", "0", "iterations", "262142", "size", "4096" }, NULL },
	{ { "reuse", "0", "iterations", "262143", "size", "4096" },
	  "iterations: 262143 with reuse 0 need 262145 buffers, which do not fit into 1 GiB; accepted: at most 262142" },
	{ { "reuse", "75", "iterations", "8186", "size", "524288" }, NULL },
	{ { "reuse", "75", "iterations", "8191", "size", "524288" },
	  "iterations: 8191 with reuse 75 need 2049 buffers, which do not fit into 1 GiB; accepted: at most 8190" },
	{ { "reuse", "75", "iterations", "8190", "size", "524288" }, NULL },
	{ { "reuse", "99", "iterations", "1000000000000" },
	  "iterations: 1000000000000 with reuse 99 need 10000000001 buffers, which do not fit into 1 GiB; accepted: at most 26214398" },
	{ { "reuse", "0", "iterations", "1", "size", "1073741824" },
	  "reuse: 0 takes more buffers of 1073741824 bytes than fit into 1 GiB; accepted: 100" },
};

static void test_rules(void **state)
{
	const struct icb_param *param;
	struct icb_params params;
	struct icb_reason why;
	size_t i, j;
	int err;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rules); i++) {
		icb_params_init(&params);
		why.text[0] = '\0';
		for (j = 0; rules[i].keys[j]; j += 2) {
			param = icb_param_by_name(rules[i].keys[j]);
			err = icb_params_set_number(&params, param,
						    strtoull(rules[i].keys[j + 1],
							     NULL, 10), &why);
			assert_row(i, !err);
		}
		err = icb_params_check(&params, &why);
		if (rules[i].words)
			assert_string_equal(why.text, rules[i].words);
		assert_row(i, !err == !rules[i].words);
		if (err)
			continue;
		/* a peer receives the result, and accepts it */
		assert_row(i, params.buffers == icb_buffers_ring(&params));
		params.given = params.set;
		assert_row(i, !icb_params_check(&params, &why));
	}
}

static int teardown(void **state)
{
	(void)state;
	pair_free(&pair);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_illustration),
		cmocka_unit_test(test_share),
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_warmup),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_echo),
		cmocka_unit_test(test_crossing),
		cmocka_unit_test(test_stream),
		cmocka_unit_test(test_last),
		cmocka_unit_test(test_claims),
		cmocka_unit_test(test_rules),
	};

	/* an endless loop ends here */
	alarm(300);
	return cmocka_run_group_tests(tests, NULL, teardown);
}
