// SPDX-License-Identifier: GPL-2.0
/* Connection requests: which are served, and by which responder. */
#include <linux/random.h>
#include <linux/slab.h>

#include "cm/conn.h"
#include "job.h"
#include "listener.h"
#include "rate.h"
#include "request.h"
#include "verbs/promise.h"
#include "verbs/qp.h"

/*
 * Peers that have no run yet, of all listeners together: a host that uses several listeners
 * must not get more peers than others. A new peer ends the oldest peers that have had time
 * to propose, until at most MAX_PENDING_PEERS are left, and the oldest in any case, until at
 * most MOST_PENDING_PEERS are left. The new peer is included in both numbers.
 */
#define MAX_PENDING_PEERS	16
#define MOST_PENDING_PEERS	64
#define FRESH_JIFFIES	(HZ / 2)
/* Connected peers in addition to the max-qps that may have a run. */
#define MORE_PEERS	(MOST_PENDING_PEERS + MAX_PENDING_PEERS)

static int (*listener_serve)(struct icb_job *job, struct icb_reason *why);

static bool is_pending_peer(const struct icb_job *job)
{
	return !job->qps && !READ_ONCE(job->side.abort.over);
}

/* Whether a peer has not had time to propose; this time begins when it is accepted. */
static bool is_fresh(const struct icb_job *job)
{
	/* pairs with icb_listener_restart_timer() */
	return !smp_load_acquire(&job->answered) ||
	       time_before(jiffies, READ_ONCE(job->heard) + FRESH_JIFFIES);
}

/**
 * struct pending - the pending peers of all listeners
 * @count: number of these peers
 * @oldest: job number of the oldest one that may be ended; 0 if there is none
 * @listener: number of the listener of that job
 */
struct pending {
	unsigned int count;
	u32 oldest;
	u32 listener;
};

/* Job numbers increase, and start over after the largest one. */
static bool is_older(u32 id, u32 than)
{
	return !than || (s32)(id - than) < 0;
}

/* Adds the pending peers of a listener. With @fresh, each of them may be ended. */
static void add_pending(struct pending *pending, struct icb_listener *listener, bool fresh)
{
	struct icb_job *job;
	u32 id;

	mutex_lock(&listener->lock);
	list_for_each_entry(job, &listener->sessions, listed) {
		if (!is_pending_peer(job))
			continue;
		pending->count++;
		/* 0 until icb_job_publish() */
		id = READ_ONCE(job->id);
		if (id && (fresh || !is_fresh(job)) && is_older(id, pending->oldest)) {
			pending->oldest = id;
			pending->listener = listener->id;
		}
	}
	mutex_unlock(&listener->lock);
}

static struct pending find_pending(bool fresh)
{
	struct icb_listener *listener;
	struct pending pending = {};
	u32 id = 0;

	while ((listener = icb_listener_next(id))) {
		id = listener->id;
		add_pending(&pending, listener, fresh);
		icb_listener_put(listener);
	}
	return pending;
}

static void end_oldest(const struct pending *pending, const char *words)
{
	struct icb_listener *listener = icb_listener_get(pending->listener);
	struct icb_job *job;

	if (!listener)
		return;
	mutex_lock(&listener->lock);
	list_for_each_entry(job, &listener->sessions, listed)
		if (job->id == pending->oldest && is_pending_peer(job))
			icb_abort_run(&job->side.abort, -EBUSY,
				      "other peers wait: %s", words);
	mutex_unlock(&listener->lock);
	icb_listener_put(listener);
}

/*
 * Ends pending peers, the oldest first, until at most @most are left; with @fresh, also
 * those that have not had time to propose.
 */
static void end_pending_peers(unsigned int most, bool fresh, const char *words)
{
	struct pending pending;
	unsigned int tries;

	/* bounded: requests on several devices at the same time may end the same peers */
	for (tries = 0; tries < most; tries++) {
		pending = find_pending(fresh);
		if (pending.count <= most || !pending.oldest)
			return;
		end_oldest(&pending, words);
	}
}

/*
 * Makes sure that peers that connect and do not propose cannot lock out others. The new
 * peer is already counted, and is not ended: it has no number yet.
 */
static void make_room(void)
{
	end_pending_peers(MAX_PENDING_PEERS, false, "the peer took too long to propose");
	end_pending_peers(MOST_PENDING_PEERS, true,
			  "too many peers have not proposed yet; try again");
}

