/* SPDX-License-Identifier: GPL-2.0 */
/* The rules of each trigger. */
#ifndef ICB_TRIGGER_H
#define ICB_TRIGGER_H

#include "engine.h"
#include "params.h"

int icb_trigger_check(struct icb_params *params, struct icb_reason *why);
bool icb_trigger_local(unsigned int attr);

#endif /* ICB_TRIGGER_H */
