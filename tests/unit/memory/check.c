// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "check.h"
#include "host/clock.h"

/**
 * check_first() - get the first failed check
 * @wrong: results of checks: each is NULL or a text
 * @count: number of checks
 *
 * Return: NULL if no check has failed; else the text of the first.
 */
const char *check_first(const char *const *wrong, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (wrong[i])
			return wrong[i];
	return NULL;
}

/**
 * struct call_log - calls of the task that drives the initiator
 * @pair: the pair that has run
 * @event: the calls, in their order
 * @count: number of calls
 * @made_early: the responder fills the buffer of an answer before the message arrives
 * @memory: the initiator polls memory for a write
 */
struct call_log {
	const struct pair *pair;
	const struct net_event **event;
	size_t count;
	bool made_early;
	bool memory;
};

/**
 * check_driver() - get the task that drives the initiator
 * @pair: the pair that has run
 *
 * Callbacks run in a task of their own, which makes all posts but the first.
 *
 * Return: number of the task; TASK_MAX if there was no callback.
 */
unsigned int check_driver(const struct pair *pair)
{
	size_t i;

	if (!pair->net.callbacks)
		return 0;
	for (i = 0; i < pair->net.logged; i++)
		if ((pair->net.log[i].call == NET_ARRIVED ||
		     pair->net.log[i].call == NET_COMPLETED) &&
		    !pair->net.log[i].side)
			return pair->net.log[i].task;
	return TASK_MAX;
}

static bool is_call(const struct call_log *log, size_t i, enum net_call call)
{
	return i < log->count && log->event[i]->call == call;
}

static bool is_call_of(const struct call_log *log, size_t i, enum net_call call,
		       unsigned int side)
{
	return is_call(log, i, call) && log->event[i]->side == side;
}

/*
 * Return true if a call may occur within a sample, between the clock before the post and
 * the clock at the end. Allowed are calls that wait for the answer. If one thread drives
 * both sides, calls of the responder until it answers are allowed, too.
 */
static bool allowed(const struct call_log *log, size_t i, unsigned int *rx_calls)
{
	const struct net_event *event = log->event[i];
	bool other_side = event->side && log->pair->config.one_thread;

	switch (event->call) {
	case NET_CLOCK:
	case NET_YIELD_POLL:
	case NET_SLEEP:
		return true;
	case NET_POLL:
		return !event->result || (other_side && event->result == 1);
	case NET_REAP_ALWAYS:
		return log->memory;
	case NET_RX:
		/* one call per side, to get the address of the last byte */
		return log->memory && !rx_calls[event->side]++;
	case NET_ARM:
		/* an adaptive wait that stops polling; or again, after an empty poll */
		return log->pair->params[0].completion == ICBENCH_COMPLETION_ADAPTIVE ||
		       (i >= 2 && is_call(log, i - 1, NET_CLOCK) &&
			is_call(log, i - 2, NET_POLL) && !log->event[i - 2]->result);
	case NET_POST:
		return other_side;
	case NET_TX:
	case NET_SET_BUFFER:
		return other_side && !log->made_early;
	default:
		return false;
	}
}

/* Return true if call i finds the answer. Then *end is the index of the clock at the end. */
static bool answered(const struct call_log *log, size_t i,
		     const unsigned int *rx_calls, size_t *end)
{
	if (log->pair->net.callbacks) {
		*end = i + 1;
		return is_call_of(log, i, NET_ARRIVED, 0) &&
		       !log->event[i]->result;
	}
	if (log->memory) {
		*end = i - 1;
		return is_call_of(log, i, NET_REAP, 0) ||
		       (rx_calls[0] && is_call_of(log, i, NET_RX, 0));
	}
	*end = i + 1;
	return is_call_of(log, i, NET_POLL, 0) && log->event[i]->result == 1;
}

/* Return the time to arm the CQ between the answer and the next post, ticks. */
static u64 rearm_ticks(const struct call_log *log, size_t i)
{
	for (; i < log->count && !is_call_of(log, i, NET_POST, 0); i++)
		if (is_call_of(log, i, NET_ARM, 0) && is_call(log, i - 1, NET_CLOCK) &&
		    is_call(log, i + 1, NET_CLOCK))
			return log->event[i + 1]->time -
			       log->event[i - 1]->time;
	return 0;
}

/*
 * Get the clock readings of the sample that starts with the post at index i. Returns NULL
 * if the sample is correct, "" if it was never answered, else an error message.
 */
static const char *sample(const struct call_log *log, size_t i,
			  struct icb_stamps *stamps)
{
	unsigned int rx_calls[NET_SIDES] = { 0 };
	size_t end;

