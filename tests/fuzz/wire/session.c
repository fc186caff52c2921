// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <unistd.h>

#include "blake2s.h"
#include "model/payload.h"
#include "session.h"

/*
 * One in this many sessions has its run poll, the others have it block. A run that polls
 * until its timeout takes the time of a CPU.
 */
#define POLL_EVERY	4

const char *const outcome_names[] = {
	[DONE] = "accepted",
	[REFUSED] = "refused",
	[CLOSED] = "closed",
	[SILENT] = "no end in time",
	[ODD] = "not the protocol",
};

/* Sessions so far, those of child processes included. */
static unsigned int sessions;

/**
 * session_forked() - count a session that a new child process sets up
 *
 * So that children, which each set up few sessions, do not all poll.
 */
void session_forked(void)
{
	sessions++;
}

/**
 * session_init() - set up a session of a well-behaved peer
 * @session: session to set up
 * @port: port to connect to or to listen at
 */
void session_init(struct session *session, u16 port)
{
	memset(session, 0, sizeof(*session));
	session->port = port;
	session->limit = 15000;
	session->completion = sessions++ % POLL_EVERY ? ICBENCH_COMPLETION_BLOCK :
							ICBENCH_COMPLETION_POLL;
	peer_open(&session->peer);
}

/**
 * session_has() - check whether a session takes a step of its script
 * @session: session
 * @step: step of its script
 *
 * Return: true if it takes the step.
 */
bool session_has(const struct session *session, const struct script_step *step)
{
	return !step->due || step->due(session);
}

/**
 * session_run() - run a script from the session's current step
 * @session: session
 * @script: steps
 * @steps: number of steps
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
		/* @act may have taken this step, and advanced to the next one */
		if (session_has(session, &script[session->step]) &&
		    !script[session->step].go(session))
			return;
	}
}

/**
 * session_end() - record how a session ended
 * @session: session
 * @outcome: outcome
 * @words: reason
 *
 * Return: false, which ends the script.
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
 * @session: session
 *
 * Return: false, which ends the script.
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
 * session_sample() - write a valid header and a zeroed body
 * @kind: ICB_WIRE_* type
 * @msg: message to write
 */
void session_sample(unsigned int kind, void *msg)
{
	struct icb_wire_head *head = msg;

	memset(msg, 0, kind_sizes[kind]);
	head->magic = ICB_WIRE_MAGIC;
	head->type = kind;
	head->len = kind_sizes[kind];
}

/* MAC over the responder's nonce and the message, keyed by a hash of the token. */
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
 * session_prove() - write the proof into a connection request
 * @session: connected session with a token
 * @hello: request
 */
void session_prove(const struct session *session, struct icb_wire_hello *hello)
{
	sign(session, hello, offsetof(struct icb_wire_hello, proof),
	     hello->proof, ICB_WIRE_PROOF);
}

/**
 * session_connect() - request a connection
 * @session: session
 * @end: resolved connection; its state shows the result
 * @kind: KIND_* of the request
 * @cookie: cookie in the request
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
	hello->qp = session->qp;
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
 * session_send() - send a message, changed as @session->tamper says
 * @session: session
 * @kind: ICB_WIRE_* type
 * @msg: message without its header; TX_SIZE bytes of memory
 *
 * Return: true; a later step detects a failure.
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
 * @session: session
 * @type: expected type
 * @msg: memory for the message
 *
 * Return: true; false if anything else happened.
 */
