/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the subcommands do alike with the module: tell the user what is wrong,
 * and exit accordingly.
 */
#ifndef MODULE_H
#define MODULE_H

#include "nl.h"

struct nl *module_open(void);
int module_status(int err);
int module_refused(int err, const struct icb_reason *why);

#endif /* MODULE_H */
