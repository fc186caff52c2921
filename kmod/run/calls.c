// SPDX-License-Identifier: GPL-2.0
#include <linux/jiffies.h>
#include <linux/slab.h>
#include <rdma/ib_verbs.h>
#include <rdma/rdma_cm.h>

#include "calls.h"
#include "cm/conn.h"
#include "cm/link.h"
#include "engine/bench.h"
#include "engine/echo.h"
#include "engine/prepare.h"
#include "engine/stream.h"
#include "host/abort.h"
#include "host/clock.h"
#include "io/endpoint.h"
#include "session/probe.h"
#include "verbs/mem.h"
#include "verbs/promise.h"
#include "verbs/qp.h"

/* Receives that the spare QP can hold; it is replaced when it is full. */
#define SPARE_RECVS	1024

/* Depth of the queues of the QP that the timed calls make. */
#define QP_DEPTH	16

/* Polls of a CQ between two checks whether the run is to end. */
#define POLLS		64

/**
 * struct icb_calls - objects that timed calls make and destroy
 * @mem: buffer that is registered
 * @mr: memory region
 * @pd: protection domain
 * @cq: completion queue
 * @qp: queue pair
 * @spare: QP that takes receives, at which no message arrives
 * @recvs: number of receives posted to @spare
 * @recv_sge: SGEs of one receive
 * @recv_sges: number of elements in @recv_sge
 * @attr: attributes of the transitions to INIT, RTR, RTS, ERR and RESET
 * @mask: valid fields of each @attr
 * @known: true once @attr and @mask are filled in
 * @probe: connection that is timed
 * @run: run without messages, for verb calibrate
 * @flow: state of each QP of @run; NULL for a single QP
 * @hist: distributions of @run; NULL with another verb
 * @samples: single samples of @hist that are kept; NULL if none are
 * @disturbed: causes of disturbance of these samples; NULL if they are not attributed
 */
struct icb_calls {
	struct icb_mem *mem;
	struct ib_mr *mr;
	struct ib_pd *pd;
	struct ib_cq *cq;
	struct ib_qp *qp;
	struct ib_qp *spare;
	unsigned int recvs;
	struct ib_sge *recv_sge;
	u32 recv_sges;
	struct ib_qp_attr attr[5];
	int mask[5];
	bool known;
	struct icb_conn probe;
	struct icb_run run;
	struct icb_flow *flow;
	struct icb_hist *hist;
	u64 *samples;
	struct icb_tail *disturbed;
};

static void forget_recv(struct ib_cq *cq, struct ib_wc *wc)
{
}

static struct ib_cqe forget = { .done = forget_recv };

static struct icb_run *run_of(const struct icb_ep *ep)
{
	return icb_run_of(ep->consumer);
}

/**
 * icb_calls_new() - prepare for timed calls
 * @ep: endpoint of an initiator whose verb has calls
 *
 * Undone by icb_calls_free().
 *
 * Return: 0; -ENOMEM.
 */
int icb_calls_new(struct icb_ep *ep)
{
	ep->calls = kzalloc(sizeof(*ep->calls), GFP_KERNEL);
	if (!ep->calls)
		return -ENOMEM;
	/* no work request uses this buffer, so calls may unmap and register it */
	ep->calls->mem = &ep->rx.chunk[0].mem;
	return 0;
}

/**
 * icb_calls_free() - destroy the objects that timed calls have left
 * @ep: the endpoint; nothing happens if icb_calls_new() was not called
 */
void icb_calls_free(struct icb_ep *ep)
{
	struct icb_calls *calls = ep->calls;

	if (!calls)
		return;
	icb_probe_destroy(&calls->probe);
	icb_link_enter(ep->ibqp->device);
	if (calls->mr)
		ib_dereg_mr(calls->mr);
	if (calls->qp)
		ib_destroy_qp(calls->qp);
	if (calls->cq)
		ib_free_cq(calls->cq);
	if (calls->pd)
		ib_dealloc_pd(calls->pd);
	if (calls->spare)
		ib_destroy_qp(calls->spare);
	icb_link_leave(ep->ibqp->device);
	kfree(calls->recv_sge);
	kvfree(calls->flow);
	kvfree(calls->hist);
	kvfree(calls->samples);
	kvfree(calls->disturbed);
	kfree(calls);
	ep->calls = NULL;
}

