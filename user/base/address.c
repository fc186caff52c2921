// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>

#include "address.h"

static bool is_number(const char *s)
{
	return *s && strspn(s, "0123456789") == strlen(s);
}

/* The colon of HOST:PORT or [IPV6]:PORT; NULL where there is no port. */
static const char *find_port(const char *name)
{
	const char *colon = strrchr(name, ':');

	if (!colon || !is_number(colon + 1))
		return NULL;
	if (*name == '[')
		return colon > name && colon[-1] == ']' ? colon : NULL;
	/* an IPv6 address has more than one colon */
	return colon > name && strchr(name, ':') == colon ? colon : NULL;
}

/*
 * Refuse a string that is no address; show the address in it if it has a port or
 * brackets.
 */
static int refuse(const char *key, const char *name, int err,
		  struct icb_reason *why)
{
	const char *colon = find_port(name);
	int skip = *name == '[', len = strlen(name);

	if (colon)
		len = colon - name;
	len -= 2 * skip;
	if (colon)
		return icb_refuse(why, -EINVAL,
				  "%s: \"%.64s\" has a port; accepted: %.*s, together with --cm-port %.5s",
				  key, name, len > 64 ? 64 : len, name + skip,
				  colon + 1);
	if (skip && len > 0 && name[len + 1] == ']')
		return icb_refuse(why, -EINVAL,
				  "%s: \"%.64s\" is in brackets; accepted: %.*s",
				  key, name, len > 64 ? 64 : len, name + 1);
	return icb_refuse(why, -EINVAL,
			  "%s: no address for \"%.64s\": %s; accepted: a host's name or address",
			  key, name, gai_strerror(err));
}

/* Convert an IPv4-mapped IPv6 address to IPv4: GIDs are listed in the mapped form. */
static bool unmap(const struct addrinfo *info, char *buf, size_t size)
{
	const struct sockaddr_in6 *sin6 = (const void *)info->ai_addr;

	return info->ai_family == AF_INET6 &&
	       IN6_IS_ADDR_V4MAPPED(&sin6->sin6_addr) &&
	       inet_ntop(AF_INET, &sin6->sin6_addr.s6_addr[12], buf, size);
}

/**
 * address_resolve() - resolve a host to its numeric address
 * @key: option with the host, for the reason
 * @name: host name or address; "%" and an interface may follow an address
 * @buf: set to the address
 * @size: size of @buf, bytes
 * @why: the reason of a refusal
 *
 * An IPv4-mapped IPv6 address is converted to IPv4.
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
		return refuse(key, name, err, why);
	if (!unmap(list, buf, size))
		err = getnameinfo(list->ai_addr, list->ai_addrlen, buf, size,
				  NULL, 0, NI_NUMERICHOST);
	freeaddrinfo(list);
	if (err)
		return icb_refuse(why, -EINVAL, "%s: \"%.64s\": %s", key, name,
				  gai_strerror(err));
	return 0;
}
