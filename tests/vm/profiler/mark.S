/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A program that executes an instruction by which insn.c knows where to begin (MARK is 1) or to
 * end (2), and exits. It is linked statically and without the C library, to run in any root.
 */
	.globl	_start
_start:
	nopl	MARK << 24 | 0x61726b(%rax,%rax,1)
	mov	$60, %eax	/* exit */
	xor	%edi, %edi
	syscall
