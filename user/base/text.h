/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>

size_t text_utf8(const char *s);
bool text_is_clean(const char *s);
void text_one_line(char *s);
char *text_trim(char *s);
const char *text_closest(const char *word, const char *const *words);

#endif /* TEXT_H */
