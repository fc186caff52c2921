// SPDX-License-Identifier: GPL-2.0
#include "cm/address.h"
#include "genl.h"
#include "refusal.h"
#include "reply.h"
#include "run/job.h"
#include "run/listener.h"
#include "run/listening.h"

static int read_bind(struct genl_info *info, struct sockaddr_storage *addr,
		     struct icb_reason *why)
{
	struct nlattr *bind = info->attrs[ICBENCH_A_LISTEN_BIND];
	struct nlattr *attr = info->attrs[ICBENCH_A_LISTEN_CM_PORT];

	return icb_address_read("bind", bind ? (char *)nla_data(bind) :
				IS_ENABLED(CONFIG_IPV6) ? "::" : "0.0.0.0",
				attr ? nla_get_u32(attr) :
				       ICBENCH_DEFAULT_CM_PORT, addr, why);
}

static int read_limits(struct genl_info *info,
		       struct icb_listener_limits *limits,
		       struct icb_reason *why)
{
	struct nlattr *token = info->attrs[ICBENCH_A_LISTEN_TOKEN];
	struct nlattr *memory = info->attrs[ICBENCH_A_LISTEN_MAX_MEMORY];
	struct nlattr *qps = info->attrs[ICBENCH_A_LISTEN_MAX_QPS];

	limits->memory = memory ? nla_get_u64(memory) : ICB_LISTENER_MEMORY;
	limits->qps = qps ? nla_get_u32(qps) : ICB_LISTENER_QPS;
	if (!token)
		return 0;
	if (nla_len(token) < ICBENCH_MIN_TOKEN ||
	    nla_len(token) > ICBENCH_MAX_TOKEN)
		return icb_refuse(why, -ERANGE,
				  "token: %d bytes; accepted: %u to %u",
				  nla_len(token), ICBENCH_MIN_TOKEN,
				  ICBENCH_MAX_TOKEN);
	memcpy(limits->token, nla_data(token), nla_len(token));
	limits->token_len = nla_len(token);
	return 0;
}

int icbench_nl_listen_new_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct icb_listener_limits limits = {};
	struct icb_listener *listener;
	struct sockaddr_storage addr = {};
	struct icb_reason why = {};
	struct sk_buff *msg;
	void *hdr;
	int err;

	err = read_bind(info, &addr, &why);
	if (!err)
		err = read_limits(info, &limits, &why);
	if (err)
		return icb_nl_refuse(info->extack, NULL, &why, err);
	msg = icb_nl_reply(info, &hdr);
	listener = msg ? icb_listener_new(&addr, &limits, NULL, &why) : NULL;
	memzero_explicit(&limits, sizeof(limits));
	if (!msg)
		return -ENOMEM;
	if (IS_ERR(listener)) {
		nlmsg_free(msg);
		return icb_nl_refuse(info->extack, NULL, &why,
				     PTR_ERR(listener));
	}
	err = icb_listener_publish(listener, info->snd_portid,
				   info->attrs[ICBENCH_A_LISTEN_DETACH], &why);
	if (err) {
		nlmsg_free(msg);
		icb_listener_drop(listener);
		return icb_nl_refuse(info->extack, NULL, &why, err);
	}
	err = icb_nl_send_id(msg, hdr, info, ICBENCH_A_LISTEN_ID, listener->id);
	if (err)
		icb_listener_delete(listener, NULL, NULL);
	icb_listener_put(listener);
	return err;
}

static struct icb_listener *find_listener(struct genl_info *info, int *err)
{
	struct nlattr *attr = info->attrs[ICBENCH_A_LISTEN_ID];
	struct icb_listener *listener;

	if (!attr) {
		*err = icb_nl_refuse_words(info->extack, NULL, -EINVAL,
					   "id: missing; accepted: a number that listen-new returned");
		return NULL;
	}
	listener = icb_listener_get(nla_get_u32(attr));
	if (!listener)
		*err = icb_nl_refuse_words(info->extack, attr, -ENOENT,
					   "id: no listener %u",
					   nla_get_u32(attr));
	return listener;
}

