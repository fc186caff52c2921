/* SPDX-License-Identifier: GPL-2.0 */
/* What every unit test begins with, in the order that cmocka wants. */
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

/* In a numbered table, which row failed. */
#define assert_row(row, condition)					\
	do {								\
		if (!(condition))					\
			fail_msg("row %zu: %s", (size_t)(row), #condition); \
	} while (0)

#endif /* UNIT_H */
