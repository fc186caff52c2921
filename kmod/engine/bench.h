/* SPDX-License-Identifier: GPL-2.0 */
/* The table of loops: one for each trigger of the next operation. */
#ifndef ICB_BENCH_H
#define ICB_BENCH_H

#include "result.h"
#include "run.h"

extern const struct icb_bench_ops icb_echo_ops;
extern const struct icb_bench_ops icb_stream_ops;
extern const struct icb_bench_ops icb_call_ops;
extern const struct icb_bench_ops icb_openloop_ops;

const struct icb_bench_ops *icb_bench_by_trigger(u32 trigger);
int icb_bench_check(const struct icb_params *params, struct icb_reason *why);

#endif /* ICB_BENCH_H */
