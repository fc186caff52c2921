// SPDX-License-Identifier: GPL-2.0
/* Faults in an initiator's messages, against icbenchctl serve. */
#include <stdlib.h>
#include <unistd.h>

#include "attacks.h"
#include "report.h"

/**
 * port_of() - read a port number
 * @arg: argument of a group
 *
 * Return: the port.
 */
u16 port_of(const char *arg)
{
	return strtoul(arg, NULL, 10);
}

/**
 * begin() - set up a session of an initiator
 * @session: session to set up
 * @port: port of the server
 */
void begin(struct session *session, u16 port)
{
	session_init(session, port);
	session->limit *= slow;
}

/* A server that has not yet released earlier peers asks new ones to try again. */
#define BUSY_WORDS	"the responder is busy with "
#define BUSY_US		100000
#define BUSY_TRIES	100

static bool is_busy(const struct session *session)
{
	return session->outcome == REFUSED &&
	       !strncmp(session->words, BUSY_WORDS, strlen(BUSY_WORDS));
}

/**
 * go() - run a session to its end
 * @session: session that has begun; begun again as long as the server is busy
 */
void go(struct session *session)
{
	const struct session begun = *session;
	unsigned int tries = BUSY_TRIES * slow;

	for (;;) {
		session_run(session, client_script, client_steps);
		peer_close(&session->peer);
		if (!is_busy(session))
			return;
		if (!tries--) {
			session_end(session, ODD, "busy for too long");
			return;
		}
		usleep(BUSY_US);
		*session = begun;
		peer_open(&session->peer);
	}
}

/* Secrets that the server gave to runs. */
static struct told {
	u64 value[12];
	unsigned int count;
} cookies, qkeys;

static void note(struct told *told, u64 value)
{
	if (told->count < ARRAY_SIZE(told->value))
		told->value[told->count++] = value;
}

/* Values must not be guessable: those from a counter would have equal bits in @mask. */
static bool differ(const struct told *told, u64 mask)
{
	unsigned int i, j;

	for (i = 0; i < told->count; i++)
		for (j = 0; j < i; j++)
			if (!((told->value[i] ^ told->value[j]) & mask))
				return false;
	return told->count > 2;
}

/**
 * good() - test a run that succeeds
 * @port: port of the server
 * @verb: verb of the run
 * @transport: transport of the run
 * @token: token that signs; NULL for no signature
 * @name: name of the test
 */
void good(u16 port, u32 verb, u32 transport, const char *token,
	  const char *name)
{
	const char *lacks = verb_lacks(verb, transport);
	struct session session;
	char text[100];

	begin(&session, port);
	session.timeout = 1000 * slow;
	session.verb = verb;
	session.transport = transport;
	session.token = token;
	go(&session);
	if (lacks) {
		snprintf(text, sizeof(text), "%s: refused, %s", name, lacks);
		/* siw may lose the text of the refusal */
		ok((session.outcome == REFUSED || session.outcome == CLOSED) &&
		   (!*session.words ||
		    strstr(session.words, " is not possible on ")), text,
		   session.words);
		return;
	}
	ok(session.outcome == DONE, name, session.words);
	note(&cookies, session.cookie);
	if (session_datagrams(&session))
		note(&qkeys, session.peer.to.qkey);
}

static void good_stream(u16 port, u32 direction, const char *name)
{
	struct session session;

	begin(&session, port);
	session.timeout = 1000 * slow;
	session.trigger = ICBENCH_TRIGGER_COMPLETION;
	session.direction = direction;
	go(&session);
	ok(session.outcome == DONE, name, session.words);
}

int group_good(char **args)
{
	char name[80];
	unsigned int i;
	u32 verb;

	for (verb = 0; verb < verb_count(); verb++) {
		snprintf(name, sizeof(name), "a good initiator: %s",
			 verb_word(verb));
		good(port_of(args[0]), verb, ICBENCH_TRANSPORT_RC, NULL, name);
	}
	for (i = 0; i < 3; i++)
		good(port_of(args[0]), ICBENCH_VERB_SEND, ICBENCH_TRANSPORT_UD,
		     NULL, "a good initiator: datagrams");
	good_stream(port_of(args[0]), ICBENCH_DIRECTION_UNI,
		    "a good initiator: stream");
	/*
	 * over rxe a message that finds no receive is retried; over iWARP it breaks the
	 * connection
	 */
	snprintf(name, sizeof(name), "a good initiator: stream both ways");
	if (!skip(name, verb_iwarp() ?
		  "over iWARP a message that finds no receive breaks the connection" :
		  NULL))
		good_stream(port_of(args[0]), ICBENCH_DIRECTION_BI, name);
	good(port_of(args[1]), ICBENCH_VERB_SEND, ICBENCH_TRANSPORT_RC,
	     getenv("WIRE_TOKEN"), "a good initiator: token");
	ok(differ(&cookies, ~0ULL << 32),
	   "a good initiator: each run has a cookie of its own", "alike");
	snprintf(name, sizeof(name),
		 "a good initiator: each run of datagrams has a Q_Key of its own");
	if (!skip(name, verb_lacks(ICBENCH_VERB_SEND, ICBENCH_TRANSPORT_UD)))
		ok(differ(&qkeys, 0xffffff00), name, "alike");
	return 0;
}

