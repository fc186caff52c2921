// SPDX-License-Identifier: GPL-2.0
/* Runs with several QPs: requests for data connections, and destinations of datagrams. */
#include <stdlib.h>

#include "regions.h"
#include "report.h"

/* Timeout of good_params, and a reserve, ms. */
#define IN_TIME		4000

/* Number of requests that are sent before any answer is awaited. */
#define AT_ONCE		8

/**
 * struct ask - request for a data connection
 * @step: step of the script before which the request is sent
 * @qp: QP index in the request
 * @good: the request has to be accepted for the run; else it has to be refused
 */
struct ask {
	unsigned int step;
	u32 qp;
	bool good;
};

#define ASKS	10

/**
 * struct plan - requests for the data connections of a run of QPS QPs
 * @name: name of the plan
 * @ask: requests in order of their steps; the last has step 0
 * @words: text of the refusal; NULL if the run ends well
 *
 * The script itself requests the first connection.
 */
struct plan {
	const char *name;
	struct ask ask[ASKS];
	const char *words;
};

#define AT(_step, _qp, _good) {					\
	.step = (_step), .qp = (_qp), .good = (_good) }
#define TAKEN(_qp)		AT(CLIENT_READY, _qp, true)
#define REFUSED_AT(_step, _qp) AT(_step, _qp, false)
#define NOT(_qp)		REFUSED_AT(CLIENT_READY, _qp)

/* A run that ends well with its other two connections. */
#define PLAN(_name, ...)	{ .name = (_name), .ask = { __VA_ARGS__ } }

/* A run that waits for missing connections, after @_made were made. */
#define LACKS(_name, _made, ...) {					\
	.name = (_name), .ask = { __VA_ARGS__ },			\
	.words = "made " #_made " of 3 data connections" }

static const struct plan plans[] = {
	PLAN("in order", TAKEN(1), TAKEN(2)),
	PLAN("in another order", TAKEN(2), TAKEN(1)),
	PLAN("one of them twice",
	     TAKEN(1), NOT(1), NOT(1), NOT(0), TAKEN(2)),
	PLAN("the last one twice", TAKEN(2), NOT(2), TAKEN(1), NOT(2)),
	PLAN("one beyond the last",
	     NOT(QPS), NOT(QPS + 1), NOT(255), NOT(256), TAKEN(1),
	     NOT(U32_MAX), NOT(1U << 31), TAKEN(2)),
	PLAN("another one before the first",
	     REFUSED_AT(CLIENT_JOIN, 1), REFUSED_AT(CLIENT_JOIN, 2),
	     TAKEN(1), TAKEN(2)),
	PLAN("more of them than there are",
	     TAKEN(1), TAKEN(2), NOT(0), NOT(1), NOT(2), NOT(3)),
	PLAN("more of them in the run",
	     TAKEN(1), TAKEN(2), REFUSED_AT(CLIENT_END, 0),
	     REFUSED_AT(CLIENT_END, 1), REFUSED_AT(CLIENT_END, 2),
	     REFUSED_AT(CLIENT_END, 3)),
	PLAN("more of them after it",
	     TAKEN(1), TAKEN(2), REFUSED_AT(CLIENT_LEAVE, 0),
	     REFUSED_AT(CLIENT_LEAVE, 1), REFUSED_AT(CLIENT_LEAVE, 2),
	     REFUSED_AT(CLIENT_LEAVE, 3)),
	LACKS("the last one is missing", 2, TAKEN(1)),
	LACKS("one between is missing", 2, TAKEN(2)),
	LACKS("all but the first are missing", 1, NOT(1U << 16)),
};

/* Resolve the address, so that the request itself takes little time. */
static void prepare(struct session *session, struct peer *peer)
{
	peer_open(peer);
	peer_resolve(peer, &peer->data, ADDRESS, session->port,
		     session->limit);
}

static void request(struct session *session, struct end *end, u32 qp)
{
	session->qp = qp;
	session_connect(session, end, KIND_JOIN, session->cookie);
	/* the script itself requests the first connection */
	session->qp = 0;
}

static bool is_refused(struct session *session, u32 qp)
{
	struct peer peer;
	bool refused;

	prepare(session, &peer);
	request(session, &peer.data, qp);
	refused = peer_wait(&peer, peer.data.state >= END_CONNECTED,
			    session->limit) &&
		  peer.data.state == END_REJECTED;
	peer_close(&peer);
	/* handle the events of the session's own connections */
	peer_pump(&session->peer, 0);
	return refused;
}

static bool is_taken(struct session *session, u32 qp)
{
	struct peer *peer = &session->peer;
	struct end *end = peer_qp(peer, qp);

	peer_resolve(peer, end, ADDRESS, session->port, session->limit);
	request(session, end, qp);
	peer_wait(peer, end->state >= END_CONNECTED || peer_over(peer),
		  session->limit);
	return end->state == END_CONNECTED;
}

