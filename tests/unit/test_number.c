// SPDX-License-Identifier: GPL-2.0
#include "plan/number.h"
#include "unit.h"

static const struct icb_param param = {
	.name = "key", .max = U64_MAX,
};

static const struct {
	enum icb_param_type type;
	const char *text;
	u64 value;
} good[] = {
	{ ICB_PARAM_COUNT, "0", 0 },
	{ ICB_PARAM_COUNT, "007", 7 },
	{ ICB_PARAM_COUNT, "18446744073709551615", U64_MAX },
	{ ICB_PARAM_COUNT, "1K", 1000 },
	{ ICB_PARAM_COUNT, "2k", 2000 },
	{ ICB_PARAM_COUNT, "3M", 3000000 },
	{ ICB_PARAM_COUNT, "4G", 4000000000 },
	{ ICB_PARAM_COUNT, "1e3", 1000 },
	{ ICB_PARAM_COUNT, "1e0", 1 },
	{ ICB_PARAM_COUNT, "0e19", 0 },
	{ ICB_PARAM_COUNT, "1e19", 10000000000000000000ULL },
	{ ICB_PARAM_COUNT, "25e06", 25000000 },
	{ ICB_PARAM_SIZE, "1e6", 1000000 },
	{ ICB_PARAM_SIZE, "64", 64 },
	{ ICB_PARAM_SIZE, "0K", 0 },
	{ ICB_PARAM_SIZE, "4K", 4096 },
	{ ICB_PARAM_SIZE, "4k", 4096 },
	{ ICB_PARAM_SIZE, "8M", 8 << 20 },
	{ ICB_PARAM_SIZE, "8m", 8 << 20 },
	{ ICB_PARAM_SIZE, "1G", 1 << 30 },
	{ ICB_PARAM_SIZE, "1g", 1 << 30 },
	{ ICB_PARAM_SIZE, "17179869183G", 17179869183ULL << 30 },
	{ ICB_PARAM_SHARE, "0", 0 },
	{ ICB_PARAM_SHARE, "99", 990 },
	{ ICB_PARAM_SHARE, "99.0", 990 },
	{ ICB_PARAM_SHARE, "99.5", 995 },
	{ ICB_PARAM_SHARE, "0.1", 1 },
	{ ICB_PARAM_SHARE, "1844674407370955161.5", U64_MAX },
	{ ICB_PARAM_PERCENTILE, "50", 500 },
	{ ICB_PARAM_PERCENTILE, "99.9", 999 },
	{ ICB_PARAM_PERCENTILE, "99.90", 999 },
	{ ICB_PARAM_PERCENTILE, "99.99", 9999 },
	{ ICB_PARAM_PERCENTILE, "10.01", 1001 },
	{ ICB_PARAM_PERCENTILE, "0.1", 1 },
	{ ICB_PARAM_TIME, "10", 10000000000 },
	{ ICB_PARAM_TIME, "10s", 10000000000 },
	{ ICB_PARAM_TIME, "10ms", 10000000 },
	{ ICB_PARAM_TIME, "10us", 10000 },
	{ ICB_PARAM_TIME, "10ns", 10 },
	{ ICB_PARAM_TIME, "18446744073s", 18446744073000000000ULL },
	{ ICB_PARAM_TIME, "18446744073.709551615s", U64_MAX },
	{ ICB_PARAM_TIME, "0.5", 500000000 },
	{ ICB_PARAM_TIME, "0.5s", 500000000 },
	{ ICB_PARAM_TIME, "1.25us", 1250 },
	{ ICB_PARAM_TIME, "0.000001ms", 1 },
	{ ICB_PARAM_TIME, "2.000ns", 2 },
	{ ICB_PARAM_TIME, "1.50000000000000000000000000000s", 1500000000 },
};

