/* SPDX-License-Identifier: GPL-2.0 */
/* What must be true after every run, whatever became of it. */
#ifndef CHECK_H
#define CHECK_H

#include "pair.h"

const char *check_pair(const struct pair *pair);
const char *check_complete(const struct pair *pair);
const char *check_stream(const struct pair *pair);
const char *check_stream_complete(const struct pair *pair);

/* What does not hold, in words. */
#define HOLDS(condition)	((condition) ? NULL : #condition)

const char *check_first(const char *const *wrong, size_t count);
unsigned int check_driver(const struct pair *pair);
bool check_same(const struct icb_hist *a, const struct icb_hist *b);

#endif /* CHECK_H */