/* Makes a QP like the run's own, except for its depth. */
static struct ib_qp *create_qp(const struct icb_ep *ep, struct ib_pd *pd,
			       struct ib_cq *cq, unsigned int depth)
{
	struct ib_qp_init_attr attr = {
		.qp_type = icb_ep_type(ep->params),
		.sq_sig_type = IB_SIGNAL_REQ_WR,
		.send_cq = cq,
		.recv_cq = cq,
		.cap.max_send_wr = QP_DEPTH,
		.cap.max_recv_wr = depth,
		.cap.max_send_sge = ep->sges.send,
		.cap.max_recv_sge = ep->sges.recv + ep->plan.datagrams,
	};

	return ib_create_qp(pd, &attr);
}

/* A datagram QP belongs to no connection, and takes receives once it is in INIT. */
static int learn_init(struct icb_ep *ep)
{
	struct icb_calls *calls = ep->calls;
	int err;

	calls->attr[0].qp_state = IB_QPS_INIT;
	err = rdma_init_qp_attr(ep->conn->id, &calls->attr[0], &calls->mask[0]);
	if (err)
		return err;
	calls->attr[0].qkey = ep->ud.qkey;
	calls->mask[0] = IB_QP_STATE | IB_QP_PKEY_INDEX | IB_QP_PORT |
			 IB_QP_QKEY;
	calls->known = true;
	return 0;
}

/* Copies the transitions of the run's own connection, for a QP that is never used. */
static int copy_transitions(struct icb_ep *ep)
{
	static const enum ib_qp_state states[] = {
		IB_QPS_INIT, IB_QPS_RTR, IB_QPS_RTS,
	};
	struct icb_calls *calls = ep->calls;
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(states); i++) {
		calls->attr[i].qp_state = states[i];
		err = rdma_init_qp_attr(ep->conn->id, &calls->attr[i],
					&calls->mask[i]);
		if (err)
			return err;
	}
	calls->attr[i].qp_state = IB_QPS_ERR;
	calls->mask[i++] = IB_QP_STATE;
	calls->attr[i].qp_state = IB_QPS_RESET;
	calls->mask[i] = IB_QP_STATE;
	calls->known = true;
	return 0;
}

static int renew_spare(struct icb_ep *ep)
{
	struct icb_calls *calls = ep->calls;

	icb_link_enter(ep->ibqp->device);
	if (calls->spare)
		ib_destroy_qp(calls->spare);
	icb_link_leave(ep->ibqp->device);
	calls->recvs = 0;
	calls->spare = create_qp(ep, ep->ibqp->pd, ep->scq, SPARE_RECVS);
	if (IS_ERR(calls->spare)) {
		int err = PTR_ERR(calls->spare);

		calls->spare = NULL;
		return err;
	}
	return ib_modify_qp(calls->spare, &calls->attr[0], calls->mask[0]);
}

/* Makes the SGEs of a receive of the run's transport: a datagram has a GRH in front. */
static int new_recv(struct icb_ep *ep)
{
	const struct icb_place *place = ep->post.place;
	struct icb_calls *calls = ep->calls;
	unsigned int front = ep->plan.datagrams, i;

	calls->recv_sge = kcalloc(front + place->num_sge,
				  sizeof(*calls->recv_sge), GFP_KERNEL);
	if (!calls->recv_sge)
		return -ENOMEM;
	if (front) {
		calls->recv_sge->addr = ep->ud.grh_dma;
		calls->recv_sge->length = sizeof(struct ib_grh);
		calls->recv_sge->lkey = ep->ibqp->pd->local_dma_lkey;
	}
	for (i = 0; i < place->num_sge; i++)
		calls->recv_sge[front + i] = place->sge[i];
	calls->recv_sges = front + place->num_sge;
	return 0;
}

static int prepare_descriptor(struct icb_ep *ep)
{
	struct icb_calls *calls = ep->calls;
	int err = 0;

	icb_ep_prep(ep, 0, &(struct icb_operation) {
		.set = ICB_OPERATION_SIGNAL,
		.signal = true,
	});
	if (!calls->known)
		err = ep->plan.datagrams ? learn_init(ep) : copy_transitions(ep);
	if (!err && !calls->recv_sge)
		err = new_recv(ep);
	if (!err && (!calls->spare || calls->recvs == SPARE_RECVS))
		err = renew_spare(ep);
	return err;
}

