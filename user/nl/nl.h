/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module, as plain functions and structs. What the messages mean is in
 * Documentation/netlink/specs/icbench.yaml. Only the files of this room see libnl.
 *
 * Nothing that arrives is trusted: a message that lacks what it must have, or
 * has what cannot be, is an error (-EPROTO), and control characters in strings
 * become "?".
 */
#ifndef NL_H
#define NL_H

#include "model/engine.h"

#define NL_TEXT_MAX	256

/* Whether a reply had an attribute: @has is a set of these. */
#define NL_HAS(_struct, _attr)	(!!((_struct)->has & BIT_ULL(_attr)))

struct nl;

struct nl *nl_begin(struct icb_reason *why);
void nl_end(struct nl *nl);
u32 nl_port(const struct nl *nl);

#endif /* NL_H */
