// SPDX-License-Identifier: GPL-2.0
/* The table of parameters, and the rules between parameters. */
#include "model/rules.h"
#include "unit.h"
#include <unistd.h>
#include "model/derived.h"
#include "model/params.h"
#include "model/trigger.h"
#include "model/triggers_table.h"
#include "model/verb_rules.h"
#include "model/verbs_table.h"

#define ROWS(table)	(sizeof(table) / sizeof((table)[0]))

static const struct icb_param *row(size_t i)
{
	return &icb_param_table[i];
}

static bool is_number(const struct icb_param *param)
{
	return param->type != ICB_PARAM_STRING &&
	       param->type != ICB_PARAM_BYTES;
}

/* A refusal has to begin with the parameter's name. */
static bool about(const struct icb_reason *why, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(why->text, name, len) && why->text[len] == ':';
}

/* Each parameter has a distinct name, attribute and location in the struct. */
static void test_distinct(void **state)
{
	size_t i, j;

	(void)state;
	for (i = 0; i < icb_param_count; i++) {
		assert_row(i, row(i)->attr > ICBENCH_A_PARAMS_PAD);
		assert_row(i, row(i)->attr <= ICBENCH_A_PARAMS_MAX);
		assert_row(i, icb_param_by_name(row(i)->name) == row(i));
		assert_row(i, icb_param_by_attr(row(i)->attr) == row(i));
		for (j = 0; j < i; j++) {
			assert_row(i, strcmp(row(i)->name, row(j)->name));
			assert_row(i, row(i)->attr != row(j)->attr);
			assert_row(i, row(i)->offset >= row(j)->offset +
							row(j)->bytes ||
				      row(j)->offset >= row(i)->offset +
							row(i)->bytes);
		}
	}
	/* each attribute but the padding has a parameter */
	assert_int_equal(icb_param_count,
			 ICBENCH_A_PARAMS_MAX - ICBENCH_A_PARAMS_PAD);
	assert_null(icb_param_by_name("frobnicate"));
	assert_null(icb_param_by_name(""));
	assert_null(icb_param_by_attr(0));
	assert_null(icb_param_by_attr(ICBENCH_A_PARAMS_PAD));
	assert_null(icb_param_by_attr(ICBENCH_A_PARAMS_MAX + 1));
}

/* Conditions that the code which reads the table relies on. */
static void test_sane(void **state)
{
	const struct icb_param *param;
	size_t i, words;
	bool wide;

	(void)state;
	for (i = 0; i < icb_param_count; i++) {
		param = row(i);
		assert_row(i, param->help && param->help[0]);
		assert_row(i, param->min <= param->max);
		assert_row(i, param->offset + param->bytes <=
			      sizeof(struct icb_params));
		assert_row(i, param->offset >= 2 * sizeof(u64));
		assert_row(i, !param->words == (param->type != ICB_PARAM_WORD));
		wide = param->bytes == sizeof(u64);
		if (is_number(param)) {
			assert_row(i, wide || param->bytes == sizeof(u32));
			assert_row(i, wide || param->max <= U32_MAX);
			assert_row(i, !(param->offset % param->bytes));
		}
		/* a string has room for a NUL; a wire message holds only numbers */
		if (param->flags & ICB_PARAM_LIST)
			assert_row(i, param->type == ICB_PARAM_STRING &&
				      param->bytes == ICB_NAMES &&
				      ICB_NAMES == ICBENCH_MAX_DEVICES *
						   (param->max + 1));
		else if (param->type == ICB_PARAM_STRING)
			assert_row(i, param->bytes == param->max + 1);
		if (param->type == ICB_PARAM_BYTES)
			assert_row(i, param->bytes == param->max);
		if (param->flags & ICB_PARAM_WIRE)
			assert_row(i, is_number(param));
		if (param->type != ICB_PARAM_WORD)
			continue;
		for (words = 0; param->words[words]; words++)
			assert_row(i, param->words[words][0]);
		assert_row(i, !param->min && param->max == words - 1);
	}
}

static u64 stored(const struct icb_params *params, const struct icb_param *param)
{
	u64 wide = 0;
	u32 narrow;

	if (param->bytes == sizeof(narrow)) {
		memcpy(&narrow, (const char *)params + param->offset,
		       sizeof(narrow));
		return narrow;
	}
	memcpy(&wide, (const char *)params + param->offset, sizeof(wide));
	return wide;
}

static void try_number(size_t i, u64 value)
{
	const struct icb_param *param = row(i);
	bool fits = value >= param->min && value <= param->max;
	int refusal = param->type == ICB_PARAM_WORD ||
		      param->type == ICB_PARAM_PLACE ? -EINVAL : -ERANGE;
	struct icb_params params, before;
	struct icb_reason why = { "" };
	char number[24];
	int err;

	icb_params_init(&params);
	before = params;
	err = icb_params_set_number(&params, param, value, &why);
	if (!fits) {
		assert_row(i, err == refusal);
		assert_row(i, about(&why, param->name));
		icb_param_plain(param->type, value, number, sizeof(number));
		assert_row(i, strstr(why.text, number));
		assert_row(i, strstr(why.text, "accepted: "));
		/* a refusal changes nothing */
		assert_row(i, !memcmp(&before, &params, sizeof(params)));
		assert_row(i, icb_params_set_number(&params, param, value,
						    NULL) == refusal);
		return;
	}
	assert_row(i, !err);
	assert_row(i, stored(&params, param) == value);
	assert_row(i, icb_params_number(&params, param) == value);
	assert_row(i, icb_params_has(&params, param->attr));
	assert_row(i, icb_params_given(&params, param->attr));
	assert_row(i, params.given == BIT_ULL(param->attr));
	assert_row(i, params.set == (before.set | BIT_ULL(param->attr)));
	if (param->type == ICB_PARAM_WORD)
		assert_row(i, icb_params_word(&params, param->attr) ==
			      param->words[value]);
	/* other members are unchanged */
	icb_params_preset(&before, param->attr, value);
	before.given = params.given;
	assert_row(i, !memcmp(&before, &params, sizeof(params)));
}

static void test_ranges(void **state)
{
	struct icb_params params;
	struct icb_reason why;
	size_t i;

	(void)state;
	for (i = 0; i < icb_param_count; i++) {
		if (!is_number(row(i))) {
			icb_params_init(&params);
			assert_row(i, icb_params_set_number(&params, row(i), 1,
							    &why) == -EINVAL);
			assert_row(i, about(&why, row(i)->name));
			continue;
		}
		try_number(i, row(i)->min - 1);
		try_number(i, row(i)->min);
		try_number(i, row(i)->min + 1);
		try_number(i, row(i)->max - 1);
		try_number(i, row(i)->max);
		try_number(i, row(i)->max + 1);
		try_number(i, 0);
		try_number(i, U32_MAX);
		try_number(i, (u64)U32_MAX + 1 + row(i)->min);
		try_number(i, U64_MAX);
	}
}

static void test_words(void **state)
{
	static const char *const unknown[] = {
		"", "x", "Send", "sendx", "sen", " send", "0",
		"a-word-that-is-much-longer-than-any-that-there-is-and-goes-on",
	};
	struct icb_params params;
	struct icb_reason why;
	size_t i, w;

	(void)state;
	for (i = 0; i < icb_param_count; i++) {
		if (row(i)->type != ICB_PARAM_WORD)
			continue;
		for (w = 0; row(i)->words[w]; w++) {
			icb_params_init(&params);
			assert_row(i, !icb_params_set_word(&params, row(i),
							   row(i)->words[w],
							   &why));
			assert_row(i, stored(&params, row(i)) == w);
			assert_row(i, icb_params_given(&params, row(i)->attr));
		}
		for (w = 0; w < ROWS(unknown); w++) {
			icb_params_init(&params);
			assert_row(i, icb_params_set_word(&params, row(i),
							  unknown[w], &why) ==
				      -EINVAL);
			assert_row(i, about(&why, row(i)->name));
			assert_row(i, strstr(why.text, row(i)->words[0]));
			assert_row(i, strstr(why.text,
					     row(i)->words[row(i)->max]));
			assert_row(i, !params.given);
		}
	}
}

