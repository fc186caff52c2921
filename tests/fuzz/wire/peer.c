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

/* How often, ms */
#define KNOCK_MS	100

/* 4.096 us * 2^12: to whoever has gone, nothing is repeated for long */
#define ACK_TIMEOUT	12
#define RETRIES		6

/* How long the host has kept this machine from a CPU, ms; see tests/vm/lib/machine.sh. */
static u64 withheld_ms(u64 now)
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
 * given_ms() - a clock that stands still where the host has no CPU for this machine
 *
 * For the ends of waits. What the other side does by its own clock is measured by now_ms().
 *
 * Return: ms; never less than before.
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

/* What this machine lacks is no finding: the harness ends. */
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
 * peer_open() - begin
 * @peer: which
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
 * peer_close() - end, from any state
 * @peer: which
 */
void peer_close(struct peer *peer)
{
	u32 lane;

	if (peer->ud)
		ibv_destroy_qp(peer->ud);
	if (peer->other)
		ibv_destroy_qp(peer->other);
	if (peer->ah)
		ibv_destroy_ah(peer->ah);
	for (lane = 0; lane < LANES; lane++)
		close_end(peer_lane(peer, lane));
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

/* Nothing to be told of: a QP that is broken takes no receives. */
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

static void make_qp(struct peer *peer, struct end *end)
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
	need(!rdma_create_qp(end->id, peer->pd, &attr), "rdma_create_qp");
	need(!rdma_set_option(end->id, RDMA_OPTION_ID,
			      RDMA_OPTION_ID_ACK_TIMEOUT, &timeout,
			      sizeof(timeout)), "rdma_set_option");
	for (i = 0; i < SLOTS; i++)
		post_recv(peer, end, i);
}

/* It is no answer, and comes whenever the other side likes. */
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
	/* there are as many messages as receives */
	msg = &peer->rx[peer->tail++ % SLOTS];
	msg->len = wc->byte_len;
	memcpy(msg->data, peer->memory->rx[wc->wr_id], msg->len);
	if (peer->tail - peer->head < SLOTS)
		post_recv(peer, end, wc->wr_id);
}

static struct end *end_of(struct peer *peer, u32 qp_num)
{
	struct end *end;
	u32 lane;

	if (peer->ud && (peer->ud->qp_num == qp_num ||
			 (peer->other && peer->other->qp_num == qp_num)))
		return &peer->data;
	for (lane = 0; lane < LANES; lane++) {
		end = peer_lane(peer, lane);
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

	/* by who had accepted, and ends without having heard the last word */
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
	return hello->lane < LANES ? peer_lane(peer, hello->lane) : NULL;
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

/* Who finds no receive tries again soon; the connection manager's default is 655 ms. */
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
		/* an identifier is destroyed only when its events are */
		rdma_ack_cm_event(event);
		cm_event(peer, &copy);
	}
	return any;
}

/*
 * siw overlooks what arrives while it accepts a connection, until something else arrives: an
 * empty write, of which nobody hears.
 *
 * Return: for how long to wait at most, ms.
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
 * peer_pump() - handle what has happened, or wait until something does
 * @peer: whose
 * @ms: for so long at most
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

/* Of either family; one that is of a link alone has the link's name behind a %. */
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
	/* the port stands at the same place in both families */
	((struct sockaddr_in *)&sa)->sin_port = htons(port);
	return sa;
}

/**
 * peer_listen() - be a responder
 * @peer: which
 * @addr: at this address
 * @port: and port
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
 * peer_resolve() - find the way and make a QP, but do not connect
 * @peer: whose
 * @end: which connection
 * @addr: where to
 * @port: and which port
 * @ms: limit
 *
 * Return: whether there is a way.
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
	make_qp(peer, end);
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
		.rnr_retry_count = RETRIES,
	};
}

/* A byte for each, in a file of all processes, some of which are killed. */
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
 * peer_connect() - ask for a connection; what becomes of it is in its state
 * @end: resolved
 * @hello: private data
 * @len: bytes of it
 */
void peer_connect(struct end *end, const void *hello, u8 len)
{
	struct rdma_conn_param param = conn_param(hello, len);

	count_attempt();
	if (rdma_connect(end->id, &param))
		end->state = END_CLOSED;
}

/**
 * peer_accept() - accept a connection; what becomes of it is in its state
 * @peer: whose
 * @end: that is asked for
 * @welcome: private data
 * @len: bytes of it
 */
void peer_accept(struct peer *peer, struct end *end, const void *welcome,
		 u8 len)
{
	struct rdma_conn_param param = conn_param(welcome, len);

	count_attempt();
	make_qp(peer, end);
	if (rdma_accept(end->id, &param))
		end->state = END_CLOSED;
}

/**
 * peer_disconnect() - take a connection down, politely
 * @end: in any state
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
	if (ibv_post_send(qp ? : qp_of(peer, end), wr, &bad)) {
		if (!end->status)
			end->status = IBV_WC_GENERAL_ERR;
		return;
	}
	end->sent++;
}

/**
 * peer_post() - post any work request
 * @peer: whose
 * @end: on which connection
 * @wr: all but its SGE
 * @buf: in @peer->memory
 * @len: bytes of it
 *
 * One that is not even taken counts as one that failed.
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
 * @peer: whose
 * @from: which QP; NULL for the one that the other side was told of
 * @wr: its operation and immediate data
 * @buf: in @peer->memory
 * @len: bytes of it
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
 * peer_take_datagrams() - make QPs in the place of the data connection
 * @peer: whose control connection is there
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
 * @end: which
 */
void peer_break(struct end *end)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };

	if (end->id && end->id->qp)
		ibv_modify_qp(end->id->qp, &attr, IBV_QP_STATE);
}

/**
 * peer_over() - whether the other side has let go
 * @peer: of the peer
 *
 * Return: true if the control connection is no more.
 */
bool peer_over(const struct peer *peer)
{
	return peer->ctl.state >= END_REJECTED;
}

/**
 * peer_lane() - the data connection of a lane
 * @peer: whose
 * @lane: less than LANES
 *
 * Return: it.
 */
struct end *peer_lane(struct peer *peer, u32 lane)
{
	return lane ? &peer->more[lane - 1] : &peer->data;
}
