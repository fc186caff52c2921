/* SPDX-License-Identifier: GPL-2.0 */
/* Connecting to the module, and reporting its refusals, for all subcommands. */
#ifndef MODULE_H
#define MODULE_H

#include "nl.h"

struct nl *module_open(void);
int module_status(int err);
const char *module_hint(int err);
int module_refused(int err, const struct icb_reason *why);

#endif /* MODULE_H */
