// SPDX-License-Identifier: GPL-2.0
/* A live patch of a function that is not used meanwhile. For tests alone. */
#include <linux/livepatch.h>
#include <linux/module.h>
#include <linux/seq_file.h>

static int show(struct seq_file *file, void *unused)
{
	seq_puts(file, "patched\n");
	return 0;
}

static struct klp_func functions[] = {
	{ .old_name = "cmdline_proc_show", .new_func = show, },
	{ }
};

static struct klp_object objects[] = {
	{ .funcs = functions, },
	{ }
};

static struct klp_patch patch = {
	.mod = THIS_MODULE,
	.objs = objects,
};

static int __init patch_init(void)
{
	return klp_enable_patch(&patch);
}

static void __exit patch_exit(void)
{
}

module_init(patch_init);
module_exit(patch_exit);

MODULE_DESCRIPTION("A live patch");
MODULE_LICENSE("GPL");
MODULE_INFO(livepatch, "Y");
