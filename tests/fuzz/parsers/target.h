/* SPDX-License-Identifier: GPL-2.0 */
/* Entry point that libFuzzer calls. */
#ifndef TARGET_H
#define TARGET_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif /* TARGET_H */
