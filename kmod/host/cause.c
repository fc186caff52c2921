// SPDX-License-Identifier: GPL-2.0
#include <linux/errno.h>
#include <linux/kernel.h>

#include "cause.h"

/**
 * struct cause - the meaning of an error number
 * @err: positive error number
 * @words: likely cause and its remedy
 */
struct cause {
	int err;
	const char *words;
};

static const struct cause of_route[] = {
	{ ENODEV, "no RDMA device has a route to it; icbenchctl devices lists them" },
	{ ENETUNREACH, "there is no route; see ip route, or give a device" },
	{ EHOSTUNREACH, "no answer; check that the host is up, and on this network" },
	{ EADDRNOTAVAIL, "no RDMA device has the own address" },
	{ EADDRINUSE, "all of its ports are in use" },
	{ EINVAL, "the own address and the address of the peer do not match" },
	{ ETIMEDOUT, "no answer in time" },
	{ ENOMEM, "no memory, or the device has no more resources: rdma resource" },
	{ EACCES, "a route forbids it; see ip route" },
	{ ECONNREFUSED, "its host refused" },
	{ ECONNRESET, "its host reset the connection" },
};

static const struct cause of_device[] = {
	{ ENOMEM, "no memory, or the device has no more; rdma resource shows what is in use" },
	{ ENOSPC, "the device has no more; rdma resource shows what is in use" },
	{ EMFILE, "the device has no more; rdma resource shows what is in use" },
	{ EAGAIN, "the device has no more now; try again" },
	{ EBUSY, "it is in use; try again" },
	{ EINTR, "interrupted" },
	{ EINVAL, "the driver refuses it; the kernel's log may have the reason" },
	{ ERANGE, "more than the driver supports" },
	{ EOPNOTSUPP, "the driver does not support it" },
	{ ENODEV, "the device is being removed" },
	{ ENETDOWN, "its port is down" },
	{ EIO, "the device has failed; the kernel's log may have the reason" },
	{ ETIMEDOUT, "the device does not answer; the kernel's log may have the reason" },
};

static const char *find(const struct cause *cause, size_t count, int err,
			const char *other)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (cause[i].err == -err)
			return cause[i].words;
	return other;
}

/**
 * icb_cause_of_route() - explain why an address cannot be reached
 * @err: negative error number of the connection manager
 *
 * Return: words.
 */
const char *icb_cause_of_route(int err)
{
	return find(of_route, ARRAY_SIZE(of_route), err,
		    "the connection manager refused");
}

/**
 * icb_cause_of_device() - explain why a device or the kernel refused a request
 * @err: negative error number
 *
 * Return: words.
 */
const char *icb_cause_of_device(int err)
{
	return find(of_device, ARRAY_SIZE(of_device), err,
		    "the kernel's log may have the reason");
}
