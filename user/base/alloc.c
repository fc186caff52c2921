// SPDX-License-Identifier: GPL-2.0
/*
 * Memory for a short-lived program: where there is none, it says so and exits,
 * and the kernel ends the jobs of a socket that closes.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "message.h"
#include "status.h"

static void *check(void *p)
{
	if (!p) {
		message("out of memory");
		exit(STATUS_FAILED);
	}
	return p;
}

/**
 * alloc_zero() - memory, zeroed
 * @count: how many
 * @size: bytes of each
 *
 * Return: memory for the caller to free(); never NULL.
 */
void *alloc_zero(size_t count, size_t size)
{
	return check(calloc(count ? count : 1, size));
}

/**
 * alloc_grow() - room for one more
 * @array: array of @count, or NULL; not to be used any more
 * @count: how many it holds
 * @size: bytes of each
 *
 * Return: the array, its new last element zeroed; for the caller to free().
 */
void *alloc_grow(void *array, size_t count, size_t size)
{
	/* doubling, at the powers of two */
	if (!(count & (count - 1)))
		array = check(reallocarray(array, count ? 2 * count : 1, size));
	memset((char *)array + count * size, 0, size);
	return array;
}

/**
 * alloc_copy() - a copy of some bytes
 * @s: the bytes
 * @len: how many
 *
 * Return: the copy, with a NUL behind it, for the caller to free().
 */
char *alloc_copy(const char *s, size_t len)
{
	char *copy = alloc_zero(len + 1, 1);

	memcpy(copy, s, len);
	return copy;
}

/**
 * alloc_text() - a string
 * @fmt: as for printf()
 *
 * Return: the string, for the caller to free().
 */
char *alloc_text(const char *fmt, ...)
{
	va_list args;
	char *s;
	int len;

	va_start(args, fmt);
	len = vasprintf(&s, fmt, args);
	va_end(args);
	return check(len < 0 ? NULL : s);
}
