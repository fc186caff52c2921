// SPDX-License-Identifier: GPL-2.0
#include <crypto/algapi.h>
#include <linux/cpumask.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <net/ipv6.h>

#include "cm/device.h"
#include "compat.h"
#include "engine/account.h"
#include "engine/message.h"
#include "engine/prepare.h"
#include "host/clock.h"
#include "host/poll.h"
#include "job.h"
#include "listener.h"
#include "responder.h"
#include "session/proposal.h"
#include "verbs/drain.h"
#include "verbs/footprint.h"
#include "verbs/limits.h"
#include "verbs/mr.h"

/*
 * Limit for each step before the run, a matter of milliseconds whatever the timeout is.
 */
#define STEP_TIMEOUT	(10 * NSEC_PER_SEC)

/*
 * Limit for the proposal. A peer that wants a run proposes at once, or as soon as the
 * connection manager has resent a lost message, which it does after 4.3 s.
 */
#define FIRST_TIMEOUT	(6 * NSEC_PER_SEC)

/* How long to wait for the last messages of a run if they may be lost. */
#define LATE_JIFFIES	(HZ / 2)

static bool from_here(const struct rdma_cm_id *id)
{
	const struct sockaddr_storage *src = &id->route.addr.src_addr;
	const struct sockaddr_storage *dst = &id->route.addr.dst_addr;

	if (src->ss_family != dst->ss_family)
		return false;
	if (src->ss_family == AF_INET)
		return ((const struct sockaddr_in *)src)->sin_addr.s_addr ==
		       ((const struct sockaddr_in *)dst)->sin_addr.s_addr;
	return !ipv6_addr_cmp(&((const struct sockaddr_in6 *)src)->sin6_addr,
			      &((const struct sockaddr_in6 *)dst)->sin6_addr);
}

static int choose_cpu(struct icb_job *job, struct icb_reason *why)
{
	struct icb_side *side = &job->side;
	u32 cpu = side->params.peer_cpu, each = 1;

	if (!icb_params_has(&side->params, ICBENCH_A_PARAMS_PEER_CPU)) {
		if (from_here(side->control.id))
			each = icb_device_cpus_each(side->params.workers);
		side->cpu = icb_device_nth_cpu(side->control.id->device,
					       job->worker, each);
		/* two polling threads of one host must not share a CPU */
		if (each > 1)
			side->cpu = icb_device_next_cpu(side->cpu);
		return 0;
	}
	if (cpu >= nr_cpu_ids || !cpu_online(cpu))
		return icb_refuse(why, -EINVAL,
				  "peer-cpu: CPU %u is not online at the responder; accepted: %*pbl",
				  cpu, cpumask_pr_args(cpu_online_mask));
	side->cpu = cpu;
	return 0;
}

/* Checks whether a proposed run is granted: token, rules, limits, in this order. */
static int check_proposal(struct icb_job *job, const struct icb_wire_propose *msg,
			  const u8 *nonce, struct icb_reason *why)
{
	const struct icb_listener_limits *limits = &job->listener->limits;
	struct icb_side *side = &job->side;
	struct icb_params *params = &job->side.params;
	u8 mac[ICB_WIRE_MAC];
	int err, node;

	if (limits->token_len) {
		icb_proposal_sign(msg, nonce, limits->token,
				  limits->token_len, mac);
		if (crypto_memneq(mac, msg->mac, sizeof(mac)))
			return icb_refuse(why, -EACCES,
					  "token: the responder requires a token, and this one differs");
	}
	err = icb_proposal_read(msg, params, why);
	/* restart the peer's time: from here on, delays are not the peer's */
	if (!err)
		icb_listener_restart_timer(job);
	/* any peer may keep the host busy, but only with the token take it over */
	if (!err && !limits->token_len && !job->listener->initiator &&
	    params->priority != ICBENCH_PRIORITY_NORMAL)
		err = icb_refuse(why, -EACCES,
				 "priority: the responder grants %s only to a peer that has its token; accepted: normal",
				 icb_params_word(params,
						 ICBENCH_A_PARAMS_PRIORITY));
	if (!err && !limits->token_len && !job->listener->initiator &&
	    icb_params_given(params, ICBENCH_A_PARAMS_CPU_LATENCY_QOS))
		err = icb_refuse(why, -EACCES,
				 "cpu-latency-qos: the responder grants it only to a peer that has its token; accepted: none");
	if (!err)
		err = icb_ep_check_sges(params, side->control.id->device, why);
	if (!err)
		err = icb_mem_place(params->memory, side->control.id->device,
				    &node, why);
	job->worker = le32_to_cpu(msg->worker);
	if (!err)
		err = choose_cpu(job, why);
	if (!err)
		err = icb_listener_reserve(job->listener, job,
					   icb_ep_footprint(params, true),
					   icb_params_total_qps(params) +
						icb_probe_qps(params),
					   why);
	if (!err)
		err = icb_job_accept(job, why);
	if (!err)
		err = icb_side_alloc_qps(side, why);
	if (!err)
		err = icb_side_steps(side, why);
	params->timeout = min_t(u64, params->timeout, ICB_MAX_SILENCE);
	if (!err)
		icb_listener_accepted(job->listener);
	return err;
}

