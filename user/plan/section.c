// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "base/alloc.h"
#include "keyfile.h"
#include "keys.h"
#include "model/derived.h"
#include "model/trigger.h"
#include "model/triggers_table.h"
#include "section.h"

/* Number of runs that the last section's own keys make; 0 without a section. */
static unsigned int last_runs(const struct sections *sections)
{
	unsigned int runs = 0;

	if (sections->count)
		plan_count(&sections->section[sections->count - 1].config,
			   &runs, NULL);
	return runs;
}

/**
 * section_begin() - begin a section at a line "[NAME]" of a recipe
 * @file: file that contains the line
 * @sections: sections to append to
 * @name: name of the section
 *
 * Return: 0; -EINVAL with a reason.
 */
int section_begin(struct keyfile *file, struct sections *sections,
		  const char *name)
{
	struct section *section;
	int err;

	err = keyfile_check_name(file, name);
	if (err)
		return err;
	if (section_find(sections, name))
		return keyfile_refuse(file, -EINVAL,
				      "[%.32s] is given twice; accepted: once",
				      name);
	sections->runs += last_runs(sections);
	sections->section = alloc_grow(sections->section, sections->count,
				       sizeof(*section));
	section = &sections->section[sections->count++];
	section->name = alloc_copy(name, strlen(name));
	return 0;
}

/**
 * section_key() - set a parameter of the last section
 * @file: file that contains the line with the parameter
 * @sections: the sections, at least one
 * @key: the key
 * @value: value or values of the key
 *
 * Return: 0; -EINVAL or -ERANGE with a reason.
 */
int section_key(struct keyfile *file, struct sections *sections,
		const char *key, const char *value)
{
	struct section *section = &sections->section[sections->count - 1];
	int err;

	err = keys_add(file, &section->config, "[NAME]", key, value);
	if (!err && sections->runs + last_runs(sections) > SWEEP_MAX)
		err = keyfile_refuse(file, -ERANGE,
				     "%s: the sections make more than %u runs; accepted: fewer values",
				     key, SWEEP_MAX);
	return err;
}

/**
 * section_find() - find a section by its name
 * @sections: sections to search
 * @name: name of the section
 *
 * Return: number of the section, from 1 as in plans; 0 if there is none of that name.
 */
unsigned int section_find(const struct sections *sections, const char *name)
{
	unsigned int i;

	for (i = 0; i < sections->count; i++)
		if (!strcmp(sections->section[i].name, name))
			return i + 1;
	return 0;
}

static const struct section *find_setter(const struct sections *sections,
					 const struct icb_param *param)
{
	unsigned int i;

	for (i = 0; i < sections->count; i++)
		if (config_find(&sections->section[i].config, param))
			return &sections->section[i];
	return NULL;
}

/**
 * section_override() - override a recipe's keys by the user's
 * @sections: sections of the recipe; the keys that they set cannot be overridden there
 * @config: the recipe's keys
 * @over: the user's keys; empty afterwards, unless refused
 * @why: receives the reason of a refusal
 *
 * A key that only a section sets defines what the section measures, so it is refused in
 * @over.
 *
 * Return: 0; -EINVAL with a reason.
 */
int section_override(const struct sections *sections, struct config *config,
		     struct config *over, struct icb_reason *why)
{
	const struct icb_param *param;
	const struct section *section;
	unsigned int i;

	for (i = 0; i < over->count; i++) {
		param = over->sweep[i].param;
		section = find_setter(sections, param);
		if (section && !config_find(config, param))
			return icb_refuse(why, -EINVAL,
					  "%s: section [%.64s] of the recipe sets it; accepted: keys that no section sets, or that the recipe also sets before its sections",
					  param->name, section->name);
	}
	config_override(config, over);
	return 0;
}

/* True if no run of a section needs a device. */
static bool is_local(const struct section *section)
{
	const struct sweep *verb = config_find(&section->config,
				icb_param_by_attr(ICBENCH_A_PARAMS_VERB));
	unsigned int i;

	for (i = 0; verb && i < verb->count; i++)
		if (!icb_verb_table[verb->value[i].number].local)
			return false;
	return verb;
}

/* Drop the common keys that mean nothing without a device. */
static void keep_local(struct config *config)
{
	unsigned int i;

	for (i = 0; i < icb_param_count; i++)
		if (!icb_trigger_local(icb_param_table[i].attr))
			config_drop(config, &icb_param_table[i]);
}

/* Keys of messages: timed calls move no data, and no thread waits for a completion. */
static const u16 message_attrs[] = {
	ICBENCH_A_PARAMS_COMPLETION, ICBENCH_A_PARAMS_SPIN,
	ICBENCH_A_PARAMS_INTERVAL, ICBENCH_A_PARAMS_DIRECTION,
	ICBENCH_A_PARAMS_VERIFY, ICBENCH_A_PARAMS_NOTIFY,
	ICBENCH_A_PARAMS_STAGES, ICBENCH_A_PARAMS_QPS,
	ICBENCH_A_PARAMS_BUFFERS, ICBENCH_A_PARAMS_REUSE,
};

