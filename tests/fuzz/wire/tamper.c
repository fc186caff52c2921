// SPDX-License-Identifier: GPL-2.0
#include "tamper.h"
#include "verb.h"

#define FIELD(_kind, _type, _field, _must) {				\
	.name = #_type "." #_field, .kind = (_kind),			\
	.off = offsetof(struct icb_wire_##_type, _field),		\
	.size = sizeof_field(struct icb_wire_##_type, _field),		\
	.repeat = 1, .must = (_must) }

/* A field of @_count elements of an array, from the named element on. */
#define FIELDS(_kind, _type, _field, _element, _count, _of, _must) {	\
	.name = #_type "." #_field, .kind = (_kind),			\
	.off = offsetof(struct icb_wire_##_type, _field),		\
	.size = sizeof_field(struct icb_wire_##_type, _field),		\
	.repeat = (_count), .of = (_of),				\
	.stride = sizeof(struct icb_wire_##_element),			\
	.must = (_must) }

/* A field of message ready in a run of a verb. */
#define REGION(_verb, _field, _must) {					\
	.name = "ready." #_field " (" #_verb ")", .kind = ICB_WIRE_READY, \
	.off = offsetof(struct icb_wire_ready, _field),			\
	.size = sizeof_field(struct icb_wire_ready, _field),		\
	.repeat = 1, .must = (_must), .verb = ICBENCH_VERB_##_verb }

/* Number of array elements that are tried; all are checked by the same code. */
#define REGIONS_TRIED	4

#define BATCHES_TRIED	2

/* With one region, a greater length or stride (_len) may be accepted. */
#define REGIONS(_verb, _len)						\
	REGION(_verb, count, ALL),					\
	REGION(_verb, stride, _len),					\
	REGION(_verb, region[0].addr, ALL),				\
	REGION(_verb, region[0].rkey, ALL),				\
	REGION(_verb, region[0].len, _len),				\
	REGION(_verb, region[1].addr, ALL),				\
	REGION(_verb, region[1].rkey, ALL),				\
	REGION(_verb, region[1].len, ALL)

/*
 * A field of message ready in a run with several regions, which the other side writes to
 * in turn.
 */
#define EACH_REGION(_field, _repeat, _must) {				\
	.name = "ready." #_field " (WRITE, several regions)",		\
	.kind = ICB_WIRE_READY,						\
	.off = offsetof(struct icb_wire_ready, _field),			\
	.size = sizeof_field(struct icb_wire_ready, _field),		\
	.repeat = (_repeat), .stride = sizeof(struct icb_wire_region),	\
	.must = (_must), .verb = ICBENCH_VERB_WRITE,			\
	.regions = REGIONS_TRIED }

#define SEVERAL_REGIONS							\
	EACH_REGION(count, 1, ALL),					\
	EACH_REGION(stride, 1, ZERO),					\
	EACH_REGION(region[0].addr, REGIONS_TRIED, ALL),		\
	EACH_REGION(region[0].rkey, REGIONS_TRIED, ALL),		\
	/* with a greater length, the region may hold the next buffer as well */ \
	EACH_REGION(region[0].len, 1, ZERO | ONES | RANDOM),		\
	EACH_REGION(region[1].len, REGIONS_TRIED - 1, ZERO),		\
	EACH_REGION(region[REGIONS_TRIED].addr, 1, ALL),		\
	EACH_REGION(region[REGIONS_TRIED].rkey, 1, ALL),		\
	EACH_REGION(region[REGIONS_TRIED].len, 1, ALL)

#define HEAD(_kind, _type)						\
	FIELD(_kind, _type, head.magic, ALL),				\
	FIELD(_kind, _type, head.type, ALL),				\
	FIELD(_kind, _type, head.len, ALL)

/* The proof is ignored if there is no token, and has to be 0 for the control connection. */
#define HELLO(_kind, _proof)						\
	FIELD(_kind, hello, magic, ALL),				\
	FIELD(_kind, hello, version, ALL),				\
	FIELD(_kind, hello, kind, ALL),					\
	FIELD(_kind, hello, cookie, ALL),				\
	FIELD(_kind, hello, qp, ALL),					\
	FIELD(_kind, hello, reserved, ALL),				\
	FIELD(_kind, hello, proof, _proof)

#define READY								\
	HEAD(ICB_WIRE_READY, ready),					\
	FIELD(ICB_WIRE_READY, ready, count, ALL),			\
	FIELD(ICB_WIRE_READY, ready, stride, ALL),			\
	FIELDS(ICB_WIRE_READY, ready, region[0].addr, region,		\
	       REGIONS_TRIED, ICB_WIRE_REGIONS, ALL),					\
	FIELDS(ICB_WIRE_READY, ready, region[0].rkey, region,		\
	       REGIONS_TRIED, ICB_WIRE_REGIONS, ALL),					\
	FIELDS(ICB_WIRE_READY, ready, region[0].len, region,		\
	       REGIONS_TRIED, ICB_WIRE_REGIONS, ALL),					\
	REGIONS(WRITE, ZERO)

/*
 * A field that is 0 unless both sides stream; _both: values that the peer then cannot
 * check.
 */
#define RETURNED(_field, _both) {					\
	.name = "report." #_field, .kind = ICB_WIRE_REPORT,		\
	.off = offsetof(struct icb_wire_report, _field),		\
	.size = sizeof_field(struct icb_wire_report, _field),		\
	.repeat = 1, .must = ALL, .both = (_both) }

/* Messages that may be sent at any time. */
#define BESIDE								\
	HEAD(ICB_WIRE_BYE, bye),					\
	FIELD(ICB_WIRE_BYE, bye, words, ALL),				\
	HEAD_ALONE(ICB_WIRE_NUDGE, ZERO | ONES | RANDOM),		\
	HEAD_ALONE(ICB_WIRE_MEASURED, ALL)

/* The type of a nudge, plus one, is that of a measured message, which is harmless, too. */
#define HEAD_ALONE(_kind, _type)					\
	FIELD(_kind, head, magic, ALL),					\
	FIELD(_kind, head, type, _type),				\
	FIELD(_kind, head, len, ALL)

/*
 * Destination of datagrams. The peer cannot detect another QP or Q_Key; no answers arrive
 * then.
 */
#define QPS_FIELD(_field, _of, _must) {					\
	.name = "qps." #_field, .kind = ICB_WIRE_QPS,			\
	.off = offsetof(struct icb_wire_qps, _field),			\
	.size = sizeof_field(struct icb_wire_qps, _field),		\
	.repeat = 1, .of = (_of), .stride = sizeof(__le32),		\
	.must = (_must),						\
	.transport = ICBENCH_TRANSPORT_UD }

