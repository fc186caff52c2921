// SPDX-License-Identifier: GPL-2.0
#include <linux/atomic.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <net/ipv6.h>

#include "cm/conn.h"
#include "compat.h"
#include "host/answer.h"
#include "host/cause.h"
#include "job.h"
#include "listener.h"
#include "rate.h"
#include "verbs/promise.h"

/* A listener without a type hears the requests for QPs of any. */
#define ANY_TYPE	((enum ib_qp_type)0)

/* Listeners with a number; one that was deleted is among them until its runs have ended. */
#define MAX_LISTENERS	64
#define BACKLOG		16

/*
 * Peers without an agreement yet: a newcomer ends the oldest ones, so that fewer than so many
 * stay who have had the time to propose; and fewer than so many in any case.
 */
#define MAX_STRANGERS	16
#define MOST_STRANGERS	64
#define FRESH_JIFFIES	(HZ / 2)
/* Peers at a time, beside those that have all of max-qps. */
#define MORE_PEERS	(MOST_STRANGERS + MAX_STRANGERS)
/* A newcomer waits as long for the share of a run that is over. */
#define LEAVE_JIFFIES	(HZ / 2)

/* Protects the list and the numbers. */
static DEFINE_MUTEX(listener_lock);
static LIST_HEAD(listener_list);
/* Goes up under the lock. */
static atomic_t listener_count = ATOMIC_INIT(0);
static u32 listener_last_id;
static bool listener_closing;
static int (*listener_serve)(struct icb_job *job, struct icb_reason *why);
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
 * icb_listener_put() - give a reference back
 * @listener: of a listener; NULL for none
 */
void icb_listener_put(struct icb_listener *listener)
{
	if (listener)
		kref_put(&listener->ref, listener_free);
}

/**
 * icb_listener_turn_away() - book and tell that a peer is not served
 * @listener: that does not serve it
 * @peer: its address
 * @why: in words
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

static bool is_stranger(const struct icb_job *job)
{
	return !job->qps && !READ_ONCE(job->side.life.over);
}

/* Who was not answered yet has had no time at all. */
static bool is_fresh(const struct icb_job *job)
{
	/* pairs with icb_listener_heard() */
	return !smp_load_acquire(&job->answered) ||
	       time_before(jiffies, READ_ONCE(job->heard) + FRESH_JIFFIES);
}

/* Until fewer than most are left, the oldest first; and those that are fresh, too. */
static unsigned int end_strangers(struct icb_listener *listener,
				  unsigned int strangers, unsigned int most,
				  bool fresh, const char *words)
{
	struct icb_job *job;

	list_for_each_entry(job, &listener->sessions, listed) {
		if (strangers < most)
			break;
		if (!is_stranger(job) || (!fresh && is_fresh(job)))
			continue;
		icb_life_end(&job->side.life, -EBUSY, "others wait: %s", words);
		strangers--;
	}
	return strangers;
}

/* Nobody locks others out by connecting and saying nothing. */
static void make_room(struct icb_listener *listener)
{
	unsigned int strangers = 0;
	struct icb_job *job;

	list_for_each_entry(job, &listener->sessions, listed)
		strangers += is_stranger(job);
	strangers = end_strangers(listener, strangers, MAX_STRANGERS, false,
				  "the peer took too long to propose");
	end_strangers(listener, strangers, MOST_STRANGERS, true,
		      "too many peers have not proposed yet; try again");
}

/**
 * icb_listener_heard() - give a peer the time to propose, from now on
 * @job: its responder, which has just become able to hear it, or has heard it
 *
 * Any context.
 */
void icb_listener_heard(struct icb_job *job)
{
	WRITE_ONCE(job->heard, jiffies);
	smp_store_release(&job->answered, true); /* pairs with is_fresh() */
}

/*
 * A request that anybody can forge starts a job with a thread and a QP. As long as few of
 * these wait for a proposal each is served; then there is a rate.
 */
static int check_rate(struct icb_listener *listener,
		      const struct rdma_cm_id *id, struct icb_reason *why)
{
	bool pressed;

	mutex_lock(&listener->lock);
	pressed = listener->count - listener->agreed >= MAX_STRANGERS;
	mutex_unlock(&listener->lock);
	if (!pressed || listener->initiator || icb_rate_take(id))
		return 0;
	return icb_refuse(why, -EBUSY,
			  "too many connections are asked for at a time; try again");
}

