/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WORKER_H
#define WORKER_H

#include "digest.h"
#include "link.h"
#include "pool.h"
#include "tally.h"

#define MAX_WORKERS	64

/**
 * struct shared - data that all processes share
 * @tally: counters
 * @pools: numbers of existing objects, by set
 * @digest: digest of each worker's datagrams as generated
 * @over: true if the process that receives events has to end
 */
struct shared {
	struct tally tally;
	struct pool pools[MAX_SETS];
	uint64_t digest[MAX_WORKERS];
	bool over;
};

int worker_run(struct shared *shared, const struct family *family,
	       uint64_t seed, uint32_t number, uint64_t from, uint64_t count);
int worker_sweep(struct shared *shared, const struct family *family);
int worker_hear(struct shared *shared, const struct family *family, int fd);

#endif /* WORKER_H */
