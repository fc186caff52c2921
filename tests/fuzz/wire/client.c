// SPDX-License-Identifier: GPL-2.0
/* The initiator's script. */
#include "model/payload.h"
#include "session.h"

static bool connect_end(struct session *session, struct end *end,
			unsigned int kind, u64 cookie)
{
	struct peer *peer = &session->peer;

	if (!peer_resolve(peer, end, ADDRESS, session->port, session->limit))
		return session_end(session, ODD, "no way to the server");
	session_connect(session, end, kind, cookie);
	if (!peer_wait(peer, end->state >= END_CONNECTED || peer_over(peer),
		       session->limit))
		return session_end(session, SILENT, "");
	if (end->state == END_REJECTED)
		return session_end(session, REFUSED, end->words);
	return end->state == END_CONNECTED || session_let_go(session);
}

static bool say_hello(struct session *session)
{
	const struct icb_wire_welcome *welcome = &session->peer.welcome;

	if (!connect_end(session, &session->peer.ctl, KIND_HELLO, 0))
		return false;
	return (welcome->magic == ICB_WIRE_MAGIC && !welcome->reserved) ||
	       session_end(session, ODD, "not a welcome");
}

/* A value of good_params, or the session's own value. */
static u64 param_value(const struct session *session, unsigned int i)
{
	const struct icb_verb *verb = verb_row(session->verb);

	if (session->odd_attr == good_params[i].attr)
		return session->odd_value;
	switch (good_params[i].attr) {
	case ICBENCH_A_PARAMS_VERB:
		return session->verb;
	case ICBENCH_A_PARAMS_TRIGGER:
		return session->trigger;
	case ICBENCH_A_PARAMS_TRANSPORT:
		return session->transport;
	case ICBENCH_A_PARAMS_COMPLETION:
		if (icb_verb_completions(session->trigger, session->verb) &
		    BIT(session->completion))
			return session->completion;
		/* a ping-pong of this verb may poll memory, but a stream polls the CQ */
		return session->trigger == ICBENCH_TRIGGER_COMPLETION ?
			       ICBENCH_COMPLETION_POLL :
			       verb->completion;
	case ICBENCH_A_PARAMS_SIZE:
		return session->size ? : verb_size(session->verb);
	case ICBENCH_A_PARAMS_SIGNAL_EVERY:
		if (verb->passive || session->trigger == ICBENCH_TRIGGER_COMPLETION)
			return 1;
		break;
	case ICBENCH_A_PARAMS_VERIFY:
		return session->verify;
	case ICBENCH_A_PARAMS_TIMEOUT:
		if (session->timeout)
			return session->timeout * 1000000ULL;
		break;
	}
	return good_params[i].value;
}

static void add_param(struct icb_wire_propose *msg, u32 attr, u64 value)
{
	msg->param[msg->count].attr = attr;
	msg->param[msg->count].value = value;
	msg->count++;
}

static bool propose(struct session *session)
{
	static u8 room[TX_SIZE];
	struct icb_wire_propose *msg = (void *)room;
	bool known = !session->odd_attr;
	unsigned int i;

	session_sample(ICB_WIRE_PROPOSE, msg);
	msg->devices = 1;
	for (i = 0; i < GOOD_PARAMS; i++) {
		if (good_params[i].attr != session->left_out)
			add_param(msg, good_params[i].attr,
				  param_value(session, i));
		known |= good_params[i].attr == session->odd_attr;
	}
	if (session->qps)
		add_param(msg, ICBENCH_A_PARAMS_QPS, session->qps);
	if (session->regions)
		add_param(msg, ICBENCH_A_PARAMS_BUFFERS, session->regions);
	if (session->window)
		add_param(msg, ICBENCH_A_PARAMS_WINDOW, session->window);
	if (session->direction)
		add_param(msg, ICBENCH_A_PARAMS_DIRECTION, session->direction);
	if (!known)
		add_param(msg, session->odd_attr, session->odd_value);
	if (session->token)
		session_sign(session, msg);
	session->proposal = *msg;
	return session_send(session, ICB_WIRE_PROPOSE, msg);
}

static bool take_answer(struct session *session)
{
	struct icb_wire_answer msg;

	if (!session_recv(session, ICB_WIRE_ANSWER, &msg))
		return false;
	if (msg.error)
		return session_end(session, REFUSED, msg.words);
	session->cookie = msg.cookie;
	return true;
}

