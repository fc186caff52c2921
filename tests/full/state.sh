# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The files that tests/full/check and tests/full/part share, in the directory $state:
#
#	of			the commit and the settings of all results
#	summary.txt		the summary, written anew after each part
#	lock			locked while a check, or one of its parts, runs
#	parts/NAME/log		the output of the part
#	parts/NAME/log.1, ...	the output of earlier runs that failed
#	parts/NAME/kernel-*.log	kernel logs of machines that failed
#	parts/NAME/kernels	the kernels that the part booted
#	parts/NAME/result	after the part's end: in each line a name, a tab and a value
#
# A file that must not be seen half written is renamed into its place.

# settings_of_environment: print the variables that change the tests, as words
settings_of_environment() {
	env -0 | LC_ALL=C sort -z | while IFS= read -r -d '' word; do
		case $word in
		ICBENCH_BUILD=*|ICBENCH_ACCEL=*|ICBENCH_VM_KERNELS=*)	;;
		ICBENCH_*)	printf ' %q' "$word" ;;
		esac
	done
}

# commit_of TREE: print the commit that is checked out, and "changed" if the tree differs from it
commit_of() {
	local commit changes

	commit=$(git -C "$1" rev-parse --verify HEAD 2>/dev/null) &&
		changes=$(git -C "$1" --no-optional-locks status --porcelain) || return
	echo "$commit${changes:+ changed}"
}