/* What the further connections of its run have to show; the nonce is chosen later. */
static void give_ticket(struct icb_job *job,
			const struct icb_listener *listener)
{
	job->ticket.cookie = get_random_u64();
	job->ticket.token = listener->limits.token;
	job->ticket.token_len = listener->limits.token_len;
}

/* A control connection is asked for: a responder is made for it. */
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
				  "this port is taken by a run of the host with itself");
	err = check_rate(listener, id, why);
	if (err)
		return err;
	if (!listener->initiator && !icb_promise_left(NULL))
		return icb_refuse(why, -ENOMEM,
				  "the responder has no memory for one more peer; try again");
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
	if (listener->deaf)
		err = icb_refuse(why, -ESHUTDOWN, "the listener is going");
	else if (listener->qps - listener->ending >= listener->limits.qps)
		err = icb_refuse(why, -EBUSY,
				 "all %u QPs of the responder are in use (max-qps)",
				 listener->limits.qps);
	else if (listener->count >= listener->limits.qps + MORE_PEERS)
		err = icb_refuse(why, -EBUSY,
				 "the responder is busy with %u peers that come and go; try again",
				 listener->count);
	if (!err) {
		make_room(listener);
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
	icb_conn_adopt(&job->side.control, &job->side.life, id, event);
	icb_job_aim(job, (struct sockaddr *)&id->route.addr.dst_addr);
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

static bool take_data(struct icb_side *side, u32 lane, struct rdma_cm_id *id,
		      const struct rdma_cm_event *event)
{
	bool first = !(lane % icb_params_rails(&side->params));

	/* the first one comes first */
	if (lane)
		return side->data.id &&
		       (!first || id->device == side->control.id->device) &&
		       icb_bundle_take(&side->bundle, lane, &side->life, id,
				       event);
	if (side->data.id)
		return false;
	icb_conn_adopt(&side->data, &side->life, id, event);
	return true;
}

/* Whether a connection request belongs to a run that still takes some. */
static bool belongs(const struct icb_job *job,
		    const struct icb_wire_hello *hello)
{
	return job->qps && !job->sealed &&
	       icb_ticket_fits(&job->ticket, hello);
}

/* A data connection is asked for: it goes to the responder whose ticket it has. */
static int attach(struct icb_listener *listener, struct rdma_cm_id *id,
		  const struct rdma_cm_event *event,
		  const struct icb_wire_hello *hello, struct icb_reason *why)
{
	u32 lane = le32_to_cpu(hello->lane);
	struct icb_job *job;
	int err = -EACCES;

	mutex_lock(&listener->lock);
	list_for_each_entry(job, &listener->sessions, listed) {
		if (!belongs(job, hello))
			continue;
		/* a manager's datagram service asks like this, too */
		if (id->qp_type == icb_ep_type(&job->side.params) &&
		    !icb_params_datagrams(&job->side.params) &&
		    take_data(&job->side, lane, id, event))
			err = 0;
		break;
	}
	mutex_unlock(&listener->lock);
	if (!err)
		return 0;
	return icb_refuse(why, err, "no run waits for this data connection");
}

/* One of the connections that a run makes to time them: it goes to the responder. */
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
		/* one that was shown before is not taken again */
		if (!belongs(job, hello) || !side->data.id ||
		    le32_to_cpu(hello->lane) != job->ticket.probes ||
		    id->qp_type != IB_QPT_RC ||
		    id->device != side->control.id->device ||
		    !icb_verb_of(&side->params)->probes)
			continue;
		taken = icb_probes_take(side->probe, &side->life, id, event);
		job->ticket.probes += taken;
		break;
	}
	mutex_unlock(&listener->lock);
	if (taken)
		return 0;
	return icb_refuse(why, -EACCES, "no run waits for this connection");
}

static int requested(struct icb_listener *listener, struct rdma_cm_id *id,
		     struct rdma_cm_event *event)
{
	struct icb_wire_hello hello;
	struct icb_reason why = {};
	char peer[ICB_JOB_TARGET];
	int err;

	err = icb_conn_hello(event, &hello);
	if (!err && le16_to_cpu(hello.kind) == ICB_WIRE_CONTROL &&
	    (hello.lane || memchr_inv(hello.proof, 0, sizeof(hello.proof))))
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

/*
 * No request is handled any more when this returns, unless somebody else is at it.
 * Return: whether it has been done here.
 */
static bool hear_no_more(struct icb_listener *listener)
{
	struct rdma_cm_id *ids[ICB_LISTENER_IDS];
	bool heard = false;
	u32 i;

	mutex_lock(&listener->lock);
	listener->deaf = true;
	memcpy(ids, listener->cm_ids, sizeof(ids));
	memset(listener->cm_ids, 0, sizeof(listener->cm_ids));
	mutex_unlock(&listener->lock);
	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		if (!ids[i])
			continue;
		rdma_destroy_id(ids[i]);
		heard = true;
	}
	return heard;
}

