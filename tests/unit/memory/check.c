// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "check.h"
#include "host/clock.h"

/**
 * check_first() - of what HOLDS() said, the first that does not
 * @wrong: what it said
 * @count: how often
 *
 * Return: NULL; the words.
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
 * struct story - the calls of the task that drives the initiator
 * @pair: of this run
 * @event: the calls
 * @count: how many
 * @ahead: an answer is made before it is asked for
 * @memory: a write is awaited
 */
struct story {
	const struct pair *pair;
	const struct net_event **event;
	size_t count;
	bool ahead;
	bool memory;
};

/**
 * check_driver() - who drives the initiator
 * @pair: that has run
 *
 * Callbacks run in a task of their own, all but the first post.
 *
 * Return: the task.
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

static bool is(const struct story *story, size_t i, enum net_call call)
{
	return i < story->count && story->event[i]->call == call;
}

static bool is_of(const struct story *story, size_t i, enum net_call call,
		  unsigned int side)
{
	return is(story, i, call) && story->event[i]->side == side;
}

/*
 * What may lie between the clock before a post and the clock at the end of a
 * sample: looking for the answer; and where one thread drives both sides, what
 * the other one does before it answers.
 */
static bool allowed(const struct story *story, size_t i, unsigned int *looks)
{
	const struct net_event *event = story->event[i];
	bool mate = event->side && story->pair->config.one_thread;

	switch (event->call) {
	case NET_CLOCK:
	case NET_YIELD_POLL:
	case NET_SLEEP:
		return true;
	case NET_POLL:
		return !event->result || (mate && event->result == 1);
	case NET_REAP_ALWAYS:
		return story->memory;
	case NET_RX:
		/* to see where the last byte will be */
		return story->memory && !looks[event->side]++;
	case NET_ARM:
		/* who has polled for long enough; again, without a message */
		return story->pair->params[0].completion ==
		       ICBENCH_COMPLETION_ADAPTIVE || (i >= 2 && is(story, i - 1, NET_CLOCK) &&
		       is(story, i - 2, NET_POLL) &&
		       !story->event[i - 2]->result);
	case NET_POST:
		return mate;
	case NET_TX:
	case NET_SET_BUFFER:
		return mate && !story->ahead;
	default:
		return false;
	}
}

/* Whether the answer is there: the sample ends with the clock at *end. */
static bool answered(const struct story *story, size_t i,
		     const unsigned int *looks, size_t *end)
{
	if (story->pair->net.callbacks) {
		*end = i + 1;
		return is_of(story, i, NET_ARRIVED, 0) &&
		       !story->event[i]->result;
	}
	if (story->memory) {
		*end = i - 1;
		return is_of(story, i, NET_REAP, 0) ||
		       (looks[0] && is_of(story, i, NET_RX, 0));
	}
	*end = i + 1;
	return is_of(story, i, NET_POLL, 0) && story->event[i]->result == 1;
}

/* What asking for the next event took, after the answer and before a post. */
static u64 rearmed(const struct story *story, size_t i)
{
	for (; i < story->count && !is_of(story, i, NET_POST, 0); i++)
		if (is_of(story, i, NET_ARM, 0) && is(story, i - 1, NET_CLOCK) &&
		    is(story, i + 1, NET_CLOCK))
			return story->event[i + 1]->time -
			       story->event[i - 1]->time;
	return 0;
}

/*
 * The sample that begins with the post at i; its stamps. NULL if it is as it
 * must be; empty if it was never answered.
 */
static const char *sample(const struct story *story, size_t i,
			  struct icb_stamps *stamps)
{
	unsigned int looks[NET_SIDES] = { 0 };
	size_t end;

	if (!i || !is(story, i - 1, NET_CLOCK))
		return "no clock before a post";
	if (!is(story, i + 1, NET_CLOCK))
		return i + 1 < story->count ? "no clock after a post" : "";
	stamps->post = story->event[i - 1]->time;
	stamps->posted = story->event[i + 1]->time;
	stamps->poll = 0;
	for (i += 2; i < story->count; i++) {
		if (answered(story, i, looks, &end))
			break;
		if (is_of(story, i, NET_POLL, 0) && story->event[i]->result < 0)
			return "";
		/* it was given up: nothing else was measured */
		if (is_of(story, i, NET_OVER, 0))
			return "";
		if (!allowed(story, i, looks))
			return "what belongs to no timed interval lies in it";
	}
	if (i == story->count)
		return "";
	if (!is(story, end, NET_CLOCK))
		return end < story->count ? "no clock behind an answer" : "";
	stamps->end = story->event[end]->time;
	if (!story->memory && !story->pair->net.callbacks) {
		if (!is(story, i - 1, NET_CLOCK))
			return "no clock before a poll";
		stamps->poll = story->event[i - 1]->time;
	}
	stamps->rearm = story->pair->params[0].overhead ? rearmed(story, i) : 0;
	return NULL;
}

