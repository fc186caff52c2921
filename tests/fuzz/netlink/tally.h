/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TALLY_H
#define TALLY_H

#include "datagram.h"

#define ERRORS	160

/* What must not be. Their words are in tally.c, their names in the report. */
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
 * struct tally - what happened, of all workers together
 * @sent: messages that the kernel took, by enum class
 * @accepted: by operation and mode
 * @refused: the same
 * @errors: refusals by operation and error number
 * @garbage: refusals of what does not get as far as its attributes
 * @events: heard
 * @lost: how often events came too fast
 * @overruns: how often answers came too fast
 * @complaints: by enum complaint
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
