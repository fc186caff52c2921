/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TRACEFS_H
#define TRACEFS_H

#include <stdbool.h>
#include <stdio.h>

#include "model/engine.h"

/* Where the kernel has it: "/sys/kernel/tracing". Tests have one of their own. */
extern const char *tracefs_dir;

/**
 * struct tracefs - an instance of the kernel's tracing
 * @dir: its directory, allocated; NULL for none
 * @hold: of it, a descriptor that is locked: whose it is lives
 * @mounted: the file system was not mounted before
 * @missing: events that this kernel does not have: "irq_vectors, ipi"
 */
struct tracefs {
	char *dir;
	int hold;
	bool mounted;
	char missing[160];
};

unsigned int tracefs_buffer_kb(long cpus);
int tracefs_begin(struct tracefs *fs, u32 owner, struct icb_reason *why);
int tracefs_start(struct tracefs *fs, struct icb_reason *why);
bool tracefs_stopped(const struct tracefs *fs);
int tracefs_copy(const struct tracefs *fs, FILE *f);
void tracefs_end(struct tracefs *fs);

#endif /* TRACEFS_H */
