// SPDX-License-Identifier: GPL-2.0
#include <linux/jiffies.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/sched/signal.h>
#include <linux/workqueue.h>
#include <net/ipv6.h>
#include <rdma/ib_addr.h>
#include <rdma/ib_cm.h>
#include <rdma/ib_verbs.h>

#include "conn.h"
#include "device.h"
#include "host/abort.h"
#include "host/cause.h"
#include "name.h"
#include "route.h"
#include "ticket.h"

/*
 * Connection retries: some devices take 7 as "retry for ever". A receiver that is not
 * ready is retried after 80 us.
 */
#define RETRIES		6
#define RNR_RETRIES	7

/* Most outstanding reads and atomics; capped by what both devices support. */
#define MAX_READS	U8_MAX
#define RNR_TIMER	IB_RNR_TIMER_000_08

/**
 * icb_conn_jiffies() - convert a time limit for icb_abort_wait()
 * @ns: the limit, ns
 *
 * Return: jiffies, rounded up.
 */
unsigned long icb_conn_jiffies(u64 ns)
{
	return nsecs_to_jiffies(ns) + 1;
}

/*
 * Serializes the destruction of connections while nothing can be sent. The connection
 * manager's first datagram that cannot be sent brings rxe's QP 1 to the error state. A
 * second datagram posted meanwhile never completes, so the connection manager, and with
 * it the removal of the device, would wait for ever.
 */
static DEFINE_MUTEX(destroy_lock);

static void advance(struct icb_conn *conn, enum icb_conn_state state)
{
	/* a reader of the new state sees all earlier writes; see wait_state() */
	smp_store_release(&conn->state, state);
	wake_up_all(&conn->abort->wait);
}

/* No listener accepts connections at the peer's port. */
static const char nobody[] =
	"the peer does not accept connections at this port (%s); run icbenchctl serve on the peer";

static void rejected(struct icb_conn *conn, const struct rdma_cm_event *event)
{
	const struct icb_wire_reject *reject;
	struct icb_reason why;
	u8 len;

	reject = rdma_consumer_reject_data(conn->id, (struct rdma_cm_event *)event,
					   &len);
	if (reject && len >= sizeof(*reject) &&
	    le32_to_cpu(reject->magic) == ICB_WIRE_MAGIC) {
		icb_wire_words(&why, "refused by the peer: ", reject->words);
		/* a peer with a control connection reports the cause over it */
		if (conn->follows)
			icb_abort_connection_lost(conn->abort, -ECONNREFUSED, "%s", why.text);
		else
			icb_abort_run(conn->abort, -ECONNREFUSED, "%s", why.text);
		return;
	}
	/* siw may notice that the peer closes before it reads the peer's reply */
	if (event->status == -ECONNRESET)
		icb_abort_run(conn->abort, -ECONNREFUSED,
			      "the peer closed the connection instead of answering: it refused, and its icbenchctl serve prints the reason, or it does not listen on this port");
	else
		icb_abort_run(conn->abort, -ECONNREFUSED, nobody,
			      rdma_reject_msg(conn->id, event->status));
}

static void established(struct icb_conn *conn,
			const struct rdma_conn_param *param)
{
	const struct icb_wire_welcome *welcome = param->private_data;

	if (welcome && param->private_data_len >= sizeof(*welcome)) {
		conn->welcome = *welcome;
		conn->welcomed = le32_to_cpu(welcome->magic) == ICB_WIRE_MAGIC &&
				 !welcome->reserved;
	}
	advance(conn, ICB_CONN_ESTABLISHED);
}

static void disconnected(struct icb_conn *conn)
{
	WRITE_ONCE(conn->gone, true);
	wake_up_all(&conn->abort->wait);
	if (!READ_ONCE(conn->closing))
		icb_abort_connection_lost(conn->abort, -ECONNRESET,
					  "the peer closed the connection");
}

