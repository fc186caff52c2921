/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LOCKDOWN_H
#define LOCKDOWN_H

#include <stdbool.h>

/* Prefix of all paths under /sys and /lib: ""; tests set a directory of their own. */
extern const char *lockdown_root;

/**
 * enum lockdown - lockdown state, which restricts even root
 * @LOCKDOWN_NONE: no lockdown, as far as is known
 * @LOCKDOWN_INTEGRITY: the kernel cannot be changed, for example by an unsigned module
 * @LOCKDOWN_CONFIDENTIALITY: in addition, kernel data cannot be read, for example by a
 *	trace
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
