/* SPDX-License-Identifier: GPL-2.0 */
/* A run of icbenchctl with a server of this program, and how it has to end. */
#ifndef MIRROR_H
#define MIRROR_H

#include "report.h"

/* Of what an initiator says: over iWARP a refused access may be told of by the second, too. */
#define BROKEN	"the data connection broke: "
#define GONE	"the peer closed the connection"

void mirror_begin(struct session *session);
void mirror_go(struct session *session, struct tally *tally, bool must,
	       const char *words, const char *what);
u64 mirror_well(struct session *session, struct tally *tally, const char *what);
void mirror_expect(struct session *session, struct tally *tally,
		   const char *words, const char *what);
void mirror_good(struct session *session, const char *name);
void mirror_end(struct session *session, struct tally *tally, const char *name);

void mirror_lanes(void);
void mirror_regions(void);

#endif /* MIRROR_H */
