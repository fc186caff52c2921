// SPDX-License-Identifier: GPL-2.0
/*
 * icbenchctl compare: compare results of two kernels, or of two versions of one. Needs
 * neither the module nor root.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/args.h"
#include "base/message.h"
#include "base/output.h"
#include "base/status.h"
#include "plan/suite.h"
#include "commands.h"
#include "compare/comparison.h"
#include "compare/formats.h"

#define THRESHOLD_MAX	1000

#define NOT_OF_A_SUITE							\
	"--suite: not two directories; accepted: two directories of icbenchctl suite"

static const char *const options[] = {
	"--base", "--new", "--suite", "--threshold", "--metric", "--force",
	"--json", "--ktap", "--junit", "--help", NULL,
};

/**
 * struct names - a list of words
 * @name: array of words, ending in NULL, each allocated
 * @count: number of words
 */
struct names {
	char **name;
	unsigned int count;
};

/**
 * struct request - the command line
 * @paths: files or directories of each side
 * @words: number of sides that are given as words
 * @metrics: names of the wanted metrics
 * @suite: name of the suite whose figures are compared; NULL for none
 * @threshold: least change that is a regression, percent; negative for the default
 * @force: true to compare in spite of differences
 * @ktap: true to print KTAP
 * @help: true to print the help
 * @json: output in JSON
 * @junit: output in JUnit XML
 */
struct request {
	struct names paths[SIDES];
	unsigned int words;
	struct names metrics;
	const char *suite;
	double threshold;
	bool force;
	bool ktap;
	bool help;
	struct output json;
	struct output junit;
};

static void help(void)
{
	puts("usage: icbenchctl compare BASE.json[,...] NEW.json[,...]\n"
	     "       icbenchctl compare BASE-DIR NEW-DIR\n"
	     "       icbenchctl compare --base FILE|DIR ... --new FILE|DIR ...\n"
	     "\n"
	     "Compare results, such as of two kernels: each metric of each point that has the\n"
	     "same parameters on both sides. Several files of a side are repeats of one run.\n"
	     "Of two directories of icbenchctl suite, the files of the same name are compared.\n"
	     "\n"
	     "      --base FILE|DIR   result to compare with; can be repeated\n"
	     "      --new FILE|DIR    result to compare; can be repeated\n"
	     "      --suite NAME      compare the figures that this suite names; both sides are\n"
	     "                        directories of the suite\n"
	     "      --threshold PCT   least change for the worse that is a regression, percent\n"
	     "                        (5; 1 if the clocks count instructions)\n"
	     "      --metric NAME     only this metric or figure: latency, latency.p50; can be\n"
	     "                        repeated\n"
	     "      --force           compare in spite of differences between the environments\n"
	     "                        or the parameters\n"
	     "      --json FILE|-     also write the comparison in JSON\n"
	     "      --ktap            print KTAP instead of text, a test for each figure\n"
	     "      --junit FILE|-    also write JUnit XML, a test case for each figure\n"
	     "\n"
	     "Exit status: 0 no regression; 4 a regression; 5 the results cannot be compared;\n"
	     "2 bad usage.");
}

static void add_name(struct names *names, const char *name, size_t len)
{
	names->name = alloc_grow(names->name, names->count,
				 sizeof(*names->name));
	names->name[names->count++] = alloc_copy(name, len);
}

/* Add the names of a list that is separated by commas. */
static int add_list(struct names *names, const char *list, const char *what)
{
	size_t len;

	for (;; list += len + 1) {
		len = strcspn(list, ",");
		if (!len)
			return message_usage("compare: %s has an empty name; accepted: \"A,B\"",
					     what);
		add_name(names, list, len);
		if (!list[len])
			return 0;
	}
}

static int take_threshold(struct request *request, const char *value)
{
	char *end;

	request->threshold = strtod(value, &end);
	if (end == value || *end || !isfinite(request->threshold) ||
	    request->threshold < 0 || request->threshold > THRESHOLD_MAX)
		return message_usage("--threshold: \"%.40s\" is no percentage; accepted: 0 to %u",
				     value, THRESHOLD_MAX);
	return 0;
}

static int take_suite(struct request *request, const char *value)
{
	if (request->suite)
		return message_usage("--suite: given twice; accepted: one suite");
	request->suite = value;
	return 0;
}

