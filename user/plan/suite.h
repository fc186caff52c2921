/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SUITE_H
#define SUITE_H

#include "config.h"

/* Maximum number of runs of all experiments together. */
#define SUITE_MAX	100000

/**
 * struct suite_item - one experiment of a suite
 * @name: name of the experiment and of its result's file
 * @recipe: name or file of the recipe that is run
 * @config: keys that prevail over the recipe's keys
 * @repeat: number of runs of each point; 0 if not set
 * @figures: names of the metrics or figures to compare, ending in NULL, each allocated; NULL
 *	if not set
 * @line: number of the line where the experiment begins in the suite's file
 */
struct suite_item {
	char *name;
	char *recipe;
	struct config config;
	unsigned int repeat;
	char **figures;
	unsigned int line;
};

/**
 * struct suite - experiments that belong together
 * @name: name of the file without ".suite"
 * @path: path of the file
 * @title: title, one line
 * @about: paragraph about the suite; NULL for none
 * @item: the experiments, in order
 * @count: number of experiments
 * @runs: number of runs that the own keys of all experiments but the last make
 *
 * The strings and @item are allocated.
 */
struct suite {
	char *name;
	char *path;
	char *title;
	char *about;
	struct suite_item *item;
	unsigned int count;
	unsigned int runs;
};

int suite_load(struct suite *suite, const char *name, struct icb_reason *why);
int suite_parse(struct suite *suite, char *data, size_t len,
		struct icb_reason *why);
void suite_free(struct suite *suite);

#endif /* SUITE_H */