#define QPS								\
	QPS_FIELD(head.magic, 1, ALL),					\
	QPS_FIELD(head.type, 1, ALL),					\
	QPS_FIELD(head.len, 1, ALL),					\
	QPS_FIELD(qkey, 1, ONES),					\
	QPS_FIELD(first, 1, ALL),					\
	QPS_FIELD(count, 1, ALL),					\
	QPS_FIELD(reserved, 1, ALL),					\
	QPS_FIELD(qpn[0], 1, ZERO | ONES),				\
	QPS_FIELD(qpn[1], ICB_WIRE_QPNS - 2, ALL),			\
	QPS_FIELD(qpn[ICB_WIRE_QPNS - 1], 1, ALL)

#define SPARE	(ICB_WIRE_PARAMS - GOOD_PARAMS)

/* Fields of the messages of an initiator. */
const struct field client_fields[] = {
	HELLO(KIND_HELLO, ALL),
	HELLO(KIND_JOIN, NONE),
	HELLO(KIND_PROBE, NONE),
	HEAD(ICB_WIRE_PROPOSE, propose),
	FIELD(ICB_WIRE_PROPOSE, propose, count, ALL),
	FIELD(ICB_WIRE_PROPOSE, propose, devices, ALL),
	FIELD(ICB_WIRE_PROPOSE, propose, worker, ALL),
	FIELD(ICB_WIRE_PROPOSE, propose, reserved, ALL),
	FIELDS(ICB_WIRE_PROPOSE, propose, param[0].attr, param, GOOD_PARAMS,
	       0, ALL),
	FIELDS(ICB_WIRE_PROPOSE, propose, param[0].reserved, param,
	       GOOD_PARAMS, 0, ALL),
	/* zero, and the next value, may be in range */
	FIELDS(ICB_WIRE_PROPOSE, propose, param[0].value, param, GOOD_SEED,
	       0, ONES | RANDOM),
	FIELD(ICB_WIRE_PROPOSE, propose, param[GOOD_SEED].value, NONE),
	FIELDS(ICB_WIRE_PROPOSE, propose, param[GOOD_PARAMS].attr, param,
	       SPARE, 0, ALL),
	FIELDS(ICB_WIRE_PROPOSE, propose, param[GOOD_PARAMS].reserved, param,
	       SPARE, 0, ALL),
	FIELDS(ICB_WIRE_PROPOSE, propose, param[GOOD_PARAMS].value, param,
	       SPARE, 0, ALL),
	/* checked only with a token, see group_token() */
	FIELD(ICB_WIRE_PROPOSE, propose, mac, NONE),
	READY,
	/* an initiator that reads, or uses atomics, has no regions to offer */
	REGIONS(READ, ALL),
	REGIONS(FETCH_ADD, ALL),
	SEVERAL_REGIONS,
	QPS,
	HEAD(ICB_WIRE_END, end),
	FIELD(ICB_WIRE_END, end, sent, ALL),
	FIELD(ICB_WIRE_END, end, complete, ONES | NEXT | RANDOM),
	FIELD(ICB_WIRE_END, end, reserved, ALL),
	BESIDE,
};

