/* SPDX-License-Identifier: GPL-2.0 */
/* What must be true after every run, whatever became of it. */
#ifndef CHECK_H
#define CHECK_H

#include "pair.h"

const char *check_pair(const struct pair *pair);
const char *check_complete(const struct pair *pair);

#endif /* CHECK_H */
