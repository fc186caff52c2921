// SPDX-License-Identifier: GPL-2.0
/*
 * Plots, and the scripts with which gnuplot draws them.
 *
 * A script contains texts of documents only as strings in single quotes, in which gnuplot
 * replaces nothing. Each axis has a range, so that gnuplot finds a point in it.
 */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "html.h"
#include "model/engine.h"
#include "plot.h"

/* Most characters of a text in a plot, and of the text of a tic. */
#define TEXT_MAX	64
#define TIC_MAX		34
/* Greatest value, and least value of a logarithmic axis, in the unit of the plot. */
#define VALUE_MAX	1e18
#define VALUE_MIN	(1 / 1e9)
/* Most tics of a logarithmic axis with many decades. */
#define TICS_MAX	8
/* Half of the height of a rectangle, in units of the axis. */
#define HALF		0.36

/**
 * plot_begin() - begin a plot
 * @plot: plot to fill; plot_free() it
 * @fmt: format of the title as for printf()
 */
void plot_begin(struct plot *plot, const char *fmt, ...)
{
	va_list args;

	memset(plot, 0, sizeof(*plot));
	va_start(args, fmt);
	if (vasprintf(&plot->title, fmt, args) < 0)
		plot->title = NULL;
	va_end(args);
	plot->height = PLOT_HEIGHT;
}

/**
 * plot_axis() - name an axis
 * @axis: the axis
 * @name: name of the quantity
 * @unit: its unit; NULL for none
 */
void plot_axis(struct plot_axis *axis, const char *name, const char *unit)
{
	free(axis->label);
	axis->label = unit ? alloc_text("%s, %s", name, unit) :
			     alloc_text("%s", name);
}

/* True if an axis can show a value: other values are no measured ones. */
static bool is_shown(const struct plot_axis *axis, double value)
{
	return fabs(value) <= VALUE_MAX && (!axis->log || value >= VALUE_MIN);
}

static void extend(struct plot_axis *axis, double value)
{
	if (!is_shown(axis, value))
		return;
	if (!axis->used || value < axis->low)
		axis->low = value;
	if (!axis->used || value > axis->high)
		axis->high = value;
	axis->used = true;
}

static void add_text(struct plot_text **array, unsigned int *count, double x,
		     double y, const char *text)
{
	struct plot_text *entry;

	*array = alloc_grow(*array, *count, sizeof(**array));
	entry = &(*array)[(*count)++];
	entry->x = x;
	entry->y = y;
	entry->text = alloc_text("%s", text);
}

/**
 * plot_tic() - add a tic to an axis
 * @axis: the axis
 * @at: its coordinate
 * @text: its text
 */
void plot_tic(struct plot_axis *axis, double at, const char *text)
{
	add_text(&axis->tic, &axis->tics, at, 0, text);
}

/**
 * plot_curve() - add a curve
 * @plot: the plot
 * @style: how its points are drawn
 * @colour: index of the colour
 * @label: entry in the legend; NULL for none
 *
 * Return: the curve, valid until the next one is added.
 */
struct plot_curve *plot_curve(struct plot *plot, enum plot_style style,
			      unsigned int colour, const char *label)
{
	struct plot_curve *curve;

	plot->curve = alloc_grow(plot->curve, plot->curves, sizeof(*plot->curve));
	curve = &plot->curve[plot->curves++];
	curve->style = style;
	curve->colour = colour % PLOT_COLOURS;
	curve->label = label ? alloc_text("%s", label) : NULL;
	return curve;
}

/**
 * plot_point() - add a point to a curve
 * @plot: the plot
 * @curve: the curve
 * @x: horizontal coordinate
 * @y: vertical coordinate
 * @low: lower end of the interval of @y; @y if there is none
 * @high: upper end of the interval of @y; @y if there is none
 *
 * A point that an axis cannot show is left out.
 */
void plot_point(struct plot *plot, struct plot_curve *curve, double x, double y,
		double low, double high)
{
	struct plot_point *point;

	if (!is_shown(&plot->x, x) || !is_shown(&plot->y, y))
		return;
	if (!is_shown(&plot->y, low) || !is_shown(&plot->y, high)) {
		low = y;
		high = y;
	}
	curve->point = alloc_grow(curve->point, curve->points,
				  sizeof(*curve->point));
	point = &curve->point[curve->points++];
	*point = (struct plot_point){ x, y, low, high };
	extend(&plot->x, x);
	extend(&plot->y, low);
	extend(&plot->y, high);
}