/* Memory placement: words, and the number of a NUMA node. */
static void test_places(void **state)
{
	static const struct {
		const char *word;
		u64 place;
	} good[] = {
		{ "any", ICBENCH_MEMORY_ANY },
		{ "device", ICBENCH_MEMORY_DEVICE },
		{ "node:0", ICBENCH_MEMORY_NODE },
		{ "node:1", ICBENCH_MEMORY_NODE + 1 },
		{ "node:0012", ICBENCH_MEMORY_NODE + 12 },
		{ "node:1023", ICBENCH_MAX_MEMORY },
	};
	static const char *const bad[] = {
		"", "0", "node", "node:", "node:x", "node:-1", "node:1x",
		"node: 1", "node:1024", "node:9999", "node:00001",
		"node:18446744073709551616", "Any", "anyway", "nodes:1",
	};
	const struct icb_param *param = icb_param_by_name("memory");
	struct icb_params params;
	struct icb_reason why;
	char text[16];
	size_t i;

	(void)state;
	for (i = 0; i < ROWS(good); i++) {
		icb_params_init(&params);
		assert_row(i, !icb_params_set_word(&params, param, good[i].word,
						   &why));
		assert_row(i, params.memory == good[i].place);
		if (strchr(good[i].word, '0') && i > 2)
			continue;
		assert_string_equal(icb_param_place(params.memory, text,
						    sizeof(text)),
				    good[i].word);
	}
	assert_string_equal(icb_param_place(ICBENCH_MAX_MEMORY, text,
					    sizeof(text)), "node:1023");
	for (i = 0; i < ROWS(bad); i++) {
		icb_params_init(&params);
		assert_row(i, icb_params_set_word(&params, param, bad[i],
						  &why) == -EINVAL);
		assert_row(i, !params.given);
		assert_row(i, strstr(why.text, "accepted: any, device, node:0 to node:1023"));
	}
}

static void test_bytes(void **state)
{
	static const char *const unprintable[] = {
		"a b", "a\tb", "a\nb", " ab", "ab ", "a\x7f", "a\x80", "\xff",
		"a\x1b[2J",
	};
	char text[ICBENCH_MAX_NAME + 2], secret[ICBENCH_MAX_TOKEN + 1];
	const struct icb_param *param;
	struct icb_params params;
	struct icb_reason why;
	bool fits;
	size_t i, len, w;
	int err;

	(void)state;
	memset(text, 'n', sizeof(text));
	memset(secret, '\0', sizeof(secret));
	for (i = 0; i < icb_param_count; i++) {
		const char *data = text;

		param = row(i);
		icb_params_init(&params);
		if (is_number(param)) {
			assert_row(i, icb_params_set_bytes(&params, param, "1",
							   1, &why) == -EINVAL);
			assert_row(i, about(&why, param->name));
			continue;
		}
		if (param->type == ICB_PARAM_BYTES)
			data = secret;
		for (len = 0; len <= param->max + 1; len++) {
			icb_params_init(&params);
			/* nothing is left of an earlier value; lists keep theirs */
			if (!(param->flags & ICB_PARAM_LIST))
				memset((char *)&params + param->offset, 0xee,
				       param->bytes);
			fits = len >= param->min && len <= param->max;
			err = icb_params_set_bytes(&params, param, data, len,
						   &why);
			assert_row(i, err == (fits ? 0 : -ERANGE));
			if (!fits) {
				assert_row(i, about(&why, param->name));
				assert_row(i, !params.given);
				continue;
			}
			assert_row(i, icb_params_has(&params, param->attr));
			assert_row(i, icb_params_given(&params, param->attr));
			assert_row(i, !memcmp(icb_params_string(&params, param),
					      data, len));
			if (param->type == ICB_PARAM_BYTES)
				assert_row(i, params.token_len == len);
			else
				assert_row(i, strlen(icb_params_string(&params,
								       param)) ==
					      len);
		}
		if (param->type == ICB_PARAM_BYTES)
			continue;
		for (w = 0; w < ROWS(unprintable); w++) {
			icb_params_init(&params);
			assert_row(w, icb_params_set_bytes(&params, param,
							   unprintable[w],
							   strlen(unprintable[w]),
							   &why) == -EINVAL);
			assert_row(w, about(&why, param->name));
			assert_row(w, !params.given);
		}
		assert_row(i, icb_params_set_bytes(&params, param, "a\0b", 3,
						   &why) == -EINVAL);
	}
}

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

static void give(struct icb_params *params, const char *key, const char *value)
{
	const struct icb_param *param = icb_param_by_name(key);
	int err;

	assert_non_null(param);
	if (param->type == ICB_PARAM_WORD || param->type == ICB_PARAM_PLACE)
		err = icb_params_set_word(params, param, value, NULL);
	else if (is_number(param))
		err = icb_params_set_number(params, param,
					    strtoull(value, NULL, 10), NULL);
	else
		err = icb_params_set_bytes(params, param, value, strlen(value),
					   NULL);
	assert_int_equal(err, 0);
}

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

/* A list holds a limited number of names, each of maximal length. */
static void test_names(void **state)
{
	const struct icb_param *param = icb_param_by_name("device");
	char name[ICBENCH_MAX_NAME + 1], found[ICBENCH_MAX_NAME + 1];
	struct icb_params params;
	struct icb_reason why;
	u32 i, port;

	(void)state;
	icb_params_init(&params);
	assert_int_equal(icb_params_names(&params, param), 0);
	assert_int_equal(icb_params_set_bytes(&params, param, "a,b", 3, &why),
			 -EINVAL);
	assert_string_equal(why.text,
			    "device: a name has no comma; accepted: one name at a time");
	for (i = 0; i < ICBENCH_MAX_DEVICES; i++) {
		memset(name, 'a' + i, ICBENCH_MAX_NAME);
		assert_int_equal(icb_params_set_bytes(&params, param, name,
						      ICBENCH_MAX_NAME, NULL),
				 0);
		assert_int_equal(icb_params_names(&params, param), i + 1);
		assert_int_equal(params.devices, i + 1);
	}
	assert_int_equal(icb_params_set_bytes(&params, param, "x", 1, &why),
			 -EINVAL);
	assert_string_equal(why.text,
			    "device: given more than 8 times; accepted: 1 to 8");
	for (i = 0; i < ICBENCH_MAX_DEVICES; i++) {
		memset(name, 'a' + i, ICBENCH_MAX_NAME);
		name[ICBENCH_MAX_NAME] = '\0';
		assert_string_equal(icb_params_name(&params, param, i, found),
				    name);
		assert_true(icb_params_device(&params, i, found, &port));
		assert_string_equal(found, name);
		assert_int_equal(port, 0);
	}
	icb_params_clear(&params, param);
	assert_int_equal(params.devices, 1);
	assert_false(icb_params_has(&params, param->attr));
	give(&params, "device", "mlx4_0:2");
	assert_true(icb_params_device(&params, 0, found, &port));
	assert_string_equal(found, "mlx4_0");
	assert_int_equal(port, 2);
}

/* Defaults. */
static void test_defaults(void **state)
{
	struct icb_params params;

	(void)state;
	icb_params_init(&params);
	assert_int_equal(params.given, 0);
	assert_false(icb_params_has(&params, ICBENCH_A_PARAMS_ITERATIONS));
	assert_int_equal(icb_params_check(&params, NULL), 0);
	assert_int_equal(params.given, 0);
	assert_int_equal(params.iterations, 10000);
	assert_false(icb_params_has(&params, ICBENCH_A_PARAMS_DURATION));
	assert_false(icb_params_has(&params, ICBENCH_A_PARAMS_CM_PORT));
	assert_int_equal(params.completion, ICBENCH_COMPLETION_POLL);

	icb_params_init(&params);
	give(&params, "duration", "5");
	assert_int_equal(icb_params_check(&params, NULL), 0);
	assert_false(icb_params_has(&params, ICBENCH_A_PARAMS_ITERATIONS));

	icb_params_init(&params);
	give(&params, "peer", "::1");
	assert_int_equal(icb_params_check(&params, NULL), 0);
	assert_int_equal(params.cm_port, ICBENCH_DEFAULT_CM_PORT);
	assert_false(icb_params_given(&params, ICBENCH_A_PARAMS_CM_PORT));

	icb_params_init(&params);
	give(&params, "verb", "write");
	assert_int_equal(icb_params_check(&params, NULL), 0);
	assert_int_equal(params.completion, ICBENCH_COMPLETION_MEMORY);
	assert_true(icb_params_has(&params, ICBENCH_A_PARAMS_COMPLETION));
	assert_false(icb_params_given(&params, ICBENCH_A_PARAMS_COMPLETION));
	assert_int_equal(params.size, 64);
	assert_int_equal(params.signal_every, 512);
}

