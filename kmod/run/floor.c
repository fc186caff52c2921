// SPDX-License-Identifier: GPL-2.0
/*
 * Verb floor: how long a machine takes to interrupt, defer and wake, without any device.
 *
 * Each sample begins in the run's thread, on its CPU. It ends with the first instruction
 * of the handler, or of the thread that was woken. Then the run's thread sleeps for a
 * moment, so that no sample depends on the one before: the thread to wake sleeps, and a
 * CPU that is to be idle is idle.
 */
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/pm_qos.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/sort.h>
#include <linux/workqueue.h>

#include "cm/device.h"
#include "compat.h"
#include "engine/prepare.h"
#include "floor.h"
#include "host/clock.h"
#include "job.h"

/* How long the run's thread sleeps between two samples. */
#define REST_US		50

/* How far ahead a timer is set: by the time it expires, its thread and its CPU sleep. */
#define AHEAD_NS	(100 * NSEC_PER_USEC)

struct icb_floor;

/**
 * struct sleeper - a thread that a sample wakes
 * @task: the thread
 * @floor: the run
 * @go: true if the thread is to end a sample when it runs
 * @cpu: CPU where the thread is to stay
 * @pin: keeps the thread on @cpu
 */
struct sleeper {
	struct task_struct *task;
	struct icb_floor *floor;
	bool go;
	unsigned int cpu;
	struct icb_pin pin;
};

/**
 * struct icb_floor - state of a run of verb floor
 * @side: this host's side, the only one
 * @run: state that all verbs have, in @side
 * @task: the run's thread
 * @cpu: CPU where @task runs
 * @peer: CPU of the calls that take two CPUs
 * @cross: true if @peer is another CPU than @cpu
 * @from: clock when the sample began
 * @at: clock when the sample ended
 * @late: how late a timer's handler ran, ns
 * @came: true once the sample has ended
 * @hard: timer whose handler runs in a hard interrupt
 * @soft: timer whose handler runs in a software interrupt
 * @ipi: IRQ work that ends a sample
 * @raise: IRQ work that schedules @tasklet
 * @tasklet: tasklet that ends a sample
 * @work: work that ends a sample
 * @bound: per-CPU queue for @work
 * @highpri: per-CPU queue of high priority for @work
 * @unbound: unbound queue for @work
 * @same: thread on @cpu that samples wake
 * @other: thread on @peer that samples wake
 * @hog: thread that keeps @peer busy
 * @hog_request: true if @hog is to spin
 * @hog_active: true while @hog spins
 * @hog_pin: keeps @hog on @peer
 * @qos: request that keeps CPUs from deep idle states during a sample
 * @time: durations of the calls of an operation, ns; U64_MAX for calls not made
 * @woken: time from the expiry of @hard until the run's thread ran, ns
 */
struct icb_floor {
	struct icb_side *side;
	struct icb_run *run;
	struct task_struct *task;
	unsigned int cpu;
	unsigned int peer;
	bool cross;
	u64 from;
	u64 at;
	u64 late;
	bool came;
	struct hrtimer hard;
	struct hrtimer soft;
	struct irq_work ipi;
	struct irq_work raise;
	struct tasklet_struct tasklet;
	struct work_struct work;
	struct workqueue_struct *bound;
	struct workqueue_struct *highpri;
	struct workqueue_struct *unbound;
	struct sleeper same;
	struct sleeper other;
	struct task_struct *hog;
	bool hog_request;
	bool hog_active;
	struct icb_pin hog_pin;
	struct pm_qos_request qos;
	u64 time[ICB_CALLS_MAX];
	u64 woken;
};

/* Ends a sample. Any context; the run's thread may be on another CPU. */
static void came(struct icb_floor *floor, u64 at)
{
	floor->at = at;
	smp_store_release(&floor->came, true); /* await() reads @at and @late */
	wake_up_process(floor->task);
}

static enum hrtimer_restart timer_expired(struct hrtimer *timer,
					  struct icb_floor *floor)
{
	s64 late = ktime_to_ns(ktime_sub(ktime_get(),
					 hrtimer_get_expires(timer)));

