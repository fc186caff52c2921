// SPDX-License-Identifier: GPL-2.0
#include <linux/module.h>
#include <net/genetlink.h>
#include <uapi/linux/icbench.h>

#include "cm/device.h"
#include "cm/link.h"
#include "cm/source.h"
#include "host/clock.h"
#include "host/pin.h"
#include "netlink/netlink.h"
#include "run/job.h"
#include "run/listening.h"
#include "run/responder.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

static int __init icb_init(void)
{
	int err;

	icb_clock_init();
	err = icb_pin_init();
	if (err)
		return err;
	err = icb_jobs_init(icb_netlink_job_changed);
	if (err)
		goto exit_pin;
	err = icb_device_init();
	if (err)
		goto exit_jobs;
	err = icb_source_init();
	if (err)
		goto exit_device;
	err = icb_link_init();
	if (err)
		goto exit_source;
	icb_listeners_init(icb_respond, icb_netlink_refused);
	err = icb_netlink_init();
	if (err)
		goto exit_link;
	return 0;

exit_link:
	icb_link_exit();
exit_source:
	icb_source_exit();
exit_device:
	icb_device_exit();
exit_jobs:
	icb_jobs_exit();
exit_pin:
	icb_pin_exit();
	return err;
}

static void __exit icb_exit(void)
{
	icb_jobs_close();
	icb_netlink_exit();
	icb_listeners_exit();
	icb_jobs_exit();
	icb_link_exit();
	icb_source_exit();
	icb_device_exit();
	icb_pin_exit();
}

module_init(icb_init);
module_exit(icb_exit);

MODULE_DESCRIPTION("Measure what a cluster interconnect costs, from inside the kernel");
MODULE_AUTHOR("The icbench developers");
MODULE_LICENSE("GPL");
MODULE_VERSION(ICBENCH_VERSION);
MODULE_ALIAS_GENL_FAMILY(ICBENCH_FAMILY_NAME);
