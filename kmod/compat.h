/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The only place that knows kernel versions: everything else sees one kernel.
 */
#ifndef ICB_COMPAT_H
#define ICB_COMPAT_H

#include <linux/sched.h>
#include <linux/thread_info.h>
#include <linux/version.h>
#include <crypto/blake2s.h>
#include <net/genetlink.h>

/* The operation that pre_doit and post_doit are told about. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
typedef struct genl_split_ops icb_genl_op;
#else
typedef struct genl_ops icb_genl_op;
#endif

/* Keyed BLAKE2s over one buffer. */
static inline void icb_blake2s(u8 *out, size_t outlen, const u8 *in,
			       size_t inlen, const u8 *key, size_t keylen)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 19, 0)
	blake2s(key, keylen, in, inlen, out, outlen);
#else
	blake2s(out, in, key, outlen, inlen, keylen);
#endif
}

/*
 * Whether somebody else is to run on this CPU. Where preemption is lazy, a
 * plain need_resched() stays false until the next tick.
 */
static inline bool icb_should_yield(void)
{
#ifdef TIF_NEED_RESCHED_LAZY
	if (test_thread_flag(TIF_NEED_RESCHED_LAZY))
		return true;
#endif
	return need_resched();
}

#endif /* ICB_COMPAT_H */
