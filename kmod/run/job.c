// SPDX-License-Identifier: GPL-2.0
#include <linux/delay.h>
#include <linux/kmemleak.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/vmalloc.h>

#include "compat.h"
#include "engine/openloop.h"
#include "engine/prepare.h"
#include "host/answer.h"
#include "host/cause.h"
#include "host/clock.h"
#include "job.h"
#include "trace.h"
#include "verbs/footprint.h"
#include "verbs/mem.h"
#include "verbs/promise.h"

/* Period of the progress check and of progress events. */
#define WATCH_JIFFIES	(HZ / 10)

/*
 * How long an unload waits until owners have read results, and how often it checks, ms.
 */
#define READ_MS		1000
#define READ_STEP_MS	5

/* Protects the list, the numbers and the members that struct icb_job lists. */
static DEFINE_MUTEX(job_lock);
static LIST_HEAD(job_list);
/*
 * Counts jobs with a number, since each one holds memory for its distributions. A deleted
 * job counts until its thread has ended.
 */
static struct icb_slots job_slots;
/* Protects the slots; may be taken with or without the job lock. */
static DEFINE_SPINLOCK(job_slot_lock);
static u32 job_last_id;
static bool job_closing;
static struct workqueue_struct *job_wq;
/* Threads that were started and not reaped, and the completion of each one's exit. */
static u32 job_threads;
static DECLARE_COMPLETION(job_thread_left);
static void (*job_changed)(struct icb_job *job);

static void watch(struct work_struct *work);

/*
 * Allocates exactly as many pages as the table needs: kvzalloc() rounds up to a power of
 * two, which may be nearly twice as many. Contiguous pages are preferred, since large
 * pages map them.
 */
static void *new_table(size_t size)
{
	void *table = alloc_pages_exact(size, GFP_KERNEL | __GFP_ZERO |
					__GFP_NOWARN | __GFP_NORETRY);

	if (!table)
		return vzalloc(size);
	/* kmemleak itself tracks only slabs and vmalloc() */
	kmemleak_alloc(table, size, 1, GFP_KERNEL);
	return table;
}

static void free_table(void *table, size_t size)
{
	if (is_vmalloc_addr(table)) {
		vfree(table);
	} else if (table) {
		kmemleak_free(table);
		free_pages_exact(table, size);
	}
}

static bool count_as(struct icb_job *job, enum icb_slot slot)
{
	bool room;

	spin_lock(&job_slot_lock);
	room = icb_slots_move(&job_slots, job->slot, slot);
	if (room)
		job->slot = slot;
	spin_unlock(&job_slot_lock);
	return room;
}

/* Also puts the reference to the responder that the job has driven. */
static void job_free(struct kref *ref)
{
	struct icb_job *job = container_of(ref, struct icb_job, ref);

	if (job->leave)
		job->leave(job);
	if (job->side.task)
		put_task_struct(job->side.task);
	icb_side_free(&job->side);
	free_table(job->hist, job->side.run.hists * sizeof(*job->hist));
	kvfree(job->side.run.open.due);
	kvfree(job->samples);
	free_table(job->side.run.disturbed, sizeof(*job->side.run.disturbed));
	free_table(job->side.run.batches, sizeof(*job->side.run.batches));
	icb_job_put(job->driven);
	count_as(job, ICB_SLOT_NONE);
	kfree_sensitive(job);
}

/**
 * icb_job_hold() - take another reference to a job
 * @job: the job
 */
void icb_job_hold(struct icb_job *job)
{
	kref_get(&job->ref);
}

/**
 * icb_job_put() - put a reference to a job
 * @job: the job; NULL for none
 */
void icb_job_put(struct icb_job *job)
{
	if (job)
		kref_put(&job->ref, job_free);
}

/**
 * icb_job_new() - allocate a job that is not published
 * @params: parameters of the run, checked; copied
 * @role: enum icbench_role
 * @script: body of the job's thread. Returns 0 or a negative error number with a reason;
 *	takes down all that it has made before it returns.
 *
 * Return: the job, with one reference; NULL if there is no memory.
 */
