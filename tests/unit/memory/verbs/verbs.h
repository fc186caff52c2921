/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stands in for kmod/verbs/verbs.h: the verbs of a provider whose devices are joined by a
 * network in memory (net.h). The contract is that of kmod/verbs/verbs.h.
 *
 * A device address of memory, an address in a region, and the address for the CPU differ, and
 * each device has keys of its own: a work request that mixes them fails.
 */
#ifndef VB_VERBS_H
#define VB_VERBS_H

#include "model/engine.h"
#include "task.h"

struct icb_ep;
struct icb_qp;
struct net;
struct vb_cq;
struct vb_wc;

/* Opcodes and flags of send work requests. */
#define VB_WR_SEND		IB_UVERBS_WR_SEND
#define VB_WR_SEND_WITH_IMM	IB_UVERBS_WR_SEND_WITH_IMM
#define VB_SEND_SIGNALED	0x1
#define VB_SEND_INLINE		0x2

/* Rights of a region. */
#define VB_ACCESS_LOCAL_WRITE	IB_UVERBS_ACCESS_LOCAL_WRITE
#define VB_ACCESS_REMOTE_WRITE	IB_UVERBS_ACCESS_REMOTE_WRITE

/* Bytes in front of a datagram in its receive buffer. */
#define VB_GRH_LEN		40

/**
 * struct vb_device - one device
 * @name: name
 * @net: network of the device
 * @side: side that the device belongs to
 * @index: index of the device on its side
 * @attrs: limits
 */
struct vb_device {
	char name[32];
	struct net *net;
	unsigned int side;
	unsigned int index;
	struct {
		u32 max_send_sge;
		u32 max_recv_sge;
		u32 max_sge_rd;
		u32 max_fast_reg_page_list_len;
	} attrs;
};

/**
 * struct vb_pd - a protection domain
 * @device: device of the protection domain
 * @lkey: local key of all memory that is mapped for the device
 */
struct vb_pd {
	struct vb_device *device;
	u32 lkey;
};

/**
 * struct vb_mr - a region
 * @next: next region of the side
 * @device: device of the region
 * @lkey: local key
 * @rkey: remote key
 * @iova: address of the first byte, in the region
 * @addr: address of the first byte, for the CPU
 * @len: length, bytes
 * @access: rights, IB_UVERBS_ACCESS_*
 */
struct vb_mr {
	struct vb_mr *next;
	struct vb_device *device;
	u32 lkey;
	u32 rkey;
	u64 iova;
	u8 *addr;
	u64 len;
	int access;
};

/**
 * struct vb_ah - an address handle
 * @side: side that datagrams are sent to
 */
struct vb_ah {
	unsigned int side;
};

/**
 * struct vb_cqe - completion entry
 * @done: completion function
 */
struct vb_cqe {
	void (*done)(struct vb_cq *cq, struct vb_wc *wc);
};

/**
 * struct vb_sge - scatter-gather entry
 * @addr: address: of the device, of a region, or of the CPU for inline data
 * @length: length, bytes
 * @lkey: key that the address belongs to
 */
struct vb_sge {
	u64 addr;
	u32 length;
	u32 lkey;
};

/**
 * struct vb_wr - send work request
 * @next: next work request of the list; NULL for none
 * @opcode: enum ib_uverbs_wr_opcode
 * @flags: enum ib_uverbs_send_flags
 * @cqe: completion entry
 * @sge: local memory
 * @num_sge: number of entries of @sge
 * @imm: immediate data
 * @rdma: remote memory of a write or a read
 * @atomic: remote memory and operands of an atomic
 * @ud: destination of a datagram
 *
 * As in in-kernel verbs, the last three share memory.
 */
struct vb_wr {
	struct vb_wr *next;
	u32 opcode;
	int flags;
	struct vb_cqe *cqe;
	struct vb_sge *sge;
	u32 num_sge;
	u32 imm;
	union {
		struct {
			u64 addr;
			u32 rkey;
		} rdma;
		struct {
			u64 addr;
			u64 compare_add;
			u64 swap;
			u32 rkey;
		} atomic;
		struct {
			struct vb_ah *ah;
			u32 qpn;
			u32 qkey;
		} ud;
	};
};

/**
 * struct vb_recv_wr - receive
 * @next: next receive of the list; NULL for none
 * @cqe: completion entry
 * @sge: memory of the message
 * @num_sge: number of entries of @sge
 */
struct vb_recv_wr {
	struct vb_recv_wr *next;
	struct vb_cqe *cqe;
	struct vb_sge *sge;
	u32 num_sge;
};

/**
 * enum vb_status - outcome of a work request
 * @VB_OK: it is done
 * @VB_FLUSHED: its QP had failed before
 * @VB_BROKEN: the connection failed
 * @VB_ACCESS: the peer does not allow the access to its memory
 * @VB_LENGTH: a message is longer than its receive
 */
enum vb_status {
	VB_OK,
	VB_FLUSHED,
	VB_BROKEN,
	VB_ACCESS,
	VB_LENGTH,
};

/**
 * struct vb_wc - a completion
 * @cqe: completion entry of the work request
 * @status: enum vb_status
 * @len: bytes that a receive has taken; with those in front of a datagram
 * @has_imm: the message carries immediate data
 * @imm: immediate data
 * @src_qp: number of the QP that a datagram comes from
 */
