/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECIPE_H
#define RECIPE_H

#include "config.h"
#include "isolation.h"
#include "plan.h"
#include "section.h"

/* Runs of each point where figures are subtracted from each other. */
#define REPEAT_DEFAULT	3

struct derivation;
struct keyfile;

/* Most metrics that a row has beside its times. */
#define RECIPE_COLUMNS	4

/* Most runs that bracket a knee further. */
#define REFINE_MAX	64

/**
 * struct budget - what one is ready to give for a message
 * @latency: median of its latency, at most, ns; 0 for whatever it takes
 * @cpu: CPU time, at most, ns; 0 for whatever it takes
 */
struct budget {
	u64 latency;
	u64 cpu;
};

/**
 * struct recipe - a named benchmark, or the user's own
 * @name: its name, the file's without ".icb"
 * @path: its file
 * @title: what it is, in a line
 * @about: what it measures, in a paragraph; NULL where it says nothing
 * @reading: how to read what comes of it, in a paragraph; NULL where it says nothing
 * @published: what others have measured, likewise
 * @baseline: what the other points are compared with, one value of a key;
 *	@baseline.param is NULL for none
 * @knee: the key by which a metric of several runs is looked at for where it
 *	falls; NULL for none
 * @knee_metric: that metric
 * @refine: runs, of each curve at most, that bracket its knee further; 0 for none
 * @startup: an open loop's start-up is found and cut off
 * @column: numbers that a row has beside its times: metrics
 * @columns: how many
 * @derivation: what is worked out of all its runs; NULL for nothing
 * @config: the keys that it sets
 * @load: those of what runs meanwhile; empty for nothing
 * @sections: its measurements, where it has several
 * @isolate: what becomes of it where its CPUs are not left alone
 * @isolates: that is said
 * @budget: what it is to choose by, where it chooses
 * @repeat: how often each point is run; 0 where that is not said
 *
 * The strings are allocated.
 */
struct recipe {
	char *name;
	char *path;
	char *title;
	char *about;
	char *reading;
	char *published;
	struct sweep baseline;
	const struct icb_param *knee;
	char *knee_metric;
	unsigned int refine;
	bool startup;
	char *column[RECIPE_COLUMNS];
	unsigned int columns;
	const struct derivation *derivation;
	struct config config;
	struct config load;
	struct sections sections;
	enum isolate isolate;
	bool isolates;
	struct budget budget;
	unsigned int repeat;
};

int recipe_budget(struct budget *budget, const char *key, const char *value,
		  struct icb_reason *why);
int recipe_load(struct recipe *recipe, const char *name,
		struct icb_reason *why);
int recipe_parse(struct recipe *recipe, char *data, size_t len,
		 struct icb_reason *why);
int recipe_override(struct recipe *recipe, struct config *over,
		    struct icb_reason *why);
int recipe_plan(const struct recipe *recipe, struct plan *plan,
		struct icb_reason *why);
void recipe_free(struct recipe *recipe);

#endif /* RECIPE_H */
