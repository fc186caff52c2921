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

/* What can be done to memory, and the right that it needs. */
static const struct {
	const char *name;
	enum ibv_wr_opcode opcode;
	int right;
} operations[] = {
	{ "write", IBV_WR_RDMA_WRITE, IBV_ACCESS_REMOTE_WRITE },
	{ "read", IBV_WR_RDMA_READ, IBV_ACCESS_REMOTE_READ },
	{ "fetch and add", IBV_WR_ATOMIC_FETCH_AND_ADD,
	  IBV_ACCESS_REMOTE_ATOMIC },
	{ "compare and swap", IBV_WR_ATOMIC_CMP_AND_SWP,
	  IBV_ACCESS_REMOTE_ATOMIC },
};

/* What goes with a write with immediate data goes with one without. */
static int right_of(u32 verb)
{
	enum ibv_wr_opcode opcode = verb_opcode(verb);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(operations); i++)
		if (operations[i].opcode == opcode)
			return operations[i].right;
	return IBV_ACCESS_REMOTE_WRITE;
}

/* Where it is done; as in struct access. */
struct place {
	const char *name;
	s64 off;
	u32 len;
	u32 key;
};

#define AT(_name, _off, _len, _key) {					\
	.name = (_name), .off = (_off), .len = (_len), .key = (_key) }

/* Of a region of SIZE bytes. */
static const struct place places[] = {
	AT("all of it", 0, SIZE, 0),
	AT("its last byte", SIZE - 1, 1, 0),
	AT("one byte more", 0, SIZE + 1, 0),
	AT("the byte behind it", SIZE, 1, 0),
	AT("the byte before it", -1, 1, 0),
	AT("what lies across its beginning", -1, 2, 0),
	AT("what lies across its end", SIZE - 1, 2, 0),
	AT("the page behind it", 4096, SIZE, 0),
	AT("the page before it", -4096, SIZE, 0),
	AT("what lies far behind it", 1LL << 40, SIZE, 0),
	AT("an address that overflows", -(1LL << 62), SIZE, 0),
	AT("a page and more", 0, DATA_SIZE, 0),
	AT("all of it, with the next key", 0, SIZE, 1),
	AT("all of it, with the key of another region", 0, SIZE, 256),
};

/* Of a region of one word: what atomics can be asked to work on. */
static const struct place words[] = {
	AT("its word", 0, 8, 0),
	AT("the word behind it", 8, 8, 0),
	AT("the word before it", -8, 8, 0),
	AT("the page behind it", 4096, 8, 0),
	AT("the page before it", -4096, 8, 0),
	AT("what lies far behind it", 1LL << 40, 8, 0),
	AT("an address that overflows", -(1LL << 62), 8, 0),
	AT("its word, with the next key", 0, 8, 1),
	AT("its word, with the key of another region", 0, 8, 256),
};

/* Of either, with the right that it does not have. */
static const struct place beginning = AT("its first word", 0, 8, 0);

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

/* A server that takes no part in a run sees nothing of that; the peer goes. */
static bool denied(struct session *session, const struct access *access)
{
	if (verb_row(session->verb)->passive && !access->control)
		return session_end(session, CLOSED, "");
	return session_let_go(session);
}

static bool reach(struct session *session)
{
	post(session, &session->offer.region[0], current);
	return current->allowed || denied(session, current);
}

/* What the run does itself, or as good as. */
static struct access usual(u32 verb)
{
	struct access access = {
		.name = verb_word(verb),
		.opcode = verb_opcode(verb),
		.len = verb_size(verb),
	};

	/* no receive is to be taken */
	if (verb == ICBENCH_VERB_WRITE_IMM)
		access.opcode = IBV_WR_RDMA_WRITE;
	return access;
}

static bool reach_stale(struct session *session)
{
	struct access access = usual(session->verb);

	post(session, &stale, &access);
	return denied(session, &access);
}

static void begin(struct session *session, u16 port, u32 verb)
{
	session_init(session, port);
	session->limit *= slow;
	session->verb = verb;
}

static void run(struct session *session)
{
	session_run(session, client_script, client_steps);
}

static void refused_access(const struct session *session, const char *name)
{
	char text[160], why[240];

	snprintf(text, sizeof(text), "access: %s: %s", name,
		 ibv_wc_status_str(IBV_WC_REM_ACCESS_ERR));
	snprintf(why, sizeof(why), "%s; then: %s (%s)",
		 ibv_wc_status_str(status), outcome_names[session->outcome],
		 session->words);
	ok(status == IBV_WC_REM_ACCESS_ERR &&
	   (session->outcome == REFUSED || session->outcome == CLOSED), text,
	   why);
}