static void not_reached(struct icb_conn *conn, const struct rdma_cm_event *event)
{
	char doubt[ICB_ROUTE_WORDS];

	if (event->event == RDMA_CM_EVENT_ADDR_ERROR &&
	    event->status == -ETIMEDOUT &&
	    time_before(jiffies, conn->resolve_deadline)) {
		advance(conn, ICB_CONN_RESOLVE_TIMEOUT);
		return;
	}
	icb_route_diagnose(conn->id, doubt);
	icb_abort_connection_lost(conn->abort, -EHOSTUNREACH,
				  "%pISpc cannot be reached: %s, %s (%d)%s",
		     &conn->id->route.addr.dst_addr,
		     rdma_event_msg(event->event),
		     *doubt && event->status == -ETIMEDOUT ? "no answer" :
		     icb_cause_of_route(event->status), event->status, doubt);
}

static int conn_event(struct rdma_cm_id *id, struct rdma_cm_event *event)
{
	struct icb_conn *conn = id->context;

	switch (event->event) {
	case RDMA_CM_EVENT_ADDR_RESOLVED:
		if (!conn->source.abort)
			icb_source_watch(&conn->source, id, conn->abort);
		advance(conn, ICB_CONN_ADDRESS);
		break;
	case RDMA_CM_EVENT_ROUTE_RESOLVED:
		advance(conn, ICB_CONN_ROUTE);
		break;
	case RDMA_CM_EVENT_ESTABLISHED:
		established(conn, &event->param.conn);
		break;
	case RDMA_CM_EVENT_REJECTED:
		/* the peer ended before it was notified that it is connected */
		if (icb_conn_connected(conn))
			disconnected(conn);
		else
			rejected(conn, event);
		break;
	case RDMA_CM_EVENT_ADDR_ERROR:
	case RDMA_CM_EVENT_ROUTE_ERROR:
	case RDMA_CM_EVENT_UNREACHABLE:
	case RDMA_CM_EVENT_CONNECT_ERROR:
		not_reached(conn, event);
		break;
	case RDMA_CM_EVENT_DISCONNECTED:
		disconnected(conn);
		break;
	case RDMA_CM_EVENT_DEVICE_REMOVAL:
		icb_abort_run(conn->abort, -ENODEV, "the device was removed");
		break;
	case RDMA_CM_EVENT_ADDR_CHANGE:
		icb_abort_run(conn->abort, -ENETDOWN,
			      "the address moved to another device");
		break;
	default:
		break;
	}
	return 0;
}

static int timed_out(const struct icb_conn *conn, const char *what,
		     struct icb_reason *why)
{
	char doubt[ICB_ROUTE_WORDS];

	return icb_refuse(why, -ETIMEDOUT,
			  "%pISpc does not answer: %s took longer than timeout%s",
			  &conn->id->route.addr.dst_addr, what,
			  icb_route_diagnose(conn->id, doubt));
}

static int wait_state(struct icb_conn *conn, enum icb_conn_state state,
		      const char *what, u64 timeout, struct icb_reason *why)
{
	int err;

	/* ORDER: the acquire makes writes before the state visible, see advance() */
	if (icb_abort_wait(conn->abort, smp_load_acquire(&conn->state) == state,
			   icb_conn_jiffies(timeout)))
		return 0;
	err = icb_abort_check(conn->abort, why);
	return err ? : timed_out(conn, what, why);
}

/*
 * Time for one attempt to resolve an address. The connection manager looks the route up
 * once per attempt, and not again while no answer arrives. A new attempt loses an answer
 * that is still under way, for example from a resolver in user space.
 */
#define RESOLVE_NS	(400 * NSEC_PER_MSEC)

static int ask(struct icb_conn *conn, struct sockaddr *dst,
	       struct icb_reason *why)
{
	u64 left = jiffies_to_nsecs(icb_abort_left(conn->resolve_deadline));
	u64 timeout = clamp_t(u64, left, NSEC_PER_MSEC, conn->patience);
	int err = rdma_resolve_addr(conn->id, NULL, dst,
				    div_u64(timeout, NSEC_PER_MSEC));

