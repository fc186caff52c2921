// SPDX-License-Identifier: GPL-2.0
#include "host/clock.h"
#include "run.h"
#include "verbs/endpoint.h"

static bool stop_once(struct icb_run *run, enum icb_stop why)
{
	return !cmpxchg(&run->consumer.stop, ICB_STOP_NONE, why);
}

/**
 * icb_run_stop() - end a run early
 * @run: either side
 * @why: the reason; the first one given counts
 *
 * Any context. Does not wake a side that sleeps; the caller does. Where one
 * thread drives both sides, both end; but an initiator is not ended by having
 * ended its responder.
 *
 * Return: true if this was the first reason.
 */
bool icb_run_stop(struct icb_run *run, enum icb_stop why)
{
	bool first = stop_once(run, why);
	struct icb_run *mate;

	/* ORDER: pairs with icb_job_take(), whose mate looks then */
	smp_mb();
	mate = READ_ONCE(run->mate);
	if (mate && why != ICB_STOP_END)
		stop_once(mate, why);
	return first;
}

/**
 * icb_run_progress() - what changes while a run goes on
 * @run: either side
 *
 * A side that streams goes on by what it has begun itself, and not by what the
 * other side's stream brings to it.
 *
 * Return: a number that differs from an earlier one if it went on.
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
 * icb_run_measure() - from here on operations count
 * @run: of the side that begins them, none of which is on its way
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
 * icb_run_over() - a loop has ended
 * @run: its side
 * @err: negative error number of the side's own failure; 0 for none
 *
 * A run that was stopped has not failed by what the stop broke.
 *
 * Return: the error that remains.
 */
int icb_run_over(struct icb_run *run, int err)
{
	if (run->initiator && !run->tail)
		icb_clock_busy(&run->busy[1], run->cpu);
	if (err)
		icb_run_stop(run, ICB_STOP_ERROR);
	/* and why somebody else ended it, they know */
	if (READ_ONCE(run->consumer.stop) != ICB_STOP_ERROR || err == -ECANCELED)
		err = 0;
	run->err = err;
	WRITE_ONCE(run->consumer.phase, ICB_PHASE_OVER);
	return err;
}

/**
 * icb_run_idle() - what a loop does between polls that found nothing
 * @run: whose
 * @now: clock
 *
 * Gives way to others and to RCU. Process context.
 *
 * Return: 0 to go on; -ECANCELED if the run is to end.
 */
int icb_run_idle(struct icb_run *run, u64 now)
{
	/* signed: another CPU's clock may be a little behind */
	if (unlikely((s64)(now - run->since) > (s64)run->timeout))
		icb_run_stop(run, ICB_STOP_TIMEOUT);
	if (unlikely(READ_ONCE(run->consumer.stop)))
		return -ECANCELED;
	icb_ep_poll_yield(run->ep, now - run->since);
	return 0;
}

/**
 * icb_run_sleep() - sleep until the event that was asked for comes
 * @run: whose
 * @counts: it measures
 */
void icb_run_sleep(struct icb_run *run, bool counts)
{
	run->wakes += icb_ep_sleep(run->ep, &run->consumer.stop) && counts;
	if (unlikely(run->stages.on))
		icb_ep_event(run->ep, &run->stages.event);
}

/**
 * icb_run_timer_wait() - sleep until it is time to poll again
 * @run: whose completion mode is timer
 * @counts: it measures
 *
 * How late it was is booked, but for an open loop, whose lateness is its schedule's.
 */
void icb_run_timer_wait(struct icb_run *run, bool counts)
{
	u64 late = icb_ep_timer_wait(run->ep, &run->consumer.stop);

	run->slept = true;
	if (unlikely(run->stages.on))
		icb_ep_event(run->ep, &run->stages.event);
	run->wakes += counts;
	if (counts && run->hist && !READ_ONCE(run->consumer.stop) &&
	    run->params->trigger != ICBENCH_TRIGGER_CLOCK)
		icb_hist_add(&run->hist[ICB_HIST_LATENESS], late);
}

/**
 * icb_run_warm() - a run has warmed up: see whether it is to measure now
 * @run: of the initiator; once or more often, from any context
 *
 * Return: false as long as another run of its crowd is still warming up.
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
 * icb_run_lingers() - a run has measured: see whether it is to go on all the same
 * @run: of the initiator; once or more often, from any context
 *
 * Return: true as long as another run of its crowd has not measured.
 */
bool icb_run_lingers(struct icb_run *run)
{
	struct icb_barrier *barrier = run->barrier;

	/* a sample beyond the threshold ends all of them, at once */
	if (!barrier || run->beyond.number)
		return false;
	if (!cmpxchg(&run->measured, 0, 1))
		icb_barrier_add_measured(barrier);
	return !icb_barrier_measured(barrier);
}

/**
 * icb_run_ends() - the last operation has been booked
 * @run: of the initiator, whose operations come one after the other
 *
 * Return: true if it was the very last one; false where others follow that do not
 * count.
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

/* All operations of the warm-up were made; steady or not, it is told to others once. */
static bool is_warm(const struct icb_run *run)
{
	return !run->warmup.on || READ_ONCE(run->warm) ||
	       icb_warmup_over(&run->warmup, run->since);
}

/**
 * icb_run_unmeasured() - an operation is over that does not count
 * @run: as above, its @left not 0
 * @ticks: that it took, until run->since
 *
 * Return: true if it was the last one.
 */