/* When it hears no more: its device may go. */
static void let_go(struct icb_listener *listener)
{
	mutex_lock(&listener->lock);
	icb_device_release(&listener->hold);
	mutex_unlock(&listener->lock);
}

/* Its device is removed, which waits for this. */
static void stop_hearing(struct work_struct *work)
{
	struct icb_listener *listener =
		container_of(work, struct icb_listener, removed);

	/* whoever else is at it lets go, too */
	if (!hear_no_more(listener))
		return;
	let_go(listener);
	icb_listener_turn_away(listener, "",
			       "the device was removed; this listener hears no more");
}

/*
 * Who listens for one initiator hears on until that has closed its connections, which is
 * sooner: a request that is under way is then answered. The manager of iWARP would drop it
 * with its listener, have the initiator wait for 10 s, and lose some memory.
 */
static void device_goes(struct icb_life *life)
{
	struct icb_listener *listener =
		container_of(life, struct icb_listener, life);

	if (listener->initiator)
		icb_life_end(&listener->initiator->side.life, life->err, "%s",
			     life->why.text);
	else
		queue_work(icb_unbound_wq(), &listener->removed);
}

/* Not 0 makes the manager destroy the identifier that the event is for. */
static int listener_event(struct rdma_cm_id *id, struct rdma_cm_event *event)
{
	struct icb_listener *listener = id->context;

	if (event->event == RDMA_CM_EVENT_CONNECT_REQUEST)
		return requested(listener, id, event);
	return 0;
}

static int no_event(struct rdma_cm_id *id, struct rdma_cm_event *event)
{
	return 0;
}

/* Whether an address is one of ours, whatever the port. */
static bool can_bind(const struct sockaddr_storage *addr)
{
	struct sockaddr_storage any_port = *addr;
	struct rdma_cm_id *id;
	int err;

	/* the port stands at the same place in both families */
	((struct sockaddr_in *)&any_port)->sin_port = 0;
	id = rdma_create_id(&init_net, no_event, NULL, RDMA_PS_TCP, IB_QPT_RC);
	if (IS_ERR(id))
		return false;
	err = rdma_bind_addr(id, (struct sockaddr *)&any_port);
	rdma_destroy_id(id);
	return !err;
}

/* 0.0.0.0 or ::, which mean all devices */
static bool is_any(const struct sockaddr_storage *addr)
{
	if (addr->ss_family == AF_INET)
		return !((const struct sockaddr_in *)addr)->sin_addr.s_addr;
	return ipv6_addr_any(&((const struct sockaddr_in6 *)addr)->sin6_addr);
}

/*
 * An identifier that has an address, and does not listen yet; of one family alone,
 * where it is for all addresses of that.
 */
static struct rdma_cm_id *bound(struct icb_listener *listener,
				struct sockaddr_storage *where, bool alone,
				struct icb_reason *why)
{
	struct sockaddr *addr = (struct sockaddr *)where;
	struct rdma_cm_id *id;
	int err;

	id = rdma_create_id(&init_net, listener_event, listener, RDMA_PS_TCP,
			    ANY_TYPE);
	if (IS_ERR(id)) {
		icb_refuse(why, PTR_ERR(id),
			   "the connection manager gives no identifier: %s (%ld)",
			   icb_cause_of_device(PTR_ERR(id)), PTR_ERR(id));
		return id;
	}
	err = alone ? rdma_set_afonly(id, 1) : 0;
	if (!err)
		err = rdma_bind_addr(id, addr);
	/* to the manager, a loopback address means all devices, too */
	if (!err && !id->device && !is_any(where))
		err = -EADDRNOTAVAIL;
	/* of an address for all devices the manager says the same of both */
	else if (err == -EADDRNOTAVAIL && can_bind(where))
		err = -EADDRINUSE;
	if (!err) {
		err = icb_conn_check_gid(id, "bind", why);
		if (!err)
			return id;
	} else if (err == -EADDRINUSE) {
		icb_refuse(why, err, "cm-port: %pISpc is in use; accepted: a free port",
			   addr);
	} else {
		err = icb_refuse(why, -EINVAL,
				 "bind: %pISc is not an address of an RDMA device here (%d); icbenchctl devices lists them",
				 addr, err);
	}
	rdma_destroy_id(id);
	return ERR_PTR(err);
}

