/* SPDX-License-Identifier: GPL-2.0 */
/* The metrics of a run. */
#ifndef ICB_RESULT_H
#define ICB_RESULT_H

#include "run.h"

/**
 * struct icb_metric - one number, or distribution, of a result
 * @name: name in the result
 * @unit: enum icbench_unit
 * @kind: enum icbench_metric_kind
 * @divisor: divisor of every value
 * @value: value of a scalar
 * @hist: distribution; owned by the run
 * @tail: disturbances of the samples; owned by the run; NULL if they are not known
 * @batches: batches of a distribution; owned by the run; NULL if there are none
 * @means: batches of the mean, or of a rate; owned by the run; NULL if there are none
 */
struct icb_metric {
	const char *name;
	u32 unit;
	u32 kind;
	u32 divisor;
	u64 value;
	const struct icb_hist *hist;
	const struct icb_tail *tail;
	const struct icb_batches *batches;
	const struct icb_means *means;
};

#define ICB_RESULT_METRICS	61

/**
 * struct icb_result - the metrics of a run
 * @count: number of metrics
 * @metric: the metrics
 * @bytes: batches of the bandwidth, where messages differ in size
 */
struct icb_result {
	unsigned int count;
	struct icb_metric metric[ICB_RESULT_METRICS];
	struct icb_means bytes;
};

void icb_result_scalar(struct icb_result *result, const char *name, u32 unit,
		       u32 kind, u64 value);
void icb_result_lost(struct icb_result *result, const struct icb_run *run);
void icb_result_torn(struct icb_result *result, const struct icb_run *run);
void icb_result_dist(struct icb_result *result, const char *name,
		     const struct icb_hist *hist, u32 divisor);
void icb_result_trust(struct icb_result *result, const struct icb_run *run);
void icb_result_cpu(struct icb_result *result, const struct icb_run *run,
		    u64 messages);
void icb_result_warmup(struct icb_result *result, const struct icb_run *run);
void icb_result_wakes(struct icb_result *result, const struct icb_run *run,
		      u64 messages);
void icb_result_availability(struct icb_result *result,
			     const struct icb_run *run);
void icb_result_spread(struct icb_result *result, u64 longest, u64 slow,
		       u64 middle, u64 bytes);
void icb_result_rates(struct icb_result *result, const struct icb_run *run,
		      u64 messages);
void icb_result_offered(struct icb_result *result, const struct icb_run *run,
			u64 messages, u64 span);

#endif /* ICB_RESULT_H */
