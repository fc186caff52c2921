// SPDX-License-Identifier: GPL-2.0
/* Figures of papers, as data of a recipe. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/text.h"
#include "model/params.h"
#include "published.h"

#define FORM	"accepted: METRIC [KEY:VALUE ...] | VALUE UNIT | SYSTEM | SOURCE"

/* Units of papers, and those of documents. */
static const struct {
	const char *name;
	const char *unit;
	double factor;
} units[] = {
	{ "ns", "ns", 1 },
	{ "us", "ns", 1e3 },
	{ "ms", "ns", 1e6 },
	{ "MB/s", "B/s", 1e6 },
	{ "1/s", "1/s", 1 },
	{ "%", "%", 1 },
	{ "count", "count", 1 },
};

static bool is_metric(const char *name)
{
	const char *p = name;

	while (islower((unsigned char)*p) || isdigit((unsigned char)*p) ||
	       *p == '_')
		p++;
	if (p == name)
		return false;
	/* the suffix of a statistic: ".p50", ".min" */
	if (*p == '.')
		for (p++; isalnum((unsigned char)*p) || *p == '.'; p++)
			;
	return !*p;
}

/* Conditions are keys of a run, or the section, each with a value. */
static int check_conditions(const char *conditions, struct icb_reason *why)
{
	char *copy = alloc_text("%s", conditions), *next = copy, *word, *colon;
	int err = 0;

	while (!err && (word = strsep(&next, " "))) {
		if (!*word)
			continue;
		colon = strchr(word, ':');
		if (colon)
			*colon = '\0';
		if (!colon || !colon[1])
			err = icb_refuse(why, -EINVAL,
					 "published-figure: \"%.32s\" is no condition; accepted: KEY:VALUE",
					 word);
		else if (strcmp(word, "section") && !icb_param_by_name(word))
			err = icb_refuse(why, -EINVAL,
					 "published-figure: \"%.32s\" names no key; accepted: keys of icbenchctl run, section",
					 word);
	}
	free(copy);
	return err;
}

static int take_value(struct published *published, const char *text,
		      struct icb_reason *why)
{
	unsigned int i;
	char *end;

	published->number = strtod(text, &end);
	if (end == text || !isfinite(published->number) || *end != ' ' ||
	    !isdigit((unsigned char)*text))
		return icb_refuse(why, -EINVAL,
				  "published-figure: \"%.32s\" is no value; accepted: NUMBER UNIT",
				  text);
	for (i = 0; i < ARRAY_SIZE(units); i++) {
		if (strcmp(units[i].name, end + 1))
			continue;
		published->text = alloc_text("%s", text);
		published->unit = units[i].unit;
		published->factor = units[i].factor;
		published->number *= units[i].factor;
		return 0;
	}
	return icb_refuse(why, -EINVAL,
			  "published-figure: unknown unit \"%.32s\"; accepted: ns, us, ms, MB/s, 1/s, %%, count",
			  end + 1);
}

static int take_parts(struct published *published, char *const part[4],
		      struct icb_reason *why)
{
	size_t len = strcspn(part[0], " ");
	int err;

	published->metric = alloc_copy(part[0], len);
	published->conditions = alloc_text("%s", part[0] + len +
					   strspn(part[0] + len, " "));
	published->system = alloc_text("%s", part[2]);
	published->source = alloc_text("%s", part[3]);
	if (!is_metric(published->metric))
		return icb_refuse(why, -EINVAL,
				  "published-figure: \"%.32s\" names no metric; " FORM,
				  published->metric);
	err = check_conditions(published->conditions, why);
	return err ? err : take_value(published, part[1], why);
}

/**
 * published_parse() - parse a published figure
 * @published: destination; published_free() it in any case
 * @text: the figure: METRIC [KEY:VALUE ...] | VALUE UNIT | SYSTEM | SOURCE
 * @why: receives the reason of a refusal
 *
 * Return: 0; -EINVAL with a reason.
 */
int published_parse(struct published *published, const char *text,
		    struct icb_reason *why)
{
	char *copy = alloc_text("%s", text), *next = copy, *part[4] = { NULL };
	unsigned int i;
	int err = 0;

	memset(published, 0, sizeof(*published));
	for (i = 0; i < ARRAY_SIZE(part) && next; i++) {
		part[i] = text_trim(strsep(&next, "|"));
		if (!*part[i])
			break;
	}
	if (i < ARRAY_SIZE(part) || next)
		err = icb_refuse(why, -EINVAL, "published-figure: " FORM);
	else
		err = take_parts(published, part, why);
	free(copy);
	return err;
}

/**
 * published_free() - free a published figure
 * @published: the figure; empty afterwards
 */
void published_free(struct published *published)
{
	free(published->metric);
	free(published->conditions);
	free(published->text);
	free(published->system);
	free(published->source);
	memset(published, 0, sizeof(*published));
}
