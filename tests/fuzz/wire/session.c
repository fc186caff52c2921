// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <unistd.h>

#include "blake2s.h"
#include "model/payload.h"
#include "session.h"

const char *const outcome_names[] = {
	[DONE] = "accepted",
	[REFUSED] = "refused",
	[CLOSED] = "closed",
	[SILENT] = "no end in time",
	[ODD] = "not the protocol",
};

/**
 * session_init() - as a good peer is
 * @session: which
 * @port: where to
 */
void session_init(struct session *session, u16 port)
{
	memset(session, 0, sizeof(*session));
	session->port = port;
	session->limit = 15000;
	peer_open(&session->peer);
}

/**
 * session_has() - whether a step is one of a session's
 * @session: which
 * @step: of its script
 *
 * Return: true if so.
 */
bool session_has(const struct session *session, const struct script_step *step)
{
	return !step->due || step->due(session);
}

/**
 * session_run() - go through a script
 * @session: which
 * @script: the steps
 * @steps: how many
 */
void session_run(struct session *session, const struct script_step *script,
		 unsigned int steps)
{
	for (; session->step < steps; session->step++) {
		if (!session_has(session, &script[session->step]))
			continue;
		if (session->at && session->at == session->step &&
		    !session->act(session))
			return;
		/* it may have done that step's part, too */
		if (session_has(session, &script[session->step]) &&
		    !script[session->step].go(session))
			return;
	}
}

/**
 * session_end() - tell how a session ended
 * @session: which
 * @outcome: how
 * @words: and why
 *
 * Return: false, the end of a script.
 */
bool session_end(struct session *session, enum outcome outcome,
		 const char *words)
{
	session->outcome = outcome;
	snprintf(session->words, sizeof(session->words), "%s", words);
	return false;
}

/**
 * session_let_go() - wait for the other side to end the session
 * @session: which
 *
 * Return: false, the end of a script.
 */
bool session_let_go(struct session *session)
{
	struct peer *peer = &session->peer;
	const struct icb_wire_bye *bye;

	if (!peer_wait(peer, peer_over(peer), session->limit))
		return session_end(session, SILENT, "");
	if (peer->ctl.state == END_REJECTED)
		return session_end(session, REFUSED, peer->ctl.words);
	while (peer->head != peer->tail) {
		bye = (void *)peer->rx[peer->head++ % SLOTS].data;
		if (bye->head.type == ICB_WIRE_BYE)
			return session_end(session, REFUSED, bye->words);
	}
	return session_end(session, CLOSED, "");
}

/**
 * session_sample() - a message as one could be, of any type
 * @kind: its type
 * @msg: where to
 */
void session_sample(unsigned int kind, void *msg)
{
	struct icb_wire_head *head = msg;

	memset(msg, 0, kind_sizes[kind]);
	head->magic = ICB_WIRE_MAGIC;
	head->type = kind;
	head->len = kind_sizes[kind];
}

/* Keyed by the token: of the responder's nonce and what is signed. */
static void sign(const struct session *session, const void *msg, size_t len,
		 u8 *mac, size_t mac_len)
{
	u8 text[ICB_WIRE_NONCE + sizeof(struct icb_wire_propose)];
	u8 key[BLAKE2S_MOST];

	memcpy(text, session->peer.welcome.nonce, ICB_WIRE_NONCE);
	memcpy(text + ICB_WIRE_NONCE, msg, len);
	blake2s(key, sizeof(key), (const u8 *)session->token,
		strlen(session->token), NULL, 0);
	blake2s(mac, mac_len, text, ICB_WIRE_NONCE + len, key, sizeof(key));
}

/**
 * session_prove() - show that a connection request comes from one who has the token
 * @session: with a token, and connected
 * @hello: the request
 */
void session_prove(const struct session *session, struct icb_wire_hello *hello)
{
	sign(session, hello, offsetof(struct icb_wire_hello, proof),
	     hello->proof, ICB_WIRE_PROOF);
}

/**
 * session_connect() - ask for a connection
 * @session: which
 * @end: resolved; what becomes of it is in its state
 * @kind: of the request
 * @cookie: that it shows
 */
