/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of the stream that other files call. */
#ifndef ICB_STREAM_H
#define ICB_STREAM_H

#include "run.h"

void icb_stream_rehearse(struct icb_run *run);
int icb_stream_step(struct icb_run *run, u64 *now);
int icb_stream_wait(struct icb_run *run, unsigned int *polls, u64 now);
int icb_stream_respond(struct icb_run *run);
void icb_stream_arrived(struct icb_consumer *consumer, int err);
void icb_stream_catch_up(struct icb_run *run);

#endif /* ICB_STREAM_H */
