/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's types and macros that the engine uses, for user space. */
#ifndef FREESTANDING_H
#define FREESTANDING_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <linux/icbench.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

#define U32_MAX			UINT32_MAX
#define U64_MAX			UINT64_MAX
#define BIT(n)			(1UL << (n))
#define BIT_ULL(n)		(1ULL << (n))
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define noinline		__attribute__((__noinline__))
#ifndef __always_inline
#define __always_inline		inline __attribute__((__always_inline__))
#endif
#define READ_ONCE(x)		(*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v)	(*(volatile __typeof__(x) *)&(x) = (v))
#define smp_mb()		__atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_rmb()		__atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_load_acquire(ptr)	__atomic_load_n(ptr, __ATOMIC_ACQUIRE)
#define smp_store_release(ptr, val)	\
	__atomic_store_n(ptr, val, __ATOMIC_RELEASE)
#define __printf(a, b)		__attribute__((format(printf, a, b)))
#define static_assert		_Static_assert
#define __stringify_1(x...)	#x
#define __stringify(x...)	__stringify_1(x)

#define container_of(ptr, type, member)	\
	((type *)((char *)(ptr) - offsetof(type, member)))
#define sizeof_field(t, f)	sizeof(((t *)0)->f)
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define roundup(n, to)		(DIV_ROUND_UP(n, to) * (to))
#define min_t(t, a, b)		((t)(a) < (t)(b) ? (t)(a) : (t)(b))
#define max_t(t, a, b)		((t)(a) > (t)(b) ? (t)(a) : (t)(b))

#define cmpxchg(ptr, old, new) ({					\
	__typeof__(*(ptr)) icb_old_ = (old);				\
	__atomic_compare_exchange_n(ptr, &icb_old_, new, 0,		\
				    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
	icb_old_; })

static inline int fls64(u64 v)
{
	return v ? 64 - __builtin_clzll(v) : 0;
}

static inline unsigned long __fls(unsigned long v)
{
	return sizeof(v) * 8 - 1 - __builtin_clzl(v);
}

static inline void cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	asm volatile("yield" ::: "memory");
#endif
}

/* Nothing to do: a user-space thread is preemptible. */
static inline void cond_resched(void)
{
}

static inline u64 div64_u64(u64 a, u64 b)
{
	return a / b;
}

static inline u64 mul_u64_u32_shr(u64 a, u32 b, unsigned int shift)
{
	return (u64)((__uint128_t)a * b >> shift);
}

static inline u64 mul_u64_u64_div_u64(u64 a, u64 b, u64 c)
{
	return (u64)((__uint128_t)a * b / c);
}

/* The square root, rounded down, by the kernel's bitwise algorithm. */
static inline u32 int_sqrt64(u64 x)
{
	u64 root = 0, bit = 1ULL << 62;

	for (; bit; bit >>= 2) {
		if (x >= root + bit) {
			x -= root + bit;
			root = (root >> 1) + bit;
		} else {
			root >>= 1;
		}
	}
	return (u32)root;
}

#endif /* FREESTANDING_H */
