/* SPDX-License-Identifier: GPL-2.0 */
/* Replacements of send() and recvfrom(), which the linker inserts. */
#ifndef WRAP_H
#define WRAP_H

#include <sys/socket.h>

ssize_t __wrap_send(int fd, const void *buf, size_t len, int flags);
ssize_t __wrap_recvfrom(int fd, void *buf, size_t len, int flags,
			struct sockaddr *from, socklen_t *from_len);

#endif /* WRAP_H */
