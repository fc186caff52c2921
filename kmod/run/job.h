/* SPDX-License-Identifier: GPL-2.0 */
/* A run's life: made, started, watched, stopped, read, forgotten. */
#ifndef ICB_JOB_H
#define ICB_JOB_H

#include <linux/completion.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/workqueue.h>

#include "cm/ticket.h"
#include "model/slots.h"
#include "side.h"

struct icb_group;
struct icb_listener;
struct icb_promise;

#define ICB_JOB_TARGET	64

/**
 * struct icb_job - a job
 * @ref: references
 * @list: among all jobs; empty once it is forgotten
 * @orphan: ... of those whose socket was closed, for as long as that takes
 * @id: its number; 0 for the responder of a run of this host with itself
 * @role: enum icbench_role
 * @detach: outlives its owner
 * @owner: netlink port of the socket that made it
 * @slot: what it is counted as
 * @group: with which it is measured; NULL for a job by itself
 * @grouped: among the jobs of @group
 * @leave: has it be of no group any more; NULL for a job by itself
 * @worker: which one of them it is, from 0 on; a responder: as the initiator says
 * @side: this host's side of the run
 * @script: what its thread does, from connecting to the last message
 * @state: enum icbench_job_state, but for the two that the run itself knows;
 *	see icb_job_state()
 * @outcome: enum icbench_outcome
 * @err: negative error number of a failed job
 * @why: in words
 * @target: address of the other side
 * @served_by: number of the listener by which a responder came; else 0
 * @answered: its peer can propose, or has
 * @heard: since when it has had the time to, jiffies
 * @threads: of this host that drive the run
 * @finished: its thread does nothing any more
 * @answer: given when its thread ends: to whoever has deleted it meanwhile
 * @started: it has, or had, a thread
 * @watch: looks at its progress from time to time
 * @progress: what @watch saw last
 * @progressed: jiffies when that changed
 * @hist: the distributions of an initiator
 * @samples: those of their samples that are kept
 * @result: its metrics, once it is finished
 * @listener: an initiator's own, for a run of this host with itself; a
 *	responder's, by which it came
 * @listed: among the jobs of @listener
 * @ticket: what a connection has to show to belong to it; of an initiator, what it shows
 * @sealed: no data connection can come any more
 * @bytes: what it has reserved of its listener's memory
 * @qps: and of its QPs
 * @driven: the responder that an initiator's thread drives, or has driven, too;
 *	referenced
 * @taken: the initiator's thread drives this responder, too
 * @released: it is done with it
 *
 * @state, @outcome, @err, @why, @target and @answer change under the job lock; the
 * rest is its thread's own, or fixed from the start.
 */
struct icb_job {
	struct kref ref;
	struct list_head list;
	struct list_head orphan;
	u32 id;
	u32 role;
	bool detach;
	u32 owner;
	enum icb_slot slot;
	struct icb_group *group;
	struct list_head grouped;
	void (*leave)(struct icb_job *job);
	u32 worker;
	struct icb_side side;
	int (*script)(struct icb_job *job, struct icb_reason *why);
	u32 state;
	u32 outcome;
	int err;
	struct icb_reason why;
	char target[ICB_JOB_TARGET];
	u32 served_by;
	bool answered;
	unsigned long heard;
	unsigned int threads;
	struct completion finished;
	struct icb_answer *answer;
	bool started;
	struct delayed_work watch;
	u64 progress;
	unsigned long progressed;
	struct icb_hist *hist;
	u64 *samples;
	struct icb_result result;

	struct icb_listener *listener;
	struct list_head listed;
	struct icb_ticket ticket;
	bool sealed;
	u64 bytes;
	u32 qps;
	struct icb_job *driven;
	bool taken;
	bool released;
};

int icb_jobs_init(void (*changed)(struct icb_job *job));
void icb_jobs_close(void);
void icb_jobs_exit(void);

struct icb_job *icb_job_new(const struct icb_params *params, u32 role,
			    int (*script)(struct icb_job *job,
					  struct icb_reason *why));
int icb_job_check_memory(const struct icb_params *params,
			 struct icb_promise *promise, struct icb_reason *why);
int icb_job_publish(struct icb_job *job, u32 owner, bool detach,
		    struct icb_reason *why);
int icb_job_accept(struct icb_job *job, struct icb_reason *why);
int icb_job_start(struct icb_job *job, struct icb_reason *why);
void icb_job_stop(struct icb_job *job);
int icb_job_delete(struct icb_job *job, struct icb_answer *answer,
		   struct icb_reason *why);
struct icb_job *icb_job_get(u32 id);
struct icb_job *icb_job_next(u32 id);
void icb_job_hold(struct icb_job *job);
void icb_job_put(struct icb_job *job);

void icb_job_enter(struct icb_job *job, u32 state);
void icb_job_unwatch(struct icb_job *job);
void icb_job_set_remote(struct icb_job *job, const struct sockaddr *addr);
void icb_job_words(const struct icb_job *job, char target[ICB_JOB_TARGET],
		   struct icb_reason *why);
u32 icb_job_state(const struct icb_job *job);
int icb_job_take(struct icb_job *responder, struct icb_job *job);
void icb_job_release(struct icb_job *responder);
void icb_job_driven(struct icb_job *responder);
u64 icb_job_elapsed(const struct icb_job *job);
void icb_jobs_orphan(u32 owner);

#endif /* ICB_JOB_H */
