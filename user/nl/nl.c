// SPDX-License-Identifier: GPL-2.0
/*
 * libnl builds and parses messages here; sending and receiving them is done by
 * hand, because libnl 3.7 drops what the kernel says in words with an error,
 * and the error at the end of a dump altogether.
 */
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include <netlink/attr.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>

#include "base/alloc.h"
#include "base/text.h"
#include "loading.h"
#include "nl.h"

/*
 * The module answers from within the request, or when what is deleted has let go, for which
 * a peer's device may have to be waited for: longer means never.
 */
#define ANSWER_SECONDS	120
/* Room for a burst of events of a machine full of jobs. */
#define EVENT_BYTES	0x100000
/* More than the kernel puts into one buffer. */
#define RECEIVE_BYTES	0x10000
/* How often a dump is begun anew because the list changed under it. */
#define DUMP_TRIES	10

/**
 * struct nl - a connection to the module
 * @request: socket for requests; owns the jobs and listeners made through it
 * @events: socket for events; NULL until asked for
 * @family: of the module's messages
 * @group: of its events
 * @seq: of the last request
 * @buf: what was received last, allocated
 * @event_buf: the same of events
 * @next: the event that was not handed out yet
 * @left: bytes there
 */
struct nl {
	struct nl_sock *request;
	struct nl_sock *events;
	int family;
	int group;
	u32 seq;
	void *buf;
	void *event_buf;
	struct nlmsghdr *next;
	int left;
};

/**
 * struct field - an attribute that a struct keeps; a table of them ends in one
 *	without a name
 * @name: for errors
 * @offset: where it is kept
 * @bytes: how many it has there
 * @attr: the attribute
 * @kind: as in libnl's policies
 * @needed: whether a message without it is none
 */
struct field {
	const char *name;
	u16 offset;
	u16 bytes;
	u16 attr;
	u8 kind;
	bool needed;
};

#define FIELD(type, _field, _attr)					\
	.name = #_field, .offset = offsetof(type, _field),		\
	.attr = ICBENCH_A_##_attr
#define U32	.kind = NLA_U32, .bytes = sizeof(u32)
#define S32	.kind = NLA_S32, .bytes = sizeof(s32)
#define U64	.kind = NLA_U64, .bytes = sizeof(u64)
#define BYTES(type, _field)						\
	.kind = NLA_UNSPEC, .bytes = sizeof_field(type, _field)
#define TEXT(type, _field)						\
	.kind = NLA_STRING, .bytes = sizeof_field(type, _field)

static const struct field gid_fields[] = {
	{ FIELD(struct nl_gid, index, GID_INDEX), U32, .needed = true },
	{ FIELD(struct nl_gid, value, GID_VALUE),
	  BYTES(struct nl_gid, value), .needed = true },
	{ FIELD(struct nl_gid, type, GID_TYPE), TEXT(struct nl_gid, type) },
	{ FIELD(struct nl_gid, netdev, GID_NETDEV),
	  TEXT(struct nl_gid, netdev) },
	{ .name = NULL }
};

static const struct field dev_fields[] = {
	{ FIELD(struct nl_dev, name, DEV_NAME),
	  TEXT(struct nl_dev, name), .needed = true },
	{ FIELD(struct nl_dev, driver, DEV_DRIVER),
	  TEXT(struct nl_dev, driver) },
	{ FIELD(struct nl_dev, node_guid, DEV_NODE_GUID), U64 },
	{ FIELD(struct nl_dev, node, DEV_NODE), S32 },
	{ FIELD(struct nl_dev, max_qp, DEV_MAX_QP), U32 },
	{ FIELD(struct nl_dev, max_cqe, DEV_MAX_CQE), U32 },
	{ FIELD(struct nl_dev, max_sge, DEV_MAX_SGE), U32 },
	{ FIELD(struct nl_dev, max_recv_sge, DEV_MAX_RECV_SGE), U32 },
	{ FIELD(struct nl_dev, max_read_sge, DEV_MAX_READ_SGE), U32 },
	{ FIELD(struct nl_dev, max_mr_size, DEV_MAX_MR_SIZE), U64 },
	{ FIELD(struct nl_dev, max_msg_size, DEV_MAX_MSG_SIZE), U64 },
	{ FIELD(struct nl_dev, vectors, DEV_VECTORS), U32 },
	{ FIELD(struct nl_dev, port, DEV_PORT), U32, .needed = true },
	{ FIELD(struct nl_dev, state, DEV_STATE), TEXT(struct nl_dev, state) },
	{ FIELD(struct nl_dev, link_layer, DEV_LINK_LAYER),
	  TEXT(struct nl_dev, link_layer) },
	{ FIELD(struct nl_dev, protocol, DEV_PROTOCOL),
	  TEXT(struct nl_dev, protocol) },
	{ FIELD(struct nl_dev, speed, DEV_SPEED), U32 },
	{ FIELD(struct nl_dev, mtu, DEV_MTU), U32 },
	{ FIELD(struct nl_dev, verbs, DEV_VERBS), U32 },
	{ FIELD(struct nl_dev, netdev, DEV_NETDEV),
	  TEXT(struct nl_dev, netdev) },
	{ .name = NULL }
};

static const struct field clock_fields[] = {
	{ FIELD(struct nl_clock, source, CLOCK_SOURCE),
	  TEXT(struct nl_clock, source), .needed = true },
	{ FIELD(struct nl_clock, invariant, CLOCK_INVARIANT), U32 },
	{ FIELD(struct nl_clock, khz, CLOCK_KHZ), U32 },
	{ FIELD(struct nl_clock, read_ps, CLOCK_READ_PS), U32 },
	{ FIELD(struct nl_clock, error_ppm, CLOCK_ERROR_PPM), S32 },
	{ FIELD(struct nl_clock, step_ps, CLOCK_STEP_PS), U32 },
	{ .name = NULL }
};

static const struct field job_fields[] = {
	{ FIELD(struct nl_job, id, JOB_ID), U32, .needed = true },
	{ FIELD(struct nl_job, role, JOB_ROLE), U32 },
	{ FIELD(struct nl_job, state, JOB_STATE), U32, .needed = true },
	{ FIELD(struct nl_job, outcome, JOB_OUTCOME), U32 },
	{ FIELD(struct nl_job, err, JOB_ERRNO), U32 },
	{ FIELD(struct nl_job, reason, JOB_REASON),
	  TEXT(struct nl_job, reason) },
	{ FIELD(struct nl_job, done, JOB_DONE), U64 },
	{ FIELD(struct nl_job, total, JOB_TOTAL), U64 },
	{ FIELD(struct nl_job, elapsed, JOB_ELAPSED), U64 },
	{ FIELD(struct nl_job, target, JOB_TARGET),
	  TEXT(struct nl_job, target) },
	{ FIELD(struct nl_job, listener, JOB_LISTENER), U32 },
	{ FIELD(struct nl_job, threads, JOB_THREADS), U32 },
	{ FIELD(struct nl_job, group, JOB_GROUP), U32 },
	{ FIELD(struct nl_job, began, JOB_BEGAN), U64 },
	{ FIELD(struct nl_job, ended, JOB_ENDED), U64 },
	{ .name = NULL }
};

