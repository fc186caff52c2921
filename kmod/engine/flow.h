/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The operations of a side on each of its QPs. With several QPs, a ping-pong uses the
 * next QP for each message, and a stream has a window on each QP.
 */
#ifndef ICB_FLOW_H
#define ICB_FLOW_H

#include "model/engine.h"

struct icb_result;
struct icb_run;

void icb_result_flows(struct icb_result *result, const struct icb_run *run);

#endif /* ICB_FLOW_H */
