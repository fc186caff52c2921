// SPDX-License-Identifier: GPL-2.0
/*
 * One error for each check of the debug kernel, which has to report all of them. For
 * tests alone.
 */
#include <linux/dma-mapping.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

static int zero __initdata;

/* RCU: dereference without a read-side lock */
static void __init read_unprotected(void)
{
	static int __rcu *shared;

	READ_ONCE(*(rcu_dereference(shared) ?: &zero));
}

/* sleep while atomic */
static void __init sleep_locked(void)
{
	static DEFINE_SPINLOCK(lock);

	spin_lock(&lock);
	might_sleep();
	spin_unlock(&lock);
}

static void never(struct timer_list *timer)
{
}

/* debug objects: free memory that contains an active timer */
static int __init free_timer(void)
{
	struct timer_list *timer = kmalloc(sizeof(*timer), GFP_KERNEL);

	if (!timer)
		return -ENOMEM;
	timer_setup(timer, never, 0);
	mod_timer(timer, jiffies + 1000 * HZ);
	kfree(timer);
	return 0;
}

static void nothing(struct work_struct *work)
{
}

/* debug objects: initialise work on the stack as if it were not there */
static noinline void __init work_on_stack(void)
{
	struct work_struct work;

	INIT_WORK(&work, nothing);
	destroy_work_on_stack(&work);
}

/* UBSAN: shift by the width of the type */
static void __init shift_too_far(void)
{
	int bits = 32 + READ_ONCE(zero);

	WRITE_ONCE(zero, 1 << bits);
	WRITE_ONCE(zero, 0);
}

/* UBSAN: index out of bounds */
static void __init index_too_far(void)
{
	/* memory follows the array, so that KASAN does not report it, too */
	static struct {
		int four[4];
		int others[4];
	} numbers;

	/* index 5: the address of element 4, one behind the last, is legal */
	READ_ONCE(numbers.four[5 + READ_ONCE(zero)]);
}

/* DMA: unmap twice */
static int __init unmap_twice(void)
{
	struct platform_device *dev;
	dma_addr_t addr;
	void *bytes;
	int err;

	dev = platform_device_register_simple("broken", PLATFORM_DEVID_NONE,
					      NULL, 0);
	if (IS_ERR(dev))
		return PTR_ERR(dev);
	err = dma_coerce_mask_and_coherent(&dev->dev, DMA_BIT_MASK(64));
	bytes = kmalloc(64, GFP_KERNEL);
	if (!err && bytes) {
		addr = dma_map_single(&dev->dev, bytes, 64, DMA_TO_DEVICE);
		err = dma_mapping_error(&dev->dev, addr);
		if (!err) {
			dma_unmap_single(&dev->dev, addr, 64, DMA_TO_DEVICE);
			dma_unmap_single(&dev->dev, addr, 64, DMA_TO_DEVICE);
		}
	}
	kfree(bytes);
	platform_device_unregister(dev);
	return err;
}

/* lists: delete an entry twice */
static void __init delete_twice(void)
{
	LIST_HEAD(list);
	LIST_HEAD(entry);

	list_add(&entry, &list);
	list_del(&entry);
	list_del(&entry);
}

/* lockdep: take two locks in both orders */
static void __init lock_both_ways(void)
{
	static DEFINE_MUTEX(first);
	static DEFINE_MUTEX(second);

	mutex_lock(&first);
	mutex_lock(&second);
	mutex_unlock(&second);
	mutex_unlock(&first);
	mutex_lock(&second);
	mutex_lock(&first);
	mutex_unlock(&first);
	mutex_unlock(&second);
}

/* KASAN: read out of bounds */
static noinline int broken_read(void)
{
	char *bytes = kmalloc(8, GFP_KERNEL);

	if (!bytes)
		return -ENOMEM;
	READ_ONCE(bytes[8]);
	kfree(bytes);
	return 0;
}

/* kmemleak. Several objects, because an address that is left on a stack hides a leak. */
static noinline int lose(void)
{
	unsigned int i;
	void *lost;

	for (i = 0; i < 8; i++) {
		lost = kmalloc(100, GFP_KERNEL);
		if (!lost)
			return -ENOMEM;
		/*
		 * not zeros: their checksum is 0, which is also that of an object not yet
		 * scanned
		 */
		get_random_bytes(lost, 100);
	}
	return 0;
}

/* The order matters: lockdep is off after its own report, and after one of KASAN's. */
static int __init broken_init(void)
{
	int err;

	read_unprotected();
	sleep_locked();
	err = free_timer() ?: unmap_twice();
	if (err)
		return err;
	work_on_stack();
	shift_too_far();
	index_too_far();
	delete_twice();
	lock_both_ways();
	return lose() ?: broken_read() ?: broken_read();
}

static void __exit broken_exit(void)
{
}

module_init(broken_init);
module_exit(broken_exit);

MODULE_DESCRIPTION("Be found by a debug kernel");
MODULE_LICENSE("GPL");
