// SPDX-License-Identifier: GPL-2.0
/* Sends a request to the module, and receives the replies. */
#include <string.h>
#include <sys/socket.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>

#include "decode.h"
#include "extack.h"
#include "request.h"
#include "socket.h"

/* Most attempts at a dump: it is restarted if the list changes meanwhile. */
#define DUMP_TRIES	10

/* Return: 1 if more messages follow, 0 at the end, a negative error number. */
static int take_reply(const struct nl *nl, struct nlmsghdr *msg, reply_fn reply,
		      void *to, bool *dump_interrupted, struct icb_reason *why)
{
	int err;

	if (msg->nlmsg_seq != nl->seq)
		return 1;
	if (msg->nlmsg_flags & NLM_F_DUMP_INTR)
		*dump_interrupted = true;
	switch (msg->nlmsg_type) {
	case NLMSG_ERROR:
		return extack_error(msg, why);
	case NLMSG_DONE:
		return extack_done(msg, why);
	default:
		if (msg->nlmsg_type != nl->family || !reply)
			return 1;
		err = reply(to, msg, why);
		return err ? err : 1;
	}
}

/* Overwrite the request before freeing it: it may contain a token. */
static void free_request(struct nl_msg *msg)
{
	if (msg)
		explicit_bzero(nlmsg_hdr(msg), nlmsg_get_max_size(msg));
	nlmsg_free(msg);
}

/**
 * request_send() - send a request and receive its replies
 * @nl: the connection
 * @msg: the request, which is freed
 * @reply: called for each reply; NULL if none is expected
 * @to: passed to @reply
 * @dump_interrupted: set if the list changed during a dump
 * @why: the reason of an error
 *
 * After an error in a reply, the remaining replies are not read. The next request ignores
 * them, as replies carry the sequence number of their request.
 *
 * Return: 0, or a negative error number with a reason.
 */
int request_send(struct nl *nl, struct nl_msg *msg, reply_fn reply,
		 void *to, bool *dump_interrupted, struct icb_reason *why)
{
	struct nlmsghdr *head = nlmsg_hdr(msg);
	ssize_t len;
	int left, ret;

	head->nlmsg_seq = ++nl->seq;
	do {
		len = send(nl_socket_get_fd(nl->request), head,
			   head->nlmsg_len, MSG_NOSIGNAL);
	} while (len < 0 && errno == EINTR);
	free_request(msg);
	if (len < 0)
		return icb_refuse(why, -errno, "cannot send to the module: %s",
				  strerror(errno));
	for (;;) {
		len = socket_receive(nl->request, &nl->buf, 0);
		if (len <= 0)
			return icb_refuse(why, len ? (int)len : -ETIMEDOUT,
					  "the module does not answer: %s",
					  strerror(len ? -(int)len : ETIMEDOUT));
		left = len;
		for (head = nl->buf; nlmsg_ok(head, left);
		     head = nlmsg_next(head, &left)) {
			ret = take_reply(nl, head, reply, to, dump_interrupted, why);
			if (ret <= 0)
				return ret;
		}
	}
}

/**
 * request_new() - allocate a request
 * @nl: the connection
 * @cmd: the command
 * @flags: flags of the netlink header, in addition to NLM_F_REQUEST
 *
 * Return: the request, without attributes, for request_send(); NULL if memory is
 * short.
 */
struct nl_msg *request_new(const struct nl *nl, int cmd, int flags)
{
	struct nl_msg *msg = nlmsg_alloc();

	if (!msg || !genlmsg_put(msg, 0, 0, nl->family, 0,
				 NLM_F_REQUEST | flags, cmd,
				 ICBENCH_FAMILY_VERSION)) {
		nlmsg_free(msg);
		return NULL;
	}
	return msg;
}

/**
 * request_no_memory() - free a request that could not be built for lack of memory
 * @msg: the request; NULL if there is none
 * @why: set to the reason
 *
 * Return: -ENOMEM.
 */
int request_no_memory(struct nl_msg *msg, struct icb_reason *why)
{
	free_request(msg);
	return icb_refuse(why, -ENOMEM, "out of memory");
}

/**
 * request_about() - send a request about one job or listener
 * @nl: the connection
 * @cmd: the command
 * @attr: attribute for the number of the job or listener
 * @id: number of the job or listener
 * @reply: called for each reply; NULL if none is expected
 * @to: passed to @reply
 * @why: the reason of an error
 *
 * Return: 0, or a negative error number with a reason.
 */
int request_about(struct nl *nl, int cmd, int attr, u32 id, reply_fn reply,
		  void *to, struct icb_reason *why)
{
	struct nl_msg *msg = request_new(nl, cmd, NLM_F_ACK);
	bool dump_interrupted;

	if (!msg || nla_put_u32(msg, attr, id))
		return request_no_memory(msg, why);
	return request_send(nl, msg, reply, to, &dump_interrupted, why);
}

/**
 * request_dump() - request a list
 * @nl: the connection
 * @cmd: the command
 * @reply: called for each reply
 * @reset: empties @to, before the dump and before it is restarted because the list
 *	changed
 * @to: passed to @reply and @reset
 * @why: the reason of an error
 *
 * Return: 0, or a negative error number with a reason.
 */
int request_dump(struct nl *nl, int cmd, reply_fn reply,
		 void (*reset)(void *to), void *to, struct icb_reason *why)
{
	struct nl_msg *msg;
	int tries, err = 0;
	bool dump_interrupted = true;

	for (tries = 0; dump_interrupted && tries < DUMP_TRIES; tries++) {
		reset(to);
		dump_interrupted = false;
		msg = request_new(nl, cmd, NLM_F_DUMP);
		if (!msg)
			return request_no_memory(msg, why);
		err = request_send(nl, msg, reply, to, &dump_interrupted, why);
		if (err)
			return err;
	}
	return dump_interrupted ?
		icb_refuse(why, -EAGAIN, "the list changes too fast: try again") : 0;
}

struct new_id {
	u32 id;
	int attr;
};

static int take_id(void *to, struct nlmsghdr *msg, struct icb_reason *why)
{
	struct nlattr *attrs, *attr;
	struct new_id *new_id = to;
	int len;

	attrs = decode_message(msg, &len);
	attr = attrs ? nla_find(attrs, len, new_id->attr) : NULL;
	if (!attr || nla_len(attr) != sizeof(u32))
		return decode_refuse(why, "lacks \"id\"");
	new_id->id = nla_get_u32(attr);
	return 0;
}

/**
 * request_make() - send a request that makes a job or a listener
 * @nl: the connection
 * @msg: the request, which is freed
 * @attr: attribute for the number of the job or listener in the reply
 * @id: set to the number
 * @why: the reason of an error
 *
 * Return: 0, or a negative error number with a reason.
 */
int request_make(struct nl *nl, struct nl_msg *msg, int attr, u32 *id,
		 struct icb_reason *why)
{
	struct new_id new_id = { .attr = attr };
	bool dump_interrupted;
	int err;

	err = request_send(nl, msg, take_id, &new_id, &dump_interrupted, why);
	if (!err && !new_id.id)
		err = decode_refuse(why, "lacks \"id\"");
	*id = new_id.id;
	return err;
}