static int take_output(struct output *output, const char *option,
		       const char *value)
{
	if (output->name)
		return message_usage("%s: given twice; accepted: one file",
				     option);
	output->name = value;
	return 0;
}

static int take_value(struct request *request, struct args *args)
{
	const char *value = args_value(args);

	if (!value)
		return STATUS_USAGE;
	if (args_is(args, "--base", NULL))
		return add_list(&request->paths[SIDE_BASE], value, "--base");
	if (args_is(args, "--new", NULL))
		return add_list(&request->paths[SIDE_NEW], value, "--new");
	if (args_is(args, "--threshold", NULL))
		return take_threshold(request, value);
	if (args_is(args, "--suite", NULL))
		return take_suite(request, value);
	if (args_is(args, "--metric", NULL))
		return add_list(&request->metrics, value, "--metric");
	if (args_is(args, "--json", NULL))
		return take_output(&request->json, "--json", value);
	return take_output(&request->junit, "--junit", value);
}

static int take_switch(const struct args *args, bool *wanted)
{
	*wanted = true;
	return args_no_value(args);
}

static int take(struct request *request, struct args *args)
{
	static const char *const valued[] = {
		"--base", "--new", "--suite", "--threshold", "--metric",
		"--json", "--junit",
	};
	unsigned int i;

	if (args->word) {
		if (request->words == SIDES)
			return args_unknown(args, "compare", options);
		return add_list(&request->paths[request->words++], args->word,
				"a list of files");
	}
	if (args_is(args, "--force", NULL))
		return take_switch(args, &request->force);
	if (args_is(args, "--ktap", NULL))
		return take_switch(args, &request->ktap);
	for (i = 0; i < ARRAY_SIZE(valued); i++)
		if (args_is(args, valued[i], NULL))
			return take_value(request, args);
	return args_unknown(args, "compare", options);
}

/* End the lists, and refuse a command line that lacks a side or has two outputs in one. */
static int check_request(struct request *request)
{
	struct icb_reason why;
	unsigned int outputs;

	if (!request->paths[SIDE_BASE].count || !request->paths[SIDE_NEW].count)
		return message_usage("compare: no %s result; see icbenchctl compare --help",
				     request->paths[SIDE_BASE].count ? "new" : "base");
	if ((request->json.name &&
	     output_check(&request->json, request->json.name, &why)) ||
	    (request->junit.name &&
	     output_check(&request->junit, request->junit.name, &why)))
		return message_usage("%s", why.text);
	outputs = request->json.is_stdout + request->junit.is_stdout +
		  request->ktap;
	if (outputs > 1)
		return message_usage("compare: several formats on standard output; accepted: one");
	if (request->json.target && request->junit.target &&
	    !strcmp(request->json.target, request->junit.target))
		return message_usage("--json and --junit: both to %.100s; accepted: two files",
				     request->json.target);
	return 0;
}

static int parse(struct request *request, char **argv)
{
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
	return check_request(request);
}

static void write_json(FILE *f, const void *comparison)
{
	comparison_json(f, comparison);
}

static void write_junit(FILE *f, const void *comparison)
{
	comparison_junit(f, comparison);
}

static int print(struct request *request, const struct comparison *comparison)
{
	int json, junit;

	if (request->ktap)
		comparison_ktap(stdout, comparison);
	else if (!request->json.is_stdout && !request->junit.is_stdout)
		comparison_text(stdout, comparison);
	json = output_write(&request->json, write_json, comparison);
	junit = output_write(&request->junit, write_junit, comparison);
	return json ? json : junit;
}

static int refuse(const char *reason)
{
	message("%s", reason);
	return STATUS_INCOMPARABLE;
}

/* Refuse documents with differences, and name the first one. */
static int refuse_notes(const struct notes *notes)
{
	if (notes->count > 1)
		message("%s (and %u difference%s more); --force compares all the same",
			notes->text[0], notes->count - 1,
			notes->count > 2 ? "s" : "");
	else
		message("%s; --force compares all the same", notes->text[0]);
	return STATUS_INCOMPARABLE;
}