static unsigned int extra;

static bool say_extra(struct session *session)
{
	static u8 room[TX_SIZE];

	session_sample(extra, room);
	return session_send(session, extra, room);
}

/* Messages that no step of the script sends are sent at its end. */
static void say_beside(struct session *session, unsigned int kind)
{
	extra = kind;
	session->at = CLIENT_END;
	session->act = say_extra;
}

/**
 * attack_field() - set up a session that sends a wrong field
 * @session: session whose verb is set
 * @field: wrong field
 * @at: index of the array element, from 0
 * @value: wrong value
 */
void attack_field(struct session *session, const struct field *field,
		  unsigned int at, enum value value)
{
	session->tamper.kind = field->kind;
	session->tamper.field = field;
	session->tamper.at = at;
	session->tamper.value = value;
	if (field->kind == KIND_PROBE)
		probe_tampered(session);
	else if (tamper_beside(field->kind))
		say_beside(session, field->kind);
}

static void try_field(struct tally *tally, u16 port, const struct field *field,
		      unsigned int at, enum value value)
{
	struct session session;
	char what[80];

	begin(&session, port);
	session.verb = field->verb;
	session.transport = field->transport;
	session.regions = field->regions;
	attack_field(&session, field, at, value);
	go(&session);
	/* a field that had this value before is not wrong */
	snprintf(what, sizeof(what), "number %u, %s", at, value_names[value]);
	tally_session(tally, &session,
		      session.tampered && field->must & 1 << value, what);
}

int group_fields(char **args)
{
	unsigned int i, at, value;
	char name[100];

	for (i = 0; i < client_field_count; i++) {
		const struct field *field = &client_fields[i];
		struct tally tally = { 0 };

		snprintf(name, sizeof(name), "%s: %s",
			 kind_names[field->kind], field->name);
		if (skip(name, verb_lacks(field->verb, field->transport)))
			continue;
		for (at = 0; at < field->repeat; at++)
			for (value = 0; value < VALUES; value++)
				if (!left_out(i + at + value))
					try_field(&tally, port_of(args[0]),
						  field, at, value);
		tally_ok(&tally, name);
	}
	return 0;
}

static const unsigned int said[] = {
	ICB_WIRE_PROPOSE, ICB_WIRE_READY, ICB_WIRE_QPS, ICB_WIRE_END,
};

/* Begin a session of a run in which the message is used. */
static void begin_saying(struct session *session, u16 port, unsigned int kind)
{
	begin(session, port);
	session->tamper.kind = kind;
	session->transport = session_transport(kind);
	if (tamper_beside(kind))
		say_beside(session, kind);
}

static void try_length(struct tally *tally, u16 port, unsigned int kind,
		       unsigned int as, u32 len, bool honest)
{
	struct session session;
	char what[80];

	begin_saying(&session, port, kind);
	session.tamper.as = as;
	session.tamper.change = true;
	session.tamper.len = len;
	session.tamper.honest = honest;
	go(&session);
	snprintf(what, sizeof(what), "%u bytes%s", len,
		 honest ? ", as its head says" : "");
	/* the right length of a message that is only a header is in the list, too */
	tally_session(tally, &session, len != kind_sizes[as ? : kind], what);
}

