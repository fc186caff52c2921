/* SPDX-License-Identifier: GPL-2.0 */
#ifndef NL_RESULT_H
#define NL_RESULT_H

#include "model/engine.h"
#include "stats/metric.h"

struct nl;
struct nl_job;

int nl_result(struct nl *nl, u32 id, struct nl_job *job,
	      struct metrics *metrics, struct icb_reason *why);

#endif /* NL_RESULT_H */
