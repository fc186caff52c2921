// SPDX-License-Identifier: GPL-2.0
/* Verbs with a passive responder: reads and atomics. */
#include "engine/message.h"
#include "engine/prepare.h"
#include "unit.h"
#include <unistd.h>
#include "check.h"
#include "host/clock.h"
#include "mode.h"

static struct pair pair;
static struct pair_config config;
static struct icb_params params;

/* Prepare a run, which the caller may then damage. */
static void prepare(const struct mode *mode, u64 seed)
{
	mode_params(mode, &params);
	mode_config(mode, seed, &config);
}

/* All operations, including those that are not measured. */
static u64 total(const struct mode *mode)
{
	return params.warmup + params.iterations + mode_callbacks(mode);
}

static void run(const struct mode *mode, const char *what, u64 number)
{
	pair_run(&pair, &params, &config);
	mode_expect(&pair, mode, check_pair(&pair), what, number);
}

#define for_each_passive(mode)						\
	for ((mode) = mode_table; (mode) != mode_table + MODES; (mode)++) \
		if (mode_verb(mode)->passive)

/* The number of wrong operations is as expected, and was reported. */
static void expect_errors(const struct mode *mode, u64 errors,
			  const char *what, u64 number)
{
	const char *words = pair.side[0].why.text;
	char due[64];

	mode_expect(&pair, mode, pair.complete ? NULL : "was cut short", what,
		    number);
	mode_expect(&pair, mode, pair.run[0].errors == errors ? NULL :
		    "another number of errors", what, pair.run[0].errors);
	snprintf(due, sizeof(due), "verify: %llu of %llu messages",
		 (unsigned long long)errors, (unsigned long long)total(mode));
	mode_expect(&pair, mode, strstr(words, due) ? NULL : words, what,
		    number);
	assert_int_equal(pair.side[0].compared, -EBADMSG);
	assert_int_equal(pair.side[1].compared, 0);
}

/* An operation without data: the buffer's earlier content is not accepted. */
static void test_nothing(void **state)
{
	const struct mode *mode;
	u64 n;

	(void)state;
	for_each_passive(mode)
		for (n = 1; prepare(mode, n), n <= total(mode); n++) {
			params.verify = 1;
			config.net.faults[1].empty = n;
			run(mode, "nothing", n);
			expect_errors(mode, 1, "nothing", n);
		}
}

/*
 * Several such operations in a row: the content of the first is not accepted for the
 * next.
 */
static void test_nothing_again(void **state)
{
	const struct mode *mode;
	u64 n, more;

	(void)state;
	for_each_passive(mode)
		for (more = 1; more < 4; more++)
			for (n = 1; n <= 12; n++) {
				prepare(mode, n);
				params.verify = 1;
				config.net.faults[1].empty = n;
				config.net.faults[1].more_empty = more;
				run(mode, "nothing", n);
				expect_errors(mode, more + 1, "nothing", n);
			}
}

/* Without verify, the last operation is checked, even if it is the only one. */
static void test_nothing_at_all(void **state)
{
	static const u64 seeds[] = { 0, 1, 1ULL << 63 };
	const struct mode *mode;
	unsigned int ops;
	size_t i;

	(void)state;
	for_each_passive(mode)
		for (ops = 1; ops < 4; ops++)
			for (i = 0; i < ARRAY_SIZE(seeds); i++) {
				prepare(mode, i);
				params.seed = seeds[i];
				params.warmup = 0;
				params.iterations = ops;
				config.net.faults[1].empty = 1;
				config.net.faults[1].more_empty = ops;
				run(mode, "nothing at all", ops);
				assert_true(pair.complete);
				assert_int_equal(pair.run[0].errors, 0);
				assert_int_equal(pair.side[0].compared,
						 -EBADMSG);
			}
}

/* Missing data is found even if the expected byte is 0, as in an unused buffer. */
static void test_nothing_small(void **state)
{
	const struct mode *mode;
	u64 seed;

	(void)state;
	for_each_passive(mode)
		for (seed = 0; seed < 600; seed += mode_verb(mode)->atomic ?
						    100 : 1) {
			prepare(mode, seed);
			params.seed = seed;
			params.size = mode_size(mode, 1);
			params.verify = seed & 1;
			config.net.no_log = true;
			config.net.faults[1].empty = 1;
			config.net.faults[1].more_empty = total(mode);
			run(mode, "nothing small", seed);
			assert_true(pair.complete);
			assert_int_equal(pair.side[0].compared, -EBADMSG);
			assert_int_equal(pair.run[0].errors, params.verify ?
							     total(mode) : 0);
		}
}

/* A read with too few bytes: the rest of the buffer is not accepted. */
static void test_short(void **state)
{
	static const u32 sizes[] = { 1, 2, 8, 9, 24, 1000 };
	const struct mode *mode;
	size_t i;
	u64 n;

	(void)state;
	for_each_passive(mode)
		for (i = 0; i < ARRAY_SIZE(sizes); i++)
			for (n = 1; n <= 16; n += 5) {
				prepare(mode, n);
				params.size = mode_size(mode, sizes[i]);
				params.verify = 1;
				config.net.faults[1].truncate = n;
				run(mode, "short", n);
				expect_errors(mode, 1, "short", n);
			}
}

