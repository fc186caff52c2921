/* SPDX-License-Identifier: GPL-2.0 */
/* The steps of the responder's script. */
#ifndef SERVER_H
#define SERVER_H

#include "session.h"

enum server_step {
	SERVER_REQUEST,
	SERVER_ACCEPT,
	SERVER_PROPOSAL,
	SERVER_ANSWER,
	SERVER_JOIN,
	SERVER_JOINED,
	SERVER_QPS,
	SERVER_QPS_UP,
	SERVER_OFFER,
	SERVER_READY,
	SERVER_BACK,
	SERVER_MEASURED,
	SERVER_ECHO,
	SERVER_REPORT,
	SERVER_PART,
};

bool server_accept(struct session *session, struct end *end,
		   const void *welcome, u8 len);
void server_beside(struct session *session);

#endif /* SERVER_H */
