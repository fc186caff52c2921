/* SPDX-License-Identifier: GPL-2.0 */
/* Prepares the kernel's allocator before the warm-up of a run. */
#ifndef ICB_SETTLE_H
#define ICB_SETTLE_H

#include <linux/types.h>

void icb_settle_packets(u32 bytes, bool tcp);
void icb_settle_blocks(void);

#endif /* ICB_SETTLE_H */
