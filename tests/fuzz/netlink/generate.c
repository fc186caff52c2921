// SPDX-License-Identifier: GPL-2.0
/*
 * Generation of datagrams. A datagram depends only on seed, worker and index: instead of
 * numbers of jobs and listeners, it has pool slots, which are resolved later.
 */
#include <string.h>

#include "generate.h"
#include "random.h"
#include "reference.h"

/* Sequence numbers per datagram; each index has its own range. */
#define SEQS		16
#define DEEPEST		40

struct maker {
	struct datagram *d;
	uint64_t random;
	uint32_t seq;
	/* attribute that violates the specification */
	const struct attr *bad;
};

static uint64_t below(struct maker *m, uint64_t n)
{
	return random_below(&m->random, n);
}

static bool percent(struct maker *m, unsigned int n)
{
	return random_percent(&m->random, n);
}

static struct request *request_of(struct maker *m)
{
	return &m->d->request[m->d->count];
}

/* Valid values */

static uint64_t number(struct maker *m, const struct attr *attr)
{
	uint64_t any = random_within(&m->random, attr->low, attr->high);
	uint64_t edge = below(m, 4);

	if (attr->pool >= 0)
		return percent(m, 92) ? reference(attr->pool, any % POOL_SLOTS) : any;
	return edge == 0 ? attr->low : edge == 1 ? attr->high : any;
}

static void put_number(struct maker *m, const struct attr *attr, uint64_t value)
{
	/* little-endian, as are all supported hosts */
	datagram_put(m->d, attr->number, &value, attr->size);
}

static void put_string(struct maker *m, const struct attr *attr)
{
	unsigned int most = attr->max_len ? attr->max_len : 40, len, count = 0;
	char text[256];

	while (attr->strings && attr->strings[count])
		count++;
	if (count) {
		const char *s = attr->strings[below(m, count)];

		datagram_put(m->d, attr->number, s, strlen(s) + 1);
		return;
	}
	if (most >= sizeof(text))
		most = sizeof(text) - 1;
	len = 1 + below(m, most);
	for (most = 0; most < len; most++)
		text[most] = '!' + below(m, '~' - '!');
	text[len] = '\0';
	datagram_put(m->d, attr->number, text, len + 1);
}

static void put_bytes(struct maker *m, unsigned int type, size_t len)
{
	void *at = datagram_put(m->d, type, NULL, len);

	if (at)
		random_fill(&m->random, at, len);
}

/*
 * Random bytes that are no attribute; the padding is set too, so that it is reproducible.
 */
static void put_raw(struct maker *m, size_t len)
{
	unsigned char *at = m->d->buf + m->d->len;

	random_fill(&m->random, at, len);
	memset(at + len, 0, NLMSG_ALIGN(len) - len);
	m->d->len += len;
}

static void put_attr(struct maker *m, const struct attr *attr);

static void put_nest(struct maker *m, const struct attr *attr)
{
	const struct set *set = &sets[attr->nested];
	size_t nest = datagram_nest(m->d, attr->number | NLA_F_NESTED);
	int first = below(m, set->count), i;

	for (i = 0; i < set->count; i++) {
		const struct attr *inner = &set->attrs[(first + i) % set->count];

		if (percent(m, inner->often) || inner == m->bad)
			put_attr(m, inner);
	}
	datagram_nest_end(m->d, nest);
}

static void put_good(struct maker *m, const struct attr *attr)
{
	unsigned int most = attr->max_len ? attr->max_len : attr->min_len + 64;

	switch (attr->type) {
	case TYPE_NUMBER:
		put_number(m, attr, number(m, attr));
		break;
	case TYPE_STRING:
		put_string(m, attr);
		break;
	case TYPE_BINARY:
		put_bytes(m, attr->number, random_within(&m->random, attr->min_len, most));
		break;
	case TYPE_FLAG:
		datagram_put(m->d, attr->number, NULL, 0);
		break;
	case TYPE_NEST:
		put_nest(m, attr);
		break;
	case TYPE_PAD:
		break;
	}
}

/* Invalid attributes */

static const unsigned int lengths[] = { 0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 60, 4000 };