static const struct field listen_fields[] = {
	{ FIELD(struct nl_listen, id, LISTEN_ID), U32, .needed = true },
	{ FIELD(struct nl_listen, bind, LISTEN_BIND),
	  TEXT(struct nl_listen, bind) },
	{ FIELD(struct nl_listen, cm_port, LISTEN_CM_PORT),
	  U32, .needed = true },
	{ FIELD(struct nl_listen, max_memory, LISTEN_MAX_MEMORY), U64 },
	{ FIELD(struct nl_listen, max_qps, LISTEN_MAX_QPS), U32 },
	{ FIELD(struct nl_listen, memory, LISTEN_MEMORY), U64 },
	{ FIELD(struct nl_listen, qps, LISTEN_QPS), U32 },
	{ FIELD(struct nl_listen, sessions, LISTEN_SESSIONS), U32 },
	{ FIELD(struct nl_listen, accepted, LISTEN_ACCEPTED), U64 },
	{ FIELD(struct nl_listen, refused, LISTEN_REFUSED), U64 },
	{ .name = NULL }
};

static const struct field refusal_fields[] = {
	{ FIELD(struct nl_refusal, id, LISTEN_ID), U32, .needed = true },
	{ FIELD(struct nl_refusal, peer, LISTEN_PEER),
	  TEXT(struct nl_refusal, peer) },
	{ FIELD(struct nl_refusal, reason, LISTEN_REASON),
	  TEXT(struct nl_refusal, reason) },
	{ .name = NULL }
};

struct bucket {
	u64 has;
	u64 low;
	u64 high;
	u64 count;
};

static const struct field bucket_fields[] = {
	{ FIELD(struct bucket, low, BUCKET_LOW), U64, .needed = true },
	{ FIELD(struct bucket, high, BUCKET_HIGH), U64, .needed = true },
	{ FIELD(struct bucket, count, BUCKET_COUNT), U64, .needed = true },
	{ .name = NULL }
};

static const struct field tail_fields[] = {
	{ FIELD(struct tail, percentile, TAIL_PERCENTILE), U32,
	  .needed = true },
	{ FIELD(struct tail, samples, TAIL_SAMPLES), U64, .needed = true },
	{ FIELD(struct tail, by[0], TAIL_TICK), U64 },
	{ FIELD(struct tail, by[1], TAIL_TIMER), U64 },
	{ FIELD(struct tail, by[2], TAIL_INTERRUPT), U64 },
	{ FIELD(struct tail, by[3], TAIL_IPI), U64 },
	{ FIELD(struct tail, by[4], TAIL_SOFTIRQ), U64 },
	{ FIELD(struct tail, by[5], TAIL_PREEMPTION), U64 },
	{ FIELD(struct tail, by[6], TAIL_MIGRATION), U64 },
	{ FIELD(struct tail, by[7], TAIL_STEAL), U64 },
	{ FIELD(struct tail, by[8], TAIL_RUNQUEUE), U64 },
	{ FIELD(struct tail, by[9], TAIL_NMI), U64 },
	{ FIELD(struct tail, by[10], TAIL_PEER), U64 },
	{ FIELD(struct tail, unexplained, TAIL_UNEXPLAINED), U64,
	  .needed = true },
	{ .name = NULL }
};

/* The same causes, of a nest. */
static const struct field counts_fields[] = {
	{ FIELD(struct tail_counts, by[0], TAIL_TICK), U64 },
	{ FIELD(struct tail_counts, by[1], TAIL_TIMER), U64 },
	{ FIELD(struct tail_counts, by[2], TAIL_INTERRUPT), U64 },
	{ FIELD(struct tail_counts, by[3], TAIL_IPI), U64 },
	{ FIELD(struct tail_counts, by[4], TAIL_SOFTIRQ), U64 },
	{ FIELD(struct tail_counts, by[5], TAIL_PREEMPTION), U64 },
	{ FIELD(struct tail_counts, by[6], TAIL_MIGRATION), U64 },
	{ FIELD(struct tail_counts, by[7], TAIL_STEAL), U64 },
	{ FIELD(struct tail_counts, by[8], TAIL_RUNQUEUE), U64 },
	{ FIELD(struct tail_counts, by[9], TAIL_NMI), U64 },
	{ FIELD(struct tail_counts, by[10], TAIL_PEER), U64 },
	{ .name = NULL }
};

struct moments {
	u64 has;
	char name[64];
	u32 unit;
	u32 kind;
	u64 value;
	u64 count;
	u32 divisor;
	u64 least;
	u64 greatest;
	u64 origin;
	u64 sum_low;
	u64 sum_high;
	u64 square_low;
	u64 square_high;
	u64 kept;
	u64 batch_size;
	u32 batch_percentile;
	u32 narrow;
};

static const struct field moments_fields[] = {
	{ FIELD(struct moments, name, METRIC_NAME),
	  TEXT(struct moments, name), .needed = true },
	{ FIELD(struct moments, unit, METRIC_UNIT), U32 },
	{ FIELD(struct moments, kind, METRIC_KIND), U32 },
	{ FIELD(struct moments, value, METRIC_VALUE), U64 },
	{ FIELD(struct moments, count, METRIC_COUNT), U64 },
	{ FIELD(struct moments, divisor, METRIC_DIVISOR), U32 },
	{ FIELD(struct moments, least, METRIC_LEAST), U64 },
	{ FIELD(struct moments, greatest, METRIC_GREATEST), U64 },
	{ FIELD(struct moments, origin, METRIC_ORIGIN), U64 },
	{ FIELD(struct moments, sum_low, METRIC_SUM_LOW), U64 },
	{ FIELD(struct moments, sum_high, METRIC_SUM_HIGH), U64 },
	{ FIELD(struct moments, square_low, METRIC_SQUARE_LOW), U64 },
	{ FIELD(struct moments, square_high, METRIC_SQUARE_HIGH), U64 },
	{ FIELD(struct moments, kept, METRIC_KEPT), U64 },
	{ FIELD(struct moments, batch_size, METRIC_BATCH_SIZE), U64 },
	{ FIELD(struct moments, batch_percentile, METRIC_BATCH_PERCENTILE), U32 },
	{ FIELD(struct moments, narrow, METRIC_NARROW), U32 },
	{ .name = NULL }
};

/* A finished job and the names of its metrics. */
struct finished {
	struct nl_job *job;
	unsigned int count;
	char name[64][64];
};

#define DISTRIBUTION	(BIT_ULL(ICBENCH_A_METRIC_COUNT) |		\
			 BIT_ULL(ICBENCH_A_METRIC_LEAST) |		\
			 BIT_ULL(ICBENCH_A_METRIC_GREATEST) |		\
			 BIT_ULL(ICBENCH_A_METRIC_ORIGIN) |		\
			 BIT_ULL(ICBENCH_A_METRIC_SUM_LOW) |		\
			 BIT_ULL(ICBENCH_A_METRIC_SUM_HIGH) |		\
			 BIT_ULL(ICBENCH_A_METRIC_SQUARE_LOW) |		\
			 BIT_ULL(ICBENCH_A_METRIC_SQUARE_HIGH))

#define ATTR_MAX	31

static int __printf(2, 3) broken(struct icb_reason *why, const char *fmt, ...)
{
	char text[120];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return icb_refuse(why, -EPROTO,
			  "the module's answer %s: is it of another version than icbenchctl?",
			  text);
}

static void copy_string(char *to, size_t size, const struct nlattr *attr)
{
	snprintf(to, size, "%.*s", nla_len(attr),
		 (const char *)nla_data(attr));
	text_one_line(to);
}

static bool fits(const struct field *field, const struct nlattr *attr)
{
	if (field->kind == NLA_STRING)
		return true;
	return nla_len(attr) == field->bytes;
}

