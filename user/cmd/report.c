// SPDX-License-Identifier: GPL-2.0
/*
 * icbenchctl report: show results, comparisons and profiles as an HTML page. Needs neither
 * the module nor root.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/args.h"
#include "base/message.h"
#include "base/output.h"
#include "base/status.h"
#include "commands.h"
#include "report/inputs.h"
#include "report/page.h"
#include "report/report.h"

static const char *const options[] = {
	"--output", "--title", "--quiet", "--help", NULL,
};

/**
 * struct request - the command line
 * @path: array of files and directories, ending in NULL
 * @paths: number of paths
 * @title: title of the page; NULL for the default
 * @help: true to print the help
 * @output: the page
 */
struct request {
	char **path;
	unsigned int paths;
	const char *title;
	bool help;
	struct output output;
};

static void help(void)
{
	puts("usage: icbenchctl report FILE|DIR ... -o report.html\n"
	     "\n"
	     "Show results as an HTML page with plots and tables, which needs no other file: JSON\n"
	     "documents of run, suite and compare, and profiles and call stacks of\n"
	     "tests/vm/profile. Of a directory, all files *.json and *.folded are shown. Results\n"
	     "of one benchmark with the same parameters also become a history. gnuplot draws the\n"
	     "plots; without it, the page has tables only.\n"
	     "\n"
	     "  -o, --output FILE|-   the page\n"
	     "      --title TEXT      title of the page\n"
	     "      --quiet           no remarks");
}

static int take_once(const char **word, const char *option, const char *value)
{
	if (!value)
		return STATUS_USAGE;
	if (*word)
		return message_usage("%s: given twice; accepted: once", option);
	*word = value;
	return 0;
}

static int take(struct request *request, struct args *args)
{
	if (args->word) {
		request->path[request->paths++] = (char *)args->word;
		return 0;
	}
	if (args_is(args, "--output", "-o"))
		return take_once(&request->output.name, "--output",
				 args_value(args));
	if (args_is(args, "--title", NULL))
		return take_once(&request->title, "--title", args_value(args));
	if (args_is(args, "--quiet", NULL)) {
		message_quiet();
		return args_no_value(args);
	}
	return args_unknown(args, "report", options);
}

static int parse(struct request *request, char **argv)
{
	struct icb_reason why;
	struct args args;
	int status;

	args_begin(&args, argv + 2);
	while (args_next(&args)) {
		if (args_help(&args)) {
			request->help = true;
			return args_show_help(&args, help);
		}
		status = take(request, &args);
		if (status)
			return status;
	}
	if (!request->paths)
		return message_usage("report: no file; see icbenchctl report --help");
	if (!request->output.name)
		return message_usage("report: no output; accepted: -o FILE, -o -");
	if (output_check(&request->output, request->output.name, &why))
		return message_usage("%s", why.text);
	return 0;
}

static int report(struct request *request, struct inputs *inputs,
		  struct page *page)
{
	struct icb_reason why;
	int err;

	if (inputs_read(inputs, request->path, &why)) {
		message("%s", why.text);
		return STATUS_FAILED;
	}
	page_begin(page, request->title ? : "icbench report");
	report_make(page, inputs);
	err = page_draw(page, &why);
	if (err && err != -ENOENT) {
		message("%s", why.text);
		return STATUS_FAILED;
	}
	if (err)
		message_remark("no gnuplot: the report has tables only (Debian: gnuplot-nox)");
	return output_write(&request->output, page_print, page);
}

int cmd_report(char **argv)
{
	struct request request = { .output = OUTPUT_NONE };
	struct inputs inputs = { 0 };
	struct page page = { 0 };
	unsigned int words = 0;
	int status;

	while (argv[words])
		words++;
	request.path = alloc_zero(words + 1, sizeof(*request.path));
	status = parse(&request, argv);
	if (!status && !request.help)
		status = report(&request, &inputs, &page);
	page_free(&page);
	inputs_free(&inputs);
	output_free(&request.output);
	free(request.path);
	return status;
}
