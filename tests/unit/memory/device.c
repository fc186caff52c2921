// SPDX-License-Identifier: GPL-2.0
/* Devices, memory, CQs and QPs: the functions of kmod/verbs/provider.h. */
#include "engine/run.h"
#include "model/depth.h"
#include "model/verbs_table.h"
#include "model/wire.h"
#include "queue.h"
#include "verbs/buffers.h"
#include "verbs/mem.h"
#include "verbs/provider.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(addr, size)	((void)(addr), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(addr, size)	((void)(addr), (void)(size))
#endif

/* Most entries of a CQ, as a software device has them. */
#define MOST_CQE	32767

/* Each device, and each address space of regions, maps memory at addresses of its own. */
static u64 device_offset(const struct vb_device *dev)
{
	return (u64)(1 + dev->side * ICBENCH_MAX_DEVICES + dev->index) << 48;
}

static u64 region_offset(const struct vb_device *dev)
{
	return device_offset(dev) | 1ULL << 62;
}

static u32 device_key(const struct vb_device *dev)
{
	return 0x1000 * (1 + dev->side * ICBENCH_MAX_DEVICES + dev->index);
}

/* Number of the next vb_alloc() that fails, from 1; 0 for none. */
unsigned int net_alloc_fails;

void *vb_alloc(size_t count, size_t size)
{
	if (net_alloc_fails && !--net_alloc_fails)
		return NULL;
	return calloc(count, size);
}

void vb_free(const void *array)
{
	free((void *)array);
}

size_t icb_mem_footprint(size_t size)
{
	return roundup(max_t(size_t, size, 1), PAGE_SIZE);
}

u64 icb_mem_left(void)
{
	return U64_MAX;
}

int icb_mem_place(u32 place, const struct vb_device *dev, int *node,
		  struct icb_reason *why)
{
	*node = NUMA_NO_NODE;
	return 0;
}

static int map_mem(struct icb_mem *mem)
{
	u32 piece = mem->dev->net->config.piece;
	size_t left = mem->size, n;

	if (!piece)
		piece = max_t(size_t, mem->size, 1);
	mem->sgl = calloc(DIV_ROUND_UP(mem->size, piece) + 1, sizeof(*mem->sgl));
	if (!mem->sgl)
		return -ENOMEM;
	for (mem->nents = 0; left; left -= n) {
		n = min_t(size_t, left, piece);
		mem->sgl[mem->nents].addr = (uintptr_t)mem->addr + mem->size - left +
					    device_offset(mem->dev);
		mem->sgl[mem->nents++].len = n;
	}
	return 0;
}

int icb_mem_alloc(struct icb_mem *mem, struct vb_device *dev, size_t size,
		  enum dma_data_direction dir, int node, const bool *over,
		  struct icb_reason *why)
{
	mem->dev = dev;
	mem->size = size;
	mem->dir = dir;
	mem->addr = calloc(1, size);
	return mem->addr ? map_mem(mem) : -ENOMEM;
}

int icb_mem_share(struct icb_mem *mem, const struct icb_mem *from,
		  struct vb_device *dev, struct icb_reason *why)
{
	*mem = *from;
	mem->dev = dev;
	mem->shared = true;
	return map_mem(mem);
}

void icb_mem_free(struct icb_mem *mem)
{
	free(mem->sgl);
	if (!mem->shared)
		free(mem->addr);
}

/* A buffer ends where its message does: the sanitizer reports accesses behind it. */
static void fence_buffers(const struct icb_pool *pool)
{
	unsigned int i, in = BIT(pool->shift);

	for (i = 0; i + 1 < pool->count; i++)
		if ((i + 1) % in)
			ASAN_POISON_MEMORY_REGION(icb_pool_addr(pool, i) + pool->size,
						  pool->stride - pool->size);
}

static void unfence_buffers(const struct icb_pool *pool)
{
	unsigned int i;

	for (i = 0; i < pool->chunks; i++)
		ASAN_UNPOISON_MEMORY_REGION(pool->chunk[i].mem.addr,
					    pool->chunk[i].mem.size);
}

