// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/socket.h>

#include "answer.h"
#include "generate.h"
#include "random.h"
#include "reference.h"
#include "worker.h"

#define ANSWER_BYTES	0x100000
/* Number of datagrams after which objects in no pool are deleted. */
#define SWEEP_EVERY	5000
#define LISTED_MAX	4096
/* Longest wait for the answer to a delete, ms; a deleted run ends much sooner. */
#define LATE_MS		60000

/**
 * struct worker - process that sends requests
 * @shared: data of all processes
 * @family: numbers of the module's family
 * @fd: socket for generated datagrams only
 * @aside: socket for requests that depend on answers: lists and deletes of objects
 * @seed: seed of the run
 * @number: number of the worker
 * @index: index of the current datagram
 * @overrun: true if answers were lost
 * @d: last generated datagram
 * @question: last datagram sent on @aside
 * @buf: last received data
 * @listed: numbers in the answers to the last request on @aside
 * @listed_count: number of entries in @listed
 */
struct worker {
	struct shared *shared;
	const struct family *family;
	int fd;
	int aside;
	uint64_t seed;
	uint32_t number;
	uint64_t index;
	bool overrun;
	struct datagram d;
	struct datagram question;
	char buf[ANSWER_BYTES] __attribute__((aligned(8)));
	uint32_t listed[LISTED_MAX];
	unsigned int listed_count;
};

static void forget_answers(struct worker *w)
{
	close(w->fd);
	w->fd = link_open();
}

/* Return: bytes received; 0 if there are none. */
static size_t receive(struct worker *w, int fd)
{
	ssize_t len;

	do {
		len = recv(fd, w->buf, sizeof(w->buf), MSG_DONTWAIT);
		if (len < 0 && errno == ENOBUFS) {
			w->overrun = true;
			tally_add(&w->shared->tally.overruns, 1);
		}
	} while (len < 0 && (errno == ENOBUFS || errno == EINTR));
	return len < 0 ? 0 : len;
}

static void complain(struct worker *w, enum complaint kind,
		     const struct request *request, const char *what)
{
	tally_complain(&w->shared->tally, kind,
		       "%s %s, message %u of --seed %llu --worker %u --from %llu: %s",
		       request->op ? request->op->name : "?",
		       request->mode == DUMP ? "dump" : "do",
		       (unsigned int)(request - w->d.request),
		       (unsigned long long)w->seed, w->number,
		       (unsigned long long)w->index, what);
}

/* The text has to begin with the wrong attribute's name in user space. */
static bool names(const char *words, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(words, name, len) && words[len] == ':';
}

/*
 * Remove the object of a message from its pool: it is gone, and the slot becomes free for
 * another.
 */
static void forget_thing(struct worker *w, const struct request *request)
{
	const struct op *op = request->op;
	const struct attr *attr;
	const short *list;
	uint32_t id;

	for (list = op->request[request->mode]; *list >= 0; list++) {
		attr = &sets[op->set].attrs[*list];
		if (attr->pool == op->set && datagram_number(&w->d, request, attr, &id))
			pool_remove(&w->shared->pools[attr->pool], id);
	}
}

static void refused(struct worker *w, const struct request *request,
		    const struct answer *answer)
{
	struct tally *tally = &w->shared->tally;
	const char *bad = request->bad;
	int op = request->op - ops;

	/* netlink itself starts no dump while another one is in progress */
	if (!request->sound || (request->mode == DUMP && answer->error == EBUSY &&
				w->d.count > 1)) {
		tally_add(&tally->garbage, 1);
		return;
	}
	if (answer->error == ENOENT)
		forget_thing(w, request);
	tally_add(&tally->refused[op][request->mode], 1);
	tally_add(&tally->errors[op][answer->error % ERRORS], 1);
	if (!answer->words)
		complain(w, COMPLAINT_WORDLESS, request, strerror(answer->error));
	else if (bad && !names(answer->words, bad))
		complain(w, COMPLAINT_MISNAMED, request, answer->words);
}

static void accepted(struct worker *w, const struct request *request)
{
	const struct op *op = request->op;

	if (!request->sound)
		return;
	tally_add(&w->shared->tally.accepted[op - ops][request->mode], 1);
	if (request->bad)
		complain(w, COMPLAINT_LAX, request, request->bad);
	if (op->role == ROLE_DEL)
		forget_thing(w, request);
}

static struct request *find_request(struct worker *w, uint32_t seq)
{
	int i;

