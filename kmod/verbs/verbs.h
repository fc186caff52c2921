/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The verbs of one provider, as the files above this room use them: types and accessors.
 * This is the provider of in-kernel verbs. tests/unit/memory/verbs/verbs.h is another one.
 *
 * Handles are the provider's own structs under neutral names. &struct vb_sge has members
 * addr, length and lkey, and &struct vb_cqe has a member done, in every provider. All
 * other members are reached by accessors only.
 */
#ifndef VB_VERBS_H
#define VB_VERBS_H

#include <linux/bottom_half.h>
#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <rdma/ib_verbs.h>

#include "cm/name.h"

#define vb_ah		ib_ah
#define vb_cq		ib_cq
#define vb_cqe		ib_cqe
#define vb_device	ib_device
#define vb_mr		ib_mr
#define vb_pd		ib_pd
#define vb_qp		ib_qp
#define vb_recv_wr	ib_recv_wr
#define vb_sge		ib_sge
#define vb_wc		ib_wc

/* Opcodes and flags of send work requests. Opcodes are numbers of enum ib_uverbs_wr_opcode. */
#define VB_WR_SEND		IB_WR_SEND
#define VB_WR_SEND_WITH_IMM	IB_WR_SEND_WITH_IMM
#define VB_SEND_SIGNALED	IB_SEND_SIGNALED
#define VB_SEND_INLINE		IB_SEND_INLINE

/* Rights of a region. */
#define VB_ACCESS_LOCAL_WRITE	IB_ACCESS_LOCAL_WRITE
#define VB_ACCESS_REMOTE_WRITE	IB_ACCESS_REMOTE_WRITE

/* Bytes in front of a datagram in its receive buffer. */
#define VB_GRH_LEN		sizeof(struct ib_grh)

/**
 * struct vb_wr - send work request of any opcode, ready to be posted
 * @send: send work request; the other members begin with it
 * @rdma: work request with remote address and key
 * @atomic: work request with remote address, key and operands
 * @ud: work request with the destination of a datagram
 */
struct vb_wr {
	union {
		struct ib_send_wr send;
		struct ib_rdma_wr rdma;
		struct ib_atomic_wr atomic;
		struct ib_ud_wr ud;
	};
};

/* Send work requests. */

static __always_inline void vb_wr_set_opcode(struct vb_wr *wr, u32 opcode)
{
	wr->send.opcode = opcode;
}

static __always_inline void vb_wr_set_flags(struct vb_wr *wr, int flags)
{
	wr->send.send_flags = flags;
}

static __always_inline void vb_wr_set_cqe(struct vb_wr *wr, struct vb_cqe *cqe)
{
	wr->send.wr_cqe = cqe;
}

/* End a list of work requests with this one. */
static __always_inline void vb_wr_end(struct vb_wr *wr)
{
	wr->send.next = NULL;
}

/* Let a work request follow another one in a list. */
static __always_inline void vb_wr_link(struct vb_wr *wr, struct vb_wr *next)
{
	wr->send.next = &next->send;
}

static __always_inline void vb_wr_set_local(struct vb_wr *wr, struct vb_sge *sge, u32 num_sge)
{
	wr->send.sg_list = sge;
	wr->send.num_sge = num_sge;
}

static __always_inline void vb_wr_set_num_sge(struct vb_wr *wr, u32 num_sge)
{
	wr->send.num_sge = num_sge;
}

/* The remote memory of a write or a read. In a datagram, this overwrites the destination. */
static __always_inline void vb_wr_set_remote(struct vb_wr *wr, u64 addr, u32 rkey)
{
	wr->rdma.remote_addr = addr;
	wr->rdma.rkey = rkey;
}

/* The remote memory of a work request of this opcode. */
static inline void vb_wr_set_remote_of(struct vb_wr *wr, u64 addr, u32 rkey)
{
	switch (wr->send.opcode) {
	case IB_WR_ATOMIC_FETCH_AND_ADD:
	case IB_WR_ATOMIC_CMP_AND_SWP:
		wr->atomic.remote_addr = addr;
		wr->atomic.rkey = rkey;
		break;
	default:
		vb_wr_set_remote(wr, addr, rkey);
		break;
	}
}

static __always_inline void vb_wr_set_imm(struct vb_wr *wr, u32 number)
{
	wr->send.ex.imm_data = cpu_to_be32(number);
}

static __always_inline void vb_wr_set_operands(struct vb_wr *wr, u64 compare_add, u64 swap)
{
	wr->atomic.compare_add = compare_add;
	wr->atomic.swap = swap;
}

/* The destination of a datagram. */
static inline void vb_wr_set_destination(struct vb_wr *wr, struct vb_ah *ah, u32 qpn, u32 qkey)
{
	wr->ud.ah = ah;
	wr->ud.remote_qpn = qpn;
	wr->ud.remote_qkey = qkey;
}

/* Post a list of work requests. Returns 0, or a negative error number. */
static __always_inline int vb_post_send(struct vb_qp *qp, const struct vb_wr *wr)
{
	return ib_post_send(qp, &wr->send, NULL);
}