	return err ? icb_refuse(why, err,
				"%pISpc cannot be reached from here: %s (%d)",
				dst, icb_cause_of_route(err), err) : 0;
}

/* Why the local address of rdma_bind_addr() cannot be used. */
static const char *unusable(int err)
{
	switch (err) {
	case -ENODEV:
		return "no RDMA device has it";
	case -EADDRNOTAVAIL:
		return "no RDMA device has it, or all of its ports are in use";
	case -EINVAL:
		return "it lacks its interface, as in ADDRESS%%INTERFACE";
	default:
		return icb_cause_of_route(err);
	}
}

/**
 * icb_conn_check_gid() - check that connections support the GID of the local address
 * @id: the identifier, bound to a device
 * @key: name of the parameter that gave the address
 * @why: reason of a refusal
 *
 * With a larger GID index the connection manager refuses outgoing requests without a
 * reason, and incoming messages are lost.
 *
 * Return: 0; -EINVAL.
 */
int icb_conn_check_gid(const struct rdma_cm_id *id, const char *key,
		       struct icb_reason *why)
{
	const struct ib_gid_attr *attr = id->route.addr.dev_addr.sgid_attr;

	if (!attr || attr->index <= ICB_CONN_MAX_GID)
		return 0;
	return icb_refuse(why, -EINVAL,
			  "%s: the own address %pISc is GID %u of %s, and connections can use GIDs 0 to %u; accepted: another address, or fewer addresses",
			  key, &id->route.addr.src_addr, attr->index,
			  icb_device_name(id->device), ICB_CONN_MAX_GID);
}

/* Once bound, the side is notified when the device or the address is removed. */
static int bind_source(struct icb_conn *conn, struct sockaddr *src,
		       struct icb_reason *why)
{
	int err = rdma_bind_addr(conn->id, src);

	if (!err)
		err = icb_conn_check_gid(conn->id, "device", why);
	else
		icb_refuse(why, err,
			   "the own address %pISc cannot be used: %s (%d)", src,
			   unusable(err), err);
	if (err)
		return err;
	icb_source_watch(&conn->source, conn->id, conn->abort);
	return 0;
}

/**
 * icb_conn_open() - create an end that will request a connection
 * @conn: the end to set up
 * @abort: abort state of the side that @conn belongs to
 * @type: type of its QP
 * @src: local address to use; AF_UNSPEC to leave the choice to the route
 * @why: reason of a failure
 *
 * With @src, @conn->id is bound to its device afterwards, as icb_conn_hold() needs. The
 * next step is icb_conn_ask(). icb_conn_free() undoes this, also after a failure. May
 * sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_conn_open(struct icb_conn *conn, struct icb_abort *abort,
		  enum ib_qp_type type, struct sockaddr *src,
		  struct icb_reason *why)
{
	struct rdma_cm_id *id;

	conn->abort = abort;
	conn->reads_in = MAX_READS;
	conn->reads_out = MAX_READS;
	id = rdma_create_id(&init_net, conn_event, conn, RDMA_PS_TCP, type);
	if (IS_ERR(id))
		return icb_refuse(why, PTR_ERR(id),
				  "the connection manager cannot create an identifier: %s (%ld)",
				  icb_cause_of_device(PTR_ERR(id)), PTR_ERR(id));
	conn->id = id;
	return src->sa_family ? bind_source(conn, src, why) : 0;
}

/**
 * icb_conn_ask() - begin to resolve an address
 * @conn: a connection after icb_conn_open()
 * @dst: the address to resolve
 * @timeout: ns
 * @why: reason of a failure
 *
 * The next step is icb_conn_route().
 *
 * Return: 0; a negative error number.
 */
int icb_conn_ask(struct icb_conn *conn, struct sockaddr *dst, u64 timeout,
		 struct icb_reason *why)
{
	conn->resolve_deadline = jiffies + icb_conn_jiffies(timeout);
	conn->patience = RESOLVE_NS;
	return ask(conn, dst, why);
}

