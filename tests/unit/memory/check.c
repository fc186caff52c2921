// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "check.h"
#include "clock.h"

#define CHECK(condition)						\
	do {								\
		if (!(condition))					\
			return #condition;				\
	} while (0)

/**
 * struct story - the calls of the task that drives the initiator
 * @pair: of this run
 * @event: the calls
 * @count: how many
 * @slots: buffers of a side
 * @memory: a write is awaited
 */
struct story {
	const struct pair *pair;
	const struct net_event **event;
	size_t count;
	unsigned int slots;
	bool memory;
};

/* Callbacks run in a task of their own, all but the first post. */
static unsigned int driver(const struct pair *pair)
{
	size_t i;

	if (!pair->net.callbacks)
		return 0;
	for (i = 0; i < pair->net.logged; i++)
		if (pair->net.log[i].call == NET_ARRIVED &&
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
	bool mate = event->side && story->pair->config.alone;

	switch (event->call) {
	case NET_CLOCK:
	case NET_PAUSE:
	case NET_SLEEP:
		return true;
	case NET_POLL:
		return !event->result || (mate && event->result == 1);
	case NET_CHECK:
		return story->memory;
	case NET_RX:
		/* to see where the last byte will be */
		return story->memory && !looks[event->side]++;
	case NET_ARM:
		/* again, after an event without a message */
		return i >= 2 && is(story, i - 1, NET_CLOCK) &&
		       is(story, i - 2, NET_POLL) &&
		       !story->event[i - 2]->result;
	case NET_POST:
		return mate;
	case NET_TX:
		return mate && story->slots == 1;
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

/*
 * The sample that begins with the post at i; its stamps. NULL if it is as it
 * must be; empty if it was never answered.
 */
static const char *sample(const struct story *story, size_t i,
			  struct icb_stamps *stamps)
{
	unsigned int looks[NET_SIDES] = { 0 };
	size_t end;

	CHECK(i > 0 && is(story, i - 1, NET_CLOCK));
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
			return "what belongs to no timed interval lies in one";
	}
	if (i == story->count)
		return "";
	if (!is(story, end, NET_CLOCK))
		return end < story->count ? "no clock at the end of a sample" : "";
	stamps->end = story->event[end]->time;
	if (!story->memory && !story->pair->net.callbacks) {
		CHECK(is(story, i - 1, NET_CLOCK));
		stamps->poll = story->event[i - 1]->time;
	}
	return NULL;
}

static bool same(const struct icb_hist *a, const struct icb_hist *b)
{
	return a->count == b->count && a->min == b->min && a->max == b->max &&
	       a->clipped == b->clipped && a->sum == b->sum &&
	       a->square == b->square && a->origin == b->origin &&
	       !memcmp(a->bucket, b->bucket, sizeof(a->bucket));
}

/* The distributions follow from what the clock read, and from nothing else. */
static const char *measured(const struct story *story)
{
	static struct icb_hist latency, post, poll;
	const struct icb_run *run = &story->pair->run[0];
	u64 left = story->pair->params[0].warmup;
	struct icb_stamps stamps = { 0 };
	u64 done = 0, before = 0;
	const char *wrong;
	size_t i;

	icb_hist_reset(&latency);
	icb_hist_reset(&post);
	icb_hist_reset(&poll);
	for (i = 0; i < story->count && done < run->done; i++) {
		if (!is_of(story, i, NET_POST, 0) || story->event[i]->result)
			continue;
		wrong = sample(story, i, &stamps);
		if (wrong && !*wrong)
			break;
		if (wrong)
			return wrong;
		if (left) {
			left--;
			continue;
		}
		if (!done++)
			CHECK(run->began == stamps.post);
		else
			CHECK(before - run->began < run->until);
		before = stamps.end;
		icb_hist_add(&latency, icb_clock_ns(stamps.end - stamps.post));
		icb_hist_add(&post, icb_clock_ns(stamps.posted - stamps.post));
		if (stamps.poll)
			icb_hist_add(&poll,
				     icb_clock_ns(stamps.end - stamps.poll));
	}
	CHECK(done == run->done);
	CHECK(!done || run->ended == before);
	CHECK(same(&latency, run->latency));
	CHECK(same(&post, run->post));
	CHECK(same(&poll, run->poll));
	return NULL;
}

static const char *check_log(const struct pair *pair)
{
	struct story story = {
		.pair = pair,
		.slots = icb_run_slots(&pair->params[0]),
		.memory = !pair->net.verb->recv,
	};
	unsigned int task = driver(pair);
	const char *wrong;
	size_t i;

	if (pair->net.config.quiet || !pair->net.logged)
		return NULL;
	story.event = malloc(pair->net.logged * sizeof(*story.event));
	for (i = 0; i < pair->net.logged; i++)
		if (pair->net.log[i].task == task)
			story.event[story.count++] = &pair->net.log[i];
	wrong = measured(&story);
	free(story.event);
	return wrong;
}

static const char *check_side(const struct pair *pair, unsigned int i)
{
	const struct icb_run *run = &pair->run[i];
	const struct icb_ep *ep = &pair->net.ep[i];

	CHECK(ep->most_silent < pair->params[i].signal_every);
	CHECK(run->seen <= ep->arrived);
	CHECK(ep->refills <= ep->taken);
	CHECK(ep->taken - ep->refills <= 1 || !pair->net.verb->recv);
	if (i && pair->config.alone)
		return NULL;
	CHECK(pair->side[i].over);
	CHECK(run->phase == ICB_PHASE_OVER);
	/* one that somebody else ended has not failed; see the module's drive() */
	CHECK(pair->side[i].ret != -ECANCELED);
	CHECK(!pair->side[i].ret || pair->side[i].stop == ICB_STOP_ERROR);
	return NULL;
}

/**
 * check_pair() - what holds for every run, cut short or not
 * @pair: that has run
 *
 * Return: NULL; what does not hold.
 */
const char *check_pair(const struct pair *pair)
{
	bool polls = pair->params[0].completion == ICBENCH_COMPLETION_POLL ||
		     pair->params[0].completion == ICBENCH_COMPLETION_BLOCK;
	const struct icb_run *run = &pair->run[0];
	const char *wrong;
	unsigned int i;

	if (pair->net.wrong[0])
		return pair->net.wrong;
	CHECK(run->latency->count == run->done);
	CHECK(run->post->count == run->done);
	CHECK(run->poll->count == (polls ? run->done : 0));
	CHECK(run->done <= run->goal);
	CHECK(!pair->run[1].done);
	for (i = 0; i < NET_SIDES; i++) {
		wrong = check_side(pair, i);
		if (wrong)
			return wrong;
	}
	return check_log(pair);
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
	u64 first = params->warmup + pair->net.callbacks, total;
	const struct icb_run *run = pair->run;
	const struct icb_ep *ep = pair->net.ep;
	bool busy = BIT(params->completion) & ICB_COMPLETIONS_BUSY;
	const char *wrong = check_pair(pair);
	unsigned int i;

	if (wrong)
		return wrong;
	CHECK(!pair->side[0].err);
	CHECK(!pair->side[0].stop);
	CHECK(pair->complete);
	CHECK(!pair->side[1].err);
	CHECK(pair->side[1].stop == (pair->config.alone ? ICB_STOP_NONE :
							  ICB_STOP_END));
	total = first + run[0].done;
	if (icb_params_has(params, ICBENCH_A_PARAMS_DURATION)) {
		CHECK(run[0].done);
		CHECK(run[0].ended - run[0].began >=
		      icb_clock_ticks(params->duration));
	} else {
		CHECK(run[0].done == params->iterations);
	}
	CHECK(run[0].seq == total);
	for (i = 0; i < NET_SIDES; i++) {
		CHECK(ep[i].posts == total);
		CHECK(ep[i].calls[NET_POST] == total);
		CHECK(ep[i].arrived == total);
		CHECK(run[i].seen == total);
		CHECK(ep[i].refills == (pair->net.verb->recv ? total : 0));
		CHECK(ep[i].taken == (pair->net.verb->recv ? total : 0));
		CHECK(total < params->signal_every ||
		      ep[i].most_silent == params->signal_every - 1);
		CHECK(ep[i].calls[NET_REAP] == total);
		/* a thread that always finds something lets others run */
		if (busy && !(i && pair->config.alone))
			CHECK(ep[i].calls[NET_BREATHE] == total);
		CHECK(!run[i].errors);
		CHECK(!pair->side[i].compared);
	}
	return NULL;
}
