// SPDX-License-Identifier: GPL-2.0
/* The responder's script. */
#include <errno.h>
#include <unistd.h>

#include "server.h"

static bool await_request(struct session *session)
{
	struct peer *peer = &session->peer;

	return peer_wait(peer, peer->ctl.id, session->limit) ||
	       session_end(session, SILENT, "no control connection");
}

/**
 * server_accept() - accept a connection and wait until it is established
 * @session: session
 * @end: requested connection
 * @welcome: private data
 * @len: length of the private data, bytes
 *
 * Return: true; false if anything else happened.
 */
bool server_accept(struct session *session, struct end *end,
		   const void *welcome, u8 len)
{
	struct peer *peer = &session->peer;

	peer_accept(peer, end, welcome, len);
	peer_wait(peer, end->state >= END_CONNECTED || peer_over(peer),
		  session->limit);
	return end->state == END_CONNECTED || session_let_go(session);
}

static bool accept_control(struct session *session)
{
	u8 room[PRIVATE_SIZE] = { 0 };
	struct icb_wire_welcome *welcome = (void *)room;
	u8 len;

	if (session->peer.hello.magic != ICB_WIRE_MAGIC ||
	    session->peer.hello.kind != ICB_WIRE_CONTROL)
		return session_end(session, ODD, "not a hello");
	welcome->magic = ICB_WIRE_MAGIC;
	memset(welcome->nonce, 0x5a, sizeof(welcome->nonce));
	len = tamper_private(&session->tamper, KIND_WELCOME, room,
			     &session->tampered);
	return server_accept(session, &session->peer.ctl, room, len);
}

static bool take_proposal(struct session *session)
{
	return session_recv(session, ICB_WIRE_PROPOSE, &session->proposal);
}

static bool answer(struct session *session)
{
	static u8 room[TX_SIZE];
	struct icb_wire_answer *msg = (void *)room;

	session_sample(ICB_WIRE_ANSWER, msg);
	msg->cpu = 1;
	msg->cookie = session->cookie;
	return session_send(session, ICB_WIRE_ANSWER, msg);
}

static bool await_join(struct session *session)
{
	struct peer *peer = &session->peer;

	if (session_datagrams(session))
		return true;
	peer_wait(peer, peer->data.id || peer->head != peer->tail ||
			peer_over(peer), session->limit);
	return peer->data.id || session_let_go(session);
}

/* Check the cookie of the last request. */
static bool has_cookie(const struct session *session)
{
	return session->peer.hello.kind == ICB_WIRE_DATA &&
	       (session->tampered ||
		session->peer.hello.cookie == session->cookie);
}

static bool accept_data(struct session *session)
{
	if (session_datagrams(session))
		return true;
	if (!has_cookie(session))
		return session_end(session, ODD, "not the cookie");
	return server_accept(session, &session->peer.data, NULL, 0);
}

/* The first connection is made before the others are requested, all at once. */
static bool has_qps(const struct session *session)
{
	return session_qps(session) > 1 && !session_datagrams(session);
}

static bool await_qps(struct session *session)
{
	struct peer *peer = &session->peer;
	const struct end *end;
	u32 qp;

	for (qp = 1; qp < session_qps(session); qp++) {
		end = peer_qp(peer, qp);
		peer_wait(peer, end->id || peer->head != peer->tail ||
				peer_over(peer), session->limit);
		if (!end->id)
			return session_let_go(session);
		if (!has_cookie(session))
			return session_end(session, ODD, "not the cookie");
	}
	return true;
}

static bool accept_qps(struct session *session)
{
	u32 qp;

	for (qp = 1; qp < session_qps(session); qp++)
		if (!server_accept(session, peer_qp(&session->peer, qp),
				   NULL, 0))
			return false;
	return true;
}

static bool take_ready(struct session *session)
{
	return session_recv(session, ICB_WIRE_READY, &session->offer) &&
	       (!session_datagrams(session) || session_hear_qps(session));
}

static bool tell_ready(struct session *session)
{
	static u8 room[TX_SIZE];

	session_ready(session, (void *)room);
	return session_send(session, ICB_WIRE_READY, room) &&
	       (!session_datagrams(session) || session_tell_qps(session));
}

static bool streams(const struct session *session)
{
	return session->trigger == ICBENCH_TRIGGER_COMPLETION;
}

static bool streams_back(const struct session *session)
{
	return streams(session) && session->direction == ICBENCH_DIRECTION_BI;
}

/* Messages of the responder's stream; the warm-up is that of the initiator. */
#define BACK		24
#define BACK_WARMUP	4

/* The initiator's messages are received and counted meanwhile. */
static bool stream_back(struct session *session)
{
	struct peer *peer = &session->peer;
	u64 from = now_ms();

	while (session->seq < BACK)
		session_post_data(session, false);
	peer_wait(peer, !peer->data.sent || peer->data.status ||
			peer_over(peer) || peer->head != peer->tail,
		  session->limit);
	session->back = session->seq;
	session->back_ns = (now_ms() - from + 1) * 1000000;
	return (!peer->data.sent && !peer->data.status) || session_let_go(session);
}

