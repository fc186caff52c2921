// SPDX-License-Identifier: GPL-2.0
#include <linux/cpumask.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <net/ipv6.h>

#include "background.h"
#include "calls.h"
#include "cm/address.h"
#include "cm/device.h"
#include "cm/name.h"
#include "cm/route.h"
#include "engine/account.h"
#include "engine/message.h"
#include "engine/prepare.h"
#include "floor.h"
#include "group.h"
#include "host/poll.h"
#include "initiator.h"
#include "job.h"
#include "listener.h"
#include "listening.h"
#include "session/proposal.h"
#include "verbs/drain.h"
#include "verbs/qp.h"

static bool has_peer(const struct icb_params *params)
{
	return icb_params_has(params, ICBENCH_A_PARAMS_PEER);
}

static int gid_index(const struct icb_params *params)
{
	return icb_params_given(params, ICBENCH_A_PARAMS_GID_INDEX) ?
		(int)params->gid_index : ICB_ANY_GID;
}

static int check_cpu(const struct icb_params *params, unsigned int attr,
		     u32 cpu, struct icb_reason *why)
{
	if (!icb_params_given(params, attr) ||
	    (cpu < nr_cpu_ids && cpu_online(cpu)))
		return 0;
	return icb_refuse(why, -EINVAL,
			  "%s: CPU %u is not online; accepted: %*pbl",
			  icb_param_by_attr(attr)->name, cpu,
			  cpumask_pr_args(cpu_online_mask));
}

/* Finds the address of a named device; with a peer, one that reaches the peer. */
static int find_device(const struct icb_params *params, u32 index,
		       const struct sockaddr_storage *peer,
		       struct icb_address *address, struct icb_reason *why)
{
	char name[ICBENCH_MAX_NAME + 1];
	struct icb_device *dev;
	u32 port;
	int err;

	icb_params_device(params, index, name, &port);
	dev = icb_device_get(name);
	if (!dev)
		return icb_refuse(why, -ENODEV,
				  "device: no RDMA device %s; icbenchctl devices lists them",
				  name);
	err = icb_address_of(dev, port, gid_index(params), peer, address, why);
	icb_device_put(dev);
	return err;
}

/* Whether a device supports the run: devices that do not are left out of the choice. */
static bool supports_run(const struct ib_device *ibdev, u32 port, const void *data)
{
	const struct icb_params *params = data;

	if (!(icb_device_verbs(ibdev, port) & BIT(params->verb)))
		return false;
	return !rdma_protocol_iwarp(ibdev, port) ||
	       (params->transport == ICBENCH_TRANSPORT_RC &&
		!icb_params_has(params, ICBENCH_A_PARAMS_MTU));
}

/*
 * Finds this host's address if the parameters determine it; else leaves @address empty.
 */
static int find_source(const struct icb_params *params, u32 index,
		       const struct sockaddr_storage *peer,
		       struct icb_address *address, struct icb_reason *why)
{
	u32 port = icb_params_given(params, ICBENCH_A_PARAMS_PORT) ?
		params->port : 0;
	struct icb_device *dev;

	if (icb_params_given(params, ICBENCH_A_PARAMS_DEVICE))
		return find_device(params, index, peer, address, why);
	if (!has_peer(params) && gid_index(params) == ICB_ANY_GID) {
		dev = icb_address_any(port, supports_run, params, address, why);
		if (IS_ERR(dev))
			return PTR_ERR(dev);
		icb_device_put(dev);
		return 0;
	}
	if (port || gid_index(params) != ICB_ANY_GID)
		return icb_refuse(why, -EINVAL,
				  "device: needed with port or gid-index; icbenchctl devices lists them");
	return 0;
}

/* A single peer address applies to all devices. */
static int find_peer(const struct icb_params *params, u32 index,
		     struct sockaddr_storage *addr, struct icb_reason *why)
{
	const struct icb_param *peer = icb_param_by_attr(ICBENCH_A_PARAMS_PEER);
	char name[ICBENCH_MAX_NAME + 1];

	if (icb_params_names(params, peer) == 1)
		index = 0;
	icb_params_name(params, peer, index, name);
	return icb_address_read_peer(name, params->cm_port, addr, why);
}

/*
 * A link-local peer address without a scope gets the scope of the own address, if known.
 */
