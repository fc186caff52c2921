/* SPDX-License-Identifier: GPL-2.0 */
/* The rules of the devices of a run, and of how it shares messages out to them. */
#ifndef ICB_POLICY_H
#define ICB_POLICY_H

#include "engine.h"
#include "params.h"

int icb_devices_check(struct icb_params *params, struct icb_reason *why);
int icb_policy_check(struct icb_params *params, struct icb_reason *why);

#endif /* ICB_POLICY_H */