static const struct plan *plan;
static unsigned int asked;

static bool ask_all(struct session *session)
{
	char why[80];

	for (; plan->ask[asked].step == session->step; asked++) {
		const struct ask *ask = &plan->ask[asked];

		if (ask->good ? is_taken(session, ask->qp) :
				is_refused(session, ask->qp))
			continue;
		snprintf(why, sizeof(why), "connection %u, %u, was%s", asked,
			 ask->qp, ask->good ? " not taken" : " taken");
		return session_end(session, ODD, why);
	}
	/* step 0, behind the last request, stands for no further call */
	session->at = plan->ask[asked].step;
	return true;
}

static void begin(struct session *session, u16 port)
{
	session_init(session, port);
	session->limit *= slow;
	/* all connections have to be made by then, and each takes long on a slow machine */
	session->timeout = 1000 * slow;
	session->qps = QPS;
}

static void try_plan(u16 port)
{
	struct session session;
	char name[100], why[240];
	bool good;
	u64 took;

	begin(&session, port);
	asked = 0;
	session.at = plan->ask[0].step;
	session.act = ask_all;
	took = now_ms();
	session_run(&session, client_script, client_steps);
	took = now_ms() - took;
	good = plan->words ? session.outcome == REFUSED &&
			     strstr(session.words, plan->words) :
			     session.outcome == DONE;
	peer_close(&session.peer);
	snprintf(name, sizeof(name), "qps: %s: %s", plan->name,
		 plan->words ? "refused in time" : "the run goes well");
	snprintf(why, sizeof(why), "%s at step %u after %llu ms (%s)",
		 outcome_names[session.outcome], session.step,
		 (unsigned long long)took, session.words);
	ok(good && took < IN_TIME * slow, name, why);
}

/* Of several requests for the same QP at the same time, one is accepted. */
static bool ask_at_once(struct session *session)
{
	static struct peer peers[AT_ONCE];
	unsigned int i, taken = 0, refused = 0;
	char why[60];

	for (i = 0; i < AT_ONCE; i++)
		prepare(session, &peers[i]);
	for (i = 0; i < AT_ONCE; i++)
		request(session, &peers[i].data, 1);
	for (i = 0; i < AT_ONCE; i++) {
		peer_wait(&peers[i], peers[i].data.state >= END_CONNECTED,
			  session->limit);
		taken += peers[i].data.state == END_CONNECTED;
		refused += peers[i].data.state == END_REJECTED;
	}
	for (i = 0; i < AT_ONCE; i++)
		peer_close(&peers[i]);
	snprintf(why, sizeof(why), "%u were taken, %u refused", taken, refused);
	return session_end(session, taken == 1 && refused == AT_ONCE - 1 ?
				    DONE : ODD, why);
}

/* Disconnect the last connection. The run has to end without waiting for a message. */
static bool lose_one(struct session *session)
{
	if (!is_taken(session, 1) || !is_taken(session, QPS - 1))
		return session_end(session, ODD, "not taken");
	peer_disconnect(&session->peer.more[QPS - 2]);
	return session_let_go(session);
}

/* A request that is given up before its answer must not count as a connection. */
static bool give_up_one(struct session *session)
{
	struct peer peer;

	prepare(session, &peer);
	request(session, &peer.data, 1);
	peer_close(&peer);
	return session_let_go(session);
}

static bool (*act_now)(struct session *session);
static bool acted;

static bool act_once(struct session *session)
{
	acted = true;
	return act_now(session);
}

/* Call @act when the first connection is made; @most is the worst permitted outcome. */
static void attempt(u16 port, bool (*act)(struct session *session),
		    enum outcome most, const char *name)
{
	struct session session;
	char why[240];
	u64 took;

	begin(&session, port);
	session.at = CLIENT_READY;
	session.act = act_once;
	act_now = act;
	acted = false;
	took = now_ms();
	session_run(&session, client_script, client_steps);
	took = now_ms() - took;
	peer_close(&session.peer);
	snprintf(why, sizeof(why), "%s after %llu ms (%s)",
		 outcome_names[session.outcome], (unsigned long long)took,
		 session.words);
	ok(acted && session.outcome <= most && took < IN_TIME * slow, name, why);
}

static u32 odd_qp, odd_qpn;

