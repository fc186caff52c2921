// SPDX-License-Identifier: GPL-2.0
/* Tables of rules: which row refuses, in which words, and what defaults do to later rows. */
#include "model/rule.h"
#include "unit.h"

static bool is_long(const struct icb_params *params)
{
	return params->size > 1000;
}

static void twice_the_size(const struct icb_params *params, char *text)
{
	snprintf(text, ICB_RULE_VALUE, "%u", 2 * params->size);
}

static void preset_qps(struct icb_params *params)
{
	icb_params_preset(params, ICBENCH_A_PARAMS_QPS, 4);
}

static int check_seed(struct icb_params *params, struct icb_reason *why)
{
	return params->seed == 7 ? icb_refuse(why, -ERANGE, "seed: 7") : 0;
}

static void longest(const struct icb_params *params, char *text)
{
	(void)params;
	memset(text, 'x', ICB_RULE_VALUE - 1);
	text[ICB_RULE_VALUE - 1] = '\0';
}

static const struct icb_rule rules[] = {
	{ ICB_KEY(WARMUP), .given = true, .when = ICB_IF_VERIFY | ICB_IF_BI,
	  .unless = ICB_IF_REPLY, .err = EINVAL, .words = "no" },
	{ .keys = { ICBENCH_A_PARAMS_CPU, ICBENCH_A_PARAMS_PEER_CPU },
	  .given = true, .when = ICB_IF_REPLY, .err = EINVAL,
	  .words = "not with {direction}" },
	{ ICB_KEY(SIZE), .holds = is_long, .err = EOPNOTSUPP,
	  .value = twice_the_size,
	  .words = "{size}, {} and {} with {verb}{signal-every}" },
	{ .check = check_seed, .when = ICB_IF_REPLY },
	{ .preset = preset_qps, .when = ICB_IF_INLINE },
	{ ICB_KEY(QPS), .when = ICB_IF_SEVERAL_QPS, .err = EINVAL,
	  .words = "{qps}" },
	{ ICB_KEY(TIMEOUT), .when = ICB_IF_OVERHEAD, .err = EINVAL,
	  .value = longest, .words = "{}{}" },
	{ }
};

static void set(struct icb_params *params, const char *name, u64 value)
{
	assert_int_equal(icb_params_set_number(params, icb_param_by_name(name),
					       value, NULL), 0);
}

static void test_rows(void **state)
{
	static const struct {
		struct {
			const char *name;
			u64 value;
		} set[5];
		int err;
		const char *words;
	} rows[] = {
		{ .words = "" },
		/* all of when, none of unless, and the key was given */
		{ { { "verify", 1 }, { "direction", 1 }, { "warmup", 1 } },
		  -EINVAL, "warmup: no" },
		{ { { "verify", 1 }, { "warmup", 1 } }, .words = "" },
		{ { { "verify", 1 }, { "direction", 1 } }, .words = "" },
		{ { { "verify", 1 }, { "direction", 1 }, { "warmup", 1 },
		    { "reply", 1 } }, .words = "" },
		/* the first of the keys that were given */
		{ { { "reply", 1 }, { "peer-cpu", 1 } }, -EINVAL,
		  "peer-cpu: not with uni" },
		{ { { "reply", 1 }, { "peer-cpu", 1 }, { "cpu", 2 } }, -EINVAL,
		  "cpu: not with uni" },
		{ { { "size", 1000 } }, .words = "" },
		{ { { "size", 1001 } }, -EOPNOTSUPP,
		  "size: 1001, 2002 and 2002 with send64" },
		/* the first row refuses */
		{ { { "size", 1001 }, { "qps", 2 } }, -EOPNOTSUPP,
		  "size: 1001, 2002 and 2002 with send64" },
		{ { { "seed", 7 } }, .words = "" },
		{ { { "seed", 7 }, { "reply", 1 } }, -ERANGE, "seed: 7" },
		{ { { "seed", 8 }, { "reply", 1 } }, .words = "" },
		/* rows see the defaults that rows before them set */
		{ { { "inline", 1 } }, -EINVAL, "qps: 4" },
	};
	struct icb_params params;
	struct icb_reason why;
	size_t i, k;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		icb_params_init(&params);
		memset(&why, 0, sizeof(why));
		for (k = 0; rows[i].set[k].name; k++)
			set(&params, rows[i].set[k].name,
			    rows[i].set[k].value);
		assert_row(i, icb_rules_check(rules, &params, &why) ==
			      rows[i].err);
		assert_string_equal(why.text, rows[i].words);
		assert_row(i, icb_rules_check(rules, &params, NULL) ==
			      rows[i].err);
	}
}

/* What does not fit is cut, says so, and still ends. */
static void test_cut(void **state)
{
	struct icb_params params;
	struct icb_reason why;

	(void)state;
	icb_params_init(&params);
	set(&params, "overhead", 1);
	assert_int_equal(icb_rules_check(rules, &params, &why), -EINVAL);
	assert_int_equal(strlen(why.text), sizeof(why.text) - 1);
	assert_string_equal(why.text + sizeof(why.text) - 5, "x...");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
