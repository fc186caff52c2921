// SPDX-License-Identifier: GPL-2.0
#include <net/genetlink.h>

#include "host/answer.h"
#include "refusal.h"
#include "reply.h"

/* Largest buffer that netlink itself uses and receivers expect. */
#define GREATEST_SIZE	(SKB_WITH_OVERHEAD(0x8000) - NLMSG_HDRLEN - GENL_HDRLEN)

/**
 * icb_nl_reply_room() - begin a reply of a given size
 * @info: the request
 * @room: room for the attributes, bytes
 * @hdr: takes the header of the reply
 *
 * The room is limited to the largest buffer; a longer reply has to be split by the
 * caller.
 *
 * Return: the message, to be passed to icb_nl_send(); NULL for -ENOMEM, and the text of
 * the refusal is set.
 */
struct sk_buff *icb_nl_reply_room(struct genl_info *info, size_t room,
				  void **hdr)
{
	struct sk_buff *msg = genlmsg_new(clamp_t(size_t, room,
						  GENLMSG_DEFAULT_SIZE,
						  GREATEST_SIZE), GFP_KERNEL);

	if (!msg) {
		icb_nl_refuse_words(info->extack, NULL, -ENOMEM,
				    "no memory for the answer");
		return NULL;
	}
	*hdr = genlmsg_put_reply(msg, info, &icb_nl_family, 0,
				 info->genlhdr->cmd);
	if (*hdr)
		return msg;
	nlmsg_free(msg);
	return NULL;
}

/**
 * icb_nl_reply() - begin a reply of the default size
 * @info: the request
 * @hdr: takes the header of the reply
 *
 * Return: the message, to be passed to icb_nl_send(); NULL for -ENOMEM.
 */
struct sk_buff *icb_nl_reply(struct genl_info *info, void **hdr)
{
	return icb_nl_reply_room(info, 0, hdr);
}

/**
 * icb_nl_send() - send a reply, or free it after an error
 * @msg: reply from icb_nl_reply()
 * @hdr: header of the reply
 * @info: the request
 * @err: negative error number if the reply could not be written; 0 otherwise
 *
 * Return: 0; @err; the error number of a failed send.
 */
int icb_nl_send(struct sk_buff *msg, void *hdr, struct genl_info *info, int err)
{
	if (err) {
		nlmsg_free(msg);
		return err;
	}
	genlmsg_end(msg, hdr);
	return genlmsg_reply(msg, info);
}

/**
 * icb_nl_send_id() - send the number of the object that a request has made
 * @msg: reply from icb_nl_reply(), begun before the object was made
 * @hdr: header of the reply
 * @info: the request
 * @attr: attribute that carries the number
 * @id: the number
 *
 * Return: 0; a negative error number, and the text of the refusal is set. Then the
 * requester does not have the number, and the caller has to delete the object.
 */
int icb_nl_send_id(struct sk_buff *msg, void *hdr, struct genl_info *info,
		   int attr, u32 id)
{
	int err = icb_nl_send(msg, hdr, info, nla_put_u32(msg, attr, id));

	if (err)
		icb_nl_refuse_words(info->extack, NULL, err,
				    "the answer was not delivered (%d); read the waiting answers first",
				    err);
	return err;
}

/**
 * icb_nl_answer_later() - prepare to acknowledge a request after its handler has returned
 * @skb: buffer of the request
 * @info: the request
 * @answer: takes the acknowledgment; NULL if the request asks for none
 *
 * Return: 0; -ENOMEM, and the text of the refusal is set.
 */
int icb_nl_answer_later(struct sk_buff *skb, struct genl_info *info,
			struct icb_answer **answer)
{
	*answer = NULL;
	if (!(info->nlhdr->nlmsg_flags & NLM_F_ACK))
		return 0;
	*answer = icb_answer_new(skb, info);
	if (*answer)
		return 0;
	return icb_nl_refuse_words(info->extack, NULL, -ENOMEM,
				   "no memory for the answer");
}

/**
 * icb_nl_answered() - finish the handler of a request that may be acknowledged later
 * @info: the request
 * @answer: from icb_nl_answer_later(); freed unless @err is -EINPROGRESS
 * @err: result of the operation; -EINPROGRESS if the operation sends @answer later
 * @why: text of the refusal, if the request has none yet
 *
 * Return: the value that the handler has to return.
 */
int icb_nl_answered(struct genl_info *info, struct icb_answer *answer, int err,
		    const struct icb_reason *why)
{
	if (err == -EINPROGRESS)
		return ICB_ANSWER_LATER;
	icb_answer_free(answer);
	return err && why->text[0] ?
		icb_nl_refuse(info->extack, NULL, why, err) : err;
}

/**
 * icb_nl_dump_begin() - begin a message of a dump
 * @skb: buffer of the dump
 * @cb: callback of the dump
 * @cmd: command of the message
 *
 * Return: header of the message; NULL if there is no room.
 */
void *icb_nl_dump_begin(struct sk_buff *skb, struct netlink_callback *cb,
			u8 cmd)
{
	return genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			   &icb_nl_family, NLM_F_MULTI, cmd);
}

/**
 * icb_nl_dump_end() - complete or cancel a message of a dump
 * @skb: buffer of the dump
 * @hdr: header from icb_nl_dump_begin()
 * @err: 0 to complete the message; else it is cancelled
 *
 * Return: true if the message was completed.
 */
bool icb_nl_dump_end(struct sk_buff *skb, void *hdr, int err)
{
	if (err)
		genlmsg_cancel(skb, hdr);
	else
		genlmsg_end(skb, hdr);
	return !err;
}
