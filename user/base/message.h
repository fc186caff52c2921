/* SPDX-License-Identifier: GPL-2.0 */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdbool.h>

#include "model/engine.h"

void __printf(1, 2) message(const char *fmt, ...);
int __printf(1, 2) message_usage(const char *fmt, ...);
void __printf(1, 2) message_remark(const char *fmt, ...);
void message_quiet(void);
bool message_is_quiet(void);
const char *message_last(void);

#endif /* MESSAGE_H */
