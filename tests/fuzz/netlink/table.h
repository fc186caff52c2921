/* SPDX-License-Identifier: GPL-2.0 */
/* The netlink specification; table.py generates the tables. */
#ifndef TABLE_H
#define TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_SETS	32
#define MAX_OPS		64

enum type {
	TYPE_NUMBER,
	TYPE_STRING,
	TYPE_BINARY,
	TYPE_FLAG,
	TYPE_NEST,
	TYPE_PAD,
};

/* The two modes of a request. */
enum request_mode {
	DO,
	DUMP,
	MODES,
};

/* Effect of an operation on the numbered objects of its set. */
enum role {
	ROLE_NONE,
	ROLE_NEW,
	ROLE_DEL,
	ROLE_GET,
};

/**
 * struct attr - attribute
 * @name: name
 * @number: number in messages
 * @type: type
 * @size: size of a number, bytes
 * @nested: index of the nest's set; -1 for no nest
 * @pool: index of the set whose objects it identifies; -1 for none
 * @min: least value that the specification allows
 * @max: greatest value that the specification allows
 * @low: least value in a generated valid message
 * @high: greatest value in a generated valid message
 * @min_len: shortest length, bytes
 * @max_len: longest length without NUL, bytes; 0 for any
 * @often: percentage of generated valid messages with this attribute
 * @strings: values in valid messages, NULL at the end; NULL for any value
 */
struct attr {
	const char *name;
	unsigned short number;
	enum type type;
	unsigned int size;
	int nested;
	int pool;
	uint64_t min;
	uint64_t max;
	uint64_t low;
	uint64_t high;
	unsigned int min_len;
	unsigned int max_len;
	unsigned int often;
	const char *const *strings;
};

struct set {
	const char *name;
	const struct attr *attrs;
	int count;
};

/**
 * struct op - operation
 * @name: name
 * @number: number in messages
 * @set: index of its set
 * @event: true if it is an event, which cannot be requested
 * @role: effect on the objects of its set
 * @request: indices of a request's attributes by mode, -1 at the end; NULL if there is
 *	no such mode
 * @reply: indices of the attributes of replies and events, -1 at the end
 * @weight: relative frequency in generated messages
 */
struct op {
	const char *name;
	unsigned char number;
	int set;
	bool event;
	enum role role;
	const short *request[MODES];
	const short *reply;
	unsigned int weight;
};

extern const char family_name[];
extern const char group_name[];
extern const struct set sets[];
extern const int set_count;
extern const struct op ops[];
extern const int op_count;

#endif /* TABLE_H */
