// SPDX-License-Identifier: GPL-2.0
/*
 * Call stacks of the kernel, from its calls and returns. Writes
 *
 *	call ID PARENT ADDRESS
 *	at ID ADDRESS N
 *
 * A call stack is a chain of calls, and ID is the ID of its last call. ADDRESS is the address to
 * which this call returns. PARENT is the ID of the chain without this call; 0 is the empty chain.
 * "at" is the number N of executions of the instruction at ADDRESS with the call stack ID.
 *
 * A call is an instruction that stores its return address in the stack, at an address that QEMU
 * reports. A return loads from such an address. It ends this call, and all calls whose return
 * addresses are stored at lower addresses. This also holds for a return that does not return to
 * its call: a thunk of indirect calls overwrites the return address of its own call. The address
 * also identifies the stack, as each thread has its own stack.
 *
 * An interrupt or an exception is not a call. The calls of its handler are added to the chain of
 * the interrupted function, and have ended when the handler returns. A handler may use another
 * stack. It then calls a function on that stack before it returns from one. A thread that was
 * switched to returns first.
 */
#include <inttypes.h>
#include <string.h>

#include "api.h"
#include "stacks.h"

#define STACK_SIZE	16384	/* a power of two, to which a thread's stack is aligned */
#define SHORT_CALL	16	/* bytes */
#define MAX_DEPTH	(STACK_SIZE / 8)
#define MAX_CALLS	(1 << 20)
#define MAX_COUNTS	(1 << 22)

/* A call: the last one of a chain. */
struct call {
	uint32_t parent;	/* index of the call before it */
	uint64_t address;	/* address to which it returns */
	uint32_t next;		/* index of another call with the same hash */
};

/* A call that has not returned. */
struct frame {
	uint64_t slot;		/* address at which its return address is stored */
	uint32_t call;
};

/* The frames of a stack, the oldest first. */
struct stack {
	uint64_t number;	/* its address / STACK_SIZE */
	uint32_t base;		/* the calls on other stacks that led to this one */
	size_t depth;
	struct frame frame[MAX_DEPTH];
	struct stack *next;
};

/* Executions of an instruction with one call stack. */
struct count {
	uint32_t call;
	uint64_t address;
	uint64_t n;
	uint32_t next;
};

/* An instruction, with the count that was incremented last. */
struct followed {
	uint64_t address;
	uint64_t returns_to;
	uint32_t call;
	struct count *count;
};

#define HASH_SIZE	(1 << 16)

static struct call *calls;	/* calls[0] is the empty stack */
static uint32_t n_calls;
static uint32_t call_hash[HASH_SIZE];
static struct count *counts;	/* counts[0] is unused */
static uint32_t n_counts;
static uint32_t count_hash[HASH_SIZE];
static struct stack *stack_hash[HASH_SIZE];
static struct stack *current;
static uint32_t current_call;
static bool counting;

static uint32_t hash(uint64_t one, uint64_t two)
{
	return ((one * UINT64_C(0x9e3779b97f4a7c15)) ^ (two * UINT64_C(0xc2b2ae3d27d4eb4f))) >> 48;
}

static uint32_t call_of(uint32_t parent, uint64_t address)
{
	uint32_t *first = &call_hash[hash(address, parent)];
	uint32_t i;

	for (i = *first; i; i = calls[i].next)
		if (calls[i].parent == parent && calls[i].address == address)
			return i;
	if (!calls) {
		calls = allocate(MAX_CALLS, sizeof(*calls));
		n_calls = 1;
	}
	if (n_calls == MAX_CALLS)
		die("too many call stacks");
	calls[n_calls] = (struct call){ .parent = parent, .address = address, .next = *first };
	*first = n_calls;
	return n_calls++;
}

static struct count *count_of(uint32_t call, uint64_t address)
{
	uint32_t *first = &count_hash[hash(address, call)];
	uint32_t i;

	for (i = *first; i; i = counts[i].next)
		if (counts[i].call == call && counts[i].address == address)
			return &counts[i];
	if (!counts) {
		counts = allocate(MAX_COUNTS, sizeof(*counts));
		n_counts = 1;
	}
	if (n_counts == MAX_COUNTS)
		die("too many instructions in call stacks");
	counts[n_counts] = (struct count){ .call = call, .address = address, .next = *first };
	*first = n_counts;
	return &counts[n_counts++];
}

