// SPDX-License-Identifier: GPL-2.0
/* Fuzz target for KEY=VALUES */
#include <stdlib.h>

#include "check.h"
#include "pair.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct icb_reason why;
	struct sweep sweep;
	struct pair pair;
	int err;

	pair_read(&pair, data, size);
	if (pair.param) {
		err = sweep_parse(&sweep, pair.param, pair.value, &why);
		check_reason(err, &why);
		if (!err) {
			check_sweep(&sweep);
			sweep_free(&sweep);
		}
	}
	free(pair.value);
	return 0;
}