static void add_scope(struct sockaddr_storage *dst,
		      const struct sockaddr_storage *src)
{
	const struct sockaddr_in6 *own = (const void *)src;
	struct sockaddr_in6 *sin6 = (void *)dst;

	if (dst->ss_family == AF_INET6 && src->ss_family == AF_INET6 &&
	    ipv6_addr_type(&sin6->sin6_addr) & IPV6_ADDR_LINKLOCAL &&
	    !sin6->sin6_scope_id)
		sin6->sin6_scope_id = own->sin6_scope_id;
}

/*
 * Finds the source and the destination of each device; without a peer, both are its own.
 */
static int find_routes(const struct icb_params *params, struct icb_route *routes,
		       struct icb_reason *why)
{
	struct icb_address address;
	int err = 0;
	u32 i;

	for (i = 0; i < params->devices && !err; i++) {
		memset(&address, 0, sizeof(address));
		if (has_peer(params))
			err = find_peer(params, i, &routes[i].dst, why);
		if (!err)
			err = find_source(params, i, has_peer(params) ?
						  &routes[i].dst : NULL,
					  &address, why);
		routes[i].src = address.addr;
		if (has_peer(params))
			add_scope(&routes[i].dst, &routes[i].src);
		else
			routes[i].dst = address.addr;
	}
	return err;
}

static struct icb_route *new_routes(const struct icb_params *params,
				    struct icb_reason *why)
{
	struct icb_route *routes = kcalloc(params->devices, sizeof(*routes),
				       GFP_KERNEL);

	if (!routes)
		icb_refuse(why, -ENOMEM, "no memory");
	return routes;
}

/**
 * icb_initiator_check() - check that a run is possible on this machine now
 * @params: parameters that the rules accept
 * @why: the reason of a refusal
 *
 * May sleep.
 *
 * Return: 0; -EINVAL, -ENODEV, -ENOMEM or another error number, with a reason.
 */
int icb_initiator_check(const struct icb_params *params,
			struct icb_reason *why)
{
	struct icb_route *routes;
	int err, node;

	err = check_cpu(params, ICBENCH_A_PARAMS_CPU, params->cpu, why);
	if (!err && !has_peer(params))
		err = check_cpu(params, ICBENCH_A_PARAMS_PEER_CPU,
				params->peer_cpu, why);
	if (!err)
		err = icb_mem_place(params->memory, NULL, &node, why);
	if (!err)
		err = check_cpu(params, ICBENCH_A_PARAMS_SHADOW_CPU,
				params->shadow_cpu, why);
	if (err || icb_verb_of(params)->local)
		return err;
	routes = new_routes(params, why);
	if (!routes)
		return -ENOMEM;
	err = find_routes(params, routes, why);
	kfree(routes);
	return err;
}

/* With several devices, listens at all addresses instead of the first device's. */
static void listen_where(const struct icb_params *params,
			 const struct icb_route *routes,
			 struct sockaddr_storage *addr)
{
	*addr = routes->src;
	if (icb_params_rails(params) == 1)
		return;
	memset(addr, 0, sizeof(*addr));
	addr->ss_family = AF_INET6;
}

/* A run without a peer has its own listener on this host, which makes its responder. */
static int listen_to_self(struct icb_job *job, struct icb_route *routes,
			  struct icb_reason *why)
{
	const struct icb_params *params = &job->side.params;
	const struct icb_listener_limits limits = {
		.memory = U64_MAX,
		.qps = icb_params_total_qps(params) + icb_probe_qps(params),
	};
	struct icb_listener *listener;
	struct sockaddr_storage addr;
	u32 i;

	listen_where(params, routes, &addr);
	listener = icb_listener_new(&addr, &limits, job, why);
	if (IS_ERR(listener))
		return PTR_ERR(listener);
	job->listener = listener;
	/* sin_port and sin6_port have the same offset */
	for (i = 0; i < params->devices; i++)
		((struct sockaddr_in *)&routes[i].dst)->sin_port =
			((struct sockaddr_in *)&listener->addr)->sin_port;
	return 0;
}

static int resolve(struct icb_job *job, struct icb_conn *conn,
		   enum ib_qp_type type, struct icb_route *route,
		   struct icb_reason *why)
{
	struct icb_side *side = &job->side;
	u64 timeout = side->params.timeout;
	int err;

