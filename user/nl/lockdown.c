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

/* Read the beginning of a file of the kernel. Return: bytes; -1 if it cannot be read. */
static ssize_t read_start(const char *name, char *buf, size_t size)
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
 * lockdown_state() - get the lockdown state of the kernel
 *
 * Return: the state; LOCKDOWN_NONE if the kernel has no lockdown, or securityfs is not
 * mounted.
 */
enum lockdown lockdown_state(void)
{
	char text[128];

	/* "none [integrity] confidentiality" */
	if (read_start("/sys/kernel/security/lockdown", text, sizeof(text)) < 0)
		return LOCKDOWN_NONE;
	if (strstr(text, "[confidentiality]"))
		return LOCKDOWN_CONFIDENTIALITY;
	return strstr(text, "[integrity]") ? LOCKDOWN_INTEGRITY : LOCKDOWN_NONE;
}

/**
 * lockdown_secure_boot() - check whether Secure Boot is enabled
 *
 * Return: true if the firmware reports so.
 */
bool lockdown_secure_boot(void)
{
	char text[8];

	/* an EFI variable file has four bytes of attributes, then the value */
	return read_start(SECURE_BOOT, text, sizeof(text)) == 5 && text[4] == 1;
}

/**
 * lockdown_sig_enforced() - check whether module.sig_enforce requires signed modules
 *
 * Return: true if so; lockdown may require them as well.
 */
bool lockdown_sig_enforced(void)
{
	char text[8];

	return read_start("/sys/module/module/parameters/sig_enforce", text,
			sizeof(text)) > 0 && *text == 'Y';
}
