// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "peer.h"
#include "verb.h"

#define SENDS		64
#define WR_SEND		0x100
#define WR_KNOCK	0x200

/* Interval of the writes that make siw notice a message, ms. */
#define KNOCK_MS	100

/* 4.096 us * 2^12, so that retries to a peer that has gone end soon */
#define ACK_TIMEOUT	12
#define RETRIES		6
/* without end, as icbench: a busy host may keep this process from posting receives in time */
#define RNR_RETRIES	7

/**
 * withheld_ms() - get the time for which the host has withheld a CPU from this machine
 * @now: present time, ms
 *
 * See tests/vm/lib/machine.sh. For one thread.
 *
 * Return: time since the machine started, ms; at most 200 ms old.
 */
u64 withheld_ms(u64 now)
{
	static u64 ms, looked;
	unsigned long long found;
	FILE *file;

	if (looked && now - looked < 200)
		return ms;
	looked = now;
	file = fopen("/run/icbench/withheld", "r");
	if (!file)
		return ms;
	if (fscanf(file, "%llu", &found) == 1)
		ms = found;
	fclose(file);
	return ms;
}

u64 now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ULL + ts.tv_nsec / 1000000;
}

/**
 * given_ms() - clock that stops while the host withholds a CPU from this machine
 *
 * For the ends of waits. What the other side does by its own clock is measured by
 * now_ms().
 *
 * Return: time, ms; never less than before.
 */
u64 given_ms(void)
{
	static u64 last;
	u64 now = now_ms();

	now -= withheld_ms(now);
	if (now > last)
		last = now;
	return last;
}

/* A resource that this machine lacks is not a test result: the harness exits. */
static void need(bool good, const char *what)
{
	if (!good)
		err(3, "%s", what);
}

static void no_block(int fd)
{
	need(!fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK), "fcntl");
}

/**
 * peer_open() - initialise a peer
 * @peer: peer
 */
void peer_open(struct peer *peer)
{
	memset(peer, 0, sizeof(*peer));
	peer->channel = rdma_create_event_channel();
	need(peer->channel, "rdma_create_event_channel");
	no_block(peer->channel->fd);
	need(!posix_memalign((void **)&peer->memory, 4096,
			     sizeof(*peer->memory)), "memory");
	memset(peer->memory, 0, sizeof(*peer->memory));
}

static struct ibv_qp *qp_of(const struct peer *peer, const struct end *end)
{
	return end == &peer->data && peer->ud ? peer->ud : end->id->qp;
}

static void close_end(struct end *end)
{
	if (!end->id)
		return;
	if (end->id->qp)
		rdma_destroy_qp(end->id);
	rdma_destroy_id(end->id);
}

/**
 * peer_close() - release a peer, in any state
 * @peer: peer
 */
void peer_close(struct peer *peer)
{
	u32 qp;

	if (peer->ud)
		ibv_destroy_qp(peer->ud);
	if (peer->other)
		ibv_destroy_qp(peer->other);
	if (peer->ah)
		ibv_destroy_ah(peer->ah);
	for (qp = 0; qp < QPS; qp++)
		close_end(peer_qp(peer, qp));
	close_end(&peer->ctl);
	if (peer->listener)
		rdma_destroy_id(peer->listener);
	if (peer->pd) {
		ibv_destroy_cq(peer->cq);
		ibv_destroy_comp_channel(peer->comp);
		ibv_dereg_mr(peer->closed);
		ibv_dereg_mr(peer->mr);
		ibv_dealloc_pd(peer->pd);
	}
	rdma_destroy_event_channel(peer->channel);
	free(peer->memory);
}

static void use_device(struct peer *peer, struct ibv_context *device)
{
	if (peer->pd)
		return;
	peer->pd = ibv_alloc_pd(device);
	need(peer->pd, "ibv_alloc_pd");
	peer->comp = ibv_create_comp_channel(device);
	need(peer->comp, "ibv_create_comp_channel");
	no_block(peer->comp->fd);
	peer->cq = ibv_create_cq(device, 8 * SENDS, NULL, peer->comp, 0);
	need(peer->cq, "ibv_create_cq");
	peer->mr = ibv_reg_mr(peer->pd, peer->memory, sizeof(*peer->memory),
			      IBV_ACCESS_LOCAL_WRITE |
			      IBV_ACCESS_REMOTE_WRITE |
			      IBV_ACCESS_REMOTE_READ |
			      IBV_ACCESS_REMOTE_ATOMIC);
	need(peer->mr, "ibv_reg_mr");
	peer->closed = ibv_reg_mr(peer->pd, peer->memory,
				  sizeof(*peer->memory),
				  IBV_ACCESS_LOCAL_WRITE);
	need(peer->closed, "ibv_reg_mr");
}

