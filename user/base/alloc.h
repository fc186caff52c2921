/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ALLOC_H
#define ALLOC_H

#include "model/engine.h"

void *alloc_zero(size_t count, size_t size);
void *alloc_grow(void *array, size_t count, size_t size);
char *alloc_copy(const char *s, size_t len);
__printf(1, 2) char *alloc_text(const char *fmt, ...);

#endif /* ALLOC_H */
