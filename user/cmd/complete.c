// SPDX-License-Identifier: GPL-2.0
/*
 * icbenchctl complete: the possible completions of a command line. The completions of all
 * shells (user/completion) take the commands and options from here.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/args.h"
#include "base/datafile.h"
#include "base/status.h"
#include "commands.h"
#include "model/params.h"
#include "plan/load.h"
#include "run/options.h"

#define DEVICES	"/sys/class/infiniband"

/* Value of an option: none, a file, a suite or its file, a listed word, or anything else. */
enum takes {
	TAKES_NOTHING,
	TAKES_FILE,
	TAKES_SUITE,
	TAKES_WORDS,
	TAKES_ANY,
};

/**
 * struct option - an option of a command
 * @name: the option with its dashes
 * @letter: short form; NULL for none
 * @takes: kind of its value
 * @words: accepted words, separated by blanks, with TAKES_WORDS
 * @help: description in a few words
 */
struct option {
	const char *name;
	const char *letter;
	enum takes takes;
	const char *words;
	const char *help;
};

/* Arguments of a command that are not options. */
enum words {
	WORDS_NONE,
	WORDS_BENCHMARK,
	WORDS_SUITE,
	WORDS_FILES,
	WORDS_COMMAND,
};

/**
 * struct description - arguments and options of a command
 * @name: the command
 * @words: arguments that are not options
 * @keys: true if the keys of a run are options
 * @loads: true if the keys of a load are options
 * @option: options of the command; the last has no name
 */
struct description {
	const char *name;
	enum words words;
	bool keys;
	bool loads;
	struct option option[16];
};

#define HELP	{ "--help", "-h", TAKES_NOTHING, NULL, "print the help" }
#define JSON	{ "--json", NULL, TAKES_NOTHING, NULL, "in JSON" }
#define TOKEN	{ "--token-file", NULL, TAKES_FILE, NULL, "file with the secret" }
#define ISOLATE	{ "--isolate", NULL, TAKES_WORDS, "no warn require", \
		  "check that the CPUs are isolated" }
#define REPEAT	{ "--repeat", NULL, TAKES_ANY, NULL, "runs of each point" }
#define QUIET	{ "--quiet", NULL, TAKES_NOTHING, NULL, "no progress and no remarks" }
#define DRY	{ "--dry-run", NULL, TAKES_NOTHING, NULL, "print the runs only" }

static const struct description descriptions[] = {
	{ .name = "run", .words = WORDS_BENCHMARK, .keys = true, .loads = true,
	  .option = {
		ISOLATE, REPEAT, TOKEN, QUIET, DRY, HELP,
		{ "--format", NULL, TAKES_WORDS, "compact full perftest",
		  "format of the text" },
		{ "--json", NULL, TAKES_FILE, NULL, "file for the result in JSON" },
		{ "--csv", NULL, TAKES_FILE, NULL, "file for the result in CSV" },
		{ "--trace", NULL, TAKES_FILE, NULL, "file for the kernel's trace" },
		{ "--budget-latency", NULL, TAKES_ANY, NULL, "largest latency" },
		{ "--budget-cpu", NULL, TAKES_ANY, NULL, "largest CPU time" },
		{ "--verbose", "-v", TAKES_NOTHING, NULL, "all details of a sweep" },
	  } },
	{ .name = "suite", .words = WORDS_SUITE, .keys = true,
	  .option = {
		ISOLATE, REPEAT, TOKEN, QUIET, DRY, HELP,
		{ "--output", "-o", TAKES_FILE, NULL, "directory of the results" },
		{ "--list", NULL, TAKES_NOTHING, NULL, "print the commands only" },
	  } },
	{ .name = "compare", .words = WORDS_FILES,
	  .option = {
		HELP,
		{ "--base", NULL, TAKES_FILE, NULL, "result to compare with" },
		{ "--new", NULL, TAKES_FILE, NULL, "result to compare" },
		{ "--suite", NULL, TAKES_SUITE, NULL, "only the figures of this suite" },
		{ "--threshold", NULL, TAKES_ANY, NULL, "least regression, per cent" },
		{ "--metric", NULL, TAKES_ANY, NULL, "only this metric or figure" },
		{ "--force", NULL, TAKES_NOTHING, NULL, "compare in spite of differences" },
		{ "--json", NULL, TAKES_FILE, NULL, "file for the comparison in JSON" },
		{ "--ktap", NULL, TAKES_NOTHING, NULL, "print KTAP" },
		{ "--junit", NULL, TAKES_FILE, NULL, "file for JUnit XML" },
	  } },
	{ .name = "report", .words = WORDS_FILES,
	  .option = {
		HELP, QUIET,
		{ "--output", "-o", TAKES_FILE, NULL, "the page" },
		{ "--title", NULL, TAKES_ANY, NULL, "title of the page" },
	  } },
	{ .name = "list",
	  .option = {
		HELP, JSON,
		{ "--suites", NULL, TAKES_NOTHING, NULL, "only the suites" },
		{ "--names", NULL, TAKES_NOTHING, NULL, "only the names" },
	  } },
	{ .name = "show", .words = WORDS_BENCHMARK,
	  .option = {
		HELP,
		{ "--keys", NULL, TAKES_NOTHING, NULL, "every key, for programs" },
	  } },
	{ .name = "devices", .option = { HELP, JSON } },
	{ .name = "doctor",
	  .option = {
		HELP, TOKEN,
		{ "--cm-port", "-p", TAKES_ANY, NULL,
		  "connection manager port of the peer" },
	  } },
	{ .name = "serve",
	  .option = {
		HELP, TOKEN,
		{ "--bind", NULL, TAKES_ANY, NULL, "address to listen at" },
		{ "--port", "-p", TAKES_ANY, NULL, "connection manager port" },
		{ "--max-memory", NULL, TAKES_ANY, NULL, "buffers of all peers" },
		{ "--max-qps", NULL, TAKES_ANY, NULL, "data QPs of all peers" },
	  } },
	{ .name = "jobs", .option = { HELP, JSON } },
	{ .name = "stop", .option = { HELP } },
	{ .name = "monitor", .option = { HELP, JSON } },
	{ .name = "complete", .option = { HELP } },
	{ .name = "help", .words = WORDS_COMMAND },
};

