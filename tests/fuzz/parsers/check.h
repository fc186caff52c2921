/* SPDX-License-Identifier: GPL-2.0 */
#ifndef CHECK_H
#define CHECK_H

#include "plan/recipe.h"

void check_reason(int err, const struct icb_reason *why);
void check_sweep(const struct sweep *sweep);
void check_runs(const struct recipe *recipe);
void check_plan(const struct config *config, const struct sweep *baseline);

#endif /* CHECK_H */
