/* SPDX-License-Identifier: GPL-2.0 */
/* Replies and dumps of the generic netlink family. */
#ifndef ICB_REPLY_H
#define ICB_REPLY_H

#include <linux/types.h>

struct genl_family;
struct genl_info;
struct icb_answer;
struct icb_reason;
struct netlink_callback;
struct sk_buff;

/* Defined and registered in netlink.c. */
extern struct genl_family icb_nl_family;

struct sk_buff *icb_nl_reply(struct genl_info *info, void **hdr);
struct sk_buff *icb_nl_reply_room(struct genl_info *info, size_t room,
				  void **hdr);
int icb_nl_send(struct sk_buff *msg, void *hdr, struct genl_info *info,
		int err);
int icb_nl_send_id(struct sk_buff *msg, void *hdr, struct genl_info *info,
		   int attr, u32 id);
int icb_nl_answer_later(struct sk_buff *skb, struct genl_info *info,
			struct icb_answer **answer);
int icb_nl_answered(struct genl_info *info, struct icb_answer *answer, int err,
		    const struct icb_reason *why);
void *icb_nl_dump_begin(struct sk_buff *skb, struct netlink_callback *cb,
			u8 cmd);
bool icb_nl_dump_end(struct sk_buff *skb, void *hdr, int err);

#endif /* ICB_REPLY_H */
