/* SPDX-License-Identifier: GPL-2.0 */
/* The phases of a stream. */
#ifndef ICB_PHASE_H
#define ICB_PHASE_H

#include "model/engine.h"

struct icb_run;

bool icb_stream_peer_behind(const struct icb_run *run);
bool icb_stream_next(struct icb_run *run);
void icb_stream_end(struct icb_run *run);

#endif /* ICB_PHASE_H */
