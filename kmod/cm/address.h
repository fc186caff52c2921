/* SPDX-License-Identifier: GPL-2.0 */
/* Parsing of addresses, and the search for the addresses of a device. */
#ifndef ICB_ADDRESS_H
#define ICB_ADDRESS_H

#include <linux/socket.h>
#include <linux/types.h>

struct ib_device;
struct icb_device;
struct icb_reason;

/* Any GID index: the user gave none. */
#define ICB_ANY_GID	(-1)

/**
 * struct icb_address - where a device can be reached
 * @addr: IP address, with port number 0
 * @port: port of the device
 */
struct icb_address {
	struct sockaddr_storage addr;
	u32 port;
};

/* Returns true if a port of a device suits the intended run. */
typedef bool (*icb_address_suits)(const struct ib_device *ibdev, u32 port,
				  const void *data);

int icb_address_read(const char *key, const char *text, u32 port,
		     struct sockaddr_storage *addr, struct icb_reason *why);
int icb_address_read_peer(const char *text, u32 port,
			  struct sockaddr_storage *addr, struct icb_reason *why);
int icb_address_of(struct icb_device *dev, u32 port, int gid_index,
		   const struct sockaddr_storage *peer,
		   struct icb_address *address, struct icb_reason *why);
struct icb_device *icb_address_any(u32 port, icb_address_suits suits,
				   const void *data,
				   struct icb_address *address,
				   struct icb_reason *why);

#endif /* ICB_ADDRESS_H */
