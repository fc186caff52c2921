/* SPDX-License-Identifier: GPL-2.0 */
/* BLAKE2s (RFC 7693), independent of the kernel's, which has to give the same result. */
#ifndef BLAKE2S_H
#define BLAKE2S_H

#include <stddef.h>
#include <stdint.h>

#define BLAKE2S_BLOCK	64
#define BLAKE2S_MOST	32

void blake2s(uint8_t *out, size_t out_len, const uint8_t *in, size_t in_len,
	     const uint8_t *key, size_t key_len);

#endif /* BLAKE2S_H */
