#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The tables in Documentation/reference that are generated are those of the code, and icbenchctl
# accepts and refuses what the table of combinations says.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

here=$top/tests/unit
pages=$top/Documentation/reference

"$here/build/tables" >"$tmp/combinations"
"$here/keys.py" >"$tmp/keys"
ok "the table of keys is up to date (make tables)" diff "$pages/keys_table.rst" "$tmp/keys"
ok "the tables of combinations are up to date (make tables)" \
	diff "$pages/combinations_tables.rst" "$tmp/combinations"
is "a table for each trigger" "$(grep -c '^Trigger ' "$tmp/combinations")" 4

# The command line by itself, for each cell of the table: a run that it refuses has status 2.
ctl=$here/build/icbenchctl-fake
# recipe KEY=VALUE...: a recipe without other keys
recipe() {
	printf 'title = one combination\n'
	printf '%s\n' "$@"
}

# cells: print trigger, verb, notify, mode and the transports of each cell
cells() {
	awk '
		/^Trigger / { trigger = $2 }
		/^verb / { for (i = 2; i <= NF; i++) mode[i - 1] = $i; n = NF - 1 }
		/^[a-z][a-z-]*(, notify [a-z]+)?  / && !/^verb / {
			name = substr($0, 1, 22)
			sub(/ *$/, "", name)
			notify = "-"
			if (split(name, part, ", notify ") == 2)
				notify = part[2]
			for (i = 1; i <= n; i++) {
				cell = substr($0, 24 + 11 * (i - 1), 10)
				gsub(/[, ]+/, ",", cell)
				sub(/,$/, "", cell)
				print trigger, part[1], notify, mode[i], cell
			}
		}' "$1"
}

# agrees TRIGGER: icbenchctl accepts what the table of this trigger says, and nothing else
agrees() {
	local trigger verb notify mode transports transport keys status said checked=0

	while read -r trigger verb notify mode transports; do
		[ "$trigger" = "$1" ] || continue
		for transport in rc uc ud; do
			keys=("trigger=$trigger" "verb=$verb" "transport=$transport" "completion=$mode")
			[ "$notify" = - ] || keys+=("notify=$notify")
			recipe "${keys[@]}" >"$tmp/one.icb"
			said=$("$ctl" run "$tmp/one.icb" --dry-run 2>&1 >/dev/null)
			status=$?
			case $status,",$transports," in
			0,*,"$transport",*)	;;
			2,*,"$transport",*)	echo "${keys[*]}: $said"; return 1 ;;
			2,*)			;;
			*)			echo "${keys[*]}: status $status: $said"; return 1 ;;
			esac
			checked=$((checked + 1))
		done
	done <"$tmp/cells"
	[ "$checked" -ge 100 ]
}

cells "$pages/combinations_tables.rst" >"$tmp/cells"
for trigger in echo completion return clock; do
	ok "icbenchctl agrees with the table of trigger $trigger" agrees "$trigger"
done
done_testing