void icb_ep_facts(const struct icb_conn *conn, unsigned int cpu,
		  struct icb_facts *facts)
{
	const struct net_config *config = &conn->net->config;

	*facts = (struct icb_facts) {
		.iwarp = config->iwarp && !config->no_credit,
		.one_cpu = config->one_cpu,
		.cpu = cpu,
		.max_cqe = config->max_cqe ? : MOST_CQE,
	};
}

int icb_ep_attach_first(struct icb_ep *ep, const struct icb_conn *conn,
			struct vb_pd *pd, bool responder, struct icb_reason *why)
{
	int err;

	ep->rail->dev = conn->device;
	ep->rail->pd = pd;
	ep->abort = conn->abort;
	/* a Q_Key that a work request can use, and that the other side does not have */
	ep->ud.qkey = 0x1111 * (1 + responder);
	if (ep->plan.datagrams) {
		ep->ud.grh = calloc(1, VB_GRH_LEN);
		ep->ud.grh_dma = (uintptr_t)ep->ud.grh + device_offset(conn->device);
	}
	err = icb_ep_alloc_buffers(ep, ep->params, conn->device, responder, why);
	if (err)
		return err;
	fence_buffers(&ep->tx);
	fence_buffers(&ep->rx);
	return 0;
}

int icb_ep_attach(struct icb_ep *ep, struct icb_rail *rail,
		  const struct icb_conn *conn, struct icb_reason *why)
{
	rail->dev = conn->device;
	rail->pd = calloc(1, sizeof(*rail->pd));
	rail->pd->device = conn->device;
	rail->pd->lkey = device_key(conn->device);
	return icb_ep_share_buffers(ep, rail, why);
}

bool icb_ep_attached(const struct icb_rail *rail, const struct icb_conn *conn)
{
	return rail->dev == conn->device;
}

static struct vb_cq *create_cq(struct icb_ep *ep, u32 entries, bool waited)
{
	struct vb_cq *cq = calloc(1, sizeof(*cq));

	cq->ep = ep;
	cq->waited = waited;
	ring_open(&cq->entries, sizeof(struct net_cqe), ICB_EP_REG_SENDS + entries);
	return cq;
}

static void free_cq(struct vb_cq *cq)
{
	if (cq)
		free(cq->entries.entry);
	free(cq);
}

static void create_pair(struct icb_ep *ep, struct icb_cqs *pair, u32 qps)
{
	pair->scq = create_cq(ep, qps * ep->plan.scq_share, false);
	pair->rcq = create_cq(ep, qps * ep->plan.rcq_share, true);
}

int icb_ep_create_cqs(struct icb_ep *ep, const struct icb_rail *rail,
		      struct icb_reason *why)
{
	u32 index = rail - ep->rail, i;

	if (ep->plan.rails > 1) {
		create_pair(ep, &ep->cqs[index], icb_ep_qps_of(&ep->plan, index));
		return 0;
	}
	for (i = 0; i < ep->plan.pairs; i++)
		create_pair(ep, &ep->cqs[i], min(ep->plan.qps - i * ep->plan.qps_per_pair,
						 ep->plan.qps_per_pair));
	return 0;
}

int icb_ep_create_qp(struct icb_qp *qp, struct icb_reason *why)
{
	bool own = qp->ep->plan.waits_own;
	const struct icb_plan *plan = &qp->ep->plan;
	struct vb_qp *made = calloc(1, sizeof(*made));
	struct icb_ep *ep = qp->ep;

	made->ep = ep;
	made->index = qp->index;
	made->num = 0x100 * (1 + ep->own.side) + qp->index;
	made->device = qp->rail->dev;
	made->send_cq = own ? qp->cqs->rcq : qp->cqs->scq;
	made->recv_cq = own && !plan->recvs ? qp->cqs->scq : qp->cqs->rcq;
	made->sq_depth = plan->sends + (qp == qp->rail->reg ? ICB_EP_REG_SENDS : 0);
	made->max_send_sge = ep->sges.send;
	made->max_recv_sge = ep->sges.recv + plan->datagrams;
	ring_open(&made->recvs, sizeof(struct net_recv) +
				made->max_recv_sge * sizeof(struct vb_sge),
		  2 + plan->recvs);
	ep->own.sq_depth += made->sq_depth;
	ep->own.rq_depth += plan->receives ? plan->recvs : 0;
	qp->ibqp = made;
	return 0;
}

