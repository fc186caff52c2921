// SPDX-License-Identifier: GPL-2.0
#include "tamper.h"

#define FIELD(_kind, _type, _field, _must) {				\
	.name = #_type "." #_field, .kind = (_kind),			\
	.off = offsetof(struct icb_wire_##_type, _field),		\
	.size = sizeof_field(struct icb_wire_##_type, _field),		\
	.repeat = 1, .must = (_must) }

/* The same field of some elements of an array, from the one that is named. */
#define FIELDS(_kind, _type, _field, _of, _count, _must) {		\
	.name = #_type "." #_field, .kind = (_kind),			\
	.off = offsetof(struct icb_wire_##_type, _field),		\
	.size = sizeof_field(struct icb_wire_##_type, _field),		\
	.repeat = (_count), .stride = sizeof(struct icb_wire_##_of),	\
	.must = (_must) }

/* In a run in which a region is told of, or could be. */
#define REGION(_verb, _field, _must) {					\
	.name = "ready." #_field " (" #_verb ")", .kind = ICB_WIRE_READY, \
	.off = offsetof(struct icb_wire_ready, _field),			\
	.size = sizeof_field(struct icb_wire_ready, _field),		\
	.repeat = 1, .must = (_must), .verb = ICBENCH_VERB_##_verb }

/* Of those that there is room for; all are checked alike. */
#define REGIONS_TRIED	4

/* A longer one than is due does no harm, where one is; nor a longer way to a next. */
#define REGIONS(_verb, _len)						\
	REGION(_verb, count, ALL),					\
	REGION(_verb, stride, _len),					\
	REGION(_verb, region[0].addr, ALL),				\
	REGION(_verb, region[0].rkey, ALL),				\
	REGION(_verb, region[0].len, _len),				\
	REGION(_verb, region[1].addr, ALL),				\
	REGION(_verb, region[1].rkey, ALL),				\
	REGION(_verb, region[1].len, ALL)

#define HEAD(_kind, _type)						\
	FIELD(_kind, _type, head.magic, ALL),				\
	FIELD(_kind, _type, head.type, ALL),				\
	FIELD(_kind, _type, head.len, ALL)

#define HELLO(_kind)							\
	FIELD(_kind, hello, magic, ALL),				\
	FIELD(_kind, hello, version, ALL),				\
	FIELD(_kind, hello, kind, ALL),					\
	FIELD(_kind, hello, cookie, ALL),				\
	FIELD(_kind, hello, lane, ALL),					\
	FIELD(_kind, hello, reserved, ALL)

#define READY								\
	HEAD(ICB_WIRE_READY, ready),					\
	FIELD(ICB_WIRE_READY, ready, count, ALL),			\
	FIELD(ICB_WIRE_READY, ready, stride, ALL),			\
	FIELDS(ICB_WIRE_READY, ready, region[0].addr, region,		\
	       REGIONS_TRIED, ALL),					\
	FIELDS(ICB_WIRE_READY, ready, region[0].rkey, region,		\
	       REGIONS_TRIED, ALL),					\
	FIELDS(ICB_WIRE_READY, ready, region[0].len, region,		\
	       REGIONS_TRIED, ALL),					\
	REGIONS(WRITE, ZERO)

/* Where datagrams go. Another QP, or Q_Key, is one that answers do not come to. */
#define QPS_FIELD(_field, _must) {					\
	.name = "qps." #_field, .kind = ICB_WIRE_QPS,			\
	.off = offsetof(struct icb_wire_qps, _field),			\
	.size = sizeof_field(struct icb_wire_qps, _field),		\
	.repeat = 1, .must = (_must),					\
	.transport = ICBENCH_TRANSPORT_UD }

#define QPS								\
	QPS_FIELD(head.magic, ALL),					\
	QPS_FIELD(head.type, ALL),					\
	QPS_FIELD(head.len, ALL),					\
	QPS_FIELD(qkey, ONES),						\
	QPS_FIELD(first, ALL),						\
	QPS_FIELD(count, ALL),						\
	QPS_FIELD(reserved, ALL),					\
	QPS_FIELD(qpn[0], ZERO | ONES),					\
	QPS_FIELD(qpn[1], ALL),						\
	QPS_FIELD(qpn[ICB_WIRE_QPNS - 1], ALL)

#define SPARE	(ICB_WIRE_PARAMS - GOOD_PARAMS)

/* What an initiator says. */
const struct field client_fields[] = {
	HELLO(KIND_HELLO),
	HELLO(KIND_JOIN),
	HEAD(ICB_WIRE_PROPOSE, propose),
	FIELD(ICB_WIRE_PROPOSE, propose, count, ALL),
	FIELD(ICB_WIRE_PROPOSE, propose, devices, ALL),
	FIELD(ICB_WIRE_PROPOSE, propose, worker, ALL),
	FIELD(ICB_WIRE_PROPOSE, propose, reserved, ALL),
	FIELDS(ICB_WIRE_PROPOSE, propose, param[0].attr, param, GOOD_PARAMS,
	       ALL),
	FIELDS(ICB_WIRE_PROPOSE, propose, param[0].reserved, param,
	       GOOD_PARAMS, ALL),
	/* zero, and one more, may be in range */
	FIELDS(ICB_WIRE_PROPOSE, propose, param[0].value, param, GOOD_SEED,
	       ONES | RANDOM),
	FIELD(ICB_WIRE_PROPOSE, propose, param[GOOD_SEED].value, NONE),
	FIELDS(ICB_WIRE_PROPOSE, propose, param[GOOD_PARAMS].attr, param,
	       SPARE, ALL),
	FIELDS(ICB_WIRE_PROPOSE, propose, param[GOOD_PARAMS].reserved, param,
	       SPARE, ALL),
	FIELDS(ICB_WIRE_PROPOSE, propose, param[GOOD_PARAMS].value, param,
	       SPARE, ALL),
	/* for a token, see there */
	FIELD(ICB_WIRE_PROPOSE, propose, mac, NONE),
	READY,
	/* who reads, or works on what is there, has none to tell of */
	REGIONS(READ, ALL),
	REGIONS(FETCH_ADD, ALL),
	QPS,
	HEAD(ICB_WIRE_END, end),
	FIELD(ICB_WIRE_END, end, sent, ALL),
	FIELD(ICB_WIRE_END, end, complete, ONES | NEXT | RANDOM),
	FIELD(ICB_WIRE_END, end, reserved, ALL),
};

const unsigned int client_field_count = ARRAY_SIZE(client_fields);

/* What a responder says. */
const struct field server_fields[] = {
	FIELD(KIND_WELCOME, welcome, magic, ALL),
	FIELD(KIND_WELCOME, welcome, reserved, ALL),
	FIELD(KIND_WELCOME, welcome, nonce, NONE),
	HEAD(ICB_WIRE_ANSWER, answer),
	FIELD(ICB_WIRE_ANSWER, answer, error, ALL),
	FIELD(ICB_WIRE_ANSWER, answer, cpu, ONES | RANDOM),
	FIELD(ICB_WIRE_ANSWER, answer, cookie, NONE),
	FIELD(ICB_WIRE_ANSWER, answer, words, NONE),
	READY,
	REGIONS(READ, ZERO),
	REGIONS(FETCH_ADD, ZERO),
	QPS,
	HEAD(ICB_WIRE_REPORT, report),
	FIELD(ICB_WIRE_REPORT, report, seen, NONE),
	FIELD(ICB_WIRE_REPORT, report, done, ALL),
	FIELD(ICB_WIRE_REPORT, report, elapsed, ALL),
	FIELD(ICB_WIRE_REPORT, report, delivered, ALL),
	FIELD(ICB_WIRE_REPORT, report, sent, ALL),
	FIELD(ICB_WIRE_REPORT, report, counted, ALL),
	FIELD(ICB_WIRE_REPORT, report, foreign, ALL),
	FIELD(ICB_WIRE_REPORT, report, bytes, ALL),
	FIELD(ICB_WIRE_REPORT, report, longest, ALL),
	FIELD(ICB_WIRE_REPORT, report, slow, ALL),
	FIELD(ICB_WIRE_REPORT, report, middle, ALL),
	FIELD(ICB_WIRE_REPORT, report, error, ALL),
	FIELD(ICB_WIRE_REPORT, report, reserved, ALL),
	FIELD(ICB_WIRE_REPORT, report, words, NONE),
};

const unsigned int server_field_count = ARRAY_SIZE(server_fields);

const char *const kind_names[KINDS] = {
	[ICB_WIRE_PROPOSE] = "propose",
	[ICB_WIRE_ANSWER] = "answer",
	[ICB_WIRE_READY] = "ready",
	[ICB_WIRE_END] = "end",
	[ICB_WIRE_REPORT] = "report",
	[ICB_WIRE_BYE] = "bye",
	[ICB_WIRE_NUDGE] = "nudge",
	[ICB_WIRE_MEASURED] = "measured",
	[ICB_WIRE_QPS] = "qps",
	[KIND_HELLO] = "control",
	[KIND_JOIN] = "data",
	[KIND_WELCOME] = "acceptance",
};

const size_t kind_sizes[KINDS] = {
	[ICB_WIRE_PROPOSE] = sizeof(struct icb_wire_propose),
	[ICB_WIRE_ANSWER] = sizeof(struct icb_wire_answer),
	[ICB_WIRE_READY] = sizeof(struct icb_wire_ready),
	[ICB_WIRE_END] = sizeof(struct icb_wire_end),
	[ICB_WIRE_REPORT] = sizeof(struct icb_wire_report),
	[ICB_WIRE_BYE] = sizeof(struct icb_wire_bye),
	[ICB_WIRE_NUDGE] = sizeof(struct icb_wire_head),
	[ICB_WIRE_MEASURED] = sizeof(struct icb_wire_head),
	[ICB_WIRE_QPS] = sizeof(struct icb_wire_qps),
	[KIND_HELLO] = sizeof(struct icb_wire_hello),
	[KIND_JOIN] = sizeof(struct icb_wire_hello),
	[KIND_WELCOME] = sizeof(struct icb_wire_welcome),
};

const char *const value_names[VALUES] = {
	[VALUE_ZERO] = "zero",
	[VALUE_ONES] = "all ones",
	[VALUE_NEXT] = "one more",
	[VALUE_RANDOM] = "random",
};

/* Each has room above and below, as far as its range does. */
const struct good_param good_params[GOOD_PARAMS] = {
	{ ICBENCH_A_PARAMS_TRIGGER, ICBENCH_TRIGGER_ECHO },
	{ ICBENCH_A_PARAMS_VERB, ICBENCH_VERB_SEND },
	{ ICBENCH_A_PARAMS_TRANSPORT, ICBENCH_TRANSPORT_RC },
	{ ICBENCH_A_PARAMS_SIZE, 64 },
	{ ICBENCH_A_PARAMS_ITERATIONS, 10000 },
	{ ICBENCH_A_PARAMS_COMPLETION, ICBENCH_COMPLETION_POLL },
	{ ICBENCH_A_PARAMS_CONTEXT, ICBENCH_CONTEXT_BH },
	{ ICBENCH_A_PARAMS_SIGNAL_EVERY, 16 },
	{ ICBENCH_A_PARAMS_PEER_CPU, 0 },
	{ ICBENCH_A_PARAMS_PRIORITY, ICBENCH_PRIORITY_NORMAL },
	{ ICBENCH_A_PARAMS_TIMEOUT, 1000000000 },
	{ ICBENCH_A_PARAMS_VERIFY, 0 },
	{ ICBENCH_A_PARAMS_SEED, 1 },
};

static u64 drawn;

/**
 * draw_seed() - begin a sequence of random numbers
 * @seed: the same one gives the same sequence
 */
void draw_seed(u64 seed)
{
	drawn = seed;
}

/**
 * draw() - the next random number
 *
 * Return: it.
 */
u64 draw(void)
{
	u64 x = drawn += 0x9e3779b97f4a7c15ULL;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

/**
 * tamper_field() - write a wrong value
 * @tamper: with a field
 * @msg: where to
 *
 * Return: whether the message is another one now.
 */
bool tamper_field(const struct tamper *tamper, void *msg)
{
	const struct field *field = tamper->field;
	u8 *at = (u8 *)msg + field->off + tamper->at * field->stride;
	u8 before[512];
	size_t i;

	memcpy(before, at, field->size);
	for (i = 0; i < field->size; i++) {
		switch (tamper->value) {
		case VALUE_ZERO:
			at[i] = 0;
			break;
		case VALUE_ONES:
			at[i] = 0xff;
			break;
		case VALUE_RANDOM:
			at[i] = draw();
			break;
		default:
			break;
		}
	}
	for (i = 0; tamper->value == VALUE_NEXT && i < field->size; i++)
		if (++at[i])
			break;
	return memcmp(before, at, field->size);
}
