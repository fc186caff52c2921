// SPDX-License-Identifier: GPL-2.0
/* Proposals and connection requests without the token of a server, or with a captured proof. */
#include <stdlib.h>

#include "attacks.h"
#include "report.h"

#define TOKEN_WORDS	"token:"

static struct icb_wire_propose captured;
static u8 captured_nonce[ICB_WIRE_NONCE];

/* Send another run's proposal, instead of the steps that propose and take the answer. */
static bool replay(struct session *session)
{
	static u8 room[TX_SIZE];
	struct icb_wire_answer answer;

	if (!memcmp(captured_nonce, session->peer.welcome.nonce,
		    sizeof(captured_nonce)))
		return session_end(session, ODD, "the nonce of another run");
	memcpy(room, &captured, sizeof(captured));
	session_send(session, ICB_WIRE_PROPOSE, room);
	if (!session_recv(session, ICB_WIRE_ANSWER, &answer))
		return false;
	return session_end(session, answer.error ? REFUSED : DONE,
			   answer.words);
}

static void refused_token(const struct session *session, const char *name)
{
	ok(session->outcome == REFUSED &&
	   !strncmp(session->words, TOKEN_WORDS, strlen(TOKEN_WORDS)), name,
	   session->outcome == DONE ? "accepted" : session->words);
}

static void try_token(u16 port, const char *token, const char *name)
{
	struct session session;

	begin(&session, port);
	session.token = token;
	go(&session);
	refused_token(&session, name);
}

/* Change bytes that the MAC covers, and the MAC itself. */
static void try_signed(u16 port, const char *token)
{
	static const struct field bytes[] = {
		{ .name = "count", .size = 1,
		  .off = offsetof(struct icb_wire_propose, count) },
		{ .name = "devices", .size = 1,
		  .off = offsetof(struct icb_wire_propose, devices) + 3 },
		{ .name = "worker", .size = 1,
		  .off = offsetof(struct icb_wire_propose, worker) + 3 },
		{ .name = "first attribute", .size = 1,
		  .off = offsetof(struct icb_wire_propose, param[0].attr) },
		{ .name = "seed", .size = 1,
		  .off = offsetof(struct icb_wire_propose,
				  param[GOOD_SEED].value) },
		{ .name = "last value", .size = 1,
		  .off = offsetof(struct icb_wire_propose, mac) - 1 },
		{ .name = "first of MAC", .size = 1,
		  .off = offsetof(struct icb_wire_propose, mac) },
		{ .name = "last of MAC", .size = 1,
		  .off = sizeof(struct icb_wire_propose) - 1 },
		{ .name = "MAC", .size = ICB_WIRE_MAC,
		  .off = offsetof(struct icb_wire_propose, mac) },
	};
	struct session session;
	unsigned int i, value;
	char name[100];

	for (i = 0; i < ARRAY_SIZE(bytes); i++) {
		for (value = 0; value < VALUES; value++) {
			if (bytes[i].size == 1 && value != VALUE_NEXT)
				continue;
			begin(&session, port);
			session.token = token;
			session.tamper.kind = ICB_WIRE_PROPOSE;
			session.tamper.field = &bytes[i];
			session.tamper.value = value;
			go(&session);
			snprintf(name, sizeof(name), "token: changed: %s, %s",
				 bytes[i].name, value_names[value]);
			refused_token(&session, name);
		}
	}
}

static u8 captured_proof[ICB_WIRE_PROOF];

