// SPDX-License-Identifier: GPL-2.0
/* Accesses to the regions that the other side offers, within and outside of them. */
#include <stdlib.h>

#include "initiator.h"
#include "report.h"
#include "server.h"

/*
 * With a small size, so many buffers need two regions, of at most 512 pages (rxe) or 256
 * (siw).
 */
#define BUFFERS		600
#define BUFFERS_IWARP	400
#define REGIONS		2

/*
 * Over iWARP, only the end of the connection shows a refused access. AT_ONCE_MS: how soon
 * it has to end. TIMEOUT_MS: timeout of the run, long enough not to be the cause of the
 * end.
 */
#define AT_ONCE_MS	5000
#define TIMEOUT_MS	20000

/**
 * struct victim - side whose regions are accessed
 * @initiator: an initiator, by a server; else a responder
 * @port: port of the responder
 * @verb: verb of the run
 * @buffers: buffers of each side; 0 for the default
 */
struct victim {
	bool initiator;
	u16 port;
	u32 verb;
	unsigned int buffers;
};

/**
 * struct access - work request that accesses a region
 * @name: name of the attempt
 * @opcode: opcode of the work request
 * @region: index of the offered region
 * @off: offset from the start of the region, bytes
 * @end: @off counts from the end of the region
 * @len: length, bytes
 * @key: number added to the region's key
 * @other: uses the key of the other offered region
 * @control: uses the control connection
 * @right: access right of the offered regions
 * @allowed: the access is within the offer
 */
struct access {
	const char *name;
	enum ibv_wr_opcode opcode;
	unsigned int region;
	s64 off;
	bool end;
	u32 len;
	u32 key;
	bool other;
	bool control;
	int right;
	bool allowed;
};

/* Operations on remote memory, and the access right that each needs. */
static const struct {
	const char *name;
	enum ibv_wr_opcode opcode;
	int right;
	u32 verb;
} operations[] = {
	{ "write", IBV_WR_RDMA_WRITE, IBV_ACCESS_REMOTE_WRITE,
	  ICBENCH_VERB_WRITE },
	{ "read", IBV_WR_RDMA_READ, IBV_ACCESS_REMOTE_READ,
	  ICBENCH_VERB_READ },
	{ "fetch and add", IBV_WR_ATOMIC_FETCH_AND_ADD,
	  IBV_ACCESS_REMOTE_ATOMIC, ICBENCH_VERB_FETCH_ADD },
	{ "compare and swap", IBV_WR_ATOMIC_CMP_AND_SWP,
	  IBV_ACCESS_REMOTE_ATOMIC, ICBENCH_VERB_CMP_SWAP },
};

/* A write with immediate data needs the right of a write. */
static int right_of(u32 verb)
{
	enum ibv_wr_opcode opcode = verb_opcode(verb);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(operations); i++)
		if (operations[i].opcode == opcode)
			return operations[i].right;
	return IBV_ACCESS_REMOTE_WRITE;
}

/* Where an operation is tried; members as in struct access. */
struct place {
	const char *name;
	s64 off;
	u32 len;
	u32 key;
	bool end;
	bool other;
};

#define AT(_name, _off, _len, _key) {					\
	.name = (_name), .off = (_off), .len = (_len), .key = (_key) }

/* Places in and around a region of SIZE bytes. */
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

/* Places in and around a region of one word, for atomics. */
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

#define AT_END(_name, _off, _len) {					\
	.name = (_name), .off = (_off), .len = (_len), .end = true }

/* Places in and around a region of many buffers, each at the start of its own page. */
static const struct place pages[] = {
	AT("its first page", 0, DATA_SIZE, 0),
	AT("the byte before it", -1, 1, 0),
	AT("what lies across its beginning", -1, 2, 0),
	AT("the page before it", -4096, SIZE, 0),
	AT("its first word, with the next key", 0, 8, 1),
	{ .name = "its first word, with the key of the other one", .len = 8,
	  .other = true },
	AT_END("its last byte", -1, 1),
	AT_END("the byte behind it", 0, 1),
	AT_END("what lies across its end", -1, 2),
	AT_END("all of its last page", -SIZE, DATA_SIZE),
	AT_END("the page behind it", 4096 - SIZE, SIZE),
};

/* Place in any region, for operations without the right. */
static const struct place beginning = AT("its first word", 0, 8, 0);

static const struct access *current;
static enum ibv_wc_status status;
static struct icb_wire_region stale;

