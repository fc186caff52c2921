// SPDX-License-Identifier: GPL-2.0
#include <linux/cpumask.h>
#include <linux/inet.h>
#include <linux/slab.h>

#include "device.h"
#include "initiator.h"
#include "job.h"
#include "listener.h"
#include "proposal.h"

/**
 * struct way - where a run goes
 * @src: the own address; its family is 0 where the route decides
 * @dst: the responder's address
 */
struct way {
	struct icb_address src;
	struct sockaddr_storage dst;
};

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

/* The device's own address, as far as the parameters tell which device. */
static int find_source(const struct icb_params *params,
		       struct icb_address *address, struct icb_reason *why)
{
	bool named = icb_params_given(params, ICBENCH_A_PARAMS_DEVICE);
	u32 port = icb_params_given(params, ICBENCH_A_PARAMS_PORT) ?
		params->port : 0;
	struct icb_device *dev;
	int err = 0;

	if (!named && !has_peer(params) && gid_index(params) == ICB_ANY_GID) {
		dev = icb_device_any(port, address, why);
		if (IS_ERR(dev))
			return PTR_ERR(dev);
		icb_device_put(dev);
		return 0;
	}
	if (!named) {
		if (port || gid_index(params) != ICB_ANY_GID)
			return icb_refuse(why, -EINVAL,
					  "device: needed with port or gid-index; icbenchctl devices lists them");
		return 0;
	}
	dev = icb_device_get(params->device);
	if (!dev)
		return icb_refuse(why, -ENODEV,
				  "device: no RDMA device %s; icbenchctl devices lists them",
				  params->device);
	err = icb_device_address(dev, port, gid_index(params), address, why);
	icb_device_put(dev);
	return err;
}

static int find_peer(const struct icb_params *params,
		     struct sockaddr_storage *addr, struct icb_reason *why)
{
	char port[8];

	snprintf(port, sizeof(port), "%u", params->cm_port);
	if (inet_pton_with_scope(&init_net, AF_UNSPEC, params->peer, port,
				 addr))
		return icb_refuse(why, -EINVAL,
				  "peer: %s is not a numeric address; accepted: IPv4, IPv6, IPv6%%interface",
				  params->peer);
	return 0;
}

static int find_way(const struct icb_params *params, struct way *way,
		    struct icb_reason *why)
{
	int err;

	memset(way, 0, sizeof(*way));
	err = find_source(params, &way->src, why);
	if (!err && has_peer(params))
		err = find_peer(params, &way->dst, why);
	return err;
}

/**
 * icb_initiator_check() - whether a run is possible on this machine, now
 * @params: checked against the rules
 * @why: the reason of a refusal
 *
 * May sleep.
 *
 * Return: 0; -EINVAL, -ENODEV, -ENOMEM with a reason.
 */
int icb_initiator_check(const struct icb_params *params,
			struct icb_reason *why)
{
	struct way *way;
	int err;

	err = check_cpu(params, ICBENCH_A_PARAMS_CPU, params->cpu, why);
	if (!err && !has_peer(params))
		err = check_cpu(params, ICBENCH_A_PARAMS_PEER_CPU,
				params->peer_cpu, why);
	if (err || icb_verb_of(params)->local)
		return err;
	way = kmalloc(sizeof(*way), GFP_KERNEL);
	if (!way)
		return icb_refuse(why, -ENOMEM, "no memory");
	err = find_way(params, way, why);
	kfree(way);
	return err;
}

/* A run of this host with itself has a listener, and so a responder, of its own. */
static int listen_to_self(struct icb_job *job, struct way *way,
			  struct icb_reason *why)
{
	const struct icb_listener_limits limits = {
		.memory = U64_MAX,
		.qps = job->side.params.qps +
		       icb_probe_qps(&job->side.params),
	};
	struct icb_listener *listener;

	listener = icb_listener_new(&way->src.addr, &limits, job, why);
	if (IS_ERR(listener))
		return PTR_ERR(listener);
	job->listener = listener;
	way->dst = job->listener->addr;
	return 0;
}

static int resolve(struct icb_job *job, struct icb_conn *conn,
		   struct way *way, struct icb_reason *why)
{
	struct sockaddr *src = NULL;

	if (way->src.addr.ss_family)
		src = (struct sockaddr *)&way->src.addr;
	return icb_conn_resolve(conn, &job->side.life, src,
				(struct sockaddr *)&way->dst,
				job->side.params.timeout, why);
}