/* Requests before the script's own data connection; each of them has to be refused. */
static bool join_unproven(struct session *session)
{
	struct icb_wire_hello hello = sniffed(session, ICB_WIRE_DATA, 0);
	const struct icb_wire_hello other_qp =
		sniffed(session, ICB_WIRE_DATA, 1);
	const char *token = session->token;

	if (!refuses(session, &hello))
		return session_end(session, ODD, "joined by the cookie alone");
	memset(hello.proof, 0xff, sizeof(hello.proof));
	if (!refuses(session, &hello))
		return session_end(session, ODD, "joined by any proof");
	session->token = "a secret of that host";
	session_prove(session, &hello);
	session->token = token;
	if (!refuses(session, &hello))
		return session_end(session, ODD, "joined by another token");
	memcpy(hello.proof, captured_proof, sizeof(hello.proof));
	if (!refuses(session, &hello))
		return session_end(session, ODD, "joined by another run's proof");
	memcpy(hello.proof, session->proposal.mac, sizeof(hello.proof));
	if (!refuses(session, &hello))
		return session_end(session, ODD, "joined by the proposal's MAC");
	hello = other_qp;
	session_prove(session, &hello);
	hello.qp = 0;
	if (!refuses(session, &hello))
		return session_end(session, ODD, "joined by another QP's proof");
	/* proof of the script's own request, for the next run */
	hello = sniffed(session, ICB_WIRE_DATA, 0);
	session_prove(session, &hello);
	memcpy(captured_proof, hello.proof, sizeof(captured_proof));
	return true;
}

/* After the script's own data connection: its proof must not be accepted again. */
static bool join_replayed(struct session *session)
{
	struct icb_wire_hello hello = sniffed(session, ICB_WIRE_DATA, 0);

	session_prove(session, &hello);
	return refuses(session, &hello) ||
	       session_end(session, ODD, "a replayed proof joined");
}

/* Only a peer with the token may join a run that a token protects. */
static void try_joins(u16 port, const char *token)
{
	static const struct {
		unsigned int at;
		bool (*act)(struct session *session);
		const char *name;
	} joins[] = {
		{ CLIENT_JOIN, join_unproven,
		  "token: the cookie alone joins no run" },
		{ CLIENT_JOIN, join_unproven,
		  "token: nor does the proof of another run" },
		{ CLIENT_READY, join_replayed,
		  "token: nor does a proof that was shown before" },
	};
	struct session session;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(joins); i++) {
		begin(&session, port);
		session.token = token;
		/*
		 * the responder waits for the right connection until the last request is
		 * refused
		 */
		session.timeout = 5000 * slow;
		session.at = joins[i].at;
		session.act = joins[i].act;
		go(&session);
		ok(session.outcome == DONE, joins[i].name, session.words);
	}
	/* if connections are timed, each needs its own proof */
	begin(&session, port);
	session.token = token;
	probe_tampered(&session);
	go(&session);
	ok(session.outcome == DONE, "token: a connection to be timed has a proof",
	   session.words);
	begin(&session, port);
	session.token = token;
	session.timeout = 5000 * slow;
	probe_unproven(&session);
	go(&session);
	ok(session.outcome == DONE, "token: ... and is refused without",
	   session.words);
}

int group_token(char **args)
{
	static const char *const wrong[] = {
		"", "a", "a secret of that host", "\n",
	};
	const char *token = getenv("WIRE_TOKEN");
	u16 port = port_of(args[0]);
	char name[100], longer[80];
	struct session session;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		snprintf(name, sizeof(name), "token: wrong, %u", i);
		try_token(port, wrong[i], name);
	}
	snprintf(longer, sizeof(longer), "%s!", token);
	try_token(port, longer, "token: one byte more");
	longer[strlen(token) - 1] = '\0';
	try_token(port, longer, "token: one byte less");
	try_token(port, NULL, "token: none");
	try_signed(port, token);

	/* capture the proposal of a good run and send it in another one */
	begin(&session, port);
	session.token = token;
	go(&session);
	ok(session.outcome == DONE, "token: the right one", session.words);
	captured = session.proposal;
	memcpy(captured_nonce, session.peer.welcome.nonce,
	       sizeof(captured_nonce));
	begin(&session, port);
	session.at = CLIENT_PROPOSE;
	session.act = replay;
	go(&session);
	refused_token(&session, "token: the proposal of another run");
	try_joins(port, token);
	/* a server without a token ignores the MAC */
	good(port_of(args[1]), ICBENCH_VERB_SEND, ICBENCH_TRANSPORT_RC,
	     "a secret", "token: none is asked for");
	return 0;
}
