// SPDX-License-Identifier: GPL-2.0
/* Attacks with connections that are made to be timed (probes). */
#include <stdlib.h>

#include "report.h"

/* More probes than a responder has at a time. */
#define HELD	4

/* Request a probe of a run. Return: the state of the connection. */
static enum end_state ask(struct session *session, struct peer *peer,
			  u64 cookie, u32 number)
{
	peer_open(peer);
	peer_resolve(peer, &peer->data, ADDRESS, session->port,
		     session->limit);
	session->qp = number;
	session_connect(session, &peer->data, KIND_PROBE, cookie);
	session->qp = 0;
	peer_wait(peer, peer->data.state >= END_CONNECTED, session->limit);
	return peer->data.state;
}

static bool is_refused(struct session *session, u64 cookie, u32 number)
{
	struct peer peer;
	bool refused = ask(session, &peer, cookie, number) == END_REJECTED;

	peer_close(&peer);
	return refused;
}

static bool hold_probes(struct session *session)
{
	static struct peer held[HELD];
	const char *wrong = NULL;
	unsigned int i;

	if (!is_refused(session, session->cookie + 1, 0))
		wrong = "another cookie was taken";
	for (i = 0; i < HELD; i++)
		if (ask(session, &held[i], session->cookie, i) != END_CONNECTED)
			wrong = "one was not taken";
	/* a captured cookie must not allow an index to be used twice */
	for (i = 0; i < HELD; i++)
		if (!is_refused(session, session->cookie, i))
			wrong = "one was taken twice";
	if (!is_refused(session, session->cookie, HELD + 1))
		wrong = "one was left out";
	/* each new probe ends the one before, even if the peer does not disconnect */
	for (i = 0; i + 1 < HELD; i++)
		if (!peer_wait(&held[i], held[i].data.state == END_CLOSED,
			       session->limit))
			wrong = "they are held on to";
	if (held[HELD - 1].data.state != END_CONNECTED)
		wrong = "the last one was ended";
	/* the peer sends nothing more: the run ends with the probes */
	for (i = 0; i < HELD; i++)
		peer_close(&held[i]);
	return session_end(session, wrong ? ODD : DONE, wrong ? : "");
}

/* Make one probe; the run ends with it, whether it is accepted or refused. */
static bool probe_once(struct session *session)
{
	struct peer peer;
	enum end_state state = ask(session, &peer, session->cookie, 0);

	peer_close(&peer);
	if (state == END_CONNECTED)
		return session_end(session, DONE, "");
	return session_end(session, state == END_REJECTED ? REFUSED : ODD,
			   peer.data.words);
}

/* Make it a run that times connections, one per operation. */
static void probing(struct session *session)
{
	session->verb = ICBENCH_VERB_CONNECT_CM;
	session->odd_attr = ICBENCH_A_PARAMS_TRIGGER;
	session->odd_value = ICBENCH_TRIGGER_RETURN;
}

/**
 * probe_tampered() - set up a session that makes one probe
 * @session: session with a fault in the request
 */
void probe_tampered(struct session *session)
{
	probing(session);
	session->at = CLIENT_ECHO;
	session->act = probe_once;
}

/* A request with the right cookie, but without a proof of the token. */
static bool ask_unproven(struct session *session)
{
	const char *token = session->token;
	bool refused;

	session->token = NULL;
	refused = is_refused(session, session->cookie, 0);
	session->token = token;
	return session_end(session, refused ? DONE : ODD,
			   refused ? "" : "taken by the cookie alone");
}

/**
 * probe_unproven() - set up a session that requests a probe without a proof
 * @session: session with a token
 */
void probe_unproven(struct session *session)
{
	probing(session);
	session->at = CLIENT_ECHO;
	session->act = ask_unproven;
}

static bool probe_other(struct session *session)
{
	return is_refused(session, session->cookie, 0) ||
	       session_end(session, ODD, "taken");
}

/* Test a run in which @act is called before a step. */
static void attempt(u16 port, unsigned int at,
		    bool (*act)(struct session *session), bool probes,
		    const char *name)
{
	struct session session;

	session_init(&session, port);
	session.limit *= slow;
	session.at = at;
	session.act = act;
	if (probes)
		probing(&session);
	session_run(&session, client_script, client_steps);
	peer_close(&session.peer);
	ok(session.outcome == DONE, name, session.words);
}

int group_probe(char **args)
{
	u16 port = strtoul(args[0], NULL, 10);

	attempt(port, CLIENT_END, probe_other, false,
		"probe: refused where the run makes none, which goes on");
	attempt(port, CLIENT_ECHO, hold_probes, true,
		"probe: one at a time, by who has the cookie");
	return 0;
}