static void help(void)
{
	puts("usage: icbenchctl complete -- WORD ...\n"
	     "\n"
	     "Print the possible completions of the last WORD, one per line, with a description\n"
	     "after a tab. The words are those after \"icbenchctl\" on a command line; the last may\n"
	     "be empty. A line \":files\" means names of files. A line \":nospace\" means that the\n"
	     "completed word may continue without a blank. The completions of bash, zsh and fish\n"
	     "use this command.");
}

/**
 * struct request - the word to complete
 * @word: the last value of the word
 * @kept: the part of the word before @word: "--verb=" or "send,"
 * @len: length of @kept, bytes
 */
struct request {
	const char *word;
	const char *kept;
	size_t len;
};

static void offer(const struct request *request, const char *word, size_t len,
		  const char *text)
{
	size_t typed = strlen(request->word);

	if (len < typed || strncmp(word, request->word, typed))
		return;
	printf("%.*s%.*s%s%s\n", (int)request->len, request->kept, (int)len, word,
	       text && *text ? "\t" : "", text ? : "");
}

static void offer_word(const struct request *request, const char *word,
		       const char *text)
{
	offer(request, word, strlen(word), text);
}

static void offer_words(const struct request *request, const char *words)
{
	size_t len;

	for (; *words; words += len + strspn(words + len, " ")) {
		len = strcspn(words, " ");
		offer(request, words, len, NULL);
	}
}

static void offer_datafiles(const struct request *request,
			    const struct datafile_kind *kind)
{
	char **names = datafile_names(kind);
	unsigned int i;

	for (i = 0; names && names[i]; i++)
		offer_word(request, names[i], kind->what);
	datafile_names_free(names);
}

static void offer_devices(const struct request *request)
{
	const struct dirent *entry;
	DIR *dir = opendir(DEVICES);

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			offer_word(request, entry->d_name, "RDMA device");
	if (dir)
		closedir(dir);
}

static void offer_commands(const struct request *request)
{
	const struct command *command;

	for (command = commands; command->name; command++)
		offer_word(request, command->name, command->help);
}

/* Let @request->word be the last value of a list. */
static void skip_list(struct request *request)
{
	const char *comma = strrchr(request->word, ',');

	if (!comma)
		return;
	request->len += comma + 1 - request->word;
	request->word = comma + 1;
}

static void offer_param_value(struct request *request,
			      const struct icb_param *param)
{
	unsigned int i;

	if (param->flags & ICB_PARAM_SWEEP)
		skip_list(request);
	if (param->attr == ICBENCH_A_PARAMS_DEVICE)
		offer_devices(request);
	if (param->type == ICB_PARAM_PLACE)
		offer_words(request, "any device node:");
	if (param->type != ICB_PARAM_WORD)
		return;
	for (i = 0; param->words[i]; i++)
		offer_word(request, param->words[i], NULL);
	if (param->flags & ICB_PARAM_SWEEP)
		puts(":nospace");
}

