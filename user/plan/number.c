// SPDX-License-Identifier: GPL-2.0
#include "number.h"
#include "stats/compare_stats.h"

struct unit {
	const char *name;
	u64 factor;
};

/* The first unit of each table is that of a bare number. */
static const struct unit count_units[] = {
	{ "", 1 },
	{ "K", 1000 }, { "k", 1000 },
	{ "M", 1000000 }, { "m", 1000000 },
	{ "G", 1000000000 }, { "g", 1000000000 },
	{ .name = NULL }
};

static const struct unit size_units[] = {
	{ "", 1 },
	{ "K", 1ULL << 10 }, { "k", 1ULL << 10 },
	{ "M", 1ULL << 20 }, { "m", 1ULL << 20 },
	{ "G", 1ULL << 30 }, { "g", 1ULL << 30 },
	{ .name = NULL }
};

static const struct unit share_units[] = {
	{ "", 10 },
	{ .name = NULL }
};

static const struct unit time_units[] = {
	{ "", 1000000000 },
	{ "ns", 1 },
	{ "us", 1000 },
	{ "ms", 1000000 },
	{ "s", 1000000000 },
	{ .name = NULL }
};

static const struct {
	const char *noun;
	const char *accepted;
	const struct unit *units;
} kinds[] = {
	[ICB_PARAM_COUNT] = {
		"number", "a whole number, with K, M or G for 10^3, 10^6, 10^9, or as 1e6",
		count_units
	},
	[ICB_PARAM_SIZE] = {
		"size", "whole bytes, with K, M or G for 2^10, 2^20, 2^30, or as 1e6",
		size_units
	},
	[ICB_PARAM_SHARE] = {
		"share", "per cent, a whole number or one with one decimal, as 99.5",
		share_units
	},
	[ICB_PARAM_PERCENTILE] = {
		"percentile",
		"per cent, with a tenth, or above 10 with a hundredth, as 99.99",
		share_units
	},
	[ICB_PARAM_TIME] = {
		"time", "a number with ns, us, ms or s, as 0.5s; without a unit, seconds",
		time_units
	},
};

/* Return: how numbers of a parameter are written. */
static const char *accepted(const struct icb_param *param)
{
	return param->flags & ICB_PARAM_UNIT ?
		"a number with ns, us, ms or s, as 20us" :
		kinds[param->type].accepted;
}

static int refuse(const struct icb_param *param, const char *text,
		  struct icb_reason *why)
{
	return icb_refuse(why, -EINVAL, "%s: \"%.32s\" is not a %s; accepted: %s",
			  param->name, text, kinds[param->type].noun,
			  accepted(param));
}

static int too_large(const struct icb_param *param, const char *text,
		     struct icb_reason *why)
{
	char low[24], high[24];

	return icb_refuse(why, -ERANGE,
			  "%s: %.32s is out of range; accepted: %s to %s%s",
			  param->name, text,
			  icb_param_plain(param->type, param->min, low,
					  sizeof(low)),
			  icb_param_plain(param->type, param->max, high,
					  sizeof(high)),
			  param->type == ICB_PARAM_TIME ? " ns" :
			  param->type == ICB_PARAM_SIZE ? " bytes" : "");
}

/**
 * number_check() - check that a number is in the range of its parameter
 * @param: the parameter
 * @value: the number
 * @why: receives the reason of a refusal
 *
 * Return: 0 or -ERANGE.
 */
int number_check(const struct icb_param *param, u64 value,
		 struct icb_reason *why)
{
	char text[24];