static int answer(struct icb_job *job, int err, struct icb_reason *why)
{
	struct icb_side *side = &job->side;
	struct icb_wire_answer msg = {
		.error = cpu_to_le32(-err),
		.cpu = cpu_to_le32(side->cpu),
		.cookie = cpu_to_le64(err ? 0 : job->ticket.cookie),
	};
	struct icb_reason ignored;

	if (err)
		icb_wire_say(msg.words, why->text);
	return icb_chan_send(&side->chan, ICB_WIRE_ANSWER, &msg, sizeof(msg),
			     min_t(u64, side->params.timeout, STEP_TIMEOUT),
			     err ? &ignored : why);
}

/* Agrees on the run, up to the answer. A refused peer gets time to read the answer. */
static int agree(struct icb_job *job, struct icb_reason *why)
{
	struct icb_side *side = &job->side;
	struct icb_wire_welcome welcome = {
		.magic = cpu_to_le32(ICB_WIRE_MAGIC),
	};
	struct icb_wire_propose *propose;
	int err, told;

	get_random_bytes(welcome.nonce, sizeof(welcome.nonce));
	memcpy(job->ticket.nonce, welcome.nonce, sizeof(welcome.nonce));
	err = icb_side_open(side, why);
	if (!err)
		err = icb_conn_accept(&side->control, &welcome, why);
	if (err)
		return err;
	icb_listener_restart_timer(job);
	propose = kzalloc(sizeof(*propose), GFP_KERNEL);
	if (!propose)
		return icb_refuse(why, -ENOMEM, "no memory for a message");
	err = icb_chan_recv(&side->chan, ICB_WIRE_PROPOSE, propose,
			    sizeof(*propose), FIRST_TIMEOUT, why);
	if (!err) {
		err = check_proposal(job, propose, welcome.nonce, why);
		told = answer(job, err, why);
		if (err && !told)
			icb_abort_wait(&side->abort, false, HZ);
		err = err ? : told;
	}
	kfree_sensitive(propose);
	return err;
}

static bool wants_data(const struct icb_side *side)
{
	/* ORDER: pairs with advance() in cm/conn.c: @id is valid with this state */
	return smp_load_acquire(&side->data.state) == ICB_CONN_REQUESTED;
}

static int await_data(struct icb_side *side, u64 timeout,
		      struct icb_reason *why)
{
	int err;

	if (!icb_abort_wait(&side->abort, wants_data(side),
			    icb_conn_jiffies(timeout))) {
		err = icb_abort_check(&side->abort, why);
		return err ? : icb_refuse(why, -ETIMEDOUT,
					  "the peer made no data connection");
	}
	if (side->data.id->device != side->control.id->device)
		return icb_refuse(why, -EPROTO,
				  "the peer's connections arrived on two devices");
	return 0;
}

static int accept_data(struct icb_side *side, u64 timeout,
		       struct icb_reason *why)
{
	int err = icb_conn_accept(&side->data, NULL, why);

	return err ? : icb_bundle_accept(&side->bundle, &side->ep,
					 &side->abort, timeout, why);
}

/* Makes the data connections and all else that has to be there before messages arrive. */
static int get_ready(struct icb_job *job, struct icb_reason *why)
{
	struct icb_side *side = &job->side;
	bool connects = !icb_params_datagrams(&side->params);
	u64 timeout = min_t(u64, side->params.timeout, STEP_TIMEOUT);
	int err = 0;

	if (connects)
		err = await_data(side, timeout, why);
	if (!err)
		err = icb_ep_create(&side->ep, icb_side_data(side), side->pd,
				    &side->params, side->cpu, true, why);
	if (!err && connects)
		err = accept_data(side, timeout, why);
	if (!err)
		err = icb_side_recv_ready(side, timeout, why);
	if (!err)
		err = icb_side_register(side, timeout, why);
	if (err)
		return err;
	icb_run_prepare(&side->run, false);
	WRITE_ONCE(side->ep.consumer, &side->run.consumer);
	return icb_side_send_ready(side, timeout, why);
}

