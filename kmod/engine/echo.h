/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of the ping-pong that other files call. */
#ifndef ICB_ECHO_H
#define ICB_ECHO_H

#include "run.h"

void icb_echo_rehearse(struct icb_run *run);

#endif /* ICB_ECHO_H */