	for (i = 0; i < w->d.count; i++)
		if (w->d.request[i].seq == seq)
			return &w->d.request[i];
	return NULL;
}

/*
 * Store the number of a new object in the slot that belongs to the message, whenever it
 * arrives. Return: the number that was in the slot, whose object has to be deleted; 0 for
 * none.
 */
static uint32_t remember(struct worker *w, const struct answer *answer, uint32_t seq)
{
	uint64_t slot = (uint64_t)w->number << 32 | seq;

	if (!answer->op || answer->op->role != ROLE_NEW || !answer->id)
		return 0;
	return pool_put(&w->shared->pools[answer->op->set], random_next(&slot) % POOL_SLOTS,
			answer->id);
}

/* Read and judge the answers. */
static void take(struct worker *w, uint32_t *surplus, int *surplus_set)
{
	const struct nlmsghdr *head;
	struct request *request;
	struct answer answer;
	size_t left;
	uint32_t id;

	while ((left = receive(w, w->fd)))
		for (head = (void *)w->buf; NLMSG_OK(head, left); head = NLMSG_NEXT(head, left)) {
			answer_read(&answer, head, w->family->id);
			id = remember(w, &answer, head->nlmsg_seq);
			if (id) {
				*surplus = id;
				*surplus_set = answer.op->set;
			}
			request = find_request(w, head->nlmsg_seq);
			if (!request)
				continue;
			if (answer.wrong)
				complain(w, COMPLAINT_MALFORMED, request, answer.wrong);
			if (!answer.last || request->answered)
				continue;
			request->answered = true;
			if (answer.error)
				refused(w, request, &answer);
			else
				accepted(w, request);
		}
}

static const struct op *op_with_role(int set, enum role role)
{
	int i;

	for (i = 0; i < op_count; i++)
		if (ops[i].set == set && ops[i].role == role)
			return &ops[i];
	return NULL;
}

/*
 * Send a datagram completely or count a violation: the socket has room, and no datagram
 * is empty.
 */
static bool send_it(struct worker *w, int fd, const struct datagram *d)
{
	ssize_t sent = send(fd, d->buf, d->len, 0);

	if (sent == (ssize_t)d->len)
		return true;
	tally_complain(&w->shared->tally, COMPLAINT_UNSENT,
		       "%zu bytes of --seed %llu --worker %u --from %llu: %s", d->len,
		       (unsigned long long)w->seed, w->number, (unsigned long long)w->index,
		       sent < 0 ? strerror(errno) : "in part");
	return false;
}

/* Send a request that is not part of the test, and list the numbers in the answer. */
static void ask(struct worker *w, const struct op *op, enum request_mode mode, uint32_t id)
{
	struct datagram *d = &w->question;
	const struct nlmsghdr *head;
	struct answer answer;
	size_t left;

	w->listed_count = 0;
	generate_about(d, op, mode, id);
	reference_resolve(d, w->family->id, w->shared->pools);
	if (!send_it(w, w->aside, d))
		return;
	while ((left = receive(w, w->aside)))
		for (head = (void *)w->buf; NLMSG_OK(head, left); head = NLMSG_NEXT(head, left)) {
			answer_read(&answer, head, w->family->id);
			if (answer.op && answer.id && w->listed_count < LISTED_MAX)
				w->listed[w->listed_count++] = answer.id;
		}
}

/* Delete the objects that are not, or no longer, in a pool. */
static void sweep(struct worker *w, bool everything)
{
	static uint32_t listed[LISTED_MAX];
	unsigned int count, i;
	int set;

	for (set = 0; set < set_count; set++) {
		struct pool *pool = &w->shared->pools[set];
		const struct op *get = op_with_role(set, ROLE_GET);
		const struct op *del = op_with_role(set, ROLE_DEL);

		if (!get || !get->request[DUMP] || !del)
			continue;
		ask(w, get, DUMP, 0);
		count = w->listed_count;
		memcpy(listed, w->listed, sizeof(listed));
		for (i = 0; i < count; i++)
			if (everything || !pool_has(pool, listed[i]))
				ask(w, del, DO, listed[i]);
	}
}

/* Check for a delete that is still in progress; its answer comes when it is done. */
static bool is_late(const struct worker *w)
{
	const struct request *request;
	int i;

	for (i = 0; i < w->d.count && !w->overrun; i++) {
		request = &w->d.request[i];
		if (request->sound && !request->answered &&
		    request->mode == DO && request->op->role == ROLE_DEL)
			return true;
	}
	return false;
}

