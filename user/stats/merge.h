/* SPDX-License-Identifier: GPL-2.0 */
#ifndef MERGE_H
#define MERGE_H

#include "metric.h"

void merge_hist(struct icb_hist *hist, const struct icb_hist *other);
void merge_metrics(struct metrics *all, const struct metrics *const *part,
		   unsigned int parts);
void merge_repeats(struct metrics *all, const struct metrics *const *part,
		   unsigned int parts);

#endif /* MERGE_H */