	if (!i || !is_call(log, i - 1, NET_CLOCK))
		return "no clock before a post";
	if (!is_call(log, i + 1, NET_CLOCK))
		return i + 1 < log->count ? "no clock after a post" : "";
	stamps->post = log->event[i - 1]->time;
	stamps->posted = log->event[i + 1]->time;
	stamps->poll = 0;
	for (i += 2; i < log->count; i++) {
		if (answered(log, i, rx_calls, &end))
			break;
		if (is_call_of(log, i, NET_POLL, 0) && log->event[i]->result < 0)
			return "";
		/* the run was given up: it measured nothing after this */
		if (is_call_of(log, i, NET_OVER, 0))
			return "";
		if (!allowed(log, i, rx_calls))
			return "a call within a timed interval does not belong there";
	}
	if (i == log->count)
		return "";
	if (!is_call(log, end, NET_CLOCK))
		return end < log->count ? "no clock after an answer" : "";
	stamps->end = log->event[end]->time;
	if (!log->memory && !log->pair->net.callbacks) {
		if (!is_call(log, i - 1, NET_CLOCK))
			return "no clock before a poll";
		stamps->poll = log->event[i - 1]->time;
	}
	stamps->rearm = log->pair->params[0].overhead ? rearm_ticks(log, i) : 0;
	return NULL;
}

/**
 * check_hist_equal() - compare two distributions
 * @a: first distribution
 * @b: second distribution
 *
 * Return: true if they are equal.
 */
bool check_hist_equal(const struct icb_hist *a, const struct icb_hist *b)
{
	return a->count == b->count && a->min == b->min && a->max == b->max &&
	       a->clipped == b->clipped && a->sum == b->sum &&
	       a->square == b->square && a->origin == b->origin &&
	       !memcmp(a->bucket, b->bucket, sizeof(a->bucket));
}

/**
 * struct record - measurements, as calculated from the log
 * @done: number of operations
 * @began: clock before the post of the first operation
 * @ended: clock at the end of the last operation
 * @latency: round trips, ns
 * @post: posting calls, ns
 * @poll: polling calls that found an answer, ns
 * @overhead: sums of the calls of one operation, ns
 */
struct record {
	u64 done;
	u64 began;
	u64 ended;
	struct icb_hist latency;
	struct icb_hist post;
	struct icb_hist poll;
	struct icb_hist overhead;
};

static void add_sample(struct record *record, const struct icb_stamps *stamps)
{
	u64 calls = stamps->posted - stamps->post + stamps->rearm;

	if (!record->done++)
		record->began = stamps->post;
	record->ended = stamps->end;
	icb_hist_add(&record->latency,
		     icb_clock_ns(stamps->end - stamps->post));
	icb_hist_add(&record->post,
		     icb_clock_ns(stamps->posted - stamps->post));
	if (stamps->poll)
		icb_hist_add(&record->poll,
			     icb_clock_ns(stamps->end - stamps->poll));
	if (stamps->poll)
		calls += stamps->end - stamps->poll;
	icb_hist_add(&record->overhead, icb_clock_ns(calls));
}

static const char *collect(const struct call_log *log, struct record *record)
{
	const struct icb_run *run = &log->pair->run[0];
	u64 left = log->pair->params[0].warmup;
	struct icb_stamps stamps;
	const char *wrong;
	size_t i;

	record->done = 0;
	icb_hist_reset(&record->latency);
	icb_hist_reset(&record->post);
	icb_hist_reset(&record->poll);
	icb_hist_reset(&record->overhead);
	for (i = 0; i < log->count && record->done < run->done; i++) {
		if (!is_call_of(log, i, NET_POST, 0) || log->event[i]->result)
			continue;
		wrong = sample(log, i, &stamps);
		if (wrong)
			return *wrong ? wrong : NULL;
		if (left) {
			left--;
			continue;
		}
		if (record->done &&
		    record->ended - record->began >= run->until)
			return "it measured an operation after its time was up";
		add_sample(record, &stamps);
	}
	return NULL;
}

/* The distributions of the run must be those that follow from the clock readings. */
static const char *compare(const struct icb_run *run,
			   const struct record *record)
{
	const char *const wrong[] = {
		HOLDS(record->done == run->done),
		HOLDS(!run->done || run->began == record->began),
		HOLDS(!run->done || run->ended == record->ended),
		HOLDS(check_hist_equal(&record->latency, &run->hist[ICB_HIST_LATENCY])),
		HOLDS(check_hist_equal(&record->post, &run->hist[ICB_HIST_POST])),
		HOLDS(check_hist_equal(&record->poll, &run->hist[ICB_HIST_POLL])),
		HOLDS(!run->params->overhead ||
		      check_hist_equal(&record->overhead,
				       &run->hist[ICB_HIST_OVERHEAD])),
	};

	return check_first(wrong, ARRAY_SIZE(wrong));
}

