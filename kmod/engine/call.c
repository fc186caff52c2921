// SPDX-License-Identifier: GPL-2.0
/*
 * Trigger return (call): calls of the verbs interface, each made when the one before it
 * has returned.
 *
 * An operation consists of all calls of its verb, in order. Each call is enclosed by two
 * clock reads, with nothing else between them. The sample of an operation is the time
 * from before its first call until after its last one.
 */
#include "bench.h"
#include "host/clock.h"
#include "io/endpoint.h"
#include "result.h"
#include "run.h"

/* The clock before and after each call. */
struct call_stamps {
	u64 before[ICB_CALLS_MAX];
	u64 after[ICB_CALLS_MAX];
};

static int call_once(struct icb_run *run, const struct icb_call *call,
		     u64 *before, u64 *after)
{
	int found;

	for (;;) {
		found = run->side->call(run->ep, call->call, before, after);
		if (found || !call->again)
			return found < 0 ? found : 0;
		found = icb_run_idle(run, *after);
		if (unlikely(found))
			return found;
	}
}

static void call_count(struct icb_run *run, const struct call_stamps *stamps)
{
	unsigned int i, last = run->verb->calls - 1;

	u64 ns = icb_clock_ns(stamps->after[last] - stamps->before[0]);

	icb_run_book(run, ns, stamps->after[last]);
	if (unlikely(run->causes))
		icb_run_attribute(run, run->hist, ns);
	for (i = 0; i <= last; i++)
		icb_hist_add(&run->hist[1 + i],
			     icb_clock_ns(stamps->after[i] - stamps->before[i]));
}

/* Returns true if it was the last operation. */
static bool call_done(struct icb_run *run, const struct call_stamps *stamps)
{
	u64 end = stamps->after[run->verb->calls - 1];

	run->since = end;
	if (run->left) {
		WRITE_ONCE(run->seen, run->seen + 1);
		return icb_run_unmeasured(run, end - stamps->before[0]);
	}
	if (!run->done)
		WRITE_ONCE(run->began, stamps->before[0]);
	call_count(run, stamps);
	WRITE_ONCE(run->ended, end);
	WRITE_ONCE(run->done, run->done + 1);
	if (unlikely(run->done == run->batch_end))
		icb_run_batch(run);
	return (run->done >= run->goal || end - run->began >= run->until) &&
	       icb_run_ends(run);
}

static int call_loop(struct icb_run *run)
{
	const struct icb_verb *verb = run->verb;
	struct call_stamps stamps;
	unsigned int i;
	int err;

	run->since = icb_clock_read();
	do {
		if (READ_ONCE(run->consumer.stop))
			return -ECANCELED;
		err = run->side->prepare(run->ep);
		icb_run_undisturbed(run);
		for (i = 0; i < verb->calls && !err; i++)
			err = call_once(run, &verb->call[i], &stamps.before[i],
					&stamps.after[i]);
		icb_run_disturbed(run);
		if (unlikely(err))
			return err;
		icb_ep_yield(run->ep, ICB_YIELD_OP, 0);
	} while (!call_done(run, &stamps));
	return 0;
}

static int call_run(struct icb_run *run)
{
	return icb_run_over(run, call_loop(run));
}

static void call_report(const struct icb_run *run, struct icb_result *result)
{
	const struct icb_call *call = run->verb->call;
	unsigned int i;

	icb_result_dist(result, icb_params_word(run->params,
						ICBENCH_A_PARAMS_VERB),
			&run->hist[0], icb_run_divisor(run));
	icb_result_trust(result, run);
	for (i = 0; i < run->verb->calls; i++)
		icb_result_dist(result, call[i].name, &run->hist[1 + i],
				call[i].parts ? : 1);
	icb_result_warmup(result, run);
}

const struct icb_bench_ops icb_call_ops = {
	.name = "return",
	.help = "call: one call of the verbs interface after the other",
	.kept = U32_MAX,
	.run = call_run,
	.report = call_report,
};
