// SPDX-License-Identifier: GPL-2.0
/*
 * libnl builds and parses messages; sending and receiving them is done by hand,
 * because libnl 3.7 drops what the kernel says in words with an error, and the
 * error at the end of a dump altogether.
 */
#include <sys/socket.h>
#include <sys/time.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>

#include "base/alloc.h"
#include "model/engine.h"
#include "socket.h"

/*
 * The module answers from within the request, or when what is deleted has let go, for which
 * a peer's device may have to be waited for: longer means never.
 */
#define ANSWER_SECONDS	120
/* More than the kernel puts into one buffer. */
#define RECEIVE_BYTES	0x10000

/* One datagram, whole. Return: bytes; -1 with errno. */
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
 * socket_receive() - receive whole messages
 * @sock: the socket
 * @buf: where to put the buffer that they are in; it is allocated if that is NULL
 * @flags: of recvfrom()
 *
 * Return: bytes; 0 if there is nothing; a negative error number.
 */
ssize_t socket_receive(struct nl_sock *sock, void **buf, int flags)
{
	struct sockaddr_nl from = { 0 };
	ssize_t len;

	/* other processes can write to this socket, too: let them */
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

	/* an older kernel has fewer words: no reason to stop */
	setsockopt(nl_socket_get_fd(sock), SOL_NETLINK, option, &on,
		   sizeof(on));
}

/**
 * socket_open() - open a socket of generic netlink
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