/* Keep the attributes of a message, or of a nest, in a struct. */
static int decode(void *to, const struct field *field, struct nlattr *attrs,
		  int len, struct icb_reason *why)
{
	struct nlattr *tb[ATTR_MAX + 1];
	u64 *has = to;

	if (nla_parse(tb, ATTR_MAX, attrs, len, NULL))
		return broken(why, "cannot be parsed");
	for (; field->name; field++) {
		const struct nlattr *attr = tb[field->attr];
		char *at = (char *)to + field->offset;

		if (!attr && field->needed)
			return broken(why, "lacks \"%s\"", field->name);
		if (!attr)
			continue;
		if (!fits(field, attr))
			return broken(why, "has a bad \"%s\"", field->name);
		if (field->kind == NLA_STRING)
			copy_string(at, field->bytes, attr);
		else
			memcpy(at, nla_data(attr), field->bytes);
		*has |= BIT_ULL(field->attr);
	}
	return 0;
}

/* The attributes of a message of the module's; NULL if it is too short. */
static struct nlattr *message_attrs(struct nlmsghdr *msg, int *len)
{
	struct genlmsghdr *head;

	if (!genlmsg_valid_hdr(msg, 0))
		return NULL;
	head = genlmsg_hdr(msg);
	*len = genlmsg_attrlen(head, 0);
	return genlmsg_attrdata(head, 0);
}

static int decode_param(struct icb_params *params, struct nlattr *attr,
			struct icb_reason *why)
{
	const struct icb_param *param = icb_param_by_attr(nla_type(attr));
	struct icb_reason inner;
	u64 number = 0;
	int err;

	/* a parameter that a later module has, or the padding */
	if (!param || param->type == ICB_PARAM_BYTES)
		return 0;
	if (param->type == ICB_PARAM_STRING) {
		const char *text = nla_data(attr);
		size_t len = strnlen(text, nla_len(attr));

		err = len ? icb_params_set_bytes(params, param, text, len,
						 &inner) : 0;
	} else if (nla_len(attr) == param->bytes) {
		if (param->bytes == sizeof(u64))
			number = nla_get_u64(attr);
		else
			number = nla_get_u32(attr);
		err = icb_params_set_number(params, param, number, &inner);
	} else {
		return broken(why, "has a bad \"%s\"", param->name);
	}
	return err ? broken(why, "has %.80s", inner.text) : 0;
}

static int decode_job(struct nl_job *job, struct nlmsghdr *msg,
		      struct icb_reason *why)
{
	struct nlattr *attrs, *attr, *inner;
	int len, left, inner_left, err;

	memset(job, 0, sizeof(*job));
	attrs = message_attrs(msg, &len);
	if (!attrs)
		return broken(why, "is too short");
	err = decode(job, job_fields, attrs, len, why);
	nla_for_each_attr(attr, attrs, len, left) {
		if (err)
			return err;
		if (nla_type(attr) == ICBENCH_A_JOB_CLOCK)
			err = decode(&job->clock, clock_fields, nla_data(attr),
				     nla_len(attr), why);
		if (nla_type(attr) != ICBENCH_A_JOB_PARAMS)
			continue;
		nla_for_each_nested(inner, attr, inner_left)
			if (!err)
				err = decode_param(&job->params, inner, why);
	}
	return err;
}

/* What the kernel says in words with an error, from the attributes behind it. */
static bool words_of(struct nlmsghdr *msg, size_t skip, struct icb_reason *why)
{
	struct nlattr *tb[NLMSGERR_ATTR_MAX + 1];
	struct icb_reason words;

	if (!(msg->nlmsg_flags & NLM_F_ACK_TLVS) ||
	    (size_t)nlmsg_datalen(msg) < skip ||
	    nla_parse(tb, NLMSGERR_ATTR_MAX,
		      (struct nlattr *)((char *)nlmsg_data(msg) + skip),
		      nlmsg_datalen(msg) - skip, NULL) ||
	    !tb[NLMSGERR_ATTR_MSG])
		return false;
	copy_string(words.text, sizeof(words.text), tb[NLMSGERR_ATTR_MSG]);
	if (why)
		*why = words;
	return *words.text;
}

static int no_permission(struct icb_reason *why, int err)
{
	return icb_refuse(why, err,
			  "no permission: run it as root (it needs CAP_NET_ADMIN): sudo icbenchctl ...");
}

/* The kernel's words, or words for its error number. */
static int failure(struct nlmsghdr *msg, int err, size_t skip,
		   struct icb_reason *why)
{
	/* an error number, and not a promise that memory can be read */
	if (err > 0 || err < -4095)
		return broken(why, "has a bad error number");
	if (words_of(msg, skip, why))
		return err;
	if (err == -EPERM || err == -EACCES)
		return no_permission(why, err);
	if (err == -ENODEV)
		return icb_refuse(why, err,
				  "no RDMA device; make one: rdma link add rxe0 type rxe netdev IFACE");
	/* the module has words for what it does not find; this is the kernel's */
	if (err == -ENOENT)
		return icb_refuse(why, err,
				  "the module has gone; load it: modprobe icbench (or modprobe rdma_cm && insmod icbench.ko)");
	return icb_refuse(why, err, "the module refused: %s", strerror(-err));
}

static int ack_or_error(struct nlmsghdr *msg, struct icb_reason *why)
{
	struct nlmsgerr *head = nlmsg_data(msg);
	size_t skip = sizeof(*head);

	if (nlmsg_datalen(msg) < (int)sizeof(*head))
		return broken(why, "is too short");
	if (!head->error)
		return 0;
	/* unless it was cut, the request comes back, too */
	if (!(msg->nlmsg_flags & NLM_F_CAPPED))
		skip += NLMSG_ALIGN(head->msg.nlmsg_len) - sizeof(head->msg);
	return failure(msg, head->error, skip, why);
}

static int end_of_dump(struct nlmsghdr *msg, struct icb_reason *why)
{
	int err = 0;

	if (nlmsg_datalen(msg) >= (int)sizeof(err))
		memcpy(&err, nlmsg_data(msg), sizeof(err));
	return err ? failure(msg, err, NLMSG_ALIGN(sizeof(err)), why) : 0;
}

/* One datagram, whole. Return: bytes; -1 with errno. */
static ssize_t receive_any(int fd, void **buf, int flags,
			   struct sockaddr_nl *from)
{
	socklen_t from_len = sizeof(*from);
	ssize_t len;

	if (!*buf)
		*buf = alloc_zero(RECEIVE_BYTES, 1);
	memset(from, 0, sizeof(*from));
	len = recvfrom(fd, *buf, RECEIVE_BYTES, MSG_TRUNC | flags,
		       (struct sockaddr *)from, &from_len);
	if (len <= RECEIVE_BYTES)
		return len;
	errno = EMSGSIZE;
	return -1;
}

/*
 * Receive whole messages. Return: bytes; 0 if there is nothing; a negative
 * error number.
 */
static ssize_t receive(struct nl_sock *sock, void **buf, int flags)
{
	struct sockaddr_nl from = { 0 };
	ssize_t len;

	/* other processes can write to this socket, too: let them */
	do {
		len = receive_any(nl_socket_get_fd(sock), buf, flags, &from);
	} while (len < 0 ? errno == EINTR :
		 from.nl_family == AF_NETLINK && from.nl_pid);
	if (len < 0)
		return errno == EAGAIN ? 0 : -errno;
	return len;
}

typedef int (*reply_fn)(void *to, struct nlmsghdr *msg, struct icb_reason *why);

