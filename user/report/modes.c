// SPDX-License-Identifier: GPL-2.0
/*
 * Plot of completion modes by latency and CPU time of a message. The front connects the
 * modes that no other mode beats in one of them without being worse in the other.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>

#include "base/alloc.h"
#include "model/engine.h"
#include "modes.h"
#include "page.h"
#include "points.h"
#include "scale.h"

/* Most modes of a plot. */
#define MODES_MAX	40

/**
 * struct mode - a completion mode with its parameters
 * @label: its name, allocated
 * @latency: latency, in the unit of the plot
 * @cpu: CPU time of a message, in the unit of the plot
 * @first: true if it is on the front
 */
struct mode {
	char *label;
	double latency;
	double cpu;
	bool first;
};

/* A figure that the recommendation of the result is based on. */
static bool derived(const struct points *points, size_t index, const char *name,
		    double *value)
{
	static const char *const path[] = { "derived", "advice" };
	struct json_object *object = points_get(points, index);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(path); i++)
		if (!json_object_is_type(object, json_type_object) ||
		    !json_object_object_get_ex(object, path[i], &object))
			return false;
	return json_object_is_type(object, json_type_object) &&
	       document_number(json_object_object_get(object, name), "value",
			       value);
}

static bool find_mode(const struct points *points, size_t index, struct mode *mode)
{
	struct estimate latency, cpu;

	if (!points_typical(points, index, "latency", &latency) ||
	    !points_typical(points, index, "cpu_per_message", &cpu))
		return false;
	if (!derived(points, index, "latency", &mode->latency))
		mode->latency = latency.value;
	if (!derived(points, index, "cpu", &mode->cpu))
		mode->cpu = cpu.value;
	return true;
}

static bool beats(const struct mode *one, const struct mode *other)
{
	return one->latency <= other->latency && one->cpu <= other->cpu &&
	       (one->latency < other->latency || one->cpu < other->cpu);
}

static void find_front(struct mode *mode, unsigned int count)
{
	unsigned int i, j;

	for (i = 0; i < count; i++) {
		for (j = 0; j < count && !beats(&mode[j], &mode[i]); j++)
			;
		mode[i].first = j == count;
	}
}

static int by_latency(const void *a, const void *b)
{
	const struct mode *one = a, *other = b;

	return one->latency < other->latency ? -1 :
	       one->latency > other->latency;
}

/* True if the points differ in their completion mode, or in how it spins or sleeps. */
static bool has_modes(const struct points *points)
{
	static const char *const keys[] = { "completion", "spin", "interval" };
	unsigned int i, j;

	for (i = 0; i < points->keys; i++)
		for (j = 0; j < ARRAY_SIZE(keys); j++)
			if (!strcmp(points->key[i], keys[j]))
				return true;
	return false;
}

/* True if two modes are so close in a plot that their numbers would overlap. */
static bool is_near(const struct mode *one, const struct mode *other,
		    const double least[2], const double most[2])
{
	const double wide = fmax(most[0] - least[0], most[0] * 0.05);
	const double high = fmax(most[1] - least[1], most[1] * 0.05);

	return fabs(one->latency - other->latency) < wide * 0.05 &&
	       fabs(one->cpu - other->cpu) < high * 0.07;
}

/* The numbers of a mode and of later ones close to it; NULL if an earlier one has them. */
static char *numbers_of(const struct mode *mode, unsigned int count,
			unsigned int index, const double least[2],
			const double most[2])
{
	char *numbers;
	unsigned int i;
	size_t len;
	FILE *f;

	for (i = 0; i < index; i++)
		if (is_near(&mode[i], &mode[index], least, most))
			return NULL;
	f = open_memstream(&numbers, &len);
	fprintf(f, "%u", index + 1);
	for (i = index + 1; i < count; i++)
		if (is_near(&mode[i], &mode[index], least, most))
			fprintf(f, ", %u", i + 1);
	fclose(f);
	return numbers;
}

static void draw(struct page *page, const struct points *points,
		 struct mode *mode, unsigned int count)
{
	double most[2] = { 0, 0 }, least[2] = { INFINITY, INFINITY };
	struct scale latency, cpu;
	struct plot_curve *curve;
	struct plot plot;
	unsigned int i;
	char *text;

	for (i = 0; i < count; i++) {
		most[0] = fmax(most[0], mode[i].latency);
		most[1] = fmax(most[1], mode[i].cpu);
		least[0] = fmin(least[0], mode[i].latency);
		least[1] = fmin(least[1], mode[i].cpu);
	}
	latency = scale_of("ns", most[0], points->doc->icount);
	cpu = scale_of("ns", most[1], points->doc->icount);
	plot_begin(&plot, "Completion modes: latency and CPU time");
	plot.x.log = least[0] > 0 && most[0] > 8 * least[0];
	plot.y.log = least[1] > 0 && most[1] > 8 * least[1];
	plot_axis(&plot.x, "latency", latency.unit);
	plot_axis(&plot.y, "CPU time of a message", cpu.unit);
	curve = plot_curve(&plot, PLOT_MARKED_LINES, 0, NULL);
	for (i = 0; i < count; i++)
		if (mode[i].first)
			plot_point(&plot, curve, mode[i].latency / latency.factor,
				   mode[i].cpu / cpu.factor,
				   mode[i].cpu / cpu.factor,
				   mode[i].cpu / cpu.factor);
	curve = plot_curve(&plot, PLOT_MARKS, 1, NULL);
	for (i = 0; i < count; i++) {
		if (!mode[i].first)
			plot_point(&plot, curve, mode[i].latency / latency.factor,
				   mode[i].cpu / cpu.factor,
				   mode[i].cpu / cpu.factor,
				   mode[i].cpu / cpu.factor);
		text = numbers_of(mode, count, i, least, most);
		if (text)
			plot_text(&plot, mode[i].latency / latency.factor,
				  mode[i].cpu / cpu.factor, text);
		free(text);
		text = alloc_text("%u: %s", i + 1, mode[i].label);
		plot_key(&plot, mode[i].first ? 0 : 1, text);
		free(text);
	}
	plot_note(&plot,
		  "The line is the front: no other mode has both a lower latency and less CPU time.");
	page_plot(page, &plot);
}

/* Name a mode by its completion and what tells it apart, without "completion=". */
static char *mode_label(const struct points *points, size_t index)
{
	char *completion = points_value(points, index, "completion");
	char *others = points_label(points, index, "completion"), *label;

	label = alloc_text("%s%s%s", completion ? : "", *others ? " " : "", others);
	free(completion);
	free(others);
	return label;
}

/**
 * modes_plot() - add a plot of the completion modes of a result
 * @page: the page
 * @points: the points of the result
 */
void modes_plot(struct page *page, const struct points *points)
{
	struct mode mode[MODES_MAX] = { 0 };
	unsigned int count = 0, i;
	size_t at;

	if (!has_modes(points))
		return;
	for (at = 0; at < points->count && count < MODES_MAX; at++) {
		if (!find_mode(points, at, &mode[count]))
			continue;
		mode[count++].label = mode_label(points, at);
	}
	if (count < 2)
		goto out;
	find_front(mode, count);
	qsort(mode, count, sizeof(*mode), by_latency);
	draw(page, points, mode, count);
out:
	for (i = 0; i < count; i++)
		free(mode[i].label);
}
