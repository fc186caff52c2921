// SPDX-License-Identifier: GPL-2.0
/*
 * Datagrams that do not belong to the run, sent to a QP whose number and Q_Key are known.
 */
#include <arpa/inet.h>
#include <stdlib.h>

#include "report.h"

/* Time in which no answer may arrive, ms. */
#define QUIET	50

/* Time after which a message without an answer is sent again, ms, and number of times. */
#define AGAIN	200
#define TRIES	20

/**
 * struct stray - datagram that does not belong to the run
 * @name: defect of the datagram, as in the name of the test
 * @len: length, bytes
 * @number: message number; if @next, it is added to the right one
 * @next: @number is relative
 * @mute: the datagram has no number
 * @other: sent from a QP that the other side has not received the number of
 * @qkey: sent with another Q_Key
 */
struct stray {
	const char *name;
	u32 len;
	u32 number;
	bool next;
	bool mute;
	bool other;
	bool qkey;
};

static const struct stray strays[] = {
	{ "one byte short", .len = SIZE - 1, .next = true },
	{ "one byte long", .len = SIZE + 1, .next = true },
	{ "of no bytes", .next = true },
	{ "as long as a packet", .len = 1024, .next = true },
	{ "from another QP", .len = SIZE, .next = true, .other = true },
	{ "with another Q_Key", .len = SIZE, .next = true, .qkey = true },
	{ "without a number", .len = SIZE, .mute = true },
	{ "with a number that was there", .len = SIZE, .number = -1, .next = true },
	{ "with number 0", .len = SIZE },
	{ "with a number beyond the run's", .len = SIZE, .number = 1 << 30 },
	{ "with the greatest number", .len = SIZE, .number = U32_MAX },
};

static void send_stray(struct session *session, const struct stray *stray)
{
	struct peer *peer = &session->peer;
	u32 qkey = peer->to.qkey;
	struct ibv_send_wr wr = {
		.opcode = stray->mute ? IBV_WR_SEND : IBV_WR_SEND_WITH_IMM,
		.imm_data = htonl(stray->number +
				  (stray->next ? session->seq + 1 : 0)),
	};

	memset(peer->memory->data_tx, 0xa5, DATA_SIZE);
	if (stray->qkey)
		peer->to.qkey ^= 1;
	peer_datagram(peer, stray->other ? peer->other : NULL, &wr,
		      peer->memory->data_tx, stray->len);
	peer->to.qkey = qkey;
}

/* More than the number of receives. */
#define TIMES	20

static const struct stray *sent;

/*
 * Send the next message until the answer arrives. A device drops a datagram that finds no
 * receive, which a busy host posts late; the other side ignores a message sent twice.
 */
static bool exchange(struct session *session)
{
	const u64 limit = session->limit;
	unsigned int i;
	bool yes = false;

	session->limit = AGAIN * slow;
	for (i = 0; i < TRIES && !yes && !peer_over(&session->peer); i++) {
		session_post_data(session, true);
		yes = session_await_data(session, session->seq);
		if (!yes)
			session->seq--;
	}
	session->limit = limit;
	return yes || session_let_go(session);
}

/*
 * Send strays, which must not be answered, then a message, which must be; and a stray at
 * the end.
 */
static bool interrupt(struct session *session)
{
	struct peer *peer = &session->peer;
	unsigned int i;
	u64 seen;

	if (session->step == CLIENT_END) {
		/* the last datagram of the run: the responder's buffer keeps it */
		send_stray(session, sent);
		peer_wait(peer, peer_over(peer), QUIET * slow);
		return true;
	}
	session->at = CLIENT_END;
	if (!exchange(session))
		return false;
	seen = peer->seen;
	for (i = 0; i < TIMES; i++)
		send_stray(session, sent);
	peer_wait(peer, peer->seen != seen || peer_over(peer), QUIET * slow);
	if (peer->seen != seen)
		return session_end(session, ODD, "answered");
	/* the strays have used no receive up, so the next message finds one */
	return exchange(session);
}

static void try_stray(u16 port, const struct stray *stray)
{
	struct session session;
	char name[100];

	session_init(&session, port);
	session.limit *= slow;
	session.timeout = 5000 * slow;
	session.verb = ICBENCH_VERB_SEND;
	session.transport = ICBENCH_TRANSPORT_UD;
	session.at = CLIENT_ECHO;
	session.act = interrupt;
	sent = stray;
	session_run(&session, client_script, client_steps);
	peer_close(&session.peer);
	snprintf(name, sizeof(name), "a datagram %s is not of the run",
		 stray->name);
	ok(session.outcome == DONE, name, session.words);
}

/* datagrams PORT */
int group_datagrams(char **args)
{
	u16 port = strtoul(args[0], NULL, 10);
	unsigned int i;

	if (skip("datagrams that are not of the run",
		 verb_lacks(ICBENCH_VERB_SEND, ICBENCH_TRANSPORT_UD)))
		return 0;
	for (i = 0; i < ARRAY_SIZE(strays); i++)
		try_stray(port, &strays[i]);
	return 0;
}
