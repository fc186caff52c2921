// SPDX-License-Identifier: GPL-2.0
/* The work of callbacks is bounded, whatever a peer proposes. */
#include "check.h"
#include "host/clock.h"
#include "mode.h"
#include "model/callbacks.h"
#include "model/payload.h"
#include "model/rules.h"
#include "model/verbs_table.h"
#include "unit.h"

static struct pair pair;

/* Bytes that were filled, spoilt and checked in callbacks, and most of them in one. */
static u64 handled, most_handled;

/* The callback of each side that was noted last, by its number, and its bytes. */
static struct {
	u64 number;
	u64 bytes;
} last[NET_SIDES];

/* Number of completions that were handled by callbacks of a side. */
static u64 callbacks_of(const struct icb_ep *ep)
{
	return ep->own.calls[NET_ARRIVED] + ep->own.calls[NET_COMPLETED];
}

static bool has_buffer(const struct icb_ep *ep, const u8 *buf)
{
	unsigned int i;

	for (i = 0; i < ep->tx.count; i++)
		if (buf >= net_tx(ep, i) && buf < net_tx(ep, i) + ep->tx.size)
			return true;
	for (i = 0; i < ep->rx.count; i++)
		if (buf >= net_rx(ep, i) && buf < net_rx(ep, i) + ep->rx.size)
			return true;
	return false;
}

static void note(const u8 *buf, size_t len)
{
	const struct icb_ep *ep = &pair.net.ep[!has_buffer(&pair.net.ep[0], buf)];

	if (!net_in_callback(ep))
		return;
	handled += len;
	if (last[ep->own.side].number != callbacks_of(ep))
		last[ep->own.side].bytes = 0;
	last[ep->own.side].number = callbacks_of(ep);
	last[ep->own.side].bytes += len;
	if (most_handled < last[ep->own.side].bytes)
		most_handled = last[ep->own.side].bytes;
}

static void forget(void)
{
	handled = 0;
	most_handled = 0;
	memset(last, 0, sizeof(last));
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
	note(buf, len);
	__real_icb_payload_fill(buf, at, len, seed, number);
}

void __wrap_icb_payload_spoil(u8 *buf, size_t len)
{
	note(buf, len);
	__real_icb_payload_spoil(buf, len);
}

size_t __wrap_icb_payload_check(const u8 *buf, size_t at, size_t len, u64 seed,
				u64 number)
{
	note(buf, len);
	return __real_icb_payload_check(buf, at, len, seed, number);
}

