// SPDX-License-Identifier: GPL-2.0
/* A hostile server, against icbenchctl run. */
#include <stdlib.h>
#include <sys/wait.h>

#include "initiator.h"
#include "mirror.h"
#include "server.h"

/* The initiator's timeout, and the additional time that it may take on a busy host, ms. */
#define TIMEOUT_MS	1000
#define GRACE_MS	4000

static u16 port;
static u64 usual_ms;
static u64 longest_ms;

/**
 * struct runs - kind of runs that the initiator is started for
 * @name: prefix of test names
 * @trigger: trigger of the runs
 * @direction: direction of streams
 * @sizes: true if message sizes vary
 */
static const struct runs {
	const char *name;
	u32 trigger;
	u32 direction;
	bool sizes;
} ping_pongs = {
	.name = "mirror",
}, streams = {
	.name = "mirror: a stream",
	.trigger = ICBENCH_TRIGGER_COMPLETION,
}, both_ways = {
	.name = "mirror: a stream both ways",
	.trigger = ICBENCH_TRIGGER_COMPLETION,
	.direction = ICBENCH_DIRECTION_BI,
}, sizes_both_ways = {
	.name = "mirror: a stream both ways, of many sizes",
	.trigger = ICBENCH_TRIGGER_COMPLETION,
	.direction = ICBENCH_DIRECTION_BI,
	.sizes = true,
};

static const struct runs *runs = &ping_pongs;

static bool says(const struct initiator *initiator, const char *words)
{
	return strstr(initiator->said, words) ||
	       (verb_iwarp() && !strcmp(words, BROKEN) &&
		strstr(initiator->said, GONE));
}

static void check(struct tally *tally, const struct initiator *initiator,
		  bool must, const char *what)
{
	u64 limit = usual_ms + initiator->timeout + GRACE_MS * slow;
	int status = WIFEXITED(initiator->status) ?
		     WEXITSTATUS(initiator->status) : 255;
	char why[500];

	tally->count++;
	if (initiator->ms > longest_ms)
		longest_ms = initiator->ms;
	snprintf(why, sizeof(why), "status %d after %llu ms: %s", status,
		 (unsigned long long)initiator->ms, initiator->said);
	if (initiator->ms > limit ||
	    !(initiator_failed(initiator) ||
	      (!must && !status && !*initiator->said)))
		tally_fail(tally, what, why);
}

/*
 * Timeout of a run, ms. On a busy host it is a multiple of the duration of a run, so that the
 * initiator does not end before the server's fault has come.
 */
static unsigned int run_timeout(void)
{
	return max_t(unsigned int, TIMEOUT_MS * slow, 8 * usual_ms);
}

/**
 * mirror_begin() - set up a session of a well-behaved server and listen
 * @session: session; its verb, QPs and regions set the initiator's verb, QPs and
 *	buffers
 */
void mirror_begin(struct session *session)
{
	session_init(session, port);
	session->limit = run_timeout() + GRACE_MS * slow;
	session->cookie = draw();
	session->trigger = runs->trigger;
	session->direction = runs->direction;
	peer_listen(&session->peer, ADDRESS, port);
}

/* Run both sides. Return: true if the initiator ended by itself. */
static bool run_with(struct session *session, struct initiator *initiator)
{
	bool ended;

	*initiator = (struct initiator) {
		.trigger = runs->trigger,
		.direction = runs->direction,
		.completion = session->completion,
		.sizes = runs->sizes,
		.qps = session->qps,
		.buffers = session->regions,
		.timeout = run_timeout(),
	};
	initiator_start(initiator, port, session->verb, session->transport);
	session_run(session, server_script, server_steps);
	ended = initiator_finish(initiator, &session->peer);
	peer_close(&session->peer);
	return ended;
}

/**
 * mirror_go() - run that fails, or may fail
 * @session: session that has begun, with a fault
 * @tally: tally of the attempts
 * @must: the run has to fail; else it may also succeed
 * @words: text that the initiator's message has to contain; NULL for any
 * @what: name of the attempt
 */
