// SPDX-License-Identifier: GPL-2.0
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

#include "task.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define USE_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define USE_ASAN 1
#endif
#ifdef USE_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#define STACK_SIZE	(256 << 10)

enum state {
	READY,
	WAITING,
	ENDED,
};

/**
 * struct task - one task
 * @name: name, for error messages
 * @fn: function that the task runs
 * @arg: argument of @fn
 * @urgent: the task runs before all others; virtual time only
 * @state: state of a virtual task
 * @key: address that a waiting task is woken by, see task_wake()
 * @until: time at which a waiting task wakes in any case, ticks
 * @entry: context in which a virtual task starts
 * @started: @entry was entered
 * @context: context in which a virtual task continues
 * @stack: stack of a virtual task
 * @fake_stack: fake stack of a virtual task, as kept by AddressSanitizer
 * @thread: thread of a real task
 */
struct task {
	const char *name;
	void (*fn)(void *arg);
	void *arg;
	bool urgent;
	enum state state;
	const void *key;
	u64 until;
	ucontext_t entry;
	bool started;
	jmp_buf context;
	void *stack;
	void *fake_stack;
	pthread_t thread;
};

static struct task_config config;
static struct task tasks[TASK_MAX];
static unsigned int count;
static u64 random_state;

/* Virtual tasks. */
static u64 now;
/* Earliest time at which a waiting task wakes, ticks. */
static u64 next_wake;
/* An urgent task was woken: the running task has to yield. */
static bool urgent_ready;
/* A task is running, not the scheduler. */
static bool running;
/* Number of calls of task_step(). */
static u64 steps;
static unsigned int current_task;
static jmp_buf scheduler;
#ifdef USE_ASAN
static void *scheduler_fake_stack;
static const void *scheduler_stack;
static size_t scheduler_size;
#endif

/* Real tasks. */
static __thread unsigned int real_current;
static pthread_mutex_t lock;
static pthread_cond_t wake_cond;
static struct timespec epoch;

/**
 * task_init() - remove all tasks and reset the time
 * @new: parameters of the tasks
 */
void task_init(const struct task_config *new)
{
	pthread_mutexattr_t recursive;
	pthread_condattr_t attr;

	config = *new;
	random_state = config.seed;
	count = 0;
	/* an arbitrary start: no code may rely on a time that starts at 0 */
	now = 1000000;
	next_wake = TASK_FOREVER;
	urgent_ready = false;
	steps = 0;
	if (!config.real)
		return;
	pthread_mutexattr_init(&recursive);
	pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&lock, &recursive);
	pthread_mutexattr_destroy(&recursive);
	clock_gettime(CLOCK_MONOTONIC, &epoch);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&wake_cond, &attr);
	pthread_condattr_destroy(&attr);
}

/**
 * task_random() - get a pseudo-random number
 * @below: upper limit, exclusive; not 0
 *
 * In virtual time, the seed determines all numbers. In real time, they also depend on the
 * order in which threads call.
 *
 * Return: a number from 0 to @below - 1.
 */
u64 task_random(u64 below)
{
	u64 x = __atomic_add_fetch(&random_state, 0x9e3779b97f4a7c15ULL,
				   __ATOMIC_RELAXED);

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return (x ^ (x >> 31)) % below;
}

/**
 * task_ticks() - convert an interval to ticks
 * @ns: the interval, ns
 *
 * Return: ticks, rounded down.
 */
u64 task_ticks(u64 ns)
{
	return (__uint128_t)ns * config.khz / 1000000;
}

/**
 * task_ns() - convert an interval to ns
 * @ticks: the interval, ticks
 *
 * Return: ns, rounded down.
 */
u64 task_ns(u64 ticks)
{
	return (__uint128_t)ticks * 1000000 / config.khz;
}

/**
 * task_now() - get the time
 *
 * Return: time, ticks.
 */
u64 task_now(void)
{
	struct timespec ts;

	if (!config.real)
		return now;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return task_ticks((ts.tv_sec - epoch.tv_sec) * 1000000000LL +
			  ts.tv_nsec - epoch.tv_nsec);
}

/**
 * task_self() - get the number of the calling task
 *
 * Return: number of the task in the order of task_start(), from 0.
 */
unsigned int task_self(void)
{
	return config.real ? real_current : current_task;
}

