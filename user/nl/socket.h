/* SPDX-License-Identifier: GPL-2.0 */
/* The connection to the module, for the files of this directory. */
#ifndef SOCKET_H
#define SOCKET_H

#include <sys/types.h>

#include "model/engine.h"

struct nl_sock;
struct nlmsghdr;

/**
 * struct nl - a connection to the module
 * @request: socket for requests; owns the jobs and listeners made through it
 * @events: socket for events; NULL before nl_events_open()
 * @family: number of the module's generic netlink family
 * @group: multicast group of the module's events
 * @seq: sequence number of the last request
 * @buf: last datagram received on @request, allocated
 * @event_buf: last datagram received on @events, allocated
 * @next: next message in @event_buf to be returned
 * @left: length of the messages from @next on, bytes
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