/* Defaults where a verb permits only one value. */
static void test_forced(void **state)
{
	static const struct {
		const char *verb;
		u32 size;
		u32 signal_every;
	} rows[] = {
		{ "send", 64, 512 },
		{ "write", 64, 512 },
		{ "write-imm", 64, 512 },
		{ "read", 64, 1 },
		{ "fetch-add", 8, 1 },
		{ "cmp-swap", 8, 1 },
		{ "register", 64, 64 },
		{ "descriptor", 64, 64 },
		{ "connect", 64, 64 },
		{ "connect-cm", 64, 64 },
		{ "calibrate", 64, 64 },
		{ "floor", 0, 64 },
	};
	struct icb_params params;
	size_t i;
	u64 given;

	(void)state;
	assert_int_equal(ROWS(rows),
			 icb_param_by_attr(ICBENCH_A_PARAMS_VERB)->max + 1);
	for (i = 0; i < ROWS(rows); i++) {
		icb_params_init(&params);
		give(&params, "verb", rows[i].verb);
		if (icb_verb_of(&params)->calls)
			give(&params, "trigger", "return");
		given = params.given;
		assert_row(i, !icb_params_check(&params, NULL));
		assert_row(i, params.size == rows[i].size);
		assert_row(i, params.signal_every == rows[i].signal_every);
		assert_row(i, params.given == given);
		if (icb_verb_of(&params)->local)
			continue;
		/* a peer receives them as if they were given */
		give(&params, "size", rows[i].size == 8 ? "8" : "64");
		give(&params, "signal-every",
		     rows[i].signal_every == 1 ? "1" :
		     rows[i].signal_every == 64 ? "64" : "512");
		assert_row(i, !icb_params_check(&params, NULL));
	}
}

/* Full texts of the refusals of each verb. */
static void test_verb_words(void **state)
{
	static const struct {
		const char *give[7];
		const char *words;
	} rows[] = {
		{ { "verb", "write", "completion", "poll" },
		  "completion: poll is not possible with verb write, which raises no completion at the receiver; accepted: memory" },
		{ { "verb", "read", "completion", "memory" },
		  "completion: memory is not possible with verb read, which is detected by its completion; accepted: poll, softirq, workqueue, block, adaptive, timer" },
		{ { "verb", "read", "size", "0" },
		  "size: 0 is too small for verb read; accepted: 1 and more" },
		{ { "verb", "fetch-add", "size", "7" },
		  "size: 7 is too small for verb fetch-add; accepted: 8" },
		{ { "verb", "cmp-swap", "size", "1073741824" },
		  "size: 1073741824 is too large for verb cmp-swap; accepted: 8" },
		{ { "verb", "fetch-add", "signal-every", "1024" },
		  "signal-every: 1024 is not possible with verb fetch-add, which waits for the completion of each operation; accepted: 1" },
		/* the mode is checked first, because other rules depend on it */
		{ { "verb", "cmp-swap", "completion", "memory", "size", "1" },
		  "completion: memory is not possible with verb cmp-swap, which is detected by its completion; accepted: poll, softirq, workqueue, block, adaptive, timer" },
	};
	struct icb_params params;
	struct icb_reason why;
	size_t i, k;

	(void)state;
	for (i = 0; i < ROWS(rows); i++) {
		icb_params_init(&params);
		for (k = 0; rows[i].give[k]; k += 2)
			give(&params, rows[i].give[k], rows[i].give[k + 1]);
		assert_row(i, icb_verb_check(&params, &why));
		assert_string_equal(why.text, rows[i].words);
	}
}

