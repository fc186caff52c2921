/* SPDX-License-Identifier: GPL-2.0 */
/* Decoding of netlink attributes into structs, by tables. */
#ifndef DECODE_H
#define DECODE_H

#include <netlink/attr.h>

#include "model/engine.h"

struct nlmsghdr;

/**
 * struct field - an attribute and the struct member that stores it; the last row of a
 *	table has no name
 * @name: name of the attribute in error messages
 * @offset: offset of the member, bytes
 * @bytes: size of the member
 * @attr: number of the attribute
 * @kind: type of the attribute, as in libnl's policies
 * @needed: true if a message without the attribute is refused
 */
struct field {
	const char *name;
	u16 offset;
	u16 bytes;
	u16 attr;
	u8 kind;
	bool needed;
};

#define FIELD(type, _field, _attr)					\
	.name = #_field, .offset = offsetof(type, _field),		\
	.attr = ICBENCH_A_##_attr
#define U32	.kind = NLA_U32, .bytes = sizeof(u32)
#define S32	.kind = NLA_S32, .bytes = sizeof(s32)
#define U64	.kind = NLA_U64, .bytes = sizeof(u64)
#define BYTES(type, _field)						\
	.kind = NLA_UNSPEC, .bytes = sizeof_field(type, _field)
#define TEXT(type, _field)						\
	.kind = NLA_STRING, .bytes = sizeof_field(type, _field)

int __printf(2, 3) decode_refuse(struct icb_reason *why, const char *fmt, ...);
void decode_string(char *to, size_t size, const struct nlattr *attr);
int decode(void *to, const struct field *field, struct nlattr *attrs, int len,
	   struct icb_reason *why);
struct nlattr *decode_message(struct nlmsghdr *msg, int *len);

#endif /* DECODE_H */
