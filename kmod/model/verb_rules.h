/* SPDX-License-Identifier: GPL-2.0 */
/* The rules of each verb. */
#ifndef ICB_VERB_RULES_H
#define ICB_VERB_RULES_H

#include "engine.h"
#include "params.h"

int icb_verb_check(struct icb_params *params, struct icb_reason *why);
int icb_verb_refuse(const struct icb_params *params, const char *device,
		    u32 verbs, struct icb_reason *why);

#endif /* ICB_VERB_RULES_H */
