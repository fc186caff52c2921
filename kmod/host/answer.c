// SPDX-License-Identifier: GPL-2.0
#include <linux/netlink.h>
#include <linux/slab.h>
#include <net/genetlink.h>
#include <net/sock.h>

#include "answer.h"

/**
 * struct icb_answer - an acknowledgment that is not given yet
 * @sk: the socket that waits for it, held: another one may have its port by then
 * @portid: its netlink port
 * @msg: the message
 */
struct icb_answer {
	struct sock *sk;
	u32 portid;
	struct sk_buff *msg;
};

/**
 * icb_answer_new() - prepare to acknowledge a request later
 * @skb: of the request
 * @info: of the request
 *
 * May sleep.
 *
 * Return: the answer, to be given or dropped; NULL if there is no memory.
 */
struct icb_answer *icb_answer_new(struct sk_buff *skb, struct genl_info *info)
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
	answer->sk = NETLINK_CB(skb).sk;
	sock_hold(answer->sk);
	return answer;
}

/**
 * icb_answer_give() - what was asked for is done
 * @answer: which; freed; NULL for none
 *
 * Says so, unless whoever asked has gone. (Netlink sends by number alone: who closes at this very
 * moment, and gets a number that another one takes at once, has that one hear of it.) May sleep.
 */
void icb_answer_give(struct icb_answer *answer)
{
	if (!answer)
		return;
	if (!sock_flag(answer->sk, SOCK_DEAD)) {
		genlmsg_unicast(&init_net, answer->msg, answer->portid);
		answer->msg = NULL;
	}
	icb_answer_drop(answer);
}

/**
 * icb_answer_drop() - the request is answered otherwise
 * @answer: which; freed; NULL for none
 */
void icb_answer_drop(struct icb_answer *answer)
{
	if (!answer)
		return;
	sock_put(answer->sk);
	nlmsg_free(answer->msg);
	kfree(answer);
}
