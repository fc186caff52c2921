// SPDX-License-Identifier: GPL-2.0
/*
 * Opens netlink sockets and receives messages. libnl only builds and parses messages.
 * Sending and receiving bypasses libnl, because libnl 3.7 drops the kernel's message that
 * accompanies an error, and drops the error at the end of a dump.
 */
#include <sys/socket.h>
#include <sys/time.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>

#include "base/alloc.h"
#include "model/engine.h"
#include "socket.h"

/*
 * Longest wait for a reply. The module replies while it handles the request or, to a
 * deletion, when the deleted object is released, which may have to wait for a peer's
 * device. After this time there will be no reply.
 */
#define ANSWER_SECONDS	120
/* Size of the receive buffer: more than the kernel puts into one datagram. */
#define RECEIVE_BYTES	0x10000

/* Receive one whole datagram. Return: bytes; -1 with errno. */
static ssize_t receive_any(int fd, void **buf, int flags,
			   struct sockaddr_nl *from)
{
	socklen_t from_len = sizeof(*from);
	ssize_t len;

	if (!*buf)
		*buf = alloc_zero(RECEIVE_BYTES, 1);
	memset(from, 0, sizeof(*from));
	len = recvfrom(fd, *buf, RECEIVE_BYTES, MSG_TRUNC | flags,
		       (struct sockaddr *)from, &from_len);
	if (len <= RECEIVE_BYTES)
		return len;
	errno = EMSGSIZE;
	return -1;
}

/**
 * socket_receive() - receive a datagram of whole messages
 * @sock: the socket
 * @buf: buffer for the messages; allocated if it is NULL
 * @flags: flags of recvfrom()
 *
 * Return: bytes; 0 if nothing was received; a negative error number.
 */
ssize_t socket_receive(struct nl_sock *sock, void **buf, int flags)
{
	struct sockaddr_nl from = { 0 };
	ssize_t len;

	/* ignore datagrams of other processes, which can also write to this socket */
	do {
		len = receive_any(nl_socket_get_fd(sock), buf, flags, &from);
	} while (len < 0 ? errno == EINTR :
		 from.nl_family == AF_NETLINK && from.nl_pid);
	if (len < 0)
		return errno == EAGAIN ? 0 : -errno;
	return len;
}

static void set_option(struct nl_sock *sock, int option)
{
	int on = 1;

	/* an error is ignored: an older kernel without the option sends shorter errors */
	setsockopt(nl_socket_get_fd(sock), SOL_NETLINK, option, &on,
		   sizeof(on));
}

/**
 * socket_open() - open a generic netlink socket
 * @why: the reason of a failure
 *
 * Return: the socket, for nl_socket_free(); NULL with a reason.
 */
struct nl_sock *socket_open(struct icb_reason *why)
{
	static const struct timeval limit = { .tv_sec = ANSWER_SECONDS };
	struct nl_sock *sock = nl_socket_alloc();
	int err;

	if (!sock) {
		icb_refuse(why, -ENOMEM, "out of memory");
		return NULL;
	}
	err = genl_connect(sock);
	if (err) {
		icb_refuse(why, -EIO, "no generic netlink in this kernel: %s",
			   nl_geterror(err));
		nl_socket_free(sock);
		return NULL;
	}
	set_option(sock, NETLINK_EXT_ACK);
	set_option(sock, NETLINK_CAP_ACK);
	setsockopt(nl_socket_get_fd(sock), SOL_SOCKET, SO_RCVTIMEO, &limit,
		   sizeof(limit));
	return sock;
}
