// SPDX-License-Identifier: GPL-2.0
#include "admission.h"

#define NS_PER_SECOND	1000000000ULL

/* When a bucket is full once a request has been taken from it; 0 where none is left. */
static u64 full_after(u64 full, u64 now, u64 rate, u64 burst)
{
	u64 share = div64_u64(NS_PER_SECOND, rate);

	full = max_t(u64, full, now) + share;
	return full - now > burst * share ? 0 : full;
}

/**
 * icb_admission_take() - ask for a place for one more request
 * @admission: zeroed at first; one caller at a time
 * @hash: of the address that the request comes from
 * @now: ns, which never goes back
 *
 * A request that its source has no place for takes none from the others, so that
 * one source that asks without end does not keep others out.
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