static const char *check_log(const struct pair *pair)
{
	struct call_log log = {
		.pair = pair,
		.made_early = pair->params[0].direction == ICBENCH_DIRECTION_UNI &&
			 icb_buffers_ring(&pair->params[0]) > 1,
		.memory = pair->params[0].completion ==
			  ICBENCH_COMPLETION_MEMORY,
	};
	unsigned int task = check_driver(pair);
	static struct record record;
	const char *wrong;
	size_t i;

	if (pair->net.config.no_log || !pair->net.logged)
		return NULL;
	log.event = malloc(pair->net.logged * sizeof(*log.event));
	for (i = 0; i < pair->net.logged; i++)
		if (pair->net.log[i].task == task)
			log.event[log.count++] = &pair->net.log[i];
	wrong = collect(&log, &record);
	if (!wrong)
		wrong = compare(&pair->run[0], &record);
	free(log.event);
	return wrong;
}

static const char *check_side(const struct pair *pair, unsigned int i)
{
	const struct icb_run *run = &pair->run[i];
	const struct pair_side *side = &pair->side[i];
	const struct icb_ep *ep = &pair->net.ep[i];
	bool driven = i && pair->config.one_thread;
	bool idle = i && pair->net.verb->passive;
	/* after a stop, more callbacks may come, which the engine ignores */
	bool ignored = pair->net.callbacks && side->stop;
	u64 not_refilled = ep->own.taken - ep->own.refills;
	const char *const wrong[] = {
		HOLDS(ep->own.most_unsignalled < pair->params[i].signal_every),
		HOLDS(run->seen <= ep->own.arrived),
		HOLDS(ep->own.refills <= ep->own.taken),
		HOLDS(not_refilled <= 1 || ignored ||
		      !(pair->net.verb->recv || pair->net.report_every)),
		HOLDS(side->over),
		HOLDS(driven || idle || run->consumer.phase == ICB_PHASE_OVER),
		/* drive() sets -ECANCELED in side->err only; a loop never returns it */
		HOLDS(side->ret != -ECANCELED),
		HOLDS(!side->ret || side->stop == ICB_STOP_ERROR),
	};

	return check_first(wrong, ARRAY_SIZE(wrong));
}

static const char *check_run(const struct pair *pair)
{
	bool polls = BIT(pair->params[0].completion) &
		     ~(BIT(ICBENCH_COMPLETION_MEMORY) |
		       ICB_COMPLETIONS_CALLBACK);
	const struct icb_run *run = &pair->run[0];
	const char *const wrong[] = {
		HOLDS(run->hist[ICB_HIST_LATENCY].count == run->done),
		HOLDS(run->hist[ICB_HIST_POST].count == run->done),
		HOLDS(run->hist[ICB_HIST_POLL].count ==
		      (polls ? run->done : 0)),
		HOLDS(run->done <= run->goal),
		HOLDS(pair->run[1].done == pair->run[1].seen),
	};

	return check_first(wrong, ARRAY_SIZE(wrong));
}

/**
 * check_pair() - check a ping-pong, complete or not
 * @pair: the pair that has run
 *
 * Return: NULL if all checks pass; else the text of the first that fails.
 */
const char *check_pair(const struct pair *pair)
{
	const char *const wrong[] = {
		pair->net.wrong[0] ? pair->net.wrong : NULL,
		check_run(pair),
		check_side(pair, 0),
		check_side(pair, 1),
		check_log(pair),
	};

	return check_first(wrong, ARRAY_SIZE(wrong));
}

/* Check the initiator of a passive verb: only it posts, and it never refills receives. */
static const char *check_own(const struct pair *pair, u64 total)
{
	bool busy = BIT(pair->params[0].completion) & ICB_COMPLETIONS_BUSY;
	const struct icb_run *run = &pair->run[0];
	const struct icb_ep *ep = &pair->net.ep[0];
	u64 operands = pair->net.verb->atomic ? total : 0;
	const char *const wrong[] = {
		HOLDS(ep->own.posts == total),
		HOLDS(ep->own.calls[NET_POST] == total),
		HOLDS(ep->own.calls[NET_SET_OPERANDS] == operands),
		HOLDS(ep->own.arrived == total),
		HOLDS(run->seen == total),
		HOLDS(ep->own.taken == total),
		HOLDS(!ep->own.calls[NET_REFILL]),
		HOLDS(!ep->own.calls[NET_REAP]),
		HOLDS(!ep->own.calls[NET_REAP_ALWAYS]),
		HOLDS(!ep->own.sq_used),
		HOLDS(!busy || ep->own.calls[NET_YIELD_OP] == total),
		HOLDS(!run->errors),
		HOLDS(!pair->side[0].compared),
	};

	return check_first(wrong, ARRAY_SIZE(wrong));
}

