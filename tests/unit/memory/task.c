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
#define STACKS_WATCHED 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define STACKS_WATCHED 1
#endif
#ifdef STACKS_WATCHED
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
 * @name: for messages
 * @fn: what it does
 * @arg: with what
 * @urgent: it runs before all others
 * @state: a virtual one's
 * @key: what it waits for
 * @until: or for this time
 * @beginning: where a virtual one begins
 * @begun: it has
 * @context: where it goes on
 * @stack: and its stack
 * @fake: what the sanitizer keeps of it
 * @thread: a real one
 */
struct task {
	const char *name;
	void (*fn)(void *arg);
	void *arg;
	bool urgent;
	enum state state;
	const void *key;
	u64 until;
	ucontext_t beginning;
	bool begun;
	jmp_buf context;
	void *stack;
	void *fake;
	pthread_t thread;
};

static struct task_config config;
static struct task tasks[TASK_MAX];
static unsigned int count;
static u64 random_state;

/* virtual */
static u64 now;
static u64 next_wake;
static bool rush;
static bool running;
static u64 steps;
static unsigned int self;
static jmp_buf scheduler;
#ifdef STACKS_WATCHED
static void *scheduler_fake;
static const void *scheduler_stack;
static size_t scheduler_size;
#endif

/* real */
static __thread unsigned int real_self;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken;
static struct timespec epoch;

/**
 * task_init() - forget all tasks and begin at time 0
 * @new: how they run
 */
void task_init(const struct task_config *new)
{
	pthread_condattr_t attr;

	config = *new;
	random_state = config.seed;
	count = 0;
	/* not 0: nobody may rely on it */
	now = 1000000;
	next_wake = TASK_FOREVER;
	rush = false;
	steps = 0;
	if (!config.real)
		return;
	clock_gettime(CLOCK_MONOTONIC, &epoch);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&woken, &attr);
	pthread_condattr_destroy(&attr);
}

/**
 * task_random() - a number that the seed decides
 * @below: what it is less than, not 0
 *
 * In real time the order of the callers decides, too.
 *
 * Return: the number.
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
 * task_ticks() - an interval in ticks
 * @ns: the interval
 *
 * Return: ticks, rounded down.
 */
u64 task_ticks(u64 ns)
{
	return (__uint128_t)ns * config.khz / 1000000;
}

/**
 * task_ns() - an interval in ns
 * @ticks: the interval
 *
 * Return: ns, rounded down.
 */
u64 task_ns(u64 ticks)
{
	return (__uint128_t)ticks * 1000000 / config.khz;
}

/**
 * task_now() - the time
 *
 * Return: ticks.
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
 * task_self() - who calls
 *
 * Return: its number, in the order of task_start().
 */
unsigned int task_self(void)
{
	return config.real ? real_self : self;
}

/*
 * As QEMU's coroutines do it: a context is made by makecontext(), and left and
 * entered again by a jump, which asks nothing of the kernel. The jump is the C
 * library's own, since the sanitizer's stands in front of it and knows only of
 * jumps within a stack.
 */
static void jump(jmp_buf to)
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
#ifdef STACKS_WATCHED
	__sanitizer_start_switch_fiber(for_good ? NULL : &task->fake,
				       scheduler_stack, scheduler_size);
#else
	(void)for_good;
#endif
	if (!_setjmp(task->context))
		jump(scheduler);
#ifdef STACKS_WATCHED
	__sanitizer_finish_switch_fiber(task->fake, NULL, NULL);
#endif
}

static void to_task(struct task *task)
{
#ifdef STACKS_WATCHED
	__sanitizer_start_switch_fiber(&scheduler_fake, task->stack,
				       STACK_SIZE);
#endif
	if (!_setjmp(scheduler)) {
		if (task->begun)
			jump(task->context);
		task->begun = true;
		setcontext(&task->beginning);
	}
#ifdef STACKS_WATCHED
	__sanitizer_finish_switch_fiber(scheduler_fake, NULL, NULL);
#endif
}

static void enter_virtual(void)
{
	struct task *task = &tasks[self];

#ifdef STACKS_WATCHED
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

	real_self = task - tasks;
	task->fn(task->arg);
	return NULL;
}

/**
 * task_start() - make a task, which begins with task_run()
 * @name: of it
 * @fn: what it does
 * @arg: with what
 * @urgent: it runs before all others whenever it can: not a thread, but what
 *	goes on beside them; in virtual time
 */