/* What the machine decides where nobody else has. */
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
	if (gid)
		icb_params_preset(params, ICBENCH_A_PARAMS_GID_INDEX,
				  gid->index);
	icb_params_preset(params, ICBENCH_A_PARAMS_PORT, id->port_num);
	strscpy(params->device, dev_name(&id->device->dev),
		sizeof(params->device));
	params->set |= BIT_ULL(ICBENCH_A_PARAMS_DEVICE);
	if (!icb_params_has(params, ICBENCH_A_PARAMS_MTU) &&
	    icb_conn_mtu(&job->side.control))
		icb_params_preset(params, ICBENCH_A_PARAMS_MTU,
				  icb_conn_mtu(&job->side.control));
	if (!icb_params_has(params, ICBENCH_A_PARAMS_CPU))
		icb_params_preset(params, ICBENCH_A_PARAMS_CPU,
				  icb_device_cpu(id->device));
	if (!has_peer(params) &&
	    !icb_params_has(params, ICBENCH_A_PARAMS_PEER_CPU))
		icb_params_preset(params, ICBENCH_A_PARAMS_PEER_CPU,
				  icb_device_next_cpu(params->cpu));
	job->side.cpu = params->cpu;
	return 0;
}

static bool driven_by_callbacks(const struct icb_params *params)
{
	return BIT(params->completion) & ICB_COMPLETIONS_CALLBACK;
}

/*
 * One thread for both sides where both would spin on one CPU. A thread that
 * sleeps needs another one that wakes it, or nothing would ever sleep.
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

static int propose(struct icb_job *job, struct icb_reason *why)
{
	struct icb_side *side = &job->side;
	struct icb_params *params = &side->params;
	struct icb_wire_propose *msg;
	struct icb_wire_answer answer;
	int err;

	if (!side->control.welcomed)
		return icb_refuse(why, -EPROTO, "the peer is not of icbench");
	msg = kzalloc(sizeof(*msg), GFP_KERNEL);
	if (!msg)
		return icb_refuse(why, -ENOMEM, "no memory for a message");
	icb_proposal_write(msg, params);
	/* the MAC covers the head as it is received */
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
	job->cookie = le64_to_cpu(answer.cookie);
	return 0;
}

/* From nothing to an agreement over the control connection. */
static int agree(struct icb_job *job, struct way *way, struct icb_reason *why)
{
	struct icb_side *side = &job->side;
	u64 secret = 0;
	int err;

	if (!has_peer(&side->params)) {
		err = listen_to_self(job, way, why);
		if (err)
			return err;
		secret = job->listener->secret;
	}
	icb_job_aim(job, (struct sockaddr *)&way->dst);
	err = resolve(job, &side->control, way, why);
	if (!err)
		err = complete_params(job, why);
	if (!err)
		err = icb_side_open(side, why);
	if (err)
		return err;
	job->threads = count_threads(&side->params);
	err = icb_conn_connect(&side->control, ICB_WIRE_CONTROL, secret,
			       side->params.timeout, why);
	return err ? : propose(job, why);
}

static u32 asked_mtu(const struct icb_params *params)
{
	return icb_params_has(params, ICBENCH_A_PARAMS_MTU) ? params->mtu : 0;
}

/* The data connections, up to where the first message may go. */
static int get_ready(struct icb_job *job, struct way *way,
		     struct icb_reason *why)
{
	struct icb_side *side = &job->side;
	u64 timeout = side->params.timeout;
	struct icb_wire_ready ready = {};
	int err;

	side->run.verb = icb_verb_of(&side->params);
	err = icb_side_flows(side, why);
	if (!err)
		err = resolve(job, &side->data, way, why);
	if (!err && side->data.id->device != side->control.id->device)
		err = icb_refuse(why, -EHOSTUNREACH,
				 "the route moved to another device");
	if (!err && icb_params_has(&side->params, ICBENCH_A_PARAMS_MTU))
		err = icb_conn_set_mtu(&side->data, side->params.mtu, why);
	if (!err)
		err = icb_ep_create(&side->ep, &side->data, side->pd,
				    &side->params, side->cpu, false, why);
	if (!err)
		icb_params_preset(&side->params, ICBENCH_A_PARAMS_MAX_SGES,
				  max(side->ep.send_sges, side->ep.recv_sges));
	if (!err)
		err = icb_conn_connect(&side->data, ICB_WIRE_DATA, job->cookie,
				       timeout, why);
	if (!err)
		err = icb_bundle_connect(&side->bundle, &side->ep, &side->data,
					 asked_mtu(&side->params), timeout,
					 why);
	if (!err)
		err = icb_ep_register(&side->ep, side->params.verb, &ready,
				      timeout, why);
	if (err)
		return err;
	icb_run_prepare(&side->run, true);
	/* a stream of the other side may come as soon as it is told */
	WRITE_ONCE(side->ep.run, &side->run);
	err = icb_chan_send(&side->chan, ICB_WIRE_READY, &ready, sizeof(ready),
			    timeout, why);
	if (!err)
		err = icb_chan_recv(&side->chan, ICB_WIRE_READY, &ready,
				    sizeof(ready), timeout, why);
	return err ? : icb_ep_target(&side->ep, &ready, why);
}

