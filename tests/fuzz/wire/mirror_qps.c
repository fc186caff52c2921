// SPDX-License-Identifier: GPL-2.0
/* A hostile server in runs with several QPs. */
#include "mirror.h"
#include "server.h"

/* Time in which the initiator must not request the next connections, ms. */
#define EARLY_MS	100

/* Index of the data connection that is attacked. */
static u32 qp;

static struct end *chosen(struct session *session)
{
	return peer_qp(&session->peer, qp);
}

/*
 * Accept all requested connections but the chosen one. Return: false if one was not
 * established.
 */
static bool accept_others(struct session *session)
{
	struct end *end;
	u32 i;

	for (i = 0; i < QPS; i++) {
		end = peer_qp(&session->peer, i);
		if (i != qp && end->state == END_REQUESTED &&
		    !server_accept(session, end, NULL, 0))
			return false;
	}
	return true;
}

static bool never_answer(struct session *session)
{
	return accept_others(session) && session_let_go(session);
}

static bool refuse_with(struct session *session, const void *why, u8 len)
{
	if (!accept_others(session))
		return false;
	rdma_reject(chosen(session)->id, why, len);
	return session_let_go(session);
}

static bool refuse(struct session *session)
{
	const struct icb_wire_reject msg = {
		.magic = ICB_WIRE_MAGIC,
		.words = "no such QP\n",
	};

	return refuse_with(session, &msg, sizeof(msg));
}

static bool refuse_silently(struct session *session)
{
	return refuse_with(session, NULL, 0);
}

/*
 * Disconnect the chosen connection, which is accepted first if needed, while the others
 * wait.
 */
static bool take_and_drop(struct session *session)
{
	struct end *end = chosen(session);

	if (end->state == END_REQUESTED && !server_accept(session, end, NULL, 0))
		return false;
	peer_disconnect(end);
	return session_let_go(session);
}

static bool drop(struct session *session)
{
	peer_disconnect(chosen(session));
	return session_let_go(session);
}

static bool drop_and_go_on(struct session *session)
{
	peer_disconnect(chosen(session));
	return true;
}

/* Messages on this connection are lost, and those on the others are not. */
static bool spoil(struct session *session)
{
	peer_break(chosen(session));
	return true;
}

static bool answer_some(struct session *session)
{
	while (session->seq < 3 * QPS + 1 &&
	       session_await_data(session, session->seq + 1))
		session_post_data(session, false);
	return session->seq == 3 * QPS + 1 ||
	       session_end(session, ODD, "the run did not begin");
}

static bool post_many(struct session *session, unsigned int count, u32 len)
{
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND };
	struct peer *peer = &session->peer;
	struct end *end = chosen(session);

	while (count-- && !end->status && !peer_over(peer))
		peer_post(peer, end, &wr, peer->memory->data_tx, len);
	return session_let_go(session);
}

static bool flood(struct session *session)
{
	return post_many(session, 200, SIZE);
}

static bool answer_longer(struct session *session)
{
	return post_many(session, 1, SIZE + 1);
}

static bool answer_nothing(struct session *session)
{
	return post_many(session, 1, 0);
}

/* Answer on one connection, whichever connection a message arrived on. */
static bool answer_by_one(struct session *session)
{
	u64 seq;

	while (session_await_data(session, session->seq + 1)) {
		seq = session->seq;
		session->seq = qp;
		session_post_data(session, false);
		session->seq = seq + 1;
	}
	/* the step now waits for the message end */
	return true;
}

/**
 * struct way - attack on one data connection
 * @name: name of the attack
 * @act: the attack
 * @at: step before which it happens
 * @first: step if the first connection is attacked; 0 for @at
 * @late: true if some messages are answered before
 * @words: text of the failure, "" for any; NULL if the run succeeds
 */
static const struct way {
	const char *name;
	bool (*act)(struct session *session);
	unsigned int at;
	unsigned int first;
	bool late;
	const char *words;
} ways[] = {
	{ "refused", refuse, SERVER_QPS_UP, .first = SERVER_JOINED,
	  .words = "refused by the peer: no such QP." },
	{ "refused without a word", refuse_silently, SERVER_QPS_UP,
	  .first = SERVER_JOINED,
	  .words = "the peer does not accept connections at this port" },
	{ "never answered", never_answer, SERVER_QPS_UP, .first = SERVER_JOINED,
	  .words = "does not answer: connecting took longer than timeout" },
	{ "disconnected while others wait", take_and_drop, SERVER_QPS_UP,
	  .words = GONE },
	{ "disconnected when all are there", drop, SERVER_OFFER, .words = GONE },
	{ "disconnected in the place of being ready", drop, SERVER_READY,
	  .words = GONE },
	{ "disconnected before the first answer", drop, SERVER_ECHO,
	  .words = GONE },
	{ "disconnected in the run", drop, SERVER_ECHO, .late = true,
	  .words = GONE },
	{ "disconnected before the report", drop_and_go_on, SERVER_REPORT,
	  .words = NULL },
	{ "broken when all are there", spoil, SERVER_OFFER, .words = "" },
	{ "broken in the run", spoil, SERVER_ECHO, .late = true, .words = "" },
	{ "flooded", flood, SERVER_ECHO, .late = true, .words = "" },
	{ "answered by a byte more", answer_longer, SERVER_ECHO, .late = true,
	  .words = "" },
	{ "answered by nothing", answer_nothing, SERVER_ECHO, .late = true,
	  .words = "" },
	{ "the only one that answers come by", answer_by_one, SERVER_ECHO,
	  .words = "" },
};

