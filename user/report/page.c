// SPDX-License-Identifier: GPL-2.0
/*
 * A report as one HTML page, which needs no other file and no script. Sections are written
 * one after the other; gnuplot then draws all plots at once.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "gnuplot.h"
#include "html.h"
#include "page.h"
#include "svg.h"
#include "table.h"

/* The colours of curves keep a contrast of 3:1 to the background. */
static const char style[] =
	":root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--dim:#57606a;\n"
	"--line:#d0d7de;--grid:#e3e7eb;--axis:#6e7781;--link:#0550ae;--head:#f3f5f7;\n"
	"--c0:#0072b2;--c1:#c2410c;--c2:#00795a;--c3:#a13d81;--c4:#8a6d00;\n"
	"--c5:#2b7fb8;--c6:#6b4fbb;--c7:#6e7781}\n"
	"@media(prefers-color-scheme:dark){:root{--bg:#0f1419;--fg:#e6e9ec;\n"
	"--dim:#a3adb8;--line:#39424c;--grid:#2a323a;--axis:#8b95a0;--link:#79b8ff;\n"
	"--head:#1a2129;--c0:#58a6ff;--c1:#ff9457;--c2:#3fcf9a;--c3:#e58bc8;\n"
	"--c4:#e3c341;--c5:#7cc7f2;--c6:#b39bff;--c7:#aab4be}}\n"
	"*{box-sizing:border-box}\n"
	"body{margin:0 auto;max-width:76rem;padding:1rem;background:var(--bg);\n"
	"color:var(--fg);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}\n"
	"h1{font-size:1.6rem;line-height:1.2}h2{font-size:1.3rem;margin-top:2.5rem;\n"
	"border-bottom:1px solid var(--line);line-height:1.3}\n"
	"h3{font-size:1.05rem;margin-top:1.8rem}\n"
	"a{color:var(--link)}nav ul{columns:20rem;padding-left:1.2rem}\n"
	"nav li li{font-size:.9em}.note,figcaption p{color:var(--dim);font-size:.875rem}\n"
	".plots{display:flex;flex-wrap:wrap;gap:1rem}\n"
	"figure{flex:1 1 28rem;max-width:37rem;min-width:0;margin:1rem 0}\n"
	"figcaption b{display:block}\n"
	"svg{display:block;width:100%;height:auto;color:var(--fg)}\n"
	"svg text{fill:var(--fg)}\n"
	".legend{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1rem;margin:.3rem 0;\n"
	"padding:0;font-size:.875rem}.k{display:inline-block;width:1.4em;height:0;\n"
	"border-top:.28em solid;vertical-align:middle;margin-right:.4em}\n"
	".d{border-top-style:dotted}\n"
	".c0{color:var(--c0)}.c1{color:var(--c1)}.c2{color:var(--c2)}.c3{color:var(--c3)}\n"
	".c4{color:var(--c4)}.c5{color:var(--c5)}.c6{color:var(--c6)}.c7{color:var(--c7)}\n"
	".table{overflow-x:auto;margin:1rem 0 0}table{border-collapse:collapse;\n"
	"font-size:.875rem;overflow-wrap:normal}caption{text-align:left;font-weight:600;\n"
	"padding:.2rem 0}th,td{padding:.2rem .6rem;border-bottom:1px solid var(--line);\n"
	"text-align:left;vertical-align:top}th{background:var(--head)}\n"
	"td,th{white-space:nowrap}.w{white-space:normal;min-width:20rem}\n"
	".n{text-align:right;font-variant-numeric:tabular-nums}\n"
	"summary{cursor:pointer;color:var(--link);font-size:.875rem}\n"
	"pre{overflow-x:auto;padding:.6rem;background:var(--head);font-size:.8rem;\n"
	"max-height:24rem}\n"
	".icicle{overflow-x:auto}.icicle svg{min-width:44rem}\n"
	".icicle rect{stroke:var(--bg);stroke-width:1}.icicle svg text{font-size:11px;\n"
	"fill:#16191d}.i0{fill:#f0b27a}.i1{fill:#f5cd79}.i2{fill:#e59866}\n"
	".i3{fill:#f7dc6f}.i4{fill:#edbb99}.i5{fill:#f8c471}.i6{fill:#e6b0aa}\n"
	".i7{fill:#fad7a0}\n"
	"@media print{details{display:none}}\n";

