// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "datagram.h"

#define HEADERS	(NLMSG_HDRLEN + GENL_HDRLEN)

static struct nlmsghdr *header(struct datagram *d, size_t at)
{
	return (struct nlmsghdr *)(d->buf + at);
}

/**
 * datagram_begin() - begin a message
 * @d: datagram
 * @op: operation
 * @mode: DO or DUMP
 * @seq: sequence number
 *
 * Return: offset of the message, for datagram_end().
 */
size_t datagram_begin(struct datagram *d, const struct op *op, enum request_mode mode,
		      uint32_t seq)
{
	size_t begin = d->len;
	struct genlmsghdr *genl = (void *)(d->buf + begin + NLMSG_HDRLEN);

	memset(d->buf + begin, 0, HEADERS);
	header(d, begin)->nlmsg_type = FAMILY;
	header(d, begin)->nlmsg_flags = NLM_F_REQUEST |
					(mode == DUMP ? NLM_F_DUMP : NLM_F_ACK);
	header(d, begin)->nlmsg_seq = seq;
	genl->cmd = op->number;
	genl->version = 1;
	d->len += HEADERS;
	return begin;
}

/**
 * datagram_end() - write the length of a message
 * @d: datagram
 * @begin: offset returned by datagram_begin()
 */
void datagram_end(struct datagram *d, size_t begin)
{
	header(d, begin)->nlmsg_len = d->len - begin;
}

/**
 * datagram_put() - add an attribute
 * @d: datagram
 * @type: type with flags
 * @data: value; NULL to leave it zero
 * @len: length of the value, bytes
 *
 * Return: the value in the datagram; NULL if there is no room, or @len is too large.
 */
void *datagram_put(struct datagram *d, unsigned int type, const void *data,
		   size_t len)
{
	struct nlattr *attr = (struct nlattr *)(d->buf + d->len);
	size_t total = NLA_HDRLEN + NLA_ALIGN(len);

	if (len > UINT16_MAX - NLA_HDRLEN || d->len + total > sizeof(d->buf))
		return NULL;
	memset(attr, 0, total);
	attr->nla_type = type;
	attr->nla_len = NLA_HDRLEN + len;
	if (data)
		memcpy(attr + 1, data, len);
	d->len += total;
	return attr + 1;
}

/**
 * datagram_nest() - begin a nest
 * @d: datagram
 * @type: type with flags
 *
 * Return: offset of the nest, for datagram_nest_end().
 */
size_t datagram_nest(struct datagram *d, unsigned int type)
{
	size_t nest = d->len;

	datagram_put(d, type, NULL, 0);
	return nest;
}

/**
 * datagram_nest_end() - write the length of a nest
 * @d: datagram
 * @nest: offset returned by datagram_nest()
 */
void datagram_nest_end(struct datagram *d, size_t nest)
{
	((struct nlattr *)(d->buf + nest))->nla_len = d->len - nest;
}

static const struct op *find_op(unsigned int number)
{
	int i;

	for (i = 0; i < op_count; i++)
		if (ops[i].number == number && !ops[i].event)
			return &ops[i];
	return NULL;
}

/* NLM_F_DUMP has two bits; generic netlink sees a dump only if both are set. */
static void read_request(struct datagram *d, struct request *request)
{
	const struct nlmsghdr *head = header(d, request->at);
	const struct genlmsghdr *genl = NLMSG_DATA(head);

	request->seq = head->nlmsg_seq;
	if (head->nlmsg_type != FAMILY || head->nlmsg_len < HEADERS ||
	    !(head->nlmsg_flags & NLM_F_REQUEST))
		return;
	request->op = find_op(genl->cmd);
	request->mode = (head->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP ? DUMP : DO;
	request->sound = request->op && request->op->request[request->mode] &&
			 (request->mode == DUMP || head->nlmsg_flags & NLM_F_ACK);
}

/**
 * datagram_walk() - find the messages in a datagram, as the kernel does
 * @d: datagram; the bad attribute of a message is kept if the message still starts at the
 *	same offset
 */
void datagram_walk(struct datagram *d)
{
	struct request known[REQUESTS_MAX];
	int i, known_count = d->count;
	size_t at = 0, len;

	memcpy(known, d->request, sizeof(known));
	memset(d->request, 0, sizeof(d->request));
	d->count = 0;
	while (at + NLMSG_HDRLEN <= d->len && d->count < REQUESTS_MAX) {
		struct request *request = &d->request[d->count];

		len = header(d, at)->nlmsg_len;
		if (len < NLMSG_HDRLEN || len > d->len - at)
			return;
		request->at = at;
		read_request(d, request);
		for (i = 0; i < known_count; i++)
			if (known[i].at == at)
				request->bad = known[i].bad;
		d->count++;
		at += NLMSG_ALIGN(len);
	}
}

/**
 * datagram_number() - value of a message's attribute
 * @d: datagram
 * @request: message
 * @attr: attribute of four bytes outside of nests
 * @value: value found
 *
 * Return: true if the message has the attribute.
 */
bool datagram_number(const struct datagram *d, const struct request *request,
		     const struct attr *attr, uint32_t *value)
{
	const struct nlmsghdr *head = (const void *)(d->buf + request->at);
	size_t at = request->at + HEADERS, end = request->at + head->nlmsg_len;
	bool found = false;

	while (at + NLA_HDRLEN <= end) {
		const struct nlattr *a = (const void *)(d->buf + at);

		if (a->nla_len < NLA_HDRLEN || at + a->nla_len > end)
			break;
		/* the kernel uses the last one of repeated attributes */
		if ((a->nla_type & NLA_TYPE_MASK) == attr->number &&
		    a->nla_len == NLA_HDRLEN + sizeof(*value)) {
			memcpy(value, a + 1, sizeof(*value));
			found = true;
		}
		at += NLA_ALIGN(a->nla_len);
	}
	return found;
}
