// SPDX-License-Identifier: GPL-2.0
#include "config.h"
#include "keyfile.h"
#include "keys.h"
#include "plan.h"

/**
 * keys_add() - take a line that sets a parameter
 * @file: the file that it stands in
 * @config: where to
 * @others: what else is accepted for a key, for the user
 * @key: the key
 * @value: its value or values
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
				      "%s: a secret has no place in a %s; accepted: --token-file on the command line",
				      key, file->noun);
	if (config_find(config, param) && !(param->flags & ICB_PARAM_LIST))
		return keyfile_refuse(file, -EINVAL,
				      "%s: set twice; accepted: once", key);
	err = config_add(config, param, value, &why);
	/* now, before more lines make more of it */
	if (!err)
		err = plan_count(config, &runs, &why);
	return err ? keyfile_refuse(file, err, "%s", why.text) : 0;
}
