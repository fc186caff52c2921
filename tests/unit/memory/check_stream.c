// SPDX-License-Identifier: GPL-2.0
#include "check.h"
#include "host/clock.h"
#include "window.h"

/**
 * struct tally - the initiator's measured calls, as calculated from the log
 * @post: posting calls, ns
 * @found: polling calls that found a completion, ns
 * @empty: polling calls that found none, ns
 */
struct tally {
	struct icb_hist post;
	struct icb_hist found;
	struct icb_hist empty;
};

/* Return the index of a task's next event; the number of events if there is none. */
static size_t next_event(const struct net *net, size_t i, unsigned int task)
{
	for (; i < net->logged; i++)
		if (net->log[i].task == task)
			break;
	return i;
}

static void add_call(struct tally *tally, const struct net_event *event, u64 ns)
{
	if (event->side)
		return;
	if (event->call == NET_POST_LIST)
		icb_hist_add(&tally->post, ns);
	if (event->call == NET_POLL_ANY && event->result >= 0)
		icb_hist_add(event->result ? &tally->found : &tally->empty, ns);
}

/* Record each call that lies directly between two clock readings: no other call is timed. */
static void count_calls(const struct pair *pair, struct tally *tally)
{
	const struct net *net = &pair->net;
	unsigned int task = check_driver(pair);
	const struct net_event *a, *b, *c;
	size_t i, j, k;

	i = next_event(net, 0, task);
	j = next_event(net, i + 1, task);
	k = next_event(net, j + 1, task);
	for (; k < net->logged; k = next_event(net, k + 1, task)) {
		a = &net->log[i];
		b = &net->log[j];
		c = &net->log[k];
		if (a->call == NET_CLOCK && c->call == NET_CLOCK &&
		    a->time >= pair->run[0].began &&
		    (!pair->run[0].tail || a->time < pair->run[0].ended))
			add_call(tally, b, icb_clock_ns(c->time - a->time));
		i = j;
		j = k;
	}
}

static const char *check_log(const struct pair *pair)
{
	const struct icb_run *run = &pair->run[0];
	static struct tally tally;

	icb_hist_reset(&tally.post);
	icb_hist_reset(&tally.found);
	icb_hist_reset(&tally.empty);
	if (pair->net.config.no_log)
		return NULL;
	if (run->timed || run->tail)
		count_calls(pair, &tally);
	{
		const char *const wrong[] = {
			HOLDS(check_hist_equal(&tally.post,
					       &run->hist[ICB_HIST_POST])),
			HOLDS(check_hist_equal(&tally.found,
					       &run->hist[ICB_HIST_POLL])),
			HOLDS(check_hist_equal(&tally.empty,
					       &run->hist[ICB_HIST_POLL_EMPTY])),
		};

		return check_first(wrong, ARRAY_SIZE(wrong));
	}
}

/* Check that the intervals of a window follow each other without a gap, from the start. */
static const char *check_intervals(const struct pair *pair)
{
	const struct icb_run *run = &pair->run[0];
	const struct icb_hist *lap = &run->hist[ICB_HIST_INTERVAL];
	u64 laps = run->done / pair->params[0].window, sum, most;
	const char *const wrong[] = {
		HOLDS(lap->count == laps),
		HOLDS(!run->hist[ICB_HIST_LATENCY].count),
	};

	if (!laps)
		return check_first(wrong, ARRAY_SIZE(wrong));
	sum = lap->count * lap->origin + (u64)lap->sum;
	most = icb_clock_ns(run->ended - run->began);
	/* each interval is rounded down to a nanosecond */
	if (sum > most || (run->done == laps * pair->params[0].window &&
			   sum + laps < most))
		return "the intervals do not add up";
	return check_first(wrong, ARRAY_SIZE(wrong));
}

static const char *check_side(const struct pair *pair, unsigned int i)
{
	const struct icb_run *run = &pair->run[i];
	const struct pair_side *side = &pair->side[i];
	const struct icb_ep *ep = &pair->net.ep[i];
	bool driven = i && pair->config.one_thread;
	bool failed = pair->net.ep[0].own.err || pair->net.ep[1].own.err || side->err;
	/* the engine ignores late callbacks, and completions taken together with a failed one */
	u64 ignored = pair->net.callbacks || failed ? ICB_EP_TAKE : 0;
	u64 seen = pair->net.report_every ? run->looked / pair->net.report_every : run->seen;
	const char *const wrong[] = {
		HOLDS(run->seen <= ep->own.arrived),
		HOLDS(seen <= ep->own.taken && ep->own.taken <= seen + ignored),
		HOLDS(ep->own.refills <= ep->own.taken),
		HOLDS(run->acked <= run->seq),
		HOLDS(!run->timed || run->done == run->acked - run->base),
		HOLDS(!run->timed || !run->done || run->ended > run->began),
		HOLDS(run->timed || !run->done || !run->mark || run->tail),
		HOLDS(!run->tail || !i),
		HOLDS(!run->errors),
		HOLDS(!side->ret || ep->own.err || side->ret == run->err),
		HOLDS(driven || side->over),
		HOLDS(side->ret != -ECANCELED),
		HOLDS(!side->ret || side->stop == ICB_STOP_ERROR),
	};

	return check_first(wrong, ARRAY_SIZE(wrong));
}

/**
 * check_stream() - check a stream, complete or not
 * @pair: the pair that has run
 *
 * Return: NULL if all checks pass; else the text of the first that fails.
 */
const char *check_stream(const struct pair *pair)
{
	const char *const wrong[] = {
		pair->net.wrong[0] ? pair->net.wrong : NULL,
		HOLDS(pair->run[0].done <= pair->run[0].goal),
		HOLDS(pair->run[0].consumer.phase == ICB_PHASE_OVER),
		check_side(pair, 0),
		check_side(pair, 1),
		check_intervals(pair),
		check_log(pair),
	};

	return check_first(wrong, ARRAY_SIZE(wrong));
}

