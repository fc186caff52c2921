// SPDX-License-Identifier: GPL-2.0
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <net/genetlink.h>

#include "answer.h"

/**
 * struct icb_answer - an acknowledgment that is not given yet
 * @list: among all of them
 * @portid: netlink port of the socket that waits for it; 0 if it does no more
 * @msg: the message
 */
struct icb_answer {
	struct list_head list;
	u32 portid;
	struct sk_buff *msg;
};

/* Protects the list and the ports. */
static DEFINE_MUTEX(answer_lock);
static LIST_HEAD(answer_list);

/**
 * icb_answer_new() - prepare to acknowledge a request later
 * @info: of the request
 *
 * May sleep.
 *
 * Return: the answer, to be given or dropped; NULL if there is no memory.
 */
struct icb_answer *icb_answer_new(struct genl_info *info)
{
	struct icb_answer *answer = kzalloc(sizeof(*answer), GFP_KERNEL);
	struct nlmsgerr *ack;
	struct nlmsghdr *hdr;

	if (!answer)
		return NULL;
	answer->msg = nlmsg_new(sizeof(*ack), GFP_KERNEL);
	hdr = answer->msg ? nlmsg_put(answer->msg, info->snd_portid,
				      info->snd_seq, NLMSG_ERROR, sizeof(*ack),
				      NLM_F_CAPPED) : NULL;
	if (!hdr) {
		nlmsg_free(answer->msg);
		kfree(answer);
		return NULL;
	}
	ack = nlmsg_data(hdr);
	ack->error = 0;
	ack->msg = *info->nlhdr;
	nlmsg_end(answer->msg, hdr);
	answer->portid = info->snd_portid;
	mutex_lock(&answer_lock);
	list_add_tail(&answer->list, &answer_list);
	mutex_unlock(&answer_lock);
	return answer;
}

/* The caller has the message from here on; NULL if nobody waits for it. */
static struct sk_buff *end(struct icb_answer *answer, u32 *portid)
{
	struct sk_buff *msg = answer->msg;

	mutex_lock(&answer_lock);
	list_del(&answer->list);
	*portid = answer->portid;
	mutex_unlock(&answer_lock);
	kfree(answer);
	return msg;
}

/**
 * icb_answer_give() - what was asked for is done
 * @answer: which; freed; NULL for none
 *
 * Says so, unless whoever asked has gone. May sleep.
 */
void icb_answer_give(struct icb_answer *answer)
{
	struct sk_buff *msg;
	u32 portid;

	if (!answer)
		return;
	msg = end(answer, &portid);
	if (portid)
		genlmsg_unicast(&init_net, msg, portid);
	else
		nlmsg_free(msg);
}

/**
 * icb_answer_drop() - the request is answered otherwise
 * @answer: which; freed; NULL for none
 */
void icb_answer_drop(struct icb_answer *answer)
{
	u32 portid;

	if (answer)
		nlmsg_free(end(answer, &portid));
}

/**
 * icb_answers_orphan() - a socket was closed
 * @owner: its netlink port
 *
 * Another socket may get that port, and is not to have the answers of this one.
 */
void icb_answers_orphan(u32 owner)
{
	struct icb_answer *answer;

	mutex_lock(&answer_lock);
	list_for_each_entry(answer, &answer_list, list)
		if (answer->portid == owner)
			answer->portid = 0;
	mutex_unlock(&answer_lock);
}