/**
 * plot_box() - add a horizontal bar, or a part of one
 * @plot: the plot
 * @x1: one end
 * @x2: the other end
 * @y: vertical coordinate of its middle
 * @colour: index of the colour
 */
void plot_box(struct plot *plot, double x1, double x2, double y,
	      unsigned int colour)
{
	if (!is_shown(&plot->x, x1) || !is_shown(&plot->x, x2))
		return;
	plot->box = alloc_grow(plot->box, plot->boxes, sizeof(*plot->box));
	plot->box[plot->boxes++] = (struct plot_box){
		fmin(x1, x2), fmax(x1, x2), y - HALF, y + HALF,
		colour % PLOT_COLOURS };
	extend(&plot->x, x1);
	extend(&plot->x, x2);
	extend(&plot->y, y - HALF);
	extend(&plot->y, y + HALF);
}

/**
 * plot_text() - add a text beside a point
 * @plot: the plot
 * @x: horizontal coordinate of the point
 * @y: vertical coordinate of the point
 * @text: the text
 */
void plot_text(struct plot *plot, double x, double y, const char *text)
{
	add_text(&plot->text, &plot->texts, x, y, text);
}

/**
 * plot_line() - add a vertical line
 * @plot: the plot
 * @x: horizontal coordinate
 * @text: text beside the line
 */
void plot_line(struct plot *plot, double x, const char *text)
{
	if (!is_shown(&plot->x, x))
		return;
	add_text(&plot->line, &plot->lines, x, 0, text);
	extend(&plot->x, x);
}

/**
 * plot_key() - add an entry for bars to the legend
 * @plot: the plot
 * @colour: index of the colour
 * @text: the entry
 */
void plot_key(struct plot *plot, unsigned int colour, const char *text)
{
	add_text(&plot->key, &plot->keys, colour % PLOT_COLOURS, 0, text);
}

/**
 * plot_note() - set the sentence below a plot
 * @plot: the plot
 * @fmt: format as for printf()
 */
void plot_note(struct plot *plot, const char *fmt, ...)
{
	va_list args;

	free(plot->note);
	va_start(args, fmt);
	if (vasprintf(&plot->note, fmt, args) < 0)
		plot->note = NULL;
	va_end(args);
}

/**
 * plot_is_empty() - check whether a plot shows nothing
 * @plot: the plot
 *
 * Return: true if it has neither a point nor a bar.
 */
bool plot_is_empty(const struct plot *plot)
{
	unsigned int i, points = plot->boxes;

	for (i = 0; i < plot->curves; i++)
		points += plot->curve[i].points;
	return !points;
}

/*
 * Print a string for gnuplot: without control characters, and not too long. The text of a
 * tic is a format, in which a percent sign is doubled.
 */
static void print_string(FILE *f, const char *text, bool is_format)
{
	const unsigned int most = is_format ? TIC_MAX : TEXT_MAX;
	unsigned int i;
	size_t len;

	fputc('\'', f);
	for (i = 0; *text && i < most; i++, text += len) {
		len = text_utf8(text);
		if (!len || (unsigned char)*text < ' ' || *text == 0x7f) {
			len = 1;
			fputc('?', f);
		} else if (*text == '\'') {
			fputs("''", f);
		} else if (is_format && *text == '%') {
			fputs("%%", f);
		} else {
			fwrite(text, 1, len, f);
		}
	}
	fputs(*text ? "\u2026'" : "'", f);
}

/* Leave room around the points; the axis is then never empty. */
static void widen(struct plot_axis *axis)
{
	double room;

	if (!axis->used) {
		axis->low = axis->log ? 1 : 0;
		axis->high = axis->log ? 10 : 1;
		return;
	}
	if (axis->log) {
		axis->low /= 1.25;
		axis->high *= 1.25;
		return;
	}
	if (axis->zero) {
		axis->low = fmin(axis->low, 0);
		axis->high = fmax(axis->high, 0);
	}
	room = (axis->high - axis->low) * 0.06;
	if (!(room > fabs(axis->high) / 1e9))
		room = fmax(fabs(axis->high) * 0.1, 1 / 1e9);
	if (!axis->zero || axis->low < 0)
		axis->low -= room;
	if (!axis->zero || axis->high > 0)
		axis->high += room;
}