/* Count the messages that have arrived. Returns true if no more are to be waited for. */
static bool has_caught_up(struct icb_side *side, u64 sent)
{
	icb_run_catch_up(&side->run);
	return icb_run_seen(&side->run) >= sent || READ_ONCE(side->abort.over);
}

/*
 * END may overtake messages sent before it over another connection; over iWARP, many of
 * them. Messages that cannot be lost are waited for while the peer waits for the report.
 */
static u64 catch_up(struct icb_side *side, u64 sent)
{
	unsigned long until = jiffies +
		(icb_params_lossy(&side->params) ? LATE_JIFFIES :
		 icb_conn_jiffies(side->params.timeout) / 2);
	u64 seen;

	icb_poll_until(has_caught_up(side, sent), until, 100, 200);
	seen = icb_run_seen(&side->run);
	WRITE_ONCE(side->run.consumer.phase, ICB_PHASE_OVER);
	return seen;
}

/* Fills in what the responder has measured of its own stream. */
static void report_stream(const struct icb_run *run, struct icb_wire_report *msg)
{
	struct icb_steady_part even;

	msg->done = cpu_to_le64(run->done);
	msg->elapsed = cpu_to_le64(icb_clock_ns(run->ended - run->began));
	icb_steady_get(&run->steady, ICB_STEADY_TRAILING, &even);
	msg->even = cpu_to_le64(even.done);
	msg->even_ns = cpu_to_le64(icb_clock_ns(even.ticks));
	msg->before = cpu_to_le64(even.before);
}

/* Fills in the batches of a rate that only the responder knows. */
static void report_batches(const struct icb_run *run, struct icb_wire_report *msg)
{
	const struct icb_means *means = &run->means;
	u32 i;

	BUILD_BUG_ON(ARRAY_SIZE(msg->batch) != ICB_MEANS - 1);
	msg->batches = cpu_to_le32(means->count);
	for (i = 0; i < means->count; i++) {
		msg->batch[i].over = cpu_to_le64(means->over[i]);
		msg->batch[i].under = cpu_to_le64(means->under[i]);
	}
}

static int report(struct icb_job *job, struct icb_reason *why)
{
	struct icb_side *side = &job->side;
	struct icb_wire_report msg = {};
	struct icb_delivery delivery;
	struct icb_returns counts;
	struct icb_wire_end end;
	u64 seen, sent;
	int err, told;

	err = icb_chan_recv(&side->chan, ICB_WIRE_END, &end, sizeof(end),
			    side->params.timeout, why);
	if (err)
		return err;
	if (end.reserved || le32_to_cpu(end.complete) > 1)
		return icb_refuse(why, -EPROTO, "the peer sent a malformed message");
	sent = le64_to_cpu(end.sent);
	side->run.peer_sent = sent;
	seen = catch_up(side, sent);
	if (le32_to_cpu(end.complete))
		err = icb_run_check_last(&side->run, why);
	if (!err && le32_to_cpu(end.complete) && sent != seen &&
	    !icb_params_lossy(&side->params))
		err = icb_refuse(why, -EBADMSG,
				 "%llu messages were sent, %llu arrived", sent,
				 seen);
	/* no callback changes the counters after this: the report is final */
	icb_ep_settle(&side->ep);
	if (icb_params_waits_own(&side->params, false))
		report_stream(&side->run, &msg);
	if (icb_params_peer_batches(&side->params))
		report_batches(&side->run, &msg);
	if (icb_params_returns(&side->params)) {
		icb_run_counts(&side->run, &counts);
		msg.sent = cpu_to_le64(counts.sent);
		msg.counted = cpu_to_le64(counts.counted);
	}
	if (icb_params_lossy(&side->params)) {
		icb_run_delivery(&side->run, &delivery);
		msg.delivered = cpu_to_le64(delivery.count);
		msg.bytes = cpu_to_le64(delivery.bytes);
		msg.longest = cpu_to_le64(delivery.longest);
		msg.slow = cpu_to_le64(delivery.slow);
		msg.middle = cpu_to_le64(delivery.middle);
		msg.foreign = cpu_to_le64(side->run.foreign);
	}
	msg.seen = cpu_to_le64(seen);
	msg.error = cpu_to_le32(-err);
	if (err)
		icb_wire_say(msg.words, why->text);
	/* a peer that has the report may close before this send completes */
	icb_side_allow_close(side);
	icb_listener_seal(job);
	told = icb_chan_send(&side->chan, ICB_WIRE_REPORT, &msg, sizeof(msg),
			     side->params.timeout, why);
	/* messages that this side has streamed may still be on their way to the peer */
	if (told || !icb_params_returns(&side->params))
		return err ? : told;
	icb_ep_withdraw(&side->ep);
	icb_abort_wait(&side->abort, READ_ONCE(side->control.gone),
		       icb_params_lossy(&side->params) ? HZ :
		      icb_conn_jiffies(side->params.timeout));
	return err;
}

