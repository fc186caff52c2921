// SPDX-License-Identifier: GPL-2.0
#include "account.h"
#include "flow.h"
#include "result.h"
#include "run.h"
#include "stream_report.h"

/*
 * Add the variation of the bandwidth. The initiator's intervals hold for messages sent.
 * Where messages may be lost, the intervals that the responder reports hold for messages
 * that arrived. Neither holds a known number of bytes where sizes differ.
 */
static void spread(const struct icb_run *run, struct icb_result *result)
{
	const struct icb_hist *hist = &run->hist[ICB_HIST_INTERVAL];
	u64 bytes = (u64)run->params->window * run->params->size;

	if (icb_params_steps(run->params))
		icb_result_spread(result, run->delivery.longest,
				  run->delivery.slow, run->delivery.middle,
				  bytes);
	else if (icb_params_one_way(run->params) && !run->sizes.on &&
		 !run->lossy && hist->min)
		icb_result_spread(result, hist->max,
				  icb_hist_quantile(hist, 99, 100),
				  icb_hist_quantile(hist, 1, 2), bytes);
}

/**
 * icb_stream_report() - convert the measurements of a stream to metrics
 * @run: the initiator, after the run
 * @result: the metrics
 */
void icb_stream_report(const struct icb_run *run, struct icb_result *result)
{
	icb_result_rates(result, run, icb_run_moved(run));
	icb_result_lost(result, run);
	icb_result_availability(result, run);
	icb_result_flows(result, run);
	spread(run, result);
	icb_result_cpu(result, run, icb_run_moved(run));
	icb_result_wakes(result, run, run->done);
	icb_result_dist(result, "post", &run->hist[ICB_HIST_POST], 1);
	icb_result_dist(result, "poll", &run->hist[ICB_HIST_POLL], 1);
	icb_result_dist(result, "poll_empty", &run->hist[ICB_HIST_POLL_EMPTY],
			1);
	icb_result_dist(result, "interval", &run->hist[ICB_HIST_INTERVAL], 1);
	if (run->hist[ICB_HIST_INTERVAL].count)
		icb_result_trust(result, run);
	if (run->params->completion == ICBENCH_COMPLETION_TIMER)
		icb_result_dist(result, "lateness",
				&run->hist[ICB_HIST_LATENESS], 1);
}
