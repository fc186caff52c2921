// SPDX-License-Identifier: GPL-2.0
/* Reasons of refusals, as text. */
#include "model/engine.h"
#include "unit.h"

static void test_words(void **state)
{
	struct icb_reason why;

	(void)state;
	assert_int_equal(icb_refuse(&why, -EINVAL, "%s: %d of %llu", "key", -7,
				    123456789012ULL), -EINVAL);
	assert_string_equal(why.text, "key: -7 of 123456789012");
	assert_int_equal(icb_refuse(&why, -ERANGE, "%s", ""), -ERANGE);
	assert_string_equal(why.text, "");
	assert_int_equal(icb_refuse(NULL, -EPROTO, "%s", "nobody asks"),
			 -EPROTO);
}

/* A text that is too long is truncated visibly, with a NUL. */
static void test_cut(void **state)
{
	char longer[2 * sizeof(struct icb_reason)];
	struct {
		struct icb_reason why;
		char after;
	} it;
	size_t len;

	(void)state;
	for (len = 0; len < sizeof(longer); len++) {
		memset(longer, 'x', len);
		longer[len] = '\0';
		memset(&it, 0x5a, sizeof(it));
		assert_row(len, icb_refuse(&it.why, -EIO, "%s", longer) == -EIO);
		assert_row(len, strlen(it.why.text) ==
				min_t(size_t, len, sizeof(it.why.text) - 1));
		if (len < sizeof(it.why.text))
			assert_row(len, !strcmp(it.why.text, longer));
		else
			assert_row(len, !strncmp(it.why.text, longer,
						 sizeof(it.why.text) - 4) &&
				   !strcmp(it.why.text +
					   sizeof(it.why.text) - 4, "..."));
		assert_row(len, it.after == 0x5a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
