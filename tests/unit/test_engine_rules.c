// SPDX-License-Identifier: GPL-2.0
/* The rules between parameters, and those of several devices. */
#include "model/rules.h"
#include "unit.h"
#include <unistd.h>
#include "model/derived.h"
#include "model/params.h"
#include "model/trigger.h"
#include "model/triggers_table.h"
#include "model/verb_rules.h"
#include "model/verbs_table.h"
#include "give.h"

/**
 * struct rule - combination of parameters
 * @give: keys and values, alternating
 * @err: result of the rules
 * @name: parameter in the refusal; NULL if there is none
 * @words: text of the refusal
 */
static const struct rule {
	const char *give[11];
	int err;
	const char *name;
	const char *words;
} rules[] = {
	{ .give = { NULL } },
	{ .give = { "iterations", "1" } },
	{ .give = { "duration", "1" } },
	{ .give = { "iterations", "1", "duration", "1" },
	  .err = -EINVAL, .name = "duration", .words = "iterations" },
	{ .give = { "peer", "::1" } },
	{ .give = { "peer", "::1", "cm-port", "1" } },
	{ .give = { "peer", "::1", "token", "12345678" } },
	{ .give = { "cm-port", "1" },
	  .err = -EINVAL, .name = "cm-port", .words = "peer" },
	{ .give = { "token", "12345678" },
	  .err = -EINVAL, .name = "token", .words = "peer" },
	{ .give = { "verb", "send", "size", "0" } },
	{ .give = { "verb", "write", "size", "1" } },
	{ .give = { "verb", "write", "size", "0" },
	  .err = -EINVAL, .name = "size", .words = "accepted: 1 and more" },
	{ .give = { "verb", "write", "completion", "memory" } },
	{ .give = { "verb", "write", "completion", "poll" },
	  .err = -EOPNOTSUPP, .name = "completion",
	  .words = "accepted: memory" },
	{ .give = { "verb", "send", "completion", "memory" },
	  .err = -EOPNOTSUPP, .name = "completion",
	  .words = "accepted: poll, softirq, workqueue, block, adaptive, timer" },
	{ .give = { "verb", "write-imm", "size", "0" } },
	{ .give = { "verb", "write-imm", "completion", "memory" },
	  .err = -EOPNOTSUPP, .name = "completion",
	  .words = "accepted: poll, softirq, workqueue, block, adaptive, timer" },
	{ .give = { "verb", "read", "size", "1" } },
	{ .give = { "verb", "read", "size", "0" },
	  .err = -EINVAL, .name = "size", .words = "accepted: 1 and more" },
	{ .give = { "verb", "read", "completion", "memory" },
	  .err = -EOPNOTSUPP, .name = "completion",
	  .words = "accepted: poll, softirq, workqueue, block, adaptive, timer" },
	{ .give = { "verb", "read", "signal-every", "1" } },
	{ .give = { "verb", "read", "signal-every", "2" },
	  .err = -EINVAL, .name = "signal-every", .words = "accepted: 1" },
	{ .give = { "verb", "read", "signal-every", "64" },
	  .err = -EINVAL, .name = "signal-every", .words = "accepted: 1" },
	{ .give = { "verb", "fetch-add", "size", "8" } },
	{ .give = { "verb", "fetch-add", "size", "0" },
	  .err = -EINVAL, .name = "size", .words = "accepted: 8" },
	{ .give = { "verb", "fetch-add", "size", "7" },
	  .err = -EINVAL, .name = "size", .words = "accepted: 8" },
	{ .give = { "verb", "cmp-swap", "size", "9" },
	  .err = -EINVAL, .name = "size", .words = "accepted: 8" },
	{ .give = { "verb", "cmp-swap", "size", "64" },
	  .err = -EINVAL, .name = "size", .words = "accepted: 8" },
	{ .give = { "verb", "cmp-swap", "signal-every", "1024" },
	  .err = -EINVAL, .name = "signal-every", .words = "accepted: 1" },
	{ .give = { "verb", "cmp-swap", "completion", "memory" },
	  .err = -EOPNOTSUPP, .name = "completion",
	  .words = "accepted: poll, softirq, workqueue, block, adaptive, timer" },
	{ .give = { "verb", "fetch-add", "completion", "softirq",
		    "priority", "fifo" },
	  .err = -EOPNOTSUPP, .name = "priority",
	  .words = "accepted: normal" },
	{ .give = { "completion", "block", "priority", "fifo" } },
	{ .give = { "completion", "poll", "priority", "fifo-low" } },
	{ .give = { "completion", "softirq", "priority", "fifo" },
	  .err = -EOPNOTSUPP, .name = "priority",
	  .words = "accepted: normal" },
	{ .give = { "completion", "workqueue", "priority", "fifo-low" },
	  .err = -EOPNOTSUPP, .name = "priority",
	  .words = "accepted: normal" },
	{ .give = { "completion", "workqueue", "priority", "normal" } },
	{ .give = { "completion", "softirq", "context", "bh" } },
	{ .give = { "completion", "softirq", "context", "thread" },
	  .err = -EOPNOTSUPP, .name = "context", .words = "accepted: bh" },
	{ .give = { "completion", "workqueue", "context", "thread" } },
	{ .give = { "completion", "poll", "context", "thread" } },
	{ .give = { "completion", "block", "context", "thread" } },
	{ .give = { "direction", "bi" } },
	{ .give = { "direction", "bi", "verb", "write", "verify", "yes" } },
	{ .give = { "direction", "bi", "completion", "block" } },
	{ .give = { "trigger", "completion" } },
	{ .give = { "trigger", "completion", "verb", "cmp-swap", "direction",
		    "bi", "completion", "block", "window", "7" } },
	{ .give = { "trigger", "return", "verb", "register" } },
	{ .give = { "trigger", "return", "verb", "descriptor" } },
	{ .give = { "trigger", "return", "verb", "connect" } },
	{ .give = { "trigger", "return", "verb", "connect", "window", "7" },
	  .err = -EINVAL, .name = "window", .words = "only with trigger" },
	{ .give = { "trigger", "completion", "window", "7", "refill", "8" },
	  .err = -EINVAL, .name = "refill", .words = "accepted: 1 to 7" },
};