void session_connect(struct session *session, struct end *end,
		     unsigned int kind, u64 cookie)
{
	u8 room[PRIVATE_SIZE] = { 0 };
	struct icb_wire_hello *hello = (void *)room;
	u8 len;

	hello->magic = ICB_WIRE_MAGIC;
	hello->version = ICB_WIRE_VERSION;
	hello->kind = kind - KIND_REQUEST(0);
	hello->cookie = cookie;
	hello->lane = session->lane;
	if (session->token && hello->kind != ICB_WIRE_CONTROL)
		session_prove(session, hello);
	len = tamper_private(&session->tamper, kind, room, &session->tampered);
	peer_connect(end, room, len);
}

static void send_bytes(struct session *session, const void *msg, u32 len)
{
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND };
	struct peer *peer = &session->peer;

	memcpy(peer->memory->tx, msg, len);
	peer_post(peer, &peer->ctl, &wr, peer->memory->tx, len);
	peer_wait(peer, !peer->ctl.sent || peer->ctl.status || peer_over(peer),
		  session->limit);
}

/**
 * session_send() - send a message, or what is sent in its place
 * @session: which
 * @kind: its type
 * @msg: all of it but its head; with room for TX_SIZE bytes
 *
 * Return: true; what became of it is heard later.
 */
bool session_send(struct session *session, unsigned int kind, void *msg)
{
	const struct tamper *tamper = &session->tamper;
	struct icb_wire_head *head = msg;
	unsigned int i, times = 1;
	u32 len = kind_sizes[kind];

	head->magic = ICB_WIRE_MAGIC;
	head->type = kind;
	head->len = len;
	if (tamper->kind == kind) {
		if (tamper->as) {
			session_sample(tamper->as, msg);
			len = kind_sizes[tamper->as];
		}
		if (tamper->field)
			session->tampered |= tamper_field(tamper, msg);
		if (tamper->change) {
			len = tamper->len;
			if (tamper->honest)
				head->len = len;
		}
		times += tamper->times;
	}
	for (i = 0; i < times; i++)
		send_bytes(session, msg, len);
	return true;
}

/**
 * session_recv() - wait for a message
 * @session: which
 * @type: that is due
 * @msg: where to
 *
 * Return: true; false if something else happened.
 */
bool session_recv(struct session *session, unsigned int type, void *msg)
{
	struct peer *peer = &session->peer;
	const struct icb_wire_head *head;
	struct message *in;

	/* what has arrived counts, even if the connection ended since */
	peer_wait(peer, peer->head != peer->tail || peer_over(peer),
		  session->limit);
	if (peer->head == peer->tail)
		return session_let_go(session);
	in = &peer->rx[peer->head++ % SLOTS];
	head = (void *)in->data;
	if (in->len < sizeof(*head) || head->magic != ICB_WIRE_MAGIC ||
	    head->len != in->len || head->type >= ICB_WIRE_TYPES ||
	    in->len != kind_sizes[head->type])
		return session_end(session, ODD, "malformed");
	if (head->type == ICB_WIRE_BYE) {
		session_end(session, REFUSED,
			    ((struct icb_wire_bye *)in->data)->words);
		/* the connection ends, too */
		if (!peer_wait(peer, peer_over(peer), session->limit))
			session->outcome = SILENT;
		return false;
	}
	if (head->type != type)
		return session_end(session, ODD, kind_names[head->type]);
	memcpy(msg, in->data, in->len);
	return true;
}

/**
 * session_sign() - show that the proposal comes from one who has the token
 * @session: with a token, and connected
 * @msg: the proposal
 */
void session_sign(struct session *session, struct icb_wire_propose *msg)
{
	sign(session, msg, offsetof(struct icb_wire_propose, mac), msg->mac,
	     ICB_WIRE_MAC);
}

static bool is_passive(const struct session *session)
{
	return verb_row(session->verb)->passive;
}

static bool is_atomic(const struct session *session)
{
	return verb_row(session->verb)->atomic;
}

static u64 word_of(const u8 *buf)
{
	u64 word;

	memcpy(&word, buf, sizeof(word));
	return word;
}

/**
 * session_buffer() - where the other side writes to
 * @session: whose
 * @number: of the message, from 1 on
 *
 * Of several regions each takes one in turn.
 *
 * Return: the beginning of the message.
 */
