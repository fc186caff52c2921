// SPDX-License-Identifier: GPL-2.0
/* How a listener starts to listen, at which addresses, and how it ends. */
#include <linux/random.h>
#include <linux/slab.h>
#include <net/ipv6.h>

#include "cm/conn.h"
#include "compat.h"
#include "host/answer.h"
#include "host/cause.h"
#include "job.h"
#include "listener.h"
#include "listening.h"
#include "request.h"

/* An identifier without a QP type receives requests for QPs of any type. */
#define ANY_TYPE	((enum ib_qp_type)0)

#define BACKLOG		16

/*
 * Destroys the identifiers of a listener. When this returns, no request is handled any
 * more, unless another thread has destroyed, or is destroying, the identifiers. Returns
 * true if this call has destroyed any.
 */
static bool destroy_ids(struct icb_listener *listener)
{
	struct rdma_cm_id *ids[ICB_LISTENER_IDS];
	bool heard = false;
	u32 i;

	mutex_lock(&listener->lock);
	listener->closing = true;
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

/* Releases the device, once all identifiers are destroyed: then it may be removed. */
static void let_go(struct icb_listener *listener)
{
	mutex_lock(&listener->lock);
	icb_device_release(&listener->hold);
	mutex_unlock(&listener->lock);
}

/* The device is being removed; the removal waits for this work. */
static void removed_work(struct work_struct *work)
{
	struct icb_listener *listener =
		container_of(work, struct icb_listener, removed);

	/* another thread that destroys the identifiers also releases the device */
	if (!destroy_ids(listener))
		return;
	let_go(listener);
	icb_listener_turn_away(listener, "",
			       "the device was removed; this listener accepts no more peers");
}

/*
 * The listener's device is going. A private listener keeps listening until its initiator
 * has closed its connections, so that a pending request is answered. The connection
 * manager of iWARP would drop the request with its listener, make the initiator wait for
 * 10 s, and leak some memory. The initiator closes sooner than that.
 */
static void device_goes(struct icb_abort *abort)
{
	struct icb_listener *listener =
		container_of(abort, struct icb_listener, abort);

	if (listener->initiator)
		icb_abort_run(&listener->initiator->side.abort, abort->err, "%s",
			      abort->why.text);
	else
		queue_work(icb_unbound_wq(), &listener->removed);
}

/* A return value other than 0 makes the connection manager destroy @id. */
static int listener_event(struct rdma_cm_id *id, struct rdma_cm_event *event)
{
	struct icb_listener *listener = id->context;

	if (event->event == RDMA_CM_EVENT_CONNECT_REQUEST)
		return icb_request_take(listener, id, event);
	return 0;
}

static int no_event(struct rdma_cm_id *id, struct rdma_cm_event *event)
{
	return 0;
}

/* Whether an address is one of this host's RDMA devices, whatever the port. */
static bool can_bind(const struct sockaddr_storage *addr)
{
	struct sockaddr_storage any_port = *addr;
	struct rdma_cm_id *id;
	int err;

	/* sin_port and sin6_port have the same offset */
	((struct sockaddr_in *)&any_port)->sin_port = 0;
	id = rdma_create_id(&init_net, no_event, NULL, RDMA_PS_TCP, IB_QPT_RC);
	if (IS_ERR(id))
		return false;
	err = rdma_bind_addr(id, (struct sockaddr *)&any_port);
	rdma_destroy_id(id);
	return !err;
}

/* 0.0.0.0 or ::, which mean all devices. */
static bool is_any(const struct sockaddr_storage *addr)
{
	if (addr->ss_family == AF_INET)
		return !((const struct sockaddr_in *)addr)->sin_addr.s_addr;
	return ipv6_addr_any(&((const struct sockaddr_in6 *)addr)->sin6_addr);
}

/*
 * Makes an identifier that is bound to an address and does not listen yet. With @alone,
 * the wildcard address covers one family only.
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
			   "the connection manager cannot create an identifier: %s (%ld)",
			   icb_cause_of_device(PTR_ERR(id)), PTR_ERR(id));
		return id;
	}
	err = alone ? rdma_set_afonly(id, 1) : 0;
	if (!err)
		err = rdma_bind_addr(id, addr);
	/* a loopback address is bound to all devices, like a wildcard */
	if (!err && !id->device && !is_any(where))
		err = -EADDRNOTAVAIL;
	/* for a wildcard, a used port gives this error, too */
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
 * Holds the device of the address. Removal of a device makes the connection manager wait
 * for its users, but an identifier gives up its use of the device before it puts the GID,
 * whose table is freed then.
 */
static int hold_on(struct icb_listener *listener, struct rdma_cm_id *id,
		   struct icb_reason *why)
{
	if (!id->device ||
	    !icb_device_hold(id->device, ICB_NO_PORT, &listener->hold,
			     &listener->abort))
		return 0;
	return icb_refuse(why, -ENODEV, "bind: the device of %pISc was removed",
			  &id->route.addr.src_addr);
}

/* Listens with @id and hands it to the listener, unless its device is going. */
static int start_listening(struct icb_listener *listener, struct rdma_cm_id *id,
			   struct icb_reason *why)
{
	const struct sockaddr *addr =
		(struct sockaddr *)&id->route.addr.src_addr;
	int err = rdma_listen(id, BACKLOG);
	bool closing;
	u32 i = 0;

	if (err)
		return icb_refuse(why, err, "cm-port: listening at %pISpc failed: %s (%d)",
				  addr, icb_cause_of_device(err), err);
	mutex_lock(&listener->lock);
	closing = listener->closing;
	if (!closing) {
		while (listener->cm_ids[i])
			i++;
		listener->cm_ids[i] = id;
	}
	mutex_unlock(&listener->lock);
	if (closing)
		return icb_refuse(why, -ENODEV, "bind: the device of %pISc was removed",
				  addr);
	return 0;
}

/*
 * Listens at all addresses, with an identifier of its own for IPv4. To an identifier of
 * IPv6, the connection manager of iWARP passes IPv4 requests with mapped addresses, which
 * belong to no device, and drops them. This is done only if there is iWARP: with two
 * identifiers at one port of InfiniBand or RoCE, destroying the first does not wait for a
 * request that is being handled for it (ib_destroy_cm_id()).
 */
static int listen_each(struct icb_listener *listener, struct icb_reason *why)
{
	struct sockaddr_storage four = { .ss_family = AF_INET };
	struct rdma_cm_id *ids[ICB_LISTENER_IDS];
	int err;

	ids[0] = bound(listener, &listener->addr, true, why);
	if (IS_ERR(ids[0]))
		return PTR_ERR(ids[0]);
	/* takes the port that was chosen if none was given */
	memcpy(&listener->addr, &ids[0]->route.addr.src_addr,
	       sizeof(listener->addr));
	((struct sockaddr_in *)&four)->sin_port =
		((struct sockaddr_in *)&listener->addr)->sin_port;
	ids[1] = bound(listener, &four, true, why);
	if (IS_ERR(ids[1])) {
		rdma_destroy_id(ids[0]);
		return PTR_ERR(ids[1]);
	}
	err = start_listening(listener, ids[0], why);
	if (err)
		rdma_destroy_id(ids[0]);
	/* without IPv6 on this host, IPv4 alone is no failure and needs no reason */
	if (err == -EAFNOSUPPORT)
		err = icb_refuse(why, 0, "%s", "");
	if (!err)
		err = start_listening(listener, ids[1], why);
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
		err = start_listening(listener, id, why);
	if (err)
		rdma_destroy_id(id);
	return err;
}

/**
 * icb_listener_new() - make a listener and start to listen
 * @addr: address to listen at; port 0 for any free port
 * @limits: limits for all peers together; copied
 * @initiator: the only job that may connect, for a private listener; else NULL
 * @why: the reason of a failure
 *
 * May sleep. Undone by icb_listener_close() for a private listener, else by
 * icb_listener_drop() or, once published, icb_listener_delete().
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
	INIT_WORK(&listener->removed, removed_work);
	icb_abort_init(&listener->abort, device_goes);
	listener->addr = *addr;
	listener->limits = *limits;
	listener->initiator = initiator;
	/* peers may connect before it is published, and their jobs report its number */
	if (initiator)
		listener->secret = get_random_u64();
	else
		listener->id = icb_listener_next_id();
	err = listen(listener, why);
	if (!err)
		return listener;
	/* a peer may have connected to one of its identifiers by now */
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

/* Stops listening and requests the end of the runs served, but does not wait for them. */
static void shut(struct icb_listener *listener)
{
	/* this thread destroys identifiers, which the removal of the device waits for */
	destroy_ids(listener);
	flush_work(&listener->removed);
	let_go(listener);
	/* removal may have queued the work meanwhile; after let_go() it queues none */
	flush_work(&listener->removed);
	stop_sessions(listener);
}

/**
 * icb_listener_close() - close a private listener and wait for its responders
 * @listener: private listener of a run without a peer
 *
 * Stops the responders and returns when they have ended. Holds the device until then,
 * since identifiers of late requests do not. Puts the caller's reference. May sleep;
 * never from an event handler.
 */
void icb_listener_close(struct icb_listener *listener)
{
	destroy_ids(listener);
	stop_sessions(listener);
	wait_event_idle(listener->left, !READ_ONCE(listener->count));
	let_go(listener);
	icb_listener_put(listener);
}

/**
 * icb_listener_drop() - close a listener without waiting for its runs
 * @listener: listener that is not private: responders of a private one refer to its
 *	initiator, so they have to be waited for
 *
 * Stops the runs that it serves. Puts the caller's reference. May sleep; never from an
 * event handler.
 */
void icb_listener_drop(struct icb_listener *listener)
{
	shut(listener);
	icb_listener_put(listener);
}

/**
 * icb_listener_delete() - remove a listener from the list and close it
 * @listener: the listener
 * @answer: acknowledgment to send when the runs that it serves have ended; NULL for none
 * @why: the reason of a failure
 *
 * May sleep, but does not wait for the runs.
 *
 * Return: 0 if the runs have ended, or no acknowledgment was asked for; -EINPROGRESS if
 * the last responder to end now owns @answer and sends it; -ENOENT if the listener was
 * deleted before.
 */
int icb_listener_delete(struct icb_listener *listener,
			struct icb_answer *answer, struct icb_reason *why)
{
	bool later;

	if (!icb_listener_forget(listener))
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

/* Stops the runs of all listeners at once, so that they end at the same time. */
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
 * icb_listeners_orphan() - close the listeners of a closed socket
 * @owner: netlink port of the socket
 *
 * May sleep, but does not wait for the runs that they serve. Another socket may get this
 * port meanwhile: listeners that it makes after this call has begun are not affected.
 */
void icb_listeners_orphan(u32 owner)
{
	struct icb_listener *listener, *next;
	LIST_HEAD(orphans);

	icb_listeners_take_orphans(owner, &orphans);
	list_for_each_entry(listener, &orphans, orphan)
		stop_sessions(listener);
	list_for_each_entry_safe(listener, next, &orphans, orphan)
		icb_listener_drop(listener);
}

/**
 * icb_listeners_init() - set up the listeners
 * @serve: body of the thread of a peer's responder
 * @refused: called when a peer is refused, in process context
 *
 * Return: 0.
 */
int __init icb_listeners_init(int (*serve)(struct icb_job *job,
					   struct icb_reason *why),
			      void (*refused)(struct icb_listener *listener,
					      const char *peer,
					      const char *why))
{
	icb_listeners_report(refused);
	return icb_requests_init(serve);
}

/**
 * icb_listeners_exit() - close every listener and refuse new ones
 */
void icb_listeners_exit(void)
{
	struct icb_listener *listener;

	icb_listeners_forbid();
	stop_all();
	/* icb_jobs_exit() waits for the responders */
	while ((listener = icb_listener_next(0))) {
		icb_listener_delete(listener, NULL, NULL);
		icb_listener_put(listener);
	}
}