void mirror_go(struct session *session, struct tally *tally, bool must,
	       const char *words, const char *what)
{
	struct initiator initiator;

	if (!run_with(session, &initiator))
		tally_fail(tally, what, "did not end");
	/* a field that had this value before is not wrong */
	if (session->tamper.field)
		must = must && session->tampered;
	check(tally, &initiator, must, what);
	if (words && !says(&initiator, words))
		tally_fail(tally, "other words", initiator.said);
	if (session->outcome == ODD)
		tally_fail(tally, what, session->words);
}

/**
 * mirror_well() - run that succeeds
 * @session: session that has begun
 * @tally: tally of the attempts
 * @what: name of the attempt
 *
 * Return: duration, ms.
 */
u64 mirror_well(struct session *session, struct tally *tally, const char *what)
{
	struct initiator initiator;
	char why[600];
	bool ended;

	ended = run_with(session, &initiator);
	tally->count++;
	snprintf(why, sizeof(why), "the server: %s (%s); status %#x: %s",
		 outcome_names[session->outcome], session->words,
		 initiator.status, initiator.said);
	if (!ended || session->outcome != DONE || initiator.status ||
	    *initiator.said)
		tally_fail(tally, what, why);
	return initiator.ms;
}

static void go(struct session *session, struct tally *tally, bool must,
	       const char *what)
{
	mirror_go(session, tally, must, NULL, what);
}

/**
 * mirror_expect() - run that fails with a given text, or succeeds
 * @session: session of the server; consumed
 * @tally: tally of the test
 * @words: text of the failure, "" for any; NULL if the run succeeds
 * @what: name of the attempt
 */
void mirror_expect(struct session *session, struct tally *tally,
		   const char *words, const char *what)
{
	if (words)
		mirror_go(session, tally, true, words, what);
	else
		mirror_well(session, tally, what);
}

/**
 * mirror_end() - end a test with a run that has to succeed
 * @session: session without a fault; consumed
 * @tally: tally of the test
 * @name: name of the test
 */
void mirror_end(struct session *session, struct tally *tally, const char *name)
{
	mirror_well(session, tally, "a good run after it");
	tally_ok(tally, name);
}

/**
 * mirror_good() - test a run that succeeds, and use its duration in the limit of others
 * @session: session that has begun
 * @name: name of the test
 */
void mirror_good(struct session *session, const char *name)
{
	struct tally tally = { 0 };

	usual_ms = mirror_well(session, &tally, name);
	printf("# %s: %llu ms\n", name, (unsigned long long)usual_ms);
	ok(!tally.failed, name, tally.why);
}

static void try_good(u32 verb, u32 transport, const char *name)
{
	struct session session;

	if (skip(name, verb_lacks(verb, transport)))
		return;
	mirror_begin(&session);
	session.verb = verb;
	session.transport = transport;
	mirror_good(&session, name);
}

static bool is_both_ways(void)
{
	return runs->direction == ICBENCH_DIRECTION_BI;
}

/*
 * Ping-pongs try all messages. Of streams, only the report and the messages that the
 * direction affects are tried: all others are sent before the first data message, in any
 * run.
 */
static bool is_of_runs(const struct field *field)
{
	if (runs->trigger == ICBENCH_TRIGGER_ECHO)
		return true;
	return field->verb == ICBENCH_VERB_SEND &&
	       field->transport == ICBENCH_TRANSPORT_RC &&
	       (field->kind == ICB_WIRE_REPORT ||
		(is_both_ways() ? field->kind == ICB_WIRE_MEASURED :
				  tamper_beside(field->kind)));
}

static bool must_fail(const struct field *field, enum value value)
{
	unsigned int may = is_both_ways() ? field->both : 0;

	return field->must & ~may & 1 << value;
}

