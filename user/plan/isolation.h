/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether the CPUs of a run are isolated: from the scheduler, from its tick, from
 * another thread of the core, from the frequency governor.
 */
#ifndef ISOLATION_H
#define ISOLATION_H

#include "plan.h"

/**
 * enum isolate - action for a run whose CPUs are not isolated
 * @ISOLATE_NO: the CPUs are not examined
 * @ISOLATE_WARN: findings are printed, and the run is done
 * @ISOLATE_REQUIRE: findings are printed, and the run is refused if any of them is more
 *	than the tick
 * @ISOLATES: number of actions
 */
enum isolate {
	ISOLATE_NO,
	ISOLATE_WARN,
	ISOLATE_REQUIRE,
	ISOLATES,
};

extern const char *const isolate_words[ISOLATES];

/**
 * struct isolation - findings about the CPUs of some runs
 * @finding: descriptions of what is wrong and what would be accepted; allocated
 * @brief: each finding in a few words, such as "CPU 3 is not isolated"; allocated;
 *	NULL for a finding that bars no run
 * @count: number of findings
 * @blocking: number of findings that bar a run with ISOLATE_REQUIRE
 */
struct isolation {
	char **finding;
	char **brief;
	unsigned int count;
	unsigned int blocking;
};

/* Directory in which the kernel describes its CPUs. */
extern const char *isolation_dir;

int isolate_parse(enum isolate *isolate, const char *word,
		  struct icb_reason *why);
int isolation_check(const struct plan *plan, struct icb_reason *why);
bool isolation_choose(int node, u32 *cpu, u32 *other);
void isolation_look_cpu(struct isolation *isolation, u32 cpu);
void isolation_look(struct isolation *isolation, const struct plan *plan);
void isolation_free(struct isolation *isolation);

#endif /* ISOLATION_H */
