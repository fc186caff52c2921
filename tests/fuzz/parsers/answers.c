// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target for the module's answers and events. The input is the number of a question,
 * then datagrams: flags, a length of two bytes, little-endian, and the content. seeds.py
 * writes such inputs. libnl's sockets, and calls that use them, are replaced (--wrap), so
 * that no system call is made.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sanitizer/asan_interface.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>

#include "base/text.h"
#include "check.h"
#include "nl/device.h"
#include "nl/events.h"
#include "nl/jobs.h"
#include "nl/listen.h"
#include "nl/nl.h"
#include "nl/result.h"
#include "stats/metric.h"
#include "target.h"
#include "wrap.h"

#define FAMILY		77
#define GROUP		7
#define ID		5

/* Flags of a datagram. */
#define FOREIGN		1	/* sent by another process, to be ignored */
#define LOST		2	/* the socket overflows instead */
#define INTERRUPTED	4	/* a signal arrives first */

static struct {
	const uint8_t *next;
	size_t left;
	u8 flags;
	u32 seq;
	/* rest of the buffer behind the last datagram, which must not be read */
	void *beyond;
	size_t beyond_len;
} wire;

static void allow_beyond(void)
{
	if (wire.beyond)
		ASAN_UNPOISON_MEMORY_REGION(wire.beyond, wire.beyond_len);
	wire.beyond = NULL;
}

/* Return: length of the next datagram; -1 if there is none. */
static ssize_t look(void)
{
	size_t len;

	if (wire.left < 3)
		return -1;
	wire.flags = wire.next[0];
	len = wire.next[1] | wire.next[2] << 8;
	return min_t(size_t, len, wire.left - 3);
}

static void take(size_t len)
{
	wire.next += 3 + len;
	wire.left -= 3 + len;
}

ssize_t __wrap_send(int fd, const void *buf, size_t len, int flags)
{
	const struct nlmsghdr *head = buf;

	(void)fd;
	(void)flags;
	assert(len == head->nlmsg_len && head->nlmsg_type == FAMILY);
	assert(head->nlmsg_flags & NLM_F_REQUEST);
	wire.seq = head->nlmsg_seq;
	return len;
}

/* At the end of the input, the socket is closed, or no further event arrives. */
ssize_t __wrap_recvfrom(int fd, void *buf, size_t len, int flags,
			struct sockaddr *from, socklen_t *from_len)
{
	struct sockaddr_nl *sender = (struct sockaddr_nl *)from;
	struct nlmsghdr *head = buf;
	ssize_t next = look();

	(void)fd;
	(void)from_len;
	allow_beyond();
	assert(flags & MSG_TRUNC);
	errno = flags & MSG_DONTWAIT ? EAGAIN : ETIMEDOUT;
	if (next < 0)
		return -1;
	if (wire.flags & (LOST | INTERRUPTED)) {
		errno = wire.flags & LOST ? ENOBUFS : EINTR;
		take(next);
		return -1;
	}
	assert((size_t)next <= len);
	memcpy(buf, wire.next + 3, next);
	sender->nl_family = AF_NETLINK;
	sender->nl_pid = wire.flags & FOREIGN;
	take(next);
	/* 0 is a placeholder for the request's sequence number, which no input can know */
	if ((size_t)next >= sizeof(*head) && !head->nlmsg_seq)
		head->nlmsg_seq = wire.seq;
	wire.beyond = (char *)buf + next;
	wire.beyond_len = len - next;
	ASAN_POISON_MEMORY_REGION(wire.beyond, wire.beyond_len);
	return next;
}

/* Replacements for functions of libnl: */

int genl_connect(struct nl_sock *sock)
{
	(void)sock;
	return 0;
}

int nl_socket_get_fd(const struct nl_sock *sock)
{
	(void)sock;
	return -1;
}

int genl_ctrl_resolve(struct nl_sock *sock, const char *name)
{
	(void)sock;
	assert(!strcmp(name, ICBENCH_FAMILY_NAME));
	return FAMILY;
}

int genl_ctrl_resolve_grp(struct nl_sock *sock, const char *family,
			  const char *group)
{
	(void)sock;
	(void)family;
	(void)group;
	return GROUP;
}

int nl_socket_add_membership(struct nl_sock *sock, int group)
{
	(void)sock;
	assert(group == GROUP);
	return 0;
}

int nl_socket_set_buffer_size(struct nl_sock *sock, int rx, int tx)
{
	(void)sock;
	(void)rx;
	(void)tx;
	return 0;
}

/* Conditions that an accepted answer has to meet. */

#define check_text(_s) check_string(_s, sizeof(_s))

static void check_string(const char *s, size_t size)
{
	assert(memchr(s, '\0', size));
	assert(text_is_clean(s));
}

static void check_params(const struct icb_params *params)
{
	unsigned int i;

	for (i = 0; i < icb_param_count; i++) {
		const struct icb_param *param = &icb_param_table[i];
		char text[ICB_NAMES];

		if (!icb_params_has(params, param->attr))
			continue;
		assert(param->type != ICB_PARAM_BYTES);
		plan_value(param, params, text, sizeof(text));
		check_text(text);
	}
}