/*
 * The device of an address is held on to: removal has the manager wait for who uses
 * the device, too, but an identifier gives that up before it gives up the GID, whose
 * table goes then.
 */
static int hold_on(struct icb_listener *listener, struct rdma_cm_id *id,
		   struct icb_reason *why)
{
	if (!id->device ||
	    !icb_device_hold(id->device, ICB_NO_PORT, &listener->hold,
			     &listener->life))
		return 0;
	return icb_refuse(why, -ENODEV, "bind: the device of %pISc was removed",
			  &id->route.addr.src_addr);
}

/* It listens, and is the listener's; unless its device goes meanwhile. */
static int hear(struct icb_listener *listener, struct rdma_cm_id *id,
		struct icb_reason *why)
{
	const struct sockaddr *addr =
		(struct sockaddr *)&id->route.addr.src_addr;
	int err = rdma_listen(id, BACKLOG);
	bool deaf;
	u32 i = 0;

	if (err)
		return icb_refuse(why, err, "cm-port: listening at %pISpc failed: %s (%d)",
				  addr, icb_cause_of_device(err), err);
	mutex_lock(&listener->lock);
	deaf = listener->deaf;
	if (!deaf) {
		while (listener->cm_ids[i])
			i++;
		listener->cm_ids[i] = id;
	}
	mutex_unlock(&listener->lock);
	if (deaf)
		return icb_refuse(why, -ENODEV, "bind: the device of %pISc was removed",
				  addr);
	return 0;
}

/*
 * At all addresses, IPv4 has an identifier of its own: to one of IPv6 iWARP's manager
 * passes IPv4 requests with their addresses mapped, which are no device's, and drops them.
 * Only where there is iWARP: of two at a port of InfiniBand or RoCE, the first to go
 * does not wait for who is just handling a request for it (ib_destroy_cm_id()).
 */
static int listen_each(struct icb_listener *listener, struct icb_reason *why)
{
	struct sockaddr_storage four = { .ss_family = AF_INET };
	struct rdma_cm_id *ids[ICB_LISTENER_IDS];
	int err;

	ids[0] = bound(listener, &listener->addr, true, why);
	if (IS_ERR(ids[0]))
		return PTR_ERR(ids[0]);
	/* the port that was found, where none was asked for */
	memcpy(&listener->addr, &ids[0]->route.addr.src_addr,
	       sizeof(listener->addr));
	((struct sockaddr_in *)&four)->sin_port =
		((struct sockaddr_in *)&listener->addr)->sin_port;
	ids[1] = bound(listener, &four, true, why);
	if (IS_ERR(ids[1])) {
		rdma_destroy_id(ids[0]);
		return PTR_ERR(ids[1]);
	}
	err = hear(listener, ids[0], why);
	if (err)
		rdma_destroy_id(ids[0]);
	/* a host that has no IPv6 hears by the other alone, and has no reason to tell */
	if (err == -EAFNOSUPPORT)
		err = icb_refuse(why, 0, "%s", "");
	if (!err)
		err = hear(listener, ids[1], why);
	if (err)
		rdma_destroy_id(ids[1]);
	return err;
}

static int listen(struct icb_listener *listener, struct icb_reason *why)
{
	struct rdma_cm_id *id;
	int err;

	if (listener->addr.ss_family == AF_INET6 && is_any(&listener->addr) &&
	    icb_devices_iwarp())
		return listen_each(listener, why);
	id = bound(listener, &listener->addr, false, why);
	if (IS_ERR(id))
		return PTR_ERR(id);
	memcpy(&listener->addr, &id->route.addr.src_addr,
	       sizeof(listener->addr));
	err = hold_on(listener, id, why);
	if (!err)
		err = hear(listener, id, why);
	if (err)
		rdma_destroy_id(id);
	return err;
}

static u32 next_id(void)
{
	u32 id;

	mutex_lock(&listener_lock);
	if (!++listener_last_id)
		listener_last_id = 1;
	id = listener_last_id;
	mutex_unlock(&listener_lock);
	return id;
}

