/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One side's script, step by step, up to where something is done that nobody
 * should do.
 */
#ifndef SESSION_H
#define SESSION_H

#include "peer.h"
#include "tamper.h"
#include "verb.h"

enum outcome {
	DONE,		/* as if all were well */
	REFUSED,	/* with words */
	CLOSED,		/* without */
	SILENT,		/* the other side did nothing, for too long */
	ODD,		/* the other side does not speak the protocol */
};

extern const char *const outcome_names[];

/**
 * struct session - a side of a run
 * @peer: its connections
 * @port: where to, or where it listens
 * @verb: of the run
 * @transport: of the run
 * @trigger: of the run: echo, or completion for a stream
 * @direction: of a stream
 * @token: what it signs with; NULL for no signature
 * @timeout: that it proposes, ms; 0 for the one of good_params
 * @size: that it proposes, bytes; 0 for the one of its verb
 * @verify: it proposes that each message is checked
 * @odd_attr: parameter that it proposes otherwise than its verb has it; 0 for
 *	none
 * @odd_value: what for
 * @left_out: parameter of good_params that it does not propose; 0 for none
 * @buffers: that the other side is told of; 0 for one
 * @qps: of the run; 0 for one
 * @regions: that this side tells of, with a buffer in each; 0 for one
 * @limit: for whatever the other side has to do, ms
 * @tamper: what is wrong with a message
 * @tampered: it was another message
 * @at: the step before which @act is called; 0 for none
 * @act: returns whether to go on; if not, @outcome is set
 * @step: how far it got
 * @cookie: of the data connection
 * @lane: where the next connection says that it belongs
 * @qpn: where datagrams of each lane go
 * @proposal: as it was sent
 * @offer: the other side's regions
 * @seq: data messages sent
 * @back: of them, those that a responder has streamed
 * @back_ns: the time that they took
 * @liar: a responder that reports whatever it is told that it saw
 * @outcome: how it ended
 * @words: why
 */
struct session {
	struct peer peer;
	u16 port;
	u32 verb;
	u32 transport;
	u32 trigger;
	u32 direction;
	const char *token;
	unsigned int timeout;
	u32 size;
	bool verify;
	u32 odd_attr;
	u64 odd_value;
	u32 left_out;
	unsigned int buffers;
	u32 qps;
	u32 regions;
	unsigned int limit;
	struct tamper tamper;
	bool tampered;
	unsigned int at;
	bool (*act)(struct session *session);
	unsigned int step;
	u64 cookie;
	u32 lane;
	u32 qpn[LANES];
	struct icb_wire_propose proposal;
	struct icb_wire_ready offer;
	u64 seq;
	u64 back;
	u64 back_ns;
	bool liar;
	enum outcome outcome;
	char words[160];
};

#define MESSAGES	5
#define SEED		1
#define ADDRESS		"10.77.0.1"

/**
 * struct script_step - a step of a script
 * @name: what it waits for, or does
 * @go: returns whether to go on
 * @due: whether a session has it; NULL for all
 */
struct script_step {
	const char *name;
	bool (*go)(struct session *session);
	bool (*due)(const struct session *session);
};

extern const struct script_step client_script[];
extern const unsigned int client_steps;
extern const struct script_step server_script[];
extern const unsigned int server_steps;

enum client_step {
	CLIENT_CONNECT,
	CLIENT_PROPOSE,
	CLIENT_ANSWER,
	CLIENT_JOIN,
	CLIENT_READY,
	CLIENT_OFFER,
	CLIENT_ECHO,
	CLIENT_END,
	CLIENT_REPORT,
	CLIENT_LEAVE,
};

void session_init(struct session *session, u16 port);
void session_run(struct session *session, const struct script_step *script,
		 unsigned int steps);
bool session_has(const struct session *session, const struct script_step *step);
bool session_end(struct session *session, enum outcome outcome,
		 const char *words);
void session_connect(struct session *session, struct end *end,
		     unsigned int kind, u64 cookie);
bool session_send(struct session *session, unsigned int kind, void *msg);
bool session_recv(struct session *session, unsigned int type, void *msg);
void session_sample(unsigned int kind, void *msg);
bool session_let_go(struct session *session);
void session_prove(const struct session *session, struct icb_wire_hello *hello);
void session_sign(struct session *session, struct icb_wire_propose *msg);
bool session_datagrams(const struct session *session);
bool session_tell_qps(struct session *session);
bool session_hear_qps(struct session *session);
void session_ready(struct session *session, struct icb_wire_ready *msg);
bool session_post_data(struct session *session, bool initiator);
bool session_await_data(struct session *session, u64 number);
u8 *session_buffer(const struct session *session, u64 number);
u32 session_qps(const struct session *session);
u64 session_count(const struct session *session);
u32 session_transport(unsigned int kind);
const char *session_lacks(unsigned int kind);

#endif /* SESSION_H */