static const struct {
	enum icb_param_type type;
	const char *text;
	int err;
} bad[] = {
	{ ICB_PARAM_COUNT, "", -EINVAL },
	{ ICB_PARAM_COUNT, "x", -EINVAL },
	{ ICB_PARAM_COUNT, "12x", -EINVAL },
	{ ICB_PARAM_COUNT, "-1", -EINVAL },
	{ ICB_PARAM_COUNT, "+1", -EINVAL },
	{ ICB_PARAM_COUNT, " 1", -EINVAL },
	{ ICB_PARAM_COUNT, "1 ", -EINVAL },
	{ ICB_PARAM_COUNT, "1e", -EINVAL },
	{ ICB_PARAM_COUNT, "e3", -EINVAL },
	{ ICB_PARAM_COUNT, "1E3", -EINVAL },
	{ ICB_PARAM_COUNT, "1e+3", -EINVAL },
	{ ICB_PARAM_COUNT, "1e-3", -EINVAL },
	{ ICB_PARAM_COUNT, "1e3K", -EINVAL },
	{ ICB_PARAM_COUNT, "1Ke3", -EINVAL },
	{ ICB_PARAM_COUNT, "1.5e3", -EINVAL },
	{ ICB_PARAM_COUNT, "2e19", -ERANGE },
	{ ICB_PARAM_COUNT, "1e20", -ERANGE },
	{ ICB_PARAM_COUNT, "1e99999999999999999999", -ERANGE },
	{ ICB_PARAM_COUNT, "18446744073709552K", -ERANGE },
	{ ICB_PARAM_COUNT, "0x10", -EINVAL },
	{ ICB_PARAM_COUNT, "1.5", -EINVAL },
	{ ICB_PARAM_COUNT, "1,5", -EINVAL },
	{ ICB_PARAM_COUNT, "1KB", -EINVAL },
	{ ICB_PARAM_COUNT, "18446744073709551616", -ERANGE },
	{ ICB_PARAM_COUNT, "99999999999999999999999999999", -ERANGE },
	{ ICB_PARAM_COUNT, "99999999999999999999999999999x", -EINVAL },
	{ ICB_PARAM_SIZE, "K", -EINVAL },
	{ ICB_PARAM_SIZE, "1KB", -EINVAL },
	{ ICB_PARAM_SIZE, "1KiB", -EINVAL },
	{ ICB_PARAM_SIZE, "1 K", -EINVAL },
	{ ICB_PARAM_SIZE, "1T", -EINVAL },
	{ ICB_PARAM_SIZE, "17179869184G", -ERANGE },
	{ ICB_PARAM_SHARE, "99.", -EINVAL },
	{ ICB_PARAM_SHARE, ".5", -EINVAL },
	{ ICB_PARAM_SHARE, "99.55", -EINVAL },
	{ ICB_PARAM_SHARE, "99,5", -EINVAL },
	{ ICB_PARAM_SHARE, "99.5.5", -EINVAL },
	{ ICB_PARAM_SHARE, "99.-1", -EINVAL },
	{ ICB_PARAM_SHARE, "99.5%", -EINVAL },
	{ ICB_PARAM_SHARE, "1844674407370955161.6", -ERANGE },
	{ ICB_PARAM_SHARE, "1844674407370955162", -ERANGE },
	{ ICB_PARAM_SIZE, "4.5", -EINVAL },
	{ ICB_PARAM_PERCENTILE, "9.95", -EINVAL },
	{ ICB_PARAM_PERCENTILE, "99.999", -EINVAL },
	{ ICB_PARAM_PERCENTILE, "100", -ERANGE },
	{ ICB_PARAM_PERCENTILE, "100.01", -EINVAL },
	{ ICB_PARAM_PERCENTILE, "150", -ERANGE },
	{ ICB_PARAM_SHARE, "99.99", -EINVAL },
	{ ICB_PARAM_TIME, "1m", -EINVAL },
	{ ICB_PARAM_TIME, "1h", -EINVAL },
	{ ICB_PARAM_TIME, "1S", -EINVAL },
	{ ICB_PARAM_TIME, "ms", -EINVAL },
	{ ICB_PARAM_TIME, "0.5ns", -EINVAL },
	{ ICB_PARAM_TIME, "1.0005us", -EINVAL },
	{ ICB_PARAM_TIME, "0.0000000001s", -EINVAL },
	{ ICB_PARAM_TIME, ".5s", -EINVAL },
	{ ICB_PARAM_TIME, "5.s", -EINVAL },
	{ ICB_PARAM_TIME, "1.5m", -EINVAL },
	{ ICB_PARAM_TIME, "1.5.5s", -EINVAL },
	{ ICB_PARAM_TIME, "1e3s", -EINVAL },
	{ ICB_PARAM_TIME, "18446744073.8s", -ERANGE },
	{ ICB_PARAM_TIME, "18446744074s", -ERANGE },
};