const unsigned int client_field_count = ARRAY_SIZE(client_fields);

/* Fields of the messages of a responder. */
const struct field server_fields[] = {
	FIELD(KIND_WELCOME, welcome, magic, ALL),
	FIELD(KIND_WELCOME, welcome, reserved, ALL),
	FIELD(KIND_WELCOME, welcome, nonce, NONE),
	FIELD(KIND_REJECT, reject, magic, ALL),
	FIELD(KIND_REJECT, reject, error, ALL),
	FIELD(KIND_REJECT, reject, words, ALL),
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
	FIELD(ICB_WIRE_REPORT, report, seen, ALL),
	RETURNED(done, NEXT),
	RETURNED(elapsed, ONES | NEXT | RANDOM),
	FIELD(ICB_WIRE_REPORT, report, delivered, ALL),
	RETURNED(sent, ONES | NEXT | RANDOM),
	RETURNED(counted, NONE),
	FIELD(ICB_WIRE_REPORT, report, foreign, ALL),
	FIELD(ICB_WIRE_REPORT, report, bytes, ALL),
	FIELD(ICB_WIRE_REPORT, report, longest, ALL),
	FIELD(ICB_WIRE_REPORT, report, slow, ALL),
	FIELD(ICB_WIRE_REPORT, report, middle, ALL),
	RETURNED(even, NONE),
	RETURNED(even_ns, NONE),
	RETURNED(before, NONE),
	FIELD(ICB_WIRE_REPORT, report, error, ALL),
	RETURNED(batches, NONE),
	FIELDS(ICB_WIRE_REPORT, report, batch[0].over, batch, BATCHES_TRIED,
	       ICB_WIRE_BATCHES, ALL),
	FIELDS(ICB_WIRE_REPORT, report, batch[0].under, batch, BATCHES_TRIED,
	       ICB_WIRE_BATCHES, ALL),
	FIELD(ICB_WIRE_REPORT, report, words, NONE),
	BESIDE,
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
	[KIND_PROBE] = "probe",
	[KIND_WELCOME] = "acceptance",
	[KIND_REJECT] = "rejection",
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
	[KIND_PROBE] = sizeof(struct icb_wire_hello),
	[KIND_WELCOME] = sizeof(struct icb_wire_welcome),
	[KIND_REJECT] = sizeof(struct icb_wire_reject),
};

const char *const value_names[VALUES] = {
	[VALUE_ZERO] = "zero",
	[VALUE_ONES] = "all ones",
	[VALUE_NEXT] = "one more",
	[VALUE_RANDOM] = "random",
};

