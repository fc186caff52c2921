/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LOCKDOWN_H
#define LOCKDOWN_H

#include <stdbool.h>

/* Below which /sys and /lib are looked for: "". Tests have one of their own. */
extern const char *lockdown_root;

/**
 * enum lockdown - what the kernel keeps even from root
 * @LOCKDOWN_NONE: nothing, as far as it tells
 * @LOCKDOWN_INTEGRITY: to change it, as by a module that it does not trust
 * @LOCKDOWN_CONFIDENTIALITY: also to read it, as by a trace
 */
enum lockdown {
	LOCKDOWN_NONE,
	LOCKDOWN_INTEGRITY,
	LOCKDOWN_CONFIDENTIALITY,
};

enum lockdown lockdown_state(void);
bool lockdown_secure_boot(void);
bool lockdown_sig_enforced(void);

#endif /* LOCKDOWN_H */