static void try_fields(void)
{
	struct session session;
	unsigned int i, at, value;
	char text[100], what[60];

	for (i = 0; i < server_field_count; i++) {
		const struct field *field = &server_fields[i];
		struct tally tally = { 0 };

		if (!is_of_runs(field))
			continue;
		snprintf(text, sizeof(text), "%s: %s: %s", runs->name,
			 kind_names[field->kind], field->name);
		if (skip(text, verb_lacks(field->verb, field->transport)))
			continue;
		for (at = 0; at < field->repeat; at++) {
			for (value = 0; value < VALUES; value++) {
				if (left_out(i + at + value))
					continue;
				mirror_begin(&session);
				session.verb = field->verb;
				session.transport = field->transport;
				session.tamper.kind = field->kind;
				session.tamper.field = field;
				session.tamper.at = at;
				session.tamper.value = value;
				server_beside(&session);
				snprintf(what, sizeof(what), "number %u, %s",
					 at, value_names[value]);
				go(&session, &tally, must_fail(field, value),
				   what);
			}
		}
		tally_ok(&tally, text);
	}
}

static const unsigned int said[] = {
	ICB_WIRE_ANSWER, ICB_WIRE_READY, ICB_WIRE_QPS, ICB_WIRE_REPORT,
};

/* Begin a run in which the message is used. */
static void begin_saying(struct session *session, unsigned int kind)
{
	mirror_begin(session);
	session->tamper.kind = kind;
	session->transport = session_transport(kind);
	server_beside(session);
}

/* The initiator looks only at the magic of an acceptance, and at no bytes behind it. */
static void try_private(struct tally *tally, unsigned int kind, u32 len,
			u8 tail)
{
	struct session session;
	char what[60];

	begin_saying(&session, kind);
	session.tamper.change = true;
	session.tamper.len = len;
	session.tamper.tail = tail;
	snprintf(what, sizeof(what), "%u bytes, the last of which is %u", len,
		 tail);
	go(&session, tally,
	   kind == KIND_REJECT || len < sizeof_field(struct icb_wire_welcome, magic),
	   what);
}

static void try_privates(unsigned int kind)
{
	static const u8 lens[] = { 0, 3, 4, 8, 23, 25, 127, 129, PRIVATE_SIZE };
	struct tally tally = { 0 };
	char name[100];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lens); i++)
		try_private(&tally, kind, lens[i],
			    lens[i] > kind_sizes[kind] ? 1 + draw() % 255 : 0);
	snprintf(name, sizeof(name), "mirror: %s: of another length",
		 kind_names[kind]);
	tally_ok(&tally, name);
}

static void try_length(unsigned int kind, u32 len, bool honest,
		       struct tally *tally)
{
	struct session session;
	char what[60];

	begin_saying(&session, kind);
	session.tamper.change = true;
	session.tamper.len = len;
	session.tamper.honest = honest;
	snprintf(what, sizeof(what), "%u bytes", len);
	/* the right length of a message that is only a header is in the list, too */
	go(&session, tally, len != kind_sizes[kind], what);
}

static void try_lengths(unsigned int kind)
{
	const u32 own = kind_sizes[kind];
	const u32 lens[] = {
		0, sizeof(struct icb_wire_head), own - 1, own + 1, 512, 513,
		TX_SIZE,
	};
	struct tally tally = { 0 };
	char name[100];
	unsigned int i;

	snprintf(name, sizeof(name), "%s: %s: of another length", runs->name,
		 kind_names[kind]);
	if (skip(name, session_lacks(kind)))
		return;
	for (i = 0; i < ARRAY_SIZE(lens); i++)
		if (!left_out(kind + i))
			try_length(kind, lens[i], draw() % 2, &tally);
	tally_ok(&tally, name);
}

static void try_all_lengths(void)
{
	unsigned int i;

	try_privates(KIND_WELCOME);
	try_privates(KIND_REJECT);
	for (i = 0; i < ARRAY_SIZE(said); i++)
		try_lengths(said[i]);
	try_lengths(ICB_WIRE_BYE);
	try_lengths(ICB_WIRE_NUDGE);
	try_lengths(ICB_WIRE_MEASURED);
}

