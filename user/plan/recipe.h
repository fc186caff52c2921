/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RECIPE_H
#define RECIPE_H

#include "config.h"
#include "isolation.h"
#include "plan.h"
#include "published.h"
#include "section.h"

/* Default number of runs of each point if figures are subtracted from each other. */
#define REPEAT_DEFAULT	3

struct derivation;
struct keyfile;

/* Maximum number of metrics that a row shows beside its times. */
#define RECIPE_COLUMNS	4

/* Maximum number of runs that narrow down a knee. */
#define REFINE_MAX	64

/**
 * struct budget - limits on the latency and CPU time of a message
 * @latency: maximum median latency, ns; 0 for no limit
 * @cpu: maximum CPU time per message, ns; 0 for no limit
 */
struct budget {
	u64 latency;
	u64 cpu;
};

/**
 * struct recipe - a named benchmark, or the user's own
 * @name: name of the file without ".icb"
 * @path: path of the file
 * @title: title, one line
 * @about: paragraph on what is measured; NULL for none
 * @reading: paragraph on how to read the results; NULL for none
 * @published: paragraph on published measurements; NULL for none
 * @figure: array of published figures, allocated
 * @figures: number of figures in @figure
 * @baseline: value of a key that other points are compared with;
 *	@baseline.param is NULL for none
 * @knee: key whose values are searched for the knee of @knee_metric; NULL for none
 * @knee_metric: metric whose knee is searched; NULL for none
 * @refine: maximum number of runs that narrow down the knee of each curve; 0 for none
 * @startup: true if the start-up of an open loop is to be found and cut off
 * @column: names of the metrics that a row shows beside its times
 * @columns: number of names in @column
 * @derivation: derivation from all runs; NULL for none
 * @config: keys that the recipe sets
 * @load: keys of the load that runs at the same time; empty for no load
 * @sections: measurements of a recipe that has several
 * @isolate: action if the CPUs of a run are not isolated
 * @isolates: true if the recipe sets @isolate
 * @budget: limits for the choice of a mode
 * @repeat: number of runs of each point; 0 if not set
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
	struct published *figure;
	unsigned int figures;
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
