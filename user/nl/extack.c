// SPDX-License-Identifier: GPL-2.0
/* Reads the kernel's response to a request: an acknowledgment or an error. */
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "decode.h"
#include "extack.h"

/* Read the kernel's message from the attributes that follow an error number. */
static bool read_message(struct nlmsghdr *msg, size_t skip, struct icb_reason *why)
{
	struct nlattr *tb[NLMSGERR_ATTR_MAX + 1];
	struct icb_reason words;

	if (!(msg->nlmsg_flags & NLM_F_ACK_TLVS) ||
	    (size_t)nlmsg_datalen(msg) < skip ||
	    nla_parse(tb, NLMSGERR_ATTR_MAX,
		      (struct nlattr *)((char *)nlmsg_data(msg) + skip),
		      nlmsg_datalen(msg) - skip, NULL) ||
	    !tb[NLMSGERR_ATTR_MSG])
		return false;
	decode_string(words.text, sizeof(words.text), tb[NLMSGERR_ATTR_MSG]);
	if (why)
		*why = words;
	return *words.text;
}

/**
 * extack_no_permission() - refuse for lack of permission
 * @why: set to the reason
 * @err: the error number
 *
 * Return: @err.
 */
int extack_no_permission(struct icb_reason *why, int err)
{
	return icb_refuse(why, err,
			  "no permission: run it as root (it needs CAP_NET_ADMIN): sudo icbenchctl ...");
}

/* Give the kernel's message as the reason, or else a message for its error number. */
static int failure(struct nlmsghdr *msg, int err, size_t skip,
		   struct icb_reason *why)
{
	/* any other value is no error number */
	if (err > 0 || err < -4095)
		return decode_refuse(why, "has a bad error number");
	if (read_message(msg, skip, why))
		return err;
	if (err == -EPERM || err == -EACCES)
		return extack_no_permission(why, err);
	if (err == -ENODEV)
		return icb_refuse(why, err,
				  "no RDMA device; make one: rdma link add rxe0 type rxe netdev IFACE");
	/* the module always adds a message to -ENOENT: this one is the kernel's own */
	if (err == -ENOENT)
		return icb_refuse(why, err,
				  "the module was unloaded; load it: modprobe icbench (or modprobe rdma_cm && insmod icbench.ko)");
	return icb_refuse(why, err, "the module refused: %s", strerror(-err));
}

/**
 * extack_error() - read an acknowledgment, or an error
 * @msg: a message of type NLMSG_ERROR
 * @why: the reason of an error, which is the kernel's message if there is one; may be
 *	NULL
 *
 * Return: 0 for an acknowledgment; a negative error number with a reason.
 */
int extack_error(struct nlmsghdr *msg, struct icb_reason *why)
{
	struct nlmsgerr *head = nlmsg_data(msg);
	size_t skip = sizeof(*head);

	if (nlmsg_datalen(msg) < (int)sizeof(*head))
		return decode_refuse(why, "is too short");
	if (!head->error)
		return 0;
	/* unless it was cut (NLM_F_CAPPED), the request is part of the message */
	if (!(msg->nlmsg_flags & NLM_F_CAPPED))
		skip += NLMSG_ALIGN(head->msg.nlmsg_len) - sizeof(head->msg);
	return failure(msg, head->error, skip, why);
}

/**
 * extack_done() - read the end of a dump
 * @msg: a message of type NLMSG_DONE
 * @why: the reason of an error, which is the kernel's message if there is one
 *
 * Return: 0; a negative error number with a reason if the dump has ended by an error.
 */
int extack_done(struct nlmsghdr *msg, struct icb_reason *why)
{
	int err = 0;

	if (nlmsg_datalen(msg) >= (int)sizeof(err))
		memcpy(&err, nlmsg_data(msg), sizeof(err));
	return err ? failure(msg, err, NLMSG_ALIGN(sizeof(err)), why) : 0;
}