/**
 * icb_listener_new() - listen
 * @addr: where; port 0 for any
 * @limits: what is allowed; copied
 * @initiator: the job that this listener is for, and nobody else; or NULL
 * @why: the reason of a failure
 *
 * May sleep. To be undone by icb_listener_close().
 *
 * Return: the listener, with one reference; an error pointer.
 */
struct icb_listener *icb_listener_new(const struct sockaddr_storage *addr,
				      const struct icb_listener_limits *limits,
				      struct icb_job *initiator,
				      struct icb_reason *why)
{
	struct icb_listener *listener = kzalloc(sizeof(*listener), GFP_KERNEL);
	int err;

	if (!listener)
		return ERR_PTR(icb_refuse(why, -ENOMEM,
					  "no memory for a listener"));
	kref_init(&listener->ref);
	INIT_LIST_HEAD(&listener->list);
	INIT_LIST_HEAD(&listener->sessions);
	mutex_init(&listener->lock);
	init_waitqueue_head(&listener->left);
	INIT_WORK(&listener->removed, stop_hearing);
	icb_life_init(&listener->life, device_goes);
	listener->addr = *addr;
	listener->limits = *limits;
	listener->initiator = initiator;
	/* peers may come before anybody knows of it, and their runs tell of its number */
	if (initiator)
		listener->secret = get_random_u64();
	else
		listener->id = next_id();
	err = listen(listener, why);
	if (!err)
		return listener;
	/* one of its identifiers may have let in a peer by now */
	if (initiator)
		icb_listener_close(listener);
	else
		icb_listener_drop(listener);
	return ERR_PTR(err);
}

static void stop_sessions(struct icb_listener *listener)
{
	struct icb_job *job;

	mutex_lock(&listener->lock);
	list_for_each_entry(job, &listener->sessions, listed)
		icb_job_stop(job);
	mutex_unlock(&listener->lock);
}

/* It listens no more, and the runs that it serves end, which is not waited for. */
static void shut(struct icb_listener *listener)
{
	/* the device waits for who has begun to destroy identifiers, and this is who */
	hear_no_more(listener);
	flush_work(&listener->removed);
	let_go(listener);
	/* it may have been told meanwhile; from now on it is not */
	flush_work(&listener->removed);
	stop_sessions(listener);
}

/**
 * icb_listener_close() - listen no more
 * @listener: of a run of this host with itself
 *
 * Its responders end; returns when they have, and holds on to the device until then, since
 * the identifiers of those that came late do not. Puts the caller's reference. May sleep;
 * never from an event handler.
 */
void icb_listener_close(struct icb_listener *listener)
{
	hear_no_more(listener);
	stop_sessions(listener);
	wait_event_idle(listener->left, !READ_ONCE(listener->count));
	let_go(listener);
	icb_listener_put(listener);
}

/**
 * icb_listener_drop() - listen no more, and do not wait
 * @listener: which; none of a run of this host with itself, which its responder knows
 *
 * The runs that it serves end. Puts the caller's reference. May sleep; never from an event
 * handler.
 */
