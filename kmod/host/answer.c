// SPDX-License-Identifier: GPL-2.0
#include <linux/netlink.h>
#include <linux/slab.h>
#include <net/genetlink.h>
#include <net/sock.h>

#include "answer.h"

/**
 * struct icb_answer - a pending acknowledgment of a netlink request
 * @sk: requesting socket, held so that its end can be seen: another socket may get its
 *	port
 * @portid: netlink port of the requesting socket
 * @msg: the acknowledgment
 */
struct icb_answer {
	struct sock *sk;
	u32 portid;
	struct sk_buff *msg;
};

/**
 * icb_answer_new() - prepare a later acknowledgment of a request
 * @skb: socket buffer of the request
 * @info: generic netlink data of the request
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
 * icb_answer_send() - acknowledge a request that is done
 * @answer: the answer; freed; may be NULL
 *
 * Sends nothing if the requesting socket is dead. Netlink addresses a socket by its port
 * number alone: if the socket is closed at this moment and another socket gets the number
 * at once, that socket receives the acknowledgment. May sleep.
 */
void icb_answer_send(struct icb_answer *answer)
{
	if (!answer)
		return;
	if (!sock_flag(answer->sk, SOCK_DEAD)) {
		genlmsg_unicast(&init_net, answer->msg, answer->portid);
		answer->msg = NULL;
	}
	icb_answer_free(answer);
}

/**
 * icb_answer_free() - free the answer to a request that is answered otherwise
 * @answer: the answer; freed; may be NULL
 */
void icb_answer_free(struct icb_answer *answer)
{
	if (!answer)
		return;
	sock_put(answer->sk);
	nlmsg_free(answer->msg);
	kfree(answer);
}
