/* SPDX-License-Identifier: GPL-2.0 */
/* Jobs: their creation, start, supervision, stop and deletion. */
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
 * struct icb_job - a job: one side of a run, with its thread and its state
 * @ref: reference count
 * @list: link in the list of all jobs; empty once the job is deleted
 * @orphan: link in the local list of icb_jobs_orphan()
 * @id: job number; 0 for the responder of a run without a peer
 * @role: enum icbench_role
 * @detach: true if the job outlives the socket of @owner
 * @owner: netlink port of the socket that made the job
 * @slot: kind that the job is counted as, enum icb_slot
 * @group: group of jobs measured at the same time; NULL for a single job
 * @grouped: link in the job list of @group
 * @leave: removes the job from @group when it is freed; NULL without a group
 * @worker: index of the job in its group, from 0; a responder takes it from the proposal
 * @side: this host's side of the run
 * @script: body of the job's thread, from connecting to the last message
 * @state: enum icbench_job_state; MEASURING includes the warm-up, see icb_job_state()
 * @outcome: enum icbench_outcome of the finished job
 * @err: negative error number of a failed job; 0 otherwise
 * @why: reason why the job ended early, as text; empty if it did not
 * @target: address and port of the peer, as text
 * @served_by: number of the listener that accepted a responder's connection; else 0
 * @answered: true once the control connection was accepted, so that the peer can propose
 * @heard: jiffies at which the peer was accepted or its proposal arrived, the later one
 * @threads: number of threads of this host that drive the run
 * @finished: completed when the job's thread has nothing left to do
 * @answer: netlink acknowledgment that the job's thread sends when it ends; set by
 *	icb_job_delete(), NULL for none
 * @started: true once the job's thread was created
 * @watch: work that checks the run's progress periodically
 * @progress: icb_run_progress() as of the last change that @watch saw
 * @progressed: jiffies of that change
 * @hist: distributions of an initiator
 * @samples: single samples of @hist that are kept; NULL if none are
 * @result: metrics; valid once the job is finished
 * @listener: an initiator's private listener, for a run without a peer; a responder's
 *	listener, which accepted its connection
 * @listed: link in the sessions of @listener
 * @ticket: credentials of the run's connections: the initiator presents them, the
 *	responder checks them
 * @sealed: true once the responder takes no more data connections
 * @bytes: buffer memory reserved from the limit of @listener, bytes
 * @qps: number of QPs reserved from the limit of @listener
 * @driven: the responder that the initiator's thread drives, or has driven, besides its
 *	own side; referenced
 * @taken: true once the initiator's thread drives this responder
 * @released: true once the initiator's thread is done with this responder
 *
 * The job lock protects changes of @state, @outcome, @err, @why, @target, @answer,
 * @driven and @taken. The other members are fixed at creation or belong to the job's
 * thread.
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
u32 icb_jobs_pending(void);
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
void icb_job_copy_texts(const struct icb_job *job, char target[ICB_JOB_TARGET],
			struct icb_reason *why);
u32 icb_job_state(const struct icb_job *job);
int icb_job_take(struct icb_job *responder, struct icb_job *job);
void icb_job_release(struct icb_job *responder);
void icb_job_wait_driven(struct icb_job *responder);
u64 icb_job_elapsed(const struct icb_job *job);
void icb_jobs_orphan(u32 owner);

#endif /* ICB_JOB_H */
