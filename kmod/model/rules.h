/* SPDX-License-Identifier: GPL-2.0 */
/* The rules between parameters. */
#ifndef ICB_RULES_H
#define ICB_RULES_H

#include "engine.h"
#include "params.h"

u64 icb_callback_bytes(const struct icb_params *params);
int icb_params_check(struct icb_params *params, struct icb_reason *why);

#endif /* ICB_RULES_H */
