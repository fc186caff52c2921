/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LOADING_H
#define LOADING_H

#include "model/engine.h"

void loading_refuse(struct icb_reason *why);
char *loading_other_kernels(void);

#endif /* LOADING_H */