static bool join(struct session *session)
{
	if (session_datagrams(session))
		return true;
	return connect_end(session, &session->peer.data, KIND_JOIN,
			   session->cookie);
}

static bool tell_ready(struct session *session)
{
	static u8 room[TX_SIZE];

	session_ready(session, (void *)room);
	return session_send(session, ICB_WIRE_READY, room) &&
	       (!session_datagrams(session) || session_tell_qps(session));
}

static bool take_offer(struct session *session)
{
	return session_recv(session, ICB_WIRE_READY, &session->offer) &&
	       (!session_datagrams(session) || session_hear_qps(session));
}

/* Check the last answer. */
static bool is_right(const struct session *session)
{
	const struct peer *peer = &session->peer;
	const struct icb_verb *verb = verb_row(session->verb);
	const u8 *answer = session_buffer(session, session->seq);
	const u64 word = SEED + session->seq - 1;
	size_t len = SIZE;

	if (verb->atomic)
		return !memcmp(answer, &word, sizeof(word));
	if (!verb->remote)
		answer = peer->memory->data_rx[peer->last] +
			 (session_datagrams(session) ? GRH_SIZE : 0);
	/* the last byte of a write is a counter */
	if (session->verb == ICBENCH_VERB_WRITE)
		len--;
	return icb_payload_check(answer, 0, len,
				 icb_payload_of(SEED, false), 0) == len;
}

/* A stream has no answers; the other side's stream is received meanwhile. */
static bool stream(struct session *session)
{
	struct peer *peer = &session->peer;
	unsigned int i;

	for (i = 0; i < MESSAGES; i++)
		session_post_data(session, true);
	peer_wait(peer, !peer->data.sent || peer->data.status ||
			peer_over(peer) || peer->head != peer->tail,
		  session->limit);
	return (!peer->data.sent && !peer->data.status) || session_let_go(session);
}

static bool echo(struct session *session)
{
	unsigned int i;

	if (session->trigger == ICBENCH_TRIGGER_COMPLETION)
		return stream(session);
	for (i = 0; i < MESSAGES; i++) {
		session_post_data(session, true);
		if (!session_await_data(session, session->seq))
			return session_let_go(session);
	}
	/* if the seed was changed on the way, the answer differs */
	return session->tampered || is_right(session) ||
	       session_end(session, ODD, "wrong answer");
}

static bool tell_end(struct session *session)
{
	static u8 room[TX_SIZE];
	struct icb_wire_end *msg = (void *)room;

	session_sample(ICB_WIRE_END, msg);
	msg->sent = session_count(session);
	msg->complete = 1;
	return session_send(session, ICB_WIRE_END, msg);
}

static bool take_report(struct session *session)
{
	struct icb_wire_report msg;

	if (!session_recv(session, ICB_WIRE_REPORT, &msg))
		return false;
	if (msg.error)
		return session_end(session, REFUSED, msg.words);
	if (msg.seen != session_count(session))
		return session_end(session, ODD, "wrong count");
	return true;
}

/* Check that the data connections that exist are closed. */
static bool all_closed(struct peer *peer)
{
	u32 qp;

	for (qp = 0; qp < QPS; qp++)
		if (peer_qp(peer, qp)->id &&
		    peer_qp(peer, qp)->state != END_CLOSED)
			return false;
	return true;
}

/* With its report, the server disconnects all connections. */
static bool leave(struct session *session)
{
	struct peer *peer = &session->peer;

	if (!peer_wait(peer, peer_over(peer) && all_closed(peer),
		       session->limit))
		return session_end(session, SILENT, "after its report");
	return session_end(session, DONE, "");
}

const struct script_step client_script[] = {
	[CLIENT_CONNECT] = { "anything", say_hello },
	[CLIENT_PROPOSE] = { "proposing", propose },
	[CLIENT_ANSWER] = { "the answer", take_answer },
	[CLIENT_JOIN] = { "the data connection", join },
	[CLIENT_READY] = { "being ready", tell_ready },
	[CLIENT_OFFER] = { "the server's being ready", take_offer },
	[CLIENT_ECHO] = { "the first message", echo },
	[CLIENT_END] = { "the end", tell_end },
	[CLIENT_REPORT] = { "the report", take_report },
	[CLIENT_LEAVE] = { "leaving", leave },
};

const unsigned int client_steps = ARRAY_SIZE(client_script);
