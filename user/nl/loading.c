// SPDX-License-Identifier: GPL-2.0
/*
 * Explains why the module is not loaded, and how to load it. The steps differ if the
 * kernel requires signed modules, or lacks what the module needs.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/alloc.h"
#include "loading.h"
#include "lockdown.h"

/* The last bytes of a signed module. */
#define SIGNED "~Module signature appended~\n"

static FILE *open_list(const struct utsname *host, const char *list)
{
	char *path = alloc_text("%s/lib/modules/%s/%s", lockdown_root,
				host->release, list);
	FILE *f = fopen(path, "re");

	free(path);
	return f;
}

/* True if a line names @name: "kernel/drivers/infiniband/core/rdma_cm.ko.xz: ..." */
static bool is_module(const char *line, const char *name)
{
	size_t len = strcspn(line, ":\n");
	const char *base = line, *p;

	for (p = line; p < line + len; p++)
		if (*p == '/')
			base = p + 1;
	len = strlen(name);
	return !strncmp(base, name, len) && !strncmp(base + len, ".ko", 3);
}

/* The path of a module of this kernel, for the caller to free(); NULL if it has none. */
static char *find_module(const struct utsname *host, const char *list,
			 const char *name)
{
	FILE *f = open_list(host, list);
	char *line = NULL, *path = NULL;
	size_t size = 0;

	while (f && !path && getline(&line, &size, f) > 0) {
		if (!is_module(line, name))
			continue;
		path = alloc_text("%s/lib/modules/%s/%.*s", lockdown_root,
				  host->release, (int)strcspn(line, ":\n"),
				  line);
	}
	free(line);
	if (f)
		fclose(f);
	return path;
}

/* True if a module is loaded, or modprobe would find it, or that cannot be checked. */
static bool has_module(const struct utsname *host, const char *name)
{
	static const char *const lists[] = { "modules.dep", "modules.builtin" };
	char *path = alloc_text("%s/sys/module/%s", lockdown_root, name);
	bool found = !access(path, F_OK), unseen = false;
	unsigned int i;
	FILE *f;

	free(path);
	for (i = 0; i < ARRAY_SIZE(lists) && !found; i++) {
		f = open_list(host, lists[i]);
		if (f)
			fclose(f);
		else
			unseen = true;
		path = find_module(host, lists[i], name);
		found = path;
		free(path);
	}
	return found || unseen;
}

/* True if a module is signed, or is compressed, in which case that cannot be checked. */
static bool is_signed(const char *path)
{
	const char *dot = path ? strrchr(path, '.') : NULL;
	char end[sizeof(SIGNED) - 1];
	bool yes;
	int fd;

	if (dot && strcmp(dot, ".ko"))
		return true;
	fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return false;
	yes = lseek(fd, -(off_t)sizeof(end), SEEK_END) >= 0 &&
	      read(fd, end, sizeof(end)) == sizeof(end) &&
	      !memcmp(end, SIGNED, sizeof(end));
	close(fd);
	return yes;
}

/* The feature that requires module signatures; NULL for none. */
static const char *signature_policy(void)
{
	if (lockdown_state() != LOCKDOWN_NONE)
		return lockdown_secure_boot() ? "Secure Boot" : "lockdown";
	return lockdown_sig_enforced() ? "module.sig_enforce" : NULL;
}

/**
 * loading_refuse() - explain why the module is not loaded, and how to load it
 * @why: set to the reason
 */
void loading_refuse(struct icb_reason *why)
{
	const char *who = signature_policy();
	struct utsname host;
	char *path;

	uname(&host);
	if (!has_module(&host, "rdma_cm")) {
		icb_refuse(why, 0,
			   "the kernel module icbench is not loaded, and kernel %.48s has no rdma_cm, which it needs: install its extra modules, or one with CONFIG_INFINIBAND_ADDR_TRANS",
			   host.release);
		return;
	}
	if (!who) {
		icb_refuse(why, 0,
			   "the kernel module icbench is not loaded; load it: modprobe icbench (or modprobe rdma_cm && insmod icbench.ko)");
		return;
	}
	path = find_module(&host, "modules.dep", "icbench");
	if (is_signed(path))
		icb_refuse(why, 0,
			   "the kernel module icbench is not loaded; load it: modprobe icbench; if its key is rejected, by %s: mokutil --import its certificate, and reboot",
			   who);
	else
		icb_refuse(why, 0,
			   "the kernel module icbench is not loaded; by %s the kernel takes only signed modules: sign icbench.ko, mokutil --import the certificate (icbench(7), SIGNATURES), then modprobe icbench",
			   who);
	free(path);
}

/**
 * loading_other_kernels() - find the kernels that the module is installed for
 *
 * Return: their releases, as "A, B", allocated; NULL if the module is installed for the
 * running kernel, or for none.
 */
char *loading_other_kernels(void)
{
	char *dir = alloc_text("%s/lib/modules", lockdown_root), *path;
	char *list = NULL, *longer;
	struct utsname host, other;
	struct dirent *entry;
	bool here = false;
	DIR *modules;

	uname(&host);
	modules = opendir(dir);
	free(dir);
	while (modules && (entry = readdir(modules))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(other.release, sizeof(other.release), "%.60s",
			 entry->d_name);
		path = find_module(&other, "modules.dep", "icbench");
		here |= path && !strcmp(other.release, host.release);
		longer = path ? alloc_text("%s%s%s", list ? : "",
					   list ? ", " : "", other.release) : NULL;
		free(path);
		if (!longer)
			continue;
		free(list);
		list = longer;
	}
	if (modules)
		closedir(modules);
	if (here) {
		free(list);
		list = NULL;
	}
	return list;
}
