// SPDX-License-Identifier: GPL-2.0
/*
 * Jobs that are measured at the same time.
 *
 * A group has as many jobs as the parameter workers of each job says; the first job to
 * join sets the number. No job sends its first message before all are ready. At the
 * beginning and at the end, each job continues unmeasured for as long as another one
 * needs to get there (engine/barrier.h), so neither a loop nor a callback waits for
 * another thread. A job that ends before it has measured ends the others.
 */
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "group.h"
#include "job.h"

/*
 * Divisor of timeout for the wait for the group: the peer, which is not notified of this
 * wait, waits for timeout at most.
 */
#define WAIT_SHARE	2

/**
 * struct icb_group - jobs that are measured at the same time
 * @list: link in the list of all groups
 * @jobs: jobs that have joined and not left
 * @owner: netlink port of the socket that makes the jobs
 * @number: number of the group, chosen by @owner
 * @size: number of jobs in the complete group
 * @joined: number of jobs that have joined
 * @ready: number of jobs that are ready to send their first message
 * @barrier: number of jobs that have not warmed up, or not measured yet
 * @broken: true once a job has ended before it had measured
 *
 * All members change under the group lock, except that loops change @barrier. @ready and
 * @barrier are read without the lock. Freed when the last job leaves.
 */
struct icb_group {
	struct list_head list;
	struct list_head jobs;
	u32 owner;
	u32 number;
	u32 size;
	u32 joined;
	u32 ready;
	struct icb_barrier barrier;
	bool broken;
};

/* Protects the list of groups and the members of struct icb_group. */
static DEFINE_MUTEX(group_lock);
static LIST_HEAD(group_list);

static struct icb_group *find_group(u32 owner, u32 number)
{
	struct icb_group *group;

	list_for_each_entry(group, &group_list, list)
		if (group->owner == owner && group->number == number)
			return group;
	return NULL;
}

static struct icb_group *new_group(u32 owner, u32 number, u32 size)
{
	struct icb_group *group = kzalloc(sizeof(*group), GFP_KERNEL);

	if (!group)
		return NULL;
	group->owner = owner;
	group->number = number;
	group->size = size;
	icb_barrier_init(&group->barrier, size);
	INIT_LIST_HEAD(&group->jobs);
	list_add_tail(&group->list, &group_list);
	return group;
}

static int check_group(const struct icb_group *group, u32 size,
		       struct icb_reason *why)
{
	if (group->size != size)
		return icb_refuse(why, -EINVAL,
				  "workers: %u, but group %u has %u; accepted: %u, or another group",
				  size, group->number, group->size,
				  group->size);
	if (group->broken)
		return icb_refuse(why, -EBUSY,
				  "group: a job of group %u has ended; accepted: another number, or this one once all of its jobs are deleted",
				  group->number);
	if (group->joined == group->size)
		return icb_refuse(why, -EBUSY,
				  "group: group %u has all its %u jobs; accepted: another number, or this one once they are deleted",
				  group->number, group->size);
	return 0;
}

/*
 * Ends the jobs of a group that have not measured. Jobs that have measured end by
 * themselves, since the barrier no longer makes them wait.
 */
static void break_group(struct icb_group *group, const struct icb_job *by,
			const char *how, const char *words)
{
	struct icb_job *job;

	if (group->broken)
		return;
	group->broken = true;
	list_for_each_entry(job, &group->jobs, grouped)
		if (job != by && !READ_ONCE(job->side.run.measured))
			icb_abort_run(&job->side.abort, 0, "worker %u of %u %s%s%s",
				      by->worker + 1, group->size, how,
				     *words ? ": " : "", words);
	icb_barrier_abort(&group->barrier);
}

/*
 * Removes a job from its group when the job is freed. If the job has not measured, the
 * others of the group are stopped. May sleep.
 */
