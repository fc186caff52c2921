# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Long tests in shares, several of which may run at a time, sourced by the commands that have
# such, after parts.sh.

# shares VARIABLE FIRST COUNT NAME [VARIABLE=VALUE]... TEST: for each share from FIRST to COUNT
# a part NAME-SHARE, in the order of their names, that runs TEST with VARIABLE=SHARE/COUNT
shares() {
	local variable=$1 first=$2 count=$3 name=$4 share

	shift 4
	for ((share = first; share <= count; share++)); do
		part "$(printf '%s-%03d' "$name" "$share")" "$variable=$share/$count" "$@"
	done
}