/* Send a number that no QP can have. */
static bool tell_odd(struct session *session)
{
	static u8 room[TX_SIZE];
	struct icb_wire_qps *msg = (void *)room;
	struct icb_wire_qps own;
	u32 i;

	session_ready(session, (void *)room);
	session_send(session, ICB_WIRE_READY, room);
	session_sample(ICB_WIRE_QPS, msg);
	peer_take_datagrams(&session->peer);
	msg->qkey = OWN_QKEY;
	msg->count = QPS;
	for (i = 0; i < QPS; i++)
		msg->qpn[i] = session->peer.ud->qp_num;
	msg->qpn[odd_qp] = odd_qpn;
	session_send(session, ICB_WIRE_QPS, msg);
	if (session_recv(session, ICB_WIRE_READY, &session->offer) &&
	    session_recv(session, ICB_WIRE_QPS, &own))
		session_end(session, DONE, "accepted");
	return false;
}

static void try_numbers(u16 port)
{
	/* 0 and 1 are the QPs of the connection manager; the others are no QP's */
	static const u32 odd[] = { 0, 1, 0xffffff, 1 << 24, 1 << 24 | 2, U32_MAX };
	struct session session;
	char name[100];
	unsigned int i;

	if (skip("qps: datagrams of several QPs, and the numbers of these",
		 verb_lacks(ICBENCH_VERB_SEND, ICBENCH_TRANSPORT_UD)))
		return;
	begin(&session, port);
	session.transport = ICBENCH_TRANSPORT_UD;
	session_run(&session, client_script, client_steps);
	peer_close(&session.peer);
	ok(session.outcome == DONE, "qps: datagrams of several QPs",
	   session.words);
	for (odd_qp = 0; odd_qp <= QPS; odd_qp++) {
		struct tally tally = { 0 };

		for (i = 0; i < ARRAY_SIZE(odd); i++) {
			/* the entries behind the last QP are 0 */
			if (odd_qp == QPS && !odd[i])
				continue;
			odd_qpn = odd[i];
			begin(&session, port);
			session.transport = ICBENCH_TRANSPORT_UD;
			session.at = CLIENT_READY;
			session.act = tell_odd;
			session_run(&session, client_script, client_steps);
			peer_close(&session.peer);
			tally.count++;
			snprintf(name, sizeof(name), "number %#x", odd_qpn);
			if (session.outcome != REFUSED ||
			    !strstr(session.words, "malformed"))
				tally_fail(&tally, name, session.words);
		}
		snprintf(name, sizeof(name),
			 "qps: what is no QP's number %s QP %u: refused",
			 odd_qp < QPS ? "for" : "behind that of",
			 odd_qp < QPS ? odd_qp : QPS - 1);
		tally_ok(&tally, name);
	}
}

/* qps PORT */
int group_qps(char **args)
{
	u16 port = strtoul(args[0], NULL, 10);

	for (plan = plans; plan < plans + ARRAY_SIZE(plans); plan++)
		try_plan(port);
	attempt(port, ask_at_once, DONE,
		"qps: of many who ask for the same one at a time one is taken");
	attempt(port, lose_one, CLOSED,
		"qps: without one of them the run ends");
	attempt(port, give_up_one, CLOSED,
		"qps: and without one that was given up");
	try_numbers(port);
	return 0;
}

static const struct regions *regions;

static bool tell_offer(struct session *session)
{
	static u8 room[TX_SIZE];
	struct icb_wire_ready *msg = (void *)room;

	regions_write(regions, session, msg);
	session_send(session, ICB_WIRE_READY, room);
	if (session_recv(session, ICB_WIRE_READY, &session->offer))
		session_end(session, DONE, "accepted");
	return false;
}

static void try_offer(u16 port)
{
	struct session session;
	char name[100];

	session_init(&session, port);
	session.limit *= slow;
	session.timeout = 1000 * slow;
	session.verb = ICBENCH_VERB_WRITE;
	session.odd_attr = ICBENCH_A_PARAMS_BUFFERS;
	session.odd_value = regions->buffers;
	session.at = CLIENT_READY;
	session.act = tell_offer;
	session_run(&session, client_script, client_steps);
	peer_close(&session.peer);
	snprintf(name, sizeof(name), "offers: %u buffers: %s: %s",
		 regions->buffers, regions->name,
		 regions->words ? "refused" : "accepted");
	ok(regions->words ? session.outcome == REFUSED &&
			  strstr(session.words, regions->words) :
			  session.outcome == DONE, name, session.words);
}

/* offers PORT */
int group_offers(char **args)
{
	u16 port = strtoul(args[0], NULL, 10);
	struct session session;

	session_init(&session, port);
	session.limit *= slow;
	session.timeout = 1000 * slow;
	session.verb = ICBENCH_VERB_WRITE;
	session.regions = 4;
	session_run(&session, client_script, client_steps);
	peer_close(&session.peer);
	ok(session.outcome == DONE, "offers: a run with several regions",
	   session.words);
	for (regions = regions_tried; regions->name; regions++)
		try_offer(port);
	return 0;
}
