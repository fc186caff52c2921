// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "derivation.h"

static const struct derivation *const derivations[] = {
	&derive_advice,
	&derive_loggp,
	&derive_md1,
};

/**
 * derive_find() - find a derivation by its name
 * @name: the name
 *
 * Return: the derivation, or NULL.
 */
const struct derivation *derive_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(derivations); i++)
		if (!strcmp(derivations[i]->name, name))
			return derivations[i];
	return NULL;
}

/**
 * derive_list() - print the names of all derivations
 * @buf: destination: "a, b"
 * @size: size of @buf, bytes
 */
void derive_list(char *buf, size_t size)
{
	size_t len = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(derivations) && len < size; i++)
		len += snprintf(buf + len, size - len, "%s%s", i ? ", " : "",
				derivations[i]->name);
}
