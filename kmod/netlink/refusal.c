// SPDX-License-Identifier: GPL-2.0
#include <linux/list.h>
#include <linux/netlink.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <net/genetlink.h>

#include "genl.h"
#include "refusal.h"

/*
 * An extended ack refers to its text until the ack has been sent, soon after the
 * operation has returned, by the requesting task. A task has one request at a time, and
 * so needs one text. The text of a task that has exited is reused.
 */

/**
 * struct refusal - text of a task's last refusal
 * @list: link in the list of all texts
 * @pid: task that the text belongs to
 * @why: the text
 */
struct refusal {
	struct list_head list;
	struct pid *pid;
	struct icb_reason why;
};

static DEFINE_SPINLOCK(refusals_lock);
static LIST_HEAD(refusals);

static bool has_gone(struct pid *pid)
{
	bool gone;

	rcu_read_lock();
	gone = !pid_task(pid, PIDTYPE_PID);
	rcu_read_unlock();
	return gone;
}

/*
 * Finds the text of this task; if there is none, reuses that of a task that has exited.
 */
static struct refusal *find_refusal(void)
{
	struct refusal *refusal, *found = NULL;

	spin_lock(&refusals_lock);
	list_for_each_entry(refusal, &refusals, list) {
		if (refusal->pid == task_pid(current)) {
			found = refusal;
			break;
		}
		if (has_gone(refusal->pid))
			found = refusal;
	}
	if (found && found->pid != task_pid(current)) {
		put_pid(found->pid);
		found->pid = get_task_pid(current, PIDTYPE_PID);
	}
	spin_unlock(&refusals_lock);
	return found;
}

static struct refusal *get_refusal(void)
{
	struct refusal *refusal = find_refusal();

	if (refusal)
		return refusal;
	refusal = kmalloc(sizeof(*refusal), GFP_KERNEL);
	if (!refusal)
		return NULL;
	refusal->pid = get_task_pid(current, PIDTYPE_PID);
	spin_lock(&refusals_lock);
	list_add(&refusal->list, &refusals);
	spin_unlock(&refusals_lock);
	return refusal;
}

/**
 * icb_nl_refusals_exit() - free all texts
 *
 * Called when no request is being handled and none can arrive.
 */
void icb_nl_refusals_exit(void)
{
	struct refusal *refusal, *next;

	list_for_each_entry_safe(refusal, next, &refusals, list) {
		put_pid(refusal->pid);
		kfree(refusal);
	}
}

/**
 * icb_nl_refuse() - set the text of a refused request
 * @extack: extended ack of the request
 * @attr: attribute at fault; NULL if the fault is not in one attribute
 * @why: the text; copied
 * @err: negative error number
 *
 * Return: @err.
 */
int icb_nl_refuse(struct netlink_ext_ack *extack, const struct nlattr *attr,
		  const struct icb_reason *why, int err)
{
	struct refusal *refusal = get_refusal();

	extack->_msg = "no memory for the reason";
	if (refusal) {
		refusal->why = *why;
		extack->_msg = refusal->why.text;
	}
	if (attr)
		extack->bad_attr = attr;
	return err;
}

/**
 * icb_nl_refuse_words() - format and set the text of a refused request
 * @extack: extended ack of the request
 * @attr: attribute at fault; NULL if the fault is not in one attribute
 * @err: negative error number
 * @fmt: format of the text
 *
 * Return: @err.
 */
int icb_nl_refuse_words(struct netlink_ext_ack *extack,
			const struct nlattr *attr, int err, const char *fmt,
			...)
{
	struct icb_reason why;
	va_list args;

	va_start(args, fmt);
	vsnprintf(why.text, sizeof(why.text), fmt, args);
	va_end(args);
	return icb_nl_refuse(extack, attr, &why, err);
}

/* Names of the top-level attributes of requests. */
struct attr_name {
	u8 cmd;
	u16 attr;
	const char *name;
};