struct vb_wc {
	struct vb_cqe *cqe;
	int status;
	u32 len;
	bool has_imm;
	u32 imm;
	u32 src_qp;
};

static inline void vb_wr_set_opcode(struct vb_wr *wr, u32 opcode)
{
	wr->opcode = opcode;
}

static inline void vb_wr_set_flags(struct vb_wr *wr, int flags)
{
	wr->flags = flags;
}

static inline void vb_wr_set_cqe(struct vb_wr *wr, struct vb_cqe *cqe)
{
	wr->cqe = cqe;
}

static inline void vb_wr_end(struct vb_wr *wr)
{
	wr->next = NULL;
}

static inline void vb_wr_link(struct vb_wr *wr, struct vb_wr *next)
{
	wr->next = next;
}

static inline void vb_wr_set_local(struct vb_wr *wr, struct vb_sge *sge, u32 num_sge)
{
	wr->sge = sge;
	wr->num_sge = num_sge;
}

static inline void vb_wr_set_num_sge(struct vb_wr *wr, u32 num_sge)
{
	wr->num_sge = num_sge;
}

static inline void vb_wr_set_remote(struct vb_wr *wr, u64 addr, u32 rkey)
{
	wr->rdma.addr = addr;
	wr->rdma.rkey = rkey;
}

static inline bool vb_is_atomic(u32 opcode)
{
	return opcode == IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD ||
	       opcode == IB_UVERBS_WR_ATOMIC_CMP_AND_SWP;
}

static inline void vb_wr_set_remote_of(struct vb_wr *wr, u64 addr, u32 rkey)
{
	if (!vb_is_atomic(wr->opcode)) {
		vb_wr_set_remote(wr, addr, rkey);
		return;
	}
	wr->atomic.addr = addr;
	wr->atomic.rkey = rkey;
}

static inline void vb_wr_set_imm(struct vb_wr *wr, u32 number)
{
	wr->imm = number;
}

static inline void vb_wr_set_operands(struct vb_wr *wr, u64 compare_add, u64 swap)
{
	wr->atomic.compare_add = compare_add;
	wr->atomic.swap = swap;
}

static inline void vb_wr_set_destination(struct vb_wr *wr, struct vb_ah *ah, u32 qpn, u32 qkey)
{
	wr->ud.ah = ah;
	wr->ud.qpn = qpn;
	wr->ud.qkey = qkey;
}

static inline void vb_recv_set_cqe(struct vb_recv_wr *wr, struct vb_cqe *cqe)
{
	wr->cqe = cqe;
}

static inline void vb_recv_link(struct vb_recv_wr *wr, struct vb_recv_wr *next)
{
	wr->next = next;
}

static inline struct vb_recv_wr *vb_recv_next(const struct vb_recv_wr *wr)
{
	return wr->next;
}

static inline void vb_recv_set_local(struct vb_recv_wr *wr, struct vb_sge *sge, u32 num_sge)
{
	wr->sge = sge;
	wr->num_sge = num_sge;
}

static inline struct vb_cqe *vb_wc_cqe(const struct vb_wc *wc)
{
	return wc->cqe;
}

static inline void vb_wc_set_cqe(struct vb_wc *wc, struct vb_cqe *cqe)
{
	wc->cqe = cqe;
}

static inline bool vb_wc_ok(const struct vb_wc *wc)
{
	return wc->status == VB_OK;
}

static inline bool vb_wc_flushed(const struct vb_wc *wc)
{
	return wc->status == VB_FLUSHED;
}

static inline u32 vb_wc_len(const struct vb_wc *wc)
{
	return wc->len;
}

static inline bool vb_wc_has_imm(const struct vb_wc *wc)
{
	return wc->has_imm;
}

static inline u32 vb_wc_imm(const struct vb_wc *wc)
{
	return wc->imm;
}

static inline u32 vb_wc_src_qp(const struct vb_wc *wc)
{
	return wc->src_qp;
}

static inline void vb_wc_copy(struct vb_wc *to, const struct vb_wc *from)
{
	to->len = from->len;
	to->has_imm = from->has_imm;
	to->imm = from->imm;
	to->src_qp = from->src_qp;
}

static inline const char *vb_device_name(const struct vb_device *dev)
{
	return dev->name;
}

static inline u32 vb_pd_lkey(const struct vb_pd *pd)
{
	return pd->lkey;
}

static inline u32 vb_mr_lkey(const struct vb_mr *mr)
{
	return mr->lkey;
}

static inline u64 vb_mr_addr(const struct vb_mr *mr)
{
	return mr->iova;
}

/* Times are ticks of task.h. */
#define VB_NO_LIMIT	TASK_FOREVER

static inline unsigned long vb_limit(u64 ns)
{
	return task_ticks(ns) + 1;
}

static inline unsigned long vb_deadline(u64 ns)
{
	return task_now() + vb_limit(ns);
}

struct vb_qp;

int vb_post_send(struct vb_qp *qp, const struct vb_wr *wr);
int vb_post_recv(struct vb_qp *qp, const struct vb_recv_wr *wr);
int vb_poll(struct vb_cq *cq, int limit, struct vb_wc *wc);
void vb_process(struct vb_cq *cq);
void vb_bh_disable(void);
void vb_bh_enable(void);
u32 vb_qp_num(const struct vb_qp *qp);
const char *vb_wc_text(const struct vb_wc *wc);
void *vb_alloc(size_t count, size_t size);
void vb_free(const void *array);

#endif /* VB_VERBS_H */