	floor->late = max_t(s64, late, 0);
	came(floor, 0);
	return HRTIMER_NORESTART;
}

static enum hrtimer_restart hard_expired(struct hrtimer *timer)
{
	return timer_expired(timer, container_of(timer, struct icb_floor, hard));
}

static enum hrtimer_restart soft_expired(struct hrtimer *timer)
{
	return timer_expired(timer, container_of(timer, struct icb_floor, soft));
}

static void ipi_came(struct irq_work *work)
{
	came(container_of(work, struct icb_floor, ipi), icb_clock_read());
}

static void raise_tasklet(struct irq_work *work)
{
	struct icb_floor *floor = container_of(work, struct icb_floor, raise);

	floor->from = icb_clock_read();
	tasklet_schedule(&floor->tasklet);
}

static void tasklet_runs(struct tasklet_struct *tasklet)
{
	came(container_of(tasklet, struct icb_floor, tasklet), icb_clock_read());
}

static void work_runs(struct work_struct *work)
{
	came(container_of(work, struct icb_floor, work), icb_clock_read());
}

/* Ends a cross call; smp_call_function_single() waits for it, so no wake-up is needed. */
static void call_came(void *data)
{
	struct icb_floor *floor = data;

	floor->at = icb_clock_read();
}

static int sleeper_main(void *data)
{
	struct sleeper *sleeper = data;
	struct icb_floor *floor = sleeper->floor;
	bool is_there = !icb_pin_take(&sleeper->pin, &floor->side->pins,
				      sleeper->cpu);
	u64 now;

	icb_side_prioritize(floor->side->params.priority);
	for (;;) {
		set_current_state(TASK_IDLE);
		if (kthread_should_stop())
			break;
		if (!READ_ONCE(sleeper->go))
			schedule();
		now = icb_clock_read();
		if (!READ_ONCE(sleeper->go))
			continue;
		WRITE_ONCE(sleeper->go, false);
		came(floor, now);
	}
	__set_current_state(TASK_RUNNING);
	if (is_there)
		icb_pin_give(&sleeper->pin, &floor->side->pins);
	return 0;
}

/* Runs at the lowest priority, and only during samples that need a busy CPU. */
static int hog_main(void *data)
{
	struct icb_floor *floor = data;
	bool is_there = !icb_pin_take(&floor->hog_pin, &floor->side->pins,
				      floor->peer);

	sched_set_normal(current, MAX_NICE);
	for (;;) {
		set_current_state(TASK_IDLE);
		if (kthread_should_stop())
			break;
		if (!READ_ONCE(floor->hog_request)) {
			schedule();
			continue;
		}
		__set_current_state(TASK_RUNNING);
		WRITE_ONCE(floor->hog_active, true);
		while (READ_ONCE(floor->hog_request) && !kthread_should_stop()) {
			icb_yield();
			cpu_relax();
		}
		WRITE_ONCE(floor->hog_active, false);
	}
	__set_current_state(TASK_RUNNING);
	if (is_there)
		icb_pin_give(&floor->hog_pin, &floor->side->pins);
	return 0;
}

