// SPDX-License-Identifier: GPL-2.0
#include "base/text.h"
#include "unit.h"

static void test_utf8(void **state)
{
	static const struct {
		const char *text;
		size_t len;
	} rows[] = {
		{ "", 0 },
		{ "a", 1 },
		{ "\x7f", 1 },
		{ "\xc2\x80", 2 },
		{ "\xe2\x82\xac", 3 },
		{ "\xf0\x9f\x98\x80", 4 },
		{ "\xf4\x8f\xbf\xbf", 4 },
		{ "\x80", 0 },		/* starts with a continuation byte */
		{ "\xc2", 0 },		/* truncated */
		{ "\xe2\x82", 0 },
		{ "\xf0\x9f\x98", 0 },
		{ "\xc0\x80", 0 },	/* longer than necessary */
		{ "\xe0\x80\x80", 0 },
		{ "\xf0\x80\x80\x80", 0 },
		{ "\xed\xa0\x80", 0 },	/* half of a surrogate pair */
		{ "\xf4\x90\x80\x80", 0 },	/* above the last code point */
		{ "\xff", 0 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_row(i, text_utf8(rows[i].text) == rows[i].len);
}

static void test_one_line(void **state)
{
	char s[] = "a\nb\x1b[2J\t\xff\xc2\x9b\xe2\x82\xac";

	(void)state;
	assert_false(text_is_clean(s));
	text_one_line(s);
	assert_string_equal(s, "a?b?[2J????\xe2\x82\xac");
	assert_true(text_is_clean(s));
}

static void test_trim(void **state)
{
	char a[] = " \t a b\t ", b[] = "  ", c[] = "";

	(void)state;
	assert_string_equal(text_trim(a), "a b");
	assert_string_equal(text_trim(b), "");
	assert_string_equal(text_trim(c), "");
}

static void test_closest(void **state)
{
	static const char *const words[] = {
		"latency", "blocking", "size", "port", NULL
	};

	(void)state;
	assert_string_equal(text_closest("latncy", words), "latency");
	assert_string_equal(text_closest("latenyc", words), "latency");
	assert_string_equal(text_closest("block", words), "blocking");
	assert_string_equal(text_closest("sise", words), "size");
	assert_string_equal(text_closest("size", words), "size");
	assert_null(text_closest("frobnicate", words));
	assert_null(text_closest("1234567890123456789012345678901234567890",
				 words));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_utf8),
		cmocka_unit_test(test_one_line),
		cmocka_unit_test(test_trim),
		cmocka_unit_test(test_closest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
