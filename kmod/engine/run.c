// SPDX-License-Identifier: GPL-2.0
#include "host/clock.h"
#include "io/endpoint.h"
#include "run.h"

static bool stop_once(struct icb_run *run, enum icb_stop why)
{
	return !cmpxchg(&run->consumer.stop, ICB_STOP_NONE, why);
}

/**
 * icb_run_stop() - end a run early
 * @run: either side
 * @why: the reason; the first one given counts
 *
 * Any context. Does not wake a side that sleeps; the caller does. Where one thread drives
 * both sides, both are stopped, except that ICB_STOP_END stops only the responder.
 *
 * Return: true if this was the first reason.
 */
bool icb_run_stop(struct icb_run *run, enum icb_stop why)
{
	bool first = stop_once(run, why);
	struct icb_run *mate;

	/* ORDER: pairs with icb_job_take(), which sets mate and then checks stop */
	smp_mb();
	mate = READ_ONCE(run->mate);
	if (mate && why != ICB_STOP_END)
		stop_once(mate, why);
	return first;
}

/**
 * icb_run_progress() - get a number that changes as a run makes progress
 * @run: either side
 *
 * A side that streams makes progress by its own operations, not by the messages of the
 * peer's stream.
 *
 * Return: a number that differs from an earlier one if the run has made progress since.
 */
u64 icb_run_progress(const struct icb_run *run)
{
	u64 progress = READ_ONCE(run->done) + READ_ONCE(run->acked) +
		       READ_ONCE(run->consumer.phase);

	return icb_run_streams(run) ? progress + READ_ONCE(run->seq) :
				      progress + READ_ONCE(run->seen) +
				      READ_ONCE(run->looked);
}

/**
 * icb_run_measure() - begin to measure operations
 * @run: run of the side that posts the operations; none of them is in flight
 *
 * Any context.
 */
void icb_run_measure(struct icb_run *run)
{
	if (run->initiator)
		icb_clock_busy(&run->busy[0], run->cpu);
	WRITE_ONCE(run->consumer.phase, ICB_PHASE_MEASURING);
}

/**
 * icb_run_over() - end a run when its loop has ended
 * @run: either side
 * @err: negative error number of the side's own failure; 0 for none
 *
 * An error in a run that was stopped for another reason is dropped, since the stop may
 * have caused it.
 *
 * Return: @err, or 0 if it is dropped.
 */
int icb_run_over(struct icb_run *run, int err)
{
	if (run->initiator && !run->tail)
		icb_clock_busy(&run->busy[1], run->cpu);
	if (err)
		icb_run_stop(run, ICB_STOP_ERROR);
	/* any other stop reason is reported by the context that stopped the run */
	if (READ_ONCE(run->consumer.stop) != ICB_STOP_ERROR || err == -ECANCELED)
		err = 0;
	run->err = err;
	WRITE_ONCE(run->consumer.phase, ICB_PHASE_OVER);
	return err;
}

/**
 * icb_run_idle() - check for timeout and stop, and yield the CPU, after an empty poll
 * @run: either side
 * @now: clock
 *
 * Yields to other threads and to RCU. Process context.
 *
 * Return: 0 to continue; -ECANCELED if the run is to end.
 */
int icb_run_idle(struct icb_run *run, u64 now)
{
	/* signed: another CPU's clock may be a little behind */
	if (unlikely((s64)(now - run->since) > (s64)run->timeout))
		icb_run_stop(run, ICB_STOP_TIMEOUT);
	if (unlikely(READ_ONCE(run->consumer.stop)))
		return -ECANCELED;
	icb_ep_yield(run->ep, ICB_YIELD_POLL, now - run->since);
	return 0;
}

/**
 * icb_run_sleep() - sleep until the armed event is raised
 * @run: either side
 * @counts: true if the run measures, so that a wake-up counts
 */
void icb_run_sleep(struct icb_run *run, bool counts)
{
	run->wakes += icb_ep_wait(run->ep, &run->consumer, ICB_WAIT_EVENT) && counts;
	if (unlikely(run->stages.on))
		icb_ep_event(run->ep, &run->stages.event);
}

/**
 * icb_run_timer_wait() - sleep until it is time to poll again
 * @run: run of completion mode timer
 * @counts: true if the run measures, so that the wake-up counts
 *
 * Records the delay of the timer as lateness. An open loop does not: its lateness is that
 * of the timer of its schedule.
 */
