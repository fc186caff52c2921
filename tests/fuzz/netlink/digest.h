/* SPDX-License-Identifier: GPL-2.0 */
/* FNV-1a hash that identifies a sequence of datagrams. */
#ifndef DIGEST_H
#define DIGEST_H

#include "datagram.h"

#define DIGEST_NONE	0xcbf29ce484222325

static inline uint64_t digest_bytes(uint64_t digest, const void *data, size_t len)
{
	const unsigned char *p = data;

	while (len--)
		digest = (digest ^ *p++) * 0x100000001b3;
	return digest;
}

static inline uint64_t digest_add(uint64_t digest, const struct datagram *d)
{
	digest = digest_bytes(digest, &d->len, sizeof(d->len));
	digest = digest_bytes(digest, &d->abandon, sizeof(d->abandon));
	return digest_bytes(digest, d->buf, d->len);
}

#endif /* DIGEST_H */
