/* SPDX-License-Identifier: GPL-2.0 */
/* Runs of icbenchctl against a server of this program, and their expected outcome. */
#ifndef MIRROR_H
#define MIRROR_H

#include "report.h"

/*
 * Texts of an initiator. Over iWARP, a refused access may be reported by the second, too.
 */
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

void mirror_offers(void);
void mirror_qps(void);
void mirror_regions(void);

#endif /* MIRROR_H */