/*
 * A request, which anyone can forge, starts a job with a thread and a QP. While few peers
 * wait for a run, each request is served; beyond that, the rate of requests is limited.
 * Peers and requests of all listeners count together.
 */
static int check_rate(const struct rdma_cm_id *id, struct icb_reason *why)
{
	if (icb_jobs_pending() < MAX_PENDING_PEERS || icb_rate_take(id))
		return 0;
	return icb_refuse(why, -EBUSY,
			  "too many connection requests at a time; try again");
}

/* Credentials of the run's further connections; the responder sets the nonce later. */
static void give_ticket(struct icb_job *job,
			const struct icb_listener *listener)
{
	job->ticket.cookie = get_random_u64();
	job->ticket.token = listener->limits.token;
	job->ticket.token_len = listener->limits.token_len;
}

/* Makes a responder for a request for a control connection. */
static int admit(struct icb_listener *listener, struct rdma_cm_id *id,
		 const struct rdma_cm_event *event,
		 const struct icb_wire_hello *hello, struct icb_reason *why)
{
	struct icb_params *params;
	struct icb_job *job = NULL;
	int err = 0;

	if (id->qp_type != IB_QPT_RC)
		return icb_refuse(why, -EPROTO,
				  "this is not a connection request of icbench");
	if (le64_to_cpu(hello->cookie) != listener->secret)
		return icb_refuse(why, -EACCES,
				  "this port is used by a run of the host with itself");
	if (!listener->initiator) {
		err = check_rate(id, why);
		if (err)
			return err;
		if (!icb_promise_left(NULL))
			return icb_refuse(why, -ENOMEM,
					  "the responder has no memory for one more peer; try again");
	}
	params = kmalloc(sizeof(*params), GFP_KERNEL);
	if (params) {
		icb_params_init(params);
		job = icb_job_new(params, ICBENCH_ROLE_RESPONDER,
				  listener_serve);
	}
	kfree(params);
	if (!job)
		return icb_refuse(why, -ENOMEM, "the responder has no memory");
	mutex_lock(&listener->lock);
	if (listener->closing)
		err = icb_refuse(why, -ESHUTDOWN, "the listener is being deleted");
	else if (listener->qps - listener->ending >= listener->limits.qps)
		err = icb_refuse(why, -EBUSY,
				 "all %u QPs of the responder are in use (max-qps)",
				 listener->limits.qps);
	else if (listener->count >= listener->limits.qps + MORE_PEERS)
		err = icb_refuse(why, -EBUSY,
				 "the responder is busy with %u peers that connect and disconnect; try again",
				 listener->count);
	if (!err) {
		give_ticket(job, listener);
		job->listener = listener;
		job->served_by = listener->id;
		kref_get(&listener->ref);
		listener->count++;
		list_add_tail(&job->listed, &listener->sessions);
	}
	mutex_unlock(&listener->lock);
	if (err) {
		icb_job_put(job);
		return err;
	}
	if (!listener->initiator)
		make_room();
	icb_conn_adopt(&job->side.control, &job->side.abort, id, event);
	icb_job_set_remote(job, (struct sockaddr *)&id->route.addr.dst_addr);
	if (!listener->initiator)
		err = icb_job_publish(job, 0, true, why);
	if (!err)
		err = icb_job_start(job, why);
	if (err) {
		icb_conn_disown(&job->side.control);
		icb_listener_leave(job);
		icb_job_delete(job, NULL, NULL);
	}
	icb_job_put(job);
	return err;
}

static bool take_data(struct icb_side *side, u32 qp, struct rdma_cm_id *id,
		      const struct rdma_cm_event *event)
{
	bool first = !(qp % icb_params_rails(&side->params));

	/* the first data connection has to be requested first */
	if (qp)
		return side->data.id &&
		       (!first || id->device == side->control.id->device) &&
		       icb_bundle_take(&side->bundle, qp, &side->abort, id,
				       event);
	if (side->data.id)
		return false;
	icb_conn_adopt(&side->data, &side->abort, id, event);
	return true;
}

/* Whether a request belongs to a job's run, which still takes connections. */
static bool belongs(const struct icb_job *job,
		    const struct icb_wire_hello *hello)
{
	return job->qps && !job->sealed &&
	       icb_ticket_fits(&job->ticket, hello);
}