/**
 * icb_conn_hold() - take a hold on the device and port of a connection
 * @conn: a connection after icb_conn_open(), or a requested one
 * @hold: the hold to make; unchanged if it is taken already, or @conn has no device yet
 * @why: reason of a failure
 *
 * The side ends when the device is removed or the port goes down. May sleep. Undone by
 * icb_device_release() after @conn is freed.
 *
 * Return: 0; -ENODEV if the device is being removed, -ENETDOWN if the port is down;
 * another error number.
 */
int icb_conn_hold(const struct icb_conn *conn, struct icb_hold *hold,
		  struct icb_reason *why)
{
	const struct rdma_cm_id *id = conn->id;
	int err = 0;

	if (id->device && !hold->dev)
		err = icb_device_hold(id->device, id->port_num, hold,
				      conn->abort);
	switch (err) {
	case 0:
		return 0;
	case -ENODEV:
		return icb_refuse(why, err, "the device was removed");
	case -ENETDOWN:
		return icb_refuse(why, err, "the port of the device went down");
	default:
		return icb_refuse(why, err,
				  "the device does not report whether its port is up: %s (%d)",
				  icb_cause_of_device(err), err);
	}
}

static bool has_new_state(const struct icb_conn *conn)
{
	/* ORDER: the acquire makes writes before the state visible, see advance() */
	return smp_load_acquire(&conn->state) != ICB_CONN_IDLE;
}

/* Interface index that a link-local address names; 0 for none. */
static int scope_of(const struct sockaddr_storage *addr)
{
	const struct sockaddr_in6 *sin6 = (const void *)addr;

	return addr->ss_family == AF_INET6 &&
	       ipv6_addr_type(&sin6->sin6_addr) & IPV6_ADDR_LINKLOCAL ?
		sin6->sin6_scope_id : 0;
}

/* Forgets the interface that the last lookup found, unless the address names it. */
static void resolve_addr_again(struct icb_conn *conn)
{
	struct rdma_addr *addr = &conn->id->route.addr;
	struct sockaddr_storage dst = addr->dst_addr;
	struct icb_reason why;
	int err;

	WRITE_ONCE(conn->state, ICB_CONN_IDLE);
	/* a bound end is notified of what ends its run, so an attempt may take longer */
	if (conn->id->device)
		conn->patience *= 2;
	else
		addr->dev_addr.bound_dev_if = scope_of(&dst);
	err = ask(conn, (struct sockaddr *)&dst, &why);
	/* the removal or loss of an interface is reported, but may be reported later */
	if (err)
		icb_abort_connection_lost(conn->abort, err, "%s", why.text);
}

/**
 * icb_conn_addressed() - wait until the address is resolved
 * @conn: a connection after icb_conn_ask()
 * @timeout: ns
 * @why: reason of a failure
 *
 * The next step is icb_conn_route(). May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_conn_addressed(struct icb_conn *conn, u64 timeout,
		       struct icb_reason *why)
{
	unsigned long until = jiffies + icb_conn_jiffies(timeout);
	int err;

	while (icb_abort_wait(conn->abort, has_new_state(conn), icb_abort_left(until)) &&
	       conn->state == ICB_CONN_RESOLVE_TIMEOUT)
		resolve_addr_again(conn);
	err = wait_state(conn, ICB_CONN_ADDRESS, "resolving the address", 0,
			 why);
	return err ? : icb_conn_check_gid(conn->id, "peer", why);
}

/* Explains an -EINVAL of rdma_resolve_route(). */
static bool has_small_mtu(const struct rdma_cm_id *id, struct icb_reason *why)
{
	const struct net_device *ndev;
	bool small;

	rcu_read_lock();
	ndev = dev_get_by_index_rcu(&init_net,
				    id->route.addr.dev_addr.bound_dev_if);
	small = ndev && rdma_protocol_roce(id->device, id->port_num) &&
		!iboe_get_mtu(ndev->mtu);
	if (small)
		icb_refuse(why, -EINVAL,
			   "the MTU of %s, %u, is too small for the smallest path MTU of %s, 256 bytes; set a larger one: ip link set dev %s mtu 1500",
			   ndev->name, ndev->mtu, icb_device_name(id->device),
			   ndev->name);
	rcu_read_unlock();
	return small;
}