/* Messages whose absence or repetition does not fail a run. */
static bool is_dispensable(unsigned int kind)
{
	return kind == ICB_WIRE_NUDGE || kind == ICB_WIRE_MEASURED;
}

/* Send each other message instead of @kind, and @kind repeatedly. */
static void try_others(unsigned int kind)
{
	bool needed = !is_dispensable(kind);
	struct tally tally = { 0 };
	struct session session;
	char name[120];
	unsigned int as;

	snprintf(name, sizeof(name),
		 "%s: %s: another message in its place, or repeated",
		 runs->name, kind_names[kind]);
	if (skip(name, session_lacks(kind)))
		return;
	for (as = 1; as < ICB_WIRE_TYPES; as++) {
		if (as == kind)
			continue;
		begin_saying(&session, kind);
		session.tamper.as = as;
		go(&session, &tally, needed || !is_dispensable(as),
		   kind_names[as]);
	}
	begin_saying(&session, kind);
	session.tamper.times = 1 + draw() % 20;
	/* the initiator receives no message after the report */
	go(&session, &tally, needed && kind != ICB_WIRE_REPORT, "repeated");
	tally_ok(&tally, name);
}

static void try_all_others(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(said); i++)
		try_others(said[i]);
}

static unsigned int extra;

static bool say_extra(struct session *session)
{
	static u8 room[TX_SIZE];

	session_sample(extra, room);
	session_send(session, extra, room);
	/* an extra answer has another cookie, which the initiator then uses */
	session->tampered = extra == ICB_WIRE_ANSWER;
	/*
	 * at an extra end the initiator stops, and does not wait for the answer to its
	 * last message
	 */
	session->liar = extra == ICB_WIRE_END;
	return true;
}

/* From the start of the run on, a report is the message that is due next. */
static bool is_next(unsigned int at)
{
	return extra == ICB_WIRE_REPORT && at > SERVER_READY;
}

/*
 * An early report of a run of datagrams may be accepted: only the report shows how many
 * arrived. So may a bye right before the report, because the report completes the run.
 */
static bool may_be_taken(const struct session *session, unsigned int at)
{
	return is_dispensable(extra) ||
	       (session_datagrams(session) && is_next(at)) ||
	       (extra == ICB_WIRE_BYE && at == SERVER_REPORT);
}

/* Text of the failure: the unexpected message, or that the server ended the run. */
static const char *extra_words(const struct session *session, unsigned int at)
{
	if (may_be_taken(session, at) || is_next(at))
		return NULL;
	return extra == ICB_WIRE_BYE ? "the peer ended the run: " :
				       "the peer sent message ";
}

static void begin_extra(struct session *session, u32 transport)
{
	mirror_begin(session);
	session->transport = transport;
	/* with several QPs, the script has all steps of connecting */
	if (runs->trigger == ICBENCH_TRIGGER_ECHO && transport == ICBENCH_TRANSPORT_RC)
		session->qps = QPS;
}

/* Send each message before a step, in addition to the messages that are due. */
static void try_extra(unsigned int at, u32 transport)
{
	struct tally tally = { 0 };
	struct session session;
	char name[120];
	bool has;

	snprintf(name, sizeof(name), "%s%s: another message before %s",
		 runs->name,
		 transport == ICBENCH_TRANSPORT_UD ? ": datagrams" : "",
		 server_script[at].name);
	if (skip(name, verb_lacks(ICBENCH_VERB_SEND, transport)))
		return;
	begin_extra(&session, transport);
	has = session_has(&session, &server_script[at]);
	peer_close(&session.peer);
	if (!has)
		return;
	for (extra = 1; extra < ICB_WIRE_TYPES; extra++) {
		begin_extra(&session, transport);
		session.at = at;
		session.act = say_extra;
		mirror_go(&session, &tally, !may_be_taken(&session, at),
			  extra_words(&session, at), kind_names[extra]);
	}
	begin_extra(&session, transport);
	mirror_end(&session, &tally, name);
}

