// SPDX-License-Identifier: GPL-2.0
#include "flow.h"
#include "result.h"
#include "run.h"

/* Number of bits to keep of each count, so that the square of their sum fits a u64. */
static unsigned int kept_bits(unsigned int flows)
{
	unsigned int bits = 31;

	while (flows > 1U << (31 - bits))
		bits--;
	return bits;
}

/* Fairness is stored in units of 1/FAIRNESS_DIVISOR. */
#define FAIRNESS_DIVISOR	1000000

/* Number of measured operations of a QP. A run in its tail has saved it in flow->done. */
static u64 measured(const struct icb_run *run, const struct icb_flow *flow)
{
	return run->tail ? flow->done : flow->acked - flow->base;
}

/**
 * icb_result_flows() - add how evenly operations are distributed over QPs to a result
 * @result: the result
 * @run: the initiator, after the run
 *
 * Adds the smallest and the largest number of operations that a QP has completed, and
 * Jain's fairness index: the square of the sum, divided by the number of QPs times the
 * sum of the squares. It is 1 if all numbers are equal. Adds nothing for one QP.
 */
void icb_result_flows(struct icb_result *result, const struct icb_run *run)
{
	u64 least = U64_MAX, most = 0, sum = 0, squares = 0, done;
	unsigned int i, shift = 0;

	if (run->flows < 2 || !run->done)
		return;
	for (i = 0; i < run->flows; i++) {
		done = measured(run, &run->flow[i]);
		least = min_t(u64, least, done);
		most = max_t(u64, most, done);
	}
	while (most >> shift >> kept_bits(run->flows))
		shift++;
	for (i = 0; i < run->flows; i++) {
		done = measured(run, &run->flow[i]) >> shift;
		sum += done;
		squares += done * done;
	}
	icb_result_scalar(result, "qp_min", ICBENCH_UNIT_COUNT,
			  ICBENCH_METRIC_KIND_SCALAR, least);
	icb_result_scalar(result, "qp_max", ICBENCH_UNIT_COUNT,
			  ICBENCH_METRIC_KIND_SCALAR, most);
	if (!squares)
		return;
	icb_result_scalar(result, "fairness", ICBENCH_UNIT_COUNT,
			  ICBENCH_METRIC_KIND_SCALAR,
			  mul_u64_u64_div_u64(sum * sum, FAIRNESS_DIVISOR,
					      run->flows * squares));
	result->metric[result->count - 1].divisor = FAIRNESS_DIVISOR;
}