/* Each wrong byte of a read, and of the old value of an atomic, is found. */
static void test_wrong(void **state)
{
	const struct mode *mode;
	u32 byte;

	(void)state;
	for_each_passive(mode)
		for (byte = 0; byte < mode_size(mode, 24); byte++) {
			prepare(mode, byte);
			params.verify = 1;
			config.net.faults[1].corrupt = 1 + byte % 16;
			config.net.faults[1].corrupt_byte = byte;
			run(mode, "byte", byte);
			expect_errors(mode, 1, "byte", byte);
		}
}

/*
 * The responder's device executes an atomic wrongly, without an error. Each later old
 * value is wrong, and so is the final value.
 */
static void expect_lost_count(const struct mode *mode, u64 n, u64 left,
			      const char *what)
{
	u64 later = total(mode) - n;
	char words[80];

	mode_expect(&pair, mode, pair.complete ? NULL : "was cut short", what,
		    n);
	assert_int_equal(pair.run[0].errors, params.verify ? later : 0);
	/* without verify, only the last operation is checked */
	assert_int_equal(pair.side[0].compared, later ? -EBADMSG : 0);
	assert_int_equal(pair.side[1].compared, -EBADMSG);
	snprintf(words, sizeof(words),
		 "%llu messages were sent, %llu arrived",
		 (unsigned long long)total(mode), (unsigned long long)left);
	assert_string_equal(pair.side[1].why.text, words);
}

static void test_operand_corrupt(void **state)
{
	const struct mode *mode;
	u64 n, left;

	(void)state;
	for_each_passive(mode)
		for (n = 1; prepare(mode, n), n <= total(mode); n++) {
			params.verify = n & 1;
			config.net.faults[0].corrupt = n;
			config.net.faults[0].corrupt_byte = n;
			run(mode, "operand", n);
			if (!mode_verb(mode)->atomic) {
				mode_expect(&pair, mode, check_complete(&pair),
					    "operand", n);
				continue;
			}
			/* a wrong addend is added; a wrong swap makes all later ones fail */
			left = n - 1;
			if (mode->verb == ICBENCH_VERB_FETCH_ADD)
				left = total(mode) - 1 +
				       (1 ^ 0x10ULL << n % 8 * 8);
			expect_lost_count(mode, n, left, "operand");
		}
}

/*
 * An atomic is executed twice: an addition shows this, a compare and swap has no second
 * effect.
 */
static void test_twice(void **state)
{
	const struct mode *mode;
	u64 n;

	(void)state;
	for_each_passive(mode)
		for (n = 1; prepare(mode, n), n <= total(mode); n++) {
			params.verify = n & 1;
			config.net.faults[0].duplicate = n;
			run(mode, "twice", n);
			if (mode->verb == ICBENCH_VERB_FETCH_ADD)
				expect_lost_count(mode, n, total(mode) + 1,
						  "twice");
			else
				mode_expect(&pair, mode, check_complete(&pair),
					    "twice", n);
		}
}

/* Numbers of messages sent, as reported, and seen on the other side. */
static void test_counts(void **state)
{
	static const u64 seeds[] = { 0, 1, U64_MAX, U64_MAX - 5, 1ULL << 63 };
	const struct icb_verb *verb;
	const struct mode *mode;
	u64 sent;
	size_t i;

	(void)state;
	for (mode = mode_table; mode < mode_table + MODES; mode++)
		for (i = 0; i < ARRAY_SIZE(seeds); i++) {
			prepare(mode, i);
			params.seed = seeds[i];
			params.verify = i & 1;
			pair_run(&pair, &params, &config);
			mode_expect(&pair, mode, check_complete(&pair),
				    "counts", i);
			verb = mode_verb(mode);
			sent = verb->passive && !verb->atomic ? 0 :
								total(mode);
			assert_int_equal(icb_run_sent(&pair.run[0]), sent);
			assert_int_equal(icb_run_seen(&pair.run[1]), sent);
		}
}

static void request(void *arg)
{
	(void)arg;
	net_end(&pair.net.ep[0], ICB_STOP_REQUEST, 0);
}

/* A run that is cut short: at most the last message was not seen. */
static void test_counts_stopped(void **state)
{
	const struct mode *mode;
	u64 at, sent, seen;

	(void)state;
	for_each_passive(mode)
		for (at = 20; at < 60; at += 3) {
			prepare(mode, at);
			config.net.hook = request;
			config.net.hook_at = at;
			run(mode, "stopped at call", at);
			sent = icb_run_sent(&pair.run[0]);
			seen = icb_run_seen(&pair.run[1]);
			if (!mode_verb(mode)->atomic)
				assert_int_equal(sent + seen, 0);
			else
				assert_in_range(seen, sent ? sent - 1 : 0,
						sent);
		}
}