/* A failure is ignored: a QP in the error state takes no receives. */
static void post_recv(struct peer *peer, struct end *end, unsigned int slot)
{
	bool ctl = end == &peer->ctl;
	struct ibv_sge sge = {
		.addr = (uintptr_t)(ctl ? peer->memory->rx[slot] :
					  peer->memory->data_rx[slot]),
		.length = ctl ? SLOT_SIZE : DATA_SIZE,
		.lkey = peer->mr->lkey,
	};
	struct ibv_recv_wr wr = { .wr_id = slot, .sg_list = &sge, .num_sge = 1 };
	struct ibv_recv_wr *bad;

	ibv_post_recv(qp_of(peer, end), &wr, &bad);
}

/* Return: false if the other side has left meanwhile. */
static bool make_qp(struct peer *peer, struct end *end)
{
	struct ibv_qp_init_attr attr = {
		.qp_type = IBV_QPT_RC,
		.sq_sig_all = 1,
		.cap.max_send_wr = SENDS,
		.cap.max_recv_wr = SLOTS,
		.cap.max_send_sge = 1,
		.cap.max_recv_sge = 1,
	};
	u8 timeout = ACK_TIMEOUT;
	unsigned int i;

	use_device(peer, end->id->verbs);
	attr.send_cq = peer->cq;
	attr.recv_cq = peer->cq;
	if (rdma_create_qp(end->id, peer->pd, &attr)) {
		need(errno == EINVAL, "rdma_create_qp");
		return false;
	}
	need(!rdma_set_option(end->id, RDMA_OPTION_ID,
			      RDMA_OPTION_ID_ACK_TIMEOUT, &timeout,
			      sizeof(timeout)), "rdma_set_option");
	for (i = 0; i < SLOTS; i++)
		post_recv(peer, end, i);
	return true;
}

/* A nudge or measured message answers nothing and may arrive at any time. */
static bool is_nudge(const u8 *data, u32 len)
{
	const struct icb_wire_head *head = (const void *)data;

	return len == sizeof(*head) && head->magic == ICB_WIRE_MAGIC &&
	       (head->type == ICB_WIRE_NUDGE ||
		head->type == ICB_WIRE_MEASURED) && head->len == len;
}

static void received(struct peer *peer, struct end *end,
		     const struct ibv_wc *wc)
{
	struct message *msg;

	if (end != &peer->ctl) {
		peer->seen++;
		peer->last = wc->wr_id;
		if (!peer->deaf)
			post_recv(peer, end, wc->wr_id);
		return;
	}
	if (is_nudge(peer->memory->rx[wc->wr_id], wc->byte_len)) {
		if (!peer->deaf)
			post_recv(peer, end, wc->wr_id);
		return;
	}
	/* the ring has one entry per receive: post again only if an entry is free */
	msg = &peer->rx[peer->tail++ % SLOTS];
	msg->len = wc->byte_len;
	memcpy(msg->data, peer->memory->rx[wc->wr_id], msg->len);
	if (peer->tail - peer->head < SLOTS)
		post_recv(peer, end, wc->wr_id);
}

static struct end *end_of(struct peer *peer, u32 qp_num)
{
	struct end *end;
	u32 qp;

	if (peer->ud && (peer->ud->qp_num == qp_num ||
			 (peer->other && peer->other->qp_num == qp_num)))
		return &peer->data;
	for (qp = 0; qp < QPS; qp++) {
		end = peer_qp(peer, qp);
		if (end->id && end->id->qp && end->id->qp->qp_num == qp_num)
			return end;
	}
	return &peer->ctl;
}

static bool pump_cq(struct peer *peer)
{
	bool any = false;
	struct ibv_wc wc;
	struct end *end;

	while (peer->cq && ibv_poll_cq(peer->cq, 1, &wc) > 0) {
		any = true;
		end = end_of(peer, wc.qp_num);
		if (wc.wr_id & WR_KNOCK)
			continue;
		if (wc.wr_id & WR_SEND)
			end->sent--;
		if (wc.status != IBV_WC_SUCCESS && !end->status)
			end->status = wc.status;
		if (wc.status == IBV_WC_SUCCESS && !(wc.wr_id & WR_SEND))
			received(peer, end, &wc);
	}
	return any;
}