static struct stack *stack_of(uint64_t slot)
{
	uint64_t number = slot / STACK_SIZE;
	struct stack **first = &stack_hash[hash(number, 0)];
	struct stack *stack;

	for (stack = *first; stack; stack = stack->next)
		if (stack->number == number)
			return stack;
	stack = allocate(1, sizeof(*stack));
	stack->number = number;
	stack->next = *first;
	*first = stack;
	return stack;
}

static uint32_t last_call(const struct stack *stack)
{
	return stack->depth ? stack->frame[stack->depth - 1].call : stack->base;
}

/* End the calls whose return address is stored at SLOT or at a lower address. */
static void unwind(struct stack *stack, uint64_t slot)
{
	while (stack->depth && stack->frame[stack->depth - 1].slot <= slot)
		stack->depth--;
}

static void called(unsigned int cpu, uint32_t info, uint64_t slot, void *data)
{
	const struct followed *insn = data;
	struct stack *stack;

	(void)cpu;
	/* an indirect call also loads the address of the function */
	if (!qemu_plugin_mem_is_store(info))
		return;
	stack = stack_of(slot);
	unwind(stack, slot);
	if (stack != current && !stack->depth)
		stack->base = current_call;
	current = stack;
	current_call = call_of(last_call(stack), insn->returns_to);
	stack->frame[stack->depth++] = (struct frame){ .slot = slot, .call = current_call };
}

static void returned(unsigned int cpu, uint32_t info, uint64_t slot, void *data)
{
	(void)cpu;
	(void)info;
	(void)data;
	current = stack_of(slot);
	unwind(current, slot);
	current_call = last_call(current);
}

static void executed(unsigned int cpu, void *data)
{
	struct followed *insn = data;

	(void)cpu;
	if (!counting)
		return;
	if (!insn->count || insn->call != current_call) {
		insn->call = current_call;
		insn->count = count_of(current_call, insn->address);
	}
	insn->count->n++;
}

static bool is_prefix(uint8_t byte)
{
	return byte == 0x2e || byte == 0x3e || byte == 0x66 || byte == 0xf2 || byte == 0xf3 ||
	       (byte & 0xf0) == 0x40;
}

/*
 * A call of the next instructions calls no function: it is part of a thunk of indirect calls, or
 * fills the predictor of returns after a thread switch.
 */
static bool is_call(const uint8_t *code, size_t size)
{
	int32_t distance;

	if (code[0] == 0xe8 && size == 5) {
		memcpy(&distance, code + 1, sizeof(distance));
		return distance < 0 || distance >= SHORT_CALL;
	}
	return code[0] == 0xff && size > 1 && (code[1] & 0x38) == 0x10;
}

/* Count each execution of a kernel instruction for the call stack of that time. */
void stacks_follow(struct qemu_plugin_insn *insn, uint64_t address)
{
	const uint8_t *code = qemu_plugin_insn_data(insn);
	size_t i = 0, size = qemu_plugin_insn_size(insn);
	struct followed *followed = allocate(1, sizeof(*followed));

	followed->address = address;
	followed->returns_to = address + size;
	qemu_plugin_register_vcpu_insn_exec_cb(insn, executed, CB_NO_REGS, followed);
	while (i + 1 < size && is_prefix(code[i]))
		i++;
	/* QEMU 7.2 confuses loads and stores if only one of them is asked for */
	if (is_call(code + i, size - i))
		qemu_plugin_register_vcpu_mem_cb(insn, called, CB_NO_REGS, MEM_ANY, followed);
	else if (code[i] == 0xc3 || code[i] == 0xc2)
		qemu_plugin_register_vcpu_mem_cb(insn, returned, CB_NO_REGS, MEM_ANY, followed);
}

/* Begin or end counting. */
void stacks_count(bool on)
{
	counting = on;
}

/* Write what was counted. */
void stacks_write(FILE *file)
{
	uint32_t i;

	for (i = 1; i < n_calls; i++)
		fprintf(file, "call %" PRIu32 " %" PRIu32 " %" PRIx64 "\n", i, calls[i].parent,
			calls[i].address);
	for (i = 1; i < n_counts; i++)
		fprintf(file, "at %" PRIu32 " %" PRIx64 " %" PRIu64 "\n", counts[i].call,
			counts[i].address, counts[i].n);
}