static void free_qp(struct icb_qp *qp)
{
	if (qp->ibqp)
		free(qp->ibqp->recvs.entry);
	free(qp->ibqp);
}

/* Each side ends its connections only after the run. */
bool icb_ep_closing(const struct icb_qp *qp)
{
	return qp->conn->net->closing;
}

int icb_ep_make_ah(struct icb_ep *ep, struct icb_reason *why)
{
	ep->ud.ah = calloc(1, sizeof(*ep->ud.ah));
	ep->ud.ah->side = !ep->own.side;
	return 0;
}

static struct vb_mr *add_region(struct icb_ep *ep, struct icb_rail *rail,
				struct icb_chunk *chunk, int access)
{
	struct vb_mr *mr = calloc(1, sizeof(*mr));

	mr->device = rail->dev;
	mr->addr = chunk->mem.addr;
	mr->len = chunk->mem.size;
	mr->iova = (uintptr_t)mr->addr + region_offset(rail->dev);
	mr->lkey = device_key(rail->dev) + (ep->own.mr ? ep->own.mr->lkey % 0x1000 : 0) + 1;
	mr->rkey = mr->lkey ^ 0x5a000000;
	mr->access = access;
	mr->next = ep->own.mr;
	ep->own.mr = mr;
	chunk->mr = mr;
	chunk->valid = true;
	return mr;
}

int icb_ep_offer(struct icb_ep *ep, struct icb_rail *rail, u32 verb,
		 struct icb_wire_ready *ready, unsigned long until,
		 struct icb_reason *why)
{
	struct icb_pool *pool = icb_verb_table[verb].passive ? rail->tx : rail->rx;
	struct vb_mr *mr;
	unsigned int i;

	if (!pool->size)
		return 0;
	for (i = 0; i < pool->chunks; i++) {
		mr = add_region(ep, rail, &pool->chunk[i], icb_verb_table[verb].access);
		ready->region[i].addr = cpu_to_le64(mr->iova);
		ready->region[i].rkey = cpu_to_le32(mr->rkey);
		ready->region[i].len = cpu_to_le32(mr->len);
	}
	ready->count = cpu_to_le32(pool->chunks);
	ready->stride = cpu_to_le32(pool->stride);
	return 0;
}

int icb_ep_register_pool(struct icb_ep *ep, struct icb_pool *pool, int access,
			 unsigned long until, struct icb_reason *why)
{
	unsigned int i;

	for (i = 0; i < pool->chunks; i++)
		if (!pool->chunk[i].mr)
			add_region(ep, ep->rail, &pool->chunk[i], access);
	return 0;
}

/* A registration is complete at once. */
int icb_ep_wait_regs(struct icb_ep *ep, unsigned long until)
{
	return 0;
}

static void free_queues(struct icb_ep *ep)
{
	struct net_flight *flight;
	unsigned int i;

	while ((flight = ring_head(&ep->own.flights))) {
		net_free_flight(flight);
		ring_pop(&ep->own.flights);
	}
	for (i = 0; ep->qp && i < ep->plan.qps; i++)
		free_qp(&ep->qp[i]);
	for (i = 0; ep->cqs && i < ep->plan.pairs; i++) {
		free_cq(ep->cqs[i].scq);
		free_cq(ep->cqs[i].rcq);
	}
}

void icb_ep_detach(struct icb_ep *ep)
{
	struct vb_mr *mr;
	unsigned int i;

	free_queues(ep);
	free(ep->ud.ah);
	free(ep->ud.grh);
	while ((mr = ep->own.mr)) {
		ep->own.mr = mr->next;
		free(mr);
	}
	for (i = 1; i < ep->plan.rails; i++) {
		icb_pool_free(&ep->rail[i].shared_tx);
		icb_pool_free(&ep->rail[i].shared_rx);
		free(ep->rail[i].pd);
	}
	unfence_buffers(&ep->tx);
	unfence_buffers(&ep->rx);
	icb_pool_free(&ep->tx);
	icb_pool_free(&ep->rx);
}

