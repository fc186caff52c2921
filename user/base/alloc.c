// SPDX-License-Identifier: GPL-2.0
/*
 * Allocation for a short-lived program. On failure the program reports it and exits; the
 * kernel ends the jobs of the closed socket.
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
 * alloc_zero() - allocate zeroed memory
 * @count: number of elements
 * @size: size of an element, bytes
 *
 * Return: memory for the caller to free(); never NULL.
 */
void *alloc_zero(size_t count, size_t size)
{
	return check(calloc(count ? count : 1, size));
}

/**
 * alloc_grow() - make room for one more element in an array
 * @array: array of @count elements, or NULL; not valid afterwards
 * @count: number of elements in @array
 * @size: size of an element, bytes
 *
 * Return: the array, its new last element zeroed; for the caller to free().
 */
void *alloc_grow(void *array, size_t count, size_t size)
{
	/* the capacity doubles when the count reaches a power of two */
	if (!(count & (count - 1)))
		array = check(reallocarray(array, count ? 2 * count : 1, size));
	memset((char *)array + count * size, 0, size);
	return array;
}

/**
 * alloc_copy() - copy some bytes
 * @s: the bytes
 * @len: number of bytes
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
 * alloc_text() - format a string
 * @fmt: format as for printf()
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