/*
 * Switch to another context, as QEMU's coroutines do: makecontext() creates a context, and
 * a long jump enters it again without a system call. AddressSanitizer replaces longjmp() by
 * a version that supports only jumps within one stack, so this calls the version of the C
 * library.
 */
static void jump_to(jmp_buf to)
{
	static void (*longjump)(jmp_buf to, int value);
	void *libc;

	if (!longjump) {
		libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
		longjump = libc ? dlsym(libc, "_longjmp") : NULL;
		if (!longjump)
			abort();
	}
	longjump(to, 1);
}

static void to_scheduler(struct task *task, bool for_good)
{
#ifdef USE_ASAN
	__sanitizer_start_switch_fiber(for_good ? NULL : &task->fake_stack,
				       scheduler_stack, scheduler_size);
#else
	(void)for_good;
#endif
	if (!_setjmp(task->context))
		jump_to(scheduler);
#ifdef USE_ASAN
	__sanitizer_finish_switch_fiber(task->fake_stack, NULL, NULL);
#endif
}

static void to_task(struct task *task)
{
#ifdef USE_ASAN
	__sanitizer_start_switch_fiber(&scheduler_fake_stack, task->stack,
				       STACK_SIZE);
#endif
	if (!_setjmp(scheduler)) {
		if (task->started)
			jump_to(task->context);
		task->started = true;
		setcontext(&task->entry);
	}
#ifdef USE_ASAN
	__sanitizer_finish_switch_fiber(scheduler_fake_stack, NULL, NULL);
#endif
}

static void enter_virtual(void)
{
	struct task *task = &tasks[current_task];

#ifdef USE_ASAN
	__sanitizer_finish_switch_fiber(NULL, &scheduler_stack,
					&scheduler_size);
#endif
	task->fn(task->arg);
	task->state = ENDED;
	to_scheduler(task, true);
}

static void *enter_real(void *arg)
{
	struct task *task = arg;

	real_current = task - tasks;
	task->fn(task->arg);
	return NULL;
}

/**
 * task_start() - create a task, which starts with task_run()
 * @name: name, for error messages
 * @fn: function that the task runs
 * @arg: argument of @fn
 * @urgent: in virtual time, the task runs before all others whenever it is ready, as
 *	hardware does
 */
void task_start(const char *name, void (*fn)(void *arg), void *arg, bool urgent)
{
	struct task *task = &tasks[count++];

	task->name = name;
	task->fn = fn;
	task->arg = arg;
	task->urgent = urgent;
	task->state = READY;
	task->fake_stack = NULL;
	if (config.real)
		return;
	if (!task->stack)
		task->stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#ifdef USE_ASAN
	/* a task that was aborted may have left its stack poisoned */
	__asan_unpoison_memory_region(task->stack, STACK_SIZE);
#endif
	task->started = false;
	getcontext(&task->entry);
	task->entry.uc_stack.ss_sp = task->stack;
	task->entry.uc_stack.ss_size = STACK_SIZE;
	task->entry.uc_link = NULL;
	makecontext(&task->entry, enter_virtual, 0);
}

/* Wake all tasks whose time has come, and set next_wake to the earliest time left. */
static void wake_expired(void)
{
	unsigned int i;

	next_wake = TASK_FOREVER;
	for (i = 0; i < count; i++) {
		if (tasks[i].state != WAITING)
			continue;
		if (tasks[i].until <= now)
			tasks[i].state = READY;
		else if (tasks[i].until < next_wake)
			next_wake = tasks[i].until;
	}
}

static unsigned int count_in_state(enum state state)
{
	unsigned int i, n = 0;

	for (i = 0; i < count; i++)
		n += tasks[i].state == state;
	return n;
}

static unsigned int choose_task(unsigned int ready)
{
	unsigned int i, n = task_random(ready);

	for (i = 0; i < count; i++)
		if (tasks[i].state == READY && tasks[i].urgent)
			return i;
	for (i = 0; tasks[i].state != READY || n--; i++)
		;
	return i;
}

static const char *describe_stuck(const char *how)
{
	static char text[200];
	size_t len = snprintf(text, sizeof(text), "%s:", how);
	unsigned int i;

	for (i = 0; i < count && len < sizeof(text); i++)
		if (tasks[i].state != ENDED)
			len += snprintf(text + len, sizeof(text) - len, " %s",
					tasks[i].name);
	return text;
}

