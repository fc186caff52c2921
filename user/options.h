/* SPDX-License-Identifier: GPL-2.0 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "config.h"
#include "output.h"

/**
 * struct options - what the command line of icbenchctl run says
 * @bench: the benchmark
 * @config: its keys
 * @json: where the result goes in JSON
 * @csv: where it goes in CSV
 * @json_name: the same, before it is looked at
 * @csv_name: the same
 * @all: whether the sizes are "all" there are, as far as the device can
 * @sges: whether max-sges was given
 * @verbose: whether to show what a sweep leaves out
 * @help: whether to help, and to do nothing else
 */
struct options {
	const char *bench;
	struct config config;
	struct output json;
	struct output csv;
	const char *json_name;
	const char *csv_name;
	bool all;
	bool sges;
	bool verbose;
	bool help;
};

int options_parse(struct options *options, char **argv);
void options_help(void);
void options_free(struct options *options);

#endif /* OPTIONS_H */
