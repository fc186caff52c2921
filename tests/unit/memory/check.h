/* SPDX-License-Identifier: GPL-2.0 */
/* Checks of a run after its end. */
#ifndef CHECK_H
#define CHECK_H

#include "pair.h"

const char *check_pair(const struct pair *pair);
const char *check_complete(const struct pair *pair);
const char *check_stream(const struct pair *pair);
const char *check_stream_complete(const struct pair *pair);

/* Check a condition: NULL if it is true, else its text. */
#define HOLDS(condition)	((condition) ? NULL : #condition)

const char *check_first(const char *const *wrong, size_t count);
unsigned int check_driver(const struct pair *pair);
bool check_hist_equal(const struct icb_hist *a, const struct icb_hist *b);

#endif /* CHECK_H */
