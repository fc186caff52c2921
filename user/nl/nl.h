/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Access to the module by functions and structs. The messages are specified in
 * Documentation/netlink/specs/icbench.yaml. Only the files of this directory use libnl.
 *
 * The content of a message is not trusted. A message that lacks a required attribute, or
 * has an impossible value, is an error (-EPROTO). Control characters in strings become
 * "?".
 */
#ifndef NL_H
#define NL_H

#include "model/engine.h"

#define NL_TEXT_MAX	256

/* True if a reply had an attribute; @has is the set of those that it had. */
#define NL_HAS(_struct, _attr)	(!!((_struct)->has & BIT_ULL(_attr)))

struct nl;

struct nl *nl_begin(struct icb_reason *why);
void nl_end(struct nl *nl);
u32 nl_port(const struct nl *nl);

#endif /* NL_H */