/**
 * icb_conn_route() - wait for the address, then begin to resolve the route
 * @conn: a connection after icb_conn_ask()
 * @timeout: limit for each of the two steps, ns
 * @why: reason of a failure
 *
 * The next step is icb_conn_routed(). May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_conn_route(struct icb_conn *conn, u64 timeout, struct icb_reason *why)
{
	int err = icb_conn_addressed(conn, timeout, why);

	if (err)
		return err;
	err = rdma_resolve_route(conn->id, div_u64(timeout, NSEC_PER_MSEC));
	if (err == -EINVAL && has_small_mtu(conn->id, why))
		return err;
	if (err)
		return icb_refuse(why, err, "no route to %pISpc: %s (%d)",
				  &conn->id->route.addr.dst_addr,
				  icb_cause_of_route(err), err);
	return 0;
}

/**
 * icb_conn_routed() - wait until the route is resolved
 * @conn: a connection after icb_conn_route()
 * @timeout: ns
 * @why: reason of a failure
 *
 * Afterwards @conn->id is bound to a device, and a QP can be created. May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_conn_routed(struct icb_conn *conn, u64 timeout,
		    struct icb_reason *why)
{
	return wait_state(conn, ICB_CONN_ROUTE, "resolving the route", timeout,
			  why);
}

/**
 * icb_conn_mtu() - the path MTU of a connection
 * @conn: a connection with a resolved route
 *
 * Return: bytes; 0 if there is no path record, as with iWARP.
 */
u32 icb_conn_mtu(const struct icb_conn *conn)
{
	const struct sa_path_rec *path = conn->id->route.path_rec;

	return path ? ib_mtu_enum_to_int(path->mtu) : 0;
}

/**
 * icb_conn_set_mtu() - request a path MTU
 * @conn: a connection with a resolved route, not connected yet
 * @mtu: bytes, a power of two
 * @why: reason of a refusal
 *
 * The connection request carries the MTU to the peer.
 *
 * Return: 0; -EOPNOTSUPP.
 */
int icb_conn_set_mtu(struct icb_conn *conn, u32 mtu, struct icb_reason *why)
{
	u32 most = icb_conn_mtu(conn);

	if (!most)
		return icb_refuse(why, -EOPNOTSUPP,
				  "mtu: not with iWARP, whose segments are TCP's");
	if (mtu > most)
		return icb_refuse(why, -EOPNOTSUPP,
				  "mtu: %u is too large for the path; accepted: 256 to %u, the limit by the MTU of its interface",
				  mtu, most);
	conn->id->route.path_rec->mtu = ib_mtu_int_to_enum(mtu);
	return 0;
}

static void fill_param(struct icb_conn *conn, struct rdma_conn_param *param,
		       const void *data, size_t len)
{
	const struct ib_device_attr *attr = &conn->id->device->attrs;

	memset(param, 0, sizeof(*param));
	param->private_data = data;
	param->private_data_len = len;
	/* without acknowledgments there are no reads, no atomics and no retries */
	if (conn->id->qp_type != IB_QPT_RC)
		return;
	param->responder_resources = min_t(int, attr->max_qp_rd_atom,
					   conn->reads_in);
	param->initiator_depth = min_t(int, attr->max_qp_init_rd_atom,
				       conn->reads_out);
	param->retry_count = RETRIES;
	/* unlimited: the run's own timeout ends the retries */
	param->rnr_retry_count = RNR_RETRIES;
	/* devices without a configurable RNR timer keep their own */
	rdma_set_min_rnr_timer(conn->id, RNR_TIMER);
}

/* Interval between checks of a thread that waits in rdma_connect(). */
#define LOOK_JIFFIES	(HZ / 20)

