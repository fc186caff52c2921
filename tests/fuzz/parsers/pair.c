// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "base/alloc.h"
#include "pair.h"

/**
 * pair_read() - parse KEY=VALUE
 * @pair: result; the caller frees @pair->value
 * @data: input
 * @len: length of the input, bytes
 */
void pair_read(struct pair *pair, const void *data, size_t len)
{
	char *text = alloc_copy(data, len);
	char *value = strchr(text, '=');

	memset(pair, 0, sizeof(*pair));
	if (value) {
		*value++ = '\0';
		pair->param = icb_param_by_name(text);
		pair->value = alloc_copy(value, strlen(value));
	}
	if (pair->param && pair->param->type == ICB_PARAM_BYTES)
		pair->param = NULL;
	free(text);
}