/* Full texts of the refusals of each trigger. */
static void test_trigger_words(void **state)
{
	static const struct {
		const char *give[15];
		int err;
		const char *words;
	} rows[] = {
		{ { "verb", "register" }, -EOPNOTSUPP,
		  "verb: register is not possible with trigger echo; accepted: send, write, write-imm, read, fetch-add, cmp-swap" },
		{ { "trigger", "completion", "verb", "connect" }, -EOPNOTSUPP,
		  "verb: connect is not possible with trigger completion; accepted: send, write, write-imm, read, fetch-add, cmp-swap" },
		{ { "trigger", "return" }, -EINVAL,
		  "trigger: return needs a verb; accepted: verb register, descriptor, connect, connect-cm, calibrate, floor" },
		{ { "trigger", "return", "verb", "cmp-swap" }, -EOPNOTSUPP,
		  "verb: cmp-swap is not possible with trigger return; accepted: register, descriptor, connect, connect-cm, calibrate, floor" },
		{ { "window", "7" }, -EINVAL,
		  "window: only with trigger completion or clock; with trigger echo one operation is outstanding" },
		{ { "refill", "1" }, -EINVAL,
		  "refill: only with trigger completion; with trigger echo one operation is outstanding" },
		{ { "verb", "write", "batch", "1" }, -EINVAL,
		  "batch: only with trigger completion; with trigger echo one operation is outstanding" },
		{ { "trigger", "return", "verb", "connect", "window", "1" },
		  -EINVAL,
		  "window: only with trigger completion or clock; with trigger return one operation is outstanding" },
		{ { "trigger", "return", "verb", "register", "refill", "1" },
		  -EINVAL,
		  "refill: only with trigger completion; with trigger return one operation is outstanding" },
		{ { "trigger", "return", "verb", "descriptor", "batch", "2" },
		  -EINVAL,
		  "batch: only with trigger completion; with trigger return one operation is outstanding" },
		{ { "compute", "1" }, -EINVAL,
		  "compute: only with trigger completion; with trigger echo one operation is outstanding" },
		{ { "trigger", "return", "verb", "descriptor",
		    "compute-share", "0" }, -EINVAL,
		  "compute-share: only with trigger completion; with trigger return one operation is outstanding" },
		{ { "trigger", "completion", "compute", "1",
		    "compute-share", "1" }, -EINVAL,
		  "compute: not together with compute-share; accepted: one of them" },
		{ { "reply", "no" }, 0, "" },
		{ { "reply", "yes" }, -EINVAL,
		  "reply: only with trigger completion; with trigger echo one operation is outstanding" },
		{ { "trigger", "completion", "reply", "yes" }, 0, "" },
		{ { "trigger", "completion", "reply", "yes", "window", "7",
		    "refill", "7", "verb", "write", "notify", "message",
		    "completion", "block" }, 0, "" },
		{ { "trigger", "completion", "reply", "yes", "verb", "write" },
		  -EOPNOTSUPP,
		  "reply: with verb write the receiver cannot detect the arrival of a window; accepted: verb send, write-imm, or write with notify imm or message" },
		{ { "trigger", "completion", "reply", "yes",
		    "direction", "bi" }, -EOPNOTSUPP,
		  "reply: with direction bi the peer streams instead of replying; accepted: direction uni" },
		{ { "trigger", "completion", "reply", "yes",
		    "compute-share", "5" }, -EOPNOTSUPP,
		  "reply: not together with compute or compute-share, which needs a window that is refilled; accepted: one of them" },
		{ { "trigger", "completion", "reply", "yes", "window", "8",
		    "refill", "4" }, -EINVAL,
		  "refill: 4 is not possible with reply, which answers the whole window; accepted: 8" },
		{ { "trigger", "completion", "reply", "yes",
		    "completion", "softirq" }, -EOPNOTSUPP,
		  "reply: not with completion softirq, where no thread waits; accepted: completion poll, block, adaptive, timer" },
		{ { "trigger", "completion", "compute", "0" }, 0, "" },
		{ { "trigger", "completion", "compute", "1000000000",
		    "direction", "bi", "completion", "block" }, 0, "" },
		{ { "trigger", "completion", "compute", "25000001",
		    "timeout", "100000000" }, -EINVAL,
		  "compute: 25000001 ns is more than a quarter of timeout; accepted: 0 to 25000000 ns" },
		{ { "trigger", "completion", "compute-share", "99",
		    "timeout", "100000000" }, 0, "" },
		{ { "trigger", "completion", "compute", "1",
		    "completion", "softirq" }, -EOPNOTSUPP,
		  "compute: not with completion softirq, where no thread waits; accepted: completion poll, block, adaptive, timer" },
		{ { "trigger", "completion", "compute-share", "1",
		    "completion", "workqueue" }, -EOPNOTSUPP,
		  "compute-share: not with completion workqueue, where no thread waits; accepted: completion poll, block, adaptive, timer" },
		{ { "verb", "write", "notify", "imm", "completion", "block" },
		  0, "" },
		{ { "verb", "write", "notify", "message", "size", "0" }, 0, "" },
		{ { "verb", "write", "notify", "message",
		    "completion", "memory" }, -EOPNOTSUPP,
		  "completion: memory is not possible with verb write, which is detected by its completion; accepted: poll, softirq, workqueue, block, adaptive, timer" },
		{ { "verb", "write-imm", "notify", "imm" }, 0, "" },
		{ { "verb", "write-imm", "notify", "message" }, -EINVAL,
		  "notify: message is not possible with verb write-imm; accepted: imm, or verb write" },
		{ { "verb", "write-imm", "notify", "none" }, -EINVAL,
		  "notify: none is not possible with verb write-imm; accepted: imm, or verb write" },
		{ { "notify", "imm" }, -EINVAL,
		  "notify: imm is not possible with verb send; accepted: none, or verb write" },
		{ { "trigger", "return", "verb", "register",
		    "notify", "message" }, -EINVAL,
		  "notify: message is not possible with verb register; accepted: none, or verb write" },
		{ { "overhead", "yes", "completion", "block" }, 0, "" },
		{ { "overhead", "yes", "completion", "softirq" }, -EOPNOTSUPP,
		  "overhead: not with completion softirq, where no thread waits; accepted: completion poll, block, adaptive, timer" },
		{ { "overhead", "yes", "verb", "write", "completion", "memory" },
		  0, "" },
		{ { "overhead", "yes", "trigger", "completion" }, -EOPNOTSUPP,
		  "overhead: yes is possible only with trigger echo; accepted: no (compute-share measures the CPU time that a stream leaves)" },
		{ { "overhead", "yes", "trigger", "return", "verb", "connect" },
		  -EOPNOTSUPP,
		  "overhead: yes is possible only with trigger echo; accepted: no (compute-share measures the CPU time that a stream leaves)" },
		{ { "overhead", "no", "trigger", "completion" }, 0, "" },
		{ { "until", "5", "completion", "workqueue" }, 0, "" },
		{ { "until", "5", "trigger", "return", "verb", "register",
		    "duration", "5" }, 0, "" },
		{ { "until", "5", "trigger", "completion" }, -EOPNOTSUPP,
		  "until: only with trigger echo or return, which take one sample at a time; accepted: iterations or duration" },
		{ { "until", "5", "direction", "bi" }, -EOPNOTSUPP,
		  "until: with direction bi messages cross, and short and long samples alternate, which leaves no valid interval; accepted: direction uni, or iterations or duration" },
		{ { "until", "5", "trigger", "clock" }, -EOPNOTSUPP,
		  "until: only with trigger echo or return, which take one sample at a time; accepted: iterations or duration" },
		{ { "until", "5", "trigger", "return", "verb", "floor" },
		  -EOPNOTSUPP,
		  "until: not with verb floor, which uses no device; accepted: iterations, duration, warmup, cpu, peer-cpu, priority, timeout" },
		{ { "until", "5", "until-percentile", "999", "until-time", "0" },
		  0, "" },
		{ { "until-percentile", "900" }, -EINVAL,
		  "until-percentile: only with until; accepted: until as well, or neither of them" },
		{ { "until-time", "0" }, -EINVAL,
		  "until-time: only with until; accepted: until as well, or neither of them" },
		{ { "threshold", "5", "completion", "workqueue" }, 0, "" },
		{ { "threshold", "5", "trigger", "return", "verb", "register",
		    "until", "5" }, 0, "" },
		{ { "threshold", "5", "trigger", "completion" }, 0, "" },
		{ { "threshold", "5", "trigger", "clock" }, 0, "" },
		{ { "threshold", "5", "trigger", "clock", "completion",
		    "softirq" }, 0, "" },
		{ { "threshold", "5", "trigger", "return", "verb", "floor" },
		  -EOPNOTSUPP,
		  "threshold: not with verb floor, which uses no device; accepted: iterations, duration, warmup, cpu, peer-cpu, priority, timeout" },
		{ { "cpu-latency-qos", "0" }, 0, "" },
		{ { "cpu-latency-qos", "5", "completion", "softirq" }, 0, "" },
		{ { "cpu-latency-qos", "5", "trigger", "clock", "workers",
		    "2" }, 0, "" },
		{ { "cpu-latency-qos", "5", "trigger", "return", "verb",
		    "floor" }, -EOPNOTSUPP,
		  "cpu-latency-qos: not with verb floor, which uses no device; accepted: iterations, duration, warmup, cpu, peer-cpu, priority, timeout" },
		{ { "attribute", "yes", "completion", "block" }, 0, "" },
		{ { "attribute", "yes", "completion", "workqueue" }, -EOPNOTSUPP,
		  "attribute: not with completion workqueue, where no thread waits; accepted: completion poll, block, adaptive, timer" },
		{ { "attribute", "no", "completion", "workqueue" }, 0, "" },
		{ { "attribute", "yes", "trigger", "return", "verb", "connect" },
		  0, "" },
		{ { "attribute", "yes", "trigger", "return", "verb", "calibrate" },
		  0, "" },
		{ { "attribute", "yes", "trigger", "return", "verb", "floor" },
		  -EOPNOTSUPP,
		  "attribute: not with verb floor, which uses no device; accepted: iterations, duration, warmup, cpu, peer-cpu, priority, timeout" },
		{ { "attribute", "yes", "trigger", "completion" }, 0, "" },
		{ { "attribute", "yes", "trigger", "clock" }, 0, "" },
		{ { "attribute", "no", "trigger", "clock" }, 0, "" },
		{ { "attribute", "yes", "trigger", "completion", "completion",
		    "softirq" }, -EOPNOTSUPP,
		  "attribute: not with completion softirq, where no thread waits; accepted: completion poll, block, adaptive, timer" },
		{ { "attribute", "yes", "trigger", "clock", "completion",
		    "workqueue" }, -EOPNOTSUPP,
		  "attribute: not with completion workqueue, where no thread waits; accepted: completion poll, block, adaptive" },
		{ { "stages", "yes", "completion", "block" }, 0, "" },
		{ { "stages", "yes", "completion", "softirq" }, 0, "" },
		{ { "stages", "yes", "completion", "timer", "verb", "read" }, 0,
		  "" },
		{ { "stages", "yes" }, -EOPNOTSUPP,
		  "stages: not with completion poll, which raises no event on arrival; accepted: completion softirq, workqueue, block, adaptive, timer" },
		{ { "stages", "yes", "verb", "write" }, -EOPNOTSUPP,
		  "stages: not with completion memory, which raises no event on arrival; accepted: no" },
		{ { "stages", "yes", "trigger", "completion",
		    "completion", "block" }, -EOPNOTSUPP,
		  "stages: yes is possible only with trigger echo; accepted: no" },
		{ { "stages", "yes", "trigger", "clock",
		    "completion", "block" }, -EOPNOTSUPP,
		  "stages: yes is possible only with trigger echo; accepted: no" },
		{ { "stages", "yes", "trigger", "return", "verb", "connect" },
		  -EOPNOTSUPP,
		  "stages: yes is possible only with trigger echo; accepted: no" },
		{ { "stages", "no", "trigger", "completion" }, 0, "" },
		{ { "stages", "yes", "completion", "block", "shadow-cpu", "3" },
		  0, "" },
		{ { "stages", "yes", "completion", "block", "shadow-cpu", "3",
		    "cpu", "0", "peer-cpu", "1" }, 0, "" },
		{ { "completion", "block", "shadow-cpu", "3" }, -EINVAL,
		  "shadow-cpu: only with stages; accepted: stages yes" },
		{ { "stages", "yes", "completion", "block", "shadow-cpu", "3",
		    "size", "0" }, -EINVAL,
		  "shadow-cpu: a message of 0 bytes changes no memory that the CPU could watch; accepted: size 1 and more" },
		{ { "stages", "yes", "completion", "block", "shadow-cpu", "3",
		    "direction", "bi" }, -EOPNOTSUPP,
		  "shadow-cpu: with direction bi a message may arrive before the CPU watches for it; accepted: direction uni" },
		{ { "stages", "yes", "completion", "block",
		    "direction", "bi" }, 0, "" },
		{ { "stages", "yes", "completion", "block", "shadow-cpu", "3",
		    "cpu", "3" }, -EINVAL,
		  "shadow-cpu: 3 is a CPU of the run; accepted: one that is neither cpu nor, without peer, peer-cpu" },
		{ { "stages", "yes", "completion", "block", "shadow-cpu", "3",
		    "peer-cpu", "3" }, -EINVAL,
		  "shadow-cpu: 3 is a CPU of the run; accepted: one that is neither cpu nor, without peer, peer-cpu" },
		{ { "stages", "yes", "completion", "block", "shadow-cpu", "3",
		    "peer-cpu", "3", "peer", "10.0.0.1" }, 0, "" },
		{ { "shadow-cpu", "3", "trigger", "completion" }, -EOPNOTSUPP,
		  "shadow-cpu: only with trigger echo, which times the stages of an arrival; accepted: none" },
		{ { "verb", "read", "direction", "bi" }, -EOPNOTSUPP,
		  "direction: bi is not possible with trigger echo and verb read, which the peer does not detect; accepted: uni" },
		{ { "verb", "fetch-add", "direction", "bi" }, -EOPNOTSUPP,
		  "direction: bi is not possible with trigger echo and verb fetch-add, which the peer does not detect; accepted: uni" },
		{ { "completion", "softirq", "direction", "bi" }, -EOPNOTSUPP,
		  "direction: bi is not possible with trigger echo and completion softirq, where no thread sends first; accepted: uni" },
		{ { "verb", "write-imm", "completion", "workqueue",
		    "direction", "bi" }, -EOPNOTSUPP,
		  "direction: bi is not possible with trigger echo and completion workqueue, where no thread sends first; accepted: uni" },
		{ { "trigger", "completion", "verify", "yes" }, 0, "" },
		{ { "registration", "frwr", "trigger", "completion" }, 0, "" },
		{ { "registration", "frwr", "size", "0" }, -EOPNOTSUPP,
		  "registration: frwr is not possible with messages of 0 bytes; accepted: dma" },
		{ { "registration", "frwr", "size", "64", "inline", "64" }, -EOPNOTSUPP,
		  "registration: frwr is not possible with messages that are posted inline, which the CPU reads; accepted: dma" },
		{ { "registration", "frwr", "size", "65", "inline", "64" }, 0, "" },
		{ { "registration", "frwr", "trigger", "return",
		    "verb", "register" }, -EOPNOTSUPP,
		  "registration: frwr is not possible with trigger return, whose calls have buffers of their own; accepted: dma" },
		{ { "memory", "node:3", "trigger", "completion" }, 0, "" },
		{ { "memory", "device", "trigger", "return",
		    "verb", "register" }, 0, "" },
		{ { "memory", "any", "size", "0" }, 0, "" },
		{ { "memory", "node:0", "size", "0" }, -EOPNOTSUPP,
		  "memory: messages of 0 bytes use no memory; accepted: any" },
		{ { "memory", "device", "trigger", "return",
		    "verb", "connect" }, -EOPNOTSUPP,
		  "memory: the calls of verb connect have no buffers; accepted: any" },
		{ { "memory", "node:0", "trigger", "return",
		    "verb", "floor" }, -EOPNOTSUPP,
		  "memory: the calls of verb floor have no buffers; accepted: any" },
		{ { "trigger", "completion", "refill", "101" }, -EINVAL,
		  "refill: 101 is more than the window; accepted: 1 to 100" },
		{ { "trigger", "completion", "window", "16384",
		    "refill", "16384", "signal-every", "1024" }, 0, "" },
		{ { "trigger", "completion", "window", "1", "refill", "2" },
		  -EINVAL,
		  "refill: 2 is more than the window; accepted: 1 to 1" },
		{ { "trigger", "completion", "batch", "51" }, -EINVAL,
		  "batch: 51 is more than the operations posted at a time; accepted: 1 to 50 (refill)" },
		{ { "trigger", "completion", "window", "8", "refill", "3",
		    "batch", "4" }, -EINVAL,
		  "batch: 4 is more than the operations posted at a time; accepted: 1 to 3 (refill)" },
		{ { "trigger", "completion", "signal-every", "3" }, -EINVAL,
		  "signal-every: 3 does not divide refill, 50; accepted: a divisor of 50" },
		{ { "trigger", "completion", "refill", "6",
		    "signal-every", "12" }, -EINVAL,
		  "signal-every: 12 does not divide refill, 6; accepted: a divisor of 6" },
		{ { "trigger", "completion", "refill", "6",
		    "signal-every", "3" }, 0, "" },
		{ { "trigger", "completion", "completion", "memory" },
		  -EOPNOTSUPP,
		  "completion: memory is not possible with verb send, which is detected by its completion; accepted: poll, softirq, workqueue, block, adaptive, timer" },
		{ { "trigger", "completion", "verb", "write",
		    "completion", "memory" }, -EOPNOTSUPP,
		  "completion: memory is not possible with verb write, which is detected by its completion; accepted: poll, softirq, workqueue, block, adaptive, timer" },
		{ { "trigger", "completion", "verb", "read",
		    "signal-every", "25", "direction", "bi" }, 0, "" },
		{ { "trigger", "completion", "verb", "read", "size", "0" },
		  -EINVAL,
		  "size: 0 is too small for verb read; accepted: 1 and more" },
		{ { "trigger", "completion", "completion", "softirq",
		    "direction", "bi" }, 0, "" },
		{ { "trigger", "completion", "completion", "softirq",
		    "context", "thread" }, -EOPNOTSUPP,
		  "context: completion softirq posts in softirq context; accepted: bh" },
		{ { "trigger", "completion", "completion", "workqueue",
		    "priority", "fifo" }, -EOPNOTSUPP,
		  "priority: completion workqueue does not run in a thread of the run; accepted: normal" },
		{ { "trigger", "return", "verb", "connect", "verify", "yes" },
		  -EOPNOTSUPP,
		  "verify: no message arrives with trigger return; accepted: no" },
		{ { "trigger", "return", "verb", "descriptor",
		    "direction", "bi" }, -EOPNOTSUPP,
		  "direction: no message is sent with trigger return; accepted: uni" },
		{ { "trigger", "return", "verb", "register",
		    "completion", "block" }, -EOPNOTSUPP,
		  "completion: block is not possible with verb register, whose calls are timed one by one; accepted: poll" },
		{ { "trigger", "return", "verb", "descriptor",
		    "completion", "memory" }, -EOPNOTSUPP,
		  "completion: memory is not possible with verb descriptor, whose calls are timed one by one; accepted: poll" },
		{ { "trigger", "return", "verb", "register", "size", "0" },
		  -EINVAL,
		  "size: 0 is too small for verb register; accepted: 1 and more" },
		{ { "trigger", "return", "verb", "connect", "size", "0" },
		  0, "" },
		{ { "verb", "fetch-add", "sges", "2" }, -EOPNOTSUPP,
		  "sges: verb fetch-add works on one word; accepted: 1" },
		{ { "trigger", "completion", "verb", "cmp-swap",
		    "sges", "8" }, -EOPNOTSUPP,
		  "sges: verb cmp-swap works on one word; accepted: 1" },
		{ { "trigger", "return", "verb", "register", "sges", "2" },
		  -EOPNOTSUPP,
		  "sges: verb register posts no message; accepted: 1" },
		{ { "trigger", "return", "verb", "connect", "sges", "2" },
		  -EOPNOTSUPP,
		  "sges: verb connect posts no message; accepted: 1" },
		{ { "trigger", "return", "verb", "descriptor", "sges", "32",
		    "inline", "64" }, 0, "" },
		{ { "trigger", "return", "verb", "connect",
		    "max-sges", "32" }, 0, "" },
		{ { "workers", "2" }, 0, "" },
		{ { "workers", "64", "trigger", "completion", "direction", "bi",
		    "verify", "yes" }, 0, "" },
		{ { "workers", "2", "trigger", "clock" }, 0, "" },
		{ { "workers", "2", "trigger", "return", "verb", "register" }, 0, "" },
		{ { "workers", "2", "reuse", "50" }, -EOPNOTSUPP,
		  "workers: reuse 50 takes new buffers, and each worker continues until all workers have measured; accepted: 1" },
		{ { "workers", "2", "transport", "uc" }, 0, "" },
		{ { "workers", "2", "transport", "uc", "trigger", "completion" },
		  0, "" },
		{ { "workers", "2", "completion", "block", "stages", "yes" }, 0, "" },
		{ { "workers", "2", "completion", "block", "stages", "yes",
		    "shadow-cpu", "1" }, -EOPNOTSUPP,
		  "workers: one CPU watches for the arrivals of one run; accepted: 1, or no shadow-cpu" },
		{ { "workers", "2", "trigger", "return", "verb", "floor" },
		  -EOPNOTSUPP,
		  "workers: not with verb floor, which uses no device; accepted: iterations, duration, warmup, cpu, peer-cpu, priority, timeout" },
		{ { "workers", "2", "policy", "bind", "device", "a", "device", "b" },
		  -EOPNOTSUPP,
		  "policy: with several workers each worker uses one device; accepted: single, with one device" },
		{ { "qps", "4" }, 0, "" },
		{ { "qps", "4", "verify", "yes", "buffers", "3" }, 0, "" },
		{ { "qps", "4", "reuse", "50" }, -EOPNOTSUPP,
		  "qps: with reuse 50 and verb send a receive is posted with the buffer of its message, and several QPs keep no common order; accepted: 1" },
		{ { "qps", "4", "trigger", "completion" }, 0, "" },
		{ { "qps", "4", "trigger", "completion", "buffers", "2" },
		  -EOPNOTSUPP,
		  "qps: in a stream of sends the receives of several QPs share a buffer; accepted: 1, or buffers 1" },
		{ { "qps", "4", "trigger", "completion", "verb", "write",
		    "buffers", "2" }, 0, "" },
		{ { "qps", "4", "trigger", "completion", "verb", "cmp-swap" },
		  -EOPNOTSUPP,
		  "qps: with trigger completion each cmp-swap expects the value that the previous one wrote, and several QPs keep no common order; accepted: 1, or verb fetch-add" },
		{ { "qps", "4", "trigger", "completion", "verb",
		    "fetch-add" }, 0, "" },
		{ { "qps", "2", "trigger", "completion", "window", "5",
		    "refill", "2", "signal-every", "2" }, -EINVAL,
		  "signal-every: 2 does not divide the window, 5, as several QPs require; accepted: a divisor of 5" },
		{ { "qps", "2", "trigger", "completion", "window", "5",
		    "refill", "2" }, 0, "" },
		{ { "qps", "2", "trigger", "return", "verb", "connect" },
		  -EOPNOTSUPP,
		  "qps: with trigger return the calls of one QP are timed; accepted: 1, or verb calibrate" },
		{ { "qps", "4096", "trigger", "return", "verb", "calibrate" }, 0, "" },
		{ { "size", "0", "sges", "2" }, -EINVAL,
		  "sges: 2 segments are more than a message of 0 bytes can fill; accepted: 1 to 1" },
		{ { "size", "0", "sges", "1" }, 0, "" },
		{ { "size", "7", "sges", "8" }, -EINVAL,
		  "sges: 8 segments are more than a message of 7 bytes can fill; accepted: 1 to 7" },
		{ { "verb", "read", "size", "7", "sges", "7" }, 0, "" },
		{ { "sges", "5", "max-sges", "4" }, -EINVAL,
		  "max-sges: 4 is less than sges, 5; accepted: 5 and more" },
		{ { "sges", "5", "max-sges", "5" }, 0, "" },
		{ { "verb", "fetch-add", "max-sges", "5" }, 0, "" },
		{ { "verb", "read", "inline", "64" }, -EOPNOTSUPP,
		  "inline: verb read receives a message and sends none; accepted: 0" },
		{ { "verb", "cmp-swap", "inline", "64" }, -EOPNOTSUPP,
		  "inline: verb cmp-swap receives a message and sends none; accepted: 0" },
		{ { "verb", "read", "inline", "0" }, 0, "" },
		{ { "trigger", "return", "verb", "register",
		    "inline", "64" }, -EOPNOTSUPP,
		  "inline: verb register posts no message; accepted: 0" },
		{ { "verb", "write", "inline", "65536", "sges", "3" }, 0, "" },
		{ { "rate", "5" }, -EINVAL,
		  "rate: only with trigger clock; trigger echo has no schedule" },
		{ { "trigger", "completion", "arrival", "uniform" }, -EINVAL,
		  "arrival: only with trigger clock; trigger completion has no schedule" },
		{ { "trigger", "clock" }, 0, "" },
		{ { "trigger", "clock", "rate", "5" }, 0, "" },
		{ { "trigger", "clock", "rate", "4" }, -EINVAL,
		  "rate: at 4 per second no operation may be due for half of timeout; accepted: 5 and more, or a longer timeout" },
		{ { "trigger", "clock", "refill", "4" }, -EINVAL,
		  "refill: not with trigger clock, which posts each operation when it is due" },
		{ { "trigger", "clock", "compute", "4" }, -EINVAL,
		  "compute: not with trigger clock, which posts each operation when it is due" },
		{ { "trigger", "clock", "signal-every", "4" }, -EINVAL,
		  "signal-every: 4 is not possible with trigger clock, which times the completion of each operation; accepted: 1" },
		{ { "trigger", "clock", "direction", "bi" }, -EOPNOTSUPP,
		  "direction: bi is not possible with trigger clock, whose schedule is the initiator's; accepted: uni" },
		{ { "trigger", "clock", "context", "thread" }, -EOPNOTSUPP,
		  "context: trigger clock posts in softirq context; accepted: bh" },
		{ { "trigger", "clock", "verify", "yes" }, -EOPNOTSUPP,
		  "verify: messages of a window share a buffer; accepted: no (the last message is always checked)" },
		/* the verb is checked first, because all other rules depend on it */
		{ { "trigger", "return", "verb", "read", "window", "5" },
		  -EOPNOTSUPP,
		  "verb: read is not possible with trigger return; accepted: register, descriptor, connect, connect-cm, calibrate, floor" },
	};
	struct icb_params params;
	struct icb_reason why;
	size_t i, k;

	(void)state;
	for (i = 0; i < ROWS(rows); i++) {
		icb_params_init(&params);
		for (k = 0; rows[i].give[k]; k += 2)
			give(&params, rows[i].give[k], rows[i].give[k + 1]);
		memset(&why, 0, sizeof(why));
		assert_row(i, icb_params_check(&params, &why) == rows[i].err);
		assert_string_equal(why.text, rows[i].words);
		assert_row(i, icb_params_check(&params, NULL) == rows[i].err);
	}
}

