// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>
#include <linux/genetlink.h>

#include "answer.h"

/* Position in a sequence of attributes. */
struct walk {
	const char *p;
	size_t left;
};

/* Return: the next attribute; NULL at the end, or before a malformed rest. */
static const struct nlattr *next(struct walk *walk)
{
	const struct nlattr *attr = (const struct nlattr *)walk->p;
	size_t len;

	if (walk->left < NLA_HDRLEN || attr->nla_len < NLA_HDRLEN ||
	    attr->nla_len > walk->left)
		return NULL;
	len = NLA_ALIGN(attr->nla_len);
	if (len > walk->left)
		len = walk->left;
	walk->p += len;
	walk->left -= len;
	return attr;
}

static size_t length(const struct nlattr *attr)
{
	return attr->nla_len - NLA_HDRLEN;
}

static bool ends_in_nul(const struct nlattr *attr)
{
	return length(attr) && memchr(attr + 1, '\0', length(attr)) ==
			       (const char *)(attr + 1) + length(attr) - 1;
}

static bool in_list(const short *list, int index)
{
	for (; *list >= 0; list++)
		if (*list == index)
			return true;
	return false;
}

static const char *check(const struct set *set, const short *list,
			 struct walk walk);

static bool is_right(const struct attr *spec, const struct nlattr *attr)
{
	uint64_t value = 0;

	switch (spec->type) {
	case TYPE_NUMBER:
		if (length(attr) != spec->size)
			return false;
		memcpy(&value, attr + 1, spec->size);
		return value >= spec->min && value <= spec->max;
	case TYPE_STRING:
		return ends_in_nul(attr);
	case TYPE_BINARY:
		return length(attr) >= spec->min_len;
	case TYPE_FLAG:
		return !length(attr);
	case TYPE_NEST:
		return !check(&sets[spec->nested], NULL, (struct walk){
			(const char *)(attr + 1), length(attr) });
	case TYPE_PAD:
		return true;
	}
	return false;
}

/* Return: the name of the attribute that violates the specification; NULL if none does. */
static const char *check(const struct set *set, const short *list,
			 struct walk walk)
{
	const struct nlattr *attr;
	int i;

	while ((attr = next(&walk))) {
		for (i = 0; i < set->count; i++)
			if (set->attrs[i].number == (attr->nla_type & NLA_TYPE_MASK))
				break;
		if (i == set->count)
			return "an attribute that is not in its set";
		if (list && set->attrs[i].type != TYPE_PAD && !in_list(list, i))
			return set->attrs[i].name;
		if (!is_right(&set->attrs[i], attr))
			return set->attrs[i].name;
	}
	return walk.left ? "bytes behind the last attribute" : NULL;
}

static void read_message(struct answer *answer, const struct nlmsghdr *head)
{
	const struct genlmsghdr *genl = NLMSG_DATA(head);
	struct walk walk = { (const char *)(genl + 1),
			     head->nlmsg_len - NLMSG_HDRLEN - GENL_HDRLEN };
	const struct nlattr *attr;
	const struct set *set;
	int i;

	for (i = 0; i < op_count; i++)
		if (ops[i].number == genl->cmd)
			answer->op = &ops[i];
	if (!answer->op) {
		answer->wrong = "a command that is not specified";
		return;
	}
	set = &sets[answer->op->set];
	answer->wrong = check(set, answer->op->reply, walk);
	while (!answer->wrong && (attr = next(&walk)))
		for (i = 0; i < set->count; i++)
			if (set->attrs[i].number == attr->nla_type &&
			    !strcmp(set->attrs[i].name, "id"))
				memcpy(&answer->id, attr + 1, sizeof(answer->id));
}

/* Read the text behind an error number, and perhaps behind a copy of the request. */
static void read_words(struct answer *answer, const struct nlmsghdr *head,
		       size_t skip)
{
	struct walk walk = { (const char *)NLMSG_DATA(head) + skip,
			     head->nlmsg_len - NLMSG_HDRLEN - skip };
	const struct nlattr *attr;

	if (!(head->nlmsg_flags & NLM_F_ACK_TLVS) ||
	    head->nlmsg_len < NLMSG_HDRLEN + skip)
		return;
	while ((attr = next(&walk)))
		if (attr->nla_type == NLMSGERR_ATTR_MSG && ends_in_nul(attr) &&
		    length(attr) > 1)
			answer->words = (const char *)(attr + 1);
}

static void read_error(struct answer *answer, const struct nlmsghdr *head)
{
	const struct nlmsgerr *error = NLMSG_DATA(head);
	size_t skip = sizeof(*error);

	answer->last = true;
	answer->error = -error->error;
	if (!(head->nlmsg_flags & NLM_F_CAPPED))
		skip += NLMSG_ALIGN(error->msg.nlmsg_len) - sizeof(error->msg);
	if (answer->error)
		read_words(answer, head, skip);
}

static void read_done(struct answer *answer, const struct nlmsghdr *head)
{
	int error = 0;

	answer->last = true;
	if (head->nlmsg_len >= NLMSG_HDRLEN + sizeof(error))
		memcpy(&error, NLMSG_DATA(head), sizeof(error));
	/* the end of a dump without error may have the length of the dump here */
	answer->error = error < 0 ? -error : 0;
	if (answer->error)
		read_words(answer, head, NLMSG_ALIGN(sizeof(error)));
}

/**
 * answer_read() - parse a message of the kernel
 * @answer: parsed message
 * @head: complete message
 * @family: message type of the module
 */
void answer_read(struct answer *answer, const struct nlmsghdr *head,
		 uint16_t family)
{
	memset(answer, 0, sizeof(*answer));
	if (head->nlmsg_type == NLMSG_ERROR)
		read_error(answer, head);
	else if (head->nlmsg_type == NLMSG_DONE)
		read_done(answer, head);
	else if (head->nlmsg_type == family)
		read_message(answer, head);
	else
		answer->wrong = "a message of another family";
}