static void try_lengths(u16 port, unsigned int kind, unsigned int as)
{
	const u32 own = kind_sizes[as ? : kind];
	const u32 lens[] = {
		0, 1, sizeof(struct icb_wire_head) - 1,
		sizeof(struct icb_wire_head), own - 1, own + 1, 511, 512, 513,
		4096, 65535, TX_SIZE,
	};
	struct tally tally = { 0 };
	char name[100];
	unsigned int i;

	snprintf(name, sizeof(name), "%s%s%s: of another length",
		 as ? kind_names[as] : "", as ? " for " : "",
		 kind_names[kind]);
	if (skip(name, session_lacks(kind)))
		return;
	for (i = 0; i < 2 * ARRAY_SIZE(lens); i++)
		if (!left_out(kind + i / 2 + i % 2))
			try_length(&tally, port, kind, as, lens[i / 2], i % 2);
	tally_ok(&tally, name);
}

/* A short request that the connection manager pads to the original has to be accepted. */
static void try_private(struct tally *tally, u16 port, unsigned int kind,
			u32 len, u8 tail)
{
	struct session session;
	char what[80];

	begin(&session, port);
	if (kind == KIND_PROBE)
		probe_tampered(&session);
	session.tamper.kind = kind;
	session.tamper.change = true;
	session.tamper.len = len;
	session.tamper.tail = tail;
	go(&session);
	snprintf(what, sizeof(what), "%u bytes, the last of which is %u", len,
		 tail);
	tally_session(tally, &session, session.tampered, what);
	if (!session.tampered && session.outcome != DONE)
		tally_fail(tally, what, session.words);
	if (tail && !session.tampered)
		tally_fail(tally, what, "nothing was wrong with it");
}

/* Lengths up to the 56 bytes that a request has room for. */
static void try_hello(u16 port, unsigned int kind)
{
	static const u8 lens[] = {
		0, 3, 4, 6, 7, 8, 23, 24, 25, 39, 40, 41, 56
	};
	struct tally tally = { 0 };
	char name[100];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		try_private(&tally, port, kind, lens[i], 0);
		if (lens[i] > kind_sizes[kind])
			try_private(&tally, port, kind, lens[i],
				    1 + draw() % 255);
	}
	snprintf(name, sizeof(name), "%s: of another length",
		 kind_names[kind]);
	tally_ok(&tally, name);
}

/*
 * A parameter that the verb does not allow. The rules of the command line apply to a
 * peer, too.
 */
static void try_rule(u16 port, u32 verb, u32 attr, u64 value, const char *name)
{
	struct session session;
	char text[100];

	begin(&session, port);
	session.verb = verb;
	session.odd_attr = attr;
	session.odd_value = value;
	go(&session);
	snprintf(text, sizeof(text), "%s with %s %llu: refused",
		 verb_word(verb), name, (unsigned long long)value);
	/* the text has to begin with the name of the parameter */
	ok(session.outcome == REFUSED &&
	   !strncmp(session.words, name, strlen(name)) &&
	   session.words[strlen(name)] == ':', text, session.words);
}

static void try_rules(u16 port, u32 verb)
{
	const struct icb_param *completion =
		icb_param_by_attr(ICBENCH_A_PARAMS_COMPLETION);
	const struct icb_verb *row = verb_row(verb);
	u32 mode;

	for (mode = 0; mode <= completion->max; mode++)
		if (!(row->completions & BIT(mode)))
			try_rule(port, verb, ICBENCH_A_PARAMS_COMPLETION, mode,
				 "completion");
	if (row->min_size)
		try_rule(port, verb, ICBENCH_A_PARAMS_SIZE, row->min_size - 1,
			 "size");
	if (row->max_size)
		try_rule(port, verb, ICBENCH_A_PARAMS_SIZE, row->max_size + 1,
			 "size");
	if (row->passive) {
		try_rule(port, verb, ICBENCH_A_PARAMS_SIGNAL_EVERY, 2,
			 "signal-every");
		try_rule(port, verb, ICBENCH_A_PARAMS_INLINE, 1, "inline");
	}
	/*
	 * too few for any verb, too many for the message, or more than the device
	 * supports
	 */
	try_rule(port, verb, ICBENCH_A_PARAMS_SGES, 0, "sges");
	try_rule(port, verb, ICBENCH_A_PARAMS_SGES, SIZE, "sges");
	try_rule(port, verb, ICBENCH_A_PARAMS_SGES, SIZE + 1, "sges");
	try_rule(port, verb, ICBENCH_A_PARAMS_MAX_SGES, ICBENCH_MAX_SGES,
		 "max-sges");
}

/*
 * Reuse needs a number of buffers that follows from the number of operations, so this has
 * to be proposed.
 */