struct icb_job *icb_job_new(const struct icb_params *params, u32 role,
			    int (*script)(struct icb_job *job,
					  struct icb_reason *why))
{
	struct icb_job *job = kzalloc(sizeof(*job), GFP_KERNEL);

	if (!job)
		return NULL;
	kref_init(&job->ref);
	INIT_LIST_HEAD(&job->list);
	INIT_LIST_HEAD(&job->listed);
	INIT_LIST_HEAD(&job->grouped);
	INIT_DELAYED_WORK(&job->watch, watch);
	init_completion(&job->finished);
	icb_side_init(&job->side, params);
	job->role = role;
	job->script = script;
	if (role != ICBENCH_ROLE_INITIATOR)
		return job;
	job->side.run.hists = icb_run_hists(params);
	job->hist = new_table(job->side.run.hists * sizeof(*job->hist));
	if (!job->hist) {
		icb_job_put(job);
		return NULL;
	}
	job->side.run.hist = job->hist;
	if (params->samples) {
		job->samples = kvcalloc(icb_run_samples(params),
					sizeof(*job->samples), GFP_KERNEL);
		if (!job->samples) {
			icb_job_put(job);
			return NULL;
		}
	}
	job->side.run.samples = job->samples;
	if (icb_run_batched(params)) {
		job->side.run.batches =
			new_table(sizeof(*job->side.run.batches));
		if (!job->side.run.batches) {
			icb_job_put(job);
			return NULL;
		}
	}
	if (params->attribute) {
		job->side.run.disturbed =
			new_table(sizeof(*job->side.run.disturbed));
		if (!job->side.run.disturbed) {
			icb_job_put(job);
			return NULL;
		}
	}
	if (!icb_openloop_slots(params))
		return job;
	job->side.run.open.due = kvcalloc(icb_openloop_slots(params),
					  sizeof(u64), GFP_KERNEL);
	if (!job->side.run.open.due) {
		icb_job_put(job);
		return NULL;
	}
	return job;
}

/**
 * icb_job_check_memory() - check that the host has memory for the result of a run
 * @params: parameters of the run
 * @promise: memory set aside for the job; zeroed. The caller ends it once the job is
 *	made.
 * @why: the reason of a refusal
 *
 * The result consists of the distributions and samples, which are allocated with the job.
 * For the buffers, see icb_ep_footprint().
 *
 * Return: 0; -ENOMEM.
 */
int icb_job_check_memory(const struct icb_params *params,
			 struct icb_promise *promise, struct icb_reason *why)
{
	const struct icb_run *run = NULL;
	u64 needed = sizeof(struct icb_job) + sizeof(*run->batches) +
		     sizeof(*run->disturbed) +
		     icb_run_hists(params) * sizeof(*run->hist) +
		     (icb_run_samples(params) + icb_openloop_slots(params)) *
			     sizeof(u64);
	u64 left;

	if (!icb_promise_make(promise, needed, &left))
		return 0;
	if (params->samples)
		return icb_refuse(why, -ENOMEM,
				  "samples: the result of this run takes %llu KiB, and this host has %llu KiB for it; accepted: fewer, or fewer jobs",
				  needed / SZ_1K, left / SZ_1K);
	return icb_refuse(why, -ENOMEM,
			  "the result of a run takes %llu KiB, and this host has %llu KiB for it, beyond a reserve of %lu MiB; accepted: fewer jobs, or a host with more memory available",
			  needed / SZ_1K, left / SZ_1K,
			  icb_mem_spare() >> (20 - PAGE_SHIFT));
}

/*
 * Numbers are not reused soon, so that a late request to stop does not hit another job.
 */
static u32 next_id(void)
{
	struct icb_job *job;

again:
	if (!++job_last_id)
		job_last_id = 1;
	list_for_each_entry(job, &job_list, list)
		if (job->id == job_last_id)
			goto again;
	return job_last_id;
}