/* A correct proposal. Each value has valid neighbours, as far as its range permits. */
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
 * draw_seed() - start a sequence of random numbers
 * @seed: seed; the same seed gives the same sequence
 */
void draw_seed(u64 seed)
{
	drawn = seed;
}

/**
 * draw() - next random number
 *
 * Return: the number.
 */
u64 draw(void)
{
	u64 x = drawn += 0x9e3779b97f4a7c15ULL;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

/**
 * tamper_field() - write a wrong value to a field
 * @tamper: tamper with a field
 * @msg: message to change
 *
 * Return: true if the message has changed.
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

/**
 * tamper_private() - change the private data of a connection request or of its answer
 * @tamper: the change
 * @kind: KIND_* of the private data
 * @data: PRIVATE_SIZE bytes, zero behind the correct data
 * @tampered: set to true if the other side receives something else
 *
 * Except over iWARP, the connection manager pads short private data with zeroes.
 *
 * Return: length to send, bytes.
 */
u8 tamper_private(const struct tamper *tamper, unsigned int kind, void *data,
		  bool *tampered)
{
	u8 before[PRIVATE_SIZE], *bytes = data;
	u8 len = kind_sizes[kind];

	if (tamper->kind != kind)
		return len;
	memcpy(before, data, sizeof(before));
	if (tamper->field)
		tamper_field(tamper, data);
	if (tamper->change) {
		len = tamper->len;
		memset(bytes + len, 0, PRIVATE_SIZE - len);
		if (tamper->tail)
			bytes[len - 1] = tamper->tail;
	}
	*tampered |= !!memcmp(before, data, sizeof(before)) ||
		     (len < kind_sizes[kind] && verb_iwarp());
	return len;
}

/**
 * tamper_beside() - check whether a message is no step of a script
 * @kind: ICB_WIRE_* type of the message
 *
 * Return: true if it may be sent at any time.
 */
bool tamper_beside(unsigned int kind)
{
	return kind == ICB_WIRE_BYE || kind == ICB_WIRE_NUDGE ||
	       kind == ICB_WIRE_MEASURED;
}

/* Mark the bytes of a kind that are in fields. Return: true if the kind has fields. */
static bool cover(const struct field *fields, unsigned int count,
		  unsigned int kind, bool *covered)
{
	unsigned int i, j, all;
	bool any = false;

	for (i = 0; i < count; i++) {
		const struct field *field = &fields[i];

		if (field->kind != kind)
			continue;
		any = true;
		all = field->of ? : field->repeat;
		for (j = 0; j < all; j++)
			memset(&covered[field->off + j * field->stride], true,
			       field->size);
	}
	return any;
}

static bool complete(const struct field *fields, unsigned int count,
		     unsigned int kind, const char *who, bool *said,
		     char *why, size_t size)
{
	bool covered[4096] = { false };
	size_t i;

	if (!cover(fields, count, kind, covered))
		return true;
	*said = true;
	for (i = 0; i < kind_sizes[kind]; i++)
		if (!covered[i])
			break;
	if (i < kind_sizes[kind])
		snprintf(why, size, "byte %zu of %s, of %s, is in no field", i,
			 kind_names[kind], who);
	return i == kind_sizes[kind];
}

/**
 * tamper_complete() - check that the tables have all bytes of each message of wire.h
 * @why: memory for the missing part, as text
 * @size: size of @why, bytes
 *
 * Return: true if each byte of each kind of message is in a field.
 */
bool tamper_complete(char *why, size_t size)
{
	unsigned int kind;

	for (kind = 1; kind < KINDS; kind++) {
		bool said = false;

		if (!kind_names[kind] || !kind_sizes[kind]) {
			snprintf(why, size, "kind %u has no name, or no size",
				 kind);
			return false;
		}
		if (!complete(client_fields, client_field_count, kind,
			      "an initiator", &said, why, size) ||
		    !complete(server_fields, server_field_count, kind,
			      "a responder", &said, why, size))
			return false;
		if (!said) {
			snprintf(why, size, "%s has no fields", kind_names[kind]);
			return false;
		}
	}
	return true;
}