static void try_reuse(u16 port)
{
	static const u32 left_out[] = { 0, ICBENCH_A_PARAMS_ITERATIONS };
	struct session session;
	bool malformed;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(left_out); i++) {
		begin(&session, port);
		session.verb = ICBENCH_VERB_WRITE;
		session.trigger = ICBENCH_TRIGGER_COMPLETION;
		session.odd_attr = ICBENCH_A_PARAMS_REUSE;
		session.odd_value = 99;
		session.left_out = left_out[i];
		go(&session);
		malformed = session.outcome == REFUSED &&
			    strstr(session.words, "malformed proposal");
		ok(session.outcome <= CLOSED && malformed == !!left_out[i],
		   left_out[i] ? "reuse 99 without iterations: refused" :
				 "reuse 99 with iterations: not for that",
		   session.words);
	}
}

/*
 * A case from an audit: 64 QPs share two buffers, and a callback on the other host would
 * fill and check each message.
 */
static void try_callbacks(u16 port)
{
	static const u32 modes[] = {
		ICBENCH_COMPLETION_SOFTIRQ, ICBENCH_COMPLETION_WORKQUEUE,
	};
	struct session session;
	unsigned int i;
	char name[80];

	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		begin(&session, port);
		session.odd_attr = ICBENCH_A_PARAMS_COMPLETION;
		session.odd_value = modes[i];
		session.qps = 64;
		session.size = 60U << 20;
		session.verify = true;
		go(&session);
		snprintf(name, sizeof(name),
			 "more than a callback may check, mode %u: refused",
			 modes[i]);
		ok(session.outcome == REFUSED &&
		   !strncmp(session.words, "verify: ", 8), name, session.words);
	}
}

/*
 * Streams whose windows of 16 MiB and more a callback of the other host would fill and
 * check: refused if a single step is too large, else done in parts.
 */
static void try_windows(u16 port)
{
	static const struct {
		u32 size;
		u32 window;
		u32 batch;
		u32 mode;
		bool refused;
		const char *name;
	} rows[] = {
		{ 64 << 10, 1024, 8, ICBENCH_COMPLETION_SOFTIRQ, true,
		  "batches of 512 KiB in a callback: refused" },
		{ 512 << 10, 32, 1, ICBENCH_COMPLETION_WORKQUEUE, true,
		  "messages of 512 KiB in a callback: refused" },
		{ 256 << 10, 64, 1, ICBENCH_COMPLETION_SOFTIRQ, false,
		  "a window of 16 MiB in a softirq: accepted" },
		{ 4 << 10, 4096, 64, ICBENCH_COMPLETION_WORKQUEUE, false,
		  "a window of 16 MiB in a work queue: accepted" },
	};
	struct session session;
	unsigned int i;
	bool good;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		begin(&session, port);
		session.trigger = ICBENCH_TRIGGER_COMPLETION;
		session.direction = ICBENCH_DIRECTION_BI;
		session.completion = rows[i].mode;
		session.size = rows[i].size;
		session.window = rows[i].window;
		session.verify = true;
		session.odd_attr = ICBENCH_A_PARAMS_BATCH;
		session.odd_value = rows[i].batch;
		/* this peer's receives are too short for the responder's stream */
		session.tampered = true;
		go(&session);
		if (rows[i].refused)
			good = session.outcome == REFUSED &&
			       !strncmp(session.words, "verify: ", 8);
		else
			good = session.step > CLIENT_JOIN &&
			       session.outcome <= CLOSED;
		ok(good, rows[i].name, session.words);
	}
}

int group_rules(char **args)
{
	char name[60];
	u32 verb;

	try_callbacks(port_of(args[0]));
	try_windows(port_of(args[0]));

	try_reuse(port_of(args[0]));

	for (verb = 0; verb < verb_count(); verb++) {
		snprintf(name, sizeof(name), "the rules of %s", verb_word(verb));
		if (!skip(name, verb_lacks(verb, ICBENCH_TRANSPORT_RC)))
			try_rules(port_of(args[0]), verb);
	}
	return 0;
}

/* A value out of range has to be refused by name; any other run has to end. */
static void try_value(struct tally *tally, u16 port,
		      const struct icb_param *param, u64 value, bool out)
{
	struct session session;
	char what[40], why[200];
	bool named;

	begin(&session, port);
	session.odd_attr = param->attr;
	session.odd_value = value;
	/* the run may differ from that of the script */
	session.tampered = true;
	go(&session);
	named = !strncmp(session.words, param->name, strlen(param->name)) &&
		session.words[strlen(param->name)] == ':';
	if (!(param->flags & ICB_PARAM_WIRE))
		named = strstr(session.words, "does not support parameter");
	tally->count++;
	snprintf(what, sizeof(what), "%llu", (unsigned long long)value);
	snprintf(why, sizeof(why), "%s (%s)", outcome_names[session.outcome],
		 session.words);
	if (session.outcome == SILENT ||
	    (out && (session.outcome != REFUSED || !named)))
		tally_fail(tally, what, why);
}