bool session_recv(struct session *session, unsigned int type, void *msg)
{
	struct peer *peer = &session->peer;
	const struct icb_wire_head *head;
	struct message *in;

	/* a message that has arrived is valid, even if the connection has ended since */
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
		/* the connection has to end after a bye */
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
 * session_sign() - write the MAC into a proposal
 * @session: connected session with a token
 * @msg: proposal
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
 * session_buffer() - buffer that the other side writes a message to
 * @session: session
 * @number: number of the message, from 1
 *
 * Several regions are used in turn.
 *
 * Return: start of the buffer.
 */
u8 *session_buffer(const struct session *session, u64 number)
{
	struct peer_memory *memory = session->peer.memory;
	u32 at = (number - 1) % (session->regions ? : 1);

	/* data_rx is free in a run of writes: no send arrives there */
	return at ? memory->data_rx[at] : memory->target;
}

/* Write the content that the other side expects in this side's memory. */
static void prepare_memory(struct session *session)
{
	struct peer_memory *memory = session->peer.memory;
	const u64 word = SEED;
	u32 i;

	icb_payload_fill(memory->source, 0, SIZE,
			 icb_payload_of(SEED, false), 0);
	/* each of several regions holds the payload of its buffer */
	if (is_passive(session))
		for (i = 1; i < session->regions; i++)
			icb_payload_fill(session_buffer(session, i + 1), 0,
					 SIZE, icb_payload_of(SEED, false), i);
	if (is_atomic(session))
		memcpy(memory->target, &word, sizeof(word));
}

/*
 * How often a message's buffer has been used, this message included. The last byte of a
 * write has this value.
 */
static u8 use_of(const struct session *session, u64 number)
{
	return (number - 1) / (session->regions ? : 1) + 1;
}

/**
 * session_qps() - number of QPs of a run
 * @session: session
 *
 * Return: number of QPs.
 */
u32 session_qps(const struct session *session)
{
	return session->qps ? : 1;
}

/**
 * session_ready() - write a ready message with this side's regions
 * @session: session
 * @msg: message to write
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
	/* tx has room for all buffers */
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
 * session_datagrams() - check whether a run uses datagrams instead of data connections
 * @session: session
 *
 * Return: true if it uses datagrams.
 */
bool session_datagrams(const struct session *session)
{
	return session->transport == ICBENCH_TRANSPORT_UD;
}

/**
 * session_tell_qps() - send the numbers of the QPs that receive datagrams
 * @session: session
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
	/* a run that cannot use datagrams has to be refused, whatever QP is sent */
	if (!verb_lacks(session->verb, session->transport)) {
		peer_take_datagrams(&session->peer);
		qp = session->peer.ud;
	}
	msg->qkey = OWN_QKEY;
	msg->count = session_qps(session);
	/* one QP receives the datagrams for all numbers */
	for (i = 0; i < msg->count; i++)
		msg->qpn[i] = qp->qp_num;
	return session_send(session, ICB_WIRE_QPS, msg);
}

/**
 * session_hear_qps() - receive the numbers of the other side's datagram QPs
 * @session: session
 *
 * Return: true; false if anything else happened.
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
 * session_count() - number of messages that the responder has to have received
 * @session: session of either side
 *
 * Return: number of messages. A responder derives the number of atomics from its word.
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
 * @session: session
 * @initiator: this side is the initiator
 *
 * Return: true.
 */
bool session_post_data(struct session *session, bool initiator)
{
	const struct icb_wire_region *region = &session->offer.region[0];
	/* QPs are used in turn, and so are the buffers if there are several regions */
	const u32 qp = session->seq % session_qps(session);
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
		peer->to.qpn = session->qpn[qp];
		peer_datagram(peer, NULL, &wr, buf, verb_size(session->verb));
		return true;
	}
	peer_post(peer, peer_qp(peer, qp), &wr, buf,
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
	/* a write raises no event, so poll the memory */
	usleep(100);
	peer_pump(peer, 0);
	return READ_ONCE(*last) == use;
}

/**
 * session_await_data() - wait for a data message
 * @session: session
 * @number: number of the message, from 1
 *
 * Return: true if it has arrived; false if anything else happened.
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
 * session_transport() - transport of a run that uses a message
 * @kind: ICB_WIRE_* type of the message
 *
 * Return: enum icbench_transport.
 */
u32 session_transport(unsigned int kind)
{
	return kind == ICB_WIRE_QPS ? ICBENCH_TRANSPORT_UD :
				      ICBENCH_TRANSPORT_RC;
}

/**
 * session_lacks() - what the device lacks for a run that uses a message
 * @kind: ICB_WIRE_* type of the message
 *
 * Return: the reason as text; NULL if the device lacks nothing.
 */
const char *session_lacks(unsigned int kind)
{
	return verb_lacks(ICBENCH_VERB_SEND, session_transport(kind));
}
