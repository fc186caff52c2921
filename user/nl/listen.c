// SPDX-License-Identifier: GPL-2.0
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "decode.h"
#include "listen.h"
#include "request.h"

static const struct field listen_fields[] = {
	{ FIELD(struct nl_listen, id, LISTEN_ID), U32, .needed = true },
	{ FIELD(struct nl_listen, bind, LISTEN_BIND),
	  TEXT(struct nl_listen, bind) },
	{ FIELD(struct nl_listen, cm_port, LISTEN_CM_PORT),
	  U32, .needed = true },
	{ FIELD(struct nl_listen, max_memory, LISTEN_MAX_MEMORY), U64 },
	{ FIELD(struct nl_listen, max_qps, LISTEN_MAX_QPS), U32 },
	{ FIELD(struct nl_listen, memory, LISTEN_MEMORY), U64 },
	{ FIELD(struct nl_listen, qps, LISTEN_QPS), U32 },
	{ FIELD(struct nl_listen, sessions, LISTEN_SESSIONS), U32 },
	{ FIELD(struct nl_listen, accepted, LISTEN_ACCEPTED), U64 },
	{ FIELD(struct nl_listen, refused, LISTEN_REFUSED), U64 },
	{ .name = NULL }
};

static int put_listen(struct nl_msg *msg, const struct nl_listen_ask *ask)
{
	if (ask->bind && nla_put_string(msg, ICBENCH_A_LISTEN_BIND, ask->bind))
		return -ENOMEM;
	if (ask->cm_port &&
	    nla_put_u32(msg, ICBENCH_A_LISTEN_CM_PORT, ask->cm_port))
		return -ENOMEM;
	if (ask->token.len && nla_put(msg, ICBENCH_A_LISTEN_TOKEN,
				      ask->token.len, ask->token.data))
		return -ENOMEM;
	if (ask->max_memory &&
	    nla_put_u64(msg, ICBENCH_A_LISTEN_MAX_MEMORY, ask->max_memory))
		return -ENOMEM;
	if (ask->max_qps &&
	    nla_put_u32(msg, ICBENCH_A_LISTEN_MAX_QPS, ask->max_qps))
		return -ENOMEM;
	return 0;
}

/**
 * nl_listen_new() - make a listener
 * @nl: the connection, which owns the listener
 * @ask: properties of the listener
 * @id: set to the number of the listener
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int nl_listen_new(struct nl *nl, const struct nl_listen_ask *ask, u32 *id,
		  struct icb_reason *why)
{
	struct nl_msg *msg = request_new(nl, ICBENCH_CMD_LISTEN_NEW, NLM_F_ACK);

	if (!msg || put_listen(msg, ask))
		return request_no_memory(msg, why);
	return request_make(nl, msg, ICBENCH_A_LISTEN_ID, id, why);
}

/**
 * nl_listen_del() - delete a listener and end the runs that it serves
 * @nl: the connection
 * @id: number of the listener
 * @why: the reason of a refusal; may be NULL
 *
 * Returns when these runs have ended.
 *
 * Return: 0, or a negative error number with a reason.
 */
int nl_listen_del(struct nl *nl, u32 id, struct icb_reason *why)
{
	return request_about(nl, ICBENCH_CMD_LISTEN_DEL, ICBENCH_A_LISTEN_ID, id,
			     NULL, NULL, why);
}

static int take_listen(void *to, struct nlmsghdr *msg, struct icb_reason *why)
{
	struct nlattr *attrs;
	int len;

	attrs = decode_message(msg, &len);
	if (!attrs)
		return decode_refuse(why, "is too short");
	return decode(to, listen_fields, attrs, len, why);
}

/**
 * nl_listen_get() - query a listener
 * @nl: the connection
 * @id: number of the listener
 * @listen: set to the listener
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int nl_listen_get(struct nl *nl, u32 id, struct nl_listen *listen,
		  struct icb_reason *why)
{
	int err;

	memset(listen, 0, sizeof(*listen));
	err = request_about(nl, ICBENCH_CMD_LISTEN_GET, ICBENCH_A_LISTEN_ID, id,
			    take_listen, listen, why);
	if (!err && listen->id != id)
		err = decode_refuse(why, "describes no listener, or another one");
	return err;
}
