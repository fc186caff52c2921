// SPDX-License-Identifier: GPL-2.0
/* The work of callbacks is bounded, whatever a peer proposes. */
#include "check.h"
#include "mode.h"
#include "model/callbacks.h"
#include "model/payload.h"
#include "model/rules.h"
#include "model/rules.h"
#include "model/verbs_table.h"
#include "unit.h"

static struct pair pair;

/* Bytes that were filled, spoilt and checked in callbacks. */
static u64 handled;

static void note(size_t len)
{
	if (net_in_callback(&pair.net.ep[0]) || net_in_callback(&pair.net.ep[1]))
		handled += len;
}

/* These wrap the engine's functions, see engine.mk. */
void __real_icb_payload_fill(u8 *buf, size_t at, size_t len, u64 seed, u64 number);
void __real_icb_payload_spoil(u8 *buf, size_t len);
size_t __real_icb_payload_check(const u8 *buf, size_t at, size_t len, u64 seed,
				u64 number);
void __wrap_icb_payload_fill(u8 *buf, size_t at, size_t len, u64 seed, u64 number);
void __wrap_icb_payload_spoil(u8 *buf, size_t len);
size_t __wrap_icb_payload_check(const u8 *buf, size_t at, size_t len, u64 seed,
				u64 number);

void __wrap_icb_payload_fill(u8 *buf, size_t at, size_t len, u64 seed, u64 number)
{
	note(len);
	__real_icb_payload_fill(buf, at, len, seed, number);
}

void __wrap_icb_payload_spoil(u8 *buf, size_t len)
{
	note(len);
	__real_icb_payload_spoil(buf, len);
}

size_t __wrap_icb_payload_check(const u8 *buf, size_t at, size_t len, u64 seed,
				u64 number)
{
	note(len);
	return __real_icb_payload_check(buf, at, len, seed, number);
}

/* Number of completions that were handled by callbacks, on both sides. */
static u64 callbacks(void)
{
	const struct icb_ep *ep = pair.net.ep;

	return ep[0].calls[NET_ARRIVED] + ep[0].calls[NET_COMPLETED] +
	       ep[1].calls[NET_ARRIVED] + ep[1].calls[NET_COMPLETED];
}

/*
 * In each mode, callbacks handle no more bytes than the rule assumes, and as many are
 * possible.
 */
static void try_mode(const struct mode *mode)
{
	struct pair_config config;
	struct icb_params params;
	u64 most, window = 0;
	bool stream = mode->trigger == ICBENCH_TRIGGER_COMPLETION;

	mode_params(mode, &params);
	icb_params_preset(&params, ICBENCH_A_PARAMS_VERIFY, 1);
	icb_params_preset(&params, ICBENCH_A_PARAMS_ITERATIONS, 100);
	if (stream) {
		icb_params_preset(&params, ICBENCH_A_PARAMS_WINDOW, 4);
		icb_params_preset(&params, ICBENCH_A_PARAMS_REFILL, 2);
		icb_params_preset(&params, ICBENCH_A_PARAMS_SIGNAL_EVERY, 2);
	}
	mode_config(mode, 1, &config);
	handled = 0;
	pair_run(&pair, &params, &config);
	mode_expect(&pair, mode, stream ? check_stream_complete(&pair) :
					  check_complete(&pair), "verified", 0);
	/* the first window is filled before any completion */
	if (stream)
		window = 2 * params.window;
	most = icb_callback_bytes(&params) *
	       (callbacks() + window / max_t(u32, params.signal_every, 1));
	if (handled > most || !handled)
		fail_msg("%s: %llu bytes in %llu callbacks, at most %llu are said",
			 mode->name, (unsigned long long)handled,
			 (unsigned long long)callbacks(),
			 (unsigned long long)most);
}

static void test_bytes(void **state)
{
	const struct mode *mode;

	(void)state;
	/* an atomic has a single word */
	for (mode = mode_table; mode != mode_table + MODES; mode++)
		if (mode_callbacks(mode) && !mode_verb(mode)->atomic)
			try_mode(mode);
	for (mode = stream_table; mode != stream_table + STREAMS; mode++)
		if (mode_callbacks(mode) && !mode_verb(mode)->atomic)
			try_mode(mode);
}

/* Parameters as words, with NULL behind the last. */
struct row {
	const char *words[14];
	int err;
	const char *why;
};

static int check_row(const struct row *row, struct icb_params *params,
		     struct icb_reason *why)
{
	const struct icb_param *param;
	unsigned int i;

