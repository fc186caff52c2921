/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Acknowledges a netlink request after its handler has returned, once the request is
 * done. The handler must not wait for that: it holds generic netlink's lock, and if a
 * family is registered or unregistered meanwhile, all generic netlink of the host waits
 * for the handler.
 */
#ifndef ICB_ANSWER_H
#define ICB_ANSWER_H

#include <linux/errno.h>

struct genl_info;
struct icb_answer;
struct sk_buff;

/* Result of a handler whose acknowledgment follows later: netlink sends none for it. */
#define ICB_ANSWER_LATER	(-EINTR)

struct icb_answer *icb_answer_new(struct sk_buff *skb, struct genl_info *info);
void icb_answer_send(struct icb_answer *answer);
void icb_answer_free(struct icb_answer *answer);

#endif /* ICB_ANSWER_H */
