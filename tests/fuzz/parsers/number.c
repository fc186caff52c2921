// SPDX-License-Identifier: GPL-2.0
/* Fuzz target for KEY=NUMBER */
#include <assert.h>
#include <stdlib.h>

#include "check.h"
#include "pair.h"
#include "plan/number.h"
#include "target.h"

/* One key for each kind of number. */
static const char *const keys[] = {
	"iterations", "size", "compute-share", "timeout",
};

static void check_print(u64 value)
{
	const struct icb_param *param;
	unsigned int i;
	char text[32];
	u64 again;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		param = icb_param_by_name(keys[i]);
		number_print(text, sizeof(text), param->type, value);
		assert(!number_parse(param, text, &again, NULL));
		assert(again == value);
	}
}

static void parse(const struct icb_param *param, const char *text)
{
	struct icb_reason why;
	u64 value;
	int err;

	err = number_parse(param, text, &value, &why);
	check_reason(err, &why);
	if (err)
		return;
	check_print(value);
	err = number_check(param, value, &why);
	check_reason(err, &why);
	assert(!err == (value >= param->min && value <= param->max));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pair pair;

	pair_read(&pair, data, size);
	if (pair.param && pair.param->type != ICB_PARAM_WORD &&
	    pair.param->type != ICB_PARAM_STRING)
		parse(pair.param, pair.value);
	free(pair.value);
	return 0;
}