/* Return: 1 to go on, 0 at the end, a negative error number. */
static int take_reply(const struct nl *nl, struct nlmsghdr *msg, reply_fn reply,
		      void *to, bool *torn, struct icb_reason *why)
{
	int err;

	if (msg->nlmsg_seq != nl->seq)
		return 1;
	if (msg->nlmsg_flags & NLM_F_DUMP_INTR)
		*torn = true;
	switch (msg->nlmsg_type) {
	case NLMSG_ERROR:
		return ack_or_error(msg, why);
	case NLMSG_DONE:
		return end_of_dump(msg, why);
	default:
		if (msg->nlmsg_type != nl->family || !reply)
			return 1;
		err = reply(to, msg, why);
		return err ? err : 1;
	}
}

/* It may have a token. */
static void free_request(struct nl_msg *msg)
{
	if (msg)
		explicit_bzero(nlmsg_hdr(msg), nlmsg_get_max_size(msg));
	nlmsg_free(msg);
}

/*
 * Send a request, which is freed, and take its replies. An error in one of
 * them does not end the conversation, whose rest would be taken for an answer
 * to the next request: those are told apart by their number.
 */
static int converse(struct nl *nl, struct nl_msg *msg, reply_fn reply, void *to,
		    bool *torn, struct icb_reason *why)
{
	struct nlmsghdr *head = nlmsg_hdr(msg);
	ssize_t len;
	int left, ret;

	head->nlmsg_seq = ++nl->seq;
	do {
		len = send(nl_socket_get_fd(nl->request), head,
			   head->nlmsg_len, MSG_NOSIGNAL);
	} while (len < 0 && errno == EINTR);
	free_request(msg);
	if (len < 0)
		return icb_refuse(why, -errno, "cannot ask the module: %s",
				  strerror(errno));
	for (;;) {
		len = receive(nl->request, &nl->buf, 0);
		if (len <= 0)
			return icb_refuse(why, len ? (int)len : -ETIMEDOUT,
					  "the module does not answer: %s",
					  strerror(len ? -(int)len : ETIMEDOUT));
		left = len;
		for (head = nl->buf; nlmsg_ok(head, left);
		     head = nlmsg_next(head, &left)) {
			ret = take_reply(nl, head, reply, to, torn, why);
			if (ret <= 0)
				return ret;
		}
	}
}

static struct nl_msg *request(const struct nl *nl, int cmd, int flags)
{
	struct nl_msg *msg = nlmsg_alloc();

	if (!msg || !genlmsg_put(msg, 0, 0, nl->family, 0,
				 NLM_F_REQUEST | flags, cmd,
				 ICBENCH_FAMILY_VERSION)) {
		nlmsg_free(msg);
		return NULL;
	}
	return msg;
}

static int no_memory(struct nl_msg *msg, struct icb_reason *why)
{
	free_request(msg);
	return icb_refuse(why, -ENOMEM, "out of memory");
}

/* A request about one thing. */
static int ask_about(struct nl *nl, int cmd, int attr, u32 id, reply_fn reply,
		     void *to, struct icb_reason *why)
{
	struct nl_msg *msg = request(nl, cmd, NLM_F_ACK);
	bool torn;

	if (!msg || nla_put_u32(msg, attr, id))
		return no_memory(msg, why);
	return converse(nl, msg, reply, to, &torn, why);
}

/* A dump of everything, begun anew by @reset when the list changed under it. */
static int dump(struct nl *nl, int cmd, reply_fn reply, void (*reset)(void *to),
		void *to, struct icb_reason *why)
{
	struct nl_msg *msg;
	int tries, err = 0;
	bool torn = true;

	for (tries = 0; torn && tries < DUMP_TRIES; tries++) {
		reset(to);
		torn = false;
		msg = request(nl, cmd, NLM_F_DUMP);
		if (!msg)
			return no_memory(msg, why);
		err = converse(nl, msg, reply, to, &torn, why);
		if (err)
			return err;
	}
	return torn ? icb_refuse(why, -EAGAIN, "the list changes too fast: try again") : 0;
}

static void set_option(struct nl_sock *sock, int option)
{
	int on = 1;

	/* an older kernel has fewer words: no reason to stop */
	setsockopt(nl_socket_get_fd(sock), SOL_NETLINK, option, &on,
		   sizeof(on));
}

static struct nl_sock *open_socket(struct icb_reason *why)
{
	static const struct timeval limit = { .tv_sec = ANSWER_SECONDS };
	struct nl_sock *sock = nl_socket_alloc();
	int err;

	if (!sock) {
		icb_refuse(why, -ENOMEM, "out of memory");
		return NULL;
	}
	err = genl_connect(sock);
	if (err) {
		icb_refuse(why, -EIO, "no generic netlink in this kernel: %s",
			   nl_geterror(err));
		nl_socket_free(sock);
		return NULL;
	}
	set_option(sock, NETLINK_EXT_ACK);
	set_option(sock, NETLINK_CAP_ACK);
	setsockopt(nl_socket_get_fd(sock), SOL_SOCKET, SO_RCVTIMEO, &limit,
		   sizeof(limit));
	return sock;
}

/**
 * nl_begin() - connect to the module
 * @why: the reason of a refusal, with what mends it
 *
 * Return: the connection, for nl_end(); NULL with a reason.
 */
struct nl *nl_begin(struct icb_reason *why)
{
	struct nl *nl = alloc_zero(1, sizeof(*nl));

	nl->request = open_socket(why);
	if (!nl->request)
		goto free;
	nl->family = genl_ctrl_resolve(nl->request, ICBENCH_FAMILY_NAME);
	if (nl->family < 0 && !access("/sys/module/icbench", F_OK)) {
		icb_refuse(why, -ENOENT,
			   "icbench answers in the initial network namespace only; run it there: sudo nsenter -t 1 -n icbenchctl ...");
		goto free;
	}
	if (nl->family < 0) {
		loading_refuse(why);
		goto free;
	}
	return nl;

free:
	nl_end(nl);
	return NULL;
}

/**
 * nl_port() - by what the module knows whose jobs they are
 * @nl: begun
 *
 * Return: the netlink port that asks for them.
 */
u32 nl_port(const struct nl *nl)
{
	return nl_socket_get_local_port(nl->request);
}

/**
 * nl_end() - end a connection
 * @nl: which; its jobs and listeners end with it
 */
void nl_end(struct nl *nl)
{
	nl_socket_free(nl->events);
	nl_socket_free(nl->request);
	free(nl->event_buf);
	free(nl->buf);
	free(nl);
}

static int add_gids(struct nl_dev *dev, struct nlattr *attrs, int len,
		    struct icb_reason *why)
{
	struct nlattr *attr;
	int left, err;

	nla_for_each_attr(attr, attrs, len, left) {
		if (nla_type(attr) != ICBENCH_A_DEV_GIDS)
			continue;
		dev->gid = alloc_grow(dev->gid, dev->gids, sizeof(*dev->gid));
		err = decode(&dev->gid[dev->gids++], gid_fields, nla_data(attr),
			     nla_len(attr), why);
		if (err)
			return err;
	}
	return 0;
}

