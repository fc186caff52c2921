/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of the open loop that other files call. */
#ifndef ICB_OPENLOOP_H
#define ICB_OPENLOOP_H

#include "model/engine.h"

struct icb_params;
struct icb_run;

u32 icb_openloop_slots(const struct icb_params *params);
void icb_openloop_due(struct icb_run *run);

#endif /* ICB_OPENLOOP_H */