static u64 rehearsal_footprint(const struct icb_params *params)
{
	const struct icb_calls *calls = NULL;

	return (u64)params->qps * sizeof(*calls->flow) +
	       ICB_HISTS * (sizeof(*calls->hist) +
			    params->samples * sizeof(*calls->samples)) +
	       sizeof(*calls->disturbed);
}

static int take_rehearsal(struct icb_ep *ep)
{
	const struct icb_params *params = run_of(ep)->params;
	struct icb_calls *calls = ep->calls;

	if (params->qps > 1) {
		calls->flow = kvcalloc(params->qps, sizeof(*calls->flow),
				       GFP_KERNEL);
		if (!calls->flow)
			return -ENOMEM;
		calls->run.flow = calls->flow;
		calls->run.flows = params->qps;
	}
	calls->hist = kvcalloc(ICB_HISTS, sizeof(*calls->hist), GFP_KERNEL);
	if (!calls->hist)
		return -ENOMEM;
	if (params->samples) {
		calls->samples = kvcalloc((u64)ICB_HISTS * params->samples,
					  sizeof(*calls->samples), GFP_KERNEL);
		if (!calls->samples)
			return -ENOMEM;
	}
	if (params->attribute) {
		calls->disturbed = kvzalloc(sizeof(*calls->disturbed),
					    GFP_KERNEL);
		if (!calls->disturbed)
			return -ENOMEM;
	}
	calls->run.disturbed = calls->disturbed;
	return 0;
}

static int new_rehearsal(struct icb_ep *ep)
{
	const struct icb_params *params = run_of(ep)->params;
	struct icb_promise promise = {};
	u64 needed = rehearsal_footprint(params), left;
	struct icb_calls *calls = ep->calls;
	int err = icb_promise_make(&promise, needed, &left);

	if (!err)
		err = take_rehearsal(ep);
	icb_promise_end(&promise);
	if (err) {
		icb_abort_run(ep->abort, err,
			      "no memory for calibrate: it needs %llu KiB at its start, and this host has %llu KiB for runs; accepted: fewer samples or QPs, or fewer jobs",
			     needed / SZ_1K, left / SZ_1K);
		return err;
	}
	icb_run_rehearse(&calls->run, params, calls->hist, calls->samples);
	return 0;
}

/**
 * icb_calls_prepare() - prepare the next operation, untimed
 * @ep: endpoint of an initiator that times calls
 *
 * May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_calls_prepare(struct icb_ep *ep)
{
	struct icb_calls *calls = ep->calls;

	switch (run_of(ep)->params->verb) {
	case ICBENCH_VERB_REGISTER:
		/* the buffer was mapped when it was made */
		icb_mem_unmap(calls->mem);
		return 0;
	case ICBENCH_VERB_DESCRIPTOR:
		return prepare_descriptor(ep);
	case ICBENCH_VERB_CALIBRATE:
		return calls->hist ? 0 : new_rehearsal(ep);
	case ICBENCH_VERB_CONNECT:
		return calls->known ? 0 : copy_transitions(ep);
	default:
		return 0;
	}
}

/* Polls until the only posted work request has completed. */
static int await_completion(struct icb_ep *ep)
{
	unsigned long end = jiffies +
		icb_conn_jiffies(run_of(ep)->params->timeout);
	unsigned int polls = 0;
	u64 since = 0, now;
	struct ib_wc wc;
	int n;

	/* a call that completes soon is timed without a read of the clock */
	while (!(n = ib_poll_cq(ep->rcq, 1, &wc))) {
		if (++polls % POLLS && !ep->plan.one_cpu)
			continue;
		if (time_after(jiffies, end))
			icb_run_stop(run_of(ep), ICB_STOP_TIMEOUT);
		if (READ_ONCE(ep->consumer->stop))
			return -ECANCELED;
		now = icb_clock_read();
		if (!since)
			since = now;
		icb_ep_yield(ep, ICB_YIELD_POLL, now - since);
	}
	if (n < 0)
		return n;
	return wc.status == IB_WC_SUCCESS ? 0 : icb_ep_failed(ep, &wc);
}

static int post(struct icb_ep *ep, const struct ib_send_wr *wr)
{
	int err;

	if (ep->plan.bh)
		local_bh_disable();
	err = ib_post_send(ep->ibqp, wr, NULL);
	if (ep->plan.bh)
		local_bh_enable();
	return err ? : await_completion(ep);
}