static int refuse_more(struct icb_reason *why)
{
	unsigned int known = 0;
	struct icb_job *job;

	list_for_each_entry(job, &job_list, list)
		known += job->slot == ICB_SLOT_OWN ||
			 job->slot == ICB_SLOT_SERVED;
	if (known >= ICB_SLOTS)
		return icb_refuse(why, -ENOSPC, "there are %u jobs; delete some",
				  known);
	return icb_refuse(why, -ENOSPC,
			  "there are %u jobs, and %u that were deleted are still in use; delete some, or try again",
			  known, ICB_SLOTS - known);
}

/*
 * A responder counts as a job only once its peer was granted a run, see icb_job_accept().
 */
static int take_slot(struct icb_job *job, struct icb_reason *why)
{
	if (job->role != ICBENCH_ROLE_RESPONDER)
		return count_as(job, ICB_SLOT_OWN) ? 0 : refuse_more(why);
	if (count_as(job, ICB_SLOT_PENDING))
		return 0;
	return icb_refuse(why, -EBUSY,
			  "%u peers of this host have no run yet; try again",
			  ICB_SLOTS_PENDING);
}

/**
 * icb_job_publish() - give a job its number and add it to the list
 * @job: the new job
 * @owner: netlink port of the socket that owns the job
 * @detach: true if the job outlives that socket
 * @why: the reason of a refusal
 *
 * Takes a reference for the list. A responder is counted as a peer without a run until
 * icb_job_accept().
 *
 * Return: 0; -ENOSPC; -EBUSY; -ESHUTDOWN.
 */
int icb_job_publish(struct icb_job *job, u32 owner, bool detach,
		    struct icb_reason *why)
{
	int err = 0;

	mutex_lock(&job_lock);
	if (job_closing)
		err = icb_refuse(why, -ESHUTDOWN, "the module is being unloaded");
	else
		err = take_slot(job, why);
	if (!err) {
		job->id = next_id();
		job->owner = owner;
		job->side.run.asker.id = job->id;
		job->side.run.asker.owner = owner;
		job->detach = detach;
		icb_job_hold(job);
		list_add_tail(&job->list, &job_list);
	}
	mutex_unlock(&job_lock);
	return err;
}

/**
 * icb_jobs_pending() - get the number of peers without a run
 *
 * Return: number of responders of all listeners for which icb_job_accept() was not called.
 */
u32 icb_jobs_pending(void)
{
	return READ_ONCE(job_slots.used[ICB_SLOT_PENDING]);
}

/**
 * icb_job_accept() - count a peer's responder as a run that is served
 * @job: the responder; nothing happens if it has no number
 * @why: the reason of a refusal
 *
 * Return: 0; -ENOSPC.
 */
int icb_job_accept(struct icb_job *job, struct icb_reason *why)
{
	if (!job->id || count_as(job, ICB_SLOT_SERVED))
		return 0;
	return icb_refuse(why, -ENOSPC,
			  "the responder has as many jobs as it serves, which are %u, or %u with its own; try again",
			  ICB_SLOTS_SERVED, ICB_SLOTS);
}

/* Returns true if the job was in the list; the caller then puts the list's reference. */
static bool forget(struct icb_job *job)
{
	bool known;

	mutex_lock(&job_lock);
	known = !list_empty(&job->list);
	if (known)
		list_del_init(&job->list);
	mutex_unlock(&job_lock);
	return known;
}

/**
 * icb_job_get() - find a job by its number
 * @id: the number
 *
 * Return: the job, referenced; NULL if there is none.
 */
struct icb_job *icb_job_get(u32 id)
{
	struct icb_job *job, *found = NULL;

	mutex_lock(&job_lock);
	list_for_each_entry(job, &job_list, list)
		if (job->id == id) {
			icb_job_hold(job);
			found = job;
			break;
		}
	mutex_unlock(&job_lock);
	return found;
}

