/* SPDX-License-Identifier: GPL-2.0 */
/* A connection to the module, as the files of this room see it. */
#ifndef SOCKET_H
#define SOCKET_H

#include <sys/types.h>

#include "model/engine.h"

struct nl_sock;
struct nlmsghdr;

/**
 * struct nl - a connection to the module
 * @request: socket for requests; owns the jobs and listeners made through it
 * @events: socket for events; NULL until asked for
 * @family: of the module's messages
 * @group: of its events
 * @seq: of the last request
 * @buf: what was received last, allocated
 * @event_buf: the same of events
 * @next: the event that was not handed out yet
 * @left: bytes there
 */
struct nl {
	struct nl_sock *request;
	struct nl_sock *events;
	int family;
	int group;
	u32 seq;
	void *buf;
	void *event_buf;
	struct nlmsghdr *next;
	int left;
};

ssize_t socket_receive(struct nl_sock *sock, void **buf, int flags);
struct nl_sock *socket_open(struct icb_reason *why);

#endif /* SOCKET_H */
