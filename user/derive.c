// SPDX-License-Identifier: GPL-2.0
#include "derive.h"
#include "result.h"

static const struct derivation *const derivations[] = {
	&derive_advice,
	&derive_loggp,
};

/**
 * derive_find() - find a derivation
 * @name: its name
 *
 * Return: it, or NULL.
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
 * derive_list() - those that there are, in words
 * @buf: where to: "a, b"
 * @size: of @buf
 */
void derive_list(char *buf, size_t size)
{
	size_t len = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(derivations) && len < size; i++)
		len += snprintf(buf + len, size - len, "%s%s", i ? ", " : "",
				derivations[i]->name);
}

/**
 * derive_values() - what the recipe wants worked out
 * @result: with all the points that there will be
 * @derived: where to: the values of the recipe's derivation
 *
 * Return: how many of them are known; 0 also without a derivation.
 */
unsigned int derive_values(const struct result *result,
			   struct derived derived[DERIVE_MAX])
{
	const struct derivation *derivation = result->recipe->derivation;
	unsigned int i, known = 0;

	memset(derived, 0, DERIVE_MAX * sizeof(*derived));
	if (!derivation)
		return 0;
	derivation->find(result, derived);
	for (i = 0; i < derivation->quantities; i++)
		known += derived[i].known;
	return known;
}

/**
 * derive_each() - what the recipe wants worked out for a run
 * @result: with all the points that there will be
 * @index: of the run's point
 * @derived: where to: the values of what the recipe's derivation has for each
 *
 * Return: how many of them are known; 0 also without such a derivation.
 */
unsigned int derive_each(const struct result *result, unsigned int index,
			 struct derived derived[DERIVE_MAX])
{
	const struct derivation *derivation = result->recipe->derivation;
	unsigned int i, known = 0;

	memset(derived, 0, DERIVE_MAX * sizeof(*derived));
	if (!derivation || !derivation->find_each)
		return 0;
	derivation->find_each(result, index, derived);
	for (i = 0; i < derivation->eachs; i++)
		known += derived[i].known;
	return known;
}
