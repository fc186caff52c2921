/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TALLY_H
#define TALLY_H

#include "datagram.h"

#define ERRORS	160

/*
 * Violations by the module. Their descriptions, and their names in the report, are in
 * tally.c.
 */
enum complaint {
	COMPLAINT_WORDLESS,
	COMPLAINT_MISNAMED,
	COMPLAINT_LAX,
	COMPLAINT_UNANSWERED,
	COMPLAINT_MALFORMED,
	COMPLAINT_UNSENT,
	COMPLAINTS,
};

/**
 * struct tally - counters of all workers together
 * @sent: messages that the kernel took, by enum class
 * @accepted: accepted requests, by operation and mode
 * @refused: refused requests, by operation and mode
 * @errors: refusals by operation and error number
 * @garbage: refused messages whose attributes were not parsed
 * @events: received events
 * @lost: overflows of the event socket
 * @overruns: overflows of the workers' sockets
 * @complaints: violations, by enum complaint
 */
struct tally {
	uint64_t sent[CLASSES];
	uint64_t accepted[MAX_OPS][MODES];
	uint64_t refused[MAX_OPS][MODES];
	uint64_t errors[MAX_OPS][ERRORS];
	uint64_t garbage;
	uint64_t events;
	uint64_t lost;
	uint64_t overruns;
	uint64_t complaints[COMPLAINTS];
};

void tally_add(uint64_t *counter, uint64_t n);
void tally_complain(struct tally *tally, enum complaint kind,
		    const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void tally_report(const struct tally *tally, uint64_t seed);

#endif /* TALLY_H */
