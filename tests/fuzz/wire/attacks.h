/* SPDX-License-Identifier: GPL-2.0 */
/* Sessions of a hostile initiator, against icbenchctl serve. */
#ifndef ATTACKS_H
#define ATTACKS_H

#include "session.h"

u16 port_of(const char *arg);
void begin(struct session *session, u16 port);
void go(struct session *session);
void good(u16 port, u32 verb, u32 transport, const char *token,
	  const char *name);
struct icb_wire_hello sniffed(const struct session *session, unsigned int kind,
			      u32 qp);
bool refuses(struct session *session, const struct icb_wire_hello *hello);

#endif /* ATTACKS_H */