static void leave_group(struct icb_job *job)
{
	struct icb_group *group = job->group;

	mutex_lock(&group_lock);
	list_del(&job->grouped);
	if (!READ_ONCE(job->side.run.measured))
		break_group(group, job, "was deleted", "");
	if (list_empty(&group->jobs)) {
		list_del(&group->list);
		kfree(group);
	}
	mutex_unlock(&group_lock);
	job->group = NULL;
}

/**
 * icb_group_join() - add a job to a group
 * @job: new job of an initiator; its parameter workers is the size of the group
 * @owner: netlink port of the socket that makes it
 * @number: number of the group, which is made if it does not exist
 * @why: the reason of a refusal
 *
 * Undone by @job->leave.
 *
 * Return: 0; -EINVAL, -EBUSY, -ENOMEM with a reason.
 */
int icb_group_join(struct icb_job *job, u32 owner, u32 number,
		   struct icb_reason *why)
{
	u32 size = job->side.params.workers;
	struct icb_group *group;
	int err = 0;

	mutex_lock(&group_lock);
	group = find_group(owner, number);
	if (group)
		err = check_group(group, size, why);
	else
		group = new_group(owner, number, size);
	if (!group)
		err = icb_refuse(why, -ENOMEM, "no memory for a group");
	if (!err) {
		job->group = group;
		job->leave = leave_group;
		job->worker = group->joined++;
		job->side.run.barrier = &group->barrier;
		list_add_tail(&job->grouped, &group->jobs);
	}
	mutex_unlock(&group_lock);
	return err;
}

/* Wakes all jobs that wait in icb_group_wait(). */
static void wake_group(struct icb_group *group)
{
	struct icb_job *job;

	list_for_each_entry(job, &group->jobs, grouped)
		wake_up_all(&job->side.abort.wait);
}

/**
 * icb_group_wait() - wait until all jobs of a group are ready
 * @job: job that is ready to send its first message; called by its thread
 * @why: the reason of a failure
 *
 * Returns at once if the job is in no group.
 *
 * Return: 0; -ETIMEDOUT; the error that ended the job.
 */
int icb_group_wait(struct icb_job *job, struct icb_reason *why)
{
	struct icb_group *group = job->group;
	u64 timeout = job->side.params.timeout / WAIT_SHARE;
	u32 ready;
	int err;

	if (!group)
		return 0;
	mutex_lock(&group_lock);
	ready = group->ready + 1;
	WRITE_ONCE(group->ready, ready);
	if (ready == group->size)
		wake_group(group);
	mutex_unlock(&group_lock);
	if (icb_abort_wait(&job->side.abort,
			   READ_ONCE(group->ready) == group->size,
			  icb_conn_jiffies(timeout)))
		return 0;
	err = icb_abort_check(&job->side.abort, why);
	return err ? : icb_refuse(why, -ETIMEDOUT,
				  "%u of %u workers were ready within %llu ms (half of timeout)",
				  READ_ONCE(group->ready), group->size,
				  div_u64(timeout, NSEC_PER_MSEC));
}

/**
 * icb_group_end() - a job of a group sends no more messages
 * @job: the job; called by its thread
 * @err: negative error number if it has failed; -ECANCELED if it was stopped
 * @why: the reason, as text; empty for none
 *
 * If the job has not measured, the others of its group are stopped.
 */
void icb_group_end(struct icb_job *job, int err, const struct icb_reason *why)
{
	struct icb_reason beyond = {};

	if (!job->group || READ_ONCE(job->side.run.measured))
		return;
	if (!err && icb_run_beyond_words(&job->side.run, &beyond))
		why = &beyond;
	mutex_lock(&group_lock);
	break_group(job->group, job,
		    err && err != -ECANCELED ? "has failed" : "was stopped",
		    why->text);
	mutex_unlock(&group_lock);
}

/**
 * icb_group_number() - return the number of a job's group
 * @job: the job
 *
 * Return: the number; 0 for a job without a group.
 */
u32 icb_group_number(const struct icb_job *job)
{
	return job->group ? job->group->number : 0;
}
