// SPDX-License-Identifier: GPL-2.0
/* The table of parameters, their words, ranges and defaults. */
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

static const struct icb_param *row(size_t i)
{
	return &icb_param_table[i];
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_distinct),
		cmocka_unit_test(test_sane),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_forced),
		cmocka_unit_test(test_window_presets),
		cmocka_unit_test(test_window_any),
		cmocka_unit_test(test_trigger_presets),
		cmocka_unit_test(test_list_words),
	};

	alarm(300);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