static void put_bad_length(struct maker *m, const struct attr *attr,
			   unsigned int right)
{
	unsigned int len;

	do {
		len = lengths[below(m, sizeof(lengths) / sizeof(lengths[0]))];
	} while (len == right);
	put_bytes(m, attr->number, len);
}

static void put_bad_number(struct maker *m, const struct attr *attr)
{
	uint64_t greatest = attr->size == 8 ? UINT64_MAX : (1ULL << 8 * attr->size) - 1;
	uint64_t above = attr->max < greatest ? attr->max + 1 : 0;

	switch (below(m, 4)) {
	case 0:
		if (above) {
			put_number(m, attr, random_within(&m->random, above, greatest));
			return;
		}
		break;
	case 1:
		if (above) {
			put_number(m, attr, percent(m, 50) ? above : greatest);
			return;
		}
		break;
	case 2:
		if (attr->min) {
			put_number(m, attr, percent(m, 50) ? attr->min - 1 : 0);
			return;
		}
		break;
	}
	put_bad_length(m, attr, attr->size);
}

/* A string without NUL, or one that is too long. */
static void put_bad_string(struct maker *m, const struct attr *attr)
{
	unsigned int len = lengths[below(m, sizeof(lengths) / sizeof(lengths[0]))];
	char *at;

	if (attr->max_len && percent(m, 40))
		len = attr->max_len + 2 + below(m, 2000);
	at = datagram_put(m->d, attr->number, NULL, len);
	if (at)
		memset(at, 'a' + below(m, 26), len);
	if (at && len > attr->max_len + 1 && attr->max_len)
		at[len - 1] = '\0';
}

static void put_bad(struct maker *m, const struct attr *attr)
{
	size_t nest;

	request_of(m)->bad = attr->name;
	switch (attr->type) {
	case TYPE_NUMBER:
		put_bad_number(m, attr);
		break;
	case TYPE_STRING:
		put_bad_string(m, attr);
		break;
	case TYPE_BINARY:
		if (attr->min_len && percent(m, 50))
			put_bytes(m, attr->number, below(m, attr->min_len));
		else if (attr->max_len)
			put_bytes(m, attr->number, attr->max_len + 1 + below(m, 4000));
		else
			request_of(m)->bad = NULL;
		break;
	case TYPE_FLAG:
		put_bytes(m, attr->number, 1 + below(m, 16));
		break;
	case TYPE_NEST:
		/* the nest without NLA_F_NESTED */
		nest = datagram_nest(m->d, attr->number);
		put_bytes(m, 1, 4);
		datagram_nest_end(m->d, nest);
		break;
	case TYPE_PAD:
		request_of(m)->bad = NULL;
		break;
	}
}

static void put_attr(struct maker *m, const struct attr *attr)
{
	if (attr == m->bad)
		put_bad(m, attr);
	else
		put_good(m, attr);
}

/* Valid messages */

static const struct op *choose_op(struct maker *m)
{
	uint64_t total = 0, choice;
	int i;

	for (i = 0; i < op_count; i++)
		total += ops[i].weight;
	choice = below(m, total);
	for (i = 0; choice >= ops[i].weight; i++)
		choice -= ops[i].weight;
	return &ops[i];
}

static enum request_mode choose_mode(struct maker *m, const struct op *op)
{
	bool dump = percent(m, 25);

	if (!op->request[DUMP])
		return DO;
	return dump || !op->request[DO] ? DUMP : DO;
}

static void put_request(struct maker *m, const struct op *op, enum request_mode mode)
{
	const short *list = op->request[mode];
	const struct attr *attrs = sets[op->set].attrs;

	for (; *list >= 0; list++) {
		const struct attr *attr = &attrs[*list];
		bool leads_to_bad = m->bad && attr->nested >= 0 &&
			m->bad >= sets[attr->nested].attrs &&
			m->bad < sets[attr->nested].attrs + sets[attr->nested].count;

		if (percent(m, attr->often) || attr == m->bad || leads_to_bad)
			put_attr(m, attr);
	}
}