void icb_run_timer_wait(struct icb_run *run, bool counts)
{
	u64 late = icb_ep_wait(run->ep, &run->consumer, ICB_WAIT_TIMER);

	run->slept = true;
	if (unlikely(run->stages.on))
		icb_ep_event(run->ep, &run->stages.event);
	run->wakes += counts;
	if (counts && run->hist && !READ_ONCE(run->consumer.stop) &&
	    run->params->trigger != ICBENCH_TRIGGER_CLOCK)
		icb_hist_add(&run->hist[ICB_HIST_LATENESS], late);
}

/**
 * icb_run_warm() - report that a run has warmed up, and check if it may measure
 * @run: run of the initiator
 *
 * Any context; may be called repeatedly.
 *
 * Return: false as long as another run of its barrier is still warming up.
 */
bool icb_run_warm(struct icb_run *run)
{
	struct icb_barrier *barrier = run->barrier;

	if (!barrier)
		return true;
	if (!cmpxchg(&run->warm, 0, 1))
		icb_barrier_add_warm(barrier);
	return icb_barrier_warm(barrier);
}

/**
 * icb_run_lingers() - report that a run has measured, and check if it has to continue
 * @run: run of the initiator
 *
 * Any context; may be called repeatedly.
 *
 * Return: true as long as another run of its barrier has not measured.
 */
bool icb_run_lingers(struct icb_run *run)
{
	struct icb_barrier *barrier = run->barrier;

	/* a sample above the threshold ends all runs of the barrier at once */
	if (!barrier || run->beyond.number)
		return false;
	if (!cmpxchg(&run->measured, 0, 1))
		icb_barrier_add_measured(barrier);
	return !icb_barrier_measured(barrier);
}

/**
 * icb_run_ends() - decide how to continue after the last measured operation
 * @run: run of the initiator, with one operation in flight at a time
 *
 * Return: true if the run ends; false if unmeasured operations follow.
 */
bool icb_run_ends(struct icb_run *run)
{
	if (READ_ONCE(run->consumer.stop) || !icb_run_lingers(run))
		return true;
	icb_clock_busy(&run->busy[1], run->cpu);
	run->tail = true;
	run->left = 1;
	return false;
}

/*
 * True if a warm-up whose operations are all made has lasted long enough. The samples do
 * not matter any more once the barrier has counted this run as warm.
 */
static bool is_warm(const struct icb_run *run)
{
	return !run->warmup.on || READ_ONCE(run->warm) ||
	       icb_warmup_over(&run->warmup, run->since);
}

/**
 * icb_run_unmeasured() - account for an operation that is not measured
 * @run: as in icb_run_ends(), with @run->left not 0
 * @ticks: duration of the operation, which ended at @run->since
 *
 * Return: true if it was the last operation of the run.
 */
bool icb_run_unmeasured(struct icb_run *run, u64 ticks)
{
	struct icb_warmup *warmup = &run->warmup;

	run->deferred &= ~ICB_DEFERRED_EMPTY;
	if (run->tail)
		return icb_barrier_measured(run->barrier) || READ_ONCE(run->consumer.stop);
	if (warmup->on)
		icb_warmup_add(warmup, ticks, run->since);
	/* left stays at 1 until the warm-up is over, here and in the other runs */
	if (run->left > 1 || (is_warm(run) && icb_run_warm(run)))
		run->left--;
	if (!run->left)
		icb_run_measure(run);
	return READ_ONCE(run->consumer.stop);
}

/**
 * icb_run_skip() - account for an operation whose answer was given up
 * @run: run of the initiator
 *
 * Return: true if it was the last operation of the run.
 */
bool icb_run_skip(struct icb_run *run)
{
	/* the buffer of the missing answer is skipped */
	icb_buffers_next(&run->rx);
	if (run->left)
		return icb_run_unmeasured(run, 0);
	run->deferred &= ~ICB_DEFERRED_EMPTY;
	if (!run->done && !run->unanswered)
		WRITE_ONCE(run->began, run->give_up - run->patience);
	WRITE_ONCE(run->unanswered, run->unanswered + 1);
	/* a missing answer may be noticed before the time to wait has passed */
	WRITE_ONCE(run->ended, min_t(u64, run->give_up, icb_clock_read()));
	return (run->done + run->unanswered >= run->goal ||
		run->ended - run->began >= run->until ||
		READ_ONCE(run->consumer.stop)) && icb_run_ends(run);
}

