/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether the CPUs of a run are left alone: by the scheduler, by its tick, by
 * another thread of the core, by the frequency governor.
 */
#ifndef ISOLATION_H
#define ISOLATION_H

#include "plan.h"

/**
 * enum isolate - what becomes of a run whose CPUs are not left alone
 * @ISOLATE_NO: nobody looks
 * @ISOLATE_WARN: it is said, and the run goes on
 * @ISOLATE_REQUIRE: it is said, and there is no run, unless it is no more than the tick
 * @ISOLATES: how many there are
 */
enum isolate {
	ISOLATE_NO,
	ISOLATE_WARN,
	ISOLATE_REQUIRE,
	ISOLATES,
};

extern const char *const isolate_words[ISOLATES];

/**
 * struct isolation - what was found of the CPUs of some runs
 * @finding: what is not as it should be, and what would be accepted; allocated
 * @count: how many
 * @bars: how many of them bar a run that needs its CPUs for itself
 */
struct isolation {
	char **finding;
	unsigned int count;
	unsigned int bars;
};

/* Where the kernel tells of its CPUs. */
extern const char *isolation_dir;

int isolate_parse(enum isolate *isolate, const char *word,
		  struct icb_reason *why);
int isolation_check(const struct plan *plan, struct icb_reason *why);
void isolation_look(struct isolation *isolation, const struct plan *plan);
void isolation_free(struct isolation *isolation);

#endif /* ISOLATION_H */
