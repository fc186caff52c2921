/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SUITE_H
#define SUITE_H

#include "config.h"

/* Most runs of all experiments together. */
#define SUITE_MAX	100000

/**
 * struct suite_item - one experiment of a suite
 * @name: its name, and that of its result's file
 * @recipe: the benchmark that it is
 * @config: the keys that prevail over the recipe's
 * @repeat: how often each point is run; 0 where that is not said
 * @line: of the file, where it begins
 */
struct suite_item {
	char *name;
	char *recipe;
	struct config config;
	unsigned int repeat;
	unsigned int line;
};

/**
 * struct suite - experiments that belong together
 * @name: its name, the file's without ".suite"
 * @path: its file
 * @title: what it is, in a line
 * @about: what there is to say of it, in a paragraph; NULL where it says nothing
 * @item: the experiments, in order
 * @count: how many
 * @runs: those that the keys of all but the last make
 *
 * All of it is allocated.
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
