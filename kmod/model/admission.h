/* SPDX-License-Identifier: GPL-2.0 */
/*
 * At what rate hosts that have shown nothing yet are let in: token buckets, one
 * of each source and one of all. A bucket is kept as the time at which it is full
 * again, so that nothing has to fill it.
 */
#ifndef ICB_ADMISSION_H
#define ICB_ADMISSION_H

#include "engine.h"

/* Buckets of sources, which share them by their hash. */
#define ICB_ADMISSION_SOURCES	64

/* A second's requests, and those at once: of one source, and of all. */
#define ICB_ADMISSION_RATE	200
#define ICB_ADMISSION_BURST	128
#define ICB_ADMISSION_ALL_RATE	500
#define ICB_ADMISSION_ALL_BURST	256

/**
 * struct icb_admission - the buckets
 * @all: when the bucket of all sources is full again, ns
 * @source: the same of the sources of each hash
 */
struct icb_admission {
	u64 all;
	u64 source[ICB_ADMISSION_SOURCES];
};

bool icb_admission_take(struct icb_admission *admission, u32 hash, u64 now);

#endif /* ICB_ADMISSION_H */
