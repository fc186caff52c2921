/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Computing between posting and polling: a thread keeps its CPU busy for a given time,
 * without access to memory.
 */
#ifndef ICB_COMPUTE_H
#define ICB_COMPUTE_H

#include "model/engine.h"

struct icb_compute;
struct icb_run;

void icb_compute_prepare(struct icb_run *run);
void icb_compute_begin(struct icb_compute *compute, u64 now);
void icb_compute(struct icb_run *run);

#endif /* ICB_COMPUTE_H */