static void test_rules(void **state)
{
	struct icb_params params, again;
	struct icb_reason why;
	size_t i, k;
	int err;

	(void)state;
	for (i = 0; i < ROWS(rules); i++) {
		icb_params_init(&params);
		for (k = 0; rules[i].give[k]; k += 2)
			give(&params, rules[i].give[k], rules[i].give[k + 1]);
		memset(&why, 0, sizeof(why));
		again = params;
		err = icb_params_check(&params, &why);
		assert_row(i, err == rules[i].err);
		assert_row(i, icb_params_check(&again, NULL) == err);
		if (rules[i].err) {
			assert_row(i, about(&why, rules[i].name));
			assert_row(i, strstr(why.text, rules[i].words));
			assert_row(i, strlen(why.text) < sizeof(why.text) - 1);
			continue;
		}
		assert_row(i, !why.text[0]);
		/* defaults that were set comply with the rules, too */
		again = params;
		assert_row(i, !icb_params_check(&again, &why));
		assert_row(i, !memcmp(&again, &params, sizeof(params)));
	}
}

/* Runs over several devices, and the full text of each refusal. */
static const struct {
	const char *give[21];
	int err;
	const char *words;
} devices[] = {
	{ { "device", "a", "device", "b" }, -EINVAL,
	  "device: given 2 times, but policy single uses one device; accepted: one device, or policy stripe, bind or channels" },
	{ { "policy", "bind" }, -EINVAL,
	  "policy: bind distributes messages over several devices; accepted: single, or device given 2 to 8 times" },
	{ { "policy", "stripe", "device", "a" }, -EINVAL,
	  "policy: stripe distributes messages over several devices; accepted: single, or device given 2 to 8 times" },
	{ { "policy", "bind", "device", "a", "device", "a" }, -EINVAL,
	  "device: a is given twice; accepted: different devices, or different ports of a device, NAME:PORT" },
	{ { "policy", "bind", "device", "a:1", "device", "a:2" }, 0, "" },
	{ { "policy", "bind", "device", "a:1", "device", "b", "device", "a:1" }, -EINVAL,
	  "device: a:1 is given twice; accepted: different devices, or different ports of a device, NAME:PORT" },
	{ { "device", "a:1" }, 0, "" },
	{ { "device", "a:0" }, -EINVAL,
	  "device: \"a:\" is followed by an invalid port; accepted: NAME, or NAME:PORT with a port of 1 to 255" },
	{ { "device", "a:256" }, -EINVAL,
	  "device: \"a:\" is followed by an invalid port; accepted: NAME, or NAME:PORT with a port of 1 to 255" },
	{ { "device", "a:" }, -EINVAL,
	  "device: \"a:\" is followed by an invalid port; accepted: NAME, or NAME:PORT with a port of 1 to 255" },
	{ { "device", "a:1x" }, -EINVAL,
	  "device: \"a:\" is followed by an invalid port; accepted: NAME, or NAME:PORT with a port of 1 to 255" },
	{ { "device", "a:1", "port", "1" }, -EINVAL,
	  "port: not together with device NAME:PORT; accepted: one of them" },
	{ { "policy", "bind", "device", "a", "device", "b", "port", "1" }, -EINVAL,
	  "port: not with several devices; accepted: device NAME:PORT" },
	{ { "policy", "bind", "device", "a", "device", "b", "gid-index", "1" }, -EINVAL,
	  "gid-index: not with several devices; accepted: none" },
	{ { "policy", "bind", "device", "a", "device", "b", "peer", "::1" }, 0, "" },
	{ { "policy", "bind", "device", "a", "device", "b",
	    "peer", "::1", "peer", "::2" }, 0, "" },
	{ { "policy", "bind", "device", "a", "device", "b",
	    "peer", "::1", "peer", "::2", "peer", "::3" }, -EINVAL,
	  "peer: 3 addresses for 2 devices; accepted: one, or one for each device" },
	{ { "peer", "::1", "peer", "::2" }, -EINVAL,
	  "peer: 2 addresses for 1 device; accepted: one, or one for each device" },
	{ { "policy", "bind", "device", "a", "device", "b" }, 0, "" },
	{ { "policy", "bind", "device", "a", "device", "b", "trigger", "completion" }, 0, "" },
	{ { "policy", "bind", "device", "a", "device", "b", "qps", "5" }, 0, "" },
	{ { "policy", "bind", "device", "a", "device", "b", "qps", "1" }, -EINVAL,
	  "qps: 1 is less than the number of devices; accepted: 2 and more" },
	{ { "policy", "bind", "device", "a", "device", "b", "verb", "fetch-add" }, -EOPNOTSUPP,
	  "verb: atomics of several devices are not atomic to one another; accepted: send, write, write-imm, read, or one device" },
	{ { "policy", "bind", "device", "a", "device", "b", "trigger", "clock" }, -EOPNOTSUPP,
	  "policy: bind is not possible with trigger clock; accepted: trigger echo, completion" },
	{ { "policy", "bind", "device", "a", "device", "b",
	    "trigger", "return", "verb", "connect" }, -EOPNOTSUPP,
	  "policy: bind is not possible with trigger return; accepted: trigger echo, completion" },
	{ { "policy", "bind", "device", "a", "device", "b",
	    "completion", "softirq" }, -EOPNOTSUPP,
	  "completion: softirq serves one completion queue, and each device has its own; accepted: poll, block, adaptive, timer" },
	{ { "policy", "bind", "device", "a", "device", "b",
	    "registration", "frwr" }, -EOPNOTSUPP,
	  "registration: frwr registers buffers with one device only; accepted with several devices: dma" },
	{ { "policy", "bind", "device", "a", "device", "b", "stripe-threshold", "1" }, -EINVAL,
	  "stripe-threshold: only with policy stripe" },
	{ { "policy", "stripe", "device", "a", "device", "b" }, -EOPNOTSUPP,
	  "policy: stripe writes a piece over each device, and reports each piece by a send; accepted: single, bind, or verb write with notify message" },
	{ { "policy", "stripe", "device", "a", "device", "b",
	    "verb", "write", "notify", "message" }, 0, "" },
	{ { "policy", "stripe", "device", "a", "device", "b",
	    "verb", "write", "notify", "message",
	    "trigger", "completion", "direction", "bi" }, 0, "" },
	{ { "policy", "stripe", "device", "a", "device", "b",
	    "verb", "write", "notify", "message", "qps", "2" }, -EOPNOTSUPP,
	  "qps: policy stripe uses one QP on each device; accepted: 1" },
	{ { "policy", "stripe", "device", "a", "device", "b",
	    "verb", "write", "notify", "message", "sges", "2" }, -EOPNOTSUPP,
	  "sges: with policy stripe a piece is one segment; accepted: 1" },
	{ { "policy", "stripe", "device", "a", "device", "b",
	    "verb", "write", "notify", "message", "inline", "8" }, -EOPNOTSUPP,
	  "inline: not with policy stripe, which cuts large messages; accepted: 0" },
	{ { "policy", "stripe", "device", "a", "device", "b",
	    "verb", "write", "notify", "message",
	    "trigger", "completion", "reply", "yes" }, -EOPNOTSUPP,
	  "reply: not with policy stripe, whose messages arrive over several devices; accepted: no" },
	{ { "policy", "channels" }, -EINVAL,
	  "device: 1 given for policy channels, which uses one device for each direction; accepted: 2" },
	{ { "policy", "channels", "device", "a", "device", "b", "device", "c" }, -EINVAL,
	  "device: 3 given for policy channels, which uses one device for each direction; accepted: 2" },
	{ { "policy", "channels", "device", "a:1", "device", "a:1" }, -EINVAL,
	  "device: a:1 is given twice; accepted: different devices, or different ports of a device, NAME:PORT" },
	{ { "policy", "channels", "device", "a:1", "device", "a:2" }, 0, "" },
	{ { "policy", "channels", "device", "a", "device", "b", "direction", "bi" }, 0, "" },
	{ { "policy", "channels", "device", "a", "device", "b", "verb", "write",
	    "notify", "message" }, 0, "" },
	{ { "policy", "channels", "device", "a", "device", "b", "verb", "read" }, -EOPNOTSUPP,
	  "verb: read receives its answer over the device that sends the request, but policy channels uses one device for each direction; accepted: send, write, write-imm" },
	{ { "policy", "channels", "device", "a", "device", "b", "verb", "cmp-swap",
	    "trigger", "completion", "direction", "bi" }, -EOPNOTSUPP,
	  "verb: cmp-swap receives its answer over the device that sends the request, but policy channels uses one device for each direction; accepted: send, write, write-imm" },
	{ { "policy", "channels", "device", "a", "device", "b",
	    "trigger", "completion" }, -EOPNOTSUPP,
	  "direction: uni sends nothing over the second device of policy channels; accepted: bi, or reply yes" },
	{ { "policy", "channels", "device", "a", "device", "b",
	    "trigger", "completion", "reply", "yes" }, 0, "" },
	{ { "policy", "channels", "device", "a", "device", "b", "verb", "write",
	    "trigger", "completion", "direction", "bi", "verify", "yes" }, 0, "" },
	{ { "policy", "channels", "device", "a", "device", "b", "transport", "uc",
	    "trigger", "completion", "direction", "bi" }, 0, "" },
	{ { "policy", "channels", "device", "a", "device", "b", "trigger", "clock" }, -EOPNOTSUPP,
	  "policy: channels is not possible with trigger clock; accepted: trigger echo, completion" },
	{ { "policy", "channels", "device", "a", "device", "b", "qps", "2" }, -EOPNOTSUPP,
	  "qps: policy channels uses one QP for each direction; accepted: 1" },
	{ { "policy", "channels", "device", "a", "device", "b", "workers", "2" }, -EOPNOTSUPP,
	  "policy: channels uses one device for each direction of one process; accepted with several workers: bind, which gives each worker one device" },
	{ { "policy", "channels", "device", "a", "device", "b",
	    "completion", "workqueue" }, -EOPNOTSUPP,
	  "completion: workqueue serves one completion queue, and each device has its own; accepted: poll, block, adaptive, timer" },
	{ { "policy", "channels", "device", "a", "device", "b",
	    "registration", "frwr" }, -EOPNOTSUPP,
	  "registration: frwr registers buffers with one device only; accepted with several devices: dma" },
	{ { "policy", "channels", "device", "a", "device", "b", "stripe-threshold", "1" }, -EINVAL,
	  "stripe-threshold: only with policy stripe" },
};

