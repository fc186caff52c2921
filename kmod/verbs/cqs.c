// SPDX-License-Identifier: GPL-2.0
#include "cm/name.h"
#include "compat.h"
#include "cqs.h"
#include "events.h"
#include "host/cause.h"
#include "model/depth.h"
#include "model/derived.h"
#include "provider.h"
#include "types.h"

/* Create a CQ served by the core's callbacks. No completion can arrive yet. */
static struct ib_cq *create_driven(struct icb_ep *ep, struct ib_device *dev,
				   const struct ib_cq_init_attr *attr,
				   enum ib_poll_context context)
{
	struct ib_cq *cq = ib_alloc_cq(dev, ep, attr->cqe, attr->comp_vector,
				       context);

	if (IS_ERR(cq) || !ep->plan.stages)
		return cq;
	ep->own.wait.event.slept = true;
	ep->own.wait.handler = cq->comp_handler;
	cq->comp_handler = icb_ep_callback_event;
	return cq;
}

static struct ib_cq *create_rcq(struct icb_ep *ep, struct ib_device *dev,
				const struct ib_cq_init_attr *attr)
{
	struct ib_cq *cq;

	if (ep->plan.idle)
		return ib_alloc_cq(dev, ep, attr->cqe, attr->comp_vector,
				   IB_POLL_WORKQUEUE);
	switch (ep->params->completion) {
	case ICBENCH_COMPLETION_SOFTIRQ:
		return create_driven(ep, dev, attr, IB_POLL_SOFTIRQ);
	case ICBENCH_COMPLETION_WORKQUEUE:
		return create_driven(ep, dev, attr, IB_POLL_WORKQUEUE);
	case ICBENCH_COMPLETION_BLOCK:
	case ICBENCH_COMPLETION_ADAPTIVE:
		cq = ib_create_cq(dev, icb_ep_recv_event, NULL, ep, attr);
		/* icb_ep_take_completions() has to poll this CQ during the drain */
		if (!IS_ERR(cq))
			cq->poll_ctx = IB_POLL_DIRECT;
		return cq;
	default:
		return ib_alloc_cq(dev, ep, attr->cqe, attr->comp_vector,
				   IB_POLL_DIRECT);
	}
}

static int create_pair(struct icb_ep *ep, struct ib_device *dev,
		       struct icb_cqs *pair, u32 qps)
{
	unsigned int vector = ep->plan.cpu % dev->num_comp_vectors;
	struct ib_cq_init_attr attr = {
		.cqe = ICB_EP_REG_SENDS + qps * ep->plan.rcq_share,
		.comp_vector = vector,
	};
	struct ib_cq *cq;

	cq = ib_alloc_cq(dev, ep,
			 ICB_EP_REG_SENDS + qps * ep->plan.scq_share,
			 vector, IB_POLL_DIRECT);
	if (IS_ERR(cq))
		return PTR_ERR(cq);
	pair->scq = cq;
	cq = create_rcq(ep, dev, &attr);
	if (IS_ERR(cq))
		return PTR_ERR(cq);
	pair->rcq = cq;
	return 0;
}

/* The QPs of a single device share as few CQs as can hold their completions. */
static int create_pairs(struct icb_ep *ep, struct ib_device *dev)
{
	unsigned int i, first;
	int err = 0;

	for (i = 0; i < ep->plan.pairs && !err; i++) {
		first = i * ep->plan.qps_per_pair;
		err = create_pair(ep, dev, &ep->cqs[i],
				  min(ep->plan.qps - first, ep->plan.qps_per_pair));
	}
	return err;
}

/**
 * icb_ep_create_cqs() - create the CQs of a device
 * @ep: endpoint, with an entry of @ep->cqs for each pair of CQs
 * @rail: the device
 * @why: the reason of a failure
 *
 * May sleep.
 *
 * Return: 0; the device's negative error number.
 */
int icb_ep_create_cqs(struct icb_ep *ep, const struct icb_rail *rail,
		      struct icb_reason *why)
{
	u32 index = rail - ep->rail;
	int err;

	if (ep->plan.rails > 1)
		err = create_pair(ep, rail->dev, &ep->cqs[index],
				  icb_ep_qps_of(&ep->plan, index));
	else
		err = create_pairs(ep, rail->dev);
	return err ? icb_refuse(why, err, "device %s cannot create a CQ: %s (%d)",
				icb_device_name(rail->dev),
				icb_cause_of_device(err), err) : 0;
}

/* The CQ raises events: it has an event handler or is not IB_POLL_DIRECT. */
static bool has_reported(const struct ib_cq *cq)
{
	return cq && (cq->comp_handler == icb_ep_recv_event ||
		      cq->poll_ctx != IB_POLL_DIRECT);
}

/**
 * icb_ep_destroy_cqs() - destroy the CQs of an endpoint
 * @ep: endpoint, whose QPs are destroyed
 *
 * May sleep.
 */
void icb_ep_destroy_cqs(struct icb_ep *ep)
{
	bool reported = false;
	struct ib_cq *cq;
	unsigned int i;

	if (!ep->cqs)
		return;
	for (i = 0; i < ep->plan.pairs; i++)
		reported |= has_reported(ep->cqs[i].rcq) || has_reported(ep->cqs[i].scq);
	/* NULL if no connection has used the device yet */
	for (i = 0; reported && i < ep->plan.rails; i++)
		if (ep->rail[i].dev)
			icb_await_removals(ep->rail[i].dev);
	for (i = 0; i < ep->plan.pairs; i++) {
		cq = ep->cqs[i].rcq;
		if (cq && cq->comp_handler == icb_ep_recv_event)
			ib_destroy_cq(cq);
		else if (cq)
			ib_free_cq(cq);
		if (ep->cqs[i].scq)
			ib_free_cq(ep->cqs[i].scq);
	}
}

/**
 * icb_ep_take_completions() - process a CQ that no callback serves
 * @cq: the CQ; NULL if no connection has used its device yet
 */
void icb_ep_take_completions(struct ib_cq *cq)
{
	if (cq && cq->poll_ctx == IB_POLL_DIRECT)
		ib_process_cq_direct(cq, -1);
}

/**
 * icb_ep_take_all() - process all CQs of an endpoint that no callback serves
 * @ep: the endpoint
 */
void icb_ep_take_all(struct icb_ep *ep)
{
	unsigned int i;

	for (i = 0; i < ep->plan.pairs; i++) {
		icb_ep_take_completions(ep->cqs[i].scq);
		icb_ep_take_completions(ep->cqs[i].rcq);
	}
}