/* A parameter that is not the responder's is refused with any value. */
static void try_param(u16 port, const struct icb_param *param)
{
	bool foreign = !(param->flags & ICB_PARAM_WIRE);
	const u64 span = param->max - param->min + 1;
	const u64 inside[] = {
		param->min, param->max, param->min + draw() % (span ? : U64_MAX),
	};
	const u64 above = U64_MAX - param->max;
	struct tally tally = { 0 };
	char name[100];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(inside); i++)
		try_value(&tally, port, param, inside[i], foreign);
	if (param->min)
		try_value(&tally, port, param, param->min - 1, true);
	if (above) {
		try_value(&tally, port, param, param->max + 1, true);
		try_value(&tally, port, param, U64_MAX, true);
		try_value(&tally, port, param,
			  param->max + 1 + draw() % above, true);
	}
	/* in range if only the lower 32 bits are kept */
	if (param->max <= U32_MAX)
		try_value(&tally, port, param, 1ULL << 32 | inside[2], true);
	snprintf(name, sizeof(name), "parameter %s: %s", param->name,
		 foreign ? "not the responder's" : "in its range and out of it");
	tally_ok(&tally, name);
}

/* Each parameter of the module's table, and unknown ones. */
int group_params(char **args)
{
	const struct icb_param unknown[] = {
		{ "PAD", .attr = ICBENCH_A_PARAMS_PAD },
		{ "one more than there are", .attr = ICBENCH_A_PARAMS_MAX + 1 },
		{ "63", .attr = 63 }, { "64", .attr = 64 }, { "65535", .attr = 65535 },
	};
	unsigned int i;

	for (i = 0; i < icb_param_count; i++)
		try_param(port_of(args[0]), &icb_param_table[i]);
	for (i = 0; i < ARRAY_SIZE(unknown); i++)
		try_param(port_of(args[0]), &unknown[i]);
	return 0;
}

int group_lengths(char **args)
{
	u16 port = port_of(args[0]);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(said); i++) {
		try_lengths(port, said[i], 0);
		try_lengths(port, said[i], ICB_WIRE_BYE);
	}
	try_lengths(port, ICB_WIRE_BYE, 0);
	try_lengths(port, ICB_WIRE_NUDGE, 0);
	try_lengths(port, ICB_WIRE_MEASURED, 0);
	try_hello(port, KIND_HELLO);
	try_hello(port, KIND_JOIN);
	try_hello(port, KIND_PROBE);
	return 0;
}

static void tally_done(struct tally *tally, const struct session *session,
		       const char *what)
{
	tally->count++;
	if (session->outcome != DONE)
		tally_fail(tally, what, session->words);
}

/* Send each message before each step, in addition to the messages that are due. */
static void try_extra(u16 port)
{
	struct session session;
	struct tally tally;
	char name[100];
	unsigned int at;

	for (at = CLIENT_PROPOSE; at <= CLIENT_END; at++) {
		memset(&tally, 0, sizeof(tally));
		for (extra = 1; extra < ICB_WIRE_TYPES; extra++) {
			begin(&session, port);
			session.at = at;
			session.act = say_extra;
			go(&session);
			if (extra == ICB_WIRE_NUDGE ||
			    extra == ICB_WIRE_MEASURED) {
				/* these have no effect on a responder */
				tally_done(&tally, &session, kind_names[extra]);
				continue;
			}
			/*
			 * an extra end cuts the run short; the server may read it only
			 * after the messages, and the run then ends well
			 */
			tally_session(&tally, &session,
				      at < CLIENT_ECHO ||
				      extra != ICB_WIRE_END,
				      kind_names[extra]);
		}
		snprintf(name, sizeof(name), "another message before %s",
			 client_script[at].name);
		tally_ok(&tally, name);
	}
}