static const struct way *way;

static bool go_way(struct session *session)
{
	if (way->late && !answer_some(session))
		return false;
	return way->act(session);
}

static void begin(struct session *session)
{
	mirror_begin(session);
	session->qps = QPS;
}

static void end_test(struct tally *tally, const char *name)
{
	struct session session;
	char text[120];

	begin(&session);
	snprintf(text, sizeof(text), "mirror-qps: %s", name);
	mirror_end(&session, tally, text);
}

static void try_way(void)
{
	struct tally tally = { 0 };
	struct session session;
	char what[60];

	for (qp = 0; qp < QPS; qp++) {
		begin(&session);
		session.at = !qp && way->first ? way->first : way->at;
		session.act = go_way;
		snprintf(what, sizeof(what), "connection %u", qp);
		mirror_expect(&session, &tally, way->words, what);
	}
	snprintf(what, sizeof(what), "one is %s", way->name);
	end_test(&tally, what);
}

/* Accept the connections in reverse order. */
static bool accept_backwards(struct session *session)
{
	for (qp = QPS; --qp;) {
		if (!server_accept(session, chosen(session), NULL, 0))
			return false;
		peer_wait(&session->peer, false, EARLY_MS);
	}
	session->step++;
	return true;
}

/* The others must not be requested before the first one is accepted. */
static bool accept_late(struct session *session)
{
	peer_wait(&session->peer, session->peer.more[0].id, EARLY_MS);
	return !session->peer.more[0].id ||
	       session_end(session, ODD, "others came before the first");
}

static struct tamper wrong;

/* Accept with private data, which has to be ignored for a data connection. */
static bool accept_wrongly(struct session *session)
{
	struct icb_wire_welcome *welcome;
	u8 room[PRIVATE_SIZE] = { 0 }, len;
	bool other;

	welcome = (void *)room;
	welcome->magic = ICB_WIRE_MAGIC;
	len = tamper_private(&wrong, KIND_WELCOME, room, &other);
	for (qp = 0; qp < QPS; qp++)
		if (chosen(session)->state == END_REQUESTED &&
		    !server_accept(session, chosen(session), room, len))
			return false;
	/*
	 * called again for the others, which are requested after the first one was
	 * accepted
	 */
	session->at = SERVER_QPS_UP;
	session->step++;
	return true;
}

static void accept_by(struct tally *tally, unsigned int at,
		      bool (*act)(struct session *session), const char *what)
{
	struct session session;

	begin(&session);
	session.at = at;
	session.act = act;
	mirror_well(&session, tally, what);
}

static void try_accepting(void)
{
	static const u8 lens[] = { 0, 1, 3, 4, 23, 24, 25, 127, PRIVATE_SIZE };
	struct tally order = { 0 }, fields = { 0 }, lengths = { 0 };
	char what[60];
	unsigned int i;

	accept_by(&order, SERVER_QPS_UP, accept_backwards, "backwards");
	accept_by(&order, SERVER_JOINED, accept_late, "the first one late");
	end_test(&order, "they are accepted in any order");

	wrong = (struct tamper){ .kind = KIND_WELCOME };
	for (i = 0; i < server_field_count; i++) {
		wrong.field = &server_fields[i];
		if (wrong.field->kind != KIND_WELCOME)
			continue;
		for (wrong.value = 0; wrong.value < VALUES; wrong.value++) {
			snprintf(what, sizeof(what), "%s, %s", wrong.field->name,
				 value_names[wrong.value]);
			accept_by(&fields, SERVER_JOINED, accept_wrongly, what);
		}
	}
	end_test(&fields, "what goes with an acceptance is not looked at");

	wrong = (struct tamper){ .kind = KIND_WELCOME, .change = true };
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		wrong.len = lens[i];
		wrong.tail = lens[i] ? 1 + draw() % 255 : 0;
		snprintf(what, sizeof(what), "%u bytes", lens[i]);
		accept_by(&lengths, SERVER_JOINED, accept_wrongly, what);
	}
	end_test(&lengths, "nor how long it is");
}

/**
 * mirror_qps() - try each attack on one of several data connections
 */
void mirror_qps(void)
{
	struct session session;

	begin(&session);
	mirror_good(&session, "mirror-qps: a good server");
	try_accepting();
	for (way = ways; way < ways + ARRAY_SIZE(ways); way++)
		try_way();
}