/* Defaults of window, refill and batch, if some of them are given. */
static void test_window_presets(void **state)
{
	static const struct {
		const char *give[9];
		u32 window;
		u32 refill;
		u32 batch;
		u32 signal_every;
	} rows[] = {
		{ { NULL }, 100, 50, 1, 50 },
		{ { "window", "1" }, 1, 1, 1, 1 },
		{ { "window", "2" }, 2, 1, 1, 1 },
		{ { "window", "3" }, 3, 1, 1, 1 },
		{ { "window", "128" }, 128, 64, 1, 64 },
		{ { "window", "16384" }, 16384, 8192, 1, 64 },
		{ { "refill", "1" }, 100, 1, 1, 1 },
		{ { "refill", "64" }, 100, 64, 1, 64 },
		/* the largest divisor of at most 64 */
		{ { "refill", "65" }, 100, 65, 1, 13 },
		{ { "refill", "67" }, 100, 67, 1, 1 },
		{ { "refill", "100" }, 100, 100, 1, 50 },
		{ { "refill", "96" }, 100, 96, 1, 48 },
		{ { "batch", "50" }, 100, 50, 50, 50 },
		{ { "window", "20", "refill", "12", "batch", "5" },
		  20, 12, 5, 12 },
		{ { "window", "20", "refill", "12", "signal-every", "4" },
		  20, 12, 1, 4 },
		{ { "signal-every", "25" }, 100, 50, 1, 25 },
	};
	struct icb_params params, again;
	u64 given;
	size_t i, k;

	(void)state;
	for (i = 0; i < ROWS(rows); i++) {
		icb_params_init(&params);
		give(&params, "trigger", "completion");
		for (k = 0; rows[i].give[k]; k += 2)
			give(&params, rows[i].give[k], rows[i].give[k + 1]);
		given = params.given;
		assert_row(i, !icb_trigger_check(&params, NULL));
		assert_row(i, params.window == rows[i].window);
		assert_row(i, params.refill == rows[i].refill);
		assert_row(i, params.batch == rows[i].batch);
		assert_row(i, params.signal_every == rows[i].signal_every);
		assert_row(i, params.given == given);
		assert_row(i, icb_params_has(&params, ICBENCH_A_PARAMS_WINDOW));
		assert_row(i, icb_params_has(&params, ICBENCH_A_PARAMS_REFILL));
		assert_row(i, icb_params_has(&params, ICBENCH_A_PARAMS_BATCH));
		/* a second check changes nothing */
		again = params;
		assert_row(i, !icb_trigger_check(&again, NULL));
		assert_row(i, !memcmp(&again, &params, sizeof(params)));
	}
	/* without a window, these parameters are not set */
	icb_params_init(&params);
	assert_int_equal(icb_trigger_check(&params, NULL), 0);
	assert_false(icb_params_has(&params, ICBENCH_A_PARAMS_WINDOW));
	assert_false(icb_params_has(&params, ICBENCH_A_PARAMS_REFILL));
	assert_false(icb_params_has(&params, ICBENCH_A_PARAMS_BATCH));
	assert_int_equal(params.signal_every, 512);
}

