/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SAVED_H
#define SAVED_H

#include <stdbool.h>

#include "plan.h"

bool saved_exists(const char *path);
bool saved_is_complete(const char *path, char **argv, const struct plan *plan,
		       struct icb_reason *why);

#endif /* SAVED_H */