static int reg_mr(struct icb_ep *ep)
{
	struct ib_mr *mr = ep->calls->mr;
	struct ib_reg_wr reg = {
		.wr.opcode = IB_WR_REG_MR,
		.wr.send_flags = IB_SEND_SIGNALED,
		.wr.wr_cqe = &ep->qp->tx_cqe,
		.mr = mr,
		.key = mr->rkey,
		.access = IB_ACCESS_LOCAL_WRITE,
	};

	return post(ep, &reg.wr);
}

static int local_inv(struct icb_ep *ep)
{
	struct ib_send_wr inv = {
		.opcode = IB_WR_LOCAL_INV,
		.send_flags = IB_SEND_SIGNALED,
		.wr_cqe = &ep->qp->tx_cqe,
		.ex.invalidate_rkey = ep->calls->mr->rkey,
	};

	return post(ep, &inv);
}

static int alloc_mr(struct icb_ep *ep)
{
	struct icb_calls *calls = ep->calls;
	struct ib_mr *mr;

	mr = ib_alloc_mr(ep->ibqp->pd, IB_MR_TYPE_MEM_REG,
			 DIV_ROUND_UP(calls->mem->size, PAGE_SIZE));
	if (IS_ERR(mr))
		return PTR_ERR(mr);
	calls->mr = mr;
	return 0;
}

static int map_mr(struct icb_calls *calls)
{
	const struct icb_mem *mem = calls->mem;
	int n = ib_map_mr_sg(calls->mr, mem->sgl, mem->nents, NULL, PAGE_SIZE);

	return n == mem->nents ? 0 : n < 0 ? n : -EIO;
}

static int dereg_mr(struct icb_calls *calls)
{
	struct ib_mr *mr = calls->mr;

	calls->mr = NULL;
	return ib_dereg_mr(mr);
}

static int poll_empty(struct icb_ep *ep)
{
	return ib_poll_cq(ep->rcq, 1, ep->wc) ? -EIO : 0;
}

static int poll(struct icb_ep *ep)
{
	struct icb_taken taken = {};

	return icb_ep_poll(ep, 1, &taken);
}

static int call_post_recv(struct icb_ep *ep)
{
	struct ib_recv_wr wr = {
		.wr_cqe = &forget,
		.sg_list = ep->calls->recv_sge,
		.num_sge = ep->calls->recv_sges,
	};

	ep->calls->recvs++;
	return ib_post_recv(ep->calls->spare, &wr, NULL);
}

static int alloc_pd(struct icb_ep *ep)
{
	struct ib_pd *pd = ib_alloc_pd(ep->ibqp->device, 0);

	if (IS_ERR(pd))
		return PTR_ERR(pd);
	ep->calls->pd = pd;
	return 0;
}

static int create_cq(struct icb_ep *ep)
{
	struct ib_cq *cq = ib_alloc_cq(ep->ibqp->device, ep, 2 * QP_DEPTH, 0,
				       IB_POLL_DIRECT);

	if (IS_ERR(cq))
		return PTR_ERR(cq);
	ep->calls->cq = cq;
	return 0;
}

static int call_create_qp(struct icb_ep *ep)
{
	struct icb_calls *calls = ep->calls;
	struct ib_qp *qp = create_qp(ep, calls->pd, calls->cq, QP_DEPTH);

	if (IS_ERR(qp))
		return PTR_ERR(qp);
	calls->qp = qp;
	return 0;
}

static int modify(struct icb_calls *calls, unsigned int transition)
{
	return ib_modify_qp(calls->qp, &calls->attr[transition],
			    calls->mask[transition]);
}

static int destroy_qp(struct icb_calls *calls)
{
	struct ib_qp *qp = calls->qp;

	calls->qp = NULL;
	return ib_destroy_qp(qp);
}

static int free_cq(struct icb_calls *calls)
{
	struct ib_cq *cq = calls->cq;

	calls->cq = NULL;
	ib_free_cq(cq);
	return 0;
}

static int dealloc_pd(struct icb_calls *calls)
{
	struct ib_pd *pd = calls->pd;

	calls->pd = NULL;
	ib_dealloc_pd(pd);
	return 0;
}

