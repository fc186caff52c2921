// SPDX-License-Identifier: GPL-2.0
#include <linux/atomic.h>
#include <linux/jiffies.h>
#include <linux/slab.h>

#include "host/answer.h"
#include "job.h"
#include "listener.h"

/* Maximum of published listeners; a deleted one counts until its runs have ended. */
#define MAX_LISTENERS	64
/* How long a new peer waits for a run that is over to release its share of the limits. */
#define LEAVE_JIFFIES	(HZ / 2)

/* Protects the list and the numbers. */
static DEFINE_MUTEX(listener_lock);
static LIST_HEAD(listener_list);
/* Incremented under the lock; decremented without it. */
static atomic_t listener_count = ATOMIC_INIT(0);
static u32 listener_last_id;
static bool listener_closing;
static void (*listener_refused)(struct icb_listener *listener,
				const char *peer, const char *why);

static void listener_free(struct kref *ref)
{
	struct icb_listener *listener =
		container_of(ref, struct icb_listener, ref);

	if (listener->counted)
		atomic_dec(&listener_count);
	kfree_sensitive(listener);
}

/**
 * icb_listener_put() - put a reference to a listener
 * @listener: the listener; NULL for none
 */
void icb_listener_put(struct icb_listener *listener)
{
	if (listener)
		kref_put(&listener->ref, listener_free);
}

/**
 * icb_listener_turn_away() - count and report a peer that is not served
 * @listener: listener that refuses the peer
 * @peer: address of the peer
 * @why: the reason, as text
 */
void icb_listener_turn_away(struct icb_listener *listener, const char *peer,
			    const char *why)
{
	mutex_lock(&listener->lock);
	listener->refused++;
	mutex_unlock(&listener->lock);
	if (!listener->initiator)
		listener_refused(listener, peer, why);
}

/**
 * icb_listener_restart_timer() - restart the time that a peer has to propose
 * @job: the peer's responder, which now receives messages or has received the proposal
 *
 * Any context.
 */
void icb_listener_restart_timer(struct icb_job *job)
{
	WRITE_ONCE(job->heard, jiffies);
	smp_store_release(&job->answered, true); /* pairs with is_fresh() */
}

/**
 * icb_listener_next_id() - allocate the number of a listener
 *
 * May sleep.
 *
 * Return: the number, never 0.
 */
u32 icb_listener_next_id(void)
{
	u32 id;

	mutex_lock(&listener_lock);
	if (!++listener_last_id)
		listener_last_id = 1;
	id = listener_last_id;
	mutex_unlock(&listener_lock);
	return id;
}

static int refuse_more(struct icb_reason *why)
{
	unsigned int known = 0;
	struct list_head *at;

	list_for_each(at, &listener_list)
		known++;
	if (known >= MAX_LISTENERS)
		return icb_refuse(why, -ENOSPC,
				  "there are %u listeners; delete some", known);
	return icb_refuse(why, -ENOSPC,
			  "there are %u listeners, and %u that were deleted are still in use; delete some, or try again",
			  known, MAX_LISTENERS - known);
}

/**
 * icb_listener_publish() - add a listener to the list
 * @listener: the new listener
 * @owner: netlink port of the socket that owns the listener
 * @detach: true if the listener outlives that socket
 * @why: the reason of a refusal
 *
 * Takes a reference for the list. Another thread may find the listener there and delete
 * it at once.
 *
 * Return: 0; -ENOSPC; -ESHUTDOWN.
 */
int icb_listener_publish(struct icb_listener *listener, u32 owner, bool detach,
			 struct icb_reason *why)
{
	int err = 0;

	mutex_lock(&listener_lock);
	if (listener_closing)
		err = icb_refuse(why, -ESHUTDOWN, "the module is being unloaded");
	else if (atomic_read(&listener_count) >= MAX_LISTENERS)
		err = refuse_more(why);
	if (!err) {
		listener->owner = owner;
		listener->detach = detach;
		atomic_inc(&listener_count);
		listener->counted = true;
		kref_get(&listener->ref);
		list_add_tail(&listener->list, &listener_list);
	}
	mutex_unlock(&listener_lock);
	return err;
}

/**
 * icb_listener_forget() - remove a listener from the list
 * @listener: the listener; if it was in the list, the list's reference passes to the
 *	caller
 *
 * May sleep.
 *
 * Return: true if the listener was in the list.
 */
bool icb_listener_forget(struct icb_listener *listener)
{
	bool known;

	mutex_lock(&listener_lock);
	known = !list_empty(&listener->list);
	if (known)
		list_del_init(&listener->list);
	mutex_unlock(&listener_lock);
	return known;
}

/**
 * icb_listener_get() - find a listener by its number
 * @id: the number
 *
 * Return: the listener, referenced; NULL if there is none.
 */
struct icb_listener *icb_listener_get(u32 id)
{
	struct icb_listener *listener = id ? icb_listener_next(id - 1) : NULL;

	if (listener && listener->id != id) {
		icb_listener_put(listener);
		listener = NULL;
	}
	return listener;
}

/**
 * icb_listener_next() - iterate over the listeners by number
 * @id: number of the previous listener; 0 for the first
 *
 * Return: the listener with the next higher number, referenced; NULL if there is none.
 */
struct icb_listener *icb_listener_next(u32 id)
{
	struct icb_listener *listener, *found = NULL;