static const struct option *find_option(const struct description *description,
					const char *name)
{
	const struct option *option;

	for (option = description->option; option->name; option++)
		if (!strcmp(option->name, name) ||
		    (option->letter && !strcmp(option->letter, name)))
			return option;
	return NULL;
}

static const struct icb_param *find_param(const struct description *description,
					  const char *name)
{
	const struct icb_param *param;

	if (!description->keys)
		return NULL;
	param = options_param(name);
	if (!param && description->loads && !strncmp(name, "--", 2))
		param = load_param(name + 2);
	return param && param->type != ICB_PARAM_BYTES ? param : NULL;
}

/* Return: true if the word is the value of an option, even if no completion of it is known. */
static bool offer_value(const struct description *description, const char *name,
			struct request *request)
{
	const struct option *option = find_option(description, name);
	const struct icb_param *param = option ? NULL : find_param(description, name);

	if (param) {
		/* a switch may be followed by a value or by another option */
		if (config_is_switch(param) && *request->word == '-')
			return false;
		offer_param_value(request, param);
		return true;
	}
	if (!option || option->takes == TAKES_NOTHING)
		return false;
	if (option->takes == TAKES_SUITE)
		offer_datafiles(request, &datafile_suite);
	if (option->takes == TAKES_SUITE || option->takes == TAKES_FILE)
		puts(":files");
	if (option->takes == TAKES_WORDS)
		offer_words(request, option->words);
	return true;
}

static void offer_options(const struct description *description,
			  const struct request *request)
{
	const struct option *option;
	const struct icb_param *param;
	char *name;
	unsigned int i;

	for (option = description->option; option->name; option++)
		offer_word(request, option->name, option->help);
	for (i = 0; description->keys && i < icb_param_count; i++) {
		param = &icb_param_table[i];
		if (param->type == ICB_PARAM_BYTES)
			continue;
		name = alloc_text("--%s", param->name);
		offer_word(request, name, param->help);
		free(name);
		/* the keys of a load would double the list */
		name = alloc_text("--" LOAD_PREFIX "%s", param->name);
		if (description->loads && load_param(name + 2) &&
		    !strncmp(request->word, "--l", 3))
			offer_word(request, name, param->help);
		free(name);
	}
}

static const struct description *find_description(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(descriptions); i++)
		if (!strcmp(descriptions[i].name, name))
			return &descriptions[i];
	return NULL;
}

/* True if the benchmark or suite of the command is already given. */
static bool has_word(char **words, unsigned int count)
{
	return count > 2 && words[1][0] != '-';
}

static void offer_plain(const struct description *description,
			const struct request *request, char **words,
			unsigned int count)
{
	switch (description->words) {
	case WORDS_BENCHMARK:
	case WORDS_SUITE:
		if (has_word(words, count))
			return;
		offer_datafiles(request, description->words == WORDS_SUITE ?
				&datafile_suite : &datafile_recipe);
		puts(":files");
		break;
	case WORDS_FILES:
		puts(":files");
		break;
	case WORDS_COMMAND:
		if (count == 2)
			offer_commands(request);
		break;
	case WORDS_NONE:
		break;
	}
}

/* @words: the command, its arguments, and last the word to complete. */
static void complete_command(char **words, unsigned int count)
{
	const struct description *description = find_description(words[0]);
	struct request request = { .word = words[count - 1] };
	const char *equals = strchr(request.word, '=');
	char *name;

	if (!description)
		return;
	if (!strncmp(request.word, "--", 2) && equals) {
		name = alloc_text("%.*s", (int)(equals - request.word), request.word);
		request.kept = request.word;
		request.len = equals + 1 - request.word;
		request.word = equals + 1;
		offer_value(description, name, &request);
		free(name);
		return;
	}
	request.kept = request.word;
	if (count > 2 && words[count - 2][0] == '-' &&
	    offer_value(description, words[count - 2], &request))
		return;
	if (*request.word == '-')
		offer_options(description, &request);
	else
		offer_plain(description, &request, words, count);
}

int cmd_complete(char **argv)
{
	static const char *const options[] = { "--help", NULL };
	struct request request = { .kept = "" };
	unsigned int count = 0;
	struct args args;
	char **words = argv + 2;

	args_begin(&args, argv + 2);
	if (!*words || strcmp(*words, "--")) {
		if (args_next(&args) && args_help(&args))
			return args_show_help(&args, help);
		return args.word || args.name ?
			args_unknown(&args, "complete", options) : STATUS_DONE;
	}
	words++;
	while (words[count])
		count++;
	if (count > 1) {
		complete_command(words, count);
		return STATUS_DONE;
	}
	request.word = count ? words[0] : "";
	offer_commands(&request);
	offer_words(&request, "help --help --version");
	return STATUS_DONE;
}
