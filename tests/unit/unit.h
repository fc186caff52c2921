/* SPDX-License-Identifier: GPL-2.0 */
/* Headers and macros of all unit tests, in the order that cmocka needs. */
#ifndef UNIT_H
#define UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Assert a condition for a row of a table; a failure reports the row. */
#define assert_row(row, condition)					\
	do {								\
		if (!(condition))					\
			fail_msg("row %zu: %s", (size_t)(row), #condition); \
	} while (0)

#endif /* UNIT_H */
