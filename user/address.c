// SPDX-License-Identifier: GPL-2.0
#include <netdb.h>
#include <sys/socket.h>

#include "address.h"

/**
 * address_resolve() - the numeric address of a host
 * @key: the option that names it, for the reason
 * @name: the host's name, or an address; "%" and an interface may follow one
 * @buf: where to
 * @size: of @buf
 * @why: the reason of a refusal
 *
 * Return: 0; -EINVAL if there is no such host.
 */
int address_resolve(const char *key, const char *name, char *buf, size_t size,
		    struct icb_reason *why)
{
	static const struct addrinfo hints = { .ai_socktype = SOCK_DGRAM };
	struct addrinfo *list;
	int err;

	err = getaddrinfo(name, NULL, &hints, &list);
	if (err)
		return icb_refuse(why, -EINVAL,
				  "%s: no address for \"%.64s\": %s; accepted: a host's name or address",
				  key, name, gai_strerror(err));
	err = getnameinfo(list->ai_addr, list->ai_addrlen, buf, size, NULL, 0,
			  NI_NUMERICHOST);
	freeaddrinfo(list);
	if (err)
		return icb_refuse(why, -EINVAL, "%s: \"%.64s\": %s", key, name,
				  gai_strerror(err));
	return 0;
}