static void check_job(const struct nl_job *job)
{
	assert(NL_HAS(job, ICBENCH_A_JOB_ID));
	assert(*nl_job_state(job));
	check_text(job->reason);
	check_text(job->target);
	check_text(job->clock.source);
	check_params(&job->params);
}

static void check_dev(const struct nl_dev *dev)
{
	unsigned int i;

	assert(NL_HAS(dev, ICBENCH_A_DEV_NAME));
	check_text(dev->name);
	check_text(dev->driver);
	check_text(dev->state);
	check_text(dev->link_layer);
	check_text(dev->protocol);
	check_text(dev->netdev);
	for (i = 0; i < dev->gids; i++) {
		check_text(dev->gid[i].type);
		check_text(dev->gid[i].netdev);
	}
}

static void check_stats(const struct stats *stats)
{
	double last = stats->min;
	unsigned int i;

	assert(stats->count && isfinite(stats->mean) && stats->stddev >= 0);
	for (i = 0; i < STATS_PERCENTILES; i++) {
		assert(stats->percentile[i] >= last);
		last = stats->percentile[i];
	}
	assert(last <= stats->max);
}

static void check_metric(const struct metric *metric)
{
	check_text(metric->name);
	assert(metric->divisor && *metric_unit(metric));
	assert(!metric->hist == (metric->kind != ICBENCH_METRIC_KIND_DISTRIBUTION));
	if (metric->hist)
		check_stats(&metric->stats);
}

/* Questions */

static int ask_devs(struct nl *nl, struct icb_reason *why)
{
	struct nl_devs devs = { 0 };
	unsigned int i;
	int err;

	err = nl_dev_list(nl, &devs, why);
	for (i = 0; !err && i < devs.count; i++)
		check_dev(&devs.dev[i]);
	nl_devs_free(&devs);
	return err;
}

static int ask_new(struct nl *nl, struct icb_reason *why)
{
	struct icb_params params;
	u32 id;
	int err;

	icb_params_init(&params);
	err = icb_params_set_number(&params, icb_param_by_name("size"), 1, why);
	assert(!err);
	err = nl_job_new(nl, &params, 1, &id, why);
	assert(err || id);
	return err;
}

static int ask_start(struct nl *nl, struct icb_reason *why)
{
	return nl_job_start(nl, ID, why);
}

static int ask_job(struct nl *nl, struct icb_reason *why)
{
	struct nl_job job;
	int err;

	err = nl_job_get(nl, ID, &job, why);
	if (!err) {
		assert(job.id == ID);
		check_job(&job);
	}
	return err;
}

static int ask_jobs(struct nl *nl, struct icb_reason *why)
{
	struct nl_jobs jobs = { 0 };
	unsigned int i;
	int err;

	err = nl_job_list(nl, &jobs, why);
	for (i = 0; !err && i < jobs.count; i++)
		check_job(&jobs.job[i]);
	nl_jobs_free(&jobs);
	return err;
}

static int ask_result(struct nl *nl, struct icb_reason *why)
{
	struct metrics metrics = { 0 };
	struct nl_job job;
	unsigned int i;
	int err;

	err = nl_result(nl, ID, &job, &metrics, why);
	assert(job.id == ID || (err && !job.id));
	for (i = 0; !err && i < metrics.count; i++)
		check_metric(&metrics.metric[i]);
	metrics_free(&metrics);
	return err;
}

static int ask_listen(struct nl *nl, struct icb_reason *why)
{
	struct nl_listen_ask ask = { .bind = "::", .cm_port = 1 };
	u32 id;
	int err;

	err = nl_listen_new(nl, &ask, &id, why);
	assert(err || id);
	return err;
}

static int ask_listener(struct nl *nl, struct icb_reason *why)
{
	struct nl_listen listen;
	int err;

	err = nl_listen_get(nl, ID, &listen, why);
	if (!err) {
		assert(listen.id == ID);
		check_text(listen.bind);
	}
	return err;
}

static int hear(struct nl *nl, struct icb_reason *why)
{
	struct nl_event event;
	int err;

	err = nl_events_open(nl, why);
	assert(!err);
	do {
		err = nl_events_next(nl, &event, why);
		if (err)
			return err;
		if (event.type == NL_EVENT_JOB)
			check_job(&event.job);
		if (event.type == NL_EVENT_REFUSAL) {
			check_text(event.refusal.peer);
			check_text(event.refusal.reason);
		}
	} while (event.type != NL_EVENT_NONE);
	return 0;
}

/* The seeds contain the indices of this table. */
static int (*const questions[])(struct nl *nl, struct icb_reason *why) = {
	ask_devs, ask_new, ask_start, ask_job, ask_jobs, ask_result, ask_listen,
	ask_listener, hear,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct icb_reason why;
	struct nl *nl;
	int err;

	if (!size)
		return 0;
	memset(&wire, 0, sizeof(wire));
	wire.next = data + 1;
	wire.left = size - 1;
	nl = nl_begin(&why);
	assert(nl);
	err = questions[data[0] % ARRAY_SIZE(questions)](nl, &why);
	check_reason(err, &why);
	if (err)
		check_text(why.text);
	allow_beyond();
	nl_end(nl);
	return 0;
}
