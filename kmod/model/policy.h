/* SPDX-License-Identifier: GPL-2.0 */
/* The rules of devices, and of the policy by which messages are distributed to them. */
#ifndef ICB_POLICY_H
#define ICB_POLICY_H

#include "engine.h"
#include "params.h"

int icb_devices_check(struct icb_params *params, struct icb_reason *why);
int icb_policy_check(struct icb_params *params, struct icb_reason *why);

#endif /* ICB_POLICY_H */