/**
 * page_begin() - begin a page
 * @page: page to fill; page_free() it
 * @title: title of the page, valid until page_free()
 */
void page_begin(struct page *page, const char *title)
{
	memset(page, 0, sizeof(*page));
	page->title = title;
	page->f = open_memstream(&page->body, &page->length);
}

/**
 * page_heading() - add a heading
 * @page: the page
 * @level: 2 for a section, 3 for a subsection
 * @fmt: format as for printf()
 */
void page_heading(struct page *page, unsigned int level, const char *fmt, ...)
{
	struct page_heading *heading;
	va_list args;

	page->heading = alloc_grow(page->heading, page->headings,
				   sizeof(*page->heading));
	heading = &page->heading[page->headings++];
	heading->level = level;
	va_start(args, fmt);
	if (vasprintf(&heading->text, fmt, args) < 0)
		heading->text = alloc_text("%s", "");
	va_end(args);
	fprintf(page->f, "<h%u id=s%u>", level, page->headings);
	html_text(page->f, heading->text);
	fprintf(page->f, "</h%u>\n", level);
}

/**
 * page_paragraph() - add a paragraph
 * @page: the page
 * @fmt: format as for printf()
 */
void page_paragraph(struct page *page, const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	va_end(args);
	fputs("<p>", page->f);
	html_text(page->f, text ? : "");
	fputs("</p>\n", page->f);
	free(text);
}

/**
 * page_table() - add a table
 * @page: the page
 * @table: the table, which is freed; nothing is added if it has no row
 */
void page_table(struct page *page, struct table *table)
{
	if (table->cells)
		table_print(page->f, table);
	table_free(table);
}

/**
 * page_details() - add a table that is closed until the reader opens it
 * @page: the page
 * @summary: text that stands for the closed table
 * @table: the table, which is freed; nothing is added if it has no row
 */
void page_details(struct page *page, const char *summary, struct table *table)
{
	if (table->cells) {
		fputs("<details><summary>", page->f);
		html_text(page->f, summary);
		fputs("</summary>\n", page->f);
		table_print(page->f, table);
		fputs("</details>\n", page->f);
	}
	table_free(table);
}

/**
 * page_plot() - add a plot
 * @page: the page
 * @plot: the plot, which is freed; nothing is added if it shows nothing
 */
void page_plot(struct page *page, struct plot *plot)
{
	struct page_plot *entry;
	size_t len;
	FILE *f;

	if (plot_is_empty(plot) || page->plots == PAGE_PLOTS) {
		page->left_out += !plot_is_empty(plot);
		plot_free(plot);
		return;
	}
	fflush(page->f);
	page->plot = alloc_grow(page->plot, page->plots, sizeof(*page->plot));
	entry = &page->plot[page->plots++];
	entry->at = page->length;
	entry->title = alloc_text("%s", plot->title);
	entry->script = plot_script(plot);
	f = open_memstream(&entry->legend, &len);
	plot_legend(f, plot);
	if (plot->note) {
		fputs("<p>", f);
		html_text(f, plot->note);
		fputs("</p>\n", f);
	}
	fclose(f);
	plot_free(plot);
}

/**
 * page_draw() - draw the plots
 * @page: the page
 * @why: the reason of a refusal
 *
 * Return: 0; -ENOENT if there is no gnuplot: the page then has no plots; another negative
 * error number. All with a reason.
 */
