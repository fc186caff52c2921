// SPDX-License-Identifier: GPL-2.0
#include <linux/slab.h>

#include "compat.h"
#include "cqs.h"
#include "depth.h"
#include "events.h"
#include "model/derived.h"
#include "types.h"

/* The CQ of a run whose callbacks the core makes; nothing completes yet. */
static struct ib_cq *create_driven(struct icb_ep *ep, struct ib_device *dev,
				   const struct ib_cq_init_attr *attr,
				   enum ib_poll_context context)
{
	struct ib_cq *cq = ib_alloc_cq(dev, ep, attr->cqe, attr->comp_vector,
				       context);

	if (IS_ERR(cq) || !ep->stages)
		return cq;
	ep->event.slept = true;
	ep->handler = cq->comp_handler;
	cq->comp_handler = icb_ep_callback_event;
	return cq;
}

static struct ib_cq *create_rcq(struct icb_ep *ep, struct ib_device *dev,
				const struct ib_cq_init_attr *attr)
{
	struct ib_cq *cq;

	if (ep->idle)
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
		/* the drain has to poll it itself */
		if (!IS_ERR(cq))
			cq->poll_ctx = IB_POLL_DIRECT;
		return cq;
	default:
		return ib_alloc_cq(dev, ep, attr->cqe, attr->comp_vector,
				   IB_POLL_DIRECT);
	}
}

/**
 * icb_ep_create_pair() - make the CQs of some QPs
 * @ep: whose
 * @dev: the device
 * @pair: where to
 * @qps: how many share them
 *
 * May sleep.
 *
 * Return: 0; the device's negative error number.
 */
int icb_ep_create_pair(struct icb_ep *ep, struct ib_device *dev,
		       struct icb_cqs *pair, u32 qps)
{
	unsigned int vector = ep->cpu % dev->num_comp_vectors;
	struct ib_cq_init_attr attr = {
		.cqe = ICB_EP_REG_SENDS + qps * icb_ep_rcq_share(ep),
		.comp_vector = vector,
	};
	struct ib_cq *cq;

	cq = ib_alloc_cq(dev, ep,
			 ICB_EP_REG_SENDS + qps * icb_ep_scq_share(ep),
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

/**
 * icb_ep_create_cqs() - make the CQs of an endpoint
 * @ep: whose; its QPs are made
 * @dev: its first device
 *
 * Of several devices each has its own, which come with it. May sleep.
 *
 * Return: 0; a negative error number.
 */
int icb_ep_create_cqs(struct icb_ep *ep, struct ib_device *dev)
{
	unsigned int i, first;
	int err = 0;

	ep->per_pair = icb_ep_qps_per_pair(ep, dev);
	ep->pairs = ep->rails > 1 ? ep->rails :
				    DIV_ROUND_UP(ep->qps, ep->per_pair);
	ep->cqs = kcalloc(ep->pairs, sizeof(*ep->cqs), GFP_KERNEL);
	if (!ep->cqs) {
		ep->pairs = 0;
		return -ENOMEM;
	}
	for (i = 0; i < ep->qps; i++)
		ep->qp[i].cqs = &ep->cqs[ep->rails > 1 ? i % ep->rails :
							   i / ep->per_pair];
	if (ep->rails > 1)
		err = icb_ep_create_pair(ep, dev, ep->cqs,
					 icb_ep_qps_of(ep, 0));
	for (i = 0; ep->rails == 1 && i < ep->pairs && !err; i++) {
		first = i * ep->per_pair;
		err = icb_ep_create_pair(ep, dev, &ep->cqs[i],
					 min(ep->qps - first, ep->per_pair));
	}
	ep->scq = ep->cqs->scq;
	ep->rcq = ep->cqs->rcq;
	return err;
}

/* Whether it has told of what came, or was only asked. */
static bool has_reported(const struct ib_cq *cq)
{
	return cq && (cq->comp_handler == icb_ep_recv_event ||
		      cq->poll_ctx != IB_POLL_DIRECT);
}

/**
 * icb_ep_destroy_cqs() - take the CQs of an endpoint down
 * @ep: whose; no QP uses them any more
 *
 * May sleep.
 */
void icb_ep_destroy_cqs(struct icb_ep *ep)
{
	bool reported = false;
	struct ib_cq *cq;
	unsigned int i;

	for (i = 0; i < ep->pairs; i++)
		reported |= has_reported(ep->cqs[i].rcq) || has_reported(ep->cqs[i].scq);
	/* a device has none until its first connection is there */
	for (i = 0; reported && i < ep->rails; i++)
		if (ep->rail[i].dev)
			icb_await_removals(ep->rail[i].dev);
	for (i = 0; i < ep->pairs; i++) {
		cq = ep->cqs[i].rcq;
		if (cq && cq->comp_handler == icb_ep_recv_event)
			ib_destroy_cq(cq);
		else if (cq)
			ib_free_cq(cq);
		if (ep->cqs[i].scq)
			ib_free_cq(ep->cqs[i].scq);
	}
	kfree(ep->cqs);
}

/**
 * icb_ep_take_completions() - serve a CQ that nobody else does
 * @cq: which; none of a device that no connection has come over
 */
void icb_ep_take_completions(struct ib_cq *cq)
{
	/* of a device that no connection has come over there is none */
	if (cq && cq->poll_ctx == IB_POLL_DIRECT)
		ib_process_cq_direct(cq, -1);
}

/**
 * icb_ep_take_all() - serve all CQs that nobody else does
 * @ep: whose
 */
void icb_ep_take_all(struct icb_ep *ep)
{
	unsigned int i;

	for (i = 0; i < ep->pairs; i++) {
		icb_ep_take_completions(ep->cqs[i].scq);
		icb_ep_take_completions(ep->cqs[i].rcq);
	}
}