/**
 * icb_job_next() - iterate over the jobs by number
 * @id: number of the previous job; 0 for the first
 *
 * Return: the job with the next higher number, referenced; NULL if there is none.
 */
struct icb_job *icb_job_next(u32 id)
{
	struct icb_job *job, *found = NULL;

	mutex_lock(&job_lock);
	list_for_each_entry(job, &job_list, list)
		if (job->id > id && (!found || job->id < found->id))
			found = job;
	if (found)
		icb_job_hold(found);
	mutex_unlock(&job_lock);
	return found;
}

static void changed(struct icb_job *job)
{
	trace_icb_job(job->id, icb_job_state(job), job->outcome,
		      READ_ONCE(job->side.run.done));
	if (job->id)
		job_changed(job);
}

/**
 * icb_job_enter() - set the state of a job and report the change
 * @job: the job
 * @state: enum icbench_job_state
 */
void icb_job_enter(struct icb_job *job, u32 state)
{
	mutex_lock(&job_lock);
	job->state = state;
	mutex_unlock(&job_lock);
	changed(job);
}

/**
 * icb_job_set_remote() - record the address of a job's peer
 * @job: the job
 * @addr: address and port of the peer
 */
void icb_job_set_remote(struct icb_job *job, const struct sockaddr *addr)
{
	mutex_lock(&job_lock);
	snprintf(job->target, sizeof(job->target), "%pISpc", addr);
	mutex_unlock(&job_lock);
}

/**
 * icb_job_copy_texts() - copy the texts of a job
 * @job: the job
 * @target: takes the address of the peer; empty if it is not known yet
 * @why: takes the reason of an early end; empty if there was none
 */
void icb_job_copy_texts(const struct icb_job *job, char target[ICB_JOB_TARGET],
			struct icb_reason *why)
{
	mutex_lock(&job_lock);
	memcpy(target, job->target, ICB_JOB_TARGET);
	*why = job->why;
	mutex_unlock(&job_lock);
}

/**
 * icb_job_state() - return the state of a job
 * @job: the job
 *
 * Distinguishes the warm-up from the measured part, which @job->state does not.
 *
 * Return: enum icbench_job_state.
 */
u32 icb_job_state(const struct icb_job *job)
{
	u32 state = READ_ONCE(job->state);

	if (state == ICBENCH_JOB_STATE_MEASURING &&
	    READ_ONCE(job->side.run.consumer.phase) == ICB_PHASE_WARMUP)
		return ICBENCH_JOB_STATE_WARMUP;
	return state;
}

/**
 * icb_job_elapsed() - return how long a job has been measuring
 * @job: the job
 *
 * Return: time from the first to the last measured operation, ns.
 */
u64 icb_job_elapsed(const struct icb_job *job)
{
	u64 began = READ_ONCE(job->side.run.began);
	u64 ended = READ_ONCE(job->side.run.ended);

	return ended > began ? icb_clock_ns(ended - began) : 0;
}

static void end_loop(struct icb_job *job, enum icb_stop stop)
{
	icb_run_stop(&job->side.run, stop);
	wake_up_process(job->side.task);
	wake_up_all(&job->side.abort.wait);
}

static void look(struct icb_job *job)
{
	struct icb_run *run = &job->side.run;
	u64 progress = icb_run_progress(run);
	u64 limit = job->side.params.timeout;

	/* a passive responder sees no message, so no progress is no sign of a hang */
	if (job->role == ICBENCH_ROLE_RESPONDER &&
	    icb_params_passive(&job->side.params))
		return;
	if (progress != job->progress) {
		job->progress = progress;
		job->progressed = jiffies;
		changed(job);
		icb_keepalive_send(&job->side);
	} else if (time_after(jiffies, job->progressed +
			      icb_conn_jiffies(limit))) {
		/* polling loops detect this themselves; a sleeping thread does not */
		end_loop(job, ICB_STOP_TIMEOUT);
	}
}