static void try_extras(u32 transport)
{
	unsigned int at;

	for (at = SERVER_ANSWER; at <= SERVER_REPORT; at++)
		try_extra(at, transport);
}

static bool stay_silent(struct session *session)
{
	return session_let_go(session);
}

static bool disconnect_control(struct session *session)
{
	peer_disconnect(&session->peer.ctl);
	return session_end(session, CLOSED, "");
}

static bool disconnect_data(struct session *session)
{
	peer_disconnect(&session->peer.data);
	return session_let_go(session);
}

static bool break_control(struct session *session)
{
	peer_break(&session->peer.ctl);
	return session_let_go(session);
}

static bool break_data(struct session *session)
{
	peer_break(&session->peer.data);
	return session_let_go(session);
}

static bool say_bye(struct session *session)
{
	static u8 room[TX_SIZE];

	session_sample(ICB_WIRE_BYE, room);
	memset(((struct icb_wire_bye *)room)->words, '\n', ICB_WIRE_WORDS);
	session_send(session, ICB_WIRE_BYE, room);
	return session_let_go(session);
}

/* Reject with no text, or with unprintable text. */
static bool reject(struct session *session)
{
	struct icb_wire_reject msg = { .magic = ICB_WIRE_MAGIC };
	struct peer *peer = &session->peer;
	struct end *end = peer->data.id ? &peer->data : &peer->ctl;
	u64 how = draw() % 3;

	memset(msg.words, how ? '\n' : 0xff, sizeof(msg.words));
	rdma_reject(end->id, &msg, how == 2 ? 0 : sizeof(msg));
	return session_end(session, CLOSED, "");
}

static const struct {
	const char *name;
	bool (*act)(struct session *session);
	unsigned int first;
	unsigned int last;
} ways[] = {
	{ "silent", stay_silent, SERVER_ACCEPT, SERVER_REPORT },
	{ "disconnected", disconnect_control, SERVER_PROPOSAL,
	  SERVER_REPORT },
	{ "data disconnected", disconnect_data, SERVER_OFFER, SERVER_ECHO },
	{ "QP broken", break_control, SERVER_PROPOSAL, SERVER_REPORT },
	{ "data QP broken", break_data, SERVER_OFFER, SERVER_ECHO },
	{ "bye", say_bye, SERVER_PROPOSAL, SERVER_REPORT },
	{ "control connection rejected", reject, SERVER_ACCEPT, SERVER_ACCEPT },
	{ "data connection rejected", reject, SERVER_JOINED, SERVER_JOINED },
};

static void try_ways(void)
{
	struct session session;
	unsigned int i, at;
	char name[100];

	for (i = 0; i < ARRAY_SIZE(ways); i++) {
		struct tally tally = { 0 };

		for (at = ways[i].first; at <= ways[i].last; at++) {
			mirror_begin(&session);
			if (!session_has(&session, &server_script[at])) {
				peer_close(&session.peer);
				continue;
			}
			session.at = at;
			session.act = ways[i].act;
			go(&session, &tally, true, server_script[at].name);
		}
		snprintf(name, sizeof(name), "%s: %s, at each step", runs->name,
			 ways[i].name);
		tally_ok(&tally, name);
	}
}

/* The bye with the reason follows the end of the data connection after this delay, ms. */
#define LATE_MS		50
#define REASON		"no more of this"

static void say_why(struct session *session)
{
	struct icb_wire_bye msg;

	peer_wait(&session->peer, false, LATE_MS);
	session_sample(ICB_WIRE_BYE, &msg);
	snprintf(msg.words, sizeof(msg.words), REASON);
	session_send(session, ICB_WIRE_BYE, &msg);
}

static bool tell_why(struct session *session)
{
	say_why(session);
	return session_let_go(session);
}

static bool reject_first(struct session *session)
{
	const struct icb_wire_reject msg = {
		.magic = ICB_WIRE_MAGIC,
		.words = "none waits",
	};

	rdma_reject(session->peer.data.id, &msg, sizeof(msg));
	return tell_why(session);
}

