/* SPDX-License-Identifier: GPL-2.0 */
/* Where this host's routes lead: which own address to use, and why nobody answers. */
#ifndef ICB_ROUTE_H
#define ICB_ROUTE_H

#include <linux/types.h>

struct rdma_cm_id;
struct sockaddr;
struct sockaddr_storage;

/* The connection manager keeps the index of a GID in eight bits. */
#define ICB_CONN_MAX_GID	U8_MAX

/* A doubt is no longer. */
#define ICB_ROUTE_WORDS	112

bool icb_route_source(const struct sockaddr *dst, struct sockaddr_storage *src);
bool icb_route_leads(const struct sockaddr *dst, const struct sockaddr *src,
		     int ifindex);
bool icb_route_is_own(const struct sockaddr *addr);
const char *icb_route_doubt(const struct rdma_cm_id *id, char *words);

#endif /* ICB_ROUTE_H */