static void test(struct worker *w)
{
	struct pollfd late = { .fd = w->fd, .events = POLLIN };
	struct tally *tally = &w->shared->tally;
	const struct op *del;
	uint32_t surplus = 0;
	uint64_t digest;
	int i, set = 0;

	generate(&w->d, w->seed, w->number, w->index);
	/* before placeholders are replaced by numbers, which differ from run to run */
	digest = digest_add(w->shared->digest[w->number], &w->d);
	reference_resolve(&w->d, w->family->id, w->shared->pools);
	w->overrun = false;
	if (!send_it(w, w->fd, &w->d))
		return;
	w->shared->digest[w->number] = digest;
	for (i = 0; i < CLASSES; i++)
		tally_add(&tally->sent[i], w->d.made[i]);
	if (w->d.abandon) {
		forget_answers(w);
		return;
	}
	take(w, &surplus, &set);
	while (is_late(w) && poll(&late, 1, LATE_MS) > 0)
		take(w, &surplus, &set);
	for (i = 0; i < w->d.count; i++)
		if (w->d.request[i].sound && !w->d.request[i].answered && !w->overrun)
			complain(w, COMPLAINT_UNANSWERED, &w->d.request[i], "");
	del = op_with_role(set, ROLE_DEL);
	if (surplus && del)
		ask(w, del, DO, surplus);
}

static struct worker *worker_new(struct shared *shared, const struct family *family)
{
	struct worker *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->shared = shared;
	w->family = family;
	w->fd = link_open();
	w->aside = link_open();
	return w;
}

/**
 * worker_run() - send datagrams and take their answers
 * @shared: data of all processes
 * @family: numbers of the module's family
 * @seed: seed of the run
 * @number: number of this worker
 * @from: index of the first datagram
 * @count: number of datagrams
 *
 * Return: 0; 1 if a socket could not be opened.
 */
int worker_run(struct shared *shared, const struct family *family,
	       uint64_t seed, uint32_t number, uint64_t from, uint64_t count)
{
	struct worker *w = worker_new(shared, family);

	if (!w)
		return 1;
	w->seed = seed;
	w->number = number;
	shared->digest[number] = DIGEST_NONE;
	for (w->index = from; w->fd >= 0 && w->aside >= 0 && w->index < from + count; w->index++) {
		test(w);
		if (!number && w->index % SWEEP_EVERY == SWEEP_EVERY - 1)
			sweep(w, false);
	}
	/*
	 * close them while runs are active, and while other workers use this worker's
	 * objects
	 */
	close(w->fd);
	close(w->aside);
	return w->index < from + count;
}

/**
 * worker_sweep() - delete all objects that are left
 * @shared: data of all processes; the workers have ended
 * @family: numbers of the module's family
 *
 * Return: 0; 1 if a socket could not be opened.
 */
int worker_sweep(struct shared *shared, const struct family *family)
{
	struct worker *w = worker_new(shared, family);

	if (!w || w->aside < 0)
		return 1;
	sweep(w, true);
	close(w->fd);
	close(w->aside);
	free(w);
	return 0;
}

/**
 * worker_hear() - receive events until @shared->over is set
 * @shared: data of all processes
 * @family: numbers of the module's family
 * @fd: socket that has joined the group
 *
 * Return: 0.
 */
int worker_hear(struct shared *shared, const struct family *family, int fd)
{
	static char buf[ANSWER_BYTES] __attribute__((aligned(8)));
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	const struct nlmsghdr *head;
	struct answer answer;
	ssize_t got;
	size_t left;

	while (!__atomic_load_n(&shared->over, __ATOMIC_ACQUIRE)) {
		if (poll(&wait, 1, 50) <= 0)
			continue;
		got = recv(fd, buf, sizeof(buf), MSG_DONTWAIT);
		if (got < 0 && errno == ENOBUFS)
			tally_add(&shared->tally.lost, 1);
		left = got < 0 ? 0 : got;
		for (head = (void *)buf; NLMSG_OK(head, left); head = NLMSG_NEXT(head, left)) {
			answer_read(&answer, head, family->id);
			tally_add(&shared->tally.events, 1);
			if (answer.wrong || !answer.op->event)
				tally_complain(&shared->tally, COMPLAINT_MALFORMED,
					       "event %s: %s",
					       answer.op ? answer.op->name : "?",
					       answer.wrong ? answer.wrong : "not one");
		}
	}
	return 0;
}
