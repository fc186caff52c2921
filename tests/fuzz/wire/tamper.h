/* SPDX-License-Identifier: GPL-2.0 */
/* Faults in a message: its fields, its length, and its place in the script. */
#ifndef TAMPER_H
#define TAMPER_H

#include "model/wire.h"

/* Kinds behind the types of wire.h: connection requests, and answers to them. */
#define KIND_REQUEST(kind)	(ICB_WIRE_TYPES - 1 + (kind))

enum kind {
	KIND_HELLO = KIND_REQUEST(ICB_WIRE_CONTROL),
	KIND_JOIN = KIND_REQUEST(ICB_WIRE_DATA),
	KIND_PROBE = KIND_REQUEST(ICB_WIRE_PROBE),
	KIND_WELCOME = KIND_REQUEST(ICB_WIRE_KINDS),
	KIND_REJECT,
	KINDS,
};

/* Room for the private data of any request or rejection, bytes. */
#define PRIVATE_SIZE	148

/* Wrong values for a field. */
enum value {
	VALUE_ZERO,
	VALUE_ONES,
	VALUE_NEXT,
	VALUE_RANDOM,
	VALUES,
};

/* Masks of values that have to be refused. */
#define ZERO	BIT(VALUE_ZERO)
#define ONES	BIT(VALUE_ONES)
#define NEXT	BIT(VALUE_NEXT)
#define RANDOM	BIT(VALUE_RANDOM)
#define ALL	(BIT(VALUES) - 1)
#define NONE	0

/**
 * struct field - a field of a message
 * @name: name of the field
 * @kind: message, ICB_WIRE_* or KIND_*
 * @off: offset, bytes
 * @size: size, bytes
 * @repeat: number of array elements that are tried
 * @of: number of array elements, if more than @repeat; else 0
 * @stride: distance of array elements, bytes
 * @must: mask of wrong values that have to be refused; others may be accepted
 * @both: mask of values in @must that may be accepted if both sides stream
 * @verb: verb of the run
 * @transport: transport of the run
 * @regions: regions of the run, one buffer each; 0 for one
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
 * struct tamper - fault in a message of a session
 * @kind: kind of the message; 0 for no fault
 * @field: wrong field; NULL for none
 * @at: index of the array element, from 0
 * @value: wrong value
 * @change: true if the message is sent with @len bytes
 * @len: length to send, bytes
 * @tail: last byte of private data; 0 to keep it
 * @honest: true if the header has length @len, too
 * @times: number of times that the message is repeated
 * @as: type of a message that is sent instead; 0 for none
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

/* Parameters of a correct proposal; the seed is the last. */
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