static size_t begin(struct maker *m, const struct op **op, enum request_mode *mode)
{
	size_t at;

	*op = choose_op(m);
	*mode = choose_mode(m, *op);
	at = datagram_begin(m->d, *op, *mode, m->seq++);
	request_of(m)->at = at;
	return at;
}

static size_t good(struct maker *m)
{
	const struct op *op;
	enum request_mode mode;
	size_t at = begin(m, &op, &mode);

	put_request(m, op, mode);
	datagram_end(m->d, at);
	return at;
}

static struct nlmsghdr *head_of(struct maker *m, size_t at)
{
	return (struct nlmsghdr *)(m->d->buf + at);
}

static struct genlmsghdr *genl_of(struct maker *m, size_t at)
{
	return (struct genlmsghdr *)(m->d->buf + at + NLMSG_HDRLEN);
}

static size_t attrs_of(size_t at)
{
	return at + NLMSG_HDRLEN + GENL_HDRLEN;
}

/* Return: a random attribute outside of nests, which are well-formed; NULL for none. */
static struct nlattr *any_attr(struct maker *m, size_t at)
{
	struct nlattr *found = NULL;
	size_t p = attrs_of(at);
	unsigned int seen = 0;

	while (p < m->d->len) {
		struct nlattr *attr = (struct nlattr *)(m->d->buf + p);

		if (!below(m, ++seen))
			found = attr;
		p += NLA_ALIGN(attr->nla_len);
	}
	return found;
}

static const struct attr *any_spec(struct maker *m)
{
	const struct set *set = &sets[below(m, set_count)];

	return &set->attrs[below(m, set->count)];
}

static void valid(struct maker *m)
{
	good(m);
}

/* Invalid messages */

/* An otherwise valid message with one invalid attribute, in a nest or not. */
static void one_bad(struct maker *m)
{
	const struct op *op;
	const struct attr *attr;
	enum request_mode mode;
	const short *list;
	int count = 0;
	size_t at;

	at = begin(m, &op, &mode);
	list = op->request[mode];
	while (list[count] >= 0)
		count++;
	if (count) {
		attr = &sets[op->set].attrs[list[below(m, count)]];
		if (attr->nested >= 0 && percent(m, 90))
			attr = &sets[attr->nested].attrs[below(m, sets[attr->nested].count)];
		m->bad = attr;
	}
	put_request(m, op, mode);
	datagram_end(m->d, at);
	m->bad = NULL;
}

static void unknown_attr(struct maker *m)
{
	size_t at = good(m);
	unsigned int flags = percent(m, 30) ? below(m, 4) << 14 : 0;

	put_bytes(m, (percent(m, 50) ? below(m, 64) : below(m, 0x4000)) | flags,
		  below(m, 40));
	datagram_end(m->d, at);
}

/* An attribute that is valid elsewhere. */
static void foreign_attr(struct maker *m)
{
	size_t at = good(m);

	put_good(m, any_spec(m));
	datagram_end(m->d, at);
}

static void attr_twice(struct maker *m)
{
	size_t at = good(m);
	struct nlattr *attr = any_attr(m, at);

	if (attr)
		datagram_put(m->d, attr->nla_type, attr + 1, attr->nla_len - NLA_HDRLEN);
	datagram_end(m->d, at);
}

static void inner_twice(struct maker *m)
{
	const struct op *op;
	enum request_mode mode;
	size_t at = begin(m, &op, &mode), nest;
	const short *list = op->request[mode];

	for (; *list >= 0; list++) {
		const struct attr *attr = &sets[op->set].attrs[*list], *inner;

		if (attr->type != TYPE_NEST) {
			put_good(m, attr);
			continue;
		}
		nest = datagram_nest(m->d, attr->number | NLA_F_NESTED);
		inner = &sets[attr->nested].attrs[below(m, sets[attr->nested].count)];
		put_good(m, inner);
		put_good(m, inner);
		datagram_nest_end(m->d, nest);
	}
	datagram_end(m->d, at);
}

static void wrong_length(struct maker *m)
{
	size_t at = good(m);
	struct nlattr *attr = any_attr(m, at);

	if (attr)
		attr->nla_len = percent(m, 50) ? below(m, 24) : below(m, 0x10000);
}

