// SPDX-License-Identifier: GPL-2.0
/*
 * What the debug kernel is there to find: memory that is lost, and two reads
 * behind the end of some. For tests alone.
 */
#include <linux/module.h>
#include <linux/random.h>
#include <linux/slab.h>

/* Some more than one: where an address was, on a stack, it may be seen later. */
static noinline int lose(void)
{
	unsigned int i;
	void *lost;

	for (i = 0; i < 8; i++) {
		lost = kmalloc(100, GFP_KERNEL);
		if (!lost)
			return -ENOMEM;
		/* not zeros, which are what a checksum of 0 stands for */
		get_random_bytes(lost, 100);
	}
	return 0;
}

static noinline int broken_read(void)
{
	char *bytes = kmalloc(8, GFP_KERNEL);

	if (!bytes)
		return -ENOMEM;
	READ_ONCE(bytes[8]);
	kfree(bytes);
	return 0;
}

static int __init broken_init(void)
{
	return lose() ?: broken_read() ?: broken_read();
}

static void __exit broken_exit(void)
{
}

module_init(broken_init);
module_exit(broken_exit);

MODULE_DESCRIPTION("Be found by a debug kernel");
MODULE_LICENSE("GPL");
