/* SPDX-License-Identifier: GPL-2.0 */
#ifndef CONFIG_H
#define CONFIG_H

#include "sweep.h"

/**
 * struct config - keys and their values, as given
 * @sweep: value or values of each key, in the order in which the keys were
 *	given, allocated
 * @count: number of keys
 */
struct config {
	struct sweep *sweep;
	unsigned int count;
};

int config_set(struct config *config, const struct icb_param *param,
	       const char *text, struct icb_reason *why);
int config_add(struct config *config, const struct icb_param *param,
	       const char *text, struct icb_reason *why);
void config_set_secret(struct config *config, const struct icb_param *param,
		       const void *data, size_t len);
void config_override(struct config *config, struct config *over);
void config_copy(struct config *copy, const struct config *config);
struct sweep *config_find(const struct config *config,
			  const struct icb_param *param);
void config_drop(struct config *config, const struct icb_param *param);
bool config_is_switch(const struct icb_param *param);
void config_free(struct config *config);

#endif /* CONFIG_H */