static void watch(struct work_struct *work)
{
	struct icb_job *job = container_of(to_delayed_work(work),
					   struct icb_job, watch);
	struct icb_reason why;

	if (READ_ONCE(job->state) != ICBENCH_JOB_STATE_MEASURING)
		job->progressed = jiffies;
	else
		look(job);
	/* icb_side_drive() calls icb_pins_check() again and reports the reason */
	if (READ_ONCE(job->state) == ICBENCH_JOB_STATE_MEASURING &&
	    READ_ONCE(job->side.run.consumer.phase) != ICB_PHASE_OVER &&
	    icb_pins_check(&job->side.pins, &why))
		end_loop(job, ICB_STOP_ERROR);
	queue_delayed_work(job_wq, &job->watch, WATCH_JIFFIES);
}

/**
 * icb_job_unwatch() - stop the progress check of a job
 * @job: a job whose script is over, except for steps that others wait for
 *
 * May sleep. Afterwards no timeout ends the job's run, or that of its mate.
 */
void icb_job_unwatch(struct icb_job *job)
{
	cancel_delayed_work_sync(&job->watch);
}

static void add_disturbance(struct icb_job *job)
{
	if (job->threads)
		icb_result_scalar(&job->result, "involuntary_switches",
				  ICBENCH_UNIT_COUNT,
				  ICBENCH_METRIC_KIND_DISTURBANCE,
				  job->side.switches);
}

static void conclude(struct icb_job *job, int err,
		     const struct icb_reason *why)
{
	u32 outcome = ICBENCH_OUTCOME_COMPLETE;

	if (err == -ECANCELED) {
		outcome = ICBENCH_OUTCOME_STOPPED;
		err = 0;
	} else if (err) {
		outcome = ICBENCH_OUTCOME_FAILED;
	}
	mutex_lock(&job_lock);
	job->outcome = outcome;
	job->err = err;
	if (outcome != ICBENCH_OUTCOME_COMPLETE)
		job->why = *why;
	mutex_unlock(&job_lock);
}

/*
 * Completes @finished and takes @answer in one step under the job lock, so that a later
 * icb_job_delete() finds the job finished and is answered at once.
 */
static struct icb_answer *finish(struct icb_job *job)
{
	struct icb_answer *answer;

	mutex_lock(&job_lock);
	complete_all(&job->finished);
	answer = job->answer;
	job->answer = NULL;
	mutex_unlock(&job_lock);
	return answer;
}

static int job_thread(void *data)
{
	struct icb_answer *answer;
	struct icb_job *job = data;
	struct icb_reason why = {};
	int err;

	job->progressed = jiffies;
	queue_delayed_work(job_wq, &job->watch, WATCH_JIFFIES);
	icb_job_enter(job, ICBENCH_JOB_STATE_CONNECTING);
	err = job->script(job, &why);
	if (job->role == ICBENCH_ROLE_INITIATOR && job->side.run.ops) {
		job->side.run.ops->report(&job->side.run, &job->result);
		add_disturbance(job);
	}
	/* a sample above the threshold has ended the run early */
	if (!err && icb_run_beyond_words(&job->side.run, &why))
		err = -ECANCELED;
	conclude(job, err, &why);
	icb_job_unwatch(job);
	icb_job_enter(job, ICBENCH_JOB_STATE_FINISHED);
	answer = finish(job);
	/* a responder has no result to be read */
	if (job->role == ICBENCH_ROLE_RESPONDER && forget(job))
		icb_job_put(job);
	icb_job_put(job);
	icb_answer_send(answer);
	/* must not return into this module: it may be unloaded after this completion */
	kthread_complete_and_exit(&job_thread_left, 0);
}

/**
 * icb_job_start() - create and start the thread of a job
 * @job: a job that was not started before
 * @why: the reason of a refusal
 *
 * Return: 0; -EALREADY; -ENOENT if the job was deleted; -ESHUTDOWN; another error number
 * if there is no thread for it.
 */
