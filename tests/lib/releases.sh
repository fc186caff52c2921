# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The kernels of the root file systems that tests/matrix/root makes.

# releases ROOT FLAVOUR: print its kernels of this flavour, the newest last
releases() {
	local f

	for f in "$1"/boot/vmlinuz-*; do
		f=${f##*/vmlinuz-}
		case $2 in
		rt-*)	[[ $f != *-"$2" ]] || echo "$f" ;;
		*)	[[ $f == *-rt-* ]] || echo "$f" ;;
		esac
	done | sort -V
}

# newest_of NAME: print the newest of the releases on standard input that belong to the row NAME of
# tests/matrix/kernels. A suite may have newer kernels, of other rows.
newest_of() {
	local version=${1%-rt}

	grep -E "^${version//./\\.}([^0-9]|\$)" | tail -n 1
}
