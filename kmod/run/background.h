/* SPDX-License-Identifier: GPL-2.0 */
/* Measures how busy the host is without a run. */
#ifndef ICB_BACKGROUND_H
#define ICB_BACKGROUND_H

struct icb_side;

void icb_background_measure(struct icb_side *side);

#endif /* ICB_BACKGROUND_H */
