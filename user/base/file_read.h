/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FILE_READ_H
#define FILE_READ_H

#include <stddef.h>

#include "model/engine.h"

char *file_read(const char *path, const char *accepted, size_t most,
		size_t *len, struct icb_reason *why);

#endif /* FILE_READ_H */
