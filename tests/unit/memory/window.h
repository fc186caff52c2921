/* SPDX-License-Identifier: GPL-2.0 */
/* Checks of a stream at each post and at each poll of its CQ. */
#ifndef WINDOW_H
#define WINDOW_H

#include "net.h"

bool window_yields(const struct icb_run *run);
void window_post(struct icb_ep *ep, unsigned int count);
void window_take(struct icb_ep *ep);

#endif /* WINDOW_H */