/* Any window with any refill: the defaults comply with the rules. */
static void test_window_any(void **state)
{
	struct icb_params params;
	u32 window, refill;

	(void)state;
	for (window = 1; window < 300; window++)
		for (refill = 1; refill <= window; refill++) {
			icb_params_init(&params);
			params.trigger = ICBENCH_TRIGGER_COMPLETION;
			icb_params_preset(&params, ICBENCH_A_PARAMS_WINDOW,
					  window);
			icb_params_preset(&params, ICBENCH_A_PARAMS_REFILL,
					  refill);
			assert_int_equal(icb_trigger_check(&params, NULL), 0);
			assert_int_equal(refill % params.signal_every, 0);
			assert_in_range(params.signal_every, 1, 64);
		}
}

/* A verb that uses no device accepts no parameter of a device. */
static void test_local(void **state)
{
	static const struct {
		const char *name;
		const char *value;
		bool taken;
	} rows[] = {
		{ "iterations", "3", true }, { "duration", "1000000", true },
		{ "warmup", "3", true }, { "cpu", "0", true },
		{ "peer-cpu", "1", true }, { "priority", "fifo", true },
		{ "timeout", "100000000", true },
		{ "peer", "10.0.0.1", false }, { "device", "rxe0", false },
		{ "size", "0", false }, { "transport", "rc", false },
		{ "window", "1", false }, { "verify", "no", false },
		{ "direction", "uni", false }, { "seed", "1", false },
	};
	struct icb_params params;
	struct icb_reason why;
	size_t i;
	int err;

	(void)state;
	for (i = 0; i < ROWS(rows); i++) {
		icb_params_init(&params);
		give(&params, "trigger", "return");
		give(&params, "verb", "floor");
		give(&params, rows[i].name, rows[i].value);
		err = icb_params_check(&params, &why);
		assert_row(i, err == (rows[i].taken ? 0 : -EOPNOTSUPP));
		assert_row(i, rows[i].taken || (about(&why, rows[i].name) &&
						strstr(why.text, "accepted: ")));
		assert_row(i, err ||
			      !icb_params_has(&params, ICBENCH_A_PARAMS_SIZE));
		assert_row(i, err ||
			      icb_params_has(&params, ICBENCH_A_PARAMS_VERB));
	}
}