static struct end *end_of(struct session *session, const struct access *access)
{
	return access->control ? &session->peer.ctl : &session->peer.data;
}

static void post(struct session *session, const struct icb_wire_region *region,
		 u32 rkey, const struct access *access)
{
	struct peer *peer = &session->peer;
	struct end *end = end_of(session, access);
	u64 addr = region->addr + access->off + (access->end ? region->len : 0);
	struct ibv_send_wr wr = {
		.opcode = access->opcode,
		.wr.rdma.remote_addr = addr,
		.wr.rdma.rkey = rkey + access->key,
	};

	if (access->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD ||
	    access->opcode == IBV_WR_ATOMIC_CMP_AND_SWP) {
		wr.wr.atomic.remote_addr = addr;
		wr.wr.atomic.rkey = rkey + access->key;
		wr.wr.atomic.compare_add = 0;
		wr.wr.atomic.swap = 1;
	}
	peer_post(peer, end, &wr, peer->memory->data_tx, access->len);
	peer_wait(peer, !end->sent || end->status, session->limit);
	status = end->status;
}

/*
 * Over iWARP, a write completes when it is sent, and pending requests complete with any
 * status when the connection ends. So only the end of the connection shows a refusal.
 */
static void await_refusal(struct session *session, const struct access *access)
{
	struct end *end = end_of(session, access);
	bool write = access->opcode == IBV_WR_RDMA_WRITE;

	if (verb_iwarp() && (write || status != IBV_WC_SUCCESS) &&
	    peer_wait(&session->peer, end->state == END_CLOSED, AT_ONCE_MS))
		status = IBV_WC_REM_ACCESS_ERR;
}

/* Of a read request, siw checks the key and the bounds, but not the access right. */
static bool is_overlooked(const struct access *access)
{
	return verb_iwarp() && access->opcode == IBV_WR_RDMA_READ &&
	       access->right != IBV_ACCESS_REMOTE_READ &&
	       status == IBV_WC_SUCCESS;
}

/*
 * A passive side is not notified of a failed access to its memory, so this side ends the
 * run.
 */
static bool denied(struct session *session, const struct access *access)
{
	await_refusal(session, access);
	if (is_overlooked(access))
		return session_end(session, CLOSED, "");
	if (verb_row(session->verb)->passive && !access->control)
		return session_end(session, CLOSED, "");
	return session_let_go(session);
}

static bool reach(struct session *session)
{
	const struct icb_wire_region *region = session->offer.region;
	unsigned int of = current->other ? !current->region : current->region;

	if (session->offer.count != (session->buffers ? REGIONS : 1))
		return session_end(session, ODD, "other regions than expected");
	post(session, &region[current->region], region[of].rkey, current);
	if (!current->allowed)
		return denied(session, current);
	if (!session->buffers)
		return true;
	/* a run with many buffers is only used to reach them, so end it */
	peer_disconnect(&session->peer.ctl);
	return session_end(session, CLOSED, "");
}

/* The access that the run itself makes, or an equivalent. */
static struct access usual(u32 verb)
{
	struct access access = {
		.name = verb_word(verb),
		.opcode = verb_opcode(verb),
		.len = verb_size(verb),
		.right = right_of(verb),
	};

	/* without immediate data, so that the peer uses up no receive */
	if (verb == ICBENCH_VERB_WRITE_IMM)
		access.opcode = IBV_WR_RDMA_WRITE;
	return access;
}

static bool reach_stale(struct session *session)
{
	struct access access = usual(session->verb);

	post(session, &stale, stale.rkey, &access);
	return denied(session, &access);
}

static void begin(struct session *session, const struct victim *victim)
{
	session_init(session, victim->port);
	session->limit *= slow;
	session->verb = victim->verb;
	session->buffers = victim->buffers;
	/* forget the status of the previous attempt */
	status = IBV_WC_GENERAL_ERR;
	if (verb_iwarp())
		session->timeout = TIMEOUT_MS;
	if (victim->initiator) {
		session->cookie = draw();
		peer_listen(&session->peer, ADDRESS, victim->port);
	} else if (victim->buffers) {
		session->odd_attr = ICBENCH_A_PARAMS_BUFFERS;
		session->odd_value = victim->buffers;
	}
}