static const struct attr_name attr_names[] = {
	{ ICBENCH_CMD_DEV_GET, ICBENCH_A_DEV_NAME, "name" },
	{ ICBENCH_CMD_DEV_GET, ICBENCH_A_DEV_PORT, "port" },
	{ ICBENCH_CMD_BENCH_GET, ICBENCH_A_BENCH_NAME, "name" },
	{ ICBENCH_CMD_LISTEN_NEW, ICBENCH_A_LISTEN_BIND, "bind" },
	{ ICBENCH_CMD_LISTEN_NEW, ICBENCH_A_LISTEN_CM_PORT, "cm-port" },
	{ ICBENCH_CMD_LISTEN_NEW, ICBENCH_A_LISTEN_TOKEN, "token" },
	{ ICBENCH_CMD_LISTEN_NEW, ICBENCH_A_LISTEN_MAX_MEMORY, "max-memory" },
	{ ICBENCH_CMD_LISTEN_NEW, ICBENCH_A_LISTEN_MAX_QPS, "max-qps" },
	{ ICBENCH_CMD_LISTEN_NEW, ICBENCH_A_LISTEN_DETACH, "detach" },
	{ ICBENCH_CMD_LISTEN_DEL, ICBENCH_A_LISTEN_ID, "id" },
	{ ICBENCH_CMD_LISTEN_GET, ICBENCH_A_LISTEN_ID, "id" },
	{ ICBENCH_CMD_JOB_NEW, ICBENCH_A_JOB_PARAMS, "params" },
	{ ICBENCH_CMD_JOB_NEW, ICBENCH_A_JOB_DETACH, "detach" },
	{ ICBENCH_CMD_JOB_NEW, ICBENCH_A_JOB_GROUP, "group" },
	{ ICBENCH_CMD_JOB_START, ICBENCH_A_JOB_ID, "id" },
	{ ICBENCH_CMD_JOB_STOP, ICBENCH_A_JOB_ID, "id" },
	{ ICBENCH_CMD_JOB_DEL, ICBENCH_A_JOB_ID, "id" },
	{ ICBENCH_CMD_JOB_GET, ICBENCH_A_JOB_ID, "id" },
	{ ICBENCH_CMD_RESULT_GET, ICBENCH_A_METRIC_JOB, "job" },
	{ ICBENCH_CMD_RESULT_GET, ICBENCH_A_METRIC_NAME, "name" },
	{ ICBENCH_CMD_RESULT_GET, ICBENCH_A_METRIC_FROM, "from" },
	{ ICBENCH_CMD_RESULT_GET, ICBENCH_A_METRIC_SAMPLE_FROM, "sample-from" },
};

static const char *attr_name(u8 cmd, u16 attr)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(attr_names); i++)
		if (attr_names[i].cmd == cmd && attr_names[i].attr == attr)
			return attr_names[i].name;
	return NULL;
}

static bool inside(const struct nlattr *inner, const struct nlattr *outer)
{
	const char *begin = nla_data(outer);

	return (const char *)inner >= begin &&
	       (const char *)inner < begin + nla_len(outer);
}

/* Whether the attribute at fault is in the parameters of job-new. */
static bool is_param(const struct nlmsghdr *nlh, const struct nlattr *bad)
{
	const struct nlattr *attr;
	int rem;

	nla_for_each_attr(attr, nlmsg_attrdata(nlh, GENL_HDRLEN),
			  nlmsg_attrlen(nlh, GENL_HDRLEN), rem)
		if (nla_type(attr) == ICBENCH_A_JOB_PARAMS && inside(bad, attr))
			return true;
	return false;
}

/* Formats the refusal of the parameter's own check; returns 0 if there is none. */
static int param_words(const struct icb_param *param, const struct nlattr *bad,
		       struct icb_reason *why)
{
	struct icb_params *scratch;
	u64 value;
	int err;

	if (param->type == ICB_PARAM_STRING || param->type == ICB_PARAM_BYTES)
		return icb_refuse(why, -EINVAL,
				  "%s: accepted: %llu to %llu bytes%s",
				  param->name, param->min, param->max,
				  param->type == ICB_PARAM_STRING ?
					  ", ending in NUL" :
					  "");
	if (nla_len(bad) != param->bytes)
		return icb_refuse(why, -EINVAL,
				  "%s: has %d bytes; accepted: a number of %u bytes",
				  param->name, nla_len(bad), param->bytes);
	value = param->bytes == sizeof(u64) ? nla_get_u64(bad) :
					      nla_get_u32(bad);
	scratch = kzalloc(sizeof(*scratch), GFP_KERNEL);
	if (!scratch)
		return 0;
	err = icb_params_set_number(scratch, param, value, why);
	kfree(scratch);
	return err;
}

static void policy_range(const struct nla_policy *policy, u64 *min, u64 *max)
{
	*min = 0;
	*max = policy->type == NLA_U64 ? U64_MAX : U32_MAX;
	switch (policy->validation_type) {
	case NLA_VALIDATE_RANGE:
	case NLA_VALIDATE_MIN:
		*min = policy->min;
		break;
	default:
		break;
	}
	switch (policy->validation_type) {
	case NLA_VALIDATE_RANGE:
	case NLA_VALIDATE_MAX:
		*max = policy->max;
		break;
	case NLA_VALIDATE_RANGE_PTR:
		*min = policy->range->min;
		*max = policy->range->max;
		break;
	default:
		break;
	}
}