/* Whether the initiator is on this host and its only thread drives both sides. */
static bool driven(const struct icb_job *job)
{
	const struct icb_job *initiator = job->listener->initiator;

	return initiator && initiator->threads == 1;
}

/* The end of the run, or any message, even an unexpected one. */
static bool is_due(struct icb_side *side)
{
	return READ_ONCE(side->run.consumer.stop) || icb_chan_arrived(&side->chan);
}

/*
 * Waits until a run with a passive responder ends. The responder sees no messages, so the
 * peer reports progress by keepalives. icb_chan_recv() in report() handles any other
 * message.
 */
static int wait_passive(struct icb_side *side, struct icb_reason *why)
{
	struct icb_chan *chan = &side->chan;
	unsigned long timeout = icb_conn_jiffies(side->params.timeout);
	unsigned long left = timeout;
	int err;

	WRITE_ONCE(chan->heard, jiffies);
	for (;;) {
		icb_abort_wait(&side->abort,
			       is_due(side) || icb_probes_due(side->probe), left);
		if (READ_ONCE(side->abort.over) || is_due(side))
			return 0;
		err = icb_probes_serve(side->probe, side->pd, side->ep.scq,
				       why);
		if (err)
			return err;
		/* after a keepalive, the timeout starts anew */
		left = icb_abort_left(READ_ONCE(chan->heard) + timeout);
		if (!left)
			return icb_refuse(why, -ETIMEDOUT,
					  "the peer sent nothing for longer than timeout");
	}
}

/*
 * Before the side is taken down, waits until the initiator's thread, if it drives this
 * side, is done with it or does not begin.
 */
static void let_go(struct icb_job *job, int err, const struct icb_reason *why)
{
	struct icb_abort *abort = &job->side.abort;

	if (!driven(job) || icb_params_passive(&job->side.params))
		return;
	if (!READ_ONCE(abort->over))
		icb_abort_run(abort, err, "%s", why->text);
	icb_job_wait_driven(job);
}

static int respond(struct icb_job *job, struct icb_reason *why)
{
	struct icb_side *side = &job->side;
	int err;

	err = agree(job, why);
	if (err) {
		icb_listener_turn_away(job->listener, job->target, why->text);
		return err;
	}
	side->run.verb = icb_verb_of(&side->params);
	err = get_ready(job, why);
	if (err) {
		/* the peer may have received the last message, and may begin */
		let_go(job, err, why);
		return err;
	}
	icb_job_enter(job, ICBENCH_JOB_STATE_MEASURING);
	if (icb_params_passive(&side->params)) {
		icb_side_hold_awake(side);
		err = wait_passive(side, why);
		icb_side_let_sleep(side);
	} else if (driven(job)) {
		icb_job_wait_driven(job);
	} else {
		err = icb_side_drive(side, side->run.ops->respond, why);
	}
	icb_job_enter(job, ICBENCH_JOB_STATE_DRAINING);
	if (!err)
		err = icb_abort_check(&side->abort, why);
	return err ? : report(job, why);
}

/**
 * icb_respond() - run the script of a responder
 * @job: job made by a listener, with an adopted control connection
 * @why: the reason of a failure
 *
 * Return: 0; a negative error number.
 */
int icb_respond(struct icb_job *job, struct icb_reason *why)
{
	int err;

	if (job->listener->initiator)
		icb_inherit_faults(current, job->listener->initiator->side.task);
	err = respond(job, why);
	/* only a run that was granted has a cause of its end to wait for */
	if (job->qps)
		err = icb_side_cause(&job->side, err, why);
	icb_listener_seal(job);
	icb_side_close(&job->side, err, why);
	/* the initiator may be freed from now on: no timeout here may end it, too */
	icb_job_unwatch(job);
	icb_listener_leave(job);
	return err;
}
