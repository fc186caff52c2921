// SPDX-License-Identifier: GPL-2.0
#include <linux/cpu.h>
#include <linux/notifier.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/suspend.h>

#include "model/engine.h"
#include "pin.h"

/* Number of suspends and resumes so far: odd from a suspend until its resume is over. */
static unsigned int sleeps;

static int sleep_changed(struct notifier_block *block, unsigned long event,
			 void *data)
{
	switch (event) {
	case PM_HIBERNATION_PREPARE:
	case PM_SUSPEND_PREPARE:
	case PM_RESTORE_PREPARE:
		WRITE_ONCE(sleeps, sleeps | 1);
		break;
	case PM_POST_HIBERNATION:
	case PM_POST_SUSPEND:
	case PM_POST_RESTORE:
		WRITE_ONCE(sleeps, (sleeps | 1) + 1);
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block sleep_block = {
	.notifier_call = sleep_changed,
};

/**
 * icb_pin_init() - start to track suspends of the machine
 *
 * Return: 0; a negative error number.
 */
int icb_pin_init(void)
{
	return register_pm_notifier(&sleep_block);
}

/**
 * icb_pin_exit() - undo icb_pin_init()
 *
 * No thread is pinned any more.
 */
void icb_pin_exit(void)
{
	unregister_pm_notifier(&sleep_block);
}

/**
 * icb_pin_sleeps() - check whether the machine is suspending or resuming
 *
 * Return: true if it is: CPUs may go offline and come online.
 */
bool icb_pin_sleeps(void)
{
	return READ_ONCE(sleeps) & 1;
}

/**
 * icb_pins_init() - initialize the pinned threads of a side
 * @pins: the pinned threads; none afterwards
 */
void icb_pins_init(struct icb_pins *pins)
{
	mutex_init(&pins->lock);
	INIT_LIST_HEAD(&pins->list);
	pins->lost = -1;
}

static bool has_moved(const struct icb_pin *pin)
{
	return READ_ONCE(pin->task->se.nr_migrations) != pin->moves;
}

static bool is_free(const struct icb_pin *pin)
{
	return !cpumask_equal(&pin->task->cpus_mask, cpumask_of(pin->cpu));
}

/* Binds the thread to its CPU again; has no effect if that CPU is offline. */
static void hold(struct icb_pin *pin)
{
	if (is_free(pin))
		set_cpus_allowed_ptr(pin->task, cpumask_of(pin->cpu));
}

/*
 * A suspend takes all CPUs but one offline. After the resume, each thread is bound to its
 * CPU again. A changed affinity alone is no failure: the thread has left its CPU only
 * once the scheduler has migrated it.
 */
static void look_at(struct icb_pins *pins, struct icb_pin *pin)
{
	unsigned int slept = READ_ONCE(sleeps);

	if (slept & 1)
		return;
	if (slept != pin->sleeps) {
		hold(pin);
		/* a sleeping thread migrates back when it wakes */
		if (cpu_online(pin->cpu) && task_cpu(pin->task) != pin->cpu)
			return;
		pin->moves = READ_ONCE(pin->task->se.nr_migrations);
		pin->sleeps = slept;
	}
	if (!has_moved(pin))
		hold(pin);
	if (pins->lost < 0 && (has_moved(pin) || !cpu_online(pin->cpu)) &&
	    READ_ONCE(sleeps) == slept)
		pins->lost = pin->cpu;
}

/**
 * icb_pins_check() - check that all threads of a side have stayed on their CPUs
 * @pins: pinned threads of the side
 * @why: reason of a failure
 *
 * Threads that may leave their CPU but have not are bound to it again. May sleep.
 *
 * Return: 0; -ENODEV if a thread has run elsewhere, or its CPU went offline.
 */
int icb_pins_check(struct icb_pins *pins, struct icb_reason *why)
{
	struct icb_pin *pin;
	int lost;

	mutex_lock(&pins->lock);
	list_for_each_entry(pin, &pins->list, list)
		look_at(pins, pin);
	lost = pins->lost;
	mutex_unlock(&pins->lock);
	return lost < 0 ? 0 :
		icb_refuse(why, -ENODEV,
			   "CPU %d was taken from the run: it went offline, or a thread was moved to another CPU",
			   lost);
}

/**
 * icb_pin_take() - pin this thread to a CPU
 * @pin: pin of this thread; valid until icb_pin_give()
 * @pins: pinned threads of the side; NULL if a migration is not to be reported
 * @cpu: the CPU
 *
 * May sleep.
 *
 * Return: 0; a negative error number if the CPU is offline: then there is nothing to
 * undo.
 */
int icb_pin_take(struct icb_pin *pin, struct icb_pins *pins, unsigned int cpu)
{
	int err;

	pin->task = current;
	pin->cpu = cpu;
	cpumask_copy(&pin->before, current->cpus_ptr);
	pin->sleeps = READ_ONCE(sleeps);
	err = set_cpus_allowed_ptr(current, cpumask_of(cpu));
	pin->moves = current->se.nr_migrations;
	barrier(); /* later migrations are seen by has_moved() */
	if (!err && raw_smp_processor_id() != cpu) {
		set_cpus_allowed_ptr(current, &pin->before);
		err = -EINVAL;
	}
	if (!pins)
		return err;
	mutex_lock(&pins->lock);
	if (!err)
		list_add_tail(&pin->list, &pins->list);
	else if (pins->lost < 0)
		pins->lost = cpu;
	mutex_unlock(&pins->lock);
	return err;
}

/**
 * icb_pin_give() - restore the CPU affinity of this thread
 * @pin: pin of icb_pin_take()
 * @pins: as for icb_pin_take()
 *
 * May sleep.
 */
void icb_pin_give(struct icb_pin *pin, struct icb_pins *pins)
{
	if (pins) {
		mutex_lock(&pins->lock);
		look_at(pins, pin);
		list_del(&pin->list);
		mutex_unlock(&pins->lock);
	}
	/* all CPUs of @before may be offline by now */
	if (set_cpus_allowed_ptr(current, &pin->before))
		set_cpus_allowed_ptr(current, cpu_possible_mask);
}