static void try_instead(u16 port)
{
	struct session session;
	struct tally tally;
	unsigned int i, as;
	char name[100];

	for (i = 0; i < ARRAY_SIZE(said); i++) {
		memset(&tally, 0, sizeof(tally));
		snprintf(name, sizeof(name), "%s: another message in its place",
			 kind_names[said[i]]);
		if (skip(name, session_lacks(said[i])))
			continue;
		for (as = 1; as < ICB_WIRE_TYPES; as++) {
			if (as == said[i])
				continue;
			begin_saying(&session, port, said[i]);
			session.tamper.as = as;
			go(&session);
			tally_session(&tally, &session, true, kind_names[as]);
		}
		tally_ok(&tally, name);
	}
}

/* Repeat once, and more often than there are receives. */
static void try_repeat(u16 port)
{
	static const unsigned int times[] = { 1, 3, 4, 20 };
	struct session session;
	struct tally tally;
	char name[100];
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(said); i++) {
		memset(&tally, 0, sizeof(tally));
		snprintf(name, sizeof(name), "%s: repeated",
			 kind_names[said[i]]);
		if (skip(name, session_lacks(said[i])))
			continue;
		for (j = 0; j < ARRAY_SIZE(times); j++) {
			begin_saying(&session, port, said[i]);
			session.tamper.times = times[j];
			go(&session);
			/* the server reads no message after the end */
			tally_session(&tally, &session,
				      said[i] != ICB_WIRE_END, "repeated");
		}
		tally_ok(&tally, name);
	}
}

/**
 * sniffed() - build a connection request from captured packets of a run
 * @session: session of the run
 * @kind: kind of the request
 * @qp: index of the QP
 *
 * Return: the request.
 */
struct icb_wire_hello sniffed(const struct session *session, unsigned int kind,
			      u32 qp)
{
	return (struct icb_wire_hello) {
		.magic = ICB_WIRE_MAGIC,
		.version = ICB_WIRE_VERSION,
		.kind = kind,
		.cookie = session->cookie,
		.qp = qp,
	};
}

/**
 * refuses() - send a second connection request for a run
 * @session: session of the run
 * @hello: the request
 *
 * Return: true if the server rejects the request.
 */
bool refuses(struct session *session, const struct icb_wire_hello *hello)
{
	struct peer second;
	bool refused;

	peer_open(&second);
	peer_resolve(&second, &second.data, ADDRESS, session->port,
		     session->limit);
	peer_connect(&second.data, hello, sizeof(*hello));
	refused = peer_wait(&second, second.data.state >= END_CONNECTED,
			    session->limit) &&
		  second.data.state == END_REJECTED;
	peer_close(&second);
	peer_pump(&session->peer, 0);
	return refused;
}

static bool join_twice(struct session *session)
{
	struct icb_wire_hello hello = sniffed(session, ICB_WIRE_DATA, 0);

	return refuses(session, &hello) ||
	       session_end(session, ODD, "a second data connection");
}

#define MANY	64

/* More regions than a message holds, for as many buffers. */
static bool offer_many(struct session *session)
{
	static u8 room[TX_SIZE];
	struct icb_wire_ready *msg = (void *)room;
	unsigned int i;

	session_ready(session, msg);
	for (i = 1; i < ICB_WIRE_REGIONS; i++)
		msg->region[i] = msg->region[0];
	msg->count = MANY;
	if (session_send(session, ICB_WIRE_READY, room) &&
	    session_recv(session, ICB_WIRE_READY, &session->offer))
		session_end(session, ODD, "accepted");
	return false;
}

int group_order(char **args)
{
	u16 port = port_of(args[0]);
	struct session session;

	try_extra(port);
	try_instead(port);
	try_repeat(port);
	begin(&session, port);
	session.at = CLIENT_READY;
	session.act = join_twice;
	go(&session);
	ok(session.outcome == DONE,
	   "a second data connection is refused, the first one serves",
	   session.words);
	/* in user space, the connection manager makes only reliable connections */
	begin(&session, port);
	session.transport = ICBENCH_TRANSPORT_UC;
	go(&session);
	ok((session.outcome == REFUSED || session.outcome == CLOSED) &&
	   session.step == CLIENT_JOIN,
	   "a reliable data connection where an unreliable one is due: refused",
	   session.words);
	begin(&session, port);
	session.verb = ICBENCH_VERB_WRITE;
	session.odd_attr = ICBENCH_A_PARAMS_BUFFERS;
	session.odd_value = MANY;
	session.at = CLIENT_READY;
	session.act = offer_many;
	go(&session);
	ok(session.outcome == REFUSED && strstr(session.words, "64 regions"),
	   "more regions than a message holds are refused",
	   session.words);
	return 0;
}
