/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The script of one side, step by step, up to a step at which the side violates the
 * protocol.
 */
#ifndef SESSION_H
#define SESSION_H

#include "peer.h"
#include "tamper.h"
#include "verb.h"

enum outcome {
	DONE,		/* the run ended as agreed */
	REFUSED,	/* by the other side, with a reason */
	CLOSED,		/* by the other side, without a reason */
	SILENT,		/* the other side did nothing within the limit */
	ODD,		/* the other side violated the protocol */
};

extern const char *const outcome_names[];

/**
 * struct session - one side of a run
 * @peer: connections
 * @port: port to connect to, or to listen at
 * @verb: verb of the run
 * @transport: transport of the run
 * @trigger: trigger of the run: echo, or completion for a stream
 * @direction: direction of a stream
 * @completion: completion mode of the run, where its verb has this mode
 * @token: token that signs; NULL for no signature
 * @timeout: proposed timeout, ms; 0 for that of good_params
 * @size: proposed message size, bytes; 0 for that of the verb
 * @window: proposed window; 0 for none
 * @verify: true if the proposal asks for a check of each message
 * @odd_attr: parameter that is proposed with @odd_value; 0 for none
 * @odd_value: proposed value of @odd_attr
 * @left_out: parameter of good_params that is not proposed; 0 for none
 * @buffers: buffers in the offered region; 0 for one
 * @qps: QPs of the run; 0 for one
 * @regions: regions that this side offers, one buffer each; 0 for one
 * @limit: longest wait for the other side, ms
 * @tamper: fault in a message
 * @tampered: true if the sent message differs from a correct one
 * @at: step before which @act is called; 0 for none
 * @act: action; returns true to continue, else it has set @outcome
 * @step: current step
 * @cookie: cookie of the data connections
 * @qp: QP index in the next connection request
 * @qpn: destination QP number of each QP's datagrams
 * @proposal: proposal as it was sent
 * @offer: regions of the other side
 * @seq: number of data messages sent
 * @back: number of data messages that a responder has streamed, part of @seq
 * @back_ns: duration of the responder's stream, ns
 * @liar: true if the responder reports the initiator's count as its own
 * @outcome: outcome of the session
 * @words: reason of the outcome
 */
struct session {
	struct peer peer;
	u16 port;
	u32 verb;
	u32 transport;
	u32 trigger;
	u32 direction;
	u32 completion;
	const char *token;
	unsigned int timeout;
	u32 size;
	u32 window;
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
	u32 qp;
	u32 qpn[QPS];
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
 * struct script_step - step of a script
 * @name: what the step waits for, or does
 * @go: performs the step; returns true to continue
 * @due: returns true if a session takes the step; NULL if all do
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

void session_forked(void);
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