int icbench_nl_listen_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct icb_reason why = {};
	struct icb_listener *listener;
	struct icb_answer *answer;
	int err;

	listener = find_listener(info, &err);
	if (!listener)
		return err;
	err = icb_nl_answer_later(skb, info, &answer);
	if (!err)
		err = icb_listener_delete(listener, answer, &why);
	icb_listener_put(listener);
	return icb_nl_answered(info, answer, err, &why);
}

static int put_listener(struct sk_buff *skb, struct icb_listener *listener)
{
	const struct sockaddr_in *sin = (void *)&listener->addr;
	char bind[ICB_JOB_TARGET];
	int err = 0;

	snprintf(bind, sizeof(bind), "%pISc", &listener->addr);
	mutex_lock(&listener->lock);
	/* sin_port and sin6_port have the same offset */
	if (nla_put_u32(skb, ICBENCH_A_LISTEN_ID, listener->id) ||
	    nla_put_string(skb, ICBENCH_A_LISTEN_BIND, bind) ||
	    nla_put_u32(skb, ICBENCH_A_LISTEN_CM_PORT, ntohs(sin->sin_port)) ||
	    nla_put_u64_64bit(skb, ICBENCH_A_LISTEN_MAX_MEMORY,
			      listener->limits.memory, ICBENCH_A_LISTEN_PAD) ||
	    nla_put_u32(skb, ICBENCH_A_LISTEN_MAX_QPS, listener->limits.qps) ||
	    (listener->detach && nla_put_flag(skb, ICBENCH_A_LISTEN_DETACH)) ||
	    nla_put_u64_64bit(skb, ICBENCH_A_LISTEN_MEMORY, listener->memory,
			      ICBENCH_A_LISTEN_PAD) ||
	    nla_put_u32(skb, ICBENCH_A_LISTEN_QPS, listener->qps) ||
	    nla_put_u32(skb, ICBENCH_A_LISTEN_SESSIONS, listener->count) ||
	    nla_put_u64_64bit(skb, ICBENCH_A_LISTEN_ACCEPTED,
			      listener->accepted, ICBENCH_A_LISTEN_PAD) ||
	    nla_put_u64_64bit(skb, ICBENCH_A_LISTEN_REFUSED, listener->refused,
			      ICBENCH_A_LISTEN_PAD))
		err = -EMSGSIZE;
	mutex_unlock(&listener->lock);
	return err;
}

int icbench_nl_listen_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct icb_listener *listener;
	struct sk_buff *msg;
	void *hdr;
	int err;

	listener = find_listener(info, &err);
	if (!listener)
		return err;
	if (READ_ONCE(listener->closing)) {
		err = icb_nl_refuse_words(info->extack, NULL, -ENODEV,
					  "the device was removed; this listener accepts no more peers");
		icb_listener_put(listener);
		return err;
	}
	msg = icb_nl_reply(info, &hdr);
	err = msg ? icb_nl_send(msg, hdr, info, put_listener(msg, listener)) :
		    -ENOMEM;
	icb_listener_put(listener);
	return err;
}

int icbench_nl_listen_get_dumpit(struct sk_buff *skb,
				 struct netlink_callback *cb)
{
	struct icb_listener *listener;
	bool more = true;
	void *hdr;
	int err;

	err = icb_nl_parse_none(cb->nlh, cb->extack);
	if (err)
		return err;
	while (more && (listener = icb_listener_next(cb->args[0]))) {
		hdr = icb_nl_dump_begin(skb, cb, ICBENCH_CMD_LISTEN_GET);
		more = hdr &&
		       icb_nl_dump_end(skb, hdr, put_listener(skb, listener));
		if (more)
			cb->args[0] = listener->id;
		icb_listener_put(listener);
	}
	return skb->len;
}