bool icb_run_unmeasured(struct icb_run *run, u64 ticks)
{
	struct icb_warmup *warmup = &run->warmup;

	run->deferred &= ~ICB_DEFERRED_EMPTY;
	if (run->tail)
		return icb_barrier_measured(run->barrier) || READ_ONCE(run->consumer.stop);
	if (warmup->on)
		icb_warmup_add(warmup, ticks, run->since);
	/* the last one of the warm-up, again and again */
	if (run->left > 1 || (is_warm(run) && icb_run_warm(run)))
		run->left--;
	if (!run->left)
		icb_run_measure(run);
	return READ_ONCE(run->consumer.stop);
}

/**
 * icb_run_skip() - book an operation whose answer was given up
 * @run: of the initiator
 *
 * Return: true if it was the last one.
 */
bool icb_run_skip(struct icb_run *run)
{
	/* the next answer is that of the next operation */
	icb_buffers_next(&run->rx);
	if (run->left)
		return icb_run_unmeasured(run, 0);
	run->deferred &= ~ICB_DEFERRED_EMPTY;
	if (!run->done && !run->unanswered)
		WRITE_ONCE(run->began, run->give_up - run->patience);
	WRITE_ONCE(run->unanswered, run->unanswered + 1);
	/* it may be known before the time is over that there is none */
	WRITE_ONCE(run->ended, min_t(u64, run->give_up, icb_clock_read()));
	return (run->done + run->unanswered >= run->goal ||
		run->ended - run->began >= run->until ||
		READ_ONCE(run->consumer.stop)) && icb_run_ends(run);
}

/* One message was posted and another one polled: the work of both its ends. */
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
 * icb_run_batched() - whether a run takes its samples in batches
 * @params: of the run
 *
 * Return: true where it is about a distribution that a loop books.
 */
bool icb_run_batched(const struct icb_params *params)
{
	return !icb_verb_of(params)->local &&
	       params->trigger != ICBENCH_TRIGGER_COMPLETION;
}

/* Of all samples; may have wrapped. */
static u64 sum_of(const struct icb_hist *hist)
{
	return (u64)hist->sum + hist->origin * hist->count;
}

/**
 * icb_run_batch() - a batch of samples is complete
 * @run: of the initiator, whose samples are as many as its @batch_end
 *
 * Between two samples, but in an open loop, where they overlap. Where the intervals are as
 * narrow as they are to be, and the least time is over, the run has measured enough.
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
 * icb_run_divisor() - what a sample is divided by in the result
 * @run: of trigger echo or return
 *
 * A message has gone one way in half of a round trip, or while another came; an
 * operation of calls may do the same thing several times.
 *
 * Return: the divisor, 1 and more.
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

	/* where samples overlap, the times are not of this one */
	if (run->params->trigger == ICBENCH_TRIGGER_CLOCK)
		return causes;
	return icb_tail_weigh(run->disturbed, &run->disturb.spent, causes,
			      waited, ns, hist->min);
}

/**
 * icb_run_attribute() - book what has disturbed a sample
 * @run: of the initiator, whose @causes are not 0
 * @hist: the distribution of the sample
 * @ns: the sample
 */
noinline void icb_run_attribute(struct icb_run *run, const struct icb_hist *hist,
			    u64 ns)
{
	u32 causes = causes_of(run, hist, ns);

	if (causes)
		icb_tail_add(run->disturbed, ns, causes);
}

/**
 * icb_run_exceed() - a sample is beyond the threshold: the run ends with it
 * @run: of the initiator
 * @hist: the distribution of the sample, which is not booked yet
 * @number: which of those measured it is, from 1
 * @ns: the sample
 * @end: clock when it ended
 *
 * Once. Any context of the side's driver.
 */
void icb_run_exceed(struct icb_run *run, const struct icb_hist *hist,
		    u64 number, u64 ns, u64 end)
{
	run->beyond.number = number;
	run->beyond.ns = ns;
	icb_disturb_beyond(&run->asker, number, ns,
			   icb_clock_ns(icb_clock_read() - end));
	/* takes long: the trace has ended */
	if (run->disturbed) {
		run->beyond.causes = causes_of(run, hist, ns);
		run->beyond.chance = icb_tail_chance(run->disturbed, hist,
						     run->beyond.causes, ns,
						     ICB_DISTURB_TICK_NS);
	}
	/* others are on their way where samples overlap */
	run->limit = U64_MAX;
	WRITE_ONCE(run->goal, 0);
}

/**
 * icb_run_peak() - a sample is the greatest so far
 * @run: of the initiator
 * @ns: the sample; it is not booked yet
 * @end: clock when it ended
 *
 * One that is beyond the threshold is the last one. Any context of the side's
 * driver.
 *
 * Return: what icb_hist_book() is to be given.
 */
noinline u64 icb_run_peak(struct icb_run *run, u64 ns, u64 end)
{
	if (ns > run->limit)
		icb_run_exceed(run, run->hist, run->done + 1, ns, end);
	return icb_hist_raise(run->hist, ns);
}

/* Append the words of causes at @len of @text; returns where they end. */
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
 * icb_run_beyond_words() - say which sample has ended a run
 * @run: the initiator, after the run
 * @why: where to
 *
 * Return: false where none did.
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
	name_causes(causes, sizeof(causes), len, "; by its length alone: ",
		    beyond->chance);
	icb_refuse(why, 0, "sample %llu took %llu ns, threshold %llu ns%s",
		   (unsigned long long)beyond->number,
		   (unsigned long long)div64_u64(beyond->ns,
						 icb_run_divisor(run)),
		   (unsigned long long)run->params->threshold, causes);
	return true;
}

/**
 * icb_run_count() - book one finished operation
 * @run: of the initiator
 * @stamps: of the operation
 *
 * Return: true if it was the last one.
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
 * icb_run_catch_up() - count what has arrived by the end
 * @run: of the responder, over
 */
void icb_run_catch_up(struct icb_run *run)
{
	if (run->ops->catch_up)
		run->ops->catch_up(run);
}
