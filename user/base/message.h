/* SPDX-License-Identifier: GPL-2.0 */
#ifndef MESSAGE_H
#define MESSAGE_H

#include "model/engine.h"

void __printf(1, 2) message(const char *fmt, ...);
int __printf(1, 2) message_usage(const char *fmt, ...);
const char *message_last(void);

#endif /* MESSAGE_H */