/* Gives a request for a data connection to the responder that its ticket names. */
static int attach(struct icb_listener *listener, struct rdma_cm_id *id,
		  const struct rdma_cm_event *event,
		  const struct icb_wire_hello *hello, struct icb_reason *why)
{
	u32 qp = le32_to_cpu(hello->qp);
	struct icb_job *job;
	int err = -EACCES;

	mutex_lock(&listener->lock);
	list_for_each_entry(job, &listener->sessions, listed) {
		if (!belongs(job, hello))
			continue;
		/* the connection manager's datagram service sends such requests, too */
		if (id->qp_type == icb_ep_type(&job->side.params) &&
		    !icb_params_datagrams(&job->side.params) &&
		    take_data(&job->side, qp, id, event))
			err = 0;
		break;
	}
	mutex_unlock(&listener->lock);
	if (!err)
		return 0;
	return icb_refuse(why, err, "no run waits for this data connection");
}

/* Gives a request for a connection that is timed to the responder of its run. */
static int attach_probe(struct icb_listener *listener, struct rdma_cm_id *id,
			const struct rdma_cm_event *event,
			const struct icb_wire_hello *hello,
			struct icb_reason *why)
{
	struct icb_side *side;
	struct icb_job *job;
	bool taken = false;

	mutex_lock(&listener->lock);
	list_for_each_entry(job, &listener->sessions, listed) {
		side = &job->side;
		/* a ticket that was presented before is not accepted again */
		if (!belongs(job, hello) || !side->data.id ||
		    le32_to_cpu(hello->qp) != job->ticket.probes ||
		    id->qp_type != IB_QPT_RC ||
		    id->device != side->control.id->device ||
		    !icb_verb_of(&side->params)->probes)
			continue;
		taken = icb_probes_take(side->probe, &side->abort, id, event);
		job->ticket.probes += taken;
		break;
	}
	mutex_unlock(&listener->lock);
	if (taken)
		return 0;
	return icb_refuse(why, -EACCES, "no run waits for this connection");
}

/**
 * icb_request_take() - handle a connection request
 * @listener: listener that received the request
 * @id: identifier of the new connection
 * @event: the request
 *
 * A request for a control connection makes a responder. A request for a data connection,
 * or for a connection that is timed, is given to the responder of its run. Any other
 * request is rejected.
 *
 * Context: handler of the connection manager; may sleep.
 *
 * Return: 0 if a responder now owns the identifier; a negative error number.
 */
int icb_request_take(struct icb_listener *listener, struct rdma_cm_id *id,
		     struct rdma_cm_event *event)
{
	struct icb_wire_hello hello;
	struct icb_reason why = {};
	char peer[ICB_JOB_TARGET];
	int err;

	err = icb_conn_hello(event, &hello);
	if (!err && le16_to_cpu(hello.kind) == ICB_WIRE_CONTROL &&
	    (hello.qp || memchr_inv(hello.proof, 0, sizeof(hello.proof))))
		err = -EPROTO;
	if (err == -EPROTONOSUPPORT)
		icb_refuse(&why, err, "the responder speaks version %u of the protocol, not %u",
			   ICB_WIRE_VERSION, le16_to_cpu(hello.version));
	else if (err)
		icb_refuse(&why, err, "this is not a connection request of icbench");
	else if (le16_to_cpu(hello.kind) == ICB_WIRE_CONTROL)
		err = admit(listener, id, event, &hello, &why);
	else if (le16_to_cpu(hello.kind) == ICB_WIRE_DATA)
		err = attach(listener, id, event, &hello, &why);
	else if (le16_to_cpu(hello.kind) == ICB_WIRE_PROBE)
		err = attach_probe(listener, id, event, &hello, &why);
	else
		err = icb_refuse(&why, -EPROTO, "unknown kind of connection");
	if (!err)
		return 0;
	icb_conn_reject(id, err, why.text);
	snprintf(peer, sizeof(peer), "%pISpc", &id->route.addr.dst_addr);
	icb_listener_turn_away(listener, peer, why.text);
	return err;
}

/**
 * icb_requests_init() - set up the handling of requests
 * @serve: body of the thread of a peer's responder
 *
 * Return: 0.
 */
int __init icb_requests_init(int (*serve)(struct icb_job *job,
					  struct icb_reason *why))
{
	listener_serve = serve;
	return icb_rate_init();
}