	icb_params_init(params);
	for (i = 0; row->words[i]; i += 2) {
		param = icb_param_by_name(row->words[i]);
		assert_non_null(param);
		if (param->type == ICB_PARAM_WORD)
			assert_int_equal(icb_params_set_word(params, param,
							     row->words[i + 1],
							     NULL), 0);
		else
			assert_int_equal(icb_params_set_number(params, param,
							       strtoull(row->words[i + 1],
									NULL, 10),
							       NULL), 0);
	}
	why->text[0] = '\0';
	return icb_params_check(params, why);
}

static void test_rules(void **state)
{
	static const struct row rows[] = {
		/* a proposal from an audit, with more than 60 MiB in each callback */
		{ { "completion", "softirq", "verify", "yes", "qps", "64",
		    "size", "62914560" }, -EOPNOTSUPP,
		  "verify: with completion softirq a callback fills and checks 125829120 bytes, and blocks its CPU; accepted: size up to 131072, or completion poll, block, adaptive, timer" },
		{ { "completion", "workqueue", "verify", "yes",
		    "size", "131073" }, -EOPNOTSUPP,
		  "verify: with completion workqueue a callback fills and checks 262146 bytes, and blocks its CPU; accepted: size up to 131072, or completion poll, block, adaptive, timer" },
		{ { "completion", "softirq", "verify", "yes",
		    "size", "131072" }, 0, "" },
		{ { "completion", "softirq", "verify", "no", "qps", "64",
		    "size", "62914560" }, 0, "" },
		{ { "completion", "block", "verify", "yes", "size", "62914560" },
		  0, "" },
		/* read: each buffer is checked, filled and spoilt */
		{ { "completion", "softirq", "verify", "yes", "verb", "read",
		    "size", "90000" }, -EOPNOTSUPP,
		  "verify: with completion softirq a callback fills and checks 270000 bytes, and blocks its CPU; accepted: size up to 87381, or completion poll, block, adaptive, timer" },
		{ { "completion", "softirq", "verify", "yes", "verb", "read",
		    "size", "87381" }, 0, "" },
		{ { "completion", "softirq", "verify", "yes", "verb", "fetch-add",
		    "size", "8" }, 0, "" },
		/*
		 * stream: all messages of a signaled completion, or all that are posted
		 * after it
		 */
		{ { "completion", "softirq", "verify", "yes", "trigger",
		    "completion", "size", "65536", "signal-every", "10" },
		  -EOPNOTSUPP,
		  "verify: with completion softirq a callback fills and checks 655360 bytes, and blocks its CPU; accepted: a smaller size, signal-every or batch, or completion poll, block, adaptive, timer" },
		{ { "completion", "softirq", "verify", "yes", "trigger",
		    "completion", "size", "65536", "batch", "5" },
		  -EOPNOTSUPP, "verify: " },
		{ { "completion", "softirq", "verify", "yes", "trigger",
		    "completion", "size", "300000", "window", "8" },
		  -EOPNOTSUPP,
		  "verify: with completion softirq a callback fills and checks 300000 bytes, and blocks its CPU; accepted: size up to 262144, or completion poll, block, adaptive, timer" },
		{ { "completion", "softirq", "verify", "yes", "trigger",
		    "completion", "size", "60000", "size-dist", "exponential",
		    "window", "8" },
		  -EOPNOTSUPP, "verify: " },
		/* without signal-every, its default is as large as the rule permits */
		{ { "completion", "softirq", "verify", "yes", "trigger",
		    "completion", "size", "65536" }, 0, "" },
		{ { "completion", "workqueue", "verify", "yes", "trigger",
		    "completion", "verb", "read", "size", "65536" }, 0, "" },
		{ { "completion", "softirq", "verify", "yes", "trigger",
		    "completion", "verb", "write", "size", "65536" }, 0, "" },
	};
	struct icb_params params;
	struct icb_reason why;
	unsigned int i;
	int err;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		err = check_row(&rows[i], &params, &why);
		if (err != rows[i].err ||
		    strncmp(why.text, rows[i].why, strlen(rows[i].why)))
			fail_msg("row %u: %d, \"%s\"", i, err, why.text);
		if (!err && icb_callback_bytes(&params) > ICB_CALLBACK_BYTES)
			fail_msg("row %u: %llu bytes", i,
				 (unsigned long long)icb_callback_bytes(&params));
	}
}

/*
 * In a stream of writes each notify message reports several writes; with callbacks,
 * fewer.
 */
static void test_notes(void **state)
{
	static const struct row row = {
		{ "completion", "softirq", "verify", "yes", "trigger",
		  "completion", "verb", "write", "size", "65536" }, 0, ""
	};
	struct icb_params params;
	struct icb_reason why;

	(void)state;
	assert_int_equal(check_row(&row, &params, &why), 0);
	assert_int_equal(icb_params_report_every(&params), 4);
	params.completion = ICBENCH_COMPLETION_BLOCK;
	assert_int_equal(icb_params_report_every(&params), 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_notes),
		cmocka_unit_test(test_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
