/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LINK_H
#define LINK_H

#include <stdint.h>

/**
 * struct family - numbers that generic netlink has assigned
 * @id: message type of the module
 * @group: multicast group of its events
 */
struct family {
	uint16_t id;
	uint32_t group;
};

int link_open(void);
int link_find(struct family *family);
int link_join(int fd, uint32_t group);

#endif /* LINK_H */
