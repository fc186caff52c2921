// SPDX-License-Identifier: GPL-2.0
/*
 * Print the engine's table of parameters, and their defaults, as JSON. spec.t compares it
 * with the netlink specification; keys.py makes a table of the documentation of it.
 */
#include <stdlib.h>

#include "model/rules.h"
#include "model/params.h"

static void print(const struct icb_param *param,
		  const struct icb_params *defaults)
{
	unsigned int i;

	printf("{ \"name\": \"%s\", \"help\": \"%s\", \"attr\": %u, \"type\": %u, \"bytes\": %u,",
	       param->name, param->help, param->attr, param->type,
	       param->bytes);
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

/* Set the defaults of a run over a network. Return: 0 if the rules accept it. */
static int fill_in(struct icb_params *params)
{
	return icb_params_set_bytes(params, icb_param_by_name("peer"), "::1",
				    3, NULL) ? : icb_params_check(params, NULL);
}

/* Set the defaults of a run over two devices that splits its messages. */
static int fill_in_stripe(struct icb_params *params)
{
	const struct icb_param *device = icb_param_by_name("device");

	icb_params_preset(params, ICBENCH_A_PARAMS_VERB, ICBENCH_VERB_WRITE);
	icb_params_preset(params, ICBENCH_A_PARAMS_NOTIFY,
			  ICBENCH_NOTIFY_MESSAGE);
	icb_params_preset(params, ICBENCH_A_PARAMS_POLICY,
			  ICBENCH_POLICY_STRIPE);
	return icb_params_set_bytes(params, device, "a", 1, NULL) ? :
	       icb_params_set_bytes(params, device, "b", 1, NULL) ? :
	       icb_params_check(params, NULL);
}

/* Set the defaults of a run in which timers expire. */
static int fill_in_timer(struct icb_params *params)
{
	icb_params_preset(params, ICBENCH_A_PARAMS_COMPLETION,
			  ICBENCH_COMPLETION_TIMER);
	return icb_params_check(params, NULL);
}

/* Set the defaults of a run that lasts until its interval is narrow. */
static int fill_in_until(struct icb_params *params)
{
	return icb_params_set_number(params, icb_param_by_name("until"), 10,
				     NULL) ? : fill_in(params);
}

static int fill_in_stream(struct icb_params *params)
{
	icb_params_preset(params, ICBENCH_A_PARAMS_TRIGGER,
			  ICBENCH_TRIGGER_COMPLETION);
	return fill_in(params);
}

static int fill_in_open(struct icb_params *params)
{
	icb_params_preset(params, ICBENCH_A_PARAMS_TRIGGER,
			  ICBENCH_TRIGGER_CLOCK);
	return fill_in(params);
}

/* The runs whose defaults are printed: some parameters exist only for one of them. */
static int (*const runs[])(struct icb_params *params) = {
	fill_in, fill_in_stream, fill_in_open, fill_in_stripe, fill_in_timer,
	fill_in_until,
};

#define RUN_COUNT (sizeof(runs) / sizeof(runs[0]))

int main(void)
{
	struct icb_params defaults[RUN_COUNT];
	unsigned int i, run;

	for (run = 0; run < RUN_COUNT; run++) {
		icb_params_init(&defaults[run]);
		if (runs[run](&defaults[run]))
			return EXIT_FAILURE;
	}
	printf("[\n");
	for (i = 0; i < icb_param_count; i++) {
		for (run = 0; run + 1 < RUN_COUNT; run++)
			if (icb_params_has(&defaults[run], icb_param_table[i].attr))
				break;
		print(&icb_param_table[i], &defaults[run]);
		printf("%s\n", i + 1 < icb_param_count ? "," : "");
	}
	printf("]\n");
	return EXIT_SUCCESS;
}
