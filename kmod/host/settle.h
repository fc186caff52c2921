/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's allocator, before a run warms up. */
#ifndef ICB_SETTLE_H
#define ICB_SETTLE_H

#include <linux/types.h>

void icb_settle_packets(u32 bytes, bool tcp);
void icb_settle_blocks(void);

#endif /* ICB_SETTLE_H */