int icb_job_start(struct icb_job *job, struct icb_reason *why)
{
	struct task_struct *task;
	int err = 0;

	mutex_lock(&job_lock);
	if (job_closing)
		err = icb_refuse(why, -ESHUTDOWN, "the module is being unloaded");
	else if (job->started)
		err = icb_refuse(why, -EALREADY, "id: job %u was started before",
				 job->id);
	else if (job->id && list_empty(&job->list))
		err = icb_refuse(why, -ENOENT, "id: job %u was deleted",
				 job->id);
	if (err)
		goto unlock;
	task = kthread_create(job_thread, job, "icbench/%u", job->id);
	if (IS_ERR(task)) {
		err = icb_refuse(why, PTR_ERR(task), "no thread for the job: %s (%ld)",
				 icb_cause_of_device(PTR_ERR(task)),
				 PTR_ERR(task));
		goto unlock;
	}
	while (try_wait_for_completion(&job_thread_left))
		job_threads--;
	job_threads++;
	icb_inherit_faults(task, current);
	job->side.task = get_task_struct(task);
	job->started = true;
	icb_job_hold(job);
unlock:
	mutex_unlock(&job_lock);
	if (!err)
		wake_up_process(task);
	return err;
}

/**
 * icb_job_stop() - ask a job to end early
 * @job: job in any state
 *
 * Returns at once; @job->finished is completed when the job is over.
 */
void icb_job_stop(struct icb_job *job)
{
	icb_abort_run(&job->side.abort, 0, NULL);
}

/**
 * icb_job_delete() - stop a job and remove it from the list
 * @job: a job in any state
 * @answer: acknowledgment to send when the job is over; NULL for none
 * @why: the reason of a failure
 *
 * Does not wait. The job is over at the latest when its peer's device has released the
 * connections.
 *
 * Return: 0 if the job is over, or no acknowledgment was asked for; -EINPROGRESS if the
 * job's thread now owns @answer and sends it; -ENOENT if the job was deleted before.
 */
int icb_job_delete(struct icb_job *job, struct icb_answer *answer,
		   struct icb_reason *why)
{
	bool later;

	if (!forget(job))
		return icb_refuse(why, -ENOENT, "id: job %u was deleted",
				  job->id);
	icb_job_stop(job);
	mutex_lock(&job_lock);
	later = answer && job->started && !completion_done(&job->finished);
	if (later)
		job->answer = answer;
	mutex_unlock(&job_lock);
	icb_job_put(job);
	return later ? -EINPROGRESS : 0;
}

/**
 * icb_job_take() - let the initiator's thread drive the responder, too
 * @responder: responder on this host, ready to run
 * @job: initiator of the responder; the thread of @job calls this
 *
 * Until icb_job_release(), the responder's own thread does not touch its side. @job holds
 * a reference to @responder until it is freed, because icb_run_stop() of the initiator
 * may have read the mate just before the release.
 *
 * Return: 0; -ECANCELED if the responder has ended.
 */
int icb_job_take(struct icb_job *responder, struct icb_job *job)
{
	bool over;

	mutex_lock(&job_lock);
	over = READ_ONCE(responder->side.abort.over);
	if (!over) {
		responder->taken = true;
		icb_job_hold(responder);
		job->driven = responder;
		responder->side.run.mate = &job->side.run;
		job->side.run.mate = &responder->side.run;
	}
	mutex_unlock(&job_lock);
	/* ORDER: pairs with icb_run_stop(), which may not have seen the mate */
	smp_mb();
	if (!over && READ_ONCE(responder->side.run.consumer.stop))
		icb_run_stop(&job->side.run, ICB_STOP_ERROR);
	return over ? -ECANCELED : 0;
}

/**
 * icb_job_release() - undo icb_job_take()
 * @responder: the responder that was taken
 */
void icb_job_release(struct icb_job *responder)
{
	struct icb_run *run = &responder->side.run;

	/* from here on, ending one side does not end the other */
	WRITE_ONCE(run->mate->mate, NULL);
	WRITE_ONCE(run->mate, NULL);
	WRITE_ONCE(responder->released, true);
	wake_up_all(&responder->side.abort.wait);
}

