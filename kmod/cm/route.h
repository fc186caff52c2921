/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lookups in this host's routing tables, and the likely cause why a peer does not answer.
 */
#ifndef ICB_ROUTE_H
#define ICB_ROUTE_H

#include <linux/types.h>

struct rdma_cm_id;
struct sockaddr;
struct sockaddr_storage;

/* The connection manager stores a GID index in eight bits. */
#define ICB_CONN_MAX_GID	U8_MAX

/* Size of the text of icb_route_diagnose(), bytes. */
#define ICB_ROUTE_WORDS	112

bool icb_route_source(const struct sockaddr *dst, struct sockaddr_storage *src);
bool icb_route_leads(const struct sockaddr *dst, const struct sockaddr *src,
		     int ifindex);
bool icb_route_is_own(const struct sockaddr *addr);
const char *icb_route_diagnose(const struct rdma_cm_id *id, char *words);

#endif /* ICB_ROUTE_H */