/* Add the tics of a logarithmic axis at 1, 2 and 5, or at 1 only if there are many. */
static void add_log_tics(struct plot_axis *axis)
{
	static const double steps[] = { 1, 2, 5 };
	const unsigned int step = axis->high / axis->low > 1000 ? 3 : 1;
	const int first = floor(log10(axis->low)), last = log10(axis->high);
	const int decades = (last - first) / TICS_MAX + 1;
	unsigned int i;
	int decade;
	char *text;
	double at;

	for (decade = first; decade <= last; decade += decades) {
		for (i = 0; i < ARRAY_SIZE(steps); i += step) {
			at = pow(10, decade) * steps[i];
			if (at < axis->low || at > axis->high)
				continue;
			text = at >= 0.001 && at < 1e7 ? alloc_text("%g", at) :
							alloc_text("%.0e", at);
			plot_tic(axis, at, text);
			free(text);
		}
	}
}

static void print_axis(FILE *f, const char *name, const struct plot_axis *axis)
{
	unsigned int i;

	if (axis->log)
		fprintf(f, "set logscale %s 10\n", name);
	fprintf(f, "set %srange [%.17g:%.17g]\n", name, axis->low, axis->high);
	if (axis->label) {
		fprintf(f, "set %slabel ", name);
		print_string(f, axis->label, false);
		fputs("\n", f);
	}
	if (axis->rotate)
		fprintf(f, "set %stics rotate by 35 right\n", name);
	if (!axis->tics)
		return;
	fprintf(f, "set %stics (", name);
	for (i = 0; i < axis->tics; i++) {
		fputs(i ? ", " : "", f);
		print_string(f, axis->tic[i].text, true);
		fprintf(f, " %.17g", axis->tic[i].x);
	}
	fputs(")\n", f);
}

static bool has_intervals(const struct plot_curve *curve)
{
	unsigned int i;

	for (i = 0; i < curve->points; i++)
		if (curve->point[i].low < curve->point[i].high)
			return true;
	return false;
}

/* The points of a curve, thinned out; the first and the last one stay. */
static void print_points(FILE *f, const struct plot_curve *curve,
			 unsigned int index)
{
	unsigned int step = (curve->points + PLOT_POINTS - 1) / PLOT_POINTS, i;
	const struct plot_point *point;

	fprintf(f, "$c%u << EOD\n", index);
	for (i = 0; i < curve->points; i++) {
		point = &curve->point[i];
		if (i % step && i + 1 < curve->points)
			continue;
		fprintf(f, "%.17g %.17g %.17g %.17g\n", point->x, point->y,
			point->low, point->high);
	}
	fputs("EOD\n", f);
}

static void print_boxes(FILE *f, const struct plot *plot)
{
	const struct plot_box *box;
	unsigned int i;

	for (i = 0; i < plot->boxes; i++) {
		box = &plot->box[i];
		fprintf(f, "set object rectangle from %.17g,%.17g to %.17g,%.17g",
			box->x1, box->y1, box->x2, box->y2);
		fprintf(f, " fillcolor rgb '#0100%02x' fillstyle solid noborder\n",
			box->colour);
	}
}

/* A text in the right half ends at its point, so that it is not cut off. */
static bool is_right(const struct plot_axis *axis, double x)
{
	double low = axis->log ? log(axis->low) : axis->low;
	double high = axis->log ? log(axis->high) : axis->high;

	return (axis->log ? log(x) : x) > low + (high - low) * 0.55;
}

static void print_texts(FILE *f, const struct plot *plot)
{
	unsigned int i;

	for (i = 0; i < plot->texts; i++) {
		fputs("set label ", f);
		print_string(f, plot->text[i].text, false);
		fprintf(f, " at %.17g,%.17g %s offset %s,0.6 front\n",
			plot->text[i].x, plot->text[i].y,
			is_right(&plot->x, plot->text[i].x) ? "right" : "left",
			is_right(&plot->x, plot->text[i].x) ? "-0.6" : "0.6");
	}
	for (i = 0; i < plot->lines; i++) {
		fprintf(f, "set arrow from first %.17g,graph 0 to first %.17g,graph 1",
			plot->line[i].x, plot->line[i].x);
		fputs(" nohead dashtype 3 linecolor rgb '#0100fb' front\n", f);
		fputs("set label ", f);
		print_string(f, plot->line[i].text, false);
		fprintf(f, " at first %.17g,graph %g %s offset %s,0 front\n",
			plot->line[i].x, 0.96 - 0.07 * (i % 4),
			is_right(&plot->x, plot->line[i].x) ? "right" : "left",
			is_right(&plot->x, plot->line[i].x) ? "-0.6" : "0.6");
	}
}

