/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPARE_SIDE_H
#define COMPARE_SIDE_H

#include "document.h"

/**
 * struct side - the documents of one side of a group
 * @doc: array of documents, allocated
 * @count: number of documents
 */
struct side {
	struct document *doc;
	unsigned int count;
};

/* The two sides of a comparison. */
enum side_index {
	SIDE_BASE,
	SIDE_NEW,
	SIDES,
};

/**
 * struct group - documents that are compared with each other
 * @name: name of the files in the directories of a suite, allocated; NULL for files
 * @side: documents of each side
 */
struct group {
	char *name;
	struct side side[SIDES];
};

/**
 * struct groups - all documents of a comparison
 * @group: array of groups, allocated
 * @count: number of groups
 * @is_suite: true if the sides are directories
 */
struct groups {
	struct group *group;
	unsigned int count;
	bool is_suite;
};

int groups_read(struct groups *groups, char *const *const paths[SIDES],
		struct icb_reason *why);
void groups_free(struct groups *groups);

#endif /* COMPARE_SIDE_H */