	err = icb_conn_open(conn, &side->abort, type,
			    (struct sockaddr *)&route->src, why);
	/* hold the device first: its removal ends the next step, which may take long */
	if (!err)
		err = icb_conn_hold(&side->control, &side->hold, why);
	if (!err)
		err = icb_conn_ask(conn, (struct sockaddr *)&route->dst, timeout,
				   why);
	if (!err)
		err = icb_conn_route(conn, timeout, why);
	/* the device may not have been known before */
	if (!err)
		err = icb_conn_hold(&side->control, &side->hold, why);
	return err ? : icb_conn_routed(conn, timeout, why);
}

/* Whether @cpu is the one whose thread watches for arrivals. */
static bool is_shadow(const struct icb_params *params, unsigned int cpu)
{
	return icb_params_has(params, ICBENCH_A_PARAMS_SHADOW_CPU) &&
	       params->shadow_cpu == cpu;
}

/* Returns @cpu, or the next CPU if @cpu watches for arrivals. */
static unsigned int avoid_shadow(const struct icb_params *params,
				 unsigned int cpu)
{
	return is_shadow(params, cpu) ? icb_device_next_cpu(cpu) : cpu;
}

static int check_shadow(const struct icb_params *params,
			struct icb_reason *why)
{
	if (!is_shadow(params, params->cpu) &&
	    (has_peer(params) || !is_shadow(params, params->peer_cpu)))
		return 0;
	return icb_refuse(why, -EINVAL,
			  "shadow-cpu: %u is a CPU of the run; accepted: another one that is online",
			  params->shadow_cpu);
}

static void complete_device(struct icb_params *params,
			    const struct rdma_cm_id *id)
{
	const struct ib_gid_attr *gid = id->route.addr.dev_addr.sgid_attr;

	if (gid)
		icb_params_preset(params, ICBENCH_A_PARAMS_GID_INDEX,
				  gid->index);
	icb_params_preset(params, ICBENCH_A_PARAMS_PORT, id->port_num);
	strscpy(params->device, icb_device_name(id->device),
		sizeof(params->device));
	params->set |= BIT_ULL(ICBENCH_A_PARAMS_DEVICE);
}

/*
 * Spins for as long as it takes to sleep and to be woken, which is two switches. Whenever
 * the event arrives, spinning for that long loses no more time than sleeping.
 */
static u64 default_spin(const struct icb_params *params)
{
	u64 wake = icb_floor_wake(params->cpu, params->priority);

	return clamp_t(u64, 2 * wake, NSEC_PER_USEC, ICBENCH_MAX_SPIN);
}

/* Workers are spread over the CPUs. */
static unsigned int default_cpu(const struct icb_job *job)
{
	const struct icb_params *params = &job->side.params;

	return icb_device_nth_cpu(job->side.control.id->device, job->worker,
				  has_peer(params) ? 1 :
				  icb_device_cpus_each(params->workers));
}

/* With fewer than two CPUs for each worker, one thread drives both sides. */
static unsigned int default_peer_cpu(const struct icb_params *params)
{
	if (icb_device_cpus_each(params->workers) == 1)
		return params->cpu;
	return avoid_shadow(params, icb_device_next_cpu(params->cpu));
}

/* Fills in the parameters that were not given and that depend on this machine. */
static int complete_params(struct icb_job *job, struct icb_reason *why)
{
	struct icb_params *params = &job->side.params;
	const struct rdma_cm_id *id = job->side.control.id;
	const struct ib_gid_attr *gid = id->route.addr.dev_addr.sgid_attr;

	if (gid && gid_index(params) != ICB_ANY_GID &&
	    gid->index != gid_index(params))
		return icb_refuse(why, -EOPNOTSUPP,
				  "gid-index: the connection manager uses GID %u for this address, not %u; accepted: %u",
				  gid->index, params->gid_index, gid->index);
	if (params->devices == 1)
		complete_device(params, id);
	if (!icb_params_has(params, ICBENCH_A_PARAMS_MTU) &&
	    icb_conn_mtu(&job->side.control))
		icb_params_preset(params, ICBENCH_A_PARAMS_MTU,
				  icb_conn_mtu(&job->side.control));
	if (!icb_params_has(params, ICBENCH_A_PARAMS_CPU))
		icb_params_preset(params, ICBENCH_A_PARAMS_CPU,
				  avoid_shadow(params,
					       default_cpu(job)));
	if (!has_peer(params) &&
	    !icb_params_has(params, ICBENCH_A_PARAMS_PEER_CPU))
		icb_params_preset(params, ICBENCH_A_PARAMS_PEER_CPU,
				  default_peer_cpu(params));
	job->side.cpu = params->cpu;
	if (params->completion == ICBENCH_COMPLETION_ADAPTIVE &&
	    !icb_params_has(params, ICBENCH_A_PARAMS_SPIN))
		icb_params_preset(params, ICBENCH_A_PARAMS_SPIN,
				  default_spin(params));
	return check_shadow(params, why);
}