/* Call @what in a run as soon as the regions are known, or at the end of the run. */
static void act(struct session *session, const struct victim *victim,
		bool (*what)(struct session *session), bool late)
{
	session->act = what;
	if (victim->initiator)
		session->at = late ? SERVER_PART : SERVER_ECHO;
	else
		session->at = late ? CLIENT_LEAVE : CLIENT_ECHO;
}

/* The initiator has to report the outcome that the server sees. */
static void serve(struct session *session, const struct victim *victim)
{
	struct initiator initiator = {
		.buffers = victim->buffers,
		.timeout = session->timeout,
		.completion = session->completion,
	};

	initiator_start(&initiator, victim->port, victim->verb,
			ICBENCH_TRANSPORT_RC);
	session_run(session, server_script, server_steps);
	if (!initiator_finish(&initiator, &session->peer))
		session_end(session, SILENT, "the initiator does not end");
	else if (session->outcome < SILENT &&
		 (session->outcome == DONE ? initiator.status :
					     !initiator_failed(&initiator)))
		session_end(session, ODD, initiator.said);
}

static void run(struct session *session, const struct victim *victim)
{
	if (victim->initiator)
		serve(session, victim);
	else
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

static void try_access(const struct victim *victim, const struct access *access)
{
	struct session session;
	char name[160], why[240];

	begin(&session, victim);
	act(&session, victim, reach, false);
	if (!victim->initiator && !victim->buffers)
		session.at = CLIENT_END;
	current = access;
	run(&session, victim);
	peer_close(&session.peer);
	if (!access->allowed) {
		snprintf(name, sizeof(name), "access: %s", access->name);
		if (!skip(name, is_overlooked(access) ?
			  "siw does not look at the right to read" : NULL))
			refused_access(&session, access->name);
		return;
	}
	/* the access may have changed data that the other side verifies */
	snprintf(name, sizeof(name), "access: %s: possible", access->name);
	snprintf(why, sizeof(why), "%s; then: %s (%s)",
		 ibv_wc_status_str(status), outcome_names[session.outcome],
		 session.words);
	ok(status == IBV_WC_SUCCESS &&
	   session.outcome <= (victim->buffers ? CLOSED : REFUSED), name, why);
}

/* Each region of many buffers has at least one page. */
static bool within(const struct place *place, const struct victim *victim)
{
	s64 size = victim->buffers ? DATA_SIZE : verb_size(victim->verb);
	s64 begin = place->off + (place->end ? size : 0);

	return begin >= 0 && begin + place->len <= size && !place->key &&
	       !place->other;
}

static void try_place(const struct victim *victim, unsigned int operation,
		      unsigned int region, const struct place *place,
		      bool control)
{
	struct access access = {
		.opcode = operations[operation].opcode,
		.region = region,
		.off = place->off,
		.end = place->end,
		.len = place->len,
		.key = place->key,
		.other = place->other,
		.control = control,
		.right = right_of(victim->verb),
	};
	char name[140], which[24] = "";

	/* the control and the data connection share a protection domain */
	access.allowed = within(place, victim) &&
			 operations[operation].right == access.right;
	if (victim->buffers)
		snprintf(which, sizeof(which), ", region %u of %u", region + 1,
			 REGIONS);
	snprintf(name, sizeof(name), "run of %s%s%s: %s%s of %s",
		 verb_word(victim->verb),
		 victim->initiator ? ", by the server" : "", which,
		 control ? "control connection: " : "",
		 operations[operation].name, place->name);
	access.name = name;
	try_access(victim, &access);
}

/* Operations with the region's right are tried at all places, others at one. */
static void try_places(const struct victim *victim)
{
	bool atomic = verb_row(victim->verb)->atomic;
	const struct place *table = atomic ? words : places;
	unsigned int all = atomic ? ARRAY_SIZE(words) : ARRAY_SIZE(places);
	unsigned int i, j, count;
	char name[100];

	for (i = 0; i < ARRAY_SIZE(operations); i++) {
		snprintf(name, sizeof(name), "access: run of %s%s: %s",
			 verb_word(victim->verb),
			 victim->initiator ? ", by the server" : "",
			 operations[i].name);
		if (skip(name, verb_lacks(operations[i].verb,
					  ICBENCH_TRANSPORT_RC)))
			continue;
		if (operations[i].right != right_of(victim->verb)) {
			try_place(victim, i, 0, &beginning, false);
			try_place(victim, i, 0, &beginning, true);
			continue;
		}
		/*
		 * of two operations with the same right, only the run's own is tried at
		 * all places
		 */
		count = operations[i].opcode == verb_opcode(victim->verb) ?
			all : 2;
		for (j = 0; j < count; j++)
			try_place(victim, i, 0, &table[j], false);
		/* the place just behind the region */
		try_place(victim, i, 0, atomic ? &words[1] : &places[3], true);
	}
}

/* Several regions are not adjacent, so each must have its own bounds. */
static void try_pages(const struct victim *victim)
{
	unsigned int i, j, region;

	for (i = 0; i < ARRAY_SIZE(operations); i++) {
		if (operations[i].opcode != verb_opcode(victim->verb))
			continue;
		for (region = 0; region < REGIONS; region++)
			for (j = 0; j < ARRAY_SIZE(pages); j++)
				try_place(victim, i, region, &pages[j], false);
	}
}

/* Use the key of a run after its end, on the run's own connections. */
static void try_late(const struct victim *victim)
{
	struct access late = usual(victim->verb);
	struct session session;
	char name[100];

	begin(&session, victim);
	run(&session, victim);
	stale = session.offer.region[0];
	post(&session, &stale, stale.rkey, &late);
	snprintf(name, sizeof(name), "access: %s%s after the run: it fails",
		 late.name, victim->initiator ? ", by the server," : "");
	ok(session.outcome == DONE && status != IBV_WC_SUCCESS, name,
	   session.outcome == DONE ? ibv_wc_status_str(status) : session.words);
	printf("# %s after the run: %s\n", late.name,
	       ibv_wc_status_str(status));
	peer_close(&session.peer);
}

/* Use the key of a run after its end, on the connections of another run. */
static void try_stale(const struct victim *victim)
{
	struct session session;
	char name[100];

	begin(&session, victim);
	act(&session, victim, reach_stale, false);
	run(&session, victim);
	peer_close(&session.peer);
	snprintf(name, sizeof(name), "%s%s with the key of a run that is over",
		 verb_word(victim->verb),
		 victim->initiator ? ", by the server," : "");
	refused_access(&session, name);
}

static const struct victim *other_victim;

/* Start a second run, which accesses the region of the first one and fails. */
static bool reach_other(struct session *session)
{
	struct session other;
	char name[100];

	stale = session->offer.region[0];
	begin(&other, other_victim);
	act(&other, other_victim, reach_stale, false);
	run(&other, other_victim);
	peer_close(&other.peer);
	snprintf(name, sizeof(name), "%s%s with the key of another run",
		 verb_word(session->verb),
		 other_victim->initiator ? ", by the server," : "");
	refused_access(&other, name);
	peer_pump(&session->peer, 0);
	return true;
}

static void try_other(const struct victim *victim)
{
	struct victim other = *victim;
	struct session session;
	char name[100];

	/* the second run has its own server */
	if (victim->initiator)
		other.port++;
	other_victim = &other;
	begin(&session, victim);
	/* the first run is silent while the second one is active */
	session.timeout = session.limit;
	act(&session, victim, reach_other, false);
	run(&session, victim);
	peer_close(&session.peer);
	snprintf(name, sizeof(name), "access: %s%s ... and the other run goes on",
		 verb_word(victim->verb),
		 victim->initiator ? ", by the server:" : ":");
	ok(session.outcome == DONE, name, session.words);
}

/* Access the region repeatedly while the other side invalidates its key. */
static bool pester(struct session *session)
{
	struct access access = usual(session->verb);
	struct icb_wire_region *region = &session->offer.region[0];
	u64 end = given_ms() + session->limit;

	do {
		post(session, region, region->rkey, &access);
	} while (status == IBV_WC_SUCCESS && given_ms() < end);
	return true;
}

static void try_pester(const struct victim *victim)
{
	struct session session;
	char name[100], why[240];

	begin(&session, victim);
	act(&session, victim, pester, true);
	run(&session, victim);
	peer_close(&session.peer);
	snprintf(name, sizeof(name), "access: %s%s again and again at the end: it fails soon",
		 verb_word(victim->verb),
		 victim->initiator ? ", by the server," : "");
	snprintf(why, sizeof(why), "%s; then: %s (%s)",
		 ibv_wc_status_str(status), outcome_names[session.outcome],
		 session.words);
	ok(session.outcome == DONE && status != IBV_WC_SUCCESS, name, why);
}

/*
 * After its report, a side waits until this side disconnects. Its memory must not be
 * accessible then.
 */
static bool linger(struct session *session)
{
	pester(session);
	peer_disconnect(&session->peer.ctl);
	return session_end(session, CLOSED, "");
}

static void try_linger(const struct victim *victim)
{
	struct session session;
	char name[100];

	begin(&session, victim);
	session.trigger = ICBENCH_TRIGGER_COMPLETION;
	session.direction = ICBENCH_DIRECTION_BI;
	/* longer than the accesses are repeated */
	session.timeout = 2 * session.limit;
	act(&session, victim, linger, true);
	run(&session, victim);
	peer_close(&session.peer);
	snprintf(name, sizeof(name), "access: %s again and again after streams both ways: it fails soon",
		 verb_word(victim->verb));
	ok(session.outcome == CLOSED && status == IBV_WC_REM_ACCESS_ERR, name,
	   session.outcome == CLOSED ? ibv_wc_status_str(status) :
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

/* These complete receives that hold no new data. */
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

/* Send more messages than the protocol allows, without taking any answer. */
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

static void try_act(const struct victim *victim, unsigned int at,
		    bool (*what)(struct session *session), const char *name)
{
	struct tally tally = { 0 };
	struct session session;
	char text[120];

	begin(&session, victim);
	session.at = at;
	session.act = what;
	run(&session, victim);
	peer_close(&session.peer);
	snprintf(text, sizeof(text), "run of %s%s: %s",
		 verb_word(victim->verb),
		 victim->initiator ? ", by the server" : "", name);
	tally_session(&tally, &session, true, text);
	tally_ok(&tally, text);
}

/* Attacks on a region that do not depend on its access right. */
static void try_acts(const struct victim *victim)
{
	unsigned int first = victim->initiator ? SERVER_ECHO : CLIENT_ECHO;
	const char *name = "control connection: write with immediate";
	unsigned int i;

	for (i = first; i <= first + 1; i++) {
		try_act(victim, i, invalidate,
			"a region is invalidated from outside");
		if (!skip(name, verb_lacks(ICBENCH_VERB_WRITE_IMM,
					   ICBENCH_TRANSPORT_RC)))
			try_act(victim, i, immediate, name);
	}
}

/* Messages that the responder does not expect. */
static void try_receives(u16 port)
{
	const struct victim writes = { .port = port,
				       .verb = ICBENCH_VERB_WRITE };
	const struct victim sends = { .port = port,
				      .verb = ICBENCH_VERB_SEND };
	const char *lacks = verb_lacks(ICBENCH_VERB_WRITE_IMM,
				       ICBENCH_TRANSPORT_RC);
	unsigned int i;

	for (i = CLIENT_ECHO; i <= CLIENT_END; i++) {
		if (!skip("immediate alone, by either connection", lacks)) {
			try_act(&writes, i, immediate_of_nothing,
				"control connection: immediate alone");
			try_act(&sends, i, immediate_of_nothing,
				"data connection: immediate alone");
		}
		try_act(&sends, i, wrong_size,
			"data connection: message of another size");
		try_act(&sends, i, flood,
			"data connection: flood, no answer is taken");
	}
}

/* remote PORT SIDE: the regions of SIDE, "initiator" or "responder", are accessed */
int group_remote(char **args)
{
	struct victim victim = {
		.initiator = !strcmp(args[1], "initiator"),
		.port = strtoul(args[0], NULL, 10),
	};
	char name[60];
	u32 verb;

	for (verb = 0; verb < verb_count(); verb++) {
		if (!verb_offers(verb, !victim.initiator))
			continue;
		snprintf(name, sizeof(name), "access: run of %s%s", verb_word(verb),
			 victim.initiator ? ", by the server" : "");
		if (skip(name, verb_lacks(verb, ICBENCH_TRANSPORT_RC)))
			continue;
		victim.verb = verb;
		victim.buffers = 0;
		try_places(&victim);
		try_late(&victim);
		try_stale(&victim);
		try_other(&victim);
		try_pester(&victim);
		/* only the stream of these verbs is seen on arrival */
		if (!victim.initiator && verb_row(verb)->recv)
			try_linger(&victim);
		try_acts(&victim);
		/* atomics work on one word, so there are no further regions */
		victim.buffers = verb_iwarp() ? BUFFERS_IWARP : BUFFERS;
		if (!verb_row(verb)->atomic)
			try_pages(&victim);
	}
	if (!victim.initiator)
		try_receives(victim.port);
	return 0;
}