/* Return true if memory from addr on lies in buffers. */
static bool in_pool(const struct icb_pool *pool, const u8 *addr, u32 len)
{
	const struct icb_mem *mem;
	unsigned int i;

	for (i = 0; i < pool->chunks; i++) {
		mem = &pool->chunk[i].mem;
		if (addr >= mem->addr && addr + len <= mem->addr + mem->size)
			return true;
	}
	return false;
}

/* Return the memory of a local SGE for the CPU; NULL if the device cannot access it. */
static u8 *local(const struct vb_qp *qp, const struct vb_sge *sge)
{
	const struct icb_ep *ep = qp->ep;
	const struct vb_mr *mr;
	u8 *addr;

	for (mr = ep->own.mr; mr; mr = mr->next)
		if (mr->device == qp->device && mr->lkey == sge->lkey &&
		    sge->addr >= mr->iova &&
		    sge->addr + sge->length <= mr->iova + mr->len)
			return mr->addr + (sge->addr - mr->iova);
	addr = (u8 *)(uintptr_t)(sge->addr - device_offset(qp->device));
	if (sge->lkey != device_key(qp->device) ||
	    !((ep->ud.grh && addr == ep->ud.grh) || in_pool(&ep->tx, addr, sge->length) ||
	      in_pool(&ep->rx, addr, sge->length)))
		return NULL;
	return addr;
}

/**
 * net_scatter() - write to the memory of a work request
 * @qp: QP of the work request
 * @sge: the memory
 * @num_sge: number of entries of @sge
 * @offset: offset of the first byte in that memory
 * @from: bytes to write
 * @count: number of bytes
 */
void net_scatter(struct vb_qp *qp, const struct vb_sge *sge, u32 num_sge, u32 offset,
		 const u8 *from, u32 count)
{
	u32 i, n;
	u8 *to;

	for (i = 0; i < num_sge && count; offset -= sge[i].length, i++) {
		if (offset >= sge[i].length)
			continue;
		n = min_t(u32, sge[i].length - offset, count);
		to = local(qp, &sge[i]);
		if (!to) {
			net_wrong(qp->ep->own.net, "side %u gives a device wrong memory",
				  qp->ep->own.side);
			return;
		}
		memcpy(to + offset, from, n);
		from += n;
		count -= n;
		offset += n;
	}
}

/**
 * net_gather() - read the payload of a work request
 * @flight: the work request
 * @to: receives @flight->len bytes
 */
void net_gather(const struct net_flight *flight, u8 *to)
{
	const struct vb_wr *wr = &flight->wr;
	const u8 *from;
	u32 i;

	for (i = 0; i < wr->num_sge; i++) {
		from = wr->flags & VB_SEND_INLINE ? (u8 *)(uintptr_t)wr->sge[i].addr :
						    local(flight->qp, &wr->sge[i]);
		if (!from) {
			net_wrong(flight->qp->ep->own.net, "side %u gives a device wrong memory",
				  flight->qp->ep->own.side);
			return;
		}
		memcpy(to, from, wr->sge[i].length);
		to += wr->sge[i].length;
	}
}

/**
 * net_region() - find memory that a peer accesses
 * @ep: endpoint with the memory
 * @rkey: key of the access
 * @addr: address of the first byte, in the region
 * @len: number of bytes
 * @access: right that the access needs
 *
 * Return: the memory, for the CPU; NULL if no region allows the access.
 */
u8 *net_region(struct icb_ep *ep, u32 rkey, u64 addr, u32 len, int access)
{
	const struct vb_mr *mr;

	for (mr = ep->own.mr; mr; mr = mr->next)
		if (mr->rkey == rkey && mr->access & access && addr >= mr->iova &&
		    addr - mr->iova <= mr->len && len <= mr->len - (addr - mr->iova))
			return mr->addr + (addr - mr->iova);
	ep->own.refused++;
	return NULL;
}
