// SPDX-License-Identifier: GPL-2.0
/* What an initiator reaches with the region that it was offered. */
#include <stdlib.h>

#include "report.h"

/**
 * struct access - work request with an address
 * @name: what is tried
 * @opcode: of the request
 * @off: from the region's beginning
 * @len: bytes
 * @key: added to the region's key
 * @control: on the control connection
 * @allowed: it is within what was offered
 */
struct access {
	const char *name;
	enum ibv_wr_opcode opcode;
	s64 off;
	u32 len;
	u32 key;
	bool control;
	bool allowed;
};

#define WRITE	IBV_WR_RDMA_WRITE
#define READ	IBV_WR_RDMA_READ

#define TRY(_name, _opcode, _off, _len, ...) {				\
	.name = (_name), .opcode = (_opcode), .off = (_off),		\
	.len = (_len), __VA_ARGS__ }

static const struct access accesses[] = {
	TRY("write of all of it", WRITE, 0, SIZE, .allowed = true),
	TRY("write of its last byte", WRITE, SIZE - 1, 1, .allowed = true),
	TRY("write of one byte more", WRITE, 0, SIZE + 1),
	TRY("write of the byte behind it", WRITE, SIZE, 1),
	TRY("write of the byte before it", WRITE, -1, 1),
	TRY("write across its beginning", WRITE, -1, 2),
	TRY("write across its end", WRITE, SIZE - 1, 2),
	TRY("write of the page behind it", WRITE, 4096, SIZE),
	TRY("write of the page before it", WRITE, -4096, SIZE),
	TRY("write far behind it", WRITE, 1LL << 40, SIZE),
	TRY("write at an address that overflows", WRITE, -(1LL << 62), SIZE),
	TRY("write of a page and more", WRITE, 0, DATA_SIZE),
	TRY("write with the next key", WRITE, 0, SIZE, .key = 1),
	TRY("write with the key of another region", WRITE, 0, SIZE, .key = 256),
	TRY("read", READ, 0, 8),
	TRY("read of its last byte", READ, SIZE - 1, 1),
	TRY("read of the byte behind it", READ, SIZE, 1),
	TRY("fetch and add", IBV_WR_ATOMIC_FETCH_AND_ADD, 0, 8),
	TRY("compare and swap", IBV_WR_ATOMIC_CMP_AND_SWP, 0, 8),
	TRY("control connection: write of the byte behind it", WRITE, SIZE, 1,
	    .control = true),
	TRY("control connection: read", READ, 0, 8, .control = true),
	TRY("control connection: fetch and add", IBV_WR_ATOMIC_FETCH_AND_ADD, 0,
	    8, .control = true),
};

static const struct access *current;
static enum ibv_wc_status status;
static struct icb_wire_region stale;

static void post(struct session *session, const struct icb_wire_region *region,
		 const struct access *access)
{
	struct peer *peer = &session->peer;
	struct end *end = access->control ? &peer->ctl : &peer->data;
	struct ibv_send_wr wr = {
		.opcode = access->opcode,
		.wr.rdma.remote_addr = region->addr + access->off,
		.wr.rdma.rkey = region->rkey + access->key,
	};

	if (access->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD ||
	    access->opcode == IBV_WR_ATOMIC_CMP_AND_SWP) {
		wr.wr.atomic.remote_addr = region->addr + access->off;
		wr.wr.atomic.rkey = region->rkey + access->key;
		wr.wr.atomic.compare_add = 0;
		wr.wr.atomic.swap = 1;
	}
	peer_post(peer, end, &wr, peer->memory->data_tx, access->len);
	peer_wait(peer, !end->sent || end->status, session->limit);
	status = end->status;
}

static bool reach(struct session *session)
{
	post(session, &session->offer.region[0], current);
	return current->allowed ? true : session_let_go(session);
}

static bool reach_stale(struct session *session)
{
	static const struct access write = TRY("", WRITE, 0, SIZE);

	post(session, &stale, &write);
	return session_let_go(session);
}

static void begin(struct session *session, u16 port)
{
	session_init(session, port);
	session->limit *= slow;
	session->verb = ICBENCH_VERB_WRITE;
}

static void run(struct session *session)
{
	session_run(session, client_script, client_steps);
}

static void refused_access(const struct session *session, const char *name)
{
	char text[120], why[240];

	snprintf(text, sizeof(text), "access: %s: %s", name,
		 ibv_wc_status_str(IBV_WC_REM_ACCESS_ERR));
	snprintf(why, sizeof(why), "%s; then: %s (%s)",
		 ibv_wc_status_str(status), outcome_names[session->outcome],
		 session->words);
	ok(status == IBV_WC_REM_ACCESS_ERR &&
	   (session->outcome == REFUSED || session->outcome == CLOSED), text,
	   why);
}

static void try_access(u16 port, const struct access *access)
{
	struct session session;
	char name[120];

	begin(&session, port);
	session.at = CLIENT_END;
	session.act = reach;
	current = access;
	run(&session);
	peer_close(&session.peer);
	if (!access->allowed) {
		refused_access(&session, access->name);
		return;
	}
	/* it may have changed what the server compares */
	snprintf(name, sizeof(name), "access: %s: possible", access->name);
	ok(status == IBV_WC_SUCCESS && session.outcome <= REFUSED, name,
	   ibv_wc_status_str(status));
}

