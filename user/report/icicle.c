// SPDX-License-Identifier: GPL-2.0
/*
 * Call stacks as an icicle: a function stands below its caller and is as wide as its share
 * of the instructions. It is drawn without gnuplot, because each rectangle has a title,
 * which a browser shows when the pointer is on it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "html.h"
#include "icicle.h"
#include "page.h"
#include "stack.h"

/* Size of the drawing and of a row, in the units of the SVG. */
#define WIDTH		1000.0
#define ROW		18
/* Width of a character, and the least width of a rectangle. */
#define CHARACTER	6.4
#define LEAST		1.0
#define DEPTH_MAX	64
/* Most rectangles. */
#define BOXES_MAX	4000

/**
 * struct icicle - a drawing in progress
 * @f: output stream
 * @whole: instructions of the root
 * @boxes: number of rectangles
 * @depth: greatest depth
 * @hidden: instructions of functions that are too narrow or too deep
 */
struct icicle {
	FILE *f;
	double whole;
	unsigned int boxes;
	unsigned int depth;
	double hidden;
};

static unsigned int colour_of(const char *name)
{
	unsigned int sum = 0;

	for (; *name && *name != '.'; name++)
		sum = sum * 31 + (unsigned char)*name;
	return sum % 8;
}

static void print_label(FILE *f, const char *name, double x, double y,
			double width)
{
	const unsigned int room = width / CHARACTER;
	unsigned int i;
	size_t len;
	char *text;

	if (room < 4)
		return;
	text = alloc_zero(strlen(name) + 8, 1);
	for (i = 0, len = 0; i < room - 1 && name[len]; i++)
		len += text_utf8(name + len) ? : 1;
	memcpy(text, name, len);
	if (name[len])
		strcat(text, "\u2026");
	fprintf(f, "<text x=%.1f y=%.1f>", x + 3, y + ROW - 5);
	html_text(f, text);
	fputs("</text>", f);
	free(text);
}

static void print_stack(struct icicle *icicle, const struct stack *stack,
			double x, unsigned int depth)
{
	const double width = WIDTH * stack->total / icicle->whole;
	unsigned int i;
	char *total;

	if (width < LEAST || depth == DEPTH_MAX || icicle->boxes == BOXES_MAX) {
		icicle->hidden += stack->total;
		return;
	}
	icicle->boxes++;
	if (depth > icicle->depth)
		icicle->depth = depth;
	total = html_number(stack->total);
	fprintf(icicle->f, "<g><title>");
	html_text(icicle->f, stack->name);
	fprintf(icicle->f, ": %s instructions, %.2f %%</title>", total,
		100 * stack->total / icicle->whole);
	free(total);
	fprintf(icicle->f, "<rect class=\"i%u\" x=%.2f y=%u width=%.2f height=%u />",
		colour_of(stack->name), x, depth * ROW, width, ROW);
	print_label(icicle->f, stack->name, x, depth * ROW, width);
	fputs("</g>\n", icicle->f);
	for (i = 0; i < stack->callees; i++) {
		print_stack(icicle, &stack->callee[i], x, depth + 1);
		x += WIDTH * stack->callee[i].total / icicle->whole;
	}
}

/**
 * icicle_add() - add an icicle of call stacks
 * @page: the page
 * @root: root of the call stacks
 * @whole: instructions of an operation, for the text below; 0 if not known
 */
void icicle_add(struct page *page, const struct stack *root, double whole)
{
	struct icicle icicle = { .whole = root->total };
	char *body;
	size_t len;

	icicle.f = open_memstream(&body, &len);
	print_stack(&icicle, root, 0, 0);
	fclose(icicle.f);
	fprintf(page->f, "<figure class=icicle tabindex=0><svg role=img ");
	fprintf(page->f, "aria-label=\"Call stacks\" viewBox=\"0 0 %.0f %u\">\n",
		WIDTH, (icicle.depth + 1) * ROW);
	fwrite(body, 1, len, page->f);
	fputs("</svg></figure>\n", page->f);
	free(body);
	if (icicle.hidden > 0)
		page_paragraph(page,
			       "Functions with less than %.1f %% of the instructions, or below %u others, are not drawn.",
			       100 * LEAST / WIDTH, DEPTH_MAX);
	if (whole > 0)
		page_paragraph(page, "One operation has %.1f instructions.", whole);
}