/* Brackets of posts where softirqs have to be off. */
static __always_inline void vb_bh_disable(void)
{
	local_bh_disable();
}

static __always_inline void vb_bh_enable(void)
{
	local_bh_enable();
}

/* Number of a QP on its device. */
static inline u32 vb_qp_num(const struct vb_qp *qp)
{
	return qp->qp_num;
}

/* Receives. */

static __always_inline void vb_recv_set_cqe(struct vb_recv_wr *wr, struct vb_cqe *cqe)
{
	wr->wr_cqe = cqe;
}

static __always_inline void vb_recv_link(struct vb_recv_wr *wr, struct vb_recv_wr *next)
{
	wr->next = next;
}

/* The next receive of a list; NULL behind the last one. */
static __always_inline struct vb_recv_wr *vb_recv_next(const struct vb_recv_wr *wr)
{
	return wr->next;
}

static __always_inline void vb_recv_set_local(struct vb_recv_wr *wr, struct vb_sge *sge,
					      u32 num_sge)
{
	wr->sg_list = sge;
	wr->num_sge = num_sge;
}

/* Post a list of receives. Returns 0, or a negative error number. */
static __always_inline int vb_post_recv(struct vb_qp *qp, const struct vb_recv_wr *wr)
{
	return ib_post_recv(qp, wr, NULL);
}

/* Completions. */

/* Take up to limit completions. Returns their number, or a negative error number. */
static __always_inline int vb_poll(struct vb_cq *cq, int limit, struct vb_wc *wc)
{
	return ib_poll_cq(cq, limit, wc);
}

/* Call the completion functions of all available completions of a CQ that is only polled. */
static inline void vb_process(struct vb_cq *cq)
{
	ib_process_cq_direct(cq, -1);
}

static __always_inline struct vb_cqe *vb_wc_cqe(const struct vb_wc *wc)
{
	return wc->wr_cqe;
}

static __always_inline void vb_wc_set_cqe(struct vb_wc *wc, struct vb_cqe *cqe)
{
	wc->wr_cqe = cqe;
}

static __always_inline bool vb_wc_ok(const struct vb_wc *wc)
{
	return wc->status == IB_WC_SUCCESS;
}

/* True for a work request that failed only because its QP had failed before. */
static inline bool vb_wc_flushed(const struct vb_wc *wc)
{
	return wc->status == IB_WC_WR_FLUSH_ERR;
}

/* The cause of a failure, in words. */
static inline const char *vb_wc_text(const struct vb_wc *wc)
{
	return ib_wc_status_msg(wc->status);
}

/* Bytes that a receive has taken; with those in front of a datagram. */
static __always_inline u32 vb_wc_len(const struct vb_wc *wc)
{
	return wc->byte_len;
}

static __always_inline bool vb_wc_has_imm(const struct vb_wc *wc)
{
	return wc->wc_flags & IB_WC_WITH_IMM;
}

static __always_inline u32 vb_wc_imm(const struct vb_wc *wc)
{
	return be32_to_cpu(wc->ex.imm_data);
}

/* Number of the QP that a datagram comes from. */
static __always_inline u32 vb_wc_src_qp(const struct vb_wc *wc)
{
	return wc->src_qp;
}

/* Copy what the accessors read of a receive, except for its status. */
static __always_inline void vb_wc_copy(struct vb_wc *to, const struct vb_wc *from)
{
	to->wc_flags = from->wc_flags;
	to->ex = from->ex;
	to->byte_len = from->byte_len;
	to->src_qp = from->src_qp;
}

/* Devices and memory. */

static inline const char *vb_device_name(const struct vb_device *dev)
{
	return icb_device_name(dev);
}

/* Local key of all memory of a PD that is mapped for its device. */
static inline u32 vb_pd_lkey(const struct vb_pd *pd)
{
	return pd->local_dma_lkey;
}

static inline u32 vb_mr_lkey(const struct vb_mr *mr)
{
	return mr->lkey;
}

/* Address of the first byte of a region, in the region. */
static inline u64 vb_mr_addr(const struct vb_mr *mr)
{
	return mr->iova;
}

/* The longest sleep of plans: never, or after some time, ns. The unit is the provider's own. */
#define VB_NO_LIMIT	MAX_SCHEDULE_TIMEOUT

static inline unsigned long vb_limit(u64 ns)
{
	return nsecs_to_jiffies(ns) + 1;
}

/* A deadline after some time, ns; in the provider's own unit. */
static inline unsigned long vb_deadline(u64 ns)
{
	return jiffies + vb_limit(ns);
}

/* Allocate a zeroed array. May sleep. Returns NULL if there is no memory. */
static inline void *vb_alloc(size_t count, size_t size)
{
	return kvcalloc(count, size, GFP_KERNEL);
}

/* Free an array of vb_alloc(); nothing happens for NULL. */
static inline void vb_free(const void *array)
{
	kvfree(array);
}

#endif /* VB_VERBS_H */
