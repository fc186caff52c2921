// SPDX-License-Identifier: GPL-2.0
#include <linux/string.h>

#include "cm/ticket.h"
#include "engine/bench.h"
#include "model/rules.h"
#include "proposal.h"

/**
 * icb_proposal_write() - write the parameters of a run that the responder needs
 * @msg: the proposal, zeroed
 * @params: parameters of the run
 */
void icb_proposal_write(struct icb_wire_propose *msg,
			const struct icb_params *params)
{
	const struct icb_param *param;
	unsigned int i, count = 0;

	for (i = 0; i < icb_param_count; i++) {
		param = &icb_param_table[i];
		if (!(param->flags & ICB_PARAM_WIRE) ||
		    !icb_params_has(params, param->attr) ||
		    WARN_ON_ONCE(count == ICB_WIRE_PARAMS))
			continue;
		msg->param[count].attr = cpu_to_le32(param->attr);
		msg->param[count].value =
			cpu_to_le64(icb_params_number(params, param));
		count++;
	}
	msg->count = cpu_to_le32(count);
	msg->devices = cpu_to_le32(params->devices);
}

/* Removes the defaults of parameters that a proposal does not carry. */
static void keep_wire(struct icb_params *params)
{
	unsigned int i;

	for (i = 0; i < icb_param_count; i++)
		if (!(icb_param_table[i].flags & ICB_PARAM_WIRE))
			params->set &= ~BIT_ULL(icb_param_table[i].attr);
	/* a run by duration has no number of iterations; the rules have set a default */
	if (!icb_params_given(params, ICBENCH_A_PARAMS_ITERATIONS))
		params->set &= ~BIT_ULL(ICBENCH_A_PARAMS_ITERATIONS);
}

/**
 * icb_proposal_read() - read a proposal into parameters and check them
 * @msg: the proposal
 * @params: takes the parameters; initialized
 * @why: the reason of a refusal
 *
 * Return: 0; a negative error number with a reason.
 */
int icb_proposal_read(const struct icb_wire_propose *msg,
		      struct icb_params *params, struct icb_reason *why)
{
	const struct icb_wire_param *in;
	const struct icb_param *param;
	u32 count = le32_to_cpu(msg->count);
	unsigned int i;
	int err;

	params->devices = le32_to_cpu(msg->devices);
	if (count > ICB_WIRE_PARAMS || msg->reserved || !params->devices ||
	    params->devices > ICBENCH_MAX_DEVICES)
		return icb_refuse(why, -EPROTO, "malformed proposal");
	for (i = 0; i < count; i++) {
		in = &msg->param[i];
		param = icb_param_by_attr(le32_to_cpu(in->attr));
		if (!param || !(param->flags & ICB_PARAM_WIRE))
			return icb_refuse(why, -EOPNOTSUPP,
					  "the responder does not support parameter %u",
					  le32_to_cpu(in->attr));
		if (in->reserved || icb_params_given(params, param->attr))
			return icb_refuse(why, -EPROTO, "malformed proposal");
		err = icb_params_set_number(params, param,
					    le64_to_cpu(in->value), why);
		if (err)
			return err;
	}
	for (; i < ICB_WIRE_PARAMS; i++)
		if (memchr_inv(&msg->param[i], 0, sizeof(msg->param[i])))
			return icb_refuse(why, -EPROTO, "malformed proposal");
	err = icb_params_check(params, why);
	if (!err)
		err = icb_bench_check(params, why);
	if (!err && icb_verb_of(params)->local)
		err = icb_refuse(why, -EOPNOTSUPP,
				 "verb: %s has no responder",
				 icb_params_word(params,
						 ICBENCH_A_PARAMS_VERB));
	if (!err && le32_to_cpu(msg->worker) >= params->workers)
		err = icb_refuse(why, -EPROTO, "malformed proposal");
	keep_wire(params);
	/* new buffers are allocated in advance: their number has to be known */
	if (!err && params->reuse != ICB_BUFFERS_WHOLE &&
	    !icb_params_has(params, ICBENCH_A_PARAMS_ITERATIONS))
		err = icb_refuse(why, -EPROTO, "malformed proposal");
	return err;
}

/**
 * icb_proposal_sign() - compute the MAC of a proposal, which proves that its sender has
 *	the token
 * @msg: the proposal
 * @nonce: ICB_WIRE_NONCE bytes that the responder chose
 * @token: the token
 * @token_len: length of @token, bytes
 * @mac: takes ICB_WIRE_MAC bytes
 *
 * The MAC is valid for no other proposal. An attacker that sees the proposal and the
 * nonce can test guesses of the token against the MAC, so a token must not be guessable.
 */
void icb_proposal_sign(const struct icb_wire_propose *msg, const u8 *nonce,
		       const u8 *token, u32 token_len, u8 *mac)
{
	icb_ticket_mac(token, token_len, nonce, msg,
		       offsetof(struct icb_wire_propose, mac), mac,
		       ICB_WIRE_MAC);
}
