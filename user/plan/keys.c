// SPDX-License-Identifier: GPL-2.0
#include "config.h"
#include "keyfile.h"
#include "keys.h"
#include "plan.h"

/**
 * keys_add() - set a parameter from a line of a file
 * @file: file that contains the line
 * @config: destination
 * @others: other keys that are accepted, for the reason of a refusal
 * @key: the key
 * @value: value or values of the key
 *
 * Return: 0; -EINVAL or -ERANGE with a reason.
 */
int keys_add(struct keyfile *file, struct config *config, const char *others,
	     const char *key, const char *value)
{
	const struct icb_param *param = icb_param_by_name(key);
	struct icb_reason why;
	unsigned int runs;
	int err;

	if (!param)
		return keyfile_refuse(file, -EINVAL,
				      "unknown key \"%.32s\"; accepted: %s and the options of icbenchctl run",
				      key, others);
	if (param->type == ICB_PARAM_BYTES)
		return keyfile_refuse(file, -EINVAL,
				      "%s: a secret must not be in a %s; accepted: --token-file on the command line",
				      key, file->noun);
	if (config_find(config, param) && !(param->flags & ICB_PARAM_LIST))
		return keyfile_refuse(file, -EINVAL,
				      "%s: set twice; accepted: once", key);
	err = config_add(config, param, value, &why);
	/* before further lines add more runs */
	if (!err)
		err = plan_count(config, &runs, &why);
	return err ? keyfile_refuse(file, err, "%s", why.text) : 0;
}