/* Record the overhead of one post and one poll: a message's cost at both of its ends. */
static void book_calls(struct icb_run *run, const struct icb_stamps *stamps)
{
	u64 ticks = stamps->posted - stamps->post + stamps->rearm;

	if (stamps->poll)
		ticks += stamps->end - stamps->poll;
	icb_hist_add(&run->hist[ICB_HIST_OVERHEAD], icb_clock_ns(ticks));
}

static noinline void book_deferred(struct icb_run *run,
				   const struct icb_stamps *stamps)
{
	if (run->deferred & ICB_DEFERRED_EMPTY)
		icb_hist_add(&run->hist[ICB_HIST_POLL_EMPTY],
			     icb_clock_ns(stamps->empty));
	if (run->deferred & ICB_DEFERRED_OVERHEAD)
		book_calls(run, stamps);
	run->deferred &= ~ICB_DEFERRED_EMPTY;
}

/**
 * icb_run_batched() - test if a run takes its samples in batches
 * @params: parameters of the run
 *
 * Return: true if its main result is a distribution that a loop records.
 */
bool icb_run_batched(const struct icb_params *params)
{
	return !icb_verb_of(params)->local &&
	       params->trigger != ICBENCH_TRIGGER_COMPLETION;
}

/* Sum of all samples, modulo 2^64. */
static u64 sum_of(const struct icb_hist *hist)
{
	return (u64)hist->sum + hist->origin * hist->count;
}

/**
 * icb_run_batch() - complete a batch of samples
 * @run: run of the initiator, with as many samples as @run->batch_end
 *
 * Called between two samples, except in an open loop, where samples overlap. Ends the run
 * if this batch's check finds the confidence intervals as narrow as requested, and the
 * least time has passed. If the time has not passed, a later check decides.
 */
void icb_run_batch(struct icb_run *run)
{
	const u64 count = run->hist->count;

	if (count == run->means.end)
		icb_means_end(&run->means, sum_of(run->hist), count);
	if (count == run->batches->end &&
	    icb_batches_end(run->batches, &run->hist[0]) &&
	    run->ended - run->began >= run->settled)
		run->goal = run->done;
	run->batch_end = min_t(u64, run->batches->end, run->means.end);
}

/**
 * icb_run_divisor() - get the divisor of a sample in the result
 * @run: run of trigger echo or return
 *
 * The one-way latency is half of a round trip; where messages cross, a sample is one-way
 * already. An operation of calls may do the same work several times.
 *
 * Return: the divisor, at least 1.
 */
u32 icb_run_divisor(const struct icb_run *run)
{
	u32 parts = 0, i;

	if (run->params->trigger == ICBENCH_TRIGGER_ECHO)
		return run->params->direction == ICBENCH_DIRECTION_BI ?
			1 : run->verb->divisor;
	for (i = 0; i < run->verb->calls; i++)
		parts += run->verb->call[i].parts;
	return parts ? : 1;
}

static u32 causes_of(struct icb_run *run, const struct icb_hist *hist, u64 ns)
{
	const u64 waited = run->disturb.waited;
	u32 causes = icb_tail_causes(&run->waits, run->causes, waited, ns, hist);

	/* samples of an open loop overlap: the times may belong to other samples */
	if (run->params->trigger == ICBENCH_TRIGGER_CLOCK)
		return causes;
	return icb_tail_weigh(run->disturbed, &run->disturb.spent, causes,
			      waited, ns, hist->min);
}

/**
 * icb_run_attribute() - record the causes that have disturbed a sample
 * @run: run of the initiator, with @run->causes not 0
 * @hist: the distribution of the sample
 * @ns: the sample, ns
 */
noinline void icb_run_attribute(struct icb_run *run, const struct icb_hist *hist,
			    u64 ns)
{
	u32 causes = causes_of(run, hist, ns);

	if (causes)
		icb_tail_add(run->disturbed, ns, causes);
}

/**
 * icb_run_exceed() - end a run at a sample above the threshold
 * @run: run of the initiator
 * @hist: the distribution of the sample, which is not recorded yet
 * @number: number of the measured sample, from 1
 * @ns: the sample, ns
 * @end: clock when it ended
 *
 * Called once per run, in any context that drives the side.
 */
