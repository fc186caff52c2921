/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ICB_LISTENING_H
#define ICB_LISTENING_H

#include <linux/socket.h>
#include <linux/types.h>

struct icb_answer;
struct icb_job;
struct icb_listener;
struct icb_listener_limits;
struct icb_reason;

int icb_listeners_init(int (*serve)(struct icb_job *job,
				    struct icb_reason *why),
		       void (*refused)(struct icb_listener *listener,
				       const char *peer, const char *why));
void icb_listeners_exit(void);
struct icb_listener *icb_listener_new(const struct sockaddr_storage *addr,
				      const struct icb_listener_limits *limits,
				      struct icb_job *initiator,
				      struct icb_reason *why);
int icb_listener_delete(struct icb_listener *listener,
			struct icb_answer *answer, struct icb_reason *why);
void icb_listener_close(struct icb_listener *listener);
void icb_listener_drop(struct icb_listener *listener);
void icb_listeners_orphan(u32 owner);

#endif /* ICB_LISTENING_H */
