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

/**
 * struct icb_flow - the operations of a side on one QP
 * @index: of the QP
 * @unsignalled: posts until the next one that asks for a completion
 * @seq: operations begun
 * @acked: those that have completed
 * @base: @seq when the present phase began
 * @done: those that were measured, once it is behind that
 * @fill: its window is to be filled, however little room there is
 */
struct icb_flow {
	u32 index;
	u32 unsignalled;
	u64 seq;
	u64 acked;
	u64 base;
	u64 done;
	bool fill;
};

/**
 * struct icb_turn - the QPs of a run, one after the other
 * @index: the one whose turn it is
 * @signal: what is posted in this round asks for its completion
 */
struct icb_turn {
	u32 index;
	bool signal;
};

void icb_result_flows(struct icb_result *result, const struct icb_run *run);

#endif /* ICB_FLOW_H */