/* Sleeps until the sample has ended or the run is to stop. */
static int await(struct icb_floor *floor)
{
	bool is_there;

	for (;;) {
		set_current_state(TASK_IDLE);
		/* pairs with came() */
		is_there = smp_load_acquire(&floor->came);
		if (is_there || READ_ONCE(floor->run->consumer.stop))
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	return is_there ? 0 : -ECANCELED;
}

/* Duration of the sample, at least 0: another CPU's clock may be a little behind. */
static int took(const struct icb_floor *floor, u64 *ns)
{
	*ns = icb_clock_ns(max_t(s64, floor->at - floor->from, 0));
	return 0;
}

static int await_sample(struct icb_floor *floor, u64 *ns)
{
	int err = await(floor);

	return err ? : took(floor, ns);
}

static int await_timer(struct icb_floor *floor, struct hrtimer *timer,
		       enum hrtimer_mode mode, u64 *ns, u64 *woken)
{
	ktime_t expires = ktime_add_ns(ktime_get(), AHEAD_NS);
	int err;

	hrtimer_start(timer, expires, mode);
	err = await(floor);
	if (err)
		return err;
	*woken = max_t(s64, ktime_to_ns(ktime_sub(ktime_get(), expires)), 0);
	*ns = floor->late;
	return 0;
}

static int take_soft(struct icb_floor *floor, u64 *ns)
{
	u64 woken;

	return await_timer(floor, &floor->soft, HRTIMER_MODE_ABS_PINNED_SOFT,
			   ns, &woken);
}

/* The time until the thread runs, @woken, is what cyclictest measures. */
static int take_hard(struct icb_floor *floor, u64 *ns)
{
	return await_timer(floor, &floor->hard, HRTIMER_MODE_ABS_PINNED_HARD,
			   ns, &floor->woken);
}

static int take_self_ipi(struct icb_floor *floor, u64 *ns)
{
	floor->from = icb_clock_read();
	irq_work_queue(&floor->ipi);
	return await_sample(floor, ns);
}

static int take_cross_call(struct icb_floor *floor, u64 *ns)
{
	int err;

	floor->from = icb_clock_read();
	err = smp_call_function_single(floor->peer, call_came, floor, 1);
	if (!err)
		return took(floor, ns);
	/* the CPU comes back after the sleep; the next operation calls it again */
	if (icb_pin_sleeps()) {
		*ns = U64_MAX;
		return 0;
	}
	icb_abort_run(&floor->side->abort, err, "CPU %u went offline",
		      floor->peer);
	return err;
}

static int take_softirq(struct icb_floor *floor, u64 *ns)
{
	irq_work_queue(&floor->raise);
	return await_sample(floor, ns);
}

static int take_ksoftirqd(struct icb_floor *floor, u64 *ns)
{
	floor->from = icb_clock_read();
	tasklet_schedule(&floor->tasklet);
	return await_sample(floor, ns);
}

static int take_work(struct icb_floor *floor, struct workqueue_struct *queue,
		     u64 *ns)
{
	floor->from = icb_clock_read();
	queue_work(queue, &floor->work);
	return await_sample(floor, ns);
}

static int take_work_bound(struct icb_floor *floor, u64 *ns)
{
	return take_work(floor, floor->bound, ns);
}

static int take_work_highpri(struct icb_floor *floor, u64 *ns)
{
	return take_work(floor, floor->highpri, ns);
}

static int take_work_unbound(struct icb_floor *floor, u64 *ns)
{
	return take_work(floor, floor->unbound, ns);
}

/* The thread that ended the last sample may not sleep yet: it may have been preempted. */
static int await_sleep(struct icb_floor *floor, const struct sleeper *sleeper)
{
	while (task_is_running(sleeper->task)) {
		if (READ_ONCE(floor->run->consumer.stop))
			return -ECANCELED;
		usleep_range(10, 20);
	}
	return 0;
}

static int take_wake(struct icb_floor *floor, struct sleeper *sleeper, u64 *ns)
{
	int err = await_sleep(floor, sleeper);

	if (err)
		return err;
	WRITE_ONCE(sleeper->go, true);
	floor->from = icb_clock_read();
	wake_up_process(sleeper->task);
	return await_sample(floor, ns);
}

/*
 * The other thread is woken before the sample begins, but cannot run until this thread is
 * preempted or sleeps.
 */
static int take_context_switch(struct icb_floor *floor, u64 *ns)
{
	int err = await_sleep(floor, &floor->same);

	if (err)
		return err;
	WRITE_ONCE(floor->same.go, true);
	preempt_disable();
	wake_up_process(floor->same.task);
	set_current_state(TASK_IDLE);
	floor->from = icb_clock_read();
	preempt_enable();
	return await_sample(floor, ns);
}

static int take_wake_same(struct icb_floor *floor, u64 *ns)
{
	return take_wake(floor, &floor->same, ns);
}

static int take_wake_other(struct icb_floor *floor, u64 *ns)
{
	int err = 0;

	WRITE_ONCE(floor->hog_request, true);
	wake_up_process(floor->hog);
	while (!READ_ONCE(floor->hog_active) && !err) {
		usleep_range(10, 20);
		if (READ_ONCE(floor->run->consumer.stop))
			err = -ECANCELED;
	}
	if (!err)
		err = take_wake(floor, &floor->other, ns);
	WRITE_ONCE(floor->hog_request, false);
	return err;
}

static int take_wake_idle(struct icb_floor *floor, u64 *ns)
{
	return take_wake(floor, &floor->other, ns);
}

static int take_wake_idle_qos(struct icb_floor *floor, u64 *ns)
{
	int err;

	/* wakes CPUs that are in a deeper idle state */
	cpu_latency_qos_update_request(&floor->qos, 0);
	usleep_range(REST_US, 2 * REST_US);
	err = take_wake(floor, &floor->other, ns);
	cpu_latency_qos_update_request(&floor->qos, PM_QOS_DEFAULT_VALUE);
	return err;
}

static int (*const take[])(struct icb_floor *floor, u64 *ns) = {
	[ICB_CALL_HRTIMER_HARD] = take_hard,
	[ICB_CALL_HRTIMER_SOFT] = take_soft,
	[ICB_CALL_SELF_IPI] = take_self_ipi,
	[ICB_CALL_CROSS_CALL] = take_cross_call,
	[ICB_CALL_SOFTIRQ] = take_softirq,
	[ICB_CALL_KSOFTIRQD] = take_ksoftirqd,
	[ICB_CALL_WORK_BOUND] = take_work_bound,
	[ICB_CALL_WORK_HIGHPRI] = take_work_highpri,
	[ICB_CALL_WORK_UNBOUND] = take_work_unbound,
	[ICB_CALL_CONTEXT_SWITCH] = take_context_switch,
	[ICB_CALL_WAKE_SAME] = take_wake_same,
	[ICB_CALL_WAKE_OTHER] = take_wake_other,
	[ICB_CALL_WAKE_IDLE] = take_wake_idle,
	[ICB_CALL_WAKE_IDLE_QOS] = take_wake_idle_qos,
};

/* Makes all calls that this machine supports, one after the other. */
static int operate(struct icb_floor *floor)
{
	const struct icb_verb *verb = floor->run->verb;
	const struct icb_call *call;
	unsigned int i;
	int err;

	for (i = 0; i < verb->calls; i++) {
		call = &verb->call[i];
		floor->time[i] = U64_MAX;
		if (call->cross && !floor->cross)
			continue;
		usleep_range(REST_US, 2 * REST_US);
		if (READ_ONCE(floor->run->consumer.stop))
			return -ECANCELED;
		WRITE_ONCE(floor->came, false);
		err = take[call->call](floor, &floor->time[i]);
		if (err)
			return err;
	}
	return 0;
}

/* Returns true if it was the last operation. */
static bool count(struct icb_floor *floor, u64 began)
{
	struct icb_run *run = floor->run;
	u64 now = icb_clock_read();
	unsigned int i;

	run->since = now;
	if (run->left) {
		if (!--run->left)
			WRITE_ONCE(run->consumer.phase, ICB_PHASE_MEASURING);
		WRITE_ONCE(run->seen, run->seen + 1);
		return false;
	}
	if (!run->done)
		WRITE_ONCE(run->began, began);
	icb_hist_add(&run->hist[0], floor->woken);
	for (i = 0; i < run->verb->calls; i++)
		if (floor->time[i] != U64_MAX)
			icb_hist_add(&run->hist[1 + i], floor->time[i]);
	WRITE_ONCE(run->ended, now);
	WRITE_ONCE(run->done, run->done + 1);
	return run->done >= run->goal || now - run->began >= run->until;
}

static int floor_run(struct icb_run *run)
{
	struct icb_side *side = container_of(run, struct icb_side, run);
	struct icb_floor *floor = side->floor;
	u64 began;
	int err;

	do {
		began = icb_clock_read();
		err = operate(floor);
	} while (!err && !count(floor, began));
	return icb_run_over(run, err);
}

static struct task_struct *new_thread(struct icb_floor *floor,
				      int (*fn)(void *data), void *data,
				      unsigned int cpu)
{
	struct task_struct *task;

	task = kthread_create(fn, data, "icbench/f/%u", cpu);
	if (IS_ERR(task))
		return NULL;
	icb_inherit_faults(task, current);
	kthread_bind(task, cpu);
	wake_up_process(task);
	return task;
}

static int new_sleeper(struct icb_floor *floor, struct sleeper *sleeper,
		       unsigned int cpu)
{
	sleeper->floor = floor;
	sleeper->cpu = cpu;
	sleeper->task = new_thread(floor, sleeper_main, sleeper, cpu);
	return sleeper->task ? 0 : -ENOMEM;
}

static int prepare(struct icb_floor *floor)
{
	int err;

	icb_hrtimer_init(&floor->hard, hard_expired,
			 HRTIMER_MODE_ABS_PINNED_HARD);
	icb_hrtimer_init(&floor->soft, soft_expired,
			 HRTIMER_MODE_ABS_PINNED_SOFT);
	floor->ipi = IRQ_WORK_INIT_HARD(ipi_came);
	floor->raise = IRQ_WORK_INIT_HARD(raise_tasklet);
	tasklet_setup(&floor->tasklet, tasklet_runs);
	INIT_WORK(&floor->work, work_runs);
	cpu_latency_qos_add_request(&floor->qos, PM_QOS_DEFAULT_VALUE);
	floor->bound = alloc_workqueue("icbench_bound", ICB_WQ_PERCPU, 0);
	floor->highpri = alloc_workqueue("icbench_highpri",
					 ICB_WQ_PERCPU | WQ_HIGHPRI, 0);
	floor->unbound = alloc_workqueue("icbench_unbound", WQ_UNBOUND, 0);
	if (!floor->bound || !floor->highpri || !floor->unbound)
		return -ENOMEM;
	err = new_sleeper(floor, &floor->same, floor->cpu);
	if (err || !floor->cross)
		return err;
	err = new_sleeper(floor, &floor->other, floor->peer);
	if (err)
		return err;
	floor->hog = new_thread(floor, hog_main, floor, floor->peer);
	return floor->hog ? 0 : -ENOMEM;
}

static void stop_thread(struct task_struct *task)
{
	if (task)
		kthread_stop(task);
}

static void destroy_queue(struct workqueue_struct *queue)
{
	if (queue)
		destroy_workqueue(queue);
}

/* Waits until timers, IRQ work and work that a stopped run has left have completed. */
static void take_down(struct icb_floor *floor)
{
	stop_thread(floor->hog);
	stop_thread(floor->other.task);
	stop_thread(floor->same.task);
	hrtimer_cancel(&floor->hard);
	hrtimer_cancel(&floor->soft);
	irq_work_sync(&floor->ipi);
	irq_work_sync(&floor->raise);
	tasklet_kill(&floor->tasklet);
	cancel_work_sync(&floor->work);
	destroy_queue(floor->bound);
	destroy_queue(floor->highpri);
	destroy_queue(floor->unbound);
	cpu_latency_qos_remove_request(&floor->qos);
}

/* Number of wake-ups that icb_floor_wake() measures. */
#define NAPS	33

/**
 * struct nap - a sleep that a timer interrupt ends
 * @timer: timer whose interrupt wakes the thread
 * @task: thread that sleeps
 * @pin: keeps the thread on its CPU
 * @from: clock when the timer's handler began
 * @over: true once the handler has run
 */
struct nap {
	struct hrtimer timer;
	struct task_struct *task;
	struct icb_pin pin;
	u64 from;
	bool over;
};

static enum hrtimer_restart end_nap(struct hrtimer *timer)
{
	struct nap *nap = container_of(timer, struct nap, timer);

	nap->from = icb_clock_read();
	smp_store_release(&nap->over, true); /* take_nap() reads @from */
	wake_up_process(nap->task);
	return HRTIMER_NORESTART;
}

/* Returns the time of one wake-up, clock ticks; 0 if the thread was not asleep yet. */
static u64 take_nap(struct nap *nap)
{
	bool slept = false;
	u64 now;

	nap->over = false;
	hrtimer_start(&nap->timer, ktime_add_ns(ktime_get(), AHEAD_NS),
		      HRTIMER_MODE_ABS_PINNED_HARD);
	for (;;) {
		set_current_state(TASK_IDLE);
		/* pairs with end_nap() */
		if (smp_load_acquire(&nap->over))
			break;
		schedule();
		slept = true;
	}
	now = icb_clock_read();
	__set_current_state(TASK_RUNNING);
	return slept ? now - nap->from : 0;
}

static int longer(const void *a, const void *b)
{
	const u64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/**
 * icb_floor_wake() - measure how long it takes to wake a thread on a CPU
 * @cpu: the CPU, online
 * @priority: enum icbench_priority of the thread during the measurement
 *
 * Measures from the handler of an interrupt on that CPU to the calling thread, which is
 * moved to the CPU for some milliseconds and sleeps.
 *
 * Return: the median of several wake-ups, ns; 0 if the CPU is offline or there is no
 * memory.
 */
u64 icb_floor_wake(unsigned int cpu, u32 priority)
{
	struct nap *nap = kzalloc(sizeof(*nap), GFP_KERNEL);
	u64 took[NAPS];
	unsigned int i;

	if (!nap || icb_pin_take(&nap->pin, NULL, cpu)) {
		kfree(nap);
		return 0;
	}
	icb_side_prioritize(priority);
	nap->task = current;
	icb_hrtimer_init(&nap->timer, end_nap, HRTIMER_MODE_ABS_PINNED_HARD);
	for (i = 0; i < NAPS; i++)
		took[i] = take_nap(nap);
	hrtimer_cancel(&nap->timer);
	icb_side_prioritize(ICBENCH_PRIORITY_NORMAL);
	icb_pin_give(&nap->pin, NULL);
	kfree(nap);
	sort(took, NAPS, sizeof(took[0]), longer, NULL);
	return icb_clock_ns(took[NAPS / 2]);
}

static void choose_cpus(struct icb_params *params)
{
	if (!icb_params_has(params, ICBENCH_A_PARAMS_CPU))
		icb_params_preset(params, ICBENCH_A_PARAMS_CPU,
				  cpumask_first(cpu_online_mask));
	if (!icb_params_has(params, ICBENCH_A_PARAMS_PEER_CPU))
		icb_params_preset(params, ICBENCH_A_PARAMS_PEER_CPU,
				  icb_device_next_cpu(params->cpu));
}

/**
 * icb_floor() - run the script of verb floor
 * @job: job made by job-new
 * @why: the reason of a failure
 *
 * Return: 0; a negative error number.
 */
int icb_floor(struct icb_job *job, struct icb_reason *why)
{
	struct icb_side *side = &job->side;
	struct icb_floor *floor;
	int err;

	choose_cpus(&side->params);
	side->cpu = side->params.cpu;
	job->threads = 1;
	icb_run_prepare_local(&side->run);
	floor = kzalloc(sizeof(*floor), GFP_KERNEL);
	if (!floor)
		return icb_refuse(why, -ENOMEM, "no memory");
	floor->side = side;
	floor->run = &side->run;
	floor->task = current;
	floor->cpu = side->cpu;
	floor->peer = side->params.peer_cpu;
	floor->cross = floor->cpu != floor->peer;
	side->floor = floor;
	err = prepare(floor);
	if (err) {
		icb_refuse(why, err, "no memory for threads and queues");
	} else {
		icb_job_enter(job, ICBENCH_JOB_STATE_MEASURING);
		err = icb_side_drive(side, floor_run, why);
		icb_job_enter(job, ICBENCH_JOB_STATE_DRAINING);
	}
	take_down(floor);
	side->floor = NULL;
	kfree(floor);
	return err;
}
