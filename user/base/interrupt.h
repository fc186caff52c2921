/* SPDX-License-Identifier: GPL-2.0 */
#ifndef INTERRUPT_H
#define INTERRUPT_H

#include <stdbool.h>

int interrupt_open(void);
bool interrupt_take(int fd);
const char *interrupt_name(void);

#endif /* INTERRUPT_H */
