// SPDX-License-Identifier: GPL-2.0
#include "means.h"

/**
 * icb_means_begin() - initialize the batches of a mean
 * @means: the batches
 * @size: increase of the caller's count in the first batch; not 0
 */
void icb_means_begin(struct icb_means *means, u64 size)
{
	memset(means, 0, sizeof(*means));
	means->size = size;
	means->end = size;
}

static void join(struct icb_means *means)
{
	unsigned int i;

	for (i = 0; i < ICB_MEANS / 2; i++) {
		means->over[i] = means->over[2 * i] + means->over[2 * i + 1];
		means->under[i] = means->under[2 * i] + means->under[2 * i + 1];
	}
	means->count = ICB_MEANS / 2;
	means->size *= 2;
}

/**
 * icb_means_end() - complete a batch of a mean
 * @means: the batches; the caller's count has reached @means->end
 * @over: running total of the dividend; may have wrapped
 * @under: running total of the divisor
 *
 * Any context that owns @means. No division; a loop once in ICB_MEANS / 2 batches.
 */
void icb_means_end(struct icb_means *means, u64 over, u64 under)
{
	means->over[means->count] = over - means->over_before;
	means->under[means->count] = under - means->under_before;
	means->over_before = over;
	means->under_before = under;
	if (++means->count == ICB_MEANS)
		join(means);
	means->end += means->size;
}

/**
 * icb_means_plausible() - check batches that a peer reports
 * @means: the batches
 * @over: largest total of the dividends
 * @under: largest total of the divisors
 *
 * Return: true if no batch is empty, and the batches are not more than these totals.
 */
bool icb_means_plausible(const struct icb_means *means, u64 over, u64 under)
{
	u32 i;

	for (i = 0; i < means->count; i++) {
		if (!means->over[i] || !means->under[i] || means->over[i] > over ||
		    means->under[i] > under)
			return false;
		over -= means->over[i];
		under -= means->under[i];
	}
	return true;
}
