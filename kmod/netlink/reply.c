// SPDX-License-Identifier: GPL-2.0
#include <net/genetlink.h>

#include "host/answer.h"
#include "refusal.h"
#include "reply.h"

/* As much as netlink itself puts into one buffer, and receivers expect. */
#define GREATEST_SIZE	(SKB_WITH_OVERHEAD(0x8000) - NLMSG_HDRLEN - GENL_HDRLEN)

/**
 * icb_nl_reply_room() - begin a long reply
 * @info: of the request
 * @room: bytes that its attributes may need
 * @hdr: takes its header
 *
 * A reply that does not fit into one of the greatest size has to end early.
 *
 * Return: the message, to be given to icb_nl_send(); NULL, and the request has
 * the words for -ENOMEM.
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
 * icb_nl_reply() - begin a reply
 * @info: of the request
 * @hdr: takes its header
 *
 * Return: the message, to be given to icb_nl_send(); NULL.
 */
struct sk_buff *icb_nl_reply(struct genl_info *info, void **hdr)
{
	return icb_nl_reply_room(info, 0, hdr);
}

/**
 * icb_nl_send() - send a reply, or throw it away
 * @msg: of icb_nl_reply()
 * @hdr: its header
 * @info: of the request
 * @err: negative error number if it could not be written
 *
 * Return: 0; @err; what sending returned.
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
 * icb_nl_send_id() - send the number of what a request has made
 * @msg: of icb_nl_reply(), begun before anything was made
 * @hdr: its header
 * @info: of the request
 * @attr: attribute that carries it
 * @id: the number
 *
 * Return: 0; a negative error number, and the request has the words: nobody knows of
 * what was made, and the caller takes it back.
 */
int icb_nl_send_id(struct sk_buff *msg, void *hdr, struct genl_info *info,
		   int attr, u32 id)
{
	int err = icb_nl_send(msg, hdr, info, nla_put_u32(msg, attr, id));

	if (err)
		icb_nl_refuse_words(info->extack, NULL, err,
				    "the answer was not taken (%d); read those that wait before",
				    err);
	return err;
}

/**
 * icb_nl_answer_later() - prepare for a request that is perhaps done later
 * @skb: of the request
 * @info: of the request
 * @answer: takes what whoever does it is to give; NULL if the request asks for none
 *
 * Return: 0; -ENOMEM, and the request has the words.
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
 * icb_nl_answered() - what the handler of such a request returns
 * @info: of the request
 * @answer: of icb_nl_answer_later(); dropped unless somebody else gives it
 * @err: -EINPROGRESS if so; 0; another negative error number
 * @why: its words, if the request has none yet
 *
 * Return: as a handler does.
 */
int icb_nl_answered(struct genl_info *info, struct icb_answer *answer, int err,
		    const struct icb_reason *why)
{
	if (err == -EINPROGRESS)
		return ICB_ANSWER_LATER;
	icb_answer_drop(answer);
	return err && why->text[0] ?
		icb_nl_refuse(info->extack, NULL, why, err) : err;
}

/**
 * icb_nl_dump_begin() - begin a message of a dump
 * @skb: the dump's buffer
 * @cb: the dump
 * @cmd: its command
 *
 * Return: the message's header; NULL if there is no room.
 */
void *icb_nl_dump_begin(struct sk_buff *skb, struct netlink_callback *cb,
			u8 cmd)
{
	return genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			   &icb_nl_family, NLM_F_MULTI, cmd);
}

/**
 * icb_nl_dump_end() - end a message of a dump
 * @skb: the dump's buffer
 * @hdr: of icb_nl_dump_begin()
 * @err: not 0 to take it back
 *
 * Return: whether it is in.
 */
bool icb_nl_dump_end(struct sk_buff *skb, void *hdr, int err)
{
	if (err)
		genlmsg_cancel(skb, hdr);
	else
		genlmsg_end(skb, hdr);
	return !err;
}