static void test_devices(void **state)
{
	struct icb_params params;
	struct icb_reason why;
	size_t i, k;

	(void)state;
	for (i = 0; i < ROWS(devices); i++) {
		icb_params_init(&params);
		for (k = 0; devices[i].give[k]; k += 2)
			give(&params, devices[i].give[k],
			     devices[i].give[k + 1]);
		why.text[0] = '\0';
		assert_row(i, icb_params_check(&params, &why) ==
			      devices[i].err);
		if (strcmp(why.text, devices[i].words))
			print_error("%s\n", why.text);
		assert_string_equal(why.text, devices[i].words);
		assert_row(i, !icb_params_check(&params, NULL) ==
			      !devices[i].err);
	}
}

/* Derived numbers of QPs and of message pieces. */
static void test_qp_counts(void **state)
{
	static const struct {
		u32 devices, policy, size, qps, rails, total_qps;
	} rows[] = {
		{ 1, ICBENCH_POLICY_SINGLE, 100, 3, 1, 3 },
		{ 2, ICBENCH_POLICY_BIND, 100, 0, 2, 2 },
		{ 3, ICBENCH_POLICY_BIND, 100, 7, 3, 7 },
		{ 2, ICBENCH_POLICY_STRIPE, 8192, 0, 1, 1 },
		{ 2, ICBENCH_POLICY_STRIPE, 8193, 0, 2, 2 },
		{ 8, ICBENCH_POLICY_STRIPE, 65536, 0, 8, 8 },
		{ 2, ICBENCH_POLICY_CHANNELS, 65536, 0, 2, 2 },
		{ 2, ICBENCH_POLICY_CHANNELS, 8, 1, 2, 2 },
	};
	char name[2] = "a";
	struct icb_params params;
	size_t i;

	(void)state;
	for (i = 0; i < ROWS(rows); i++) {
		icb_params_init(&params);
		give(&params, "verb", "write");
		give(&params, "notify", rows[i].policy == ICBENCH_POLICY_STRIPE ?
					"message" : "imm");
		params.size = rows[i].size;
		icb_params_set_number(&params, icb_param_by_name("policy"),
				      rows[i].policy, NULL);
		if (rows[i].qps)
			icb_params_set_number(&params, icb_param_by_name("qps"),
					      rows[i].qps, NULL);
		for (name[0] = 'a'; name[0] < 'a' + (int)rows[i].devices; name[0]++)
			give(&params, "device", name);
		assert_row(i, !icb_params_check(&params, NULL));
		assert_row(i, params.devices == rows[i].devices);
		assert_row(i, icb_params_rails(&params) == rows[i].rails);
		assert_row(i, icb_params_total_qps(&params) == rows[i].total_qps);
		assert_row(i, icb_params_striped(&params) ==
			      (rows[i].policy == ICBENCH_POLICY_STRIPE &&
			       rows[i].rails > 1));
	}
	/* at least one byte for each device */
	params.policy = ICBENCH_POLICY_STRIPE;
	params.devices = 8;
	params.size = 7;
	params.stripe_threshold = 0;
	assert_false(icb_params_striped(&params));
	params.size = 8;
	assert_true(icb_params_striped(&params));
}

