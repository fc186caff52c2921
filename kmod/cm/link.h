/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Delays the destruction of QPs while the network interface of an iWARP device goes down.
 */
#ifndef ICB_LINK_H
#define ICB_LINK_H

struct ib_device;

int icb_link_init(void);
void icb_link_exit(void);
void icb_link_enter(const struct ib_device *ibdev);
void icb_link_leave(const struct ib_device *ibdev);

#endif /* ICB_LINK_H */
