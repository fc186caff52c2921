/* SPDX-License-Identifier: GPL-2.0 */
/* The netlink specification, as table.py makes it from the file. */
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

/* The two ways of a request. */
enum request_mode {
	DO,
	DUMP,
	MODES,
};

/* What an operation does to the things that have numbers. */
enum role {
	ROLE_NONE,
	ROLE_NEW,
	ROLE_DEL,
	ROLE_GET,
};

/**
 * struct attr - an attribute
 * @name: its name
 * @number: in messages
 * @type: its type
 * @size: bytes of a number
 * @nested: index of the set in a nest; -1
 * @pool: index of the set whose things it numbers; -1
 * @min: least number that the specification allows
 * @max: greatest
 * @low: least of a valid message
 * @high: greatest of a valid message
 * @min_len: shortest value, bytes
 * @max_len: longest, without NUL; 0 for any
 * @often: percentage of valid messages that have it
 * @strings: values of a valid message, ending in NULL; NULL for any
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
 * struct op - an operation
 * @name: its name
 * @number: of its messages
 * @set: index of its set
 * @event: nobody can ask for it
 * @role: what it does to the things of its set
 * @request: indices of the attributes of a request, ending in -1; NULL for a
 *	mode that it lacks
 * @reply: the same of replies and events
 * @weight: how often it is asked for
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
