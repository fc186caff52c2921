/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a side has begun on each of its QPs. Where a run has several, a ping-pong
 * goes to the next one with each message; a stream has a window on each.
 */
#ifndef ICB_FLOW_H
#define ICB_FLOW_H

#include "model/engine.h"

struct icb_result;
struct icb_run;

void icb_result_flows(struct icb_result *result, const struct icb_run *run);

#endif /* ICB_FLOW_H */
