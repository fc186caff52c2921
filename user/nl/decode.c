// SPDX-License-Identifier: GPL-2.0
#include <netlink/genl/genl.h>

#include "base/text.h"
#include "decode.h"
#include "model/engine.h"

#define ATTR_MAX	31

/**
 * decode_refuse() - refuse an invalid reply of the module
 * @why: set to the reason
 * @fmt: predicate of a sentence about the reply, such as "is too short"
 *
 * Return: -EPROTO.
 */
int __printf(2, 3) decode_refuse(struct icb_reason *why, const char *fmt, ...)
{
	char text[120];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return icb_refuse(why, -EPROTO,
			  "the module's answer %s; check that the module and icbenchctl are of the same version",
			  text);
}

/**
 * decode_string() - copy a string of the module
 * @to: buffer; the string is cut to @size, and control characters become "?"
 * @size: size of @to, bytes
 * @attr: attribute with the string, which may lack the final NUL
 */
void decode_string(char *to, size_t size, const struct nlattr *attr)
{
	snprintf(to, size, "%.*s", nla_len(attr),
		 (const char *)nla_data(attr));
	text_one_line(to);
}

static bool fits(const struct field *field, const struct nlattr *attr)
{
	if (field->kind == NLA_STRING)
		return true;
	return nla_len(attr) == field->bytes;
}

/**
 * decode() - store the attributes of a message or a nest in a struct
 * @to: the struct; its first member is the set of attributes that are present
 * @field: table of the attributes to store; other attributes are ignored
 * @attrs: the first attribute
 * @len: length of all attributes, bytes
 * @why: the reason of a refusal
 *
 * Return: 0; -EPROTO with a reason.
 */
int decode(void *to, const struct field *field, struct nlattr *attrs, int len,
	   struct icb_reason *why)
{
	struct nlattr *tb[ATTR_MAX + 1];
	u64 *has = to;

	if (nla_parse(tb, ATTR_MAX, attrs, len, NULL))
		return decode_refuse(why, "cannot be parsed");
	for (; field->name; field++) {
		const struct nlattr *attr = tb[field->attr];
		char *at = (char *)to + field->offset;

		if (!attr && field->needed)
			return decode_refuse(why, "lacks \"%s\"", field->name);
		if (!attr)
			continue;
		if (!fits(field, attr))
			return decode_refuse(why, "has a bad \"%s\"", field->name);
		if (field->kind == NLA_STRING)
			decode_string(at, field->bytes, attr);
		else
			memcpy(at, nla_data(attr), field->bytes);
		*has |= BIT_ULL(field->attr);
	}
	return 0;
}

/**
 * decode_message() - find the attributes of a message of the module
 * @msg: the message
 * @len: set to the length of all attributes, bytes
 *
 * Return: the first attribute; NULL if the message is too short.
 */
struct nlattr *decode_message(struct nlmsghdr *msg, int *len)
{
	struct genlmsghdr *head;

	if (!genlmsg_valid_hdr(msg, 0))
		return NULL;
	head = genlmsg_hdr(msg);
	*len = genlmsg_attrlen(head, 0);
	return genlmsg_attrdata(head, 0);
}
