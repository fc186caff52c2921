/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REQUEST_H
#define REQUEST_H

#include "model/engine.h"

struct nl;
struct nl_msg;
struct nlmsghdr;

typedef int (*reply_fn)(void *to, struct nlmsghdr *msg, struct icb_reason *why);

struct nl_msg *request_new(const struct nl *nl, int cmd, int flags);
int request_no_memory(struct nl_msg *msg, struct icb_reason *why);
int request_send(struct nl *nl, struct nl_msg *msg, reply_fn reply,
		 void *to, bool *torn, struct icb_reason *why);
int request_about(struct nl *nl, int cmd, int attr, u32 id, reply_fn reply,
		  void *to, struct icb_reason *why);
int request_dump(struct nl *nl, int cmd, reply_fn reply,
		 void (*reset)(void *to), void *to, struct icb_reason *why);
int request_make(struct nl *nl, struct nl_msg *msg, int attr, u32 *id,
		 struct icb_reason *why);

#endif /* REQUEST_H */