static void format_accepted(const struct nla_policy *policy, char *text, size_t size)
{
	u64 min, max;

	switch (policy ? policy->type : NLA_UNSPEC) {
	case NLA_U32:
	case NLA_U64:
		policy_range(policy, &min, &max);
		snprintf(text, size, "a u%u, %llu to %llu",
			 policy->type == NLA_U64 ? 64 : 32, min, max);
		break;
	case NLA_NUL_STRING:
		snprintf(text, size, "a string ending in NUL, at most %u bytes",
			 policy->len ?: U16_MAX);
		break;
	case NLA_FLAG:
		strscpy(text, "a flag, without a value", size);
		break;
	case NLA_NESTED:
		strscpy(text, "a nest of attributes", size);
		break;
	default:
		strscpy(text, "a value of the specification", size);
		break;
	}
}

/*
 * Replaces the refusal of __nla_parse(), which gives only the attribute's offset, by a
 * text with the attribute's name and the accepted values.
 */
static int refuse_attr(const struct nlmsghdr *nlh, u8 cmd,
		       struct netlink_ext_ack *extack, int err)
{
	const struct nlattr *bad = extack->bad_attr;
	const char *msg = extack->_msg ?: "malformed";
	const struct icb_param *param;
	struct icb_reason why = {};
	const char *name;
	char text[80];

	if (!bad)
		return icb_nl_refuse_words(extack, NULL, err,
					   "%s; accepted: attributes of the specification", msg);
	format_accepted(extack->policy, text, sizeof(text));
	if (cmd == ICBENCH_CMD_JOB_NEW && is_param(nlh, bad)) {
		param = icb_param_by_attr(nla_type(bad));
		if (param && param_words(param, bad, &why))
			return icb_nl_refuse(extack, bad, &why, err);
		name = param ? param->name : NULL;
	} else {
		name = attr_name(cmd, nla_type(bad));
	}
	if (name)
		return icb_nl_refuse_words(extack, bad, err,
					   "%s: %s; accepted: %s", name, msg,
					   text);
	return icb_nl_refuse_words(extack, bad, err,
				   "attribute %u is not one of this request; accepted: attributes of the specification",
				   nla_type(bad));
}

static const struct genl_ops *generated_op(u8 cmd)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(icbench_nl_ops); i++)
		if (icbench_nl_ops[i].cmd == cmd)
			return &icbench_nl_ops[i];
	return NULL;
}

/**
 * icb_nl_parse() - parse the attributes of a request by its generated policy
 * @nlh: the request
 * @extack: takes the text of a refusal
 *
 * Return: the attributes, indexed by type, to be freed by kfree(); an error pointer.
 */
struct nlattr **icb_nl_parse(const struct nlmsghdr *nlh,
			     struct netlink_ext_ack *extack)
{
	const struct genlmsghdr *hdr = nlmsg_data(nlh);
	const struct genl_ops *op = generated_op(hdr->cmd);
	struct nlattr **attrs;
	int err;

	attrs = kcalloc(op->maxattr + 1, sizeof(*attrs), GFP_KERNEL);
	if (!attrs)
		return ERR_PTR(icb_nl_refuse_words(extack, NULL, -ENOMEM,
						   "no memory for a request"));
	if (hdr->reserved)
		err = icb_nl_refuse_words(extack, NULL, -EINVAL,
					  "reserved: not 0 in the header; accepted: 0");
	else
		err = __nla_parse(attrs, op->maxattr,
				  nlmsg_attrdata(nlh, GENL_HDRLEN),
				  nlmsg_attrlen(nlh, GENL_HDRLEN), op->policy,
				  NL_VALIDATE_STRICT, extack);
	if (!err)
		return attrs;
	if (!hdr->reserved)
		refuse_attr(nlh, hdr->cmd, extack, err);
	kfree(attrs);
	return ERR_PTR(err);
}

/**
 * icb_nl_parse_none() - check that a dump request has no attributes
 * @nlh: the request
 * @extack: takes the text of a refusal
 *
 * The policies apply to requests for one object; a dump has all objects.
 *
 * Return: 0; a negative error number.
 */
int icb_nl_parse_none(const struct nlmsghdr *nlh,
		      struct netlink_ext_ack *extack)
{
	const struct nlattr *first = nlmsg_attrdata(nlh, GENL_HDRLEN);
	const struct genlmsghdr *hdr = nlmsg_data(nlh);
	struct nlattr **attrs;

	if (!hdr->reserved && !nlmsg_attrlen(nlh, GENL_HDRLEN))
		return 0;
	attrs = icb_nl_parse(nlh, extack);
	if (IS_ERR(attrs))
		return PTR_ERR(attrs);
	kfree(attrs);
	return icb_nl_refuse_words(extack, first, -EINVAL,
				   "%s: a dump lists all objects; accepted: no attributes",
				   attr_name(hdr->cmd, nla_type(first)));
}
