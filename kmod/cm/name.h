/* SPDX-License-Identifier: GPL-2.0 */
/* What an RDMA device is called, which its owner may change at any time. */
#ifndef ICB_NAME_H
#define ICB_NAME_H

#include <rdma/ib_verbs.h>

/**
 * icb_device_name() - the name of a device
 * @ibdev: the device
 *
 * dev_name() is freed by who renames the device, under a lock of the RDMA core alone. This
 * is that core's own copy, of IB_DEVICE_NAME_MAX bytes in the device, which a rename writes
 * over. Who reads just then may find some of either name, but always an end. What is to
 * be measured first and copied then has to be copied by strscpy() before.
 *
 * Return: the name, as long as the device is there.
 */
static inline const char *icb_device_name(const struct ib_device *ibdev)
{
	return ibdev->name;
}

#endif /* ICB_NAME_H */