void task_start(const char *name, void (*fn)(void *arg), void *arg, bool urgent)
{
	struct task *task = &tasks[count++];

	task->name = name;
	task->fn = fn;
	task->arg = arg;
	task->urgent = urgent;
	task->state = READY;
	task->fake = NULL;
	if (config.real)
		return;
	if (!task->stack)
		task->stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#ifdef STACKS_WATCHED
	/* of a task that was given up */
	__asan_unpoison_memory_region(task->stack, STACK_SIZE);
#endif
	task->begun = false;
	getcontext(&task->beginning);
	task->beginning.uc_stack.ss_sp = task->stack;
	task->beginning.uc_stack.ss_size = STACK_SIZE;
	task->beginning.uc_link = NULL;
	makecontext(&task->beginning, enter_virtual, 0);
}

/* Whoever has waited long enough is ready; when is the next one? */
static void expire(void)
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

static unsigned int in_state(enum state state)
{
	unsigned int i, n = 0;

	for (i = 0; i < count; i++)
		n += tasks[i].state == state;
	return n;
}

static unsigned int choose(unsigned int ready)
{
	unsigned int i, n = task_random(ready);

	for (i = 0; i < count; i++)
		if (tasks[i].state == READY && tasks[i].urgent)
			return i;
	for (i = 0; tasks[i].state != READY || n--; i++)
		;
	return i;
}

static const char *stuck(const char *how)
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

	while (in_state(ENDED) < count) {
		expire();
		ready = in_state(READY);
		if (!ready && next_wake == TASK_FOREVER)
			return stuck("nothing wakes");
		if (steps > config.steps)
			return stuck("does not end");
		if (!ready) {
			now = next_wake;
			continue;
		}
		rush = false;
		self = choose(ready);
		running = true;
		to_task(&tasks[self]);
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
	pthread_cond_destroy(&woken);
	return NULL;
}

/**
 * task_run() - let all tasks run to their end
 *
 * Virtual ones that would not end are given up.
 *
 * Return: NULL; in words, which ones did not end.
 */
const char *task_run(void)
{
	return config.real ? run_real() : run_virtual();
}

/**
 * task_yield() - let others run
 */
void task_yield(void)
{
	if (config.real)
		sched_yield();
	else
		to_scheduler(&tasks[self], false);
}

/* Somebody else has the CPU. */
static void stay_away(struct task *task)
{
	if (config.stall && !task_random(4)) {
		task->key = NULL;
		task->until = now + 1 + task_random(config.stall);
		task->state = WAITING;
	}
	to_scheduler(task, false);
}

/**
 * task_step() - a piece of work has been done
 * @cost: ticks that it took, in virtual time
 *
 * Others may run now; the longer it took, the likelier.
 */
void task_step(u64 cost)
{
	if (config.real) {
		if (config.preempt && task_random(1000000) < config.preempt)
			sched_yield();
		return;
	}
	now += cost;
	/* a test may call the engine when the run is over */
	if (!running)
		return;
	if (config.preempt && task_random(1000000) < config.preempt * cost)
		stay_away(&tasks[self]);
	/* one that ignores what it is told is given up here */
	else if (++steps > config.steps || now >= next_wake || rush)
		to_scheduler(&tasks[self], false);
}

/**
 * task_lock() - have what tasks share to oneself
 *
 * Virtual tasks have, between two steps.
 */
void task_lock(void)
{
	if (config.real)
		pthread_mutex_lock(&lock);
}

/**
 * task_unlock() - undo task_lock()
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
		pthread_cond_wait(&woken, &lock);
		return;
	}
	ns = ts.tv_nsec + task_ns(until);
	ts.tv_sec += ns / 1000000000;
	ts.tv_nsec = ns % 1000000000;
	pthread_cond_timedwait(&woken, &lock, &ts);
}

/**
 * task_wait() - sleep
 * @key: until this is woken
 * @until: or it is so late
 *
 * Under task_lock(). May return for no reason.
 */
void task_wait(const void *key, u64 until)
{
	struct task *task;

	if (config.real) {
		wait_real(until);
		return;
	}
	task = &tasks[self];
	task->key = key;
	task->until = until;
	task->state = WAITING;
	to_scheduler(task, false);
}

/**
 * task_wake() - wake those who wait
 * @key: for this
 *
 * Under task_lock().
 */
void task_wake(const void *key)
{
	unsigned int i;

	if (config.real) {
		pthread_cond_broadcast(&woken);
		return;
	}
	for (i = 0; i < count; i++)
		if (tasks[i].state == WAITING && tasks[i].key == key) {
			tasks[i].state = READY;
			rush |= tasks[i].urgent;
		}
}
