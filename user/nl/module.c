// SPDX-License-Identifier: GPL-2.0
#include "base/message.h"
#include "base/status.h"
#include "module.h"

/**
 * module_open() - connect to the module
 *
 * Return: the connection, for nl_end(); NULL after the error has been reported to the
 * user. The exit status is then STATUS_SETUP.
 */
struct nl *module_open(void)
{
	struct icb_reason why;
	struct nl *nl = nl_begin(&why);

	if (!nl)
		message("%s", why.text);
	return nl;
}

/**
 * module_status() - get the exit status for a refusal of the module
 * @err: negative error number of the refusal
 *
 * Return: an exit status.
 */
int module_status(int err)
{
	switch (err) {
	case -EPERM:
	case -EACCES:
	case -ENODEV:
		return STATUS_SETUP;
	case -EINVAL:
	case -ERANGE:
	case -EOPNOTSUPP:
		return STATUS_USAGE;
	default:
		return STATUS_FAILED;
	}
}

/**
 * module_hint() - get the end of a message about a refusal of the module
 * @err: negative error number of the refusal
 *
 * Return: a reference to icbenchctl doctor if a device is missing or unusable; else "".
 */
const char *module_hint(int err)
{
	return err == -ENODEV ? "; see icbenchctl doctor" : "";
}

/**
 * module_refused() - report a refusal of the module to the user
 * @err: negative error number of the refusal
 * @why: the reason
 *
 * Return: an exit status.
 */
int module_refused(int err, const struct icb_reason *why)
{
	message("%s%s", why->text, module_hint(err));
	return module_status(err);
}
