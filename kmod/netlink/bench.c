// SPDX-License-Identifier: GPL-2.0
#include "engine/bench.h"
#include "genl.h"
#include "model/triggers_table.h"
#include "model/verbs_table.h"
#include "refusal.h"
#include "reply.h"

static int put_bench(struct sk_buff *skb, u32 trigger,
		     const struct icb_bench_ops *ops)
{
	u32 verbs = icb_verbs(icb_trigger_table[trigger].times_calls);
	u32 modes = 0;
	unsigned int i;

	if (nla_put_string(skb, ICBENCH_A_BENCH_NAME, ops->name) ||
	    nla_put_string(skb, ICBENCH_A_BENCH_HELP, ops->help))
		return -EMSGSIZE;
	for (i = 0; i < 32; i++) {
		if (!(verbs & BIT(i)))
			continue;
		if (nla_put_u32(skb, ICBENCH_A_BENCH_VERB, i))
			return -EMSGSIZE;
		modes |= icb_verb_completions(trigger, i);
	}
	for (i = 0; i < 32; i++)
		if (modes & BIT(i) &&
		    nla_put_u32(skb, ICBENCH_A_BENCH_COMPLETION, i))
			return -EMSGSIZE;
	return 0;
}

int icbench_nl_bench_get_dumpit(struct sk_buff *skb,
				struct netlink_callback *cb)
{
	const struct icb_bench_ops *ops;
	void *hdr;
	int err;

	err = icb_nl_parse_none(cb->nlh, cb->extack);
	if (err)
		return err;
	for (; (ops = icb_bench_by_trigger(cb->args[0])); cb->args[0]++) {
		hdr = icb_nl_dump_begin(skb, cb, ICBENCH_CMD_BENCH_GET);
		if (!hdr || !icb_nl_dump_end(skb, hdr, put_bench(skb, cb->args[0], ops)))
			break;
	}
	return skb->len;
}

int icbench_nl_bench_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *name = info->attrs[ICBENCH_A_BENCH_NAME];
	const struct icb_bench_ops *ops;
	struct sk_buff *msg;
	unsigned int i;
	void *hdr;

	for (i = 0; name && (ops = icb_bench_by_trigger(i)); i++)
		if (!nla_strcmp(name, ops->name))
			break;
	if (!name || !ops)
		return icb_nl_refuse_words(info->extack, name, name ? -ENOENT : -EINVAL,
					   "name: no such trigger; accepted: one that a dump lists");
	msg = icb_nl_reply(info, &hdr);
	if (!msg)
		return -ENOMEM;
	return icb_nl_send(msg, hdr, info, put_bench(msg, i, ops));
}