static void try_access(u16 port, u32 verb, const struct access *access)
{
	struct session session;
	char name[160];

	begin(&session, port, verb);
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

static bool within(const struct place *place, u32 verb)
{
	return place->off >= 0 && !place->key &&
	       place->off + place->len <= verb_size(verb);
}

static void try_place(u16 port, u32 verb, unsigned int operation,
		      const struct place *place, bool control)
{
	struct access access = {
		.opcode = operations[operation].opcode,
		.off = place->off,
		.len = place->len,
		.key = place->key,
		.control = control,
	};
	char name[140];

	/* both connections live in one protection domain */
	access.allowed = within(place, verb) &&
			 operations[operation].right == right_of(verb);
	snprintf(name, sizeof(name), "run of %s: %s%s of %s", verb_word(verb),
		 control ? "control connection: " : "",
		 operations[operation].name, place->name);
	access.name = name;
	try_access(port, verb, &access);
}

/* With the right that the run has, everywhere; with others, at all. */
static void try_places(u16 port, u32 verb)
{
	bool atomic = verb_row(verb)->atomic;
	const struct place *table = atomic ? words : places;
	unsigned int all = atomic ? ARRAY_SIZE(words) : ARRAY_SIZE(places);
	unsigned int i, j, count;

	for (i = 0; i < ARRAY_SIZE(operations); i++) {
		if (operations[i].right != right_of(verb)) {
			try_place(port, verb, i, &beginning, false);
			try_place(port, verb, i, &beginning, true);
			continue;
		}
		/* of two that have one right, one goes everywhere */
		count = operations[i].opcode == verb_opcode(verb) ? all : 2;
		for (j = 0; j < count; j++)
			try_place(port, verb, i, &table[j], false);
		/* just behind it */
		try_place(port, verb, i, atomic ? &words[1] : &places[3], true);
	}
}

/* The key of a run that is over, over its own connections. */
static void try_late(u16 port, u32 verb)
{
	struct access late = usual(verb);
	struct session session;
	char name[100];

	begin(&session, port, verb);
	run(&session);
	stale = session.offer.region[0];
	post(&session, &stale, &late);
	snprintf(name, sizeof(name), "access: %s after the run: it fails",
		 late.name);
	ok(session.outcome == DONE && status != IBV_WC_SUCCESS, name,
	   ibv_wc_status_str(status));
	printf("# %s after the run: %s\n", late.name,
	       ibv_wc_status_str(status));
	peer_close(&session.peer);
}

/* ... and over those of another run. */
static void try_stale(u16 port, u32 verb)
{
	struct session session;
	char name[100];

	begin(&session, port, verb);
	session.at = CLIENT_ECHO;
	session.act = reach_stale;
	run(&session);
	peer_close(&session.peer);
	snprintf(name, sizeof(name), "%s with the key of a run that is over",
		 verb_word(verb));
	refused_access(&session, name);
}

static u16 other_port;

/* A second run begins, reaches for the first one's region, and fails. */
static bool reach_other(struct session *session)
{
	struct session other;
	char name[100];

	stale = session->offer.region[0];
	begin(&other, other_port, session->verb);
	other.at = CLIENT_ECHO;
	other.act = reach_stale;
	run(&other);
	peer_close(&other.peer);
	snprintf(name, sizeof(name), "%s with the key of another run",
		 verb_word(session->verb));
	refused_access(&other, name);
	peer_pump(&session->peer, 0);
	return true;
}

static void try_other(u16 port, u32 verb)
{
	struct session session;

	other_port = port;
	begin(&session, port, verb);
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
	char text[100];

	begin(&session, port, verb);
	session.at = at;
	session.act = act;
	run(&session);
	peer_close(&session.peer);
	snprintf(text, sizeof(text), "run of %s: %s", verb_word(verb), name);
	tally_session(&tally, &session, true, text);
	tally_ok(&tally, text);
}

/* Not of verbs one by one: what a region can be got at with. */
static void try_acts(u16 port, u32 verb)
{
	unsigned int i;

	for (i = CLIENT_ECHO; i <= CLIENT_END; i++) {
		try_act(port, verb, i, invalidate,
			"a region is invalidated from outside");
		try_act(port, verb, i, immediate,
			"control connection: write with immediate");
	}
}

int group_remote(char **args)
{
	u16 port = strtoul(args[0], NULL, 10);
	unsigned int i;
	u32 verb;

	for (verb = 0; verb < verb_count(); verb++) {
		if (!verb_offers(verb, true))
			continue;
		try_places(port, verb);
		try_late(port, verb);
		try_stale(port, verb);
		try_other(port, verb);
		try_acts(port, verb);
	}
	for (i = CLIENT_ECHO; i <= CLIENT_END; i++) {
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
