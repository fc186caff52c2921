/* SPDX-License-Identifier: GPL-2.0 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "base/output.h"
#include "plan/config.h"
#include "plan/isolation.h"
#include "plan/recipe.h"

struct text_format;

/**
 * struct options - options of the command line of icbenchctl run or suite
 * @command: "run" or "suite"; set before the command line is parsed
 * @bench: benchmark or suite, by name or path
 * @config: keys of the benchmark
 * @load: keys of the load that runs beside the benchmark
 * @loads: true while the option that is being parsed is a key of @load
 * @json: output of the result in JSON
 * @csv: output of the result in CSV
 * @json_name: file name for @json, not checked yet; NULL if not given
 * @csv_name: file name for @csv, not checked yet; NULL if not given
 * @trace_name: file name for the kernel trace, not checked yet; NULL if not given
 * @all: true for all sizes, up to the limit of the devices
 * @verbose: true if the details of each point of a sweep are printed, too
 * @format: format of the text
 * @quiet: true if neither progress nor remarks are printed, and no text with a JSON or CSV
 *	output
 * @dry: true if the runs are printed only
 * @help: true if only the help is printed
 * @dir: directory for the results of a suite; NULL for the default
 * @list: true if the commands of a suite are listed, and nothing is run
 * @isolate: action if the CPUs of a run are not isolated
 * @isolates: true if @isolate was given
 * @budget: limits of the latency, and of the CPU time, of a message
 * @repeat: number of runs of each point; 0 if not given
 * @token_name: file that the token was read from; NULL for none
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
	const struct text_format *format;
	bool quiet;
	bool dry;
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
const struct icb_param *options_param(const char *option);
void options_help(void);
void options_free(struct options *options);

#endif /* OPTIONS_H */