/* Return: the experiment whose result has a file name; NULL if there is none. */
static const struct suite_item *find_item(const struct suite *suite,
					  const char *file)
{
	const struct suite_item *item;
	size_t len;

	for (item = suite->item; item < suite->item + suite->count; item++) {
		len = strlen(item->name);
		if (!strncmp(item->name, file, len) && !strcmp(file + len, ".json"))
			return item;
	}
	return NULL;
}

static char *no_item(const char *name, const struct suite *suite)
{
	return alloc_text("--suite: %.100s belongs to no experiment of the suite %.60s",
			  name, suite->name);
}

/*
 * Keep the figures that the suite names for each of its experiments. Of an experiment
 * without names, keep the figures that have a direction.
 * Return: NULL; or the reason of a refusal, for the caller to free().
 */
static char *select_suite(struct comparison *comparison,
			  const struct suite *suite)
{
	const struct groups *groups = &comparison->groups;
	const struct suite_item *item;
	char *refusal;
	unsigned int i;

	if (!groups->is_suite)
		return alloc_text("%s", NOT_OF_A_SUITE);
	for (i = 0; i < groups->count; i++) {
		item = find_item(suite, groups->group[i].name);
		if (!item)
			return no_item(groups->group[i].name, suite);
		refusal = comparison_select_file(comparison, groups->group[i].name,
						 item->figures);
		if (refusal)
			return refusal;
	}
	return NULL;
}

/* Keep the figures that the user wants; refuse names that no figure has. */
static int choose(const struct request *request, const struct suite *suite,
		  struct comparison *comparison)
{
	char *refusal = NULL;
	int status;

	if (request->suite)
		refusal = select_suite(comparison, suite);
	/* a selection without names removes figures of the suite that have no direction */
	if (!refusal && (!request->suite || request->metrics.count))
		refusal = comparison_select(comparison, request->metrics.name);
	if (!refusal)
		return STATUS_DONE;
	status = message_usage("%s", refusal);
	free(refusal);
	return status;
}

static int compare(struct request *request, const struct suite *suite,
		   struct comparison *comparison)
{
	char *const *const paths[SIDES] = {
		request->paths[SIDE_BASE].name, request->paths[SIDE_NEW].name,
	};
	struct icb_reason why;
	int status;

	if (comparison_read(comparison, paths, &why))
		return refuse(why.text);
	if (comparison->notes.count && !request->force)
		return refuse_notes(&comparison->notes);
	comparison_make(comparison, request->threshold);
	status = choose(request, suite, comparison);
	if (status)
		return status;
	if (!comparison->rows)
		return refuse("the results have no figure in common to compare");
	comparison_count(comparison);
	status = print(request, comparison);
	if (status)
		return status;
	if (comparison->regressions)
		return STATUS_REGRESSION;
	if (comparison->verdicts[VERDICT_NOT_COMPARABLE] == comparison->rows) {
		message("no figure is comparable: %s: %s; accepted: a longer run, or repeats",
			comparison->row[0].name,
			comparison->row[0].difference.why_not);
		return STATUS_INCOMPARABLE;
	}
	return STATUS_DONE;
}

static void free_names(struct names *names)
{
	unsigned int i;

	for (i = 0; i < names->count; i++)
		free(names->name[i]);
	free(names->name);
}

/* Add the NULL behind a list. */
static void end_names(struct names *names)
{
	names->name = alloc_grow(names->name, names->count,
				 sizeof(*names->name));
}

int cmd_compare(char **argv)
{
	struct request request = {
		.threshold = -1,
		.json = OUTPUT_NONE,
		.junit = OUTPUT_NONE,
	};
	struct comparison comparison = { 0 };
	struct suite suite = { 0 };
	struct icb_reason why;
	int status;

	status = parse(&request, argv);
	end_names(&request.paths[SIDE_BASE]);
	end_names(&request.paths[SIDE_NEW]);
	end_names(&request.metrics);
	if (!status && !request.help && request.suite &&
	    suite_load(&suite, request.suite, &why))
		status = message_usage("%s", why.text);
	if (!status && !request.help)
		status = compare(&request, &suite, &comparison);
	comparison_free(&comparison);
	suite_free(&suite);
	output_free(&request.json);
	output_free(&request.junit);
	free_names(&request.paths[SIDE_BASE]);
	free_names(&request.paths[SIDE_NEW]);
	free_names(&request.metrics);
	return status;
}
