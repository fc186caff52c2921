/* SPDX-License-Identifier: GPL-2.0 */
/* Safe access to the name of an RDMA device, which may be renamed at any time. */
#ifndef ICB_NAME_H
#define ICB_NAME_H

#include <rdma/ib_verbs.h>

/**
 * icb_device_name() - the name of a device
 * @ibdev: the device
 *
 * A rename frees dev_name() under a lock that only the RDMA core takes. This name is the
 * core's own copy, IB_DEVICE_NAME_MAX bytes in the device, which a rename overwrites. A
 * concurrent reader may see parts of both names, but always a terminating NUL. A caller
 * that measures the length before it copies has to take a copy with strscpy() first.
 *
 * Return: the name, valid as long as the device is present.
 */
static inline const char *icb_device_name(const struct ib_device *ibdev)
{
	return ibdev->name;
}

#endif /* ICB_NAME_H */