static bool disconnect_first(struct session *session)
{
	peer_disconnect(&session->peer.data);
	return tell_why(session);
}

/* After the bye, the control connection ends, too. */
static bool disconnect_all(struct session *session)
{
	peer_disconnect(&session->peer.data);
	say_why(session);
	peer_disconnect(&session->peer.ctl);
	return session_end(session, CLOSED, "");
}

static const struct {
	const char *name;
	bool (*act)(struct session *session);
	unsigned int at;
} reasons[] = {
	{ "rejection", reject_first, SERVER_JOINED },
	{ "disconnection", disconnect_first, SERVER_OFFER },
	{ "disconnection in the run", disconnect_first, SERVER_ECHO },
	{ "disconnection of all", disconnect_all, SERVER_OFFER },
	{ "disconnection of all in the run", disconnect_all, SERVER_ECHO },
};

static void try_reasons(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(reasons); i++) {
		struct tally tally = { 0 };
		struct session session;
		char name[100];

		mirror_begin(&session);
		session.at = reasons[i].at;
		session.act = reasons[i].act;
		mirror_go(&session, &tally, true,
			  "the peer ended the run: " REASON, reasons[i].name);
		snprintf(name, sizeof(name),
			 "mirror: a %s, and the reason behind it",
			 reasons[i].name);
		tally_ok(&tally, name);
	}
}

static unsigned int answer_len;
static unsigned int answers;
static unsigned int answer_at;

/* Send wrong answers, from the message after @answer_at on. */
static bool answer_wrongly(struct session *session)
{
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND };
	struct peer *peer = &session->peer;
	unsigned int i;

	while (session->seq < answer_at &&
	       session_await_data(session, session->seq + 1))
		session_post_data(session, false);
	session_await_data(session, session->seq + 1);
	for (i = 0; i < answers && !peer->data.status && !peer_over(peer); i++)
		peer_post(peer, &peer->data, &wr, peer->memory->data_tx,
			  answer_len);
	return session_let_go(session);
}

static void try_answers(unsigned int at)
{
	static const struct {
		const char *name;
		unsigned int count;
		unsigned int len;
	} wrong[] = {
		{ "nothing", 0, 0 },
		{ "an empty message", 1, 0 },
		{ "a byte less", 1, SIZE - 1 },
		{ "a byte more", 1, SIZE + 1 },
		{ "much more", 1, DATA_SIZE },
		{ "too many messages", 200, SIZE },
		{ "too many of a wrong size", 200, SIZE + 1 },
	};
	struct session session;
	unsigned int i, j;
	char name[100];

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct tally tally = { 0 };

		for (j = 0; j < 3; j++) {
			answers = wrong[i].count;
			answer_len = wrong[i].len;
			answer_at = j * 11;
			mirror_begin(&session);
			session.at = at;
			session.act = answer_wrongly;
			go(&session, &tally, true, "answer");
		}
		snprintf(name, sizeof(name), "%s: %s is %s", runs->name,
			 is_both_ways() ? "what comes back" : "the answer",
			 wrong[i].name);
		tally_ok(&tally, name);
	}
}

static const struct field *find_field(size_t off)
{
	unsigned int i;

	for (i = 0; i < server_field_count; i++)
		if (server_fields[i].kind == ICB_WIRE_REPORT &&
		    server_fields[i].off == off)
			return &server_fields[i];
	abort();
}

static bool stream_nothing(struct session *session)
{
	session->step = SERVER_MEASURED;
	return true;
}

/*
 * Report a number of operations that the initiator cannot count itself. It accepts only
 * what is plausible for the elapsed time.
 */
static void try_claims(u32 verb, bool (*act)(struct session *session))
{
	static const enum value values[] = { VALUE_ZERO, VALUE_ONES, VALUE_RANDOM };
	struct tally tally = { 0 };
	struct session session;
	unsigned int i;
	char name[100];

	for (i = 0; i < ARRAY_SIZE(values); i++) {
		mirror_begin(&session);
		session.verb = verb;
		session.at = act ? SERVER_BACK : 0;
		session.act = act;
		session.tamper.kind = ICB_WIRE_REPORT;
		session.tamper.field =
			find_field(offsetof(struct icb_wire_report, done));
		session.tamper.value = values[i];
		go(&session, &tally, true, value_names[values[i]]);
	}
	snprintf(name, sizeof(name), "%s: %s: what the server says it measured",
		 runs->name, verb_word(verb));
	tally_ok(&tally, name);
}