/* A long GID table goes on in a further message of the same port. */
static int add_dev(void *to, struct nlmsghdr *msg, struct icb_reason *why)
{
	struct nl_devs *devs = to;
	struct nl_dev dev = { 0 }, *last;
	struct nlattr *attrs;
	int len, err;

	attrs = message_attrs(msg, &len);
	if (!attrs)
		return broken(why, "is too short");
	err = decode(&dev, dev_fields, attrs, len, why);
	if (err)
		return err;
	last = devs->count ? &devs->dev[devs->count - 1] : NULL;
	if (!last || strcmp(last->name, dev.name) || last->port != dev.port) {
		devs->dev = alloc_grow(devs->dev, devs->count,
				       sizeof(*devs->dev));
		last = &devs->dev[devs->count++];
		*last = dev;
	}
	return add_gids(last, attrs, len, why);
}

/**
 * nl_devs_free() - free a list of devices
 * @devs: the list; empty afterwards
 */
void nl_devs_free(struct nl_devs *devs)
{
	unsigned int i;

	for (i = 0; i < devs->count; i++)
		free(devs->dev[i].gid);
	free(devs->dev);
	devs->dev = NULL;
	devs->count = 0;
}

static void reset_devs(void *devs)
{
	nl_devs_free(devs);
}

/**
 * nl_dev_list() - list the RDMA devices, an entry for each port
 * @nl: the connection
 * @devs: where to, empty; nl_devs_free() it in any case
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int nl_dev_list(struct nl *nl, struct nl_devs *devs, struct icb_reason *why)
{
	return dump(nl, ICBENCH_CMD_DEV_GET, add_dev, reset_devs, devs, why);
}

static int put_names(struct nl_msg *msg, const struct icb_param *param,
		     const struct icb_params *params)
{
	u32 count = icb_params_names(params, param), i;
	char name[ICBENCH_MAX_NAME + 1];
	int err = 0;

	for (i = 0; i < count && !err; i++)
		err = nla_put_string(msg, param->attr,
				     icb_params_name(params, param, i, name));
	return err;
}

static int put_param(struct nl_msg *msg, const struct icb_param *param,
		     const struct icb_params *params)
{
	switch (param->type) {
	case ICB_PARAM_STRING:
		return put_names(msg, param, params);
	case ICB_PARAM_BYTES:
		return nla_put(msg, param->attr, params->token_len,
			       params->token);
	default:
		if (param->bytes == sizeof(u64))
			return nla_put_u64(msg, param->attr,
					   icb_params_number(params, param));
		return nla_put_u32(msg, param->attr,
				   icb_params_number(params, param));
	}
}

/* What was given and no more: the module knows the defaults of its version. */
static int put_params(struct nl_msg *msg, const struct icb_params *params)
{
	struct nlattr *nest;
	unsigned int i;

	nest = nla_nest_start(msg, ICBENCH_A_JOB_PARAMS | NLA_F_NESTED);
	if (!nest)
		return -ENOMEM;
	for (i = 0; i < icb_param_count; i++)
		if (icb_params_given(params, icb_param_table[i].attr) &&
		    put_param(msg, &icb_param_table[i], params))
			return -ENOMEM;
	/* as it is, also when empty */
	nla_nest_end_keep_empty(msg, nest);
	return 0;
}

struct new_id {
	u32 id;
	int attr;
};

static int take_id(void *to, struct nlmsghdr *msg, struct icb_reason *why)
{
	struct nlattr *attrs, *attr;
	struct new_id *new_id = to;
	int len;

	attrs = message_attrs(msg, &len);
	attr = attrs ? nla_find(attrs, len, new_id->attr) : NULL;
	if (!attr || nla_len(attr) != sizeof(u32))
		return broken(why, "lacks \"id\"");
	new_id->id = nla_get_u32(attr);
	return 0;
}

/* A request that makes something; it has to answer with a number. */
static int make(struct nl *nl, struct nl_msg *msg, int attr, u32 *id,
		struct icb_reason *why)
{
	struct new_id new_id = { .attr = attr };
	bool torn;
	int err;

	err = converse(nl, msg, take_id, &new_id, &torn, why);
	if (!err && !new_id.id)
		err = broken(why, "lacks \"id\"");
	*id = new_id.id;
	return err;
}

/**
 * nl_job_new() - make a job
 * @nl: the connection, which owns the job
 * @params: what it is to do; only what was given is sent
 * @group: number of the group of jobs that it is one of; 0 for none
 * @id: where to
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int nl_job_new(struct nl *nl, const struct icb_params *params, u32 group,
	       u32 *id, struct icb_reason *why)
{
	struct nl_msg *msg = request(nl, ICBENCH_CMD_JOB_NEW, NLM_F_ACK);

	if (!msg || put_params(msg, params) ||
	    (group && nla_put_u32(msg, ICBENCH_A_JOB_GROUP, group)))
		return no_memory(msg, why);
	return make(nl, msg, ICBENCH_A_JOB_ID, id, why);
}

/**
 * nl_job_start() - start a job
 * @nl: the connection
 * @id: the job
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int nl_job_start(struct nl *nl, u32 id, struct icb_reason *why)
{
	return ask_about(nl, ICBENCH_CMD_JOB_START, ICBENCH_A_JOB_ID, id, NULL,
			 NULL, why);
}

/**
 * nl_job_stop() - cut a job short
 * @nl: the connection
 * @id: the job; it finishes soon after
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int nl_job_stop(struct nl *nl, u32 id, struct icb_reason *why)
{
	return ask_about(nl, ICBENCH_CMD_JOB_STOP, ICBENCH_A_JOB_ID, id, NULL,
			 NULL, why);
}

/**
 * nl_job_del() - forget a job
 * @nl: the connection
 * @id: the job
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int nl_job_del(struct nl *nl, u32 id, struct icb_reason *why)
{
	return ask_about(nl, ICBENCH_CMD_JOB_DEL, ICBENCH_A_JOB_ID, id, NULL,
			 NULL, why);
}

static int take_job(void *to, struct nlmsghdr *msg, struct icb_reason *why)
{
	return decode_job(to, msg, why);
}

/**
 * nl_job_get() - ask about a job
 * @nl: the connection
 * @id: the job
 * @job: where to
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int nl_job_get(struct nl *nl, u32 id, struct nl_job *job,
	       struct icb_reason *why)
{
	int err;

	job->id = 0;
	err = ask_about(nl, ICBENCH_CMD_JOB_GET, ICBENCH_A_JOB_ID, id, take_job,
			job, why);
	if (!err && job->id != id)
		err = broken(why, "is about no job, or another");
	return err;
}

static int add_job(void *to, struct nlmsghdr *msg, struct icb_reason *why)
{
	struct nl_jobs *jobs = to;

	jobs->job = alloc_grow(jobs->job, jobs->count, sizeof(*jobs->job));
	return decode_job(&jobs->job[jobs->count++], msg, why);
}

/**
 * nl_jobs_free() - free a list of jobs
 * @jobs: the list; empty afterwards
 */
void nl_jobs_free(struct nl_jobs *jobs)
{
	free(jobs->job);
	jobs->job = NULL;
	jobs->count = 0;
}

static void reset_jobs(void *jobs)
{
	nl_jobs_free(jobs);
}

/**
 * nl_job_list() - list the jobs of this host
 * @nl: the connection
 * @jobs: where to, empty; nl_jobs_free() it in any case
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int nl_job_list(struct nl *nl, struct nl_jobs *jobs, struct icb_reason *why)
{
	return dump(nl, ICBENCH_CMD_JOB_GET, add_job, reset_jobs, jobs, why);
}

/**
 * nl_job_state() - where a job is in its life, or how it ended
 * @job: the job
 *
 * Return: a word.
 */