/* Check the responder of a passive verb: its memory was accessed, and it did nothing. */
static const char *check_reached(const struct pair *pair, u64 total)
{
	const struct icb_params *params = &pair->params[1];
	const struct icb_run *run = &pair->run[1];
	const struct icb_ep *ep = &pair->net.ep[1];
	u32 last = icb_buffers_at(params, total).index;
	u64 word = params->seed + total;
	const char *const wrong[] = {
		HOLDS(ep->own.reached == total),
		HOLDS(!ep->own.posts),
		HOLDS(!run->seq),
		HOLDS(!run->seen),
		HOLDS(!run->errors),
		HOLDS(!pair->side[1].compared),
		HOLDS(!pair->net.verb->atomic ||
		      !memcmp(net_tx(ep, 0), &word, sizeof(word))),
		HOLDS(pair->net.verb->atomic || net_read_equal(&pair->net, last)),
	};

	return check_first(wrong, ARRAY_SIZE(wrong));
}

/* Check that a side has posted, taken and refilled as many messages as there were. */
static const char *check_total(const struct pair *pair, unsigned int i,
			       u64 total)
{
	const struct icb_params *params = &pair->params[i];
	bool busy = BIT(params->completion) & ICB_COMPLETIONS_BUSY;
	u64 taken = pair->net.verb->recv ? total : 0;
	const struct icb_run *run = &pair->run[i];
	const struct icb_ep *ep = &pair->net.ep[i];
	bool driven = i && pair->config.one_thread;
	/* where messages cross, the last message is not answered */
	bool crossing = params->direction == ICBENCH_DIRECTION_BI;
	u64 answered = i && crossing ? pair->side[1].seen : total;
	u64 posts = answered + (i && crossing);
	const char *const wrong[] = {
		HOLDS(ep->own.posts == posts),
		HOLDS(ep->own.calls[NET_POST] == posts),
		HOLDS(!ep->own.calls[NET_SET_OPERANDS]),
		HOLDS(ep->own.arrived == total || (!i && crossing)),
		HOLDS(ep->own.arrived >= total && ep->own.arrived <= total + 1),
		HOLDS(answered == total || answered == total - 1),
		HOLDS(run->seen == total),
		HOLDS(ep->own.taken == taken),
		HOLDS(ep->own.refills == taken),
		HOLDS(ep->own.calls[NET_REAP] == total),
		HOLDS(total < params->signal_every ||
		      ep->own.most_unsignalled == params->signal_every - 1),
		/* a polling thread yields after each operation */
		HOLDS(!busy || driven || ep->own.calls[NET_YIELD_OP] == answered),
		HOLDS(!run->errors),
		HOLDS(!pair->side[i].compared),
	};

	return check_first(wrong, ARRAY_SIZE(wrong));
}

/**
 * check_complete() - check a ping-pong that was complete and without errors
 * @pair: the pair that has run
 *
 * Return: NULL if all checks pass; else the text of the first that fails.
 */
const char *check_complete(const struct pair *pair)
{
	const struct icb_params *params = &pair->params[0];
	bool timed = icb_params_has(params, ICBENCH_A_PARAMS_DURATION);
	const struct icb_run *run = &pair->run[0];
	u64 total = params->warmup + pair->net.callbacks + run->done;
	int end = pair->config.one_thread ? ICB_STOP_NONE : ICB_STOP_END;
	bool passive = pair->net.verb->passive;
	const char *const wrong[] = {
		check_pair(pair),
		HOLDS(!pair->side[0].err),
		HOLDS(!pair->side[0].stop),
		HOLDS(pair->complete),
		HOLDS(!pair->side[1].err),
		HOLDS(pair->side[1].stop == end),
		HOLDS(run->done),
		HOLDS(timed || run->done == params->iterations),
		HOLDS(!timed || run->ended - run->began >=
				icb_clock_ticks(params->duration)),
		HOLDS(run->seq == total),
		passive ? check_own(pair, total) : check_total(pair, 0, total),
		passive ? check_reached(pair, total) :
			  check_total(pair, 1, total),
	};

	return check_first(wrong, ARRAY_SIZE(wrong));
}
