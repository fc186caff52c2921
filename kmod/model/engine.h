/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The environment of model/ and engine/, which are also compiled for user space. They use
 * the kernel, or the C library, only through this header; the network, clock and causes
 * only through io/endpoint.h, host/clock.h and host/disturb.h, which each environment
 * implements. In user space base/freestanding.h replaces the kernel headers. model/wire.h
 * needs byte order functions, too, which icbenchctl does not have.
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
#include <linux/stringify.h>
#include <linux/types.h>
#include <asm/processor.h>

#include <uapi/linux/icbench.h>
#include <uapi/rdma/ib_user_ioctl_verbs.h>
#include <uapi/rdma/ib_user_verbs.h>

#else
#include "base/freestanding.h"
#endif

/**
 * struct icb_reason - the text of a refusal or failure
 * @text: one line without a newline, with the cause and the accepted values
 */
struct icb_reason {
	char text[200];
};

/**
 * icb_refuse() - write a reason and return its error number
 * @why: the reason to write; may be NULL
 * @err: negative error number
 * @fmt: format of the text
 *
 * Return: @err.
 */
int __printf(3, 4) icb_refuse(struct icb_reason *why, int err,
			      const char *fmt, ...);

#endif /* ICB_ENGINE_H */
