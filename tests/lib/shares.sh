# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Long tests in shares, several of which may run at a time. Sourced after parts.sh by the commands
# that have such tests.

# shares VARIABLE FIRST COUNT NAME [VARIABLE=VALUE]... TEST: for each share from FIRST to COUNT
# make a part NAME-SHARE that runs TEST with VARIABLE=SHARE/COUNT; the names sort in this order
shares() {
	local variable=$1 first=$2 count=$3 name=$4 share

	shift 4
	for ((share = first; share <= count; share++)); do
		part "$(printf '%s-%03d' "$name" "$share")" "$variable=$share/$count" "$@"
	done
}