static int probe_step(struct icb_ep *ep, u32 call, struct icb_reason *why)
{
	const struct icb_params *params = run_of(ep)->params;
	struct icb_conn *probe = &ep->calls->probe;

	switch (call) {
	case ICB_CALL_CM_RESOLVE_ADDR:
		return icb_probe_resolve_addr(probe, ep->conn, params->timeout,
					      why);
	case ICB_CALL_CM_RESOLVE_ROUTE:
		return icb_probe_resolve_route(probe, params->mtu,
					       params->timeout, why);
	case ICB_CALL_CM_CREATE_QP:
		return icb_probe_create_qp(probe, ep->ibqp->pd, ep->scq, why);
	case ICB_CALL_CM_CONNECT:
		return icb_probe_connect(probe, ep->conn, params->timeout, why);
	default:
		return icb_probe_disconnect(probe, params->timeout, why);
	}
}

/* Aborts the run with the reason of a failure. */
static int call_probe(struct icb_ep *ep, u32 call)
{
	struct icb_reason why;
	int err = probe_step(ep, call, &why);

	/* the cause may be reported a little later, such as a port that goes down */
	if (err)
		icb_abort_connection_lost(ep->abort, err, "%s", why.text);
	return err;
}

static int rehearse(struct icb_run *run, void (*once)(struct icb_run *run))
{
	unsigned int i;

	for (i = 0; i < ICB_CALL_TIMES; i++)
		once(run);
	return 0;
}

static void next_flow(struct icb_run *run)
{
	if (++run->due == run->flow + run->flows)
		run->due = run->flow;
}

static int make_call(struct icb_ep *ep, u32 call)
{
	struct icb_calls *calls = ep->calls;

	switch (call) {
	case ICB_CALL_MAP:
		return icb_mem_map(calls->mem);
	case ICB_CALL_ALLOC_MR:
		return alloc_mr(ep);
	case ICB_CALL_MAP_MR:
		return map_mr(calls);
	case ICB_CALL_REG_MR:
		return reg_mr(ep);
	case ICB_CALL_LOCAL_INV:
		return local_inv(ep);
	case ICB_CALL_DEREG_MR:
		return dereg_mr(calls);
	case ICB_CALL_UNMAP:
		icb_mem_unmap(calls->mem);
		return 0;
	case ICB_CALL_POLL_EMPTY:
		return poll_empty(ep);
	case ICB_CALL_POST_SEND:
		return icb_ep_commit(ep, 1);
	case ICB_CALL_POLL:
		return poll(ep);
	case ICB_CALL_POST_RECV:
		return call_post_recv(ep);
	case ICB_CALL_ALLOC_PD:
		return alloc_pd(ep);
	case ICB_CALL_CREATE_CQ:
		return create_cq(ep);
	case ICB_CALL_CREATE_QP:
		return call_create_qp(ep);
	case ICB_CALL_INIT:
		return modify(calls, 0);
	case ICB_CALL_RTR:
		return modify(calls, 1);
	case ICB_CALL_RTS:
		return modify(calls, 2);
	case ICB_CALL_ERROR:
		return modify(calls, 3);
	case ICB_CALL_RESET:
		return modify(calls, 4);
	case ICB_CALL_DESTROY_QP:
		return destroy_qp(calls);
	case ICB_CALL_DESTROY_CQ:
		return free_cq(calls);
	case ICB_CALL_DEALLOC_PD:
		return dealloc_pd(calls);
	case ICB_CALL_CM_RESOLVE_ADDR:
	case ICB_CALL_CM_RESOLVE_ROUTE:
	case ICB_CALL_CM_CREATE_QP:
	case ICB_CALL_CM_CONNECT:
	case ICB_CALL_CM_DISCONNECT:
		return call_probe(ep, call);
	case ICB_CALL_CM_DESTROY:
		icb_probe_destroy(&calls->probe);
		return 0;
	case ICB_CALL_ECHO:
		return rehearse(&calls->run, icb_echo_rehearse);
	case ICB_CALL_STREAM:
		next_flow(&calls->run);
		return rehearse(&calls->run, icb_stream_rehearse);
	default:
		return -EINVAL;
	}
}

/**
 * icb_calls_time() - make one call between two readings of the clock
 * @ep: endpoint of an initiator that times calls
 * @call: enum icb_call_id; the calls of a verb come in their order
 * @before: receives the clock before the call
 * @after: receives the clock after the call
 *
 * May sleep.
 *
 * Return: 0; for ICB_CALL_POLL, the number of completions found; a negative error number.
 */
int icb_calls_time(struct icb_ep *ep, u32 call, u64 *before, u64 *after)
{
	int found;

	*before = icb_clock_read();
	found = make_call(ep, call);
	*after = icb_clock_read();
	return found;
}