static void try_streams(void)
{
	runs = &streams;
	try_good(ICBENCH_VERB_SEND, ICBENCH_TRANSPORT_RC,
		 "mirror: a good server: a stream");
	try_fields();
	try_lengths(ICB_WIRE_REPORT);
	try_ways();
}

static void try_both_ways(void)
{
	runs = &both_ways;
	try_good(ICBENCH_VERB_READ, ICBENCH_TRANSPORT_RC,
		 "mirror: a good server: a stream both ways, by reads");
	try_good(ICBENCH_VERB_SEND, ICBENCH_TRANSPORT_RC,
		 "mirror: a good server: a stream both ways");
	try_fields();
	try_lengths(ICB_WIRE_REPORT);
	try_lengths(ICB_WIRE_MEASURED);
	try_others(ICB_WIRE_MEASURED);
	try_ways();
	try_answers(SERVER_BACK);
	try_claims(ICBENCH_VERB_READ, NULL);
	runs = &sizes_both_ways;
	try_claims(ICBENCH_VERB_SEND, stream_nothing);
}

/* Send messages when others are due, in runs that together have all steps of the script. */
static void try_order(void)
{
	struct session session;

	try_good(ICBENCH_VERB_SEND, ICBENCH_TRANSPORT_UD,
		 "mirror: a good server: datagrams");
	try_extras(ICBENCH_TRANSPORT_UD);
	begin_extra(&session, ICBENCH_TRANSPORT_RC);
	mirror_good(&session, "mirror: a good server: several QPs");
	try_extras(ICBENCH_TRANSPORT_RC);
	runs = &both_ways;
	try_good(ICBENCH_VERB_SEND, ICBENCH_TRANSPORT_RC,
		 "mirror: a good server: a stream both ways");
	try_extras(ICBENCH_TRANSPORT_RC);
}

/* mirror PORT PART */
int group_mirror(char **args)
{
	char name[60];
	u32 verb;

	port = strtoul(args[0], NULL, 10);
	if (!strcmp(args[1], "fields")) {
		try_good(ICBENCH_VERB_SEND, ICBENCH_TRANSPORT_UD,
			 "mirror: a good server: datagrams");
		/* the last one is a send: its duration is used in the limit of others */
		for (verb = verb_count(); verb--;) {
			snprintf(name, sizeof(name),
				 "mirror: a good server: %s", verb_word(verb));
			try_good(verb, ICBENCH_TRANSPORT_RC, name);
		}
		try_fields();
	} else if (!strcmp(args[1], "streams")) {
		try_streams();
		try_both_ways();
	} else if (!strcmp(args[1], "order")) {
		try_order();
	} else if (!strcmp(args[1], "offers")) {
		try_good(ICBENCH_VERB_READ, ICBENCH_TRANSPORT_RC,
			 "mirror: a good server");
		mirror_offers();
	} else if (!strcmp(args[1], "qps")) {
		mirror_qps();
	} else if (!strcmp(args[1], "regions")) {
		mirror_regions();
	} else if (strcmp(args[1], "steps")) {
		fprintf(stderr, "mirror: no part %s\n", args[1]);
		return 2;
	} else {
		try_good(ICBENCH_VERB_SEND, ICBENCH_TRANSPORT_RC,
			 "mirror: a good server");
		try_all_lengths();
		try_all_others();
		try_ways();
		try_reasons();
		try_answers(SERVER_ECHO);
	}
	printf("# the longest run took %llu ms, of which a good one needs %llu\n",
	       (unsigned long long)longest_ms, (unsigned long long)usual_ms);
	return 0;
}