static bool tell_measured(struct session *session)
{
	static u8 room[TX_SIZE];

	return session_send(session, ICB_WIRE_MEASURED, room);
}

/* Messages of a stream are not answered, and the end may arrive before the last of them. */
static bool sink(struct session *session)
{
	struct peer *peer = &session->peer;
	bool comes = !verb_row(session->verb)->passive;
	struct icb_wire_end end;

	while (comes && session_await_data(session, peer->seen + 1))
		;
	if (!session_recv(session, ICB_WIRE_END, &end))
		return false;
	peer_wait(peer, peer->seen >= end.sent || peer_over(peer),
		  session->limit);
	return end.sent == peer->seen ||
	       session_end(session, ODD, "wrong count");
}

static bool echo(struct session *session)
{
	struct icb_wire_end end;

	if (streams(session))
		return sink(session);
	while (!verb_row(session->verb)->passive &&
	       session_await_data(session, session->seq + 1))
		session_post_data(session, false);
	if (!session_recv(session, ICB_WIRE_END, &end))
		return false;
	if (session->liar) {
		session->seq = end.sent;
		return true;
	}
	/* with datagrams, the initiator may go on before a late answer arrives */
	return end.sent == session_count(session) ||
	       (session_datagrams(session) &&
		end.sent > session_count(session)) ||
	       session_end(session, ODD, "wrong count");
}

static u64 seen(const struct session *session)
{
	if (streams(session))
		return session->peer.seen;
	return session->liar ? session->seq : session_count(session);
}

/* The report has to contain what the initiator can count itself. */
static void report_back(const struct session *session,
			struct icb_wire_report *msg)
{
	msg->done = session->back > BACK_WARMUP ? session->back - BACK_WARMUP : 0;
	msg->elapsed = session->back_ns;
	if (verb_row(session->verb)->passive)
		return;
	msg->sent = session->back;
	msg->counted = session->back;
}

static bool report(struct session *session)
{
	static u8 room[TX_SIZE];
	struct icb_wire_report *msg = (void *)room;

	session_sample(ICB_WIRE_REPORT, msg);
	msg->seen = seen(session);
	if (streams_back(session))
		report_back(session, msg);
	return session_send(session, ICB_WIRE_REPORT, msg);
}

static bool part(struct session *session)
{
	struct peer *peer = &session->peer;

	peer_wait(peer, peer_over(peer), session->limit);
	return peer_over(peer) ? session_end(session, DONE, "") :
		session_end(session, SILENT, "after the report");
}

/* Reject the control connection instead of accepting it. */
static bool reject(struct session *session)
{
	u8 room[PRIVATE_SIZE] = { 0 };
	struct icb_wire_reject *msg = (void *)room;
	u8 len;

	msg->magic = ICB_WIRE_MAGIC;
	msg->error = ECONNREFUSED;
	strcpy(msg->words, "not today");
	len = tamper_private(&session->tamper, KIND_REJECT, room,
			     &session->tampered);
	rdma_reject(session->peer.ctl.id, room, len);
	return session_end(session, CLOSED, "");
}

static bool say_beside(struct session *session)
{
	static u8 room[TX_SIZE];

	session_sample(session->tamper.kind, room);
	return session_send(session, session->tamper.kind, room);
}

/**
 * server_beside() - set up a session that sends a message no step of the script sends
 * @session: session with a fault
 */
void server_beside(struct session *session)
{
	if (session->tamper.kind == KIND_REJECT) {
		session->at = SERVER_ACCEPT;
		session->act = reject;
	} else if (tamper_beside(session->tamper.kind) &&
		   !(session->tamper.kind == ICB_WIRE_MEASURED &&
		     streams_back(session))) {
		/* during the report it might be read too late, when the run is over */
		session->at = SERVER_ECHO;
		session->act = say_beside;
	}
}

const struct script_step server_script[] = {
	[SERVER_REQUEST] = { "anything", await_request },
	[SERVER_ACCEPT] = { "accepting", accept_control },
	[SERVER_PROPOSAL] = { "the proposal", take_proposal },
	[SERVER_ANSWER] = { "the answer", answer },
	[SERVER_JOIN] = { "the data connection", await_join },
	[SERVER_JOINED] = { "accepting the data connection", accept_data },
	[SERVER_QPS] = { "the other data connections", await_qps, has_qps },
	[SERVER_QPS_UP] = { "accepting them", accept_qps, has_qps },
	[SERVER_OFFER] = { "the client's being ready", take_ready },
	[SERVER_READY] = { "being ready", tell_ready },
	[SERVER_BACK] = { "streaming back", stream_back, streams_back },
	[SERVER_MEASURED] = { "having measured", tell_measured, streams_back },
	[SERVER_ECHO] = { "the first answer", echo },
	[SERVER_REPORT] = { "the report", report },
	[SERVER_PART] = { "parting", part },
};

const unsigned int server_steps = ARRAY_SIZE(server_script);