static bool driven_by_callbacks(const struct icb_params *params)
{
	return BIT(params->completion) & ICB_COMPLETIONS_CALLBACK;
}

/*
 * One thread drives both sides if both would spin on one CPU. In other modes each side
 * needs its own thread: a sleeping thread is woken by another one.
 */
static bool one_thread(const struct icb_params *params)
{
	return !has_peer(params) && params->cpu == params->peer_cpu &&
	       !icb_params_passive(params) &&
	       (BIT(params->completion) & ICB_COMPLETIONS_BUSY);
}

static unsigned int count_threads(const struct icb_params *params)
{
	if (driven_by_callbacks(params))
		return 0;
	if (has_peer(params) || icb_params_passive(params))
		return 1;
	return one_thread(params) ? 1 : 2;
}

/* Fills in the ticket, which shows that a further connection belongs to this run. */
static void take_ticket(struct icb_job *job, u64 cookie)
{
	struct icb_side *side = &job->side;

	job->ticket.cookie = cookie;
	job->ticket.token = side->params.token;
	job->ticket.token_len = side->params.token_len;
	memcpy(job->ticket.nonce, side->control.welcome.nonce,
	       ICB_WIRE_NONCE);
}

static int propose(struct icb_job *job, struct icb_reason *why)
{
	struct icb_side *side = &job->side;
	struct icb_params *params = &side->params;
	struct icb_wire_propose *msg;
	struct icb_wire_answer answer;
	int err;

	if (!side->control.welcomed)
		return icb_refuse(why, -EPROTO, "the peer is not icbench");
	msg = kzalloc(sizeof(*msg), GFP_KERNEL);
	if (!msg)
		return icb_refuse(why, -ENOMEM, "no memory for a message");
	icb_proposal_write(msg, params);
	msg->worker = cpu_to_le32(job->worker);
	/* the MAC covers the head, which icb_chan_send() fills in only later */
	msg->head.magic = cpu_to_le32(ICB_WIRE_MAGIC);
	msg->head.type = cpu_to_le16(ICB_WIRE_PROPOSE);
	msg->head.len = cpu_to_le16(sizeof(*msg));
	if (params->token_len)
		icb_proposal_sign(msg, side->control.welcome.nonce,
				  params->token, params->token_len, msg->mac);
	err = icb_chan_send(&side->chan, ICB_WIRE_PROPOSE, msg, sizeof(*msg),
			    params->timeout, why);
	kfree_sensitive(msg);
	if (!err)
		err = icb_chan_recv(&side->chan, ICB_WIRE_ANSWER, &answer,
				    sizeof(answer), params->timeout, why);
	if (err)
		return err;
	if (answer.error) {
		icb_wire_words(why, has_peer(params) ?
					"refused by the peer: " : "",
			       answer.words);
		return -ECONNREFUSED;
	}
	if (le32_to_cpu(answer.cpu) > ICBENCH_MAX_CPU)
		return icb_refuse(why, -EPROTO, "the peer sent a malformed message");
	icb_params_preset(params, ICBENCH_A_PARAMS_PEER_CPU,
			  le32_to_cpu(answer.cpu));
	take_ticket(job, le64_to_cpu(answer.cookie));
	return 0;
}

/* Records the CPUs of the run and measures how busy the other CPUs are before it. */
static void watch_cpus(struct icb_side *side)
{
	struct icb_run *run = &side->run;

	run->both = !has_peer(&side->params) ||
		icb_route_is_own((struct sockaddr *)&side->control.id->route.addr.dst_addr);
	run->cpu[0] = side->params.cpu;
	run->cpu[1] = has_peer(&side->params) ? side->params.cpu :
						side->params.peer_cpu;
	icb_background_measure(side);
}

