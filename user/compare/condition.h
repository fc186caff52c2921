/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPARE_CONDITION_H
#define COMPARE_CONDITION_H

#include "model/engine.h"
#include "side.h"

/**
 * struct notes - differences that make documents incomparable
 * @text: array of texts, each allocated
 * @count: number of texts
 */
struct notes {
	char **text;
	unsigned int count;
};

void __printf(2, 3) notes_add(struct notes *notes, const char *fmt, ...);
void notes_free(struct notes *notes);
void conditions_check(struct notes *notes, const struct groups *groups);
char *condition_machine(const struct document *doc);

#endif /* COMPARE_CONDITION_H */