static void rejected(struct end *end, const struct rdma_cm_event *event)
{
	const struct icb_wire_reject *reject = event->param.conn.private_data;

	/*
	 * the peer had accepted, but ended before the last message of the handshake
	 * arrived
	 */
	if (end->state == END_CONNECTED) {
		end->state = END_CLOSED;
		return;
	}
	end->state = END_REJECTED;
	if (reject && event->param.conn.private_data_len >= sizeof(*reject) &&
	    reject->magic == ICB_WIRE_MAGIC)
		memcpy(end->words, reject->words, ICB_WIRE_WORDS);
}

/* The first request is for the control connection, the others for data. */
static struct end *asked_for(struct peer *peer, const struct icb_wire_hello *hello)
{
	if (!peer->ctl.id)
		return &peer->ctl;
	return hello->qp < QPS ? peer_qp(peer, hello->qp) : NULL;
}

static void requested(struct peer *peer, const struct rdma_cm_event *event)
{
	struct end *end = asked_for(peer, event->param.conn.private_data);

	if (!end || end->id) {
		rdma_reject(event->id, NULL, 0);
		return;
	}
	end->id = event->id;
	end->id->context = end;
	end->state = END_REQUESTED;
	memcpy(&peer->hello, event->param.conn.private_data,
	       sizeof(peer->hello));
}

/*
 * A sender that finds no receive retries soon; the connection manager's default is 655
 * ms.
 */
static void be_quick(struct end *end)
{
	struct ibv_qp_attr attr = { .min_rnr_timer = 12 }; /* 0.64 ms */

	if (end->id->qp)
		ibv_modify_qp(end->id->qp, &attr, IBV_QP_MIN_RNR_TIMER);
}

static void established(struct peer *peer, struct end *end,
			const struct rdma_cm_event *event)
{
	end->state = END_CONNECTED;
	be_quick(end);
	if (end == &peer->ctl &&
	    event->param.conn.private_data_len >= sizeof(peer->welcome))
		memcpy(&peer->welcome, event->param.conn.private_data,
		       sizeof(peer->welcome));
}

static void cm_event(struct peer *peer, const struct rdma_cm_event *event)
{
	struct end *end = event->id->context;

	switch (event->event) {
	case RDMA_CM_EVENT_ADDR_RESOLVED:
		end->state = END_ADDRESS;
		break;
	case RDMA_CM_EVENT_ROUTE_RESOLVED:
		end->state = END_ROUTE;
		break;
	case RDMA_CM_EVENT_CONNECT_REQUEST:
		requested(peer, event);
		break;
	case RDMA_CM_EVENT_ESTABLISHED:
		established(peer, end, event);
		break;
	case RDMA_CM_EVENT_REJECTED:
		rejected(end, event);
		break;
	case RDMA_CM_EVENT_TIMEWAIT_EXIT:
		break;
	default:
		end->state = END_CLOSED;
		break;
	}
}

static bool pump_cm(struct peer *peer)
{
	struct rdma_cm_event *event, copy;
	bool any = false;
	u8 data[256];

	while (!rdma_get_cm_event(peer->channel, &event)) {
		any = true;
		copy = *event;
		if (event->param.conn.private_data) {
			memcpy(data, event->param.conn.private_data,
			       event->param.conn.private_data_len);
			copy.param.conn.private_data = data;
		}
		/* an identifier can be destroyed only after its events are acknowledged */
		rdma_ack_cm_event(event);
		cm_event(peer, &copy);
	}
	return any;
}

/*
 * siw overlooks a message that arrives while it accepts a connection, until another one
 * arrives. Send an empty write, which raises no event at the peer.
 *
 * Return: longest time to wait, ms.
 */
static int knock(struct peer *peer, int ms)
{
	struct ibv_send_wr wr = {
		.wr_id = WR_KNOCK, .opcode = IBV_WR_RDMA_WRITE,
	};
	struct ibv_send_wr *bad;

	if (!peer->knock || peer->tail || peer->ctl.state != END_CONNECTED)
		return ms;
	if (now_ms() >= peer->knock) {
		ibv_post_send(peer->ctl.id->qp, &wr, &bad);
		peer->knock = now_ms() + KNOCK_MS;
	}
	return ms > KNOCK_MS ? KNOCK_MS : ms;
}

/**
 * peer_pump() - handle what has happened, or wait for an event
 * @peer: peer
 * @ms: longest time to wait, ms
 */