static void print_curve(FILE *f, const struct plot_curve *curve,
			unsigned int index)
{
	static const char *const styles[] = {
		[PLOT_LINES] = "lines",
		[PLOT_MARKED_LINES] = "linespoints",
		[PLOT_MARKS] = "points",
	};

	fprintf(f, ", $c%u using 1:2 with %s linecolor rgb '#0100%02x'", index,
		styles[curve->style], curve->colour);
	if (curve->style != PLOT_MARKS)
		fprintf(f, " linewidth 2 dashtype %s",
			curve->dashed ? "2" : "solid");
	if (curve->style != PLOT_LINES)
		fputs(" pointtype 7 pointsize 0.45", f);
	if (!has_intervals(curve))
		return;
	fprintf(f, ", $c%u using 1:3:(0):($4-$3) with vectors nohead linewidth 1.5",
		index);
	fprintf(f, " linecolor rgb '#0100%02x'", curve->colour);
}

/**
 * plot_script() - write the script of a plot
 * @plot: the plot, with at least one point or bar
 *
 * Return: the script, for the caller to free().
 */
char *plot_script(struct plot *plot)
{
	unsigned int i;
	char *script;
	size_t len;
	FILE *f = open_memstream(&script, &len);

	widen(&plot->x);
	if (!plot->boxes)
		widen(&plot->y);
	if (plot->x.log && !plot->x.tics)
		add_log_tics(&plot->x);
	if (plot->y.log && !plot->y.tics)
		add_log_tics(&plot->y);
	fprintf(f, "reset\nset terminal svg size %u,%u noenhanced font 'sans-serif,12'\n",
		PLOT_WIDTH, plot->height);
	fputs("unset key\nset border 3 linecolor rgb '#0100fb'\n"
	      "set tics nomirror\nset grid linecolor rgb '#0100fa' linetype 1 dashtype solid linewidth 0.6\n"
	      "set rmargin 3\n", f);
	print_axis(f, "x", &plot->x);
	print_axis(f, "y", &plot->y);
	if (plot->boxes)
		fputs("set grid noytics\nset ytics scale 0\n", f);
	print_boxes(f, plot);
	print_texts(f, plot);
	for (i = 0; i < plot->curves; i++)
		print_points(f, &plot->curve[i], i);
	/* the point in the corner is for plots that have only bars */
	fputs("plot '+' using 1:(1/0) notitle", f);
	for (i = 0; i < plot->curves; i++)
		if (plot->curve[i].points)
			print_curve(f, &plot->curve[i], i);
	fputs("\n", f);
	fclose(f);
	return script;
}

static void print_entry(FILE *f, unsigned int colour, bool dashed,
			const char *text)
{
	fprintf(f, "<li><span class=\"k c%u%s\"></span>", colour,
		dashed ? " d" : "");
	html_text(f, text);
}

/**
 * plot_legend() - print the legend of a plot as HTML
 * @f: output stream
 * @plot: the plot
 */
void plot_legend(FILE *f, const struct plot *plot)
{
	const struct plot_curve *curve;
	unsigned int i;

	fputs("<ul class=legend>\n", f);
	for (i = 0; i < plot->keys; i++)
		print_entry(f, plot->key[i].x, false, plot->key[i].text);
	for (i = 0; i < plot->curves; i++) {
		curve = &plot->curve[i];
		if (curve->label && curve->points)
			print_entry(f, curve->colour, curve->dashed,
				    curve->label);
	}
	fputs("</ul>\n", f);
}

static void free_texts(struct plot_text *array, unsigned int count)
{
	while (count)
		free(array[--count].text);
	free(array);
}

/**
 * plot_free() - free a plot
 * @plot: the plot
 */
void plot_free(struct plot *plot)
{
	unsigned int i;

	for (i = 0; i < plot->curves; i++) {
		free(plot->curve[i].label);
		free(plot->curve[i].point);
	}
	free(plot->curve);
	free(plot->box);
	free_texts(plot->text, plot->texts);
	free_texts(plot->line, plot->lines);
	free_texts(plot->key, plot->keys);
	free_texts(plot->x.tic, plot->x.tics);
	free_texts(plot->y.tic, plot->y.tics);
	free(plot->x.label);
	free(plot->y.label);
	free(plot->title);
	free(plot->note);
	memset(plot, 0, sizeof(*plot));
}