/**
 * struct part - role of the two sides in a run
 * @trigger: trigger of the run
 * @verb: verb of the run
 * @direction: direction of the run
 * @one_way: true if the responder starts no operation
 * @passive: true if the responder does nothing
 * @counts: true if messages are counted at their destination
 * @fills: sides whose buffers receive data; bit 0: responder, bit 1: initiator
 * @waits: sides that wait for their own work requests; bit 0: responder, bit 1: initiator
 */
static const struct part {
	const char *trigger;
	const char *verb;
	const char *direction;
	bool one_way;
	bool passive;
	bool counts;
	u8 fills;
	u8 waits;
} parts[] = {
	{ "echo", "send", "uni", false, false, true, 3, 0 },
	{ "echo", "send", "bi", false, false, true, 3, 0 },
	{ "echo", "write", "uni", false, false, true, 3, 0 },
	{ "echo", "write-imm", "bi", false, false, true, 3, 0 },
	{ "echo", "read", "uni", true, true, false, 2, 2 },
	{ "echo", "cmp-swap", "uni", true, true, false, 2, 2 },
	{ "completion", "send", "uni", true, false, true, 1, 2 },
	{ "completion", "send", "bi", false, false, true, 3, 3 },
	{ "completion", "write", "uni", true, true, false, 1, 2 },
	{ "completion", "write", "bi", false, false, false, 3, 3 },
	{ "completion", "write-imm", "uni", true, false, true, 1, 2 },
	{ "completion", "read", "uni", true, true, false, 2, 2 },
	{ "completion", "read", "bi", false, false, false, 3, 3 },
	{ "completion", "fetch-add", "bi", false, false, false, 3, 3 },
	{ "return", "register", "uni", true, true, false, 0, 2 },
	{ "return", "descriptor", "uni", true, true, false, 0, 2 },
	{ "return", "connect", "uni", true, true, false, 0, 2 },
	{ "return", "connect-cm", "uni", true, true, false, 0, 2 },
	{ "return", "calibrate", "uni", true, true, false, 0, 2 },
	{ "return", "floor", NULL, true, true, false, 0, 2 },
};

