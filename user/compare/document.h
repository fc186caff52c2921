/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMPARE_DOCUMENT_H
#define COMPARE_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "model/engine.h"

struct json_object;

/* Largest document, bytes. */
#define DOCUMENT_BYTES	(64 << 20)

/**
 * struct document - a result in the schema icbench/1, read from a file
 * @path: path of the file, allocated
 * @root: the whole document
 * @environment: object of the machine and its software, owned by @root
 * @points: array of points, not empty, owned by @root
 * @icount: true if the clock counts instructions
 * @partial: true if the run was cut short
 *
 * The members that a comparison reads have been checked for their types.
 */
struct document {
	char *path;
	struct json_object *root;
	struct json_object *environment;
	struct json_object *points;
	bool icount;
	bool partial;
};

int document_take(struct document *doc, const char *path,
		  struct json_object *root, struct icb_reason *why);
int document_read(struct document *doc, const char *path,
		  struct icb_reason *why);
void document_free(struct document *doc);
char *document_text(struct json_object *object, const char *key);
bool document_number(struct json_object *object, const char *key,
		     double *number);

#endif /* COMPARE_DOCUMENT_H */