/* Makes the control connection and agrees on the run with the responder. */
static int agree(struct icb_job *job, struct icb_route *routes, struct icb_reason *why)
{
	struct icb_side *side = &job->side;
	int err;

	if (!has_peer(&side->params)) {
		err = listen_to_self(job, routes, why);
		if (err)
			return err;
		job->ticket.cookie = job->listener->secret;
	}
	icb_job_set_remote(job, (struct sockaddr *)&routes->dst);
	err = resolve(job, &side->control, IB_QPT_RC, routes, why);
	if (!err)
		err = complete_params(job, why);
	if (!err)
		watch_cpus(side);
	if (!err)
		err = icb_side_open(side, why);
	if (err)
		return err;
	job->threads = count_threads(&side->params);
	err = icb_conn_connect(&side->control, ICB_WIRE_CONTROL, &job->ticket,
			       0, side->params.timeout, why);
	return err ? : propose(job, why);
}

static u32 asked_mtu(const struct icb_params *params)
{
	return icb_params_has(params, ICBENCH_A_PARAMS_MTU) ? params->mtu : 0;
}

static int resolve_data(struct icb_job *job, struct icb_route *routes,
			struct icb_reason *why)
{
	struct icb_side *side = &job->side;
	int err;

	err = resolve(job, &side->data, icb_ep_type(&side->params), routes, why);
	if (err)
		return err;
	if (side->data.id->device != side->control.id->device)
		return icb_refuse(why, -EHOSTUNREACH,
				  "the route moved to another device");
	return icb_params_has(&side->params, ICBENCH_A_PARAMS_MTU) ?
		icb_conn_set_mtu(&side->data, side->params.mtu, why) : 0;
}

static int connect_data(struct icb_job *job, struct icb_route *routes,
			struct icb_reason *why)
{
	struct icb_side *side = &job->side;
	u64 timeout = side->params.timeout;
	int err;

	err = icb_conn_connect(&side->data, ICB_WIRE_DATA, &job->ticket, 0,
			       timeout, why);
	return err ? : icb_bundle_connect(&side->bundle, &side->ep,
					  &side->data, routes,
					  asked_mtu(&side->params), timeout,
					  why);
}

/* Makes the data connections, if any, and all else that the first message needs. */
static int get_ready(struct icb_job *job, struct icb_route *routes,
		     struct icb_reason *why)
{
	struct icb_side *side = &job->side;
	bool connects = !icb_params_datagrams(&side->params);
	u64 timeout = side->params.timeout;
	int err;

	side->run.verb = icb_verb_of(&side->params);
	err = icb_side_alloc_qps(side, why);
	if (!err && connects)
		err = resolve_data(job, routes, why);
	if (!err)
		err = icb_ep_create(&side->ep, icb_side_data(side), side->pd,
				    &side->params, side->cpu, false, why);
	if (!err && side->run.verb->calls && icb_calls_new(&side->ep))
		err = icb_refuse(why, -ENOMEM, "no memory for timed calls");
	if (!err)
		icb_params_preset(&side->params, ICBENCH_A_PARAMS_MAX_SGES,
				  max(side->ep.sges.send, side->ep.sges.recv));
	if (!err && connects)
		err = connect_data(job, routes, why);
	if (!err)
		err = icb_side_register(side, timeout, why);
	if (err)
		return err;
	icb_run_prepare(&side->run, true);
	/* the peer may start its stream as soon as it receives READY */
	WRITE_ONCE(side->ep.consumer, &side->run.consumer);
	/* READY starts the peer's stream: wait for the group first */
	err = icb_group_wait(job, why);
	if (!err)
		err = icb_side_send_ready(side, timeout, why);
	return err ? : icb_side_recv_ready(side, timeout, why);
}

static int drive(struct icb_job *job, struct icb_reason *why)
{
	struct icb_side *side = &job->side;
	const bool one = one_thread(&side->params);
	struct icb_job *responder = NULL;
	int err = 0;

	if (one || (side->run.disturbed && job->threads == 2))
		responder = icb_listener_responder(job->listener);
	if (one) {
		if (responder)
			err = icb_job_take(responder, job);
		if (!responder || err) {
			icb_job_put(responder);
			return icb_refuse(why, -ECONNRESET,
					  "the responder has ended");
		}
	}
	if (side->run.disturbed)
		icb_disturb_join(&side->run.disturb,
				 responder && !one ? responder->side.task : NULL,
				 side->params.cpu, side->params.peer_cpu);
	if (icb_params_has(&side->params, ICBENCH_A_PARAMS_SHADOW_CPU))
		err = icb_shadow_start(&side->ep.own.shadow, &side->pins,
				       side->params.shadow_cpu, why);
	icb_keepalive_enable(side, icb_params_passive(&side->params));
	if (!err)
		err = icb_side_drive(side, side->run.ops->run, why);
	icb_keepalive_enable(side, false);
	/* no callback of the run uses the shadow now: the run is over or stopped */
	icb_shadow_stop(&side->ep.own.shadow);
	if (one)
		icb_job_release(responder);
	icb_disturb_part(&side->run.disturb);
	icb_job_put(responder);
	return err;
}