/* Number of completions that were handled by callbacks, on both sides. */
static u64 callbacks(void)
{
	return callbacks_of(&pair.net.ep[0]) + callbacks_of(&pair.net.ep[1]);
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
	forget();
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

/* Shapes of windows of 4 MiB. */
static const struct shape {
	u32 size;
	u32 window;
	u32 refill;
	u32 signal_every;
	u32 batch;
} shapes[] = {
	{ 65536, 64, 32, 4, 4 },
	{ 65536, 64, 1, 1, 1 },
	{ 262144, 16, 16, 1, 1 },
	{ 4096, 1024, 1024, 1, 64 },
	{ 16384, 256, 128, 16, 5 },
};

/*
 * A callback handles at most ICB_CALLBACK_BYTES of completed messages, and fills less
 * than twice as many.
 */
static void try_windows(const struct mode *mode, const struct shape *shape, u64 seed)
{
	u32 passes = mode_verb(mode)->passive ? 3 : 1;
	struct pair_config config;
	struct icb_params params;

	mode_params(mode, &params);
	icb_params_preset(&params, ICBENCH_A_PARAMS_VERIFY, 1);
	icb_params_preset(&params, ICBENCH_A_PARAMS_SIZE, shape->size / passes);
	icb_params_preset(&params, ICBENCH_A_PARAMS_WINDOW, shape->window);
	icb_params_preset(&params, ICBENCH_A_PARAMS_REFILL, shape->refill);
	icb_params_preset(&params, ICBENCH_A_PARAMS_SIGNAL_EVERY,
			  mode_signal(mode, shape->signal_every));
	icb_params_preset(&params, ICBENCH_A_PARAMS_BATCH, shape->batch);
	icb_params_preset(&params, ICBENCH_A_PARAMS_BUFFERS, 1);
	icb_params_preset(&params, ICBENCH_A_PARAMS_ITERATIONS,
			  shape->window + shape->window / 2);
	params.timeout = 5000000000ULL;
	assert_int_equal(icb_params_check(&params, NULL), 0);
	mode_config(mode, seed, &config);
	forget();
	pair_run(&pair, &params, &config);
	mode_expect(&pair, mode, check_stream_complete(&pair), "window",
		    shape - shapes);
	if (most_handled >= 3 * ICB_CALLBACK_BYTES || !most_handled)
		fail_msg("%s, window %u of %u bytes: %llu bytes in a callback",
			 mode->name, shape->window, shape->size,
			 (unsigned long long)most_handled);
}

static void test_windows(void **state)
{
	const struct shape *shape;
	const struct mode *mode;

	(void)state;
	for (mode = stream_table; mode != stream_table + STREAMS; mode++) {
		if (!mode_callbacks(mode) || mode_verb(mode)->atomic)
			continue;
		for (shape = shapes; shape != shapes + ARRAY_SIZE(shapes); shape++)
			try_windows(mode, shape, shape - shapes);
	}
}

/* Least ticks of a post, with the clock readings around it. */
#define POST_TICKS	300

/* Messages from one signalled message to the next. */
#define SIGNAL_EVERY	4

/* Most posts of a task between two events at which its CPU does other work. */
static unsigned int most_posts(void)
{
	unsigned int posts[TASK_MAX] = {}, most = 0;
	const struct net_event *event;
	size_t i;

	for (i = 0; i < pair.net.logged; i++) {
		event = &pair.net.log[i];
		if (event->call == NET_ARRIVED || event->call == NET_COMPLETED ||
		    event->call == NET_SET_ALARM)
			posts[event->task] = 0;
		if (event->call == NET_POST_LIST)
			most = max_t(unsigned int, most, ++posts[event->task]);
	}
	return most;
}

/* A callback posts for at most a part of 20 ms, also if it has no bytes to fill. */
static void try_time(const struct mode *mode, u32 qps)
{
	unsigned int most = SIGNAL_EVERY;
	struct pair_config config;
	struct icb_params params;

	mode_params(mode, &params);
	icb_params_preset(&params, ICBENCH_A_PARAMS_WINDOW, 200);
	if (mode->trigger == ICBENCH_TRIGGER_CLOCK) {
		icb_params_preset(&params, ICBENCH_A_PARAMS_RATE, 100000000);
	} else {
		icb_params_preset(&params, ICBENCH_A_PARAMS_REFILL, 200);
		icb_params_preset(&params, ICBENCH_A_PARAMS_SIGNAL_EVERY,
				  mode_signal(mode, SIGNAL_EVERY));
	}
	icb_params_preset(&params, ICBENCH_A_PARAMS_QPS, qps);
	icb_params_preset(&params, ICBENCH_A_PARAMS_ITERATIONS, 600 * qps);
	params.timeout = 5000000000ULL;
	mode_config(mode, 1, &config);
	config.task.khz = 25000;
	config.task.preempt = 0;
	pair_run(&pair, &params, &config);
	mode_expect(&pair, mode, pair.net.wrong[0] ? pair.net.wrong : NULL,
		    "QPs", qps);
	assert_int_equal(pair.run[0].done, params.iterations);
	most += icb_clock_ticks(20000000 / ICB_CALLBACKS_IN_ROW) / POST_TICKS + 1;
	if (most_posts() > most)
		fail_msg("%s, %u QPs: a callback posts %u times, at most %u are expected",
			 mode->name, qps, most_posts(), most);
}

static void test_time(void **state)
{
	static const struct mode open = {
		.name = "open loop", .trigger = ICBENCH_TRIGGER_CLOCK,
		.verb = ICBENCH_VERB_SEND,
		.completion = ICBENCH_COMPLETION_SOFTIRQ,
	};
	const struct mode *mode;

	(void)state;
	try_time(&open, 1);
	for (mode = stream_table; mode != stream_table + STREAMS; mode++)
		if (mode_callbacks(mode)) {
			try_time(mode, 1);
			try_time(mode, 4);
		}
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
		cmocka_unit_test(test_windows),
		cmocka_unit_test(test_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
