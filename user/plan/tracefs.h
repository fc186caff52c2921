/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TRACEFS_H
#define TRACEFS_H

#include <stdbool.h>
#include <stdio.h>

#include "model/engine.h"

/* Mount point of tracefs: "/sys/kernel/tracing"; tests set a directory of their own. */
extern const char *tracefs_dir;

/**
 * struct tracefs - an instance of the kernel's tracing
 * @dir: directory of the instance, allocated; NULL for none
 * @hold: locked descriptor of @dir; the lock shows that the owner is alive
 * @mounted: true if tracefs_begin() has mounted the file system
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