static u64 batches(u64 count, u64 batch)
{
	return (count + batch - 1) / batch;
}

/* Return the number of posting calls: for the window, for each refill, and for the rest. */
static u64 posting_calls(const struct icb_params *params, u64 count)
{
	u64 first = count < params->window ? count : params->window;
	u64 rest = count - first;

	return batches(first, params->batch) + rest / params->refill *
	       batches(params->refill, params->batch) +
	       batches(rest % params->refill, params->batch);
}

/* Check that all operations of the initiator have completed, and that it has counted them. */
static const char *check_sent(const struct pair *pair, u64 total)
{
	const struct icb_params *params = &pair->params[0];
	bool timed = icb_params_has(params, ICBENCH_A_PARAMS_DURATION);
	const struct icb_run *run = &pair->run[0];
	const struct icb_ep *ep = &pair->net.ep[0];
	bool silent = params->signal_every > 1 &&
		      (run->done >= params->signal_every ||
		       params->warmup >= params->signal_every);
	/* no completion frees the queue entry of a notification after the last operation */
	bool not_freed = pair->net.report_every && !(total % pair->net.report_every);
	const char *const wrong[] = {
		HOLDS(run->seq == total),
		HOLDS(run->acked == total),
		HOLDS(ep->own.posts == total),
		HOLDS(ep->own.freed == total),
		HOLDS(ep->own.sq_used <= not_freed),
		HOLDS(!ep->own.sq_full),
		HOLDS(!silent || ep->own.most_unsignalled == params->signal_every - 1),
		HOLDS(timed || run->done == params->iterations),
		HOLDS(!timed || !(run->done % params->signal_every)),
		HOLDS(!timed || run->ended - run->began >=
				icb_clock_ticks(params->duration)),
		/*
		 * A notification ends a posting call early. Waiting for credit, and yielding
		 * early, need more posting calls.
		 */
		HOLDS(timed || ep->plan.credited || window_yields(run) ||
		      (pair->net.report_every && params->batch > 1) ||
		      run->hist[ICB_HIST_POST].count ==
		      posting_calls(params, run->done)),
		HOLDS(!pair->net.callbacks ||
		      !run->hist[ICB_HIST_POLL].count),
		HOLDS(!pair->side[0].compared),
	};

	return check_first(wrong, ARRAY_SIZE(wrong));
}

/* Check that all operations have arrived at the responder, which may stream itself. */
static const char *check_received(const struct pair *pair, u64 total)
{
	bool both = pair->params[1].direction == ICBENCH_DIRECTION_BI;
	const struct icb_verb *verb = pair->net.verb;
	const struct icb_run *run = &pair->run[1];
	const struct icb_ep *ep = &pair->net.ep[1];
	u64 word = pair->params[0].seed + total, seen = verb->recv ? total : 0;
	u64 notifies = pair->net.report_every ? total / pair->net.report_every : 0;
	/* the last notified writes are checked after the loop, without a refill */
	u64 late = notifies ? ep->own.rq_depth + 1 : 0;
	const char *const wrong[] = {
		HOLDS(verb->passive || ep->own.arrived == total),
		HOLDS(!verb->passive || ep->own.reached == total),
		HOLDS(!verb->atomic || !memcmp(net_tx(ep, 0), &word, sizeof(word))),
		HOLDS(run->seen == seen),
		HOLDS(ep->own.refills <= seen + notifies),
		HOLDS(ep->own.refills + late >= seen + notifies),
		HOLDS(run->looked == ep->own.refills * pair->net.report_every),
		HOLDS(run->seq == ep->own.posts),
		HOLDS(both || !run->seq),
		HOLDS(both || run->done == seen),
		HOLDS(!both || pair->run[0].peer_done == run->done),
		HOLDS(!pair->run[0].peer_done == !pair->run[0].peer_elapsed),
		/* a slow responder does not measure enough windows within the timeout */
		HOLDS(!both || pair->run[0].peer_measured ||
		      (run->steady.count < ICB_STEADY_LEAST &&
		       task_now() - pair->run[0].lapped > pair->run[0].timeout)),
		HOLDS(!both || pair->run[0].peer_elapsed),
		HOLDS(!both || run->done >= pair->params[0].window ||
		      run->done >= pair->params[0].iterations),
		HOLDS(pair->run[0].seen <= ep->own.posts),
		HOLDS(!pair->side[1].compared),
	};

	return check_first(wrong, ARRAY_SIZE(wrong));
}

/**
 * check_stream_complete() - check a stream that was complete and without errors
 * @pair: the pair that has run
 *
 * Return: NULL if all checks pass; else the text of the first that fails.
 */
const char *check_stream_complete(const struct pair *pair)
{
	u64 total = pair->params[0].warmup + pair->net.callbacks +
		    pair->run[0].done;
	const struct icb_run *run = &pair->run[0];
	/* operations that it posted after it had measured, until its peer had measured */
	u64 more = run->tail ? run->seq - run->base : 0;
	int end = pair->config.one_thread ? ICB_STOP_NONE : ICB_STOP_END;
	const char *const wrong[] = {
		check_stream(pair),
		HOLDS(!pair->side[0].err),
		HOLDS(!pair->side[0].stop),
		HOLDS(pair->complete),
		HOLDS(!pair->side[1].err),
		HOLDS(pair->side[1].stop == end),
		check_sent(pair, total + more),
		check_received(pair, total + more),
	};

	return check_first(wrong, ARRAY_SIZE(wrong));
}
