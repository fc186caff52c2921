// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include <unistd.h>
#include <sys/socket.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "link.h"
#include "table.h"

#define SOCKET_BYTES	(2 << 20)

static void option(int fd, int level, int name, int value)
{
	setsockopt(fd, level, name, &value, sizeof(value));
}

/**
 * link_open() - open a generic netlink socket with extended acks
 *
 * Return: the socket; -1 on failure.
 */
int link_open(void)
{
	struct sockaddr_nl any = { .nl_family = AF_NETLINK };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);

	if (fd < 0)
		return -1;
	option(fd, SOL_NETLINK, NETLINK_EXT_ACK, 1);
	option(fd, SOL_SOCKET, SO_SNDBUFFORCE, SOCKET_BYTES);
	option(fd, SOL_SOCKET, SO_RCVBUFFORCE, SOCKET_BYTES);
	if (!bind(fd, (struct sockaddr *)&any, sizeof(any)))
		return fd;
	close(fd);
	return -1;
}

/**
 * link_join() - join a multicast group
 * @fd: socket
 * @group: number of the group
 *
 * Return: 0; -1 on failure.
 */
int link_join(int fd, uint32_t group)
{
	return setsockopt(fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group,
			  sizeof(group));
}

static const struct nlattr *find(const void *data, size_t len, int type)
{
	const char *p = data, *end = p + len;
	const struct nlattr *attr;

	for (; p + NLA_HDRLEN <= end; p += NLA_ALIGN(attr->nla_len)) {
		attr = (const struct nlattr *)p;
		if (attr->nla_len < NLA_HDRLEN)
			break;
		if ((attr->nla_type & NLA_TYPE_MASK) == type)
			return attr;
	}
	return NULL;
}

static const struct nlattr *find_inner(const struct nlattr *nest, int type)
{
	return nest ? find(nest + 1, nest->nla_len - NLA_HDRLEN, type) : NULL;
}

/* The module has one multicast group. */
static int read_family(struct family *family, const void *data, size_t len)
{
	const struct nlattr *id = find(data, len, CTRL_ATTR_FAMILY_ID);
	const struct nlattr *groups = find(data, len, CTRL_ATTR_MCAST_GROUPS);
	const struct nlattr *group = find_inner(find_inner(groups, 1),
						CTRL_ATTR_MCAST_GRP_ID);

	if (!id || !group)
		return -1;
	memcpy(&family->id, id + 1, sizeof(family->id));
	memcpy(&family->group, group + 1, sizeof(family->group));
	return 0;
}

/**
 * link_find() - look up the module's family
 * @family: result
 *
 * Return: 0; -1 if the family does not exist.
 */
int link_find(struct family *family)
{
	struct {
		struct nlmsghdr head;
		struct genlmsghdr genl;
		struct nlattr attr;
		char name[32];
	} ask = {
		.head = {
			.nlmsg_len = sizeof(ask),
			.nlmsg_type = GENL_ID_CTRL,
			.nlmsg_flags = NLM_F_REQUEST,
		},
		.genl = { .cmd = CTRL_CMD_GETFAMILY, .version = 1 },
		.attr = { .nla_type = CTRL_ATTR_FAMILY_NAME },
	};
	static char answer[16384];
	const struct nlmsghdr *head = (void *)answer;
	int fd = link_open(), err = -1;
	ssize_t len;

	strncpy(ask.name, family_name, sizeof(ask.name) - 1);
	ask.attr.nla_len = NLA_HDRLEN + strlen(ask.name) + 1;
	ask.head.nlmsg_len = offsetof(typeof(ask), attr) + NLA_ALIGN(ask.attr.nla_len);
	if (fd >= 0 && send(fd, &ask, ask.head.nlmsg_len, 0) > 0) {
		len = recv(fd, answer, sizeof(answer), 0);
		if (len > (ssize_t)(NLMSG_HDRLEN + GENL_HDRLEN) &&
		    head->nlmsg_type == GENL_ID_CTRL)
			err = read_family(family, answer + NLMSG_HDRLEN + GENL_HDRLEN,
					  len - NLMSG_HDRLEN - GENL_HDRLEN);
	}
	close(fd);
	return err;
}