static void wrong_type(struct maker *m)
{
	size_t at = good(m);
	struct nlattr *attr = any_attr(m, at);

	if (attr)
		attr->nla_type ^= percent(m, 50) ? NLA_F_NESTED :
				  percent(m, 50) ? NLA_F_NET_BYTEORDER : 1 + below(m, 7);
}

static void too_deep(struct maker *m)
{
	unsigned int type = any_spec(m)->number | NLA_F_NESTED;
	int depth = 1 + below(m, DEEPEST), i;
	size_t at = good(m), nest[DEEPEST];

	for (i = 0; i < depth; i++)
		nest[i] = datagram_nest(m->d, type);
	put_good(m, any_spec(m));
	while (i--)
		datagram_nest_end(m->d, nest[i]);
	datagram_end(m->d, at);
}

/* An attribute of a nest outside of it, or a message nested in itself. */
static void wrong_nesting(struct maker *m)
{
	const struct op *op;
	enum request_mode mode;
	size_t at = begin(m, &op, &mode), nest;
	const short *list = op->request[mode];

	nest = datagram_nest(m->d, (1 + below(m, 24)) | NLA_F_NESTED);
	put_request(m, op, mode);
	datagram_nest_end(m->d, nest);
	for (; *list >= 0; list++) {
		const struct attr *attr = &sets[op->set].attrs[*list];

		if (attr->nested >= 0)
			put_good(m, &sets[attr->nested].attrs[below(m, sets[attr->nested].count)]);
	}
	datagram_end(m->d, at);
}

/* Attributes of the largest length, more than 64 KiB together. */
static void huge(struct maker *m)
{
	size_t at = good(m), len;
	int count = 1 + below(m, 3);

	while (count--) {
		len = UINT16_MAX - NLA_HDRLEN - below(m, 3);
		if (!datagram_put(m->d, any_spec(m)->number, NULL, len))
			break;
	}
	datagram_end(m->d, at);
}

/* A valid message with a length above 64 KiB. */
static void long_one(struct maker *m)
{
	size_t at = good(m);
	struct nlattr *attr = any_attr(m, at);
	unsigned int count = attr ? 70000 / NLA_ALIGN(attr->nla_len) : 0;

	while (count--)
		datagram_put(m->d, attr->nla_type, attr + 1, attr->nla_len - NLA_HDRLEN);
	datagram_end(m->d, at);
}

static void bytes_behind(struct maker *m)
{
	size_t at = good(m);
	size_t len = 1 + below(m, percent(m, 50) ? 3 : 40);

	put_raw(m, len);
	datagram_end(m->d, at);
	m->d->len = NLMSG_ALIGN(m->d->len);
}

static void cut_off(struct maker *m)
{
	size_t at = good(m), len = m->d->len - at;

	head_of(m, at)->nlmsg_len = below(m, len + 1);
}

static void wrong_message_length(struct maker *m)
{
	size_t at = good(m);

	head_of(m, at)->nlmsg_len = percent(m, 50) ? below(m, 64) : random_next(&m->random);
}

static void wrong_header(struct maker *m)
{
	size_t at = good(m);

	switch (below(m, 4)) {
	case 0:
		genl_of(m, at)->cmd = below(m, 256);
		break;
	case 1:
		genl_of(m, at)->version = below(m, 256);
		break;
	case 2:
		genl_of(m, at)->reserved = 1 + below(m, 0xffff);
		break;
	case 3:
		head_of(m, at)->nlmsg_flags = random_next(&m->random) |
			(percent(m, 90) ? NLM_F_REQUEST : 0);
		break;
	}
}

static void other_mode(struct maker *m)
{
	size_t at = good(m);

	head_of(m, at)->nlmsg_flags ^= NLM_F_DUMP;
}

static void other_op(struct maker *m)
{
	size_t at = good(m);

	genl_of(m, at)->cmd = ops[below(m, op_count)].number;
}

static void flip(struct maker *m)
{
	size_t at = attrs_of(good(m)), len = m->d->len - at;
	int count = 1 + below(m, 6);

	while (len && count--)
		m->d->buf[at + below(m, len)] = random_next(&m->random);
}

