// SPDX-License-Identifier: GPL-2.0
#include <sys/socket.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>

#include "decode.h"
#include "events.h"
#include "extack.h"
#include "socket.h"

/* Size of the receive buffer: it holds a burst of events of many jobs. */
#define EVENT_BYTES	0x100000

static const struct field refusal_fields[] = {
	{ FIELD(struct nl_refusal, id, LISTEN_ID), U32, .needed = true },
	{ FIELD(struct nl_refusal, peer, LISTEN_PEER),
	  TEXT(struct nl_refusal, peer) },
	{ FIELD(struct nl_refusal, reason, LISTEN_REASON),
	  TEXT(struct nl_refusal, reason) },
	{ .name = NULL }
};

/**
 * nl_events_open() - subscribe to the events of jobs and listeners
 * @nl: the connection
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int nl_events_open(struct nl *nl, struct icb_reason *why)
{
	int err;

	nl->group = genl_ctrl_resolve_grp(nl->request, ICBENCH_FAMILY_NAME,
					  ICBENCH_MCGRP_JOBS);
	if (nl->group < 0)
		return decode_refuse(why, "lacks the events \"%s\"",
				     ICBENCH_MCGRP_JOBS);
	nl->events = socket_open(why);
	if (!nl->events)
		return -EIO;
	nl_socket_set_buffer_size(nl->events, EVENT_BYTES, 0);
	err = nl_socket_add_membership(nl->events, nl->group);
	if (err == -NLE_PERM)
		return extack_no_permission(why, -EPERM);
	if (err)
		return icb_refuse(why, -EPERM, "cannot receive the events of jobs: %s",
				  nl_geterror(err));
	return 0;
}

/**
 * nl_events_fd() - get the file descriptor to poll() for events
 * @nl: the connection, with nl_events_open()
 *
 * Return: a file descriptor, owned by @nl.
 */
int nl_events_fd(const struct nl *nl)
{
	return nl_socket_get_fd(nl->events);
}

static int decode_event(const struct nl *nl, struct nlmsghdr *msg,
			struct nl_event *event, struct icb_reason *why)
{
	struct nlattr *attrs;
	int len;

	attrs = decode_message(msg, &len);
	if (msg->nlmsg_type != nl->family || !attrs)
		return 0;
	switch (genlmsg_hdr(msg)->cmd) {
	case ICBENCH_CMD_JOB_NTF:
		event->type = NL_EVENT_JOB;
		return job_decode(&event->job, msg, why);
	case ICBENCH_CMD_REFUSED_NTF:
		event->type = NL_EVENT_REFUSAL;
		memset(&event->refusal, 0, sizeof(event->refusal));
		return decode(&event->refusal, refusal_fields, attrs, len,
			      why);
	default:
		return 0;
	}
}

/**
 * nl_events_next() - take the next event, without waiting for one
 * @nl: the connection, with nl_events_open()
 * @event: set to the event; its type is NL_EVENT_NONE if there is none
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int nl_events_next(struct nl *nl, struct nl_event *event,
		   struct icb_reason *why)
{
	struct nlmsghdr *msg;
	ssize_t len;
	int err;

	event->type = NL_EVENT_NONE;
	for (;;) {
		while (nlmsg_ok(nl->next, nl->left)) {
			msg = nl->next;
			nl->next = nlmsg_next(msg, &nl->left);
			err = decode_event(nl, msg, event, why);
			if (err || event->type != NL_EVENT_NONE)
				return err;
		}
		len = socket_receive(nl->events, &nl->event_buf, MSG_DONTWAIT);
		if (len == -ENOBUFS)
			event->type = NL_EVENT_LOST;
		if (!len || len == -ENOBUFS)
			return 0;
		if (len < 0)
			return icb_refuse(why, len, "cannot receive the events of jobs: %s",
					  strerror(-(int)len));
		nl->next = nl->event_buf;
		nl->left = len;
	}
}
