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
	{ ENODEV, "no RDMA device leads there; icbenchctl devices lists them" },
	{ ENETUNREACH, "there is no route; see ip route, or name the device" },
	{ EHOSTUNREACH, "nobody answers; is it up, and on this network?" },
	{ EADDRNOTAVAIL, "the own address is not one of an RDMA device" },
	{ EADDRINUSE, "its ports are all in use" },
	{ EINVAL, "the own and the other address do not fit" },
	{ ETIMEDOUT, "no answer in time" },
	{ ENOMEM, "no memory, or no more of what the device has: rdma resource" },
	{ EACCES, "a route forbids it; see ip route" },
	{ ECONNREFUSED, "its host refuses" },
	{ ECONNRESET, "its host broke it off" },
};

static const struct cause of_device[] = {
	{ ENOMEM, "no memory, or no more of it; rdma resource tells what is in use" },
	{ ENOSPC, "no more of it; rdma resource tells what is in use" },
	{ EMFILE, "no more of it; rdma resource tells what is in use" },
	{ EAGAIN, "no more of it now; try again" },
	{ EBUSY, "it is in use; try again" },
	{ EINTR, "interrupted" },
	{ EINVAL, "the driver does not take it; the kernel's log may tell why" },
	{ ERANGE, "more than the driver takes" },
	{ EOPNOTSUPP, "the driver does not have it" },
	{ ENODEV, "the device goes" },
	{ ENETDOWN, "its port is down" },
	{ EIO, "the device has failed; the kernel's log may tell why" },
	{ ETIMEDOUT, "the device does not answer; the kernel's log may tell why" },
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
		    "the connection manager refuses");
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
		    "the kernel's log may tell why");
}