/* Random bytes, but not for other families: these would execute the request. */
static void blind(struct maker *m)
{
	size_t at = m->d->len, len = NLMSG_HDRLEN + below(m, 200);

	request_of(m)->at = at;
	put_raw(m, len);
	m->d->len = NLMSG_ALIGN(m->d->len);
	head_of(m, at)->nlmsg_type = percent(m, 80) ? FAMILY :
		percent(m, 50) ? below(m, NLMSG_MIN_TYPE) : 0x4000 + below(m, 0x4000);
	if (percent(m, 90))
		head_of(m, at)->nlmsg_len = len;
}

static const struct {
	unsigned int weight;
	enum class class;
	void (*make)(struct maker *m);
} kinds[] = {
	{ 420, CLASS_VALID, valid },
	{ 220, CLASS_NEAR_VALID, one_bad },
	{ 20, CLASS_NEAR_VALID, unknown_attr },
	{ 20, CLASS_NEAR_VALID, foreign_attr },
	{ 20, CLASS_NEAR_VALID, attr_twice },
	{ 20, CLASS_NEAR_VALID, inner_twice },
	{ 30, CLASS_TRUNCATED, wrong_length },
	{ 20, CLASS_NEAR_VALID, wrong_type },
	{ 15, CLASS_NEAR_VALID, too_deep },
	{ 20, CLASS_NEAR_VALID, wrong_nesting },
	{ 2, CLASS_OVERSIZED, huge },
	{ 1, CLASS_OVERSIZED, long_one },
	{ 20, CLASS_TRUNCATED, bytes_behind },
	{ 20, CLASS_TRUNCATED, cut_off },
	{ 10, CLASS_TRUNCATED, wrong_message_length },
	{ 30, CLASS_RANDOM, wrong_header },
	{ 20, CLASS_NEAR_VALID, other_mode },
	{ 20, CLASS_NEAR_VALID, other_op },
	{ 50, CLASS_RANDOM, flip },
	{ 30, CLASS_RANDOM, blind },
};

static void make(struct maker *m)
{
	uint64_t total = 0, choice;
	unsigned int i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		total += kinds[i].weight;
	choice = below(m, total);
	for (i = 0; choice >= kinds[i].weight; i++)
		choice -= kinds[i].weight;
	kinds[i].make(m);
	m->d->made[kinds[i].class]++;
	m->d->count++;
}

static void reset(struct datagram *d)
{
	d->len = 0;
	d->count = 0;
	memset(d->made, 0, sizeof(d->made));
	d->abandon = false;
	memset(d->request, 0, sizeof(d->request));
}

/**
 * generate() - generate a datagram
 * @d: datagram
 * @seed: seed of the run
 * @worker: number of the worker
 * @index: index of the datagram
 */
void generate(struct datagram *d, uint64_t seed, uint32_t worker,
	      uint64_t index)
{
	struct maker m = { .d = d, .random = seed };
	int count;

	/* mix each of the three separately */
	m.random = random_next(&m.random) + worker;
	m.random = random_next(&m.random) + index;
	m.seq = 1 + index * SEQS;
	reset(d);
	count = percent(&m, 5) ? 2 + below(&m, 6) : 1;
	/* the other half has room for the longest message */
	while (count-- && d->len < DATAGRAM_MAX / 2)
		make(&m);
	d->abandon = !below(&m, 500);
	datagram_walk(d);
}

/**
 * generate_about() - generate a datagram with one valid request
 * @d: datagram
 * @op: operation
 * @mode: DO or DUMP
 * @id: number of the object; 0 for no attribute
 */
void generate_about(struct datagram *d, const struct op *op, enum request_mode mode,
		    uint32_t id)
{
	const struct attr *attr;
	size_t at;

	reset(d);
	at = datagram_begin(d, op, mode, 0);
	if (id) {
		attr = &sets[op->set].attrs[op->request[mode][0]];
		datagram_put(d, attr->number, &id, sizeof(id));
	}
	datagram_end(d, at);
	datagram_walk(d);
}
