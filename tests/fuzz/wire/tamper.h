/* SPDX-License-Identifier: GPL-2.0 */
/* What can be wrong with a message: its fields, its length, its place. */
#ifndef TAMPER_H
#define TAMPER_H

#include "model/wire.h"

/* Behind the types of wire.h: what requests for a connection say, and answers to them. */
#define KIND_REQUEST(kind)	(ICB_WIRE_TYPES - 1 + (kind))

enum kind {
	KIND_HELLO = KIND_REQUEST(ICB_WIRE_CONTROL),
	KIND_JOIN = KIND_REQUEST(ICB_WIRE_DATA),
	KIND_PROBE = KIND_REQUEST(ICB_WIRE_PROBE),
	KIND_WELCOME = KIND_REQUEST(ICB_WIRE_KINDS),
	KIND_REJECT,
	KINDS,
};

/* As many bytes as any request for a connection, or refusal of one, has room for. */
#define PRIVATE_SIZE	148

/* Values for a field. */
enum value {
	VALUE_ZERO,
	VALUE_ONES,
	VALUE_NEXT,
	VALUE_RANDOM,
	VALUES,
};

/* Those of them that have to be refused. */
#define ZERO	BIT(VALUE_ZERO)
#define ONES	BIT(VALUE_ONES)
#define NEXT	BIT(VALUE_NEXT)
#define RANDOM	BIT(VALUE_RANDOM)
#define ALL	(BIT(VALUES) - 1)
#define NONE	0

/**
 * struct field - a field of a message
 * @name: what to call it
 * @kind: message
 * @off: where
 * @size: bytes
 * @repeat: how many are tried
 * @of: how many there are, where these are not all
 * @stride: how far apart
 * @must: which wrong values have to be refused; others may be accepted
 * @both: those of them that may be accepted where both sides stream
 * @verb: of the run
 * @transport: of the run
 * @regions: of the run, with a buffer in each; 0 for one
 */
struct field {
	const char *name;
	unsigned int kind;
	size_t off;
	size_t size;
	unsigned int repeat;
	unsigned int of;
	size_t stride;
	unsigned int must;
	unsigned int both;
	u32 verb;
	u32 transport;
	u32 regions;
};

/**
 * struct tamper - what is wrong this time
 * @kind: of the message; 0 for nothing
 * @field: the wrong field; NULL for none
 * @at: which of its repetitions
 * @value: what it is to be
 * @change: the message is sent with @len bytes
 * @len: bytes to send
 * @tail: of private data, what the last of them is; 0 for what it is anyway
 * @honest: its head tells that length
 * @times: how often it is sent more than once
 * @as: another message is sent instead; 0 for none
 */
struct tamper {
	unsigned int kind;
	const struct field *field;
	unsigned int at;
	enum value value;
	bool change;
	u32 len;
	u8 tail;
	bool honest;
	unsigned int times;
	unsigned int as;
};

extern const struct field client_fields[];
extern const unsigned int client_field_count;
extern const struct field server_fields[];
extern const unsigned int server_field_count;
extern const char *const kind_names[KINDS];
extern const size_t kind_sizes[KINDS];
extern const char *const value_names[VALUES];

/* What a good proposal says; the seed is the last. */
struct good_param {
	u32 attr;
	u64 value;
};

#define GOOD_PARAMS	13
#define GOOD_SEED	(GOOD_PARAMS - 1)
extern const struct good_param good_params[GOOD_PARAMS];

u64 draw(void);
void draw_seed(u64 seed);
bool tamper_field(const struct tamper *tamper, void *msg);
u8 tamper_private(const struct tamper *tamper, unsigned int kind, void *data,
		  bool *tampered);
bool tamper_beside(unsigned int kind);
bool tamper_complete(char *why, size_t size);

#endif /* TAMPER_H */