/**
 * struct connect_watchdog - supervision of a thread that waits in rdma_connect()
 * @look: work that checks whether the thread is to stop waiting
 * @task: the thread
 * @slept: true if @task slept at the last check
 * @abort: abort state of the side that @task belongs to
 * @until: deadline, jiffies
 */
struct connect_watchdog {
	struct delayed_work look;
	struct task_struct *task;
	bool slept;
	struct icb_abort *abort;
	unsigned long until;
};

static bool connect_gave_up(const struct connect_watchdog *watchdog)
{
	return READ_ONCE(watchdog->abort->over) ||
	       time_after_eq(jiffies, watchdog->until);
}

/*
 * A signal that arrives before the call has begun to wait does not end it sooner. The
 * call connects, then fails, and the connection breaks before the peer's siw has accepted
 * it. The peer's siw takes this for the end of its listener, and taking the listener down
 * then uses freed memory (seen in siw_destroy_listen() of Linux 6.1, by KASAN, with a
 * panic after it). So the signal is sent only if the thread slept at two successive
 * checks: then its request is unanswered.
 */
static void connect_watchdog_check(struct work_struct *work)
{
	struct connect_watchdog *watchdog = container_of(to_delayed_work(work),
							 struct connect_watchdog, look);
	bool sleeps = READ_ONCE(watchdog->task->__state) & TASK_INTERRUPTIBLE;

	if (connect_gave_up(watchdog) && sleeps && watchdog->slept)
		send_sig(SIGTERM, watchdog->task, 1);
	watchdog->slept = sleeps;
	schedule_delayed_work(&watchdog->look, LOOK_JIFFIES);
}

/*
 * siw connects with TCP's own blocking call. TCP retries a peer that does not answer for
 * two minutes, and a signal ends the call.
 */
static int connect_watched(struct icb_conn *conn, struct rdma_conn_param *param,
			   u64 timeout, struct icb_reason *why)
{
	struct connect_watchdog watchdog = {
		.task = current,
		.abort = conn->abort,
		.until = jiffies + icb_conn_jiffies(timeout),
	};
	int err, over;

	INIT_DELAYED_WORK_ONSTACK(&watchdog.look, connect_watchdog_check);
	allow_signal(SIGTERM);
	schedule_delayed_work(&watchdog.look, LOOK_JIFFIES);
	err = rdma_connect(conn->id, param);
	cancel_delayed_work_sync(&watchdog.look);
	destroy_delayed_work_on_stack(&watchdog.look);
	disallow_signal(SIGTERM);
	flush_signals(current);
	if (!err)
		return 0;
	over = icb_abort_check(conn->abort, why);
	if (over)
		return over;
	if (connect_gave_up(&watchdog))
		return timed_out(conn, "connecting", why);
	if (err == -ECONNREFUSED)
		return icb_refuse(why, err, nobody, "refused by its host");
	return icb_refuse(why, err, "%pISpc cannot be reached: %s (%d)",
			  &conn->id->route.addr.dst_addr, icb_cause_of_route(err), err);
}

