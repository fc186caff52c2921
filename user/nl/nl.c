// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <unistd.h>
#include <netlink/genl/ctrl.h>
#include <netlink/netlink.h>

#include "base/alloc.h"
#include "loading.h"
#include "nl.h"
#include "socket.h"

/**
 * nl_begin() - connect to the module
 * @why: the reason of a refusal, with a remedy
 *
 * Return: the connection, for nl_end(); NULL with a reason.
 */
struct nl *nl_begin(struct icb_reason *why)
{
	struct nl *nl = alloc_zero(1, sizeof(*nl));

	nl->request = socket_open(why);
	if (!nl->request)
		goto free;
	nl->family = genl_ctrl_resolve(nl->request, ICBENCH_FAMILY_NAME);
	if (nl->family < 0 && !access("/sys/module/icbench", F_OK)) {
		icb_refuse(why, -ENOENT,
			   "icbench works in the initial network namespace only; run it there: sudo nsenter -t 1 -n icbenchctl ...");
		goto free;
	}
	if (nl->family < 0) {
		loading_refuse(why);
		goto free;
	}
	return nl;

free:
	nl_end(nl);
	return NULL;
}

/**
 * nl_port() - get the netlink port by which the module identifies the owner of jobs
 * @nl: the connection
 *
 * Return: the port of the socket for requests.
 */
u32 nl_port(const struct nl *nl)
{
	return nl_socket_get_local_port(nl->request);
}

/**
 * nl_end() - close a connection
 * @nl: the connection; its jobs and listeners end with it
 */
void nl_end(struct nl *nl)
{
	nl_socket_free(nl->events);
	nl_socket_free(nl->request);
	free(nl->event_buf);
	free(nl->buf);
	free(nl);
}