static int drive(struct icb_job *job, struct icb_reason *why)
{
	struct icb_side *side = &job->side;
	struct icb_job *responder = NULL;
	int err = 0;

	if (one_thread(&side->params)) {
		responder = icb_listener_responder(job->listener);
		if (responder)
			err = icb_job_take(responder, job);
		if (!responder || err) {
			icb_job_put(responder);
			return icb_refuse(why, -ECONNRESET,
					  "the responder has ended");
		}
	}
	icb_side_tells(side, icb_params_passive(&side->params));
	err = icb_side_drive(side, side->run.ops->run, why);
	icb_side_tells(side, false);
	if (responder)
		icb_job_release(responder);
	icb_job_put(responder);
	return err;
}

/* The responder tells whether all that was sent has arrived as it was sent. */
static int compare(struct icb_job *job, struct icb_reason *why)
{
	struct icb_side *side = &job->side;
	u64 sent = icb_run_sent(&side->run);
	struct icb_wire_end end = {
		.sent = cpu_to_le64(sent),
		.complete = cpu_to_le32(!side->stop),
	};
	struct icb_wire_report report;
	int err;

	if (side->stop)
		icb_ep_settle(&side->ep);
	/* with its report the responder is free to close both connections */
	icb_side_may_end(side);
	err = icb_chan_send(&side->chan, ICB_WIRE_END, &end, sizeof(end),
			    side->params.timeout, why);
	if (!err)
		err = icb_chan_recv(&side->chan, ICB_WIRE_REPORT, &report,
				    sizeof(report), side->params.timeout, why);
	if (err)
		return err;
	if (report.reserved)
		return icb_refuse(why, -EPROTO, "the peer sent a malformed message");
	if (icb_params_waits_own(&side->params, false)) {
		side->run.peer_done = le64_to_cpu(report.done);
		side->run.peer_elapsed = le64_to_cpu(report.elapsed);
	} else if (report.done || report.elapsed) {
		return icb_refuse(why, -EPROTO, "the peer sent a malformed message");
	}
	if (report.error) {
		icb_wire_words(why, "at the responder: ", report.words);
		return -EBADMSG;
	}
	if (side->stop)
		return 0;
	if (icb_params_waits_own(&side->params, false) &&
	    !side->run.peer_elapsed)
		return icb_refuse(why, -ENODATA,
				  "the peer was still warming up at the end: it needs more iterations, or less warmup");
	if (le64_to_cpu(report.seen) != sent)
		return icb_refuse(why, -EBADMSG,
				  "%llu messages were sent, the peer reports %llu",
				  sent, le64_to_cpu(report.seen));
	return icb_run_check_last(&side->run, why);
}

static int initiate(struct icb_job *job, struct way *way,
		    struct icb_reason *why)
{
	int err;

	err = find_way(&job->side.params, way, why);
	if (!err)
		err = agree(job, way, why);
	if (!err)
		err = get_ready(job, way, why);
	if (err)
		return err;
	icb_job_enter(job, ICBENCH_JOB_STATE_MEASURING);
	err = drive(job, why);
	icb_job_enter(job, ICBENCH_JOB_STATE_DRAINING);
	return err ? : compare(job, why);
}

/**
 * icb_initiate() - the script of an initiator
 * @job: made by job-new
 * @why: the reason of a failure
 *
 * Return: 0; a negative error number.
 */
int icb_initiate(struct icb_job *job, struct icb_reason *why)
{
	struct way *way = kzalloc(sizeof(*way), GFP_KERNEL);
	int err;

	if (!way)
		return icb_refuse(why, -ENOMEM, "no memory");
	err = initiate(job, way, why);
	icb_side_close(&job->side, err, why);
	if (job->listener)
		icb_listener_close(job->listener);
	job->listener = NULL;
	kfree(way);
	return err;
}