static void test_good(void **state)
{
	struct icb_param p = param;
	u64 value;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		p.type = good[i].type;
		assert_row(i, !number_parse(&p, good[i].text, &value, NULL));
		assert_row(i, value == good[i].value);
	}
}

static void test_bad(void **state)
{
	struct icb_param p = param;
	struct icb_reason why;
	u64 value;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		p.type = bad[i].type;
		assert_row(i, number_parse(&p, bad[i].text, &value, &why) ==
			   bad[i].err);
		assert_row(i, !strncmp(why.text, "key: ", 5));
		assert_row(i, strstr(why.text, "accepted: "));
	}
}

static const struct {
	enum icb_param_type type;
	u64 value;
	const char *text;
} printed[] = {
	{ ICB_PARAM_SIZE, 1 << 20, "1M" },
	{ ICB_PARAM_SIZE, 1025, "1025" },
	{ ICB_PARAM_PERCENTILE, 9999, "99.99" },
	{ ICB_PARAM_PERCENTILE, 1005, "10.05" },
	{ ICB_PARAM_PERCENTILE, 9990, "99.9" },
	{ ICB_PARAM_PERCENTILE, 999, "99.9" },
	{ ICB_PARAM_PERCENTILE, 500, "50" },
	{ ICB_PARAM_TIME, 1500000, "1500us" },
	{ ICB_PARAM_SHARE, 995, "99.5" },
	{ ICB_PARAM_SHARE, 1000, "100" },
};

static void test_print(void **state)
{
	struct icb_param p = param;
	char text[32];
	u64 value;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		p.type = good[i].type;
		number_print(text, sizeof(text), p.type, good[i].value);
		assert_row(i, !number_parse(&p, text, &value, NULL));
		assert_row(i, value == good[i].value);
	}
	for (i = 0; i < ARRAY_SIZE(printed); i++) {
		number_print(text, sizeof(text), printed[i].type, printed[i].value);
		assert_row(i, !strcmp(text, printed[i].text));
	}
}

static void test_check(void **state)
{
	const struct icb_param p = {
		.name = "key", .type = ICB_PARAM_SIZE, .min = 2, .max = 9,
	};
	const struct icb_param share = {
		.name = "key", .type = ICB_PARAM_SHARE, .max = 999,
	};
	struct icb_reason why;

	(void)state;
	assert_int_equal(number_check(&share, 999, NULL), 0);
	assert_int_equal(number_check(&share, 1001, &why), -ERANGE);
	assert_string_equal(why.text,
			    "key: 100.1 is out of range; accepted: 0 to 99.9");
	assert_int_equal(number_check(&p, 2, NULL), 0);
	assert_int_equal(number_check(&p, 9, NULL), 0);
	assert_int_equal(number_check(&p, 1, NULL), -ERANGE);
	assert_int_equal(number_check(&p, 10, &why), -ERANGE);
	assert_string_equal(why.text,
			    "key: 10 is out of range; accepted: 2 to 9 bytes");
}

/* A threshold of 20 would be seconds, where microseconds are meant. */
static void test_unit(void **state)
{
	const struct icb_param p = { .name = "key", .type = ICB_PARAM_TIME,
		.max = U64_MAX, .flags = ICB_PARAM_UNIT };
	struct icb_reason why;
	u64 value;

	(void)state;
	assert_int_equal(number_parse(&p, "20us", &value, &why), 0);
	assert_int_equal(value, 20000);
	assert_int_equal(number_parse(&p, "0", &value, &why), 0);
	assert_int_equal(number_parse(&p, "20", &value, &why), -EINVAL);
	assert_string_equal(why.text,
			    "key: 20 has no unit; accepted: 20ns, 20us, 20ms or 20s");
	assert_int_equal(number_parse(&p, "0.5", &value, &why), -EINVAL);
	assert_int_equal(number_parse(&p, "20m", &value, &why), -EINVAL);
	assert_string_equal(why.text,
			    "key: \"20m\" is not a time; accepted: a number with ns, us, ms or s, as 20us");
	assert_int_equal(number_parse(&p, "99999999999999999999", &value, &why),
			 -ERANGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_unit),
		cmocka_unit_test(test_print),
		cmocka_unit_test(test_check),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