	mutex_lock(&listener_lock);
	list_for_each_entry(listener, &listener_list, list)
		if (listener->id > id && (!found || listener->id < found->id))
			found = listener;
	if (found)
		kref_get(&found->ref);
	mutex_unlock(&listener_lock);
	return found;
}

/**
 * icb_listeners_take_orphans() - remove the listeners of a closed socket from the list
 * @owner: netlink port of the socket
 * @orphans: list that takes the listeners, linked by their @orphan; the references of the
 *	list pass to the caller
 *
 * May sleep.
 */
void icb_listeners_take_orphans(u32 owner, struct list_head *orphans)
{
	struct icb_listener *listener, *next;

	mutex_lock(&listener_lock);
	list_for_each_entry_safe(listener, next, &listener_list, list) {
		if (listener->owner != owner || listener->detach)
			continue;
		list_del_init(&listener->list);
		list_add_tail(&listener->orphan, orphans);
	}
	mutex_unlock(&listener_lock);
}

/**
 * icb_listeners_forbid() - refuse to publish listeners from now on
 *
 * May sleep.
 */
void icb_listeners_forbid(void)
{
	mutex_lock(&listener_lock);
	listener_closing = true;
	mutex_unlock(&listener_lock);
}

/**
 * icb_listeners_report() - set the function that reports refused peers
 * @refused: called when a peer is refused, in process context
 */
void __init icb_listeners_report(void (*refused)(struct icb_listener *listener,
						 const char *peer,
						 const char *why))
{
	listener_refused = refused;
}

/**
 * icb_listener_responder() - return the responder of a private listener
 * @listener: private listener of a run without a peer
 *
 * Return: the responder, referenced; NULL if there is none, or it has left.
 */
struct icb_job *icb_listener_responder(struct icb_listener *listener)
{
	struct icb_job *job;

	mutex_lock(&listener->lock);
	job = list_first_entry_or_null(&listener->sessions, struct icb_job,
				       listed);
	if (job)
		icb_job_hold(job);
	mutex_unlock(&listener->lock);
	return job;
}

static int take_share(struct icb_listener *listener, struct icb_job *job,
		      u64 bytes, u32 qps, struct icb_reason *why)
{
	u64 memory;
	u32 left;
	int err = 0;

	mutex_lock(&listener->lock);
	memory = listener->limits.memory - listener->memory;
	left = listener->limits.qps - listener->qps;
	if (bytes > memory) {
		err = icb_refuse(why, -EDQUOT,
				 "size: the run needs %llu bytes; the responder has %llu left (max-memory)",
				 bytes, memory);
	} else if (qps > left) {
		err = icb_refuse(why, -EDQUOT,
				 "qps: the run needs %u; the responder has %u left (max-qps)",
				 qps, left);
	} else {
		listener->memory += bytes;
		listener->qps += qps;
		job->bytes = bytes;
		job->qps = qps;
	}
	mutex_unlock(&listener->lock);
	return err;
}

/* True if no run is ending any more, or enough of the limits is free. */
static bool has_left(const struct icb_listener *listener, u64 bytes, u32 qps)
{
	return !READ_ONCE(listener->ending) ||
	       (bytes <= listener->limits.memory - READ_ONCE(listener->memory) &&
		qps <= listener->limits.qps - READ_ONCE(listener->qps));
}

/**
 * icb_listener_reserve() - reserve a share of a listener's limits
 * @listener: the listener
 * @job: responder of the listener; icb_listener_leave() releases its share
 * @bytes: buffer memory, bytes
 * @qps: number of data QPs
 * @why: the reason of a refusal
 *
 * Called before anything is allocated. May sleep: an initiator that has its result may
 * start its next run while the last one is still being taken down here.
 *
 * Return: 0; -EDQUOT.
 */
int icb_listener_reserve(struct icb_listener *listener, struct icb_job *job,
			 u64 bytes, u32 qps, struct icb_reason *why)
{
	struct icb_reason early = {};

	if (!take_share(listener, job, bytes, qps, &early))
		return 0;
	wait_event_idle_timeout(listener->left, has_left(listener, bytes, qps),
				LEAVE_JIFFIES);
	return take_share(listener, job, bytes, qps, why);
}

/**
 * icb_listener_accepted() - count a run that is served
 * @listener: listener that serves the run
 */
void icb_listener_accepted(struct icb_listener *listener)
{
	mutex_lock(&listener->lock);
	listener->accepted++;
	mutex_unlock(&listener->lock);
}

/**
 * icb_listener_seal() - refuse further data connections for a responder
 * @job: the responder; its run is over and is about to be taken down
 */
void icb_listener_seal(struct icb_job *job)
{
	struct icb_listener *listener = job->listener;

	mutex_lock(&listener->lock);
	if (!job->sealed)
		listener->ending += job->qps;
	job->sealed = true;
	mutex_unlock(&listener->lock);
}

/**
 * icb_listener_leave() - remove a responder from its listener
 * @job: the responder, which has released all its resources
 */
void icb_listener_leave(struct icb_job *job)
{
	struct icb_listener *listener = job->listener;
	struct icb_answer *answer = NULL;

	mutex_lock(&listener->lock);
	listener->memory -= job->bytes;
	listener->qps -= job->qps;
	if (job->sealed)
		listener->ending -= job->qps;
	list_del_init(&job->listed);
	if (!--listener->count)
		swap(answer, listener->answer);
	wake_up_all(&listener->left);
	mutex_unlock(&listener->lock);
	job->listener = NULL;
	icb_listener_put(listener);
	icb_answer_send(answer);
}
