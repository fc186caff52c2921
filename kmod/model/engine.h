/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the engine takes from its surroundings. The loops in this folder are
 * freestanding: they see the kernel, or the C library, only through this
 * header, and reach a network only through endpoint.h, mem.h and clock.h of
 * the layer that they are compiled for. A layer in user space also brings the
 * few words of the kernel's that are used here, as freestanding.h.
 */
#ifndef ICB_ENGINE_H
#define ICB_ENGINE_H

#ifdef __KERNEL__

#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/types.h>
#include <asm/processor.h>

#include <uapi/linux/icbench.h>

#else
#include "base/freestanding.h"
#endif

/**
 * struct icb_reason - why something was refused or failed, in words
 * @text: one line without a newline; names what was wrong and what is accepted
 */
struct icb_reason {
	char text[200];
};

/**
 * icb_refuse() - write a reason and give the error that goes with it
 * @why: where to; may be NULL
 * @err: negative error number
 * @fmt: the words
 *
 * Return: @err.
 */
int __printf(3, 4) icb_refuse(struct icb_reason *why, int err,
			      const char *fmt, ...);

#endif /* ICB_ENGINE_H */
