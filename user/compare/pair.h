/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPARE_PAIR_H
#define COMPARE_PAIR_H

#include "condition.h"

struct json_object;

/**
 * struct pair - a point with the same parameters in all documents of a group
 * @group: the group
 * @title: section, and the parameters that vary in the group; empty if none, allocated
 * @point: the point in each document of each side; each array is allocated
 */
struct pair {
	const struct group *group;
	char *title;
	struct json_object **point[SIDES];
};

/**
 * struct pairs - all points of a comparison
 * @pair: array of points, allocated
 * @count: number of points
 */
struct pairs {
	struct pair *pair;
	unsigned int count;
};

void pairs_find(struct pairs *pairs, const struct groups *groups,
		struct notes *notes);
void pairs_free(struct pairs *pairs);

#endif /* COMPARE_PAIR_H */
