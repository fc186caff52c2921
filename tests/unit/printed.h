/* SPDX-License-Identifier: GPL-2.0 */
/* Prints a result into a string, for the unit tests of the printers. */
#ifndef PRINTED_H
#define PRINTED_H

#include "plan/result.h"
#include "print/print.h"
#include "unit.h"

/* Keep a JSON document for schema.t, if it has set the directory of the documents. */
static inline void keep_document(const char *text)
{
	const char *dir = getenv("ICBENCH_TEST_DOCUMENTS");
	char path[4096];
	static int number;
	FILE *f;

	if (!dir)
		return;
	snprintf(path, sizeof(path), "%s/%d.json", dir, ++number);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* Print a result with @fn. Return: the text, for the caller to free(). */
static inline char *print(const struct result *result,
			  void (*fn)(FILE *f, const struct result *result))
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	fn(f, result);
	fclose(f);
	assert_null(strstr(text, "secretsecret"));
	if (fn == print_json)
		keep_document(text);
	return text;
}

#endif /* PRINTED_H */
