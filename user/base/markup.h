/* SPDX-License-Identifier: GPL-2.0 */
#ifndef MARKUP_H
#define MARKUP_H

#include <stdbool.h>
#include <stdio.h>

bool markup_escape(FILE *f, char c);

#endif /* MARKUP_H */
