/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sections of a recipe: several measurements in one benchmark, each of which begins with
 * a line "[NAME]".
 */
#ifndef SECTION_H
#define SECTION_H

#include "plan.h"

struct keyfile;

/**
 * struct section - one measurement of a recipe that has several
 * @name: name of the section
 * @config: keys of the section, which prevail over the keys before the first section
 */
struct section {
	char *name;
	struct config config;
};

/**
 * struct sections - the measurements of a recipe
 * @section: the sections in order, allocated
 * @count: number of sections; 0 if the recipe is a single measurement
 * @runs: number of runs that the own keys of all sections but the last make
 */
struct sections {
	struct section *section;
	unsigned int count;
	unsigned int runs;
};

int section_begin(struct keyfile *file, struct sections *sections,
		  const char *name);
int section_key(struct keyfile *file, struct sections *sections,
		const char *key, const char *value);
unsigned int section_find(const struct sections *sections, const char *name);
int section_override(const struct sections *sections, struct config *config,
		     struct config *over, struct icb_reason *why);
int section_plan(const struct sections *sections, const struct config *common,
		 const struct sweep *baseline, struct plan *plan,
		 struct icb_reason *why);
size_t section_point(const struct sections *sections, const struct plan *plan,
		     unsigned int index, char *buf, size_t size);
void section_free(struct sections *sections);

#endif /* SECTION_H */
