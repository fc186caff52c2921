// SPDX-License-Identifier: GPL-2.0
/*
 * Exclude virtio devices from suspend and resume: the 9p device with the machine's files
 * does not survive them, in any kernel. For tests alone.
 */
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/pm.h>

static int __init awake_init(void)
{
	struct pci_dev *dev = NULL;

	while ((dev = pci_get_device(PCI_VENDOR_ID_REDHAT_QUMRANET, PCI_ANY_ID, dev)))
		dev_pm_syscore_device(&dev->dev, true);
	return 0;
}

static void __exit awake_exit(void)
{
	struct pci_dev *dev = NULL;

	while ((dev = pci_get_device(PCI_VENDOR_ID_REDHAT_QUMRANET, PCI_ANY_ID, dev)))
		dev_pm_syscore_device(&dev->dev, false);
}

module_init(awake_init);
module_exit(awake_exit);

MODULE_DESCRIPTION("Devices that do not sleep");
MODULE_LICENSE("GPL");