/* Drop the common keys of messages if the section times calls. */
static void keep_calls(const struct section *section, struct config *config)
{
	const struct sweep *trigger = config_find(&section->config,
				icb_param_by_attr(ICBENCH_A_PARAMS_TRIGGER));
	unsigned int i;

	if (!trigger || trigger->value->number != ICBENCH_TRIGGER_RETURN)
		return;
	for (i = 0; i < ARRAY_SIZE(message_attrs); i++)
		config_drop(config, icb_param_by_attr(message_attrs[i]));
	for (i = 0; i < icb_param_count; i++)
		if (!icb_trigger_takes(ICBENCH_TRIGGER_RETURN,
				       icb_param_table[i].attr))
			config_drop(config, &icb_param_table[i]);
}

/* True if some run of a section reports its stages. */
static bool has_stages(const struct section *section,
		       const struct config *common)
{
	const struct icb_param *stages =
		icb_param_by_attr(ICBENCH_A_PARAMS_STAGES);
	const struct sweep *sweep = config_find(&section->config, stages);
	unsigned int i;

	if (!sweep)
		sweep = config_find(common, stages);
	for (i = 0; sweep && i < sweep->count; i++)
		if (sweep->value[i].number)
			return true;
	return false;
}

static bool any_has_stages(const struct sections *sections,
			   const struct config *common)
{
	unsigned int i;

	for (i = 0; i < sections->count; i++)
		if (has_stages(&sections->section[i], common))
			return true;
	return false;
}

/* The shadow CPU serves the stages: if any section has them, only those keep its key. */
static void keep_shadow(const struct sections *sections,
			const struct section *section,
			const struct config *common, struct config *config)
{
	if (any_has_stages(sections, common) && !has_stages(section, common))
		config_drop(config,
			    icb_param_by_attr(ICBENCH_A_PARAMS_SHADOW_CPU));
}

static int plan_one(const struct sections *sections,
		    const struct section *section, const struct config *common,
		    const struct sweep *baseline, struct plan *plan,
		    struct icb_reason *why)
{
	struct config config = { 0 }, own = { 0 };
	struct icb_reason inner;
	int err;

	config_copy(&config, common);
	if (is_local(section))
		keep_local(&config);
	keep_calls(section, &config);
	keep_shadow(sections, section, common, &config);
	config_copy(&own, &section->config);
	config_override(&config, &own);
	err = plan_make(plan, &config, baseline, &inner);
	config_free(&config);
	return err ? icb_refuse(why, err, "[%.64s] %s", section->name,
				inner.text) : 0;
}

/**
 * section_plan() - make the runs of all sections, in their order
 * @sections: the sections
 * @common: keys that all sections have in common
 * @baseline: the baseline, as for plan_make()
 * @plan: destination; plan_free() it in any case
 * @why: receives the reason of a refusal
 *
 * Return: 0; -EINVAL, -ERANGE or -EOPNOTSUPP with a reason.
 */
int section_plan(const struct sections *sections, const struct config *common,
		 const struct sweep *baseline, struct plan *plan,
		 struct icb_reason *why)
{
	struct plan part;
	unsigned int i;
	int err = 0;

	memset(plan, 0, sizeof(*plan));
	for (i = 0; !err && i < sections->count; i++) {
		err = plan_one(sections, &sections->section[i], common,
			       baseline, &part, why);
		if (!err)
			err = plan_append(plan, &part, i + 1, why);
		plan_free(&part);
	}
	if (!err)
		plan_compare(plan);
	return err;
}

/**
 * section_point() - print how a point differs from the others
 * @sections: sections of the recipe; may be empty
 * @plan: points of the recipe
 * @index: index of one of the points
 * @buf: destination: "[rate] size=64"
 * @size: size of @buf, bytes
 *
 * Return: length of the string in @buf, less than @size.
 */
size_t section_point(const struct sections *sections, const struct plan *plan,
		     unsigned int index, char *buf, size_t size)
{
	const struct plan_point *point = &plan->point[index];
	struct plan part = { .varying = point->varying };
	char name[160];

	if (!point->section) {
		plan_name(plan, &point->params, buf, size);
		return strlen(buf);
	}
	plan_name(&part, &point->params, name, sizeof(name));
	snprintf(buf, size, "[%s]%s%s",
		 sections->section[point->section - 1].name, *name ? " " : "",
		 name);
	return strlen(buf);
}

/**
 * section_free() - free sections
 * @sections: the sections; empty afterwards
 */
void section_free(struct sections *sections)
{
	unsigned int i;

	for (i = 0; i < sections->count; i++) {
		free(sections->section[i].name);
		config_free(&sections->section[i].config);
	}
	free(sections->section);
	memset(sections, 0, sizeof(*sections));
}
