// SPDX-License-Identifier: GPL-2.0
/*
 * Print the engine's table of parameters, and their defaults, as JSON: what
 * spec.t compares with the netlink specification.
 */
#include <stdlib.h>

#include "params.h"

static void print(const struct icb_param *param,
		  const struct icb_params *defaults)
{
	unsigned int i;

	printf("{ \"name\": \"%s\", \"attr\": %u, \"type\": %u, \"bytes\": %u,",
	       param->name, param->attr, param->type, param->bytes);
	printf(" \"min\": %llu, \"max\": %llu", (unsigned long long)param->min,
	       (unsigned long long)param->max);
	if (param->words) {
		printf(", \"words\": [");
		for (i = 0; param->words[i]; i++)
			printf("%s \"%s\"", i ? "," : "", param->words[i]);
		printf(" ]");
	}
	if (icb_params_has(defaults, param->attr) &&
	    !icb_params_given(defaults, param->attr))
		printf(", \"default\": %llu", (unsigned long long)
		       icb_params_number(defaults, param));
	printf(" }");
}

int main(void)
{
	struct icb_params defaults;
	unsigned int i;

	icb_params_init(&defaults);
	if (icb_params_set_bytes(&defaults, icb_param_by_name("peer"), "::1",
				 3, NULL) ||
	    icb_params_check(&defaults, NULL))
		return EXIT_FAILURE;
	printf("[\n");
	for (i = 0; i < icb_param_count; i++) {
		print(&icb_param_table[i], &defaults);
		printf("%s\n", i + 1 < icb_param_count ? "," : "");
	}
	printf("]\n");
	return EXIT_SUCCESS;
}