int page_draw(struct page *page, struct icb_reason *why)
{
	char **script = alloc_zero(page->plots, sizeof(*script));
	char **svg = alloc_zero(page->plots, sizeof(*svg));
	unsigned int i;
	int err = 0;

	for (i = 0; i < page->plots; i++)
		script[i] = page->plot[i].script;
	if (page->plots)
		err = gnuplot_draw(script, svg, page->plots, why);
	for (i = 0; i < page->plots; i++)
		page->plot[i].svg = svg[i];
	page->drawn = !err;
	free(script);
	free(svg);
	return err;
}

static void print_contents(FILE *f, const struct page *page)
{
	unsigned int level = 2, i;

	fputs("<nav aria-label=\"Contents\"><ul>\n", f);
	for (i = 0; i < page->headings; i++) {
		for (; level < page->heading[i].level; level++)
			fputs("<ul>\n", f);
		for (; level > page->heading[i].level; level--)
			fputs("</ul>\n", f);
		fprintf(f, "<li><a href=\"#s%u\">", i + 1);
		html_text(f, page->heading[i].text);
		fputs("</a>\n", f);
	}
	for (; level > 2; level--)
		fputs("</ul>\n", f);
	fputs("</ul></nav>\n", f);
}

static void print_plot(FILE *f, const struct page_plot *plot,
		       unsigned int number)
{
	fputs("<figure><figcaption><b>", f);
	html_text(f, plot->title);
	fputs("</b></figcaption>\n", f);
	svg_print(f, plot->svg, number, plot->title);
	fprintf(f, "<figcaption>%s</figcaption></figure>\n", plot->legend);
}

/* Plots at one position stand beside each other if there is room. */
static void print_body(FILE *f, const struct page *page)
{
	size_t at = 0;
	unsigned int i;

	for (i = 0; i < page->plots; i++) {
		fwrite(page->body + at, 1, page->plot[i].at - at, f);
		if (!page->drawn) {
			at = page->plot[i].at;
			continue;
		}
		if (!i || page->plot[i - 1].at != page->plot[i].at)
			fputs("<div class=plots>\n", f);
		print_plot(f, &page->plot[i], i + 1);
		if (i + 1 == page->plots || page->plot[i + 1].at != page->plot[i].at)
			fputs("</div>\n", f);
		at = page->plot[i].at;
	}
	fwrite(page->body + at, 1, page->length - at, f);
}

/**
 * page_print() - print a page
 * @f: output stream
 * @result: the page
 */
void page_print(FILE *f, const void *result)
{
	const struct page *page = result;

	fflush(page->f);
	fputs("<!DOCTYPE html>\n<html lang=en>\n<head><meta charset=utf-8>\n"
	      "<meta name=viewport content=\"width=device-width,initial-scale=1\">\n"
	      "<meta http-equiv=Content-Security-Policy\n"
	      "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
	      "<meta name=generator content=\"icbenchctl " ICBENCH_VERSION "\">\n"
	      "<title>", f);
	html_text(f, page->title);
	fprintf(f, "</title>\n<style>\n%s</style></head>\n<body>\n<h1>", style);
	html_text(f, page->title);
	fputs("</h1>\n", f);
	if (!page->drawn)
		fputs("<p class=note>No plots: gnuplot was not installed.</p>\n", f);
	if (page->left_out)
		fprintf(f, "<p class=note>%u more plots are not shown.</p>\n",
			page->left_out);
	print_contents(f, page);
	fputs("<main>\n", f);
	print_body(f, page);
	fputs("</main>\n</body>\n</html>\n", f);
}

/**
 * page_free() - free a page
 * @page: the page
 */
void page_free(struct page *page)
{
	unsigned int i;

	if (page->f)
		fclose(page->f);
	free(page->body);
	for (i = 0; i < page->headings; i++)
		free(page->heading[i].text);
	for (i = 0; i < page->plots; i++) {
		free(page->plot[i].script);
		free(page->plot[i].svg);
		free(page->plot[i].title);
		free(page->plot[i].legend);
	}
	free(page->heading);
	free(page->plot);
	memset(page, 0, sizeof(*page));
}
