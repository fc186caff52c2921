/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_PLOT_H
#define REPORT_PLOT_H

#include <stdbool.h>
#include <stdio.h>

/* Number of colours, and most curves of a plot. */
#define PLOT_COLOURS	8
/* Most points of a curve; more are thinned out. */
#define PLOT_POINTS	1000
/* Size of a plot, in the units of its SVG, which are pixels if it is not scaled. */
#define PLOT_WIDTH	520
#define PLOT_HEIGHT	340

/* How the points of a curve are drawn. */
enum plot_style {
	PLOT_LINES,
	PLOT_MARKED_LINES,
	PLOT_MARKS,
};

/**
 * struct plot_point - a point of a curve
 * @x: horizontal coordinate
 * @y: vertical coordinate
 * @low: lower end of the interval of @y; equal to @y if there is none
 * @high: upper end of the interval of @y
 */
struct plot_point {
	double x;
	double y;
	double low;
	double high;
};

/**
 * struct plot_curve - a curve
 * @label: entry in the legend, allocated; NULL for none
 * @style: how the points are drawn
 * @colour: index of the colour, less than PLOT_COLOURS
 * @dashed: true for a dashed line
 * @point: array of points, allocated
 * @points: number of points
 */
struct plot_curve {
	char *label;
	enum plot_style style;
	unsigned int colour;
	bool dashed;
	struct plot_point *point;
	unsigned int points;
};

/**
 * struct plot_box - a filled rectangle
 * @x1: left edge
 * @x2: right edge
 * @y1: lower edge
 * @y2: upper edge
 * @colour: index of the colour
 */
struct plot_box {
	double x1;
	double x2;
	double y1;
	double y2;
	unsigned int colour;
};

/**
 * struct plot_text - a text in a plot, or the text of a tic of an axis
 * @x: horizontal coordinate, or the coordinate of the tic
 * @y: vertical coordinate; not used for a tic
 * @text: the text, allocated
 */
struct plot_text {
	double x;
	double y;
	char *text;
};

/**
 * struct plot_axis - an axis
 * @label: name of the quantity, and its unit; allocated, NULL for none
 * @log: true for a logarithmic axis, on which values above 0 are drawn
 * @zero: true if the axis contains 0
 * @rotate: true if the texts of the tics are long and drawn at an angle
 * @tic: array of tics, allocated; if there are none, gnuplot chooses them
 * @tics: number of tics
 * @low: least coordinate
 * @high: greatest coordinate
 * @used: true if @low and @high are set
 */
struct plot_axis {
	char *label;
	bool log;
	bool zero;
	bool rotate;
	struct plot_text *tic;
	unsigned int tics;
	double low;
	double high;
	bool used;
};

/**
 * struct plot - a plot, which gnuplot draws
 * @title: title, allocated
 * @note: sentence below the plot, allocated; NULL for none
 * @height: height of the SVG
 * @x: horizontal axis
 * @y: vertical axis
 * @curve: array of curves, allocated
 * @curves: number of curves
 * @box: array of rectangles, allocated
 * @boxes: number of rectangles
 * @text: array of texts, allocated
 * @texts: number of texts
 * @line: array of vertical lines at @x of each, with a text; allocated
 * @lines: number of vertical lines
 * @key: array of legend entries of the rectangles: @x is the colour; allocated
 * @keys: number of these entries
 */
struct plot {
	char *title;
	char *note;
	unsigned int height;
	struct plot_axis x;
	struct plot_axis y;
	struct plot_curve *curve;
	unsigned int curves;
	struct plot_box *box;
	unsigned int boxes;
	struct plot_text *text;
	unsigned int texts;
	struct plot_text *line;
	unsigned int lines;
	struct plot_text *key;
	unsigned int keys;
};

void __printf(2, 3) plot_begin(struct plot *plot, const char *fmt, ...);
void plot_axis(struct plot_axis *axis, const char *name, const char *unit);
void plot_tic(struct plot_axis *axis, double at, const char *text);
struct plot_curve *plot_curve(struct plot *plot, enum plot_style style,
			      unsigned int colour, const char *label);
void plot_point(struct plot *plot, struct plot_curve *curve, double x, double y,
		double low, double high);
void plot_box(struct plot *plot, double x1, double x2, double y,
	      unsigned int colour);
void plot_text(struct plot *plot, double x, double y, const char *text);
void plot_line(struct plot *plot, double x, const char *text);
void plot_key(struct plot *plot, unsigned int colour, const char *text);
void __printf(2, 3) plot_note(struct plot *plot, const char *fmt, ...);
bool plot_is_empty(const struct plot *plot);
char *plot_script(struct plot *plot);
void plot_legend(FILE *f, const struct plot *plot);
void plot_free(struct plot *plot);

#endif /* REPORT_PLOT_H */