void icb_listener_drop(struct icb_listener *listener)
{
	shut(listener);
	icb_listener_put(listener);
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
 * icb_listener_publish() - make a listener known
 * @listener: a new one
 * @owner: netlink port of the socket that it belongs to
 * @detach: it outlives that socket
 * @why: the reason of a refusal
 *
 * Takes a reference for the list; whoever finds it there may delete it at once.
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

static bool forget(struct icb_listener *listener)
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
 * icb_listener_delete() - have a known listener listen no more
 * @listener: which
 * @answer: to give when the runs that it serves have ended; NULL for none
 * @why: the reason of a failure
 *
 * May sleep, but not until they have.
 *
 * Return: 0 if they have, or nobody wants to know; -EINPROGRESS if the last of them has
 * the answer now, and gives it; -ENOENT if somebody else has deleted it.
 */
int icb_listener_delete(struct icb_listener *listener,
			struct icb_answer *answer, struct icb_reason *why)
{
	bool later;

	if (!forget(listener))
		return icb_refuse(why, -ENOENT, "id: listener %u was deleted",
				  listener->id);
	shut(listener);
	mutex_lock(&listener->lock);
	later = answer && listener->count;
	if (later)
		listener->answer = answer;
	mutex_unlock(&listener->lock);
	icb_listener_put(listener);
	return later ? -EINPROGRESS : 0;
}

/**
 * icb_listener_get() - find a listener
 * @id: its number
 *
 * Return: the listener, referenced; NULL.
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
 * icb_listener_next() - go through the listeners
 * @id: number of the one before
 *
 * Return: the listener with the next number, referenced; NULL.
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

/* Closing waits for a listener's runs: those of all of them end meanwhile. */
static void stop_all(void)
{
	struct icb_listener *listener;
	u32 id = 0;

	while ((listener = icb_listener_next(id))) {
		id = listener->id;
		stop_sessions(listener);
		icb_listener_put(listener);
	}
}

/**
 * icb_listeners_orphan() - the socket of some listeners was closed
 * @owner: its netlink port
 *
 * May sleep, but not until the runs that they serve have ended. Another socket may get that
 * port meanwhile: what it has made since this was called is not among those that are taken
 * out.
 */
void icb_listeners_orphan(u32 owner)
{
	struct icb_listener *listener, *next;
	LIST_HEAD(orphans);

	mutex_lock(&listener_lock);
	list_for_each_entry_safe(listener, next, &listener_list, list) {
		if (listener->owner != owner || listener->detach)
			continue;
		list_del_init(&listener->list);
		list_add_tail(&listener->orphan, &orphans);
	}
	mutex_unlock(&listener_lock);
	list_for_each_entry(listener, &orphans, orphan)
		stop_sessions(listener);
	list_for_each_entry_safe(listener, next, &orphans, orphan)
		icb_listener_drop(listener);
}

/**
 * icb_listener_responder() - the responder of a private listener
 * @listener: of a run of this host with itself
 *
 * Return: it, referenced; NULL if there is none, or no more.
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
		listener->agreed++;
		job->bytes = bytes;
		job->qps = qps;
	}
	mutex_unlock(&listener->lock);
	return err;
}

/* Nothing is ending any more, or enough has ended. */
static bool has_left(const struct icb_listener *listener, u64 bytes, u32 qps)
{
	return !READ_ONCE(listener->ending) ||
	       (bytes <= listener->limits.memory - READ_ONCE(listener->memory) &&
		qps <= listener->limits.qps - READ_ONCE(listener->qps));
}

/**
 * icb_listener_reserve() - take a share of what a listener allows
 * @listener: which
 * @job: a responder of it, which gives it back by icb_listener_leave()
 * @bytes: of buffers
 * @qps: data QPs
 * @why: the reason of a refusal
 *
 * Before anything is allocated. May sleep: an initiator that has its result may
 * come with its next run while the last is still being taken down here.
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
 * icb_listener_accepted() - book a run that is served
 * @listener: which serves it
 */
void icb_listener_accepted(struct icb_listener *listener)
{
	mutex_lock(&listener->lock);
	listener->accepted++;
	mutex_unlock(&listener->lock);
}

/**
 * icb_listener_seal() - a responder takes no data connection any more
 * @job: which; its run is over, but for taking it down
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
 * icb_listener_leave() - a responder has ended
 * @job: which; all it held is gone by now
 */
void icb_listener_leave(struct icb_job *job)
{
	struct icb_listener *listener = job->listener;
	struct icb_answer *answer = NULL;

	mutex_lock(&listener->lock);
	listener->memory -= job->bytes;
	listener->qps -= job->qps;
	listener->agreed -= !!job->qps;
	if (job->sealed)
		listener->ending -= job->qps;
	list_del_init(&job->listed);
	if (!--listener->count)
		swap(answer, listener->answer);
	wake_up_all(&listener->left);
	mutex_unlock(&listener->lock);
	job->listener = NULL;
	icb_listener_put(listener);
	icb_answer_give(answer);
}

/**
 * icb_listeners_init() - begin
 * @serve: what the thread of a peer's responder does
 * @refused: called when a peer is turned away, in process context
 *
 * Return: 0.
 */
int __init icb_listeners_init(int (*serve)(struct icb_job *job,
					   struct icb_reason *why),
			      void (*refused)(struct icb_listener *listener,
					      const char *peer,
					      const char *why))
{
	listener_serve = serve;
	listener_refused = refused;
	return icb_rate_init();
}

/**
 * icb_listeners_exit() - close every listener, and make no more
 */
void icb_listeners_exit(void)
{
	struct icb_listener *listener;

	mutex_lock(&listener_lock);
	listener_closing = true;
	mutex_unlock(&listener_lock);
	stop_all();
	/* who serves is waited for with all other jobs */
	while ((listener = icb_listener_next(0))) {
		icb_listener_delete(listener, NULL, NULL);
		icb_listener_put(listener);
	}
}