/**
 * check_same() - compare two distributions
 * @a: the one
 * @b: the other
 *
 * Return: true if they are the same.
 */
bool check_same(const struct icb_hist *a, const struct icb_hist *b)
{
	return a->count == b->count && a->min == b->min && a->max == b->max &&
	       a->clipped == b->clipped && a->sum == b->sum &&
	       a->square == b->square && a->origin == b->origin &&
	       !memcmp(a->bucket, b->bucket, sizeof(a->bucket));
}

/**
 * struct record - what the log says was measured
 * @done: operations
 * @began: clock before the first one's post
 * @ended: clock at the end of the last one
 * @latency: round trips, ns
 * @post: posting calls, ns
 * @poll: polling calls that found an answer, ns
 * @overhead: all calls of an operation together, ns
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

static void book(struct record *record, const struct icb_stamps *stamps)
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

static const char *collect(const struct story *story, struct record *record)
{
	const struct icb_run *run = &story->pair->run[0];
	u64 left = story->pair->params[0].warmup;
	struct icb_stamps stamps;
	const char *wrong;
	size_t i;

	record->done = 0;
	icb_hist_reset(&record->latency);
	icb_hist_reset(&record->post);
	icb_hist_reset(&record->poll);
	icb_hist_reset(&record->overhead);
	for (i = 0; i < story->count && record->done < run->done; i++) {
		if (!is_of(story, i, NET_POST, 0) || story->event[i]->result)
			continue;
		wrong = sample(story, i, &stamps);
		if (wrong)
			return *wrong ? wrong : NULL;
		if (left) {
			left--;
			continue;
		}
		if (record->done &&
		    record->ended - record->began >= run->until)
			return "it went on when its time was up";
		book(record, &stamps);
	}
	return NULL;
}

/* The distributions follow from what the clock read, and from nothing else. */
static const char *compare(const struct icb_run *run,
			   const struct record *record)
{
	const char *const wrong[] = {
		HOLDS(record->done == run->done),
		HOLDS(!run->done || run->began == record->began),
		HOLDS(!run->done || run->ended == record->ended),
		HOLDS(check_same(&record->latency, &run->hist[ICB_HIST_LATENCY])),
		HOLDS(check_same(&record->post, &run->hist[ICB_HIST_POST])),
		HOLDS(check_same(&record->poll, &run->hist[ICB_HIST_POLL])),
		HOLDS(!run->params->overhead ||
		      check_same(&record->overhead,
				 &run->hist[ICB_HIST_OVERHEAD])),
	};

	return check_first(wrong, ARRAY_SIZE(wrong));
}