u8 *session_buffer(const struct session *session, u64 number)
{
	struct peer_memory *memory = session->peer.memory;
	u32 at = (number - 1) % (session->regions ? : 1);

	/* no send comes where writes do */
	return at ? memory->data_rx[at] : memory->target;
}

/* What the other side finds there. */
static void prepare_memory(struct session *session)
{
	struct peer_memory *memory = session->peer.memory;
	const u64 word = SEED;
	u32 i;

	icb_payload_fill(memory->source, 0, SIZE,
			 icb_payload_of(SEED, false), 0);
	/* of several regions each has what belongs to its buffer */
	if (is_passive(session))
		for (i = 1; i < session->regions; i++)
			icb_payload_fill(session_buffer(session, i + 1), 0,
					 SIZE, icb_payload_of(SEED, false), i);
	if (is_atomic(session))
		memcpy(memory->target, &word, sizeof(word));
}

/* How often a message's buffer will have been used with it: the last byte of a write. */
static u8 use_of(const struct session *session, u64 number)
{
	return (number - 1) / (session->regions ? : 1) + 1;
}

/**
 * session_qps() - how many QPs a run has
 * @session: whose
 *
 * Return: how many.
 */
u32 session_qps(const struct session *session)
{
	return session->qps ? : 1;
}

/**
 * session_ready() - tell what the other side may reach
 * @session: which
 * @msg: where to
 */
void session_ready(struct session *session, struct icb_wire_ready *msg)
{
	struct peer *peer = &session->peer;
	u8 *mem = peer->memory->target;
	u32 i;

	memset(msg, 0, sizeof(*msg));
	if (!verb_offers(session->verb, peer->listener))
		return;
	prepare_memory(session);
	if (session->verb == ICBENCH_VERB_READ)
		mem = peer->memory->source;
	msg->count = 1;
	msg->stride = verb_size(session->verb);
	msg->region[0].addr = (uintptr_t)mem;
	msg->region[0].rkey = peer->mr->rkey;
	msg->region[0].len = verb_size(session->verb);
	/* where there is room for so many */
	if (session->buffers) {
		msg->region[0].addr = (uintptr_t)peer->memory->tx;
		msg->region[0].len *= session->buffers;
	}
	for (i = 1; i < session->regions; i++) {
		msg->region[msg->count] = msg->region[0];
		msg->region[msg->count].addr =
			(uintptr_t)session_buffer(session, i + 1);
		msg->count++;
	}
}

/**
 * session_datagrams() - whether there are no data connections
 * @session: which
 *
 * Return: true if so.
 */
bool session_datagrams(const struct session *session)
{
	return session->transport == ICBENCH_TRANSPORT_UD;
}

/**
 * session_tell_qps() - tell where the other side's datagrams are to go
 * @session: which
 *
 * Return: true.
 */
bool session_tell_qps(struct session *session)
{
	static u8 room[TX_SIZE];
	struct icb_wire_qps *msg = (void *)room;
	struct ibv_qp *qp = session->peer.ctl.id->qp;
	u32 i;

	session_sample(ICB_WIRE_QPS, msg);
	/* where there can be none the run is to be refused, whatever is told */
	if (!verb_lacks(session->verb, session->transport)) {
		peer_take_datagrams(&session->peer);
		qp = session->peer.ud;
	}
	msg->qkey = OWN_QKEY;
	msg->count = session_qps(session);
	/* one hears them all */
	for (i = 0; i < msg->count; i++)
		msg->qpn[i] = qp->qp_num;
	return session_send(session, ICB_WIRE_QPS, msg);
}

/**
 * session_hear_qps() - hear where this side's datagrams are to go
 * @session: which
 *
 * Return: true; false if something else happened.
 */
bool session_hear_qps(struct session *session)
{
	struct icb_wire_qps msg;

	if (!session_recv(session, ICB_WIRE_QPS, &msg))
		return false;
	if (msg.count != session_qps(session) || msg.first || msg.reserved)
		return session_end(session, ODD, "not as many QPs as agreed");
	memcpy(session->qpn, msg.qpn, msg.count * sizeof(msg.qpn[0]));
	session->peer.to.qpn = msg.qpn[0];
	session->peer.to.qkey = msg.qkey;
	return true;
}

