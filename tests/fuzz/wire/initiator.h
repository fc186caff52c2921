/* SPDX-License-Identifier: GPL-2.0 */
/* A run of icbenchctl, with a server that it should not have trusted. */
#ifndef INITIATOR_H
#define INITIATOR_H

#include <pthread.h>
#include <sys/types.h>

#include "peer.h"

/**
 * struct initiator - a run of icbenchctl
 * @buffers: of each side; 0 for as many as it takes
 * @qps: of the run; 0 for one
 * @timeout: of the run, ms; 0 for a second
 * @trigger: of the run: echo, or completion for a stream
 * @direction: of a stream
 * @sizes: each message has another size
 * @pid: its process
 * @watch: thread that sees it end, whatever the server waits for
 * @fd: its standard error
 * @from: when it began
 * @ms: how long it took
 * @status: as wait() tells
 * @said: on standard error
 */
struct initiator {
	unsigned int buffers;
	unsigned int qps;
	unsigned int timeout;
	u32 trigger;
	u32 direction;
	bool sizes;
	pid_t pid;
	pthread_t watch;
	int fd;
	u64 from;
	u64 ms;
	int status;
	char said[400];
};

void initiator_start(struct initiator *initiator, u16 port, u32 verb,
		     u32 transport);
bool initiator_finish(struct initiator *initiator, struct peer *peer);
bool initiator_failed(const struct initiator *initiator);

#endif /* INITIATOR_H */
