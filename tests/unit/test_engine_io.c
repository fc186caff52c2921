// SPDX-License-Identifier: GPL-2.0
/* The operations of kmod/io, one at a time, with a hostile peer and a network that fails. */
#define NET_CONTRACT

#include "model/rules.h"
#include "model/wire.h"
#include "io/datagrams.h"
#include "io/target.h"
#include "unit.h"
#include "queue.h"

static struct net net;
static struct icb_run runs[NET_SIDES];
static struct icb_params params;
static struct net_config config;
static struct icb_ep *const ep0 = &net.ep[0], *const ep1 = &net.ep[1];

/* The condition that failed first in a task: a task cannot end the test itself. */
static char broken[200];
static void (*body)(void);

#define HOLD(condition)							\
	do {								\
		if (!(condition) && !broken[0])				\
			snprintf(broken, sizeof(broken), "line %d: %s",	\
				 __LINE__, #condition);			\
	} while (0)

/* A condition without which the rest of a function makes no sense. */
#define NEED(condition)							\
	do {								\
		HOLD(condition);					\
		if (!(condition))					\
			return;						\
	} while (0)

/* Wait until all that was posted has arrived and completed. */
static void settle(void)
{
	u64 until = task_now() + 1000000;

	task_lock();
	while (task_now() < until)
		task_wait(NULL, until);
	task_unlock();
}

static void body_task(void *arg)
{
	body();
	net_close(arg);
}

/* Set the parameters of a verb and a trigger, and a network of short delays. */
static void begin(u32 verb, u32 trigger)
{
	icb_params_init(&params);
	icb_params_preset(&params, ICBENCH_A_PARAMS_TRIGGER, trigger);
	icb_params_preset(&params, ICBENCH_A_PARAMS_VERB, verb);
	icb_params_preset(&params, ICBENCH_A_PARAMS_ITERATIONS, 100);
	icb_params_preset(&params, ICBENCH_A_PARAMS_SIZE, 24);
	memset(&config, 0, sizeof(config));
	config.delay = 500;
	config.no_log = true;
	config.lenient = true;
}

static void set_buffers(u32 buffers)
{
	params.buffers = buffers;
	params.given |= BIT_ULL(ICBENCH_A_PARAMS_BUFFERS);
}

/* Run a function over two endpoints. */
static void direct(void (*fn)(void))
{
	const struct task_config task = { .seed = 1, .khz = 3000000, .steps = 1000000 };
	const char *stuck;
	unsigned int i;

	assert_int_equal(icb_params_check(&params, NULL), 0);
	memset(runs, 0, sizeof(runs));
	for (i = 0; i < NET_SIDES; i++)
		runs[i].params = &params;
	broken[0] = '\0';
	body = fn;
	task_init(&task);
	net_open(&net, &config, &params, runs);
	task_start("test", body_task, &net, false);
	net_start(&net);
	stuck = task_run();
	assert_string_equal(stuck ? : "", "");
	assert_string_equal(broken, "");
}

/* End what direct() has begun, whose work requests were all as they should be. */
static void end(void)
{
	assert_string_equal(net.wrong, "");
	net_free(&net);
}

/* Post one operation, with a completion if signal. */
static int post(struct icb_ep *ep, bool signal)
{
	const struct icb_operation op = {
		.set = ICB_OPERATION_SIGNAL,
		.signal = signal,
		.batched = true,
	};

	icb_ep_prep(ep, 0, &op);
	return icb_ep_commit(ep, 1);
}

/* Post a work request that io/ did not prepare, as a hostile peer may. */
static int post_raw(struct icb_ep *ep, u32 qp, struct vb_wr *wr, struct vb_sge *sge,
		    unsigned int sges)
{
	int err;

	wr->next = NULL;
	wr->cqe = &ep->qp[qp].tx_cqe;
	wr->sge = sge;
	wr->num_sge = sges;
	vb_bh_disable();
	err = vb_post_send(ep->qp[qp].ibqp, wr);
	vb_bh_enable();
	return err;
}

static int take(struct icb_ep *ep, struct icb_taken *taken)
{
	int n, all = 0;

	*taken = (struct icb_taken) { 0 };
	while ((n = icb_ep_poll(ep, ICB_EP_TAKE, taken)) > 0)
		all += n;
	return n < 0 ? n : all;
}

/* Explicit credit: one grant for as many messages as the plan says, and no message more. */
static void do_grants(void)
{
	u32 each = ep0->plan.credits.each, ahead = ep0->plan.credits.ahead, i;
	struct icb_taken taken;

	NEED(ep0->plan.credit_explicit && ep1->plan.grants && each > 1);
	HOLD(icb_ep_may_post(ep0, 0, ahead) && !icb_ep_may_post(ep0, 0, ahead + 1));
	for (i = 0; i < each; i++)
		HOLD(!post(ep0, true));
	settle();
	HOLD(take(ep1, &taken) == (int)each && taken.arrived == each);
	for (i = 1; i < each; i++)
		HOLD(!icb_ep_refill(ep1));
	settle();
	HOLD(take(ep0, &taken) == (int)each && taken.own == each && !taken.arrived);
	HOLD(!icb_ep_may_post(ep0, 0, ahead + 1));
	HOLD(!icb_ep_refill(ep1));
	settle();
	HOLD(take(ep0, &taken) == 1 && !taken.own && !taken.arrived);
	HOLD(icb_ep_may_post(ep0, 0, ahead + each));
	HOLD(!icb_ep_may_post(ep0, 0, ahead + each + 1));
	/* the receive of the grant was posted again */
	HOLD(ep0->qp->ibqp->recvs.count == ICB_CREDITS_HEARD);
}

static void test_grants(void **state)
{
	(void)state;
	begin(ICBENCH_VERB_SEND, ICBENCH_TRIGGER_COMPLETION);
	config.iwarp = true;
	direct(do_grants);
	end();
}

/* Implicit credit: each message of the peer is worth one. */
static void do_implicit(void)
{
	u32 ahead = ep0->plan.credits.ahead, i;
	struct icb_taken taken;

	HOLD(ep0->plan.credit_implicit && !ep0->plan.grants);
	HOLD(icb_ep_may_post(ep0, 0, ahead) && !icb_ep_may_post(ep0, 0, ahead + 1));
	for (i = 0; i < 3; i++)
		HOLD(!post(ep1, true));
	settle();
	HOLD(take(ep0, &taken) == 3 && taken.arrived == 3);
	HOLD(!icb_ep_may_post(ep0, 0, ahead + 1));
	for (i = 1; i <= 3; i++) {
		HOLD(!icb_ep_refill(ep0));
		HOLD(icb_ep_may_post(ep0, 0, ahead + i));
		HOLD(!icb_ep_may_post(ep0, 0, ahead + i + 1));
	}
}

static void test_implicit(void **state)
{
	(void)state;
	begin(ICBENCH_VERB_SEND, ICBENCH_TRIGGER_COMPLETION);
	icb_params_preset(&params, ICBENCH_A_PARAMS_DIRECTION, ICBENCH_DIRECTION_BI);
	config.iwarp = true;
	direct(do_implicit);
	end();
}

/* A grant is empty: a message with a payload ends the run. */
static void do_false_grant(void)
{
	struct vb_wr wr = { .opcode = VB_WR_SEND };
	struct icb_taken taken;

	HOLD(!post_raw(ep1, 0, &wr, ep1->post.place->sge, 1));
	settle();
	HOLD(take(ep0, &taken) == -EPROTO);
}

static void test_false_grant(void **state)
{
	(void)state;
	begin(ICBENCH_VERB_SEND, ICBENCH_TRIGGER_COMPLETION);
	config.iwarp = true;
	direct(do_false_grant);
	assert_string_equal(ep0->own.abort.why.text,
			    "the peer sent a message of 24 bytes instead of 0");
	net_free(&net);
}

/* A peer that sends without credit makes this side grant more than it may. */
static void do_flood(void)
{
	u32 each = ep0->plan.credits.each, i;
	struct icb_taken taken;
	int err = 0;

	for (i = 0; i < each * (ICB_CREDITS_GRANTS + 1) && !err; i++) {
		HOLD(!post(ep0, true));
		settle();
		take(ep0, &taken);
		HOLD(take(ep1, &taken) == 1);
		err = icb_ep_refill(ep1);
	}
	HOLD(err == -EPROTO && i == each * (ICB_CREDITS_GRANTS + 1));
}

static void test_flood(void **state)
{
	(void)state;
	begin(ICBENCH_VERB_SEND, ICBENCH_TRIGGER_COMPLETION);
	params.window = 4;
	config.iwarp = true;
	config.faults[1].no_cpl_from = 1;
	direct(do_flood);
	assert_string_equal(ep1->own.abort.why.text,
			    "the peer sends more than was granted");
	net_free(&net);
}

static void do_short(void)
{
	HOLD(!post(ep0, true));
	settle();
	HOLD(icb_ep_poll(ep1, 1, NULL) == -EPROTO);
}

static void do_long(void)
{
	struct vb_wr wr = { .opcode = VB_WR_SEND };
	struct vb_sge sge[2] = { *ep0->post.place->sge, *ep0->post.place->sge };

	sge[1].length = 1;
	ep0->qp->ibqp->max_send_sge = 2;
	HOLD(!post_raw(ep0, 0, &wr, sge, 2));
	settle();
	HOLD(icb_ep_poll(ep1, 1, NULL) == -EPROTO);
}

/* Messages of the wrong length. */
static void test_lengths(void **state)
{
	(void)state;
	begin(ICBENCH_VERB_SEND, ICBENCH_TRIGGER_ECHO);
	config.faults[0].truncate = 1;
	direct(do_short);
	assert_string_equal(ep1->own.abort.why.text,
			    "the peer sent a message of 23 bytes instead of 24");
	end();
	begin(ICBENCH_VERB_SEND, ICBENCH_TRIGGER_ECHO);
	direct(do_long);
	assert_string_equal(ep1->own.abort.why.text,
			    "the peer sent a message of 25 bytes instead of 24");
	end();
}

static void do_broken(void)
{
	HOLD(!post(ep0, true));
	settle();
	HOLD(icb_ep_poll(ep0, 1, NULL) == -ECONNRESET);
}

/* A flushed receive is not the cause: that is in the send CQ. */
static void test_cause(void **state)
{
	(void)state;
	begin(ICBENCH_VERB_SEND, ICBENCH_TRIGGER_ECHO);
	config.faults[0].send = 1;
	direct(do_broken);
	assert_string_equal(ep0->own.abort.why.text,
			    "the data connection broke: transport retry counter exceeded");
	end();
}

static void do_reap(void)
{
	const struct icb_operation op = {
		.set = ICB_OPERATION_SIGNAL,
		.signal = true,
		.reaped = true,
	};

	HOLD(!icb_ep_reap(ep0, false));
	icb_ep_prep(ep0, 0, &op);
	HOLD(!icb_ep_commit(ep0, 1) && ep0->post.signals == 1);
	HOLD(!icb_ep_reap(ep0, false) && ep0->post.signals == 1);
	settle();
	HOLD(icb_ep_reap(ep0, false) == (config.faults[0].send ? -ECONNRESET : 0));
	HOLD(config.faults[0].send || !ep0->post.signals);
}

/* Completions of sends, good and bad. */
static void test_reap(void **state)
{
	unsigned int fails;

	(void)state;
	for (fails = 0; fails < 2; fails++) {
		begin(ICBENCH_VERB_SEND, ICBENCH_TRIGGER_ECHO);
		config.faults[0].send = fails;
		direct(do_reap);
		end();
	}
}

static void do_refused(void)
{
	ep0->post.op->rdma.rkey ^= 1;
	HOLD(!post(ep0, true));
	settle();
	HOLD(icb_ep_reap(ep0, true) == -ECONNRESET);
	HOLD(ep1->own.refused == 1 && !ep1->own.arrived);
}

/* Only the memory that was offered can be written. */
static void test_refused(void **state)
{
	(void)state;
	begin(ICBENCH_VERB_WRITE, ICBENCH_TRIGGER_ECHO);
	direct(do_refused);
	assert_string_equal(ep0->own.abort.why.text,
			    "the data connection broke: remote access error");
	end();
}

/* Each buffer is written to its counterpart, and to no other. */
static void do_targets(void)
{
	struct icb_operation op = {
		.set = ICB_OPERATION_BUFFER | ICB_OPERATION_SIGNAL,
		.signal = true,
		.batched = true,
	};
	struct icb_taken taken;
	u32 i, k;

	NEED(ep0->tx.count > 4 && ep0->tx.count == ep1->rx.count);
	for (i = 0; i < ep0->tx.count; i++)
		memset(net_tx(ep0, i), 1 + i, params.size);
	for (i = 0; i < ep0->tx.count; i++) {
		op.buffer = i;
		icb_ep_prep(ep0, 0, &op);
		HOLD(!icb_ep_commit(ep0, 1));
		settle();
		HOLD(take(ep0, &taken) == 1);
		for (k = 0; k < ep1->rx.count; k++)
			HOLD(net_rx(ep1, k)[0] == (k <= i ? 1 + k : 0) &&
			     net_rx(ep1, k)[params.size - 1] == (k <= i ? 1 + k : 0));
	}
	HOLD(!ep1->own.refused);
}

static void test_targets(void **state)
{
	(void)state;
	begin(ICBENCH_VERB_WRITE, ICBENCH_TRIGGER_COMPLETION);
	set_buffers(8);
	params.given |= BIT_ULL(ICBENCH_A_PARAMS_NOTIFY);
	direct(do_targets);
	end();
}

/* A message ready that this side accepts. */
static struct icb_wire_ready good_offer(void)
{
	struct icb_wire_ready ready = {
		.count = cpu_to_le32(1),
		.stride = cpu_to_le32(4096),
		.region[0] = {
			.addr = cpu_to_le64(0x10000),
			.rkey = cpu_to_le32(77),
			.len = cpu_to_le32(7 * 4096 + 24),
		},
	};

	return ready;
}

static int offer(const struct icb_wire_ready *ready, const char *words)
{
	struct icb_reason why = {};
	int err = icb_ep_target(ep0, 0, ready, &why);

	HOLD(!words || strstr(why.text, words));
	return err;
}

static void do_offers(void)
{
	struct icb_wire_ready ready = good_offer();
	u32 i;

	HOLD(!offer(&ready, NULL));
	for (i = 0; i < 8; i++)
		HOLD(ep0->rail->tx_place[i].remote == 0x10000 + i * 4096 &&
		     ep0->rail->tx_place[i].rkey == 77);
	ready.count = cpu_to_le32(2);
	HOLD(offer(&ready, "offers 2 regions instead of 1") == -EPROTO);
	ready = good_offer();
	ready.count = 0;
	HOLD(offer(&ready, "offers 0 regions instead of 1") == -EPROTO);
	ready = good_offer();
	ready.count = cpu_to_le32(U32_MAX);
	HOLD(offer(&ready, "regions instead of") == -EPROTO);
	ready = good_offer();
	ready.stride = cpu_to_le32(23);
	HOLD(offer(&ready, "regions instead of 8") == -EPROTO);
	ready = good_offer();
	ready.stride = 0;
	HOLD(offer(&ready, "regions instead of 8") == -EPROTO);
	ready = good_offer();
	ready.region[0].len = cpu_to_le32(23);
	HOLD(offer(&ready, "regions instead of 8") == -EPROTO);
	ready = good_offer();
	ready.region[1].rkey = cpu_to_le32(1);
	HOLD(offer(&ready, "malformed") == -EPROTO);
	/* one region for each buffer, the last of which is too short */
	ready = good_offer();
	ready.count = cpu_to_le32(8);
	for (i = 0; i < 8; i++)
		ready.region[i].len = cpu_to_le32(24 - (i == 7));
	HOLD(offer(&ready, "a region of 23 bytes instead of 24") == -EPROTO);
	ready.region[7].len = cpu_to_le32(24);
	HOLD(!offer(&ready, NULL));
}

/* Offers of memory by a peer. */
static void test_offers(void **state)
{
	(void)state;
	begin(ICBENCH_VERB_WRITE, ICBENCH_TRIGGER_COMPLETION);
	set_buffers(8);
	params.given |= BIT_ULL(ICBENCH_A_PARAMS_NOTIFY);
	direct(do_offers);
	end();
}

static int hear(const struct icb_wire_qps *qps)
{
	struct icb_reason why = {};
	int err = icb_ep_set_remote_qps(ep0, 0, qps, &why);

	HOLD(!err == !why.text[0]);
	return err;
}

/* Change one field of a good message, which is refused then. */
#define REFUSED(field, value)						\
	do {								\
		struct icb_wire_qps bad_ = good;			\
		bad_.field = cpu_to_le32(value);			\
		HOLD(hear(&bad_) == -EPROTO);				\
	} while (0)

static void do_qpns(void)
{
	struct icb_wire_qps good = {};

	icb_ep_get_qps(ep1, 0, &good);
	NEED(le32_to_cpu(good.count) == 2);
	HOLD(!hear(&good) && ep0->qp[1].to == vb_qp_num(ep1->qp[1].ibqp));
	REFUSED(qkey, ICB_QKEY_PRIVILEGED);
	REFUSED(first, 1);
	REFUSED(count, 1);
	REFUSED(count, 3);
	REFUSED(count, U32_MAX);
	REFUSED(reserved, 1);
	REFUSED(qpn[0], 1);
	REFUSED(qpn[1], 0xffffff);
	REFUSED(qpn[1], 0);
	REFUSED(qpn[2], 5);
	REFUSED(qpn[ICB_WIRE_QPNS - 1], 5);
	HOLD(ep0->qp[1].to == vb_qp_num(ep1->qp[1].ibqp));
}

/* The numbers of a peer's QPs. */
static void test_qpns(void **state)
{
	(void)state;
	begin(ICBENCH_VERB_SEND, ICBENCH_TRIGGER_COMPLETION);
	icb_params_preset(&params, ICBENCH_A_PARAMS_TRANSPORT, ICBENCH_TRANSPORT_UD);
	icb_params_preset(&params, ICBENCH_A_PARAMS_QPS, 2);
	direct(do_qpns);
	end();
}

/* Take the only message, which has arrived on QP 0. */
static struct icb_cpl arrived(void)
{
	struct icb_taken taken = {};

	settle();
	HOLD(icb_ep_poll(ep1, ICB_EP_TAKE, &taken) == 1 && taken.arrived == 1);
	return icb_ep_cpl(ep1, 0);
}

static void do_foreign(void)
{
	struct vb_sge sge = *ep0->post.place->sge;
	struct vb_wr good = ep0->qp->op[0], wr;
	struct icb_taken taken = {};
	struct icb_cpl cpl;

	good.imm = 5;
	wr = good;
	HOLD(!post_raw(ep0, 0, &wr, &sge, 1));
	cpl = arrived();
	HOLD(cpl.recv && !cpl.foreign && cpl.number == 5 && !cpl.qp);
	/* no immediate data */
	wr = good;
	wr.opcode = VB_WR_SEND;
	HOLD(!post_raw(ep0, 0, &wr, &sge, 1));
	HOLD(arrived().foreign);
	/* another QP than the one that was announced */
	wr = good;
	HOLD(!post_raw(ep0, 1, &wr, &sge, 1));
	HOLD(arrived().foreign);
	/* another length */
	sge.length--;
	wr = good;
	HOLD(!post_raw(ep0, 0, &wr, &sge, 1));
	HOLD(arrived().foreign);
	/* another Q_Key, or no such QP: the device drops the datagram */
	sge.length++;
	wr = good;
	wr.ud.qkey ^= 1;
	HOLD(!post_raw(ep0, 0, &wr, &sge, 1));
	wr = good;
	wr.ud.qpn += 7;
	HOLD(!post_raw(ep0, 0, &wr, &sge, 1));
	settle();
	HOLD(!icb_ep_poll(ep1, ICB_EP_TAKE, &taken));
}

/* Datagrams that are not of the run. */
static void test_foreign(void **state)
{
	(void)state;
	begin(ICBENCH_VERB_SEND, ICBENCH_TRIGGER_COMPLETION);
	icb_params_preset(&params, ICBENCH_A_PARAMS_TRANSPORT, ICBENCH_TRANSPORT_UD);
	icb_params_preset(&params, ICBENCH_A_PARAMS_QPS, 2);
	direct(do_foreign);
	end();
}

/* Receives are posted again in batches, and the queue is never longer than planned. */
static void do_refills(void)
{
	const struct net_ring *recvs = &ep1->qp->ibqp->recvs;
	u32 batch = ep1->plan.rx_batch, depth = ep1->plan.recvs, i;
	struct icb_taken taken;

	HOLD(batch > 1 && recvs->count == depth);
	for (i = 0; i < batch; i++)
		HOLD(!post(ep0, true));
	settle();
	HOLD(take(ep1, &taken) == (int)batch && recvs->count == depth - batch);
	for (i = 1; i < batch; i++)
		HOLD(!icb_ep_refill(ep1) && recvs->count == depth - batch);
	HOLD(!icb_ep_refill(ep1) && recvs->count == depth);
}

static void test_refills(void **state)
{
	(void)state;
	begin(ICBENCH_VERB_SEND, ICBENCH_TRIGGER_COMPLETION);
	direct(do_refills);
	end();
}

/* Several QPs take the buffers in turn. */
static void do_turns(void)
{
	const struct net_recv *recv;
	u32 qp;

	NEED(ep1->rx.count >= 4);
	for (qp = 0; qp < 2; qp++) {
		recv = ring_head(&ep1->qp[qp].ibqp->recvs);
		HOLD(recv->sge[0].addr == ep1->rail->rx_place[qp].sge->addr);
		recv = ring_tail(&ep1->qp[qp].ibqp->recvs);
		HOLD(recv->sge[0].addr ==
		     ep1->rail->rx_place[(qp + 2 * (ep1->plan.recvs - 1)) %
					 ep1->rx.count].sge->addr);
	}
}

static void test_turns(void **state)
{
	(void)state;
	begin(ICBENCH_VERB_SEND, ICBENCH_TRIGGER_ECHO);
	icb_params_preset(&params, ICBENCH_A_PARAMS_QPS, 2);
	set_buffers(4);
	direct(do_turns);
	end();
}

/* One completion frees the entries of the unsignalled sends before it. */
static void do_unsignalled(void)
{
	struct icb_taken taken;
	unsigned int i;

	for (i = 1; i <= 10; i++)
		HOLD(!post(ep0, i == 5 || i == 10));
	settle();
	HOLD(ep0->qp->ibqp->sq_used == 10);
	taken = (struct icb_taken) { 0 };
	HOLD(icb_ep_poll(ep0, 1, &taken) == 1 && taken.own == 1);
	HOLD(ep0->qp->ibqp->sq_used == 5);
	HOLD(take(ep0, &taken) == 1 && !ep0->qp->ibqp->sq_used);
}

static void test_unsignalled(void **state)
{
	(void)state;
	begin(ICBENCH_VERB_SEND, ICBENCH_TRIGGER_COMPLETION);
	direct(do_unsignalled);
	end();
}

/* The device has read inline data when the post returns. */
static void do_inline(void)
{
	memset(net_tx(ep0, 0), 0x11, params.size);
	HOLD(!post(ep0, true));
	memset(net_tx(ep0, 0), 0x22, params.size);
	settle();
	HOLD(net_rx(ep1, 0)[0] == (params.inline_size ? 0x11 : 0x22));
}

static void test_inline(void **state)
{
	u32 size;

	(void)state;
	for (size = 0; size <= 24; size += 24) {
		begin(ICBENCH_VERB_SEND, ICBENCH_TRIGGER_ECHO);
		params.inline_size = size;
		direct(do_inline);
		end();
	}
}

/* A striped message has arrived when its last piece has. */
static void do_stripes(void)
{
	u32 i;

	NEED(ep0->plan.striped && ep0->plan.qps == 3);
	for (i = 0; i < params.size; i++)
		net_tx(ep0, 0)[i] = i;
	HOLD(!post(ep0, true));
	settle();
	if (config.faults[0].drop) {
		HOLD(!icb_ep_poll(ep1, 1, NULL));
		return;
	}
	HOLD(icb_ep_poll(ep1, 1, NULL) == 1 && !icb_ep_poll(ep1, 1, NULL));
	HOLD(!memcmp(net_rx(ep1, 0), net_tx(ep0, 0), params.size));
	HOLD(!icb_ep_refill(ep1));
	for (i = 0; i < 3; i++)
		HOLD(ep1->qp[i].ibqp->recvs.count == ep1->plan.recvs);
}

static void begin_stripes(u32 trigger)
{
	begin(ICBENCH_VERB_WRITE, trigger);
	icb_params_preset(&params, ICBENCH_A_PARAMS_NOTIFY, ICBENCH_NOTIFY_MESSAGE);
	icb_params_preset(&params, ICBENCH_A_PARAMS_SIZE, 1000);
	icb_params_preset(&params, ICBENCH_A_PARAMS_POLICY, ICBENCH_POLICY_STRIPE);
	icb_params_preset(&params, ICBENCH_A_PARAMS_STRIPE_THRESHOLD, 0);
	params.devices = 3;
}

static void test_stripes(void **state)
{
	u64 dropped;

	(void)state;
	/* each piece is a write and the empty send that notifies the peer */
	for (dropped = 0; dropped <= 3; dropped++) {
		begin_stripes(ICBENCH_TRIGGER_ECHO);
		config.faults[0].drop = dropped;
		direct(do_stripes);
		end();
	}
}

/* Functions of a consumer, which count their calls. */
static unsigned int arrivals, completions, failures;

static void on_arrival(struct icb_consumer *consumer, int err)
{
	(void)consumer;
	arrivals++;
	failures += !!err;
}

static void on_completion(struct icb_consumer *consumer, int err)
{
	(void)consumer;
	completions++;
	failures += !!err;
}

static const struct icb_consumer_ops counting = {
	.arrived = on_arrival,
	.completed = on_completion,
};

static void do_callbacks(void)
{
	struct icb_consumer *consumer = &runs[1].consumer;

	runs[0].consumer.ops = &counting;
	consumer->ops = &counting;
	consumer->phase = ICB_PHASE_MEASURING;
	arrivals = 0;
	failures = 0;
	HOLD(!post(ep0, true));
	settle();
	HOLD(arrivals == 1 && !failures);
	/* after the end, only a consumer that listens is called */
	WRITE_ONCE(consumer->phase, ICB_PHASE_OVER);
	HOLD(!post(ep0, true));
	settle();
	HOLD(arrivals == 1);
	WRITE_ONCE(consumer->listens, true);
	HOLD(!post(ep0, true));
	settle();
	HOLD(arrivals == 2);
	/* a failure is reported, but not one that follows a stop */
	WRITE_ONCE(consumer->phase, ICB_PHASE_MEASURING);
	config.faults[1].recv = 4;
	net.config.faults[1].recv = 4;
	HOLD(!post(ep0, true));
	settle();
	HOLD(arrivals == 3 && failures == 1 && consumer->stop == ICB_STOP_ERROR);
	net.config.faults[1].recv = 5;
	HOLD(!post(ep0, true));
	settle();
	HOLD(arrivals == 3);
}

static void test_callbacks(void **state)
{
	(void)state;
	begin(ICBENCH_VERB_SEND, ICBENCH_TRIGGER_ECHO);
	icb_params_preset(&params, ICBENCH_A_PARAMS_COMPLETION, ICBENCH_COMPLETION_SOFTIRQ);
	direct(do_callbacks);
	end();
}

static void do_completions(void)
{
	runs[0].consumer.ops = &counting;
	runs[0].consumer.phase = ICB_PHASE_MEASURING;
	completions = 0;
	HOLD(!post(ep0, true) && !post(ep0, false) && !post(ep0, true));
	settle();
	HOLD(completions == 2);
	WRITE_ONCE(runs[0].consumer.phase, ICB_PHASE_OVER);
	WRITE_ONCE(runs[0].consumer.listens, true);
	HOLD(!post(ep0, true));
	settle();
	HOLD(completions == 2);
}

static void test_completions(void **state)
{
	(void)state;
	begin(ICBENCH_VERB_WRITE, ICBENCH_TRIGGER_COMPLETION);
	params.given |= BIT_ULL(ICBENCH_A_PARAMS_NOTIFY);
	icb_params_preset(&params, ICBENCH_A_PARAMS_COMPLETION, ICBENCH_COMPLETION_SOFTIRQ);
	direct(do_completions);
	end();
}

/* An endpoint that could not be created leaves nothing behind. */
static void test_no_memory(void **state)
{
	unsigned int n, fails = 0;

	(void)state;
	for (n = 1; n < 100; n++) {
		begin_stripes(ICBENCH_TRIGGER_COMPLETION);
		assert_int_equal(icb_params_check(&params, NULL), 0);
		memset(runs, 0, sizeof(runs));
		runs[0].params = &params;
		runs[1].params = &params;
		net_alloc_fails = n;
		net_open(&net, &config, &params, runs);
		fails += !net_alloc_fails;
		assert_int_equal(!net_alloc_fails, !!net.wrong[0]);
		net_alloc_fails = 0;
		net_free(&net);
	}
	assert_in_range(fails, 20, 98);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_grants),
		cmocka_unit_test(test_implicit),
		cmocka_unit_test(test_false_grant),
		cmocka_unit_test(test_flood),
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_cause),
		cmocka_unit_test(test_reap),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_targets),
		cmocka_unit_test(test_offers),
		cmocka_unit_test(test_qpns),
		cmocka_unit_test(test_foreign),
		cmocka_unit_test(test_refills),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_unsignalled),
		cmocka_unit_test(test_inline),
		cmocka_unit_test(test_stripes),
		cmocka_unit_test(test_callbacks),
		cmocka_unit_test(test_completions),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
