/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Several measurements in one benchmark: the parts of a recipe that begin with
 * "[NAME]".
 */
#ifndef SECTION_H
#define SECTION_H

#include "plan.h"

struct keyfile;

/**
 * struct section - one measurement of a recipe that has several
 * @name: its name
 * @config: the keys that prevail over those before the first section
 */
struct section {
	char *name;
	struct config config;
};

/**
 * struct sections - the measurements of a recipe
 * @section: they, in order, allocated
 * @count: how many; 0 where the recipe is but one
 * @runs: those that the keys of all but the last make, whatever is given
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
