/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The acknowledgment of a netlink request that is given later, by whoever does last what was
 * asked for. Nobody waits for that in the request itself, which has generic netlink's lock: if
 * a family comes or goes meanwhile, all generic netlink of the host waits for that.
 */
#ifndef ICB_ANSWER_H
#define ICB_ANSWER_H

#include <linux/errno.h>

struct genl_info;
struct icb_answer;
struct sk_buff;

/* What a handler returns that has given its answer away: the kernel says nothing, then. */
#define ICB_ANSWER_LATER	(-EINTR)

struct icb_answer *icb_answer_new(struct sk_buff *skb, struct genl_info *info);
void icb_answer_give(struct icb_answer *answer);
void icb_answer_drop(struct icb_answer *answer);

#endif /* ICB_ANSWER_H */
