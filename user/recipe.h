/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECIPE_H
#define RECIPE_H

#include "config.h"

struct keyfile;

/* Most metrics that a row has beside its times. */
#define RECIPE_COLUMNS	4

/**
 * struct recipe - a named benchmark, or the user's own
 * @name: its name, the file's without ".icb"
 * @path: its file
 * @title: what it is, in a line
 * @about: what it measures, in a paragraph; NULL where it says nothing
 * @baseline: what the other points are compared with, one value of a key;
 *	@baseline.param is NULL for none
 * @knee: the key by which a metric of several runs is looked at for where it
 *	falls; NULL for none
 * @knee_metric: that metric
 * @column: numbers that a row has beside its times: metrics
 * @columns: how many
 * @config: the keys that it sets
 *
 * The strings are allocated.
 */
struct recipe {
	char *name;
	char *path;
	char *title;
	char *about;
	struct sweep baseline;
	const struct icb_param *knee;
	char *knee_metric;
	char *column[RECIPE_COLUMNS];
	unsigned int columns;
	struct config config;
};

int recipe_load(struct recipe *recipe, const char *name,
		struct icb_reason *why);
int recipe_parse(struct recipe *recipe, char *data, size_t len,
		 struct icb_reason *why);
int recipe_key(struct keyfile *file, struct config *config, const char *others,
	       const char *key, const char *value);
void recipe_free(struct recipe *recipe);

#endif /* RECIPE_H */
