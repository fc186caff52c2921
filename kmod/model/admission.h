/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rate limit of connection requests from hosts that are not authenticated yet: token
 * buckets, one for each source and one for all sources. A bucket is stored as the time at
 * which it is full again, so that no timer has to fill it.
 */
#ifndef ICB_ADMISSION_H
#define ICB_ADMISSION_H

#include "engine.h"

/* Number of buckets of sources; sources with the same hash modulo this share one. */
#define ICB_ADMISSION_SOURCES	64

/* Requests per second, and largest burst: of one source, and of all sources. */
#define ICB_ADMISSION_RATE	200
#define ICB_ADMISSION_BURST	128
#define ICB_ADMISSION_ALL_RATE	500
#define ICB_ADMISSION_ALL_BURST	256

/**
 * struct icb_admission - the buckets
 * @all: time at which the bucket of all sources is full again, ns
 * @source: times at which the buckets of sources are full again, ns
 */
struct icb_admission {
	u64 all;
	u64 source[ICB_ADMISSION_SOURCES];
};

bool icb_admission_take(struct icb_admission *admission, u32 hash, u64 now);

#endif /* ICB_ADMISSION_H */