/**
 * icb_conn_request() - request a connection, with a QP created on @conn->id
 * @conn: a connection with a resolved route
 * @kind: purpose of the connection
 * @ticket: shows that the connection belongs to its run; must outlive @conn
 * @qp: index of the QP among those of its kind
 * @timeout: ns; used if the device waits here (iWARP), else see icb_conn_established()
 * @why: reason of a failure
 *
 * May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_conn_request(struct icb_conn *conn, enum icb_wire_kind kind,
		     struct icb_ticket *ticket, u32 qp, u64 timeout,
		     struct icb_reason *why)
{
	struct icb_wire_hello hello;
	struct rdma_conn_param param;
	int err;

	icb_ticket_write(ticket, kind, qp, &hello);
	conn->ticket = ticket;
	conn->follows = kind != ICB_WIRE_CONTROL;
	fill_param(conn, &param, &hello, sizeof(hello));
	if (rdma_protocol_iwarp(conn->id->device, conn->id->port_num))
		return connect_watched(conn, &param, timeout, why);
	err = rdma_connect(conn->id, &param);
	return err ? icb_refuse(why, err, "connecting to %pISpc failed: %s (%d)",
				&conn->id->route.addr.dst_addr,
				icb_cause_of_device(err), err) : 0;
}

/**
 * icb_conn_established() - wait until a connection is established
 * @conn: a connection after icb_conn_request()
 * @timeout: ns
 * @why: reason of a failure
 *
 * May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_conn_established(struct icb_conn *conn, u64 timeout,
			 struct icb_reason *why)
{
	return wait_state(conn, ICB_CONN_ESTABLISHED, "connecting", timeout,
			  why);
}

/**
 * icb_conn_connect() - request a connection and wait until it is established
 * @conn: a connection with a resolved route and a QP created on @conn->id
 * @kind: purpose of the connection
 * @ticket: as for icb_conn_request()
 * @qp: as for icb_conn_request()
 * @timeout: ns
 * @why: reason of a failure
 *
 * May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_conn_connect(struct icb_conn *conn, enum icb_wire_kind kind,
		     struct icb_ticket *ticket, u32 qp, u64 timeout,
		     struct icb_reason *why)
{
	int err = icb_conn_request(conn, kind, ticket, qp, timeout, why);

	return err ? : icb_conn_established(conn, timeout, why);
}

/**
 * icb_conn_adopt() - take over a connection request, in the listener's event handler
 * @conn: the end to set up
 * @abort: abort state of the side that @conn belongs to
 * @id: identifier of the request; the event handler returns 0 afterwards
 * @event: the request
 */
void icb_conn_adopt(struct icb_conn *conn, struct icb_abort *abort,
		    struct rdma_cm_id *id, const struct rdma_cm_event *event)
{
	conn->abort = abort;
	conn->reads_in = event->param.conn.responder_resources;
	conn->reads_out = event->param.conn.initiator_depth;
	conn->id = id;
	conn->asked = true;
	id->context = conn;
	id->event_handler = conn_event;
	icb_source_watch(&conn->source, id, abort);
	advance(conn, ICB_CONN_REQUESTED);
}

/**
 * icb_conn_disown() - undo icb_conn_adopt(), in the same event handler
 * @conn: the connection, without a QP so far
 *
 * The handler then refuses the request; the connection manager destroys its identifier.
 */
void icb_conn_disown(struct icb_conn *conn)
{
	icb_source_forget(&conn->source);
	conn->state = ICB_CONN_IDLE;
	conn->asked = false;
	conn->id = NULL;
}

/**
 * icb_conn_accept() - accept a request, with a QP created on @conn->id
 * @conn: an adopted connection
 * @welcome: private data of the reply, magic included; NULL for none
 * @why: reason of a failure
 *
 * From now on messages can be sent and received. The event that the peer is notified need
 * not be awaited: its datagram may be lost, and is requested again only after seconds.
 * May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_conn_accept(struct icb_conn *conn,
		    const struct icb_wire_welcome *welcome,
		    struct icb_reason *why)
{
	struct rdma_conn_param param;
	int err;

	fill_param(conn, &param, welcome, welcome ? sizeof(*welcome) : 0);
	/* no event of this connection may be handled meanwhile */
	rdma_lock_handler(conn->id);
	err = rdma_accept(conn->id, &param);
	WRITE_ONCE(conn->state, err ? ICB_CONN_IDLE : ICB_CONN_ACCEPTED);
	rdma_unlock_handler(conn->id);
	return err ? icb_refuse(why, err, "accepting failed: %s (%d)",
				icb_cause_of_device(err), err) : 0;
}

/**
 * icb_conn_reject() - reject a request and give a reason
 * @id: identifier of the request
 * @err: negative error number
 * @words: the reason
 *
 * Return: 0; a negative error number.
 */
int icb_conn_reject(struct rdma_cm_id *id, int err, const char *words)
{
	struct icb_wire_reject reject = {
		.magic = cpu_to_le32(ICB_WIRE_MAGIC),
		.error = cpu_to_le32(-err),
	};

	icb_wire_say(reject.words, words);
	return rdma_reject(id, &reject, sizeof(reject),
			   IB_CM_REJ_CONSUMER_DEFINED);
}

