/* SPDX-License-Identifier: GPL-2.0 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "base/output.h"
#include "plan/config.h"
#include "plan/isolation.h"
#include "plan/recipe.h"

/**
 * struct options - what the command line of icbenchctl run, or suite, says
 * @command: "run" or "suite"; set before the rest is read
 * @bench: the benchmark, or the suite
 * @config: its keys
 * @load: those of what runs meanwhile
 * @loads: whether the option that is being read is one of these
 * @json: where the result goes in JSON
 * @csv: where it goes in CSV
 * @json_name: the same, before it is looked at
 * @csv_name: the same
 * @trace_name: where the trace goes, likewise; NULL if that is not said
 * @all: whether the sizes are "all" there are, as far as the device can
 * @verbose: whether to show what a sweep leaves out
 * @help: whether to help, and to do nothing else
 * @dir: of a suite: where its results go; NULL for where they go unless asked
 * @list: of a suite: whether to list what is in it, and to run nothing
 * @isolate: what becomes of a run whose CPUs are not left alone
 * @isolates: that is said
 * @budget: what one is ready to give for a message
 * @repeat: how often each point is run; 0 if that is not said
 * @token_name: the file that the token came from; NULL for none
 */
struct options {
	const char *command;
	const char *bench;
	struct config config;
	struct config load;
	bool loads;
	struct output json;
	struct output csv;
	const char *json_name;
	const char *csv_name;
	const char *trace_name;
	bool all;
	bool verbose;
	bool help;
	const char *dir;
	bool list;
	enum isolate isolate;
	bool isolates;
	struct budget budget;
	unsigned int repeat;
	const char *token_name;
};

int options_parse(struct options *options, char **argv);
bool options_is_suite(const struct options *options);
void options_help(void);
void options_free(struct options *options);

#endif /* OPTIONS_H */
