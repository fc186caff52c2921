// SPDX-License-Identifier: GPL-2.0
#include "plan/sweep.h"
#include "unit.h"

static const struct {
	const char *key;
	const char *text;
	const char *values;
} good[] = {
	{ "size", "64", "64" },
	{ "size", "1,2,3", "1 2 3" },
	{ "size", "3,1,3", "3 1 3" },
	{ "size", "2..16", "2 4 8 16" },
	{ "size", "2..15", "2 4 8" },
	{ "size", "3..20", "3 6 12" },
	{ "size", "0..8", "0 1 2 4 8" },
	{ "size", "0..0", "0" },
	{ "size", "5..5", "5" },
	{ "size", "1..10+3", "1 4 7 10" },
	{ "size", "1..9+3", "1 4 7" },
	{ "size", "0..2+1", "0 1 2" },
	{ "size", "1K..4K", "1024 2048 4096" },
	{ "size", "1K..3K+1K", "1024 2048 3072" },
	{ "size", "1,4..16,100..120+10", "1 4 8 16 100 110 120" },
	{ "size", "1..4+99", "1" },
	{ "size", "512M..1G", "536870912 1073741824" },
	{ "compute-share", "99.5", "995" },
	{ "compute-share", "0..90+10,95,99,99.5",
	  "0 100 200 300 400 500 600 700 800 900 950 990 995" },
	{ "compute-share", "99..99.9+0.3", "990 993 996 999" },
	{ "compute-share", "0..8", "0 10 20 40 80" },
	{ "duration", "1ms..4ms", "1000000 2000000 4000000" },
	{ "seed", "18446744073709551614..18446744073709551615+1",
	  "18446744073709551614 18446744073709551615" },
	{ "seed", "9223372036854775808..18446744073709551615",
	  "9223372036854775808" },
	{ "completion", "poll,block", "0 4" },
	{ "completion", "Poll", "0" },
	{ "transport", "RC", "0" },
	{ "verify", "no,yes", "0 1" },
	{ "device", "rxe0,rxe1", "rxe0 rxe1" },
	{ "device", "a..b", "a..b" },
	{ "timeout", "1", "1000000000" },
};

static const struct {
	const char *key;
	const char *text;
	const char *words;
} bad[] = {
	{ "size", "", "not a size" },
	{ "size", ",", "not a size" },
	{ "size", "1,", "not a size" },
	{ "size", ",1", "not a size" },
	{ "size", "1,,2", "not a size" },
	{ "size", "..", "not a size" },
	{ "size", "1..", "not a size" },
	{ "size", "..8", "not a size" },
	{ "size", "1..8+", "not a size" },
	{ "size", "1..8+0", "step of 0" },
	{ "size", "1..8..9", "not a size" },
	{ "size", "1...8", "not a size" },
	{ "size", "1..8+1+1", "not a size" },
	{ "size", "1+1", "not a size" },
	{ "size", "1..8*2", "not a size" },
	{ "size", "8..1", "goes down" },
	{ "size", "1..2G", "out of range" },
	{ "size", "2G", "out of range" },
	{ "size", "1..20000+1", "10000" },
	{ "size", "1..9000+1,1..9000+1", "10000" },
	{ "compute-share", "100", "accepted: 0 to 99.9" },
	{ "compute-share", "99.5..100+0.1", "100 is out of range" },
	{ "compute-share", "1..2+0.0", "accepted: 0.1 and more" },
	{ "compute-share", "99.55", "not a share" },
	{ "iterations", "0..4", "out of range" },
	{ "iterations", "0", "out of range" },
	{ "iterations", "1..99999999999999999999", "out of range" },
	{ "completion", "poll..block", "unknown" },
	{ "completion", "poll,", "unknown" },
	{ "completion", "sleep", "accepted: poll, memory" },
	{ "device", "", "0 bytes" },
	{ "device", "a,", "0 bytes" },
	{ "device", "a b", "space" },
	{ "device",
	  "a123456789012345678901234567890123456789012345678901234567890123",
	  "64 bytes" },
	{ "timeout", "1,2", "cannot be swept" },
	{ "timeout", "1..2", "cannot be swept" },
	{ "trigger", "echo,echo", "cannot be swept" },
	{ "cm-port", "1..4+1", "cannot be swept" },
};

static void join(const struct sweep *sweep, char *buf, size_t size)
{
	size_t len = 0;
	unsigned int i;

	for (i = 0; i < sweep->count; i++) {
		len += snprintf(buf + len, size - len, "%s", i ? " " : "");
		if (sweep->value[i].text)
			len += snprintf(buf + len, size - len, "%s",
					sweep->value[i].text);
		else
			len += snprintf(buf + len, size - len, "%llu",
					(unsigned long long)
					sweep->value[i].number);
	}
}

static void test_good(void **state)
{
	struct sweep sweep;
	char values[256];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		assert_row(i, !sweep_parse(&sweep,
					   icb_param_by_name(good[i].key),
					   good[i].text, NULL));
		join(&sweep, values, sizeof(values));
		assert_string_equal(values, good[i].values);
		sweep_free(&sweep);
	}
}

static void test_bad(void **state)
{
	struct icb_reason why;
	struct sweep sweep;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_row(i, sweep_parse(&sweep,
					  icb_param_by_name(bad[i].key),
					  bad[i].text, &why) < 0);
		assert_row(i, !strncmp(why.text, bad[i].key,
				       strlen(bad[i].key)));
		assert_row(i, strstr(why.text, bad[i].words));
		assert_int_equal(sweep.count, 0);
	}
}

static void test_most(void **state)
{
	struct sweep sweep;

	(void)state;
	assert_int_equal(sweep_parse(&sweep, icb_param_by_name("size"),
				     "1..10000+1", NULL), 0);
	assert_int_equal(sweep.count, SWEEP_MAX);
	sweep_free(&sweep);
}

static void test_secret(void **state)
{
	const struct icb_param *param = icb_param_by_name("token");
	struct icb_params params;
	struct sweep sweep;

	(void)state;
	/* any bytes, also NULs */
	sweep_secret(&sweep, param, "a\0b\0c\0d\0", 8);
	icb_params_init(&params);
	assert_int_equal(sweep_set(&sweep, 0, &params, NULL), 0);
	assert_int_equal(params.token_len, 8);
	assert_memory_equal(params.token, "a\0b\0c\0d\0", 8);
	sweep_free(&sweep);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_most),
		cmocka_unit_test(test_secret),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