static const char *run_virtual(void)
{
	unsigned int ready;

	while (count_in_state(ENDED) < count) {
		wake_expired();
		ready = count_in_state(READY);
		if (!ready && next_wake == TASK_FOREVER)
			return describe_stuck("nothing wakes");
		if (steps > config.steps)
			return describe_stuck("does not end");
		if (!ready) {
			now = next_wake;
			continue;
		}
		urgent_ready = false;
		current_task = choose_task(ready);
		running = true;
		to_task(&tasks[current_task]);
		running = false;
	}
	return NULL;
}

static const char *run_real(void)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (pthread_create(&tasks[i].thread, NULL, enter_real,
				   &tasks[i]))
			abort();
	for (i = 0; i < count; i++)
		pthread_join(tasks[i].thread, NULL);
	pthread_cond_destroy(&wake_cond);
	pthread_mutex_destroy(&lock);
	return NULL;
}

/**
 * task_run() - run all tasks until they end
 *
 * Virtual tasks that deadlock, or exceed &task_config.steps, are aborted.
 *
 * Return: NULL if all tasks have ended; else an error message with their names.
 */
const char *task_run(void)
{
	return config.real ? run_real() : run_virtual();
}

/**
 * task_yield() - let other tasks run
 */
void task_yield(void)
{
	if (config.real)
		sched_yield();
	else
		to_scheduler(&tasks[current_task], false);
}

/* Preempt the running task. One time in four, it is also blocked for a while. */
static void preempt_task(struct task *task)
{
	if (config.stall && !task_random(4)) {
		task->key = NULL;
		task->until = now + 1 + task_random(config.stall);
		task->state = WAITING;
	}
	to_scheduler(task, false);
}

/**
 * task_step() - account for a piece of work of the running task
 * @cost: duration of the work in virtual time, ticks
 *
 * The task may be preempted, with a chance that increases with @cost.
 */
void task_step(u64 cost)
{
	if (config.real) {
		if (config.preempt && task_random(1000000) < config.preempt)
			sched_yield();
		return;
	}
	now += cost;
	/* a test may call the engine after the run, outside of any task */
	if (!running)
		return;
	if (config.preempt && task_random(1000000) < config.preempt * cost)
		preempt_task(&tasks[current_task]);
	/* after too many steps, the scheduler does not resume the task */
	else if (++steps > config.steps || now >= next_wake || urgent_ready)
		to_scheduler(&tasks[current_task], false);
}

/**
 * task_lock() - lock the data that tasks share
 *
 * The holder may lock it again, but not wait then. Virtual tasks need no lock: they switch
 * only in task_step(), task_yield() and task_wait().
 */
void task_lock(void)
{
	if (config.real)
		pthread_mutex_lock(&lock);
}

/**
 * task_unlock() - release task_lock()
 */
void task_unlock(void)
{
	if (config.real)
		pthread_mutex_unlock(&lock);
}

static void wait_real(u64 until)
{
	struct timespec ts = epoch;
	u64 ns;

	if (until == TASK_FOREVER) {
		pthread_cond_wait(&wake_cond, &lock);
		return;
	}
	ns = ts.tv_nsec + task_ns(until);
	ts.tv_sec += ns / 1000000000;
	ts.tv_nsec = ns % 1000000000;
	pthread_cond_timedwait(&wake_cond, &lock, &ts);
}

/**
 * task_wait() - sleep until a wake-up or a time
 * @key: address that task_wake() is called with
 * @until: latest time to wake, ticks; TASK_FOREVER for no limit
 *
 * Called under task_lock(). May return early without a wake-up.
 */
void task_wait(const void *key, u64 until)
{
	struct task *task;

	if (config.real) {
		wait_real(until);
		return;
	}
	task = &tasks[current_task];
	task->key = key;
	task->until = until;
	task->state = WAITING;
	to_scheduler(task, false);
}

/**
 * task_wake() - wake all tasks that wait
 * @key: address that they have passed to task_wait()
 *
 * Called under task_lock().
 */
void task_wake(const void *key)
{
	unsigned int i;

	if (config.real) {
		pthread_cond_broadcast(&wake_cond);
		return;
	}
	for (i = 0; i < count; i++)
		if (tasks[i].state == WAITING && tasks[i].key == key) {
			tasks[i].state = READY;
			urgent_ready |= tasks[i].urgent;
		}
}