/* A run without a thread, to test single calls. */
static struct icb_run *lone_run(u32 verb, u64 seed, u32 verify)
{
	const struct mode *mode;

	for (mode = mode_table; mode->verb != verb; mode++)
		;
	prepare(mode, 1);
	params.verify = verify;
	params.seed = seed;
	pair_free(&pair);
	memset(&pair, 0, sizeof(pair));
	task_init(&config.task);
	pair.run[0].params = &params;
	pair.run[0].hist = pair.hist;
	pair.run[0].hists = icb_run_hists(&params);
	pair.run[1].params = &params;
	net_open(&pair.net, &config.net, &params, pair.run);
	icb_run_prepare(&pair.run[0], true);
	icb_run_prepare(&pair.run[1], false);
	return &pair.run[0];
}

/*
 * Additions and swaps give the same values, so that one count serves both. Each swap
 * expects the value of the previous one.
 */
static void test_operands(void **state)
{
	static const u64 seeds[] = { 0, 1, U64_MAX, U64_MAX - 5, 1ULL << 32 };
	const struct icb_ep *ep = &pair.net.ep[0];
	struct icb_run *it;
	u64 n, word;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(seeds); i++) {
		it = lone_run(ICBENCH_VERB_FETCH_ADD, seeds[i], i & 1);
		for (n = 1; n < 20; n++) {
			icb_run_stage(it);
			assert_true(ep->own.compare_add[0] == 1);
			assert_int_equal(ep->own.calls[NET_SET_OPERANDS], n);
		}
		it = lone_run(ICBENCH_VERB_CMP_SWAP, seeds[i], i & 1);
		memcpy(&word, net_tx(&pair.net.ep[1], 0), sizeof(word));
		assert_true(word == seeds[i]);
		for (n = 1; n < 20; n++) {
			icb_run_stage(it);
			assert_true(ep->own.compare_add[0] == seeds[i] + n - 1);
			assert_true(ep->own.swap[0] == seeds[i] + n);
			assert_int_equal(ep->own.calls[NET_SET_OPERANDS], n);
		}
		lone_run(ICBENCH_VERB_READ, seeds[i], i & 1);
		icb_run_stage(&pair.run[0]);
		assert_int_equal(ep->own.calls[NET_SET_OPERANDS], 0);
		assert_string_equal(pair.net.wrong, "");
	}
}

/* No side fills a message; the initiator spoils the buffer that receives the data. */
static void test_stage(void **state)
{
	struct icb_ep *ep = &pair.net.ep[0];
	u64 made, looked;
	u32 verb, verify;
	u8 before[24];
	size_t i;

	(void)state;
	for (verb = ICBENCH_VERB_READ; verb <= ICBENCH_VERB_CMP_SWAP; verb++)
		for (verify = 0; verify < 2; verify++) {
			lone_run(verb, 7, verify);
			made = ep->own.calls[NET_TX];
			looked = ep->own.calls[NET_RX];
			assert_true(params.size <= sizeof(before));
			/* the data of a correct answer */
			if (verb == ICBENCH_VERB_READ)
				memcpy(net_rx(ep, 0), net_tx(&pair.net.ep[1], 0),
				       params.size);
			else
				memcpy(net_rx(ep, 0), net_rx(&pair.net.ep[1], 0),
				       params.size);
			memcpy(before, net_rx(ep, 0), params.size);
			icb_run_stage(&pair.run[0]);
			assert_int_equal(ep->own.calls[NET_TX], made);
			assert_int_equal(ep->own.calls[NET_RX], looked + verify);
			for (i = 0; i < params.size; i++)
				assert_int_equal(before[i] != net_rx(ep, 0)[i],
						 verify);
		}
}

/* The other side has one buffer; a second one would have no content. */
static void test_buffers(void **state)
{
	const struct icb_param *verbs;
	u32 verb, verify;
	bool passive;

	(void)state;
	verbs = icb_param_by_attr(ICBENCH_A_PARAMS_VERB);
	for (verb = 0; verb <= verbs->max; verb++)
		for (verify = 0; verify < 2; verify++) {
			passive = icb_verb_table[verb].passive;
			icb_params_init(&params);
			params.verb = verb;
			params.verify = verify;
			assert_int_equal(icb_buffers_ring(&params),
					 verify && !passive ? 2 : 1);
		}
	lone_run(ICBENCH_VERB_READ, 1, 1);
	assert_int_equal(pair.net.ep[0].rx.count, 1);
	assert_int_equal(pair.net.ep[1].tx.count, 1);
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
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_nothing_again),
		cmocka_unit_test(test_nothing_at_all),
		cmocka_unit_test(test_nothing_small),
		cmocka_unit_test(test_short),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_operand_corrupt),
		cmocka_unit_test(test_twice),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_counts_stopped),
		cmocka_unit_test(test_operands),
		cmocka_unit_test(test_stage),
		cmocka_unit_test(test_buffers),
	};

	alarm(300);
	return cmocka_run_group_tests(tests, NULL, teardown);
}