static const char *check_log(const struct pair *pair)
{
	struct story story = {
		.pair = pair,
		.ahead = pair->params[0].direction == ICBENCH_DIRECTION_UNI &&
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
	story.event = malloc(pair->net.logged * sizeof(*story.event));
	for (i = 0; i < pair->net.logged; i++)
		if (pair->net.log[i].task == task)
			story.event[story.count++] = &pair->net.log[i];
	wrong = collect(&story, &record);
	if (!wrong)
		wrong = compare(&pair->run[0], &record);
	free(story.event);
	return wrong;
}

static const char *check_side(const struct pair *pair, unsigned int i)
{
	const struct icb_run *run = &pair->run[i];
	const struct pair_side *side = &pair->side[i];
	const struct icb_ep *ep = &pair->net.ep[i];
	bool driven = i && pair->config.one_thread;
	bool idle = i && pair->net.verb->passive;
	/* callbacks go on for a while, and are ignored */
	bool ignored = pair->net.callbacks && side->stop;
	u64 kept = ep->taken - ep->refills;
	const char *const wrong[] = {
		HOLDS(ep->most_unsignalled < pair->params[i].signal_every),
		HOLDS(run->seen <= ep->arrived),
		HOLDS(ep->refills <= ep->taken),
		HOLDS(kept <= 1 || ignored ||
		      !(pair->net.verb->recv || pair->net.report_every)),
		HOLDS(side->over),
		HOLDS(driven || idle || run->consumer.phase == ICB_PHASE_OVER),
		/* by another's end it has not failed: see drive() in pair.c */
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
 * check_pair() - what holds for every run, cut short or not
 * @pair: that has run
 *
 * Return: NULL; what does not hold.
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

/*
 * Of a passive verb the initiator alone sends and takes, and gives nothing
 * back.
 */
static const char *check_own(const struct pair *pair, u64 total)
{
	bool busy = BIT(pair->params[0].completion) & ICB_COMPLETIONS_BUSY;
	const struct icb_run *run = &pair->run[0];
	const struct icb_ep *ep = &pair->net.ep[0];
	u64 operands = pair->net.verb->atomic ? total : 0;
	const char *const wrong[] = {
		HOLDS(ep->posts == total),
		HOLDS(ep->calls[NET_POST] == total),
		HOLDS(ep->calls[NET_SET_OPERANDS] == operands),
		HOLDS(ep->arrived == total),
		HOLDS(run->seen == total),
		HOLDS(ep->taken == total),
		HOLDS(!ep->calls[NET_REFILL]),
		HOLDS(!ep->calls[NET_REAP]),
		HOLDS(!ep->calls[NET_REAP_ALWAYS]),
		HOLDS(!ep->sq_used),
		HOLDS(!busy || ep->calls[NET_YIELD_OP] == total),
		HOLDS(!run->errors),
		HOLDS(!pair->side[0].compared),
	};

	return check_first(wrong, ARRAY_SIZE(wrong));
}

/* The other side was reached, and did nothing; its memory tells. */
static const char *check_reached(const struct pair *pair, u64 total)
{
	const struct icb_params *params = &pair->params[1];
	const struct icb_run *run = &pair->run[1];
	const struct icb_ep *ep = &pair->net.ep[1];
	u32 last = icb_buffers_at(params, total).index;
	u64 word = params->seed + total;
	const char *const wrong[] = {
		HOLDS(ep->reached == total),
		HOLDS(!ep->posts),
		HOLDS(!run->seq),
		HOLDS(!run->seen),
		HOLDS(!run->errors),
		HOLDS(!pair->side[1].compared),
		HOLDS(!pair->net.verb->atomic ||
		      !memcmp(ep->tx[0], &word, sizeof(word))),
		HOLDS(pair->net.verb->atomic || net_read_equal(&pair->net, last)),
	};

	return check_first(wrong, ARRAY_SIZE(wrong));
}

/* Each side has sent, taken and given back as many as there were. */
static const char *check_total(const struct pair *pair, unsigned int i,
			       u64 total)
{
	const struct icb_params *params = &pair->params[i];
	bool busy = BIT(params->completion) & ICB_COMPLETIONS_BUSY;
	u64 taken = pair->net.verb->recv ? total : 0;
	const struct icb_run *run = &pair->run[i];
	const struct icb_ep *ep = &pair->net.ep[i];
	bool driven = i && pair->config.one_thread;
	/* where messages cross, the last ones are not answered */
	bool crossing = params->direction == ICBENCH_DIRECTION_BI;
	u64 answered = i && crossing ? pair->side[1].seen : total;
	u64 posts = answered + (i && crossing);
	const char *const wrong[] = {
		HOLDS(ep->posts == posts),
		HOLDS(ep->calls[NET_POST] == posts),
		HOLDS(!ep->calls[NET_SET_OPERANDS]),
		HOLDS(ep->arrived == total || (!i && crossing)),
		HOLDS(ep->arrived >= total && ep->arrived <= total + 1),
		HOLDS(answered == total || answered == total - 1),
		HOLDS(run->seen == total),
		HOLDS(ep->taken == taken),
		HOLDS(ep->refills == taken),
		HOLDS(ep->calls[NET_REAP] == total),
		HOLDS(total < params->signal_every ||
		      ep->most_unsignalled == params->signal_every - 1),
		/* a thread that always finds something lets others run */
		HOLDS(!busy || driven || ep->calls[NET_YIELD_OP] == answered),
		HOLDS(!run->errors),
		HOLDS(!pair->side[i].compared),
	};

	return check_first(wrong, ARRAY_SIZE(wrong));
}

/**
 * check_complete() - what holds for every run that nothing has disturbed
 * @pair: that has run
 *
 * Return: NULL; what does not hold.
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