/**
 * icb_job_wait_driven() - wait while the initiator's thread drives a responder
 * @responder: responder that is ready to run; called by its own thread
 *
 * Returns when the initiator's thread is done with the responder, or when the side is
 * over before that thread has taken it.
 */
void icb_job_wait_driven(struct icb_job *responder)
{
	struct icb_abort *abort = &responder->side.abort;
	bool taken;

	wait_event_idle(abort->wait,
			READ_ONCE(responder->released) || READ_ONCE(abort->over));
	mutex_lock(&job_lock);
	taken = responder->taken;
	mutex_unlock(&job_lock);
	if (taken)
		wait_event_idle(abort->wait, READ_ONCE(responder->released));
}

/**
 * icb_jobs_orphan() - stop and remove the jobs of a closed socket
 * @owner: netlink port of the socket
 *
 * Detached jobs and responders stay. A finished job is freed at once, a running one when
 * its thread ends. Does not wait.
 */
void icb_jobs_orphan(u32 owner)
{
	struct icb_job *job, *next;
	LIST_HEAD(orphans);

	/* all under one lock: another socket may get this port afterwards */
	mutex_lock(&job_lock);
	list_for_each_entry_safe(job, next, &job_list, list) {
		if (job->owner != owner || job->detach ||
		    job->role != ICBENCH_ROLE_INITIATOR)
			continue;
		list_del_init(&job->list);
		list_add_tail(&job->orphan, &orphans);
	}
	mutex_unlock(&job_lock);
	list_for_each_entry(job, &orphans, orphan)
		icb_job_stop(job);
	list_for_each_entry_safe(job, next, &orphans, orphan)
		icb_job_put(job);
}

/**
 * icb_jobs_init() - set up the job list
 * @changed: called when a job has changed its state or made progress; in process context,
 *	and not for jobs without a number
 *
 * Return: 0; -ENOMEM.
 */
int __init icb_jobs_init(void (*changed)(struct icb_job *job))
{
	job_changed = changed;
	job_wq = alloc_workqueue("icbench", WQ_UNBOUND, 0);
	return job_wq ? 0 : -ENOMEM;
}

/* Returns the next started job whose owner waits for its result, referenced. */
static struct icb_job *next_awaited(u32 id)
{
	struct icb_job *job;

	while ((job = icb_job_next(id))) {
		if (job->role == ICBENCH_ROLE_INITIATOR && !job->detach &&
		    job->started)
			return job;
		id = job->id;
		icb_job_put(job);
	}
	return NULL;
}

/**
 * icb_jobs_close() - stop every job and refuse new ones
 *
 * Owners that wait for a result get up to one second to read it. Netlink still answers
 * requests meanwhile, but begins no dump for a module that is being unloaded.
 */
void icb_jobs_close(void)
{
	unsigned int ms;
	struct icb_job *job;
	u32 id;

	mutex_lock(&job_lock);
	job_closing = true;
	mutex_unlock(&job_lock);
	for (id = 0; (job = icb_job_next(id)); icb_job_put(job)) {
		id = job->id;
		icb_abort_run(&job->side.abort, 0, "the module is being unloaded");
	}
	for (id = 0; (job = next_awaited(id)); icb_job_put(job)) {
		id = job->id;
		wait_for_completion(&job->finished);
	}
	for (ms = 0; ms < READ_MS && (job = next_awaited(0)); ms += READ_STEP_MS) {
		icb_job_put(job);
		msleep(READ_STEP_MS);
	}
}

/**
 * icb_jobs_exit() - delete every job and wait for the threads
 */
void icb_jobs_exit(void)
{
	struct icb_job *job;

	while ((job = icb_job_next(0))) {
		icb_job_delete(job, NULL, NULL);
		icb_job_put(job);
	}
	for (; job_threads; job_threads--)
		wait_for_completion(&job_thread_left);
	destroy_workqueue(job_wq);
}
