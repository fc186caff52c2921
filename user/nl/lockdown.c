// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "lockdown.h"

#define SECURE_BOOT							\
	"/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"

const char *lockdown_root = "";

/* What a file of the kernel's begins with. Return: bytes; -1 where there is none. */
static ssize_t begin_of(const char *name, char *buf, size_t size)
{
	char *path = alloc_text("%s%s", lockdown_root, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = -1;

	free(path);
	if (fd < 0)
		return -1;
	len = read(fd, buf, size - 1);
	close(fd);
	if (len >= 0)
		buf[len] = '\0';
	return len;
}

/**
 * lockdown_state() - how far the kernel is locked down
 *
 * Return: what it tells; LOCKDOWN_NONE where it has no lockdown, or securityfs is
 * not mounted.
 */
enum lockdown lockdown_state(void)
{
	char text[128];

	/* "none [integrity] confidentiality" */
	if (begin_of("/sys/kernel/security/lockdown", text, sizeof(text)) < 0)
		return LOCKDOWN_NONE;
	if (strstr(text, "[confidentiality]"))
		return LOCKDOWN_CONFIDENTIALITY;
	return strstr(text, "[integrity]") ? LOCKDOWN_INTEGRITY : LOCKDOWN_NONE;
}

/**
 * lockdown_secure_boot() - whether the firmware has started signed code alone
 *
 * Return: true if it tells so.
 */
bool lockdown_secure_boot(void)
{
	char text[8];

	/* four bytes of attributes, then the value */
	return begin_of(SECURE_BOOT, text, sizeof(text)) == 5 && text[4] == 1;
}

/**
 * lockdown_sig_enforced() - whether the kernel asks for signed modules by itself
 *
 * Return: true if so; it may do so by its lockdown, too.
 */
bool lockdown_sig_enforced(void)
{
	char text[8];

	return begin_of("/sys/module/module/parameters/sig_enforce", text,
			sizeof(text)) > 0 && *text == 'Y';
}