const char *nl_job_state(const struct nl_job *job)
{
	static const char *const states[] = {
		[ICBENCH_JOB_STATE_NEW] = "new",
		[ICBENCH_JOB_STATE_CONNECTING] = "connecting",
		[ICBENCH_JOB_STATE_WARMUP] = "warmup",
		[ICBENCH_JOB_STATE_MEASURING] = "measuring",
		[ICBENCH_JOB_STATE_DRAINING] = "draining",
		[ICBENCH_JOB_STATE_FINISHED] = "finished",
	};
	static const char *const outcomes[] = {
		[ICBENCH_OUTCOME_NONE] = "finished",
		[ICBENCH_OUTCOME_COMPLETE] = "complete",
		[ICBENCH_OUTCOME_STOPPED] = "stopped",
		[ICBENCH_OUTCOME_FAILED] = "failed",
	};

	if (job->state == ICBENCH_JOB_STATE_FINISHED &&
	    job->outcome < ARRAY_SIZE(outcomes))
		return outcomes[job->outcome];
	return job->state < ARRAY_SIZE(states) ? states[job->state] : "unknown";
}

static int add_bucket(struct metric *metric, const struct bucket *bucket,
		      struct icb_reason *why)
{
	unsigned int index;
	u64 count;

	if (bucket->low > ICB_HIST_LIMIT)
		return broken(why, "has a bucket out of range");
	index = icb_hist_index(bucket->low);
	if (icb_hist_low(index) != bucket->low ||
	    icb_hist_high(index) != bucket->high ||
	    metric->hist->bucket[index] || !bucket->count ||
	    __builtin_add_overflow(metric->hist->count, bucket->count, &count))
		return broken(why, "has a bucket that cannot be");
	icb_hist_merge(metric->hist, index, bucket->count);
	return 0;
}

static int add_buckets(struct metric *metric, struct nlattr *attrs, int len,
		       struct icb_reason *why)
{
	struct nlattr *attr;
	int left, err;

	nla_for_each_attr(attr, attrs, len, left) {
		struct bucket bucket = { 0 };

		if (nla_type(attr) != ICBENCH_A_METRIC_BUCKETS)
			continue;
		if (!metric->hist)
			return broken(why, "has buckets of no distribution");
		err = decode(&bucket, bucket_fields, nla_data(attr),
			     nla_len(attr), why);
		if (!err)
			err = add_bucket(metric, &bucket, why);
		if (err)
			return err;
	}
	return 0;
}

/* @stats.count is what the histogram has to add up to, until it is checked. */
static void begin_distribution(struct metric *metric,
			       const struct moments *moments)
{
	struct icb_hist *hist = alloc_zero(1, sizeof(*hist));

	hist->min = moments->least;
	hist->max = moments->greatest;
	hist->origin = moments->origin;
	hist->sum = (__int128_t)((__uint128_t)moments->sum_high << 64 |
			       moments->sum_low);
	hist->square = (__uint128_t)moments->square_high << 64 |
		       moments->square_low;
	metric->hist = hist;
	metric->stats.count = moments->count;
	metric->kept = moments->kept;
	metric->batch_size = moments->batch_size;
	metric->batch_percentile = moments->batch_percentile;
	metric->sought = NL_HAS(moments, ICBENCH_A_METRIC_NARROW);
	metric->narrow = moments->narrow;
}

static int begin_metric(struct metrics *metrics, const struct moments *moments,
			struct icb_reason *why)
{
	const u64 basics = BIT_ULL(ICBENCH_A_METRIC_UNIT) |
			   BIT_ULL(ICBENCH_A_METRIC_KIND);
	struct metric *metric;

	if ((moments->has & basics) != basics)
		return broken(why, "lacks a metric's unit or kind");
	metrics->metric = alloc_grow(metrics->metric, metrics->count,
				     sizeof(*metrics->metric));
	metric = &metrics->metric[metrics->count++];
	snprintf(metric->name, sizeof(metric->name), "%s", moments->name);
	metric->unit = moments->unit;
	metric->kind = moments->kind;
	metric->value = moments->value;
	metric->divisor = NL_HAS(moments, ICBENCH_A_METRIC_DIVISOR) ?
		moments->divisor : 1;
	if (!metric->divisor)
		return broken(why, "has a divisor of 0");
	if (metric->kind != ICBENCH_METRIC_KIND_DISTRIBUTION) {
		if (!NL_HAS(moments, ICBENCH_A_METRIC_VALUE))
			return broken(why, "lacks a metric's value");
		return 0;
	}
	if ((moments->has & DISTRIBUTION) != DISTRIBUTION)
		return broken(why, "lacks a distribution's moments");
	if (moments->kept > moments->count ||
	    moments->kept > ICBENCH_MAX_SAMPLES)
		return broken(why, "has more samples than there can be");
	begin_distribution(metric, moments);
	return 0;
}

static int add_samples(struct metric *metric, struct nlattr *attrs, int len,
		       struct icb_reason *why)
{
	struct nlattr *attr;
	int left;

	nla_for_each_attr(attr, attrs, len, left) {
		if (nla_type(attr) != ICBENCH_A_METRIC_SAMPLE)
			continue;
		if (metric->samples == metric->kept ||
		    nla_len(attr) != sizeof(u64))
			return broken(why, "has samples that cannot be");
		if (!metric->sample)
			metric->sample = alloc_zero(metric->kept,
						    sizeof(*metric->sample));
		metric->sample[metric->samples++] = nla_get_u64(attr);
	}
	return 0;
}

/* Of an attribute of a tail, where it has a number for each cause. */
static int add_counts(struct tail *tail, struct nlattr *attr,
		      struct icb_reason *why)
{
	struct tail_counts *counts = NULL;

	if (nla_type(attr) == ICBENCH_A_TAIL_PRESENT)
		counts = &tail->present;
	else if (nla_type(attr) == ICBENCH_A_TAIL_BY_LENGTH)
		counts = &tail->by_length;
	return counts ? decode(counts, counts_fields, nla_data(attr),
			       nla_len(attr), why) : 0;
}

static int add_tails(struct metric *metric, struct nlattr *attrs, int len,
		     struct icb_reason *why)
{
	struct nlattr *attr, *inner;
	struct tail *tail;
	int left, inner_left, err;

	nla_for_each_attr(attr, attrs, len, left) {
		if (nla_type(attr) != ICBENCH_A_METRIC_TAIL)
			continue;
		if (!metric->hist || metric->tails == TAIL_MAX)
			return broken(why, "has tails that cannot be");
		tail = &metric->tail[metric->tails++];
		err = decode(tail, tail_fields, nla_data(attr), nla_len(attr),
			     why);
		nla_for_each_nested(inner, attr, inner_left)
			if (!err)
				err = add_counts(tail, inner, why);
		if (err)
			return err;
		if (!tail_is_sound(tail, metric->stats.count))
			return broken(why, "has a tail that cannot be");
	}
	return 0;
}

static int add_batch(struct metric *metric, unsigned int percentile,
		     unsigned int index, const struct nlattr *attr,
		     struct icb_reason *why)
{
	u64 value;

	if (!metric->hist || !metric->batch_size || index >= ICB_BATCHES ||
	    nla_len(attr) != sizeof(u64))
		return broken(why, "has batches that cannot be");
	memcpy(&value, nla_data(attr), sizeof(value));
	if (value > ICB_HIST_LIMIT)
		return broken(why, "has batches that cannot be");
	metric->batch[percentile][index] = value;
	return 0;
}

