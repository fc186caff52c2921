# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Long scripts in parts, several of which may run at a time, sourced by the commands that have
# such.

# shares VARIABLE FIRST COUNT DIRECTORY SCRIPT: for each share from FIRST to COUNT a script in
# DIRECTORY, in the order of their names, that runs SCRIPT with VARIABLE=SHARE/COUNT
shares() {
	local variable=$1 first=$2 count=$3 dir=$4 script=$5 share part

	for ((share = first; share <= count; share++)); do
		part=$(printf '%s/%s-%03d.t' "$dir" "$(basename "$script" .t)" "$share")
		printf '#!/bin/sh\n%s=%d/%d exec %q\n' \
			"$variable" "$share" "$count" "$script" >"$part"
		chmod +x "$part"
	done
}
