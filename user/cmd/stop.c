// SPDX-License-Identifier: GPL-2.0
#include "base/args.h"
#include "base/message.h"
#include "base/status.h"
#include "commands.h"
#include "nl/jobs.h"
#include "nl/module.h"
#include "plan/number.h"

static const char *const options[] = { "--help", NULL };

static const struct icb_param id_param = {
	.name = "stop", .type = ICB_PARAM_COUNT, .min = 1, .max = U32_MAX,
};

static void help(void)
{
	puts("usage: icbenchctl stop ID\n"
	     "\n"
	     "Stop a run; icbenchctl jobs shows the numbers. The command that started the run\n"
	     "prints the partial result.");
}

static int stop(u32 id)
{
	struct icb_reason why;
	struct nl *nl;
	int err;

	nl = module_open();
	if (!nl)
		return STATUS_SETUP;
	err = nl_job_stop(nl, id, &why);
	nl_end(nl);
	return err ? module_refused(err, &why) : STATUS_DONE;
}

int cmd_stop(char **argv)
{
	const char *word = NULL;
	struct icb_reason why;
	struct args args;
	u64 id;

	args_begin(&args, argv + 2);
	while (args_next(&args)) {
		if (args_help(&args))
			return args_show_help(&args, help);
		if (!args.word || word)
			return args_unknown(&args, "stop", options);
		word = args.word;
	}
	if (!word)
		return message_usage("stop: no run given; icbenchctl jobs shows the numbers");
	if (number_parse(&id_param, word, &id, &why) ||
	    number_check(&id_param, id, &why))
		return message_usage("%s", why.text);
	return stop(id);
}