static int add_batches(struct metric *metric, struct nlattr *attrs, int len,
		       struct icb_reason *why)
{
	static const int attrs_of[ICB_BATCH_PERCENTILES] = {
		[ICB_BATCH_P50] = ICBENCH_A_METRIC_BATCH_P50,
		[ICB_BATCH_P99] = ICBENCH_A_METRIC_BATCH_P99,
		[ICB_BATCH_SOUGHT] = ICBENCH_A_METRIC_BATCH_SOUGHT,
	};
	unsigned int count[ICB_BATCH_PERCENTILES] = { 0 }, p;
	struct nlattr *attr;
	int left, err;

	nla_for_each_attr(attr, attrs, len, left)
		for (p = 0; p < ICB_BATCH_PERCENTILES; p++) {
			if (nla_type(attr) != attrs_of[p])
				continue;
			err = add_batch(metric, p, count[p]++, attr, why);
			if (err)
				return err;
		}
	if (count[ICB_BATCH_P50] != count[ICB_BATCH_P99] ||
	    metric->batch_percentile >= ICB_BOUNDS_WHOLE ||
	    count[ICB_BATCH_SOUGHT] != (metric->batch_percentile ?
					count[ICB_BATCH_P50] : 0) ||
	    (count[0] && metric->batch_size >
			 metric->stats.count / count[0]))
		return broken(why, "has batches that cannot be");
	metric->batches = count[0];
	return 0;
}

static int add_mean(u64 *value, unsigned int index, const struct nlattr *attr,
		    struct icb_reason *why)
{
	if (index >= ICB_MEANS || nla_len(attr) != sizeof(u64))
		return broken(why, "has means that cannot be");
	memcpy(&value[index], nla_data(attr), sizeof(u64));
	return 0;
}

static int add_means(struct metric *metric, struct nlattr *attrs, int len,
		     struct icb_reason *why)
{
	unsigned int over = 0, under = 0, i;
	struct nlattr *attr;
	int left, err = 0;

	nla_for_each_attr(attr, attrs, len, left) {
		if (nla_type(attr) == ICBENCH_A_METRIC_MEAN_OVER)
			err = add_mean(metric->over, over++, attr, why);
		else if (nla_type(attr) == ICBENCH_A_METRIC_MEAN_UNDER)
			err = add_mean(metric->under, under++, attr, why);
		if (err)
			return err;
	}
	for (i = 0; i < under; i++)
		if (!metric->under[i])
			return broken(why, "has means that cannot be");
	if (over != under)
		return broken(why, "has means that cannot be");
	metric->means = over;
	return 0;
}

/* A long histogram goes on in further messages of the same metric. */
static int add_metric(void *to, struct nlmsghdr *msg, struct icb_reason *why)
{
	struct metrics *metrics = to;
	struct moments moments = { 0 };
	struct nlattr *attrs;
	int len, err;

	attrs = message_attrs(msg, &len);
	if (!attrs)
		return broken(why, "is too short");
	err = decode(&moments, moments_fields, attrs, len, why);
	if (err)
		return err;
	if (!metrics_find(metrics, moments.name)) {
		err = begin_metric(metrics, &moments, why);
		if (!err)
			err = add_tails(metrics_find(metrics, moments.name),
					attrs, len, why);
		if (!err)
			err = add_batches(metrics_find(metrics, moments.name),
					  attrs, len, why);
		if (!err)
			err = add_means(metrics_find(metrics, moments.name),
					attrs, len, why);
		if (err)
			return err;
	}
	err = add_buckets(metrics_find(metrics, moments.name), attrs, len, why);
	return err ? : add_samples(metrics_find(metrics, moments.name), attrs,
				   len, why);
}

static bool is_sound(const struct icb_hist *hist)
{
	return hist->min <= hist->max && hist->max <= ICB_HIST_LIMIT &&
	       hist->origin >= hist->min && hist->origin <= hist->max &&
	       hist->bucket[icb_hist_index(hist->min)] &&
	       hist->bucket[icb_hist_index(hist->max)];
}

static int finish_metric(struct metric *metric, struct icb_reason *why)
{
	if (!metric->hist)
		return 0;
	if (metric->hist->count != metric->stats.count)
		return broken(why, "has a histogram of %s that does not add up",
			      metric->name);
	if (!is_sound(metric->hist) ||
	    stats_of(&metric->stats, metric->hist, metric->divisor))
		return broken(why, "has moments of %s that cannot be",
			      metric->name);
	return 0;
}

/* What was not measured is absent: a distribution of nothing is none. */
static void drop_empty(struct metrics *metrics)
{
	unsigned int from, to = 0;

	for (from = 0; from < metrics->count; from++) {
		struct metric *metric = &metrics->metric[from];

		if (metric->hist && !metric->stats.count &&
		    !metric->hist->count)
			free(metric->hist);
		else
			metrics->metric[to++] = *metric;
	}
	metrics->count = to;
}

static int take_finished(void *to, struct nlmsghdr *msg, struct icb_reason *why)
{
	struct nlattr *attrs, *attr;
	struct finished *finished = to;
	int err, len, left;

	err = decode_job(finished->job, msg, why);
	attrs = message_attrs(msg, &len);
	if (err || !attrs)
		return err;
	nla_for_each_attr(attr, attrs, len, left) {
		if (nla_type(attr) != ICBENCH_A_JOB_METRICS)
			continue;
		if (finished->count == ARRAY_SIZE(finished->name))
			return broken(why, "has too many metrics");
		copy_string(finished->name[finished->count++],
			    sizeof(finished->name[0]), attr);
	}
	return 0;
}

/* A metric with as much of its histogram, or samples, as one answer holds. */
static int ask_metric(struct nl *nl, u32 job, const char *name, u64 from,
		      u64 sample, struct metrics *metrics, struct icb_reason *why)
{
	struct nl_msg *msg = request(nl, ICBENCH_CMD_RESULT_GET, NLM_F_ACK);
	bool torn;

	if (!msg || nla_put_u32(msg, ICBENCH_A_METRIC_JOB, job) ||
	    nla_put_string(msg, ICBENCH_A_METRIC_NAME, name) ||
	    nla_put_u64(msg, ICBENCH_A_METRIC_FROM, from) ||
	    (sample != U64_MAX &&
	     nla_put_u64(msg, ICBENCH_A_METRIC_SAMPLE_FROM, sample)))
		return no_memory(msg, why);
	return converse(nl, msg, add_metric, metrics, &torn, why);
}

static u64 behind_last(const struct icb_hist *hist)
{
	unsigned int i = ICB_HIST_BUCKETS;

	while (i && !hist->bucket[i - 1])
		i--;
	return i ? icb_hist_high(i - 1) + 1 : 0;
}

static int read_samples(struct nl *nl, u32 job, const char *name,
			struct metrics *metrics, struct icb_reason *why)
{
	struct metric *metric = metrics_find(metrics, name);
	u64 before;
	int err;

	while (metric->samples < metric->kept) {
		before = metric->samples;
		err = ask_metric(nl, job, name, U64_MAX, before, metrics, why);
		if (err)
			return err;
		metric = metrics_find(metrics, name);
		if (metric->samples == before)
			return broken(why, "lacks samples of %s", name);
	}
	return 0;
}

static int read_metric(struct nl *nl, u32 job, const char *name,
		       struct metrics *metrics, struct icb_reason *why)
{
	struct metric *metric;
	u64 from = 0, next;
	int err;

