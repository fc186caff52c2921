/* SPDX-License-Identifier: GPL-2.0 */
/* A run of icbenchctl against a hostile server. */
#ifndef INITIATOR_H
#define INITIATOR_H

#include <pthread.h>
#include <sys/types.h>

#include "peer.h"

/**
 * struct initiator - a run of icbenchctl
 * @buffers: buffers of each side; 0 for the default
 * @qps: QPs of the run; 0 for one
 * @timeout: timeout of the run, ms; 0 for one second
 * @trigger: trigger of the run: echo, or completion for a stream
 * @direction: direction of a stream
 * @completion: completion mode of the run, where its verb has this mode
 * @sizes: true if message sizes vary
 * @pid: process
 * @watch: thread that notes the time of the end while the server waits
 * @fd: pipe from the standard error of the process
 * @from: start time, ms
 * @withheld: time for which the host had withheld a CPU before the start, ms
 * @ms: duration without the time for which the host withheld a CPU, ms
 * @status: status as returned by waitpid()
 * @said: text on standard error
 */
struct initiator {
	unsigned int buffers;
	unsigned int qps;
	unsigned int timeout;
	u32 trigger;
	u32 direction;
	u32 completion;
	bool sizes;
	pid_t pid;
	pthread_t watch;
	int fd;
	u64 from;
	u64 withheld;
	u64 ms;
	int status;
	char said[400];
};

void initiator_start(struct initiator *initiator, u16 port, u32 verb,
		     u32 transport);
bool initiator_finish(struct initiator *initiator, struct peer *peer);
bool initiator_failed(const struct initiator *initiator);

#endif /* INITIATOR_H */
