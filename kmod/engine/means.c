// SPDX-License-Identifier: GPL-2.0
#include "means.h"

/**
 * icb_means_begin() - no batch yet
 * @means: which
 * @size: by how much the caller's count grows in a batch; not 0
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
 * icb_means_end() - a batch is complete
 * @means: whose @end has come
 * @over: running total of what is divided; may have wrapped
 * @under: running total of what it is divided by
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