	for (;;) {
		err = ask_metric(nl, job, name, from, U64_MAX, metrics, why);
		if (err)
			return err;
		metric = metrics_find(metrics, name);
		if (!metric)
			return broken(why, "is about another metric");
		if (!metric->hist ||
		    metric->hist->count == metric->stats.count)
			return read_samples(nl, job, name, metrics, why);
		next = behind_last(metric->hist);
		if (next == from)
			return 0;
		from = next;
	}
}

/**
 * nl_result() - read the result of a finished job
 * @nl: the connection
 * @id: the job
 * @job: where to put the job, with its effective parameters; its number is 0
 *	after an error which left nothing there
 * @metrics: where to, empty; metrics_free() it in any case
 * @why: the reason of a refusal
 *
 * Not by a dump, which the kernel does not begin while the module is being
 * unloaded: that ends runs, too, and what they measured is wanted.
 *
 * Return: 0, or a negative error number with a reason.
 */
int nl_result(struct nl *nl, u32 id, struct nl_job *job,
	      struct metrics *metrics, struct icb_reason *why)
{
	struct finished finished = { .job = job };
	unsigned int i;
	int err;

	job->id = 0;
	err = ask_about(nl, ICBENCH_CMD_JOB_GET, ICBENCH_A_JOB_ID, id,
			take_finished, &finished, why);
	if (!err && job->id != id)
		err = broken(why, "is about no job, or another");
	if (err)
		job->id = 0;
	for (i = 0; !err && i < finished.count; i++)
		err = read_metric(nl, id, finished.name[i], metrics, why);
	if (err)
		return err;
	drop_empty(metrics);
	for (i = 0; !err && i < metrics->count; i++)
		err = finish_metric(&metrics->metric[i], why);
	return err;
}

static int put_listen(struct nl_msg *msg, const struct nl_listen_ask *ask)
{
	if (ask->bind && nla_put_string(msg, ICBENCH_A_LISTEN_BIND, ask->bind))
		return -ENOMEM;
	if (ask->cm_port &&
	    nla_put_u32(msg, ICBENCH_A_LISTEN_CM_PORT, ask->cm_port))
		return -ENOMEM;
	if (ask->token.len && nla_put(msg, ICBENCH_A_LISTEN_TOKEN,
				      ask->token.len, ask->token.data))
		return -ENOMEM;
	if (ask->max_memory &&
	    nla_put_u64(msg, ICBENCH_A_LISTEN_MAX_MEMORY, ask->max_memory))
		return -ENOMEM;
	if (ask->max_qps &&
	    nla_put_u32(msg, ICBENCH_A_LISTEN_MAX_QPS, ask->max_qps))
		return -ENOMEM;
	return 0;
}

/**
 * nl_listen_new() - make a listener
 * @nl: the connection, which owns the listener
 * @ask: what it is to be
 * @id: where to
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int nl_listen_new(struct nl *nl, const struct nl_listen_ask *ask, u32 *id,
		  struct icb_reason *why)
{
	struct nl_msg *msg = request(nl, ICBENCH_CMD_LISTEN_NEW, NLM_F_ACK);

	if (!msg || put_listen(msg, ask))
		return no_memory(msg, why);
	return make(nl, msg, ICBENCH_A_LISTEN_ID, id, why);
}

/**
 * nl_listen_del() - end a listener and what it serves
 * @nl: the connection
 * @id: the listener
 * @why: the reason of a refusal; may be NULL
 *
 * Returns when its runs have ended.
 *
 * Return: 0, or a negative error number with a reason.
 */
int nl_listen_del(struct nl *nl, u32 id, struct icb_reason *why)
{
	return ask_about(nl, ICBENCH_CMD_LISTEN_DEL, ICBENCH_A_LISTEN_ID, id,
			 NULL, NULL, why);
}

static int take_listen(void *to, struct nlmsghdr *msg, struct icb_reason *why)
{
	struct nlattr *attrs;
	int len;

	attrs = message_attrs(msg, &len);
	if (!attrs)
		return broken(why, "is too short");
	return decode(to, listen_fields, attrs, len, why);
}

/**
 * nl_listen_get() - ask about a listener
 * @nl: the connection
 * @id: the listener
 * @listen: where to
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int nl_listen_get(struct nl *nl, u32 id, struct nl_listen *listen,
		  struct icb_reason *why)
{
	int err;

	memset(listen, 0, sizeof(*listen));
	err = ask_about(nl, ICBENCH_CMD_LISTEN_GET, ICBENCH_A_LISTEN_ID, id,
			take_listen, listen, why);
	if (!err && listen->id != id)
		err = broken(why, "is about no listener, or another");
	return err;
}

/**
 * nl_events_open() - begin to hear of jobs and listeners
 * @nl: the connection
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int nl_events_open(struct nl *nl, struct icb_reason *why)
{
	int err;

	nl->group = genl_ctrl_resolve_grp(nl->request, ICBENCH_FAMILY_NAME,
					  ICBENCH_MCGRP_JOBS);
	if (nl->group < 0)
		return broken(why, "lacks the events \"%s\"",
			      ICBENCH_MCGRP_JOBS);
	nl->events = open_socket(why);
	if (!nl->events)
		return -EIO;
	nl_socket_set_buffer_size(nl->events, EVENT_BYTES, 0);
	err = nl_socket_add_membership(nl->events, nl->group);
	if (err == -NLE_PERM)
		return no_permission(why, -EPERM);
	if (err)
		return icb_refuse(why, -EPERM, "cannot hear of jobs: %s",
				  nl_geterror(err));
	return 0;
}

/**
 * nl_events_fd() - what to poll() for events
 * @nl: the connection, with nl_events_open()
 *
 * Return: a file descriptor, owned by @nl.
 */
int nl_events_fd(const struct nl *nl)
{
	return nl_socket_get_fd(nl->events);
}

static int decode_event(const struct nl *nl, struct nlmsghdr *msg,
			struct nl_event *event, struct icb_reason *why)
{
	struct nlattr *attrs;
	int len;

	attrs = message_attrs(msg, &len);
	if (msg->nlmsg_type != nl->family || !attrs)
		return 0;
	switch (genlmsg_hdr(msg)->cmd) {
	case ICBENCH_CMD_JOB_NTF:
		event->type = NL_EVENT_JOB;
		return decode_job(&event->job, msg, why);
	case ICBENCH_CMD_REFUSED_NTF:
		event->type = NL_EVENT_REFUSAL;
		memset(&event->refusal, 0, sizeof(event->refusal));
		return decode(&event->refusal, refusal_fields, attrs, len,
			      why);
	default:
		return 0;
	}
}

/**
 * nl_events_next() - take the next event
 * @nl: the connection, with nl_events_open()
 * @event: where to; it does not wait for one
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int nl_events_next(struct nl *nl, struct nl_event *event,
		   struct icb_reason *why)
{
	struct nlmsghdr *msg;
	ssize_t len;
	int err;

	event->type = NL_EVENT_NONE;
	for (;;) {
		while (nlmsg_ok(nl->next, nl->left)) {
			msg = nl->next;
			nl->next = nlmsg_next(msg, &nl->left);
			err = decode_event(nl, msg, event, why);
			if (err || event->type != NL_EVENT_NONE)
				return err;
		}
		len = receive(nl->events, &nl->event_buf, MSG_DONTWAIT);
		if (len == -ENOBUFS)
			event->type = NL_EVENT_LOST;
		if (!len || len == -ENOBUFS)
			return 0;
		if (len < 0)
			return icb_refuse(why, len, "cannot hear of jobs: %s",
					  strerror(-(int)len));
		nl->next = nl->event_buf;
		nl->left = len;
	}
}
