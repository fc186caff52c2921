# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Configurations of kernels that the tests build: tests/vm/config-kdir, and more options.

# asked FILE...: print the options of these files for make allnoconfig
asked() {
	sed 's/^#? //' -- "$@"
}

# missing CONFIG FILE...: print the options of these files that a kernel with the configuration CONFIG
# lacks. True if any is missing.
missing() {
	local config=$1

	shift
	{
		cat -- "$@" | grep '^CONFIG_' | grep -vxFf "$config"
		sed -n 's/^#? \(CONFIG_.*\)=y$/# \1 is not set/p' -- "$@" | grep -xFf - "$config"
		true
	} | grep .
}
