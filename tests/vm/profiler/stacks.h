/* SPDX-License-Identifier: GPL-2.0 */
#ifndef STACKS_H
#define STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct qemu_plugin_insn;

/* In insn.c: end QEMU with a message; allocate zeroed memory, or end QEMU. */
void die(const char *what);
void *allocate(size_t n, size_t size);

/* Count each execution of a kernel instruction for the call stack of that time. */
void stacks_follow(struct qemu_plugin_insn *insn, uint64_t address);

/* Begin or end counting. */
void stacks_count(bool on);

/* Write what was counted. */
void stacks_write(FILE *file);

#endif /* STACKS_H */