	if (value >= param->min && value <= param->max)
		return 0;
	icb_param_plain(param->type, value, text, sizeof(text));
	return too_large(param, text, why);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Parse the digits at *@p. Return: false if the number exceeds 64 bits. */
static bool take_digits(const char **p, u64 *value)
{
	bool huge = false;

	for (*value = 0; is_digit(**p); (*p)++) {
		huge |= __builtin_mul_overflow(*value, 10, value);
		huge |= __builtin_add_overflow(*value, (u64)(**p - '0'), value);
	}
	return !huge;
}

/* Parse "e6" behind a number. Return: false if the product exceeds 64 bits. */
static bool take_exponent(const char **p, u64 *value)
{
	bool huge;
	u64 e;

	(*p)++;
	huge = !take_digits(p, &e) || e > 19;
	for (e = huge ? 0 : e; e; e--)
		huge |= __builtin_mul_overflow(*value, 10, value);
	return !huge;
}

static bool is_scaled(enum icb_param_type type)
{
	return type == ICB_PARAM_COUNT || type == ICB_PARAM_SIZE;
}

/*
 * Parse the ".5" of "0.5us". *@part becomes the fraction in ns. Return: false if the fraction
 * is not a whole number of ns.
 */
static bool take_fraction(const char **p, u64 *part)
{
	const struct unit *unit;
	const char *digits = *p + 1;
	u64 value, factor;

	*p = digits;
	/* all digits: those beyond a ns have to be zeros */
	while (is_digit(**p))
		(*p)++;
	for (unit = time_units; unit->name; unit++)
		if (!strcmp(unit->name, *p))
			break;
	*part = 0;
	if (!unit->name)
		return true;
	for (factor = unit->factor; is_digit(*digits); digits++) {
		value = *digits - '0';
		if (value && factor % 10)
			return false;
		factor /= 10;
		*part += value * factor;
	}
	return true;
}

static bool has_tenths(const struct icb_param *param)
{
	return param->type == ICB_PARAM_SHARE ||
	       param->type == ICB_PARAM_PERCENTILE;
}

/* True if @p is the hundredth of a percentile of so many tenths of a per cent. */
static bool is_hundredth(const struct icb_param *param, u64 tenths,
			 const char *p)
{
	return param->type == ICB_PARAM_PERCENTILE && is_digit(*p) &&
	       tenths >= ICB_PERCENTILE_FINE / 10 && tenths < ICB_PERCENTILE_FINE;
}

/* Such a time is usually much less than a second: a missing unit is probably a mistake. */
static int refuse_bare(const struct icb_param *param, const char *text,
		       struct icb_reason *why)
{
	return icb_refuse(why, -EINVAL,
			  "%s: %.32s has no unit; accepted: %.32sns, %.32sus, %.32sms or %.32ss",
			  param->name, text, text, text, text, text);
}

/**
 * number_parse() - parse a number as people write it
 * @param: parameter that gives the type (ICB_PARAM_COUNT, ICB_PARAM_SIZE,
 *	ICB_PARAM_SHARE, ICB_PARAM_PERCENTILE or ICB_PARAM_TIME), and the name and range
 *	for the reason
 * @text: text of the number, and nothing else
 * @value: destination
 * @why: receives the reason of a refusal
 *
 * Digits and at most one unit; no sign, blank or base. A count or a size may have an exponent
 * in place of a unit. A time may have decimals as long as it is a whole number of ns. A share
 * may have a tenth, and a percentile a tenth or a hundredth. The range is not checked here,
 * except that of a percentile: a bound of a sweep need not be one of its values.
 *
 * Return: 0; -EINVAL if @text is no number, or a time without a unit for a parameter that
 * needs one; -ERANGE if the number exceeds 64 bits, or if a percentile is not below 100.
 */
int number_parse(const struct icb_param *param, const char *text, u64 *value,
		 struct icb_reason *why)
{
	u64 v, tenth = 0, hundredth = 0, part = 0;
	const struct unit *unit;
	const char *p = text;
	bool huge, exponent;

	huge = !take_digits(&p, &v);
	if (p == text)
		return refuse(param, text, why);
	if (has_tenths(param) && p[0] == '.' && is_digit(p[1])) {
		tenth = p[1] - '0';
		p += 2;
		if (!huge && v < 100 && is_hundredth(param, v * 10 + tenth, p))
			hundredth = *p++ - '0';
	}
	exponent = is_scaled(param->type) && p[0] == 'e' && is_digit(p[1]);
	if (exponent)
		huge |= !take_exponent(&p, &v);
	else if (param->type == ICB_PARAM_TIME && p[0] == '.' && is_digit(p[1]) &&
		 !take_fraction(&p, &part))
		return refuse(param, text, why);
	for (unit = kinds[param->type].units; unit->name; unit++)
		if (!strcmp(unit->name, p))
			break;
	if (!unit->name || (exponent && *p))
		return refuse(param, text, why);
	huge |= __builtin_mul_overflow(v, unit->factor, value);
	huge |= __builtin_add_overflow(*value, tenth + part, value);
	huge |= param->type == ICB_PARAM_PERCENTILE &&
		*value >= ICB_PERCENTILE_FINE;
	if (hundredth)
		*value = *value * 10 + hundredth;
	if (huge)
		return too_large(param, text, why);
	if (param->flags & ICB_PARAM_UNIT && !*p && *value)
		return refuse_bare(param, text, why);
	return 0;
}

/**
 * number_print() - print a number so that number_parse() accepts it
 * @buf: destination
 * @size: size of @buf, bytes
 * @type: ICB_PARAM_COUNT, ICB_PARAM_SIZE, ICB_PARAM_SHARE, ICB_PARAM_PERCENTILE or
 *	ICB_PARAM_TIME
 * @value: the number; printed in the largest unit that divides it
 */
void number_print(char *buf, size_t size, enum icb_param_type type, u64 value)
{
	const struct unit *unit, *best = NULL;

	/* a count is printed in digits, as perftest prints it */
	if (type == ICB_PARAM_SHARE || type == ICB_PARAM_PERCENTILE ||
	    type == ICB_PARAM_COUNT) {
		icb_param_plain(type, value, buf, size);
		return;
	}
	for (unit = kinds[type].units; unit->name; unit++)
		if (!(value % unit->factor) && (value || unit->factor == 1) &&
		    (!best || unit->factor > best->factor ||
		     (type == ICB_PARAM_TIME && unit->factor == best->factor)))
			best = unit;
	snprintf(buf, size, "%llu%s", (unsigned long long)(value / best->factor),
		 best->name);
}

/**
 * number_parse_repeat() - parse the number of runs of each point
 * @repeat: destination
 * @text: a number, as text
 * @why: receives the reason of a refusal
 *
 * Return: 0; -EINVAL or -ERANGE with a reason.
 */
int number_parse_repeat(unsigned int *repeat, const char *text,
			struct icb_reason *why)
{
	const struct icb_param count = { .name = "repeat",
		.type = ICB_PARAM_COUNT, .min = 1, .max = SAMPLE_MAX };
	u64 value;
	int err;

	err = number_parse(&count, text, &value, why);
	if (!err)
		err = number_check(&count, value, why);
	if (!err)
		*repeat = (unsigned int)value;
	return err;
}