/* Fields that do not apply to the run have to be 0. */
static bool is_malformed(const struct icb_params *params,
			 const struct icb_wire_report *report)
{
	bool streams = icb_params_waits_own(params, false);
	bool lossy = icb_params_lossy(params);

	if (!streams && (report->done || report->elapsed))
		return true;
	if (!icb_params_steady(params) &&
	    (report->even || report->even_ns || report->before))
		return true;
	if (!icb_params_peer_batches(params) && report->batches)
		return true;
	if (!(lossy && icb_params_windowed(params)) && report->delivered)
		return true;
	if (!(lossy && params->size_dist != ICBENCH_SIZE_DIST_FIXED) &&
	    report->bytes)
		return true;
	if (!icb_params_steps(params) &&
	    (report->longest || report->slow || report->middle))
		return true;
	if (!icb_params_returns(params) && (report->sent || report->counted))
		return true;
	return !lossy && report->foreign;
}

/*
 * Only bounds the number of operations that the peer measured, since this side does not
 * see all of them: no side measures more than one per ns.
 */
static bool is_implausible(u64 done, u64 since)
{
	return done > ktime_get_ns() - since;
}

/*
 * Takes the steady part of the peer's stream, and the batches of the rate that the peer has
 * measured. Returns false if they are not parts of what it reports in all.
 */
static bool take_parts(struct icb_run *run, const struct icb_wire_report *report,
		       u64 since)
{
	bool streams = icb_params_waits_own(run->params, false);
	u64 over = le64_to_cpu(streams ? report->done : report->delivered);
	u64 under = streams ? le64_to_cpu(report->elapsed) :
			      ktime_get_ns() - since;
	struct icb_means *means = &run->peer_means;
	u32 i;

	run->peer_even = le64_to_cpu(report->even);
	run->peer_even_ns = le64_to_cpu(report->even_ns);
	run->peer_before = le64_to_cpu(report->before);
	means->count = le32_to_cpu(report->batches);
	if (run->peer_even > over || run->peer_even_ns > under ||
	    !run->peer_even != !run->peer_even_ns ||
	    run->peer_before > over - run->peer_even ||
	    (run->peer_before && !run->peer_even) ||
	    means->count > ICB_WIRE_BATCHES)
		return false;
	for (i = 0; i < ICB_WIRE_BATCHES; i++) {
		means->over[i] = le64_to_cpu(report->batch[i].over);
		means->under[i] = le64_to_cpu(report->batch[i].under);
		if (i >= means->count && (means->over[i] || means->under[i]))
			return false;
	}
	return icb_means_plausible(means, over, under);
}

/* How long to wait for the last messages of the peer's stream if they may be lost. */
#define LATE_JIFFIES	(HZ / 2)

/* Count the messages that have arrived. Returns true if no more are to be waited for. */
static bool has_caught_up(struct icb_side *side, u64 owed)
{
	icb_run_catch_up(&side->run);
	return READ_ONCE(side->run.seen) >= owed || READ_ONCE(side->abort.over);
}

/*
 * The last messages of the peer's stream may arrive after its report, which uses another
 * connection, or may be lost. Messages that cannot be lost are waited for until timeout.
 */
static void catch_up(struct icb_side *side, u64 owed)
{
	unsigned long until = jiffies +
		(icb_params_lossy(&side->params) ? LATE_JIFFIES :
		 icb_conn_jiffies(side->params.timeout));

	icb_poll_until(has_caught_up(side, owed), until, 100, 200);
	WRITE_ONCE(side->run.consumer.listens, false);
}

/* Compares the peer's account of its stream with what this side has received. */
static int account_peer_stream(struct icb_side *side,
			       const struct icb_wire_report *report,
			struct icb_reason *why)
{
	const struct icb_returns told = {
		.sent = le64_to_cpu(report->sent),
		.counted = le64_to_cpu(report->counted),
		.done = le64_to_cpu(report->done),
	};