void peer_pump(struct peer *peer, int ms)
{
	struct pollfd fds[] = {
		{ .fd = peer->channel->fd, .events = POLLIN },
		{ .fd = peer->comp ? peer->comp->fd : -1, .events = POLLIN },
	};
	struct ibv_cq *cq;
	void *context;

	if (pump_cm(peer) | pump_cq(peer))
		return;
	if (peer->cq) {
		ibv_req_notify_cq(peer->cq, 0);
		if (pump_cq(peer))
			return;
	}
	poll(fds, 2, knock(peer, ms));
	if (peer->cq && !ibv_get_cq_event(peer->comp, &cq, &context))
		ibv_ack_cq_events(cq, 1);
}

/* IPv4 or IPv6. A link-local address ends with a % and the name of the link. */
static struct sockaddr_storage address(const char *addr, u16 port)
{
	struct addrinfo *found, hints = {
		.ai_flags = AI_NUMERICHOST,
		.ai_socktype = SOCK_STREAM,
	};
	struct sockaddr_storage sa = { 0 };

	need(!getaddrinfo(addr, NULL, &hints, &found), addr);
	memcpy(&sa, found->ai_addr, found->ai_addrlen);
	freeaddrinfo(found);
	/* the port is at the same offset in both families */
	((struct sockaddr_in *)&sa)->sin_port = htons(port);
	return sa;
}

/**
 * peer_listen() - listen as a responder
 * @peer: peer
 * @addr: address to listen at
 * @port: port to listen at
 */
void peer_listen(struct peer *peer, const char *addr, u16 port)
{
	struct sockaddr_storage sa = address(addr, port);

	need(!rdma_create_id(peer->channel, &peer->listener, NULL,
			     RDMA_PS_TCP), "rdma_create_id");
	need(!rdma_bind_addr(peer->listener, (struct sockaddr *)&sa),
	     "rdma_bind_addr");
	need(!rdma_listen(peer->listener, SLOTS), "rdma_listen");
}

/**
 * peer_resolve() - resolve address and route and create a QP, but do not connect
 * @peer: peer
 * @end: connection
 * @addr: destination address
 * @port: destination port
 * @ms: limit of each of the two steps, ms
 *
 * Return: true if there is a route.
 */
bool peer_resolve(struct peer *peer, struct end *end, const char *addr,
		  u16 port, int ms)
{
	struct sockaddr_storage sa = address(addr, port);

	memset(end, 0, sizeof(*end));
	need(!rdma_create_id(peer->channel, &end->id, end, RDMA_PS_TCP),
	     "rdma_create_id");
	if (rdma_resolve_addr(end->id, NULL, (struct sockaddr *)&sa, ms) ||
	    !peer_wait(peer, end->state == END_ADDRESS ||
			     end->state == END_CLOSED, ms) ||
	    end->state == END_CLOSED)
		return false;
	if (rdma_resolve_route(end->id, ms) ||
	    !peer_wait(peer, end->state == END_ROUTE ||
			     end->state == END_CLOSED, ms) ||
	    end->state == END_CLOSED)
		return false;
	need(make_qp(peer, end), "rdma_create_qp");
	return true;
}

static struct rdma_conn_param conn_param(const void *data, u8 len)
{
	return (struct rdma_conn_param) {
		.private_data = data,
		.private_data_len = len,
		.responder_resources = 1,
		.initiator_depth = 1,
		.retry_count = RETRIES,
		.rnr_retry_count = RNR_RETRIES,
	};
}

/* Append one byte to a file that all processes share; some of them are killed. */
static void count_attempt(void)
{
	const char *path = getenv("WIRE_ATTEMPTS");
	static int fd = -1;

	if (fd < 0 && path)
		fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	if (fd >= 0)
		need(write(fd, "", 1) == 1, path);
}

/**
 * peer_connect() - request a connection
 * @end: resolved connection; its state shows the result
 * @hello: private data
 * @len: length of the private data, bytes
 */
void peer_connect(struct end *end, const void *hello, u8 len)
{
	struct rdma_conn_param param = conn_param(hello, len);

	count_attempt();
	if (rdma_connect(end->id, &param))
		end->state = END_CLOSED;
}

/**
 * peer_accept() - accept a connection
 * @peer: peer
 * @end: requested connection; its state shows the result
 * @welcome: private data
 * @len: length of the private data, bytes
 */
void peer_accept(struct peer *peer, struct end *end, const void *welcome,
		 u8 len)
{
	struct rdma_conn_param param = conn_param(welcome, len);

	count_attempt();
	if (!make_qp(peer, end) || rdma_accept(end->id, &param))
		end->state = END_CLOSED;
}

/**
 * peer_disconnect() - disconnect in the regular way
 * @end: connection in any state
 */
void peer_disconnect(struct end *end)
{
	if (end->id && end->state >= END_CONNECTED)
		rdma_disconnect(end->id);
}

