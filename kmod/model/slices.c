// SPDX-License-Identifier: GPL-2.0
#include "slices.h"

/* Busy time in a second, ns. A slice that lasted for long would overflow a product. */
static u64 load_of(const struct icb_slice *slice)
{
	return mul_u64_u64_div_u64(slice->busy, 1000000000, slice->ns);
}

/**
 * icb_slices_median() - get the slice with the median load
 * @slice: the slices
 * @median: takes the slice
 *
 * Return: false if the busy time or the length of a slice is not known, or the number of
 * CPUs has changed.
 */
bool icb_slices_median(const struct icb_slice slice[ICB_SLICES],
		       struct icb_slice *median)
{
	const struct icb_slice *order[ICB_SLICES];
	unsigned int i, at;

	for (i = 0; i < ICB_SLICES; i++) {
		if (!slice[i].cpus || slice[i].cpus != slice[0].cpus ||
		    !slice[i].ns)
			return false;
		for (at = i; at && load_of(&slice[i]) < load_of(order[at - 1]);
		     at--)
			order[at] = order[at - 1];
		order[at] = &slice[i];
	}
	*median = *order[ICB_SLICES / 2];
	return true;
}