/* Defaults of streams and timed calls that differ from other triggers. */
static void test_trigger_presets(void **state)
{
	const struct icb_param *verbs =
		icb_param_by_attr(ICBENCH_A_PARAMS_VERB);
	struct icb_params params;
	u32 verb;

	(void)state;
	for (verb = 0; verb <= verbs->max; verb++) {
		icb_params_init(&params);
		give(&params, "verb", verbs->words[verb]);
		give(&params, "trigger", icb_verbs(true) & BIT(verb) ?
					 "return" : "completion");
		assert_row(verb, !icb_params_check(&params, NULL));
		/* a stream of writes waits for completions, too */
		assert_row(verb, params.completion == ICBENCH_COMPLETION_POLL);
		assert_row(verb, params.direction == ICBENCH_DIRECTION_UNI);
		assert_row(verb, params.size ==
				 (icb_verb_table[verb].local ? 0 :
				  icb_verb_table[verb].atomic ? 8 : 64));
		assert_row(verb, params.signal_every ==
				 (icb_verb_table[verb].calls ? 64 : 50));
	}
	assert_int_equal(icb_verb_completions(ICBENCH_TRIGGER_ECHO,
					      ICBENCH_VERB_WRITE),
			 BIT(ICBENCH_COMPLETION_MEMORY));
	assert_int_equal(icb_verb_completions(ICBENCH_TRIGGER_COMPLETION,
					      ICBENCH_VERB_WRITE),
			 icb_verb_completions(ICBENCH_TRIGGER_ECHO,
					      ICBENCH_VERB_SEND));
	assert_int_equal(icb_verb_completions(ICBENCH_TRIGGER_RETURN,
					      ICBENCH_VERB_CONNECT),
			 BIT(ICBENCH_COMPLETION_POLL));
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

/*
 * Text of the refusal of a device that lacks the verb, for any set of verbs and any name.
 */
static void test_verb_refuse(void **state)
{
	const u32 iwarp = BIT(ICBENCH_VERB_SEND) | BIT(ICBENCH_VERB_WRITE) |
			  BIT(ICBENCH_VERB_READ);
	const u32 least = BIT(ICBENCH_VERB_SEND) | BIT(ICBENCH_VERB_WRITE);
	static const char *const what[] = {
		[ICBENCH_VERB_SEND] = "such verb",
		[ICBENCH_VERB_WRITE] = "such verb",
		[ICBENCH_VERB_WRITE_IMM] = "immediate data",
		[ICBENCH_VERB_READ] = "such verb",
		[ICBENCH_VERB_FETCH_ADD] = "atomics",
		[ICBENCH_VERB_CMP_SWAP] = "atomics",
		[ICBENCH_VERB_REGISTER] = "such verb",
		[ICBENCH_VERB_DESCRIPTOR] = "such verb",
		[ICBENCH_VERB_CONNECT] = "such verb",
		[ICBENCH_VERB_CONNECT_CM] = "such verb",
		[ICBENCH_VERB_CALIBRATE] = "such verb",
		[ICBENCH_VERB_FLOOR] = "such verb",
	};
	const struct icb_param *verb = icb_param_by_attr(ICBENCH_A_PARAMS_VERB);
	char name[ICBENCH_MAX_NAME + 1], words[300], list[160];
	struct icb_params params;
	struct icb_reason why;
	u32 v, verbs;
	size_t len;

	(void)state;
	icb_params_init(&params);
	params.verb = ICBENCH_VERB_CMP_SWAP;
	assert_int_equal(icb_verb_refuse(&params, "siw0", iwarp, &why),
			 -EOPNOTSUPP);
	assert_string_equal(why.text,
			    "verb: cmp-swap is not possible on siw0, which has no atomics; accepted: send, write, read");
	params.verb = ICBENCH_VERB_WRITE_IMM;
	assert_int_equal(icb_verb_refuse(&params, "siw0", iwarp, &why),
			 -EOPNOTSUPP);
	assert_string_equal(why.text,
			    "verb: write-imm is not possible on siw0, which has no immediate data; accepted: send, write, read");
	params.verb = ICBENCH_VERB_WRITE;
	params.notify = ICBENCH_NOTIFY_IMM;
	assert_int_equal(icb_verb_refuse(&params, "siw0", iwarp, &why),
			 -EOPNOTSUPP);
	assert_string_equal(why.text,
			    "notify: imm is not possible on siw0, which has no immediate data; accepted: none, message");
	params.notify = ICBENCH_NOTIFY_MESSAGE;
	assert_int_equal(icb_verb_refuse(&params, "siw0", iwarp, &why), 0);
	params.notify = ICBENCH_NOTIFY_NONE;
	params.verb = ICBENCH_VERB_READ;
	assert_int_equal(icb_verb_refuse(&params, "mana0", least, &why),
			 -EOPNOTSUPP);
	assert_string_equal(why.text,
			    "verb: read is not possible on mana0, which has no such verb; accepted: send, write");
	assert_int_equal(icb_verb_refuse(&params, "mana0", least, NULL),
			 -EOPNOTSUPP);

	/* with the longest name there is still room for the whole text */
	memset(name, 'n', ICBENCH_MAX_NAME);
	name[ICBENCH_MAX_NAME] = '\0';
	for (verbs = 1; verbs < BIT(verb->max + 1); verbs++)
		for (v = 0; v <= verb->max; v++) {
			params.verb = v;
			memset(&why, 0, sizeof(why));
			if (verbs & BIT(v)) {
				assert_int_equal(icb_verb_refuse(&params, name,
								 verbs, &why),
						 0);
				assert_string_equal(why.text, "");
				continue;
			}
			assert_int_equal(icb_verb_refuse(&params, name, verbs,
							 &why), -EOPNOTSUPP);
			/* only verbs of the same trigger are listed */
			icb_param_list_words(verb, verbs &
					     icb_verbs(v > ICBENCH_VERB_CMP_SWAP),
					     list, sizeof(list));
			len = snprintf(words, sizeof(words),
				       "verb: %s is not possible on %s, which has no %s; accepted: %s",
				       verb->words[v], name, what[v], list);
			assert_true(len < sizeof(why.text));
			assert_string_equal(why.text, words);
		}
}

/* Some words of a list, limited by the buffer size. */
static void test_list_words(void **state)
{
	const struct icb_param *verb = icb_param_by_attr(ICBENCH_A_PARAMS_VERB);
	const char *const all =
		"send, write, write-imm, read, fetch-add, cmp-swap, register, descriptor, connect, connect-cm, calibrate, floor";
	char *buf, whole[160];
	size_t size;

	(void)state;
	assert_string_equal(icb_param_list_words(verb, U32_MAX, whole,
						 sizeof(whole)), all);
	assert_string_equal(icb_param_list_words(verb, 0, whole,
						 sizeof(whole)), "");
	assert_string_equal(icb_param_list_words(verb,
						 BIT(ICBENCH_VERB_CMP_SWAP),
						 whole, sizeof(whole)),
			    "cmp-swap");
	/* bits without a word are left out */
	assert_string_equal(icb_param_list_words(verb,
						 ~(BIT(verb->max + 1) - 1),
						 whole, sizeof(whole)), "");
	/* the sanitizer detects writes behind the buffer */
	for (size = 1; size <= strlen(all) + 2; size++) {
		buf = malloc(size);
		icb_param_list_words(verb, U32_MAX, buf, size);
		assert_row(size, strlen(buf) < size);
		assert_row(size, !strncmp(buf, all, size - 1));
		free(buf);
	}
}

/*
 * Each verb with each mode: modes of the verb's table entry are accepted. The refusal of
 * others names the mode, the verb and the accepted modes.
 */
static void test_verbs(void **state)
{
	const struct icb_param *verbs, *modes;
	const struct icb_verb *verb;
	struct icb_params params;
	struct icb_reason why;
	u64 v, c, m;
	int err;

	(void)state;
	verbs = icb_param_by_attr(ICBENCH_A_PARAMS_VERB);
	modes = icb_param_by_attr(ICBENCH_A_PARAMS_COMPLETION);
	assert_int_equal(icb_verb_count, verbs->max + 1);
	for (v = 0; v <= verbs->max; v++) {
		verb = &icb_verb_table[v];
		assert_row(v, verb->completions & BIT(verb->completion));
		assert_row(v, verb->completions < BIT(modes->max + 1));
		/* a round trip is divided by two, anything else is not */
		assert_row(v, verb->divisor == (verb->passive || verb->calls ?
						1 : 2));
		assert_row(v, !verb->max_size ||
			      verb->max_size >= verb->min_size);
		/* a passive side posts no receive, and offers its memory */
		assert_row(v, !verb->passive || !verb->recv);
		assert_row(v, !verb->passive || verb->remote || verb->calls);
		assert_row(v, !verb->atomic ||
			      (verb->passive && verb->min_size == 8 &&
			       verb->max_size == 8));
		assert_row(v, !verb->imm || (verb->remote && verb->recv));
		assert_row(v, !verb->calls == !(icb_verbs(true) & BIT(v)));
		assert_row(v, !verb->calls == !verb->call);
		assert_row(v, verb->calls <= ICB_CALLS_MAX);
		/* polling memory is possible if and only if nothing completes */
		assert_row(v, (verb->recv || verb->passive || verb->calls) ==
			      !(verb->completions &
				BIT(ICBENCH_COMPLETION_MEMORY)));
		for (c = 0; c <= modes->max; c++) {
			icb_params_init(&params);
			give(&params, "verb", verbs->words[v]);
			give(&params, "completion", modes->words[c]);
			if (verb->calls)
				give(&params, "trigger", "return");
			assert_row(v, icb_verb_of(&params) == verb);
			err = icb_params_check(&params, &why);
			if (verb->completions & BIT(c)) {
				assert_row(v, verb->local ? about(&why, "completion") :
							    !err);
				continue;
			}
			assert_row(v, err == -EOPNOTSUPP);
			assert_row(v, about(&why, "completion"));
			assert_row(v, strstr(why.text, modes->words[c]));
			assert_row(v, strstr(why.text, verbs->words[v]));
			for (m = 0; m <= modes->max; m++)
				if (verb->completions & BIT(m))
					assert_row(v, strstr(why.text,
							     modes->words[m]));
		}
	}
}

/* A value that differs from the default. */
static const char *other_value(const struct icb_param *param)
{
	return param->attr == ICBENCH_A_PARAMS_ARRIVAL ? "fixed" :
	       param->type == ICB_PARAM_WORD ? param->words[1] :
	       param->attr == ICBENCH_A_PARAMS_RATE ? "1000" : "1";
}

/* What each device has, and the verbs that it supports. */
static void test_verbs_of_device(void **state)
{
	const struct icb_param *verb = icb_param_by_attr(ICBENCH_A_PARAMS_VERB);
	static const struct {
		u32 caps;
		const char *verbs;
	} rows[] = {
		{ 0, "send, write, register, descriptor, connect-cm, calibrate" },
		{ ICB_CAP_READS,
		  "send, write, read, register, descriptor, connect-cm, calibrate" },
		{ ICB_CAP_IMM | ICB_CAP_STATES,
		  "send, write, write-imm, register, descriptor, connect, connect-cm, calibrate" },
		/* an atomic is an operation that brings an answer */
		{ ICB_CAP_ATOMICS,
		  "send, write, register, descriptor, connect-cm, calibrate" },
		{ ICB_CAP_IMM | ICB_CAP_STATES | ICB_CAP_READS | ICB_CAP_ATOMICS,
		  "send, write, write-imm, read, fetch-add, cmp-swap, register, descriptor, connect, connect-cm, calibrate" },
	};
	char list[160];
	size_t i;

	(void)state;
	for (i = 0; i < ROWS(rows); i++)
		assert_string_equal(icb_param_list_words(verb,
							 icb_verbs_of_device(rows[i].caps),
							 list, sizeof(list)),
				    rows[i].verbs);
}

/* Every trigger has a row, and is of one kind. */
static void test_triggers(void **state)
{
	const struct icb_param *triggers =
		icb_param_by_attr(ICBENCH_A_PARAMS_TRIGGER);
	const struct icb_trigger *trigger;
	u32 t;

	(void)state;
	for (t = 0; t <= triggers->max; t++) {
		trigger = &icb_trigger_table[t];
		assert_row(t, trigger->answers + trigger->refills +
			      trigger->scheduled + trigger->times_calls == 1);
	}
}

/* What means nothing with a trigger is refused there, and is possible with others. */
static void test_trigger_takes(void **state)
{
	static const char *const verbs[] = { "send", "send", "descriptor", "send" };
	const struct icb_param *triggers =
		icb_param_by_attr(ICBENCH_A_PARAMS_TRIGGER);
	const struct icb_param *param;
	struct icb_params params;
	struct icb_reason why;
	unsigned int i, bound = 0;
	u32 t;

	(void)state;
	for (i = 0; i < icb_param_count; i++)
		for (t = 0; t <= triggers->max; t++) {
			param = &icb_param_table[i];
			if (icb_trigger_takes(t, param->attr))
				continue;
			bound++;
			icb_params_init(&params);
			give(&params, "trigger", triggers->words[t]);
			give(&params, "verb", verbs[t]);
			assert_row(i, !icb_params_check(&params, NULL));
			give(&params, param->name, other_value(param));
			assert_row(i, icb_params_check(&params, &why));
			assert_row(i, about(&why, param->name));
		}
	assert_int_equal(bound, 36);
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
		cmocka_unit_test(test_distinct),
		cmocka_unit_test(test_sane),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_refill),
		cmocka_unit_test(test_devices),
		cmocka_unit_test(test_qp_counts),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_forced),
		cmocka_unit_test(test_verb_words),
		cmocka_unit_test(test_trigger_words),
		cmocka_unit_test(test_window_presets),
		cmocka_unit_test(test_window_any),
		cmocka_unit_test(test_trigger_presets),
		cmocka_unit_test(test_trigger_takes),
		cmocka_unit_test(test_local),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_verb_refuse),
		cmocka_unit_test(test_list_words),
		cmocka_unit_test(test_verbs),
		cmocka_unit_test(test_verbs_of_device),
		cmocka_unit_test(test_triggers),
	};

	alarm(300);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