static void test_parts(void **state)
{
	struct icb_params params;
	const struct part *part;
	size_t i;
	int side;

	(void)state;
	for (i = 0; i < ROWS(parts); i++) {
		part = &parts[i];
		icb_params_init(&params);
		give(&params, "trigger", part->trigger);
		give(&params, "verb", part->verb);
		if (part->direction)
			give(&params, "direction", part->direction);
		assert_row(i, !icb_params_check(&params, NULL));
		assert_row(i, icb_params_one_way(&params) == part->one_way);
		assert_row(i, icb_params_passive(&params) == part->passive);
		assert_row(i, icb_params_counts(&params) == part->counts);
		assert_row(i, icb_params_begins(&params, true));
		assert_row(i, icb_params_begins(&params, false) ==
			      !part->one_way);
		for (side = 0; side < 2; side++) {
			assert_row(i, icb_params_fills(&params, side) ==
				      (part->fills >> side & 1));
			assert_row(i, icb_params_waits_own(&params, side) ==
				      (part->waits >> side & 1));
		}
	}
}

/* A thread that computes waits for all that it has posted, however wide the window is. */
static void test_refill(void **state)
{
	static const struct {
		const char *key, *value, *window;
		u32 refill;
	} rows[] = {
		{ "window", "8", "8", 4 }, { "window", "1", "1", 1 },
		{ "compute", "1000", "8", 8 }, { "compute-share", "0", "8", 8 },
		{ "compute-share", "995", "12", 12 },
		{ "refill", "3", "8", 3 }, { "reply", "yes", "8", 8 },
	};
	struct icb_params params;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		icb_params_init(&params);
		give(&params, "trigger", "completion");
		give(&params, "verb", "send");
		give(&params, "window", rows[i].window);
		give(&params, rows[i].key, rows[i].value);
		assert_row(i, !icb_params_check(&params, NULL));
		assert_row(i, params.refill == rows[i].refill);
	}
	icb_params_init(&params);
	give(&params, "trigger", "completion");
	give(&params, "compute-share", "500");
	give(&params, "refill", "2");
	assert_int_equal(icb_params_check(&params, NULL), 0);
	assert_int_equal(params.refill, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_refill),
		cmocka_unit_test(test_devices),
		cmocka_unit_test(test_qp_counts),
		cmocka_unit_test(test_parts),
	};

	alarm(300);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
