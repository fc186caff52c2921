/* SPDX-License-Identifier: GPL-2.0 */
#ifndef EXTACK_H
#define EXTACK_H

struct icb_reason;
struct nlmsghdr;

int extack_no_permission(struct icb_reason *why, int err);
int extack_error(struct nlmsghdr *msg, struct icb_reason *why);
int extack_done(struct nlmsghdr *msg, struct icb_reason *why);

#endif /* EXTACK_H */