	catch_up(side, icb_run_owed(&side->run, &told));
	return icb_run_account_back(&side->run, &told, why);
}

/*
 * Whether a sample above the threshold has ended a stream, which has sent fewer messages.
 */
static bool is_short(const struct icb_run *run)
{
	return run->beyond.number && icb_params_windowed(run->params);
}

/* Compares what this side has sent with what the responder reports to have received. */
static int compare(struct icb_job *job, u64 since, struct icb_reason *why)
{
	struct icb_side *side = &job->side;
	const struct icb_params *params = &side->params;
	u64 sent = icb_run_sent(&side->run);
	struct icb_wire_end end = {
		.sent = cpu_to_le64(sent),
		.complete = cpu_to_le32(!side->stop && !is_short(&side->run)),
	};
	struct icb_wire_report report;
	struct icb_delivery delivery;
	int err;

	if (side->stop)
		icb_ep_settle(&side->ep);
	/* once it has sent its report, the responder may close both connections */
	icb_side_allow_close(side);
	err = icb_chan_send(&side->chan, ICB_WIRE_END, &end, sizeof(end),
			    side->params.timeout, why);
	if (!err)
		err = icb_chan_recv(&side->chan, ICB_WIRE_REPORT, &report,
				    sizeof(report), side->params.timeout, why);
	if (err)
		return err;
	if (is_malformed(params, &report) ||
	    !take_parts(&side->run, &report, since))
		return icb_refuse(why, -EPROTO, "the peer sent a malformed message");
	if (is_implausible(le64_to_cpu(report.done), since))
		return icb_refuse(why, -EBADMSG,
				  "the peer reports that it measured %llu operations, more than the time allowed",
				  le64_to_cpu(report.done));
	side->run.peer_done = le64_to_cpu(report.done);
	side->run.peer_elapsed = le64_to_cpu(report.elapsed);
	side->run.peer_foreign = le64_to_cpu(report.foreign);
	if (report.error) {
		icb_wire_words(why, "at the responder: ", report.words);
		return -EBADMSG;
	}
	delivery.count = le64_to_cpu(report.delivered);
	delivery.bytes = le64_to_cpu(report.bytes);
	delivery.longest = le64_to_cpu(report.longest);
	delivery.slow = le64_to_cpu(report.slow);
	delivery.middle = le64_to_cpu(report.middle);
	if (!side->stop || icb_params_lossy(params))
		err = icb_run_account(&side->run, sent,
				      le64_to_cpu(report.seen), &delivery, why);
	if (!err && icb_params_returns(params) &&
	    (!side->stop || icb_params_lossy(params)))
		err = account_peer_stream(side, &report, why);
	if (err || side->stop)
		return err;
	if (icb_params_waits_own(params, false) &&
	    (!report.done || !report.elapsed))
		return icb_refuse(why, -ENODATA,
				  "the peer was still warming up at the end: it needs more iterations, or less warmup");
	return icb_run_check_last(&side->run, why);
}

static int initiate(struct icb_job *job, struct icb_route *routes,
		    struct icb_reason *why)
{
	u64 since = ktime_get_ns();
	int err;

	err = find_routes(&job->side.params, routes, why);
	if (!err)
		err = agree(job, routes, why);
	if (!err)
		err = get_ready(job, routes, why);
	if (err)
		return err;
	icb_job_enter(job, ICBENCH_JOB_STATE_MEASURING);
	err = drive(job, why);
	icb_job_enter(job, ICBENCH_JOB_STATE_DRAINING);
	return err ? : compare(job, since, why);
}

/**
 * icb_initiate() - run the script of an initiator
 * @job: job made by job-new
 * @why: the reason of a failure
 *
 * Return: 0; a negative error number.
 */
int icb_initiate(struct icb_job *job, struct icb_reason *why)
{
	struct icb_route *routes = new_routes(&job->side.params, why);
	int err;

	if (!routes)
		return -ENOMEM;
	err = icb_side_cause(&job->side, initiate(job, routes, why), why);
	WRITE_ONCE(job->side.run.consumer.listens, false);
	icb_group_end(job, err, why);
	icb_side_close(&job->side, err, why);
	if (job->listener)
		icb_listener_close(job->listener);
	job->listener = NULL;
	kfree(routes);
	return err;
}