void icb_run_exceed(struct icb_run *run, const struct icb_hist *hist,
		    u64 number, u64 ns, u64 end)
{
	run->beyond.number = number;
	run->beyond.ns = ns;
	icb_disturb_beyond(&run->asker, number, ns,
			   icb_clock_ns(icb_clock_read() - end));
	/* this takes long, so it follows the end of the kernel trace */
	if (run->disturbed) {
		run->beyond.causes = causes_of(run, hist, ns);
		run->beyond.chance = icb_tail_chance(run->disturbed, hist,
						     run->beyond.causes, ns,
						     ICB_DISTURB_TICK_NS);
	}
	/* where samples overlap, others in flight must not exceed the limit again */
	run->limit = U64_MAX;
	WRITE_ONCE(run->goal, 0);
}

/**
 * icb_run_peak() - handle a sample that is the greatest so far
 * @run: run of the initiator
 * @ns: the sample, ns; not recorded yet
 * @end: clock when it ended
 *
 * A sample above the threshold ends the run. Any context that drives the side.
 *
 * Return: the value to pass to icb_hist_book().
 */
noinline u64 icb_run_peak(struct icb_run *run, u64 ns, u64 end)
{
	if (ns > run->limit)
		icb_run_exceed(run, run->hist, run->done + 1, ns, end);
	return icb_hist_raise(run->hist, ns);
}

/* Append the names of causes to text at offset len. Returns the new offset of its end. */
static size_t name_causes(char *text, size_t size, size_t len,
			  const char *before, u32 causes)
{
	u32 i;

	for (i = 0; i < ICB_CAUSES && len < size; i++) {
		if (!(causes & BIT(i)))
			continue;
		len += snprintf(text + len, size - len, "%s%s", before,
				icb_cause_words[i]);
		before = ", ";
	}
	return len;
}

/**
 * icb_run_beyond_words() - describe the sample that has ended a run
 * @run: the initiator, after the run
 * @why: the description
 *
 * Return: false if no sample has ended the run.
 */
bool icb_run_beyond_words(const struct icb_run *run, struct icb_reason *why)
{
	const struct icb_beyond *beyond = &run->beyond;
	char causes[128] = "";
	size_t len;

	if (!beyond->number)
		return false;
	len = name_causes(causes, sizeof(causes), 0, "; disturbed by ",
			  beyond->causes & ~beyond->chance);
	if (run->disturbed && !len)
		len = snprintf(causes, sizeof(causes),
			       "; disturbed by nothing known");
	name_causes(causes, sizeof(causes), len, "; attributed by its length alone: ",
		    beyond->chance);
	icb_refuse(why, 0, "sample %llu took %llu ns, threshold %llu ns%s",
		   (unsigned long long)beyond->number,
		   (unsigned long long)div64_u64(beyond->ns,
						 icb_run_divisor(run)),
		   (unsigned long long)run->params->threshold, causes);
	return true;
}

/**
 * icb_run_count() - record one finished operation
 * @run: run of the initiator
 * @stamps: clock readings of the operation
 *
 * Return: true if it was the last operation of the run.
 */
bool icb_run_count(struct icb_run *run, const struct icb_stamps *stamps)
{
	run->since = stamps->end;
	if (unlikely(run->left))
		return icb_run_unmeasured(run,
					  stamps->end - stamps->post);
	if (unlikely(!run->done && !run->unanswered))
		WRITE_ONCE(run->began, stamps->post);
	icb_run_book(run, icb_clock_ns(stamps->end - stamps->post),
		     stamps->end);
	if (unlikely(run->causes))
		icb_run_attribute(run, run->hist,
				  icb_clock_ns(stamps->end - stamps->post));
	icb_hist_add(&run->hist[ICB_HIST_POST],
		     icb_clock_ns(stamps->posted - stamps->post));
	if (stamps->poll)
		icb_hist_add(&run->hist[ICB_HIST_POLL],
			     icb_clock_ns(stamps->end - stamps->poll));
	if (run->deferred)
		book_deferred(run, stamps);
	WRITE_ONCE(run->ended, stamps->end);
	WRITE_ONCE(run->done, run->done + 1);
	if (unlikely(run->done == run->batch_end))
		icb_run_batch(run);
	return (run->done + run->unanswered >= run->goal ||
		stamps->end - run->began >= run->until ||
		READ_ONCE(run->consumer.stop)) && icb_run_ends(run);
}

/**
 * icb_run_catch_up() - count messages that arrived after the loop ended
 * @run: run of a responder, or of an initiator that receives a stream; its loop has ended
 */
void icb_run_catch_up(struct icb_run *run)
{
	if (run->ops->catch_up)
		run->ops->catch_up(run);
}
