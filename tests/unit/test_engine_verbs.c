// SPDX-License-Identifier: GPL-2.0
/* The table of verbs, their rules, and the verbs that a device has. */
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

/* Capabilities of each device, and the verbs that it supports. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verb_words),
		cmocka_unit_test(test_local),
		cmocka_unit_test(test_verb_refuse),
		cmocka_unit_test(test_verbs),
		cmocka_unit_test(test_verbs_of_device),
	};

	alarm(300);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