static void post(struct peer *peer, struct end *end, struct ibv_qp *qp,
		 struct ibv_send_wr *wr, void *buf, u32 len)
{
	struct ibv_sge sge = {
		.addr = (uintptr_t)buf,
		.length = len,
		.lkey = peer->mr->lkey,
	};
	struct ibv_send_wr *bad;

	wr->wr_id = WR_SEND;
	wr->sg_list = &sge;
	wr->num_sge = len ? 1 : 0;
	peer_wait(peer, end->sent < SENDS / 2 || end->status, 1000);
	if (!qp)
		qp = qp_of(peer, end);
	/* there is no QP if the other side had left before it was accepted */
	if (!qp || ibv_post_send(qp, wr, &bad)) {
		if (!end->status)
			end->status = IBV_WC_GENERAL_ERR;
		return;
	}
	end->sent++;
}

/**
 * peer_post() - post a send work request
 * @peer: peer
 * @end: connection
 * @wr: work request without its SGE
 * @buf: buffer in @peer->memory
 * @len: length, bytes
 *
 * A work request that cannot be posted counts as failed.
 */
void peer_post(struct peer *peer, struct end *end, struct ibv_send_wr *wr,
	       void *buf, u32 len)
{
	post(peer, end, NULL, wr, buf, len);
	if (end == &peer->ctl && !peer->knock && verb_iwarp())
		peer->knock = now_ms() + KNOCK_MS;
}

/**
 * peer_datagram() - send a datagram to the other side's QP
 * @peer: peer
 * @from: QP to send from; NULL for the QP whose number the other side received
 * @wr: work request with operation and immediate data
 * @buf: buffer in @peer->memory
 * @len: length, bytes
 */
void peer_datagram(struct peer *peer, struct ibv_qp *from,
		   struct ibv_send_wr *wr, void *buf, u32 len)
{
	wr->wr.ud.ah = peer->ah;
	wr->wr.ud.remote_qpn = peer->to.qpn;
	wr->wr.ud.remote_qkey = peer->to.qkey;
	post(peer, &peer->data, from, wr, buf, len);
}

static struct ibv_qp *datagram_qp(struct peer *peer)
{
	struct ibv_qp_init_attr init = {
		.qp_type = IBV_QPT_UD,
		.sq_sig_all = 1,
		.send_cq = peer->cq,
		.recv_cq = peer->cq,
		.cap.max_send_wr = SENDS,
		.cap.max_recv_wr = SLOTS,
		.cap.max_send_sge = 1,
		.cap.max_recv_sge = 1,
	};
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = peer->ctl.id->port_num,
		.qkey = OWN_QKEY,
	};
	struct ibv_qp *qp = ibv_create_qp(peer->pd, &init);

	need(qp, "ibv_create_qp");
	need(!ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX |
				       IBV_QP_PORT | IBV_QP_QKEY), "INIT");
	attr.qp_state = IBV_QPS_RTR;
	need(!ibv_modify_qp(qp, &attr, IBV_QP_STATE), "RTR");
	attr.qp_state = IBV_QPS_RTS;
	need(!ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN), "RTS");
	return qp;
}

/**
 * peer_take_datagrams() - create datagram QPs instead of a data connection
 * @peer: peer with an established control connection
 */
void peer_take_datagrams(struct peer *peer)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;
	unsigned int i;

	need(!ibv_query_qp(peer->ctl.id->qp, &attr, IBV_QP_AV, &init),
	     "ibv_query_qp");
	peer->ah = ibv_create_ah(peer->pd, &attr.ah_attr);
	need(peer->ah, "ibv_create_ah");
	peer->ud = datagram_qp(peer);
	peer->other = datagram_qp(peer);
	for (i = 0; i < SLOTS; i++)
		post_recv(peer, &peer->data, i);
}

/**
 * peer_break() - move the QP of a connection to the error state
 * @end: connection
 */
void peer_break(struct end *end)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };

	if (end->id && end->id->qp)
		ibv_modify_qp(end->id->qp, &attr, IBV_QP_STATE);
}

/**
 * peer_over() - check whether the other side has ended the control connection
 * @peer: peer
 *
 * Return: true if the control connection was rejected or closed.
 */
bool peer_over(const struct peer *peer)
{
	return peer->ctl.state >= END_REJECTED;
}

/**
 * peer_qp() - data connection by QP index
 * @peer: peer
 * @qp: QP index, less than QPS
 *
 * Return: the connection.
 */
struct end *peer_qp(struct peer *peer, u32 qp)
{
	return qp ? &peer->more[qp - 1] : &peer->data;
}