/**
 * icb_conn_connected() - check whether there is, or was, a connection to undo
 * @conn: the connection
 *
 * Return: true if its QP has to be drained.
 */
bool icb_conn_connected(const struct icb_conn *conn)
{
	return conn->id && READ_ONCE(conn->state) >= ICB_CONN_ACCEPTED;
}

/* True if this end can send nothing any more. */
static bool is_down(const struct icb_conn *conn)
{
	return icb_source_lost(&conn->source) ||
	       (conn->id->device &&
		icb_device_down(conn->id->device, conn->id->port_num));
}

/**
 * icb_conn_close() - begin to disconnect
 * @conn: the connection, in any state
 *
 * The QP enters the error state, and the peer is notified. If the port is down or the
 * local address is gone, only icb_conn_free() notifies the peer. May sleep.
 */
void icb_conn_close(struct icb_conn *conn)
{
	struct ib_qp_attr attr = { .qp_state = IB_QPS_ERR };

	WRITE_ONCE(conn->closing, true);
	if (!icb_conn_connected(conn))
		return;
	if (!is_down(conn))
		rdma_disconnect(conn->id);
	else if (conn->id->qp)
		ib_modify_qp(conn->id->qp, &attr, IB_QP_STATE);
}

/**
 * icb_conn_wait_gone() - wait until the peer has disconnected, too
 * @conn: a connection after icb_conn_close()
 * @timeout: ns
 * @why: reason of a failure
 *
 * May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_conn_wait_gone(struct icb_conn *conn, u64 timeout,
		       struct icb_reason *why)
{
	int err;

	if (icb_abort_wait(conn->abort, READ_ONCE(conn->gone),
			   icb_conn_jiffies(timeout)))
		return 0;
	err = icb_abort_check(conn->abort, why);
	return err ? : timed_out(conn, "disconnecting", why);
}

/**
 * icb_conn_free() - free a connection
 * @conn: the connection; its QP is destroyed already
 *
 * When this returns, no event of the connection is handled any more, and @conn can be
 * used for another connection. May sleep; never called from an event handler.
 */
void icb_conn_free(struct icb_conn *conn)
{
	bool down;

	if (!conn->id)
		return;
	down = is_down(conn);
	if (down)
		mutex_lock(&destroy_lock);
	rdma_destroy_id(conn->id);
	if (down)
		mutex_unlock(&destroy_lock);
	icb_source_forget(&conn->source);
	conn->state = ICB_CONN_IDLE;
	conn->closing = false;
	conn->gone = false;
	conn->welcomed = false;
	conn->asked = false;
	/* @conn can be reused as soon as a reader sees NULL here */
	smp_store_release(&conn->id, NULL);
}

/**
 * icb_conn_hello() - read the private data of a connection request
 * @event: the request
 * @hello: takes the private data, in wire order
 *
 * Return: 0; -EPROTO if the request is not from icbench; -EPROTONOSUPPORT if it is from
 * another version of icbench.
 */
int icb_conn_hello(const struct rdma_cm_event *event,
		   struct icb_wire_hello *hello)
{
	const u8 *data = event->param.conn.private_data;
	size_t len = event->param.conn.private_data_len;

	/* another version may send a shorter hello */
	if (!data || len < offsetof(struct icb_wire_hello, kind))
		return -EPROTO;
	memset(hello, 0, sizeof(*hello));
	memcpy(hello, data, min(len, sizeof(*hello)));
	if (le32_to_cpu(hello->magic) != ICB_WIRE_MAGIC)
		return -EPROTO;
	if (le16_to_cpu(hello->version) != ICB_WIRE_VERSION)
		return -EPROTONOSUPPORT;
	return len < sizeof(*hello) || hello->reserved ||
	       memchr_inv(data + sizeof(*hello), 0, len - sizeof(*hello)) ?
		-EPROTO : 0;
}