/* The key of a run that is over, over its own connections. */
static void try_late(u16 port)
{
	static const struct access late = TRY("", WRITE, 0, SIZE);
	struct session session;

	begin(&session, port);
	run(&session);
	stale = session.offer.region[0];
	post(&session, &stale, &late);
	ok(session.outcome == DONE && status != IBV_WC_SUCCESS,
	   "access: write after the run: it fails",
	   ibv_wc_status_str(status));
	printf("# write after the run: %s\n", ibv_wc_status_str(status));
	peer_close(&session.peer);
}

/* ... and over those of another run. */
static void try_stale(u16 port)
{
	struct session session;

	begin(&session, port);
	session.at = CLIENT_ECHO;
	session.act = reach_stale;
	run(&session);
	peer_close(&session.peer);
	refused_access(&session, "write with the key of a run that is over");
}

static u16 other_port;

/* A second run begins, reaches for the first one's region, and fails. */
static bool reach_other(struct session *session)
{
	struct session other;

	stale = session->offer.region[0];
	begin(&other, other_port);
	other.at = CLIENT_ECHO;
	other.act = reach_stale;
	run(&other);
	peer_close(&other.peer);
	refused_access(&other, "write with the key of another run");
	peer_pump(&session->peer, 0);
	return true;
}

static void try_other(u16 port)
{
	struct session session;

	other_port = port;
	begin(&session, port);
	/* it says nothing while the other one is busy */
	session.timeout = session.limit;
	session.at = CLIENT_ECHO;
	session.act = reach_other;
	run(&session);
	peer_close(&session.peer);
	ok(session.outcome == DONE, "access: ... and the other run goes on",
	   session.words);
}

static bool invalidate(struct session *session)
{
	struct peer *peer = &session->peer;
	struct ibv_send_wr wr = {
		.opcode = IBV_WR_SEND_WITH_INV,
		.invalidate_rkey = session->offer.region[0].rkey,
	};

	session_sample(ICB_WIRE_BYE, peer->memory->tx);
	peer_post(peer, &peer->ctl, &wr, peer->memory->tx,
		  kind_sizes[ICB_WIRE_BYE]);
	return session_let_go(session);
}

/* Receives that bring nothing: the slot holds what it held before. */
static bool immediate(struct session *session)
{
	struct peer *peer = &session->peer;
	struct ibv_send_wr wr = {
		.opcode = IBV_WR_RDMA_WRITE_WITH_IMM,
		.wr.rdma.remote_addr = session->offer.region[0].addr,
		.wr.rdma.rkey = session->offer.region[0].rkey,
	};
	unsigned int i;

	for (i = 0; i < 6; i++)
		peer_post(peer, &peer->ctl, &wr, peer->memory->data_tx,
			  kind_sizes[ICB_WIRE_READY]);
	return session_let_go(session);
}

static bool immediate_of_nothing(struct session *session)
{
	struct ibv_send_wr wr = { .opcode = IBV_WR_RDMA_WRITE_WITH_IMM };
	struct peer *peer = &session->peer;

	peer_post(peer, session->verb == ICBENCH_VERB_WRITE ? &peer->ctl :
		  &peer->data, &wr, peer->memory->data_tx, 0);
	return session_let_go(session);
}

/* More messages than a peer sends that waits for answers, and takes any. */
static bool flood(struct session *session)
{
	struct peer *peer = &session->peer;
	unsigned int i;

	peer->deaf = true;
	for (i = 0; i < 400 && !peer->data.status && !peer_over(peer); i++)
		session_post_data(session, true);
	return session_let_go(session);
}

static bool wrong_size(struct session *session)
{
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND };
	struct peer *peer = &session->peer;

	peer_post(peer, &peer->data, &wr, peer->memory->data_tx,
		  draw() % 2 ? SIZE + 1 : SIZE - 1);
	return session_let_go(session);
}

static void try_act(u16 port, u32 verb, unsigned int at,
		    bool (*act)(struct session *session), const char *name)
{
	struct tally tally = { 0 };
	struct session session;

	begin(&session, port);
	session.verb = verb;
	session.at = at;
	session.act = act;
	run(&session);
	peer_close(&session.peer);
	tally_session(&tally, &session, true, name);
	tally_ok(&tally, name);
}

int group_remote(char **args)
{
	u16 port = strtoul(args[0], NULL, 10);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(accesses); i++)
		try_access(port, &accesses[i]);
	try_late(port);
	try_stale(port);
	try_other(port);
	for (i = CLIENT_ECHO; i <= CLIENT_END; i++) {
		try_act(port, ICBENCH_VERB_WRITE, i, invalidate,
			"a region is invalidated from outside");
		try_act(port, ICBENCH_VERB_WRITE, i, immediate,
			"control connection: write with immediate");
		try_act(port, ICBENCH_VERB_WRITE, i, immediate_of_nothing,
			"control connection: immediate alone");
		try_act(port, ICBENCH_VERB_SEND, i, immediate_of_nothing,
			"data connection: immediate alone");
		try_act(port, ICBENCH_VERB_SEND, i, wrong_size,
			"data connection: message of another size");
		try_act(port, ICBENCH_VERB_SEND, i, flood,
			"data connection: flood, no answer is taken");
	}
	return 0;
}
