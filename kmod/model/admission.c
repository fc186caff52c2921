// SPDX-License-Identifier: GPL-2.0
#include "admission.h"

#define NS_PER_SECOND	1000000000ULL

/* Time at which a bucket is full again after one more request; 0 if it is empty. */
static u64 full_after(u64 full, u64 now, u64 rate, u64 burst)
{
	u64 share = div64_u64(NS_PER_SECOND, rate);

	full = max_t(u64, full, now) + share;
	return full - now > burst * share ? 0 : full;
}

/**
 * icb_admission_take() - take a token for one request
 * @admission: the buckets; zeroed before the first call; one caller at a time
 * @hash: hash of the address that the request comes from
 * @now: monotonic time, ns
 *
 * A request for which its source has no token takes none from the common bucket, so that
 * one source with many requests does not block the others.
 *
 * Return: true if the request may be served.
 */
bool icb_admission_take(struct icb_admission *admission, u32 hash, u64 now)
{
	u64 *source = &admission->source[hash % ICB_ADMISSION_SOURCES];
	u64 mine = full_after(*source, now, ICB_ADMISSION_RATE,
			      ICB_ADMISSION_BURST);
	u64 all = full_after(admission->all, now, ICB_ADMISSION_ALL_RATE,
			     ICB_ADMISSION_ALL_BURST);

	if (!mine || !all)
		return false;
	*source = mine;
	admission->all = all;
	return true;
}