/**
 * session_count() - messages that the responder has to have seen
 * @session: of either side
 *
 * Return: how many; atomics by what they have left.
 */
u64 session_count(const struct session *session)
{
	const struct peer *peer = &session->peer;

	if (is_atomic(session) && peer->listener)
		return word_of(peer->memory->target) - SEED;
	return is_passive(session) && !is_atomic(session) ? 0 : session->seq;
}

/**
 * session_post_data() - send the next data message
 * @session: which
 * @initiator: which side it is
 *
 * Return: true.
 */
bool session_post_data(struct session *session, bool initiator)
{
	const struct icb_wire_region *region = &session->offer.region[0];
	/* by lanes and, where there are many buffers, by these in turn */
	const u32 lane = session->seq % session_qps(session);
	const u64 off = session->regions ? session->seq % session->regions *
					   session->offer.stride : 0;
	struct peer *peer = &session->peer;
	u8 *buf = peer->memory->data_tx;
	struct ibv_send_wr wr = {
		.opcode = verb_opcode(session->verb),
		.wr.rdma.remote_addr = region->addr + off,
		.wr.rdma.rkey = region->rkey,
	};

	icb_payload_fill(buf, 0, SIZE, icb_payload_of(SEED, initiator),
			 session->regions ? session->seq % session->regions : 0);
	session->seq++;
	if (session->verb == ICBENCH_VERB_WRITE)
		buf[SIZE - 1] = use_of(session, session->seq);
	if (is_passive(session))
		buf = peer->memory->target;
	if (is_atomic(session)) {
		wr.wr.atomic.remote_addr = region->addr;
		wr.wr.atomic.rkey = region->rkey;
		wr.wr.atomic.compare_add = SEED + session->seq - 1;
		wr.wr.atomic.swap = SEED + session->seq;
	}
	if (session->verb == ICBENCH_VERB_FETCH_ADD)
		wr.wr.atomic.compare_add = 1;
	if (session_datagrams(session)) {
		wr.opcode = IBV_WR_SEND_WITH_IMM;
		wr.imm_data = htonl(session->seq);
		peer->to.qpn = session->qpn[lane];
		peer_datagram(peer, NULL, &wr, buf, verb_size(session->verb));
		return true;
	}
	peer_post(peer, peer_lane(peer, lane), &wr, buf,
		  verb_size(session->verb));
	return true;
}

static bool arrived(struct session *session, u64 number)
{
	struct peer *peer = &session->peer;
	const u8 *last = &session_buffer(session, number)[SIZE - 1];
	const u8 use = use_of(session, number);

	if (is_passive(session))
		return !peer->data.sent && !peer->data.status;
	if (session->verb != ICBENCH_VERB_WRITE)
		return peer->seen >= number;
	if (READ_ONCE(*last) == use)
		return true;
	/* a write raises no event */
	usleep(100);
	peer_pump(peer, 0);
	return READ_ONCE(*last) == use;
}

/**
 * session_await_data() - wait for a data message
 * @session: which
 * @number: of the message
 *
 * Return: true if it is there; false if something else happened.
 */
bool session_await_data(struct session *session, u64 number)
{
	struct peer *peer = &session->peer;
	u64 end = given_ms() + session->limit;
	bool write = session->verb == ICBENCH_VERB_WRITE, yes;

	do {
		yes = arrived(session, number);
		if (!yes)
			peer_pump(peer, write ? 0 : 10);
	} while (!yes && !peer_over(peer) && peer->head == peer->tail &&
		 !(is_passive(session) && peer->data.status) &&
		 given_ms() < end);
	return yes;
}

/**
 * session_transport() - the transport of a run in which a message is said
 * @kind: ICB_WIRE_* of the message
 *
 * Return: enum icbench_transport.
 */
u32 session_transport(unsigned int kind)
{
	return kind == ICB_WIRE_QPS ? ICBENCH_TRANSPORT_UD :
				      ICBENCH_TRANSPORT_RC;
}

/**
 * session_lacks() - what the device lacks for a run in which a message is said
 * @kind: ICB_WIRE_* of the message
 *
 * Return: it, in words; NULL if it has all.
 */
const char *session_lacks(unsigned int kind)
{
	return verb_lacks(ICBENCH_VERB_SEND, session_transport(kind));
}
