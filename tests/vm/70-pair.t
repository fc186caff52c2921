#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Two machines: a serves, and b runs. Then both machines serve and run, and a is killed.
#
#   +------ a ------+            +------ b ------+
#   |  serve   <----+--- rxe ----+---  run       |
#   |  run   -------+------------+-->  serve     |
#   +---- dies -----+            +---------------+

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"
# shellcheck source=tests/vm/guest/relay.sh
. "$top/tests/vm/guest/relay.sh"
# shellcheck source=tests/lib/settings.sh
. "$top/tests/lib/settings.sh"

setting ICBENCH_DEATHS 1
setting ICBENCH_VM_SLOW 1
# time limit of a pair, seconds; it is above the pair's own of 900 s
limit=$((960 * ICBENCH_VM_SLOW))
vm=$top/tests/vm
python=(/usr/bin/python3 -B "$vm/guest/pair.py")
pair=

# The pair kills its machines when it ends. It runs in the foreground, so that Ctrl-C reaches it.
cleanup() {
	[ -z "$pair" ] || kill "$pair" 2>/dev/null
	tap_cleanup
}
trap cleanup EXIT
# without this trap the test would continue with the next pair
trap 'exit 130' INT

# reports FILE: print the reports of machine a, until it was killed
reports() {
	grep 'a: kernel report' "$1"
}

timeout --foreground $limit "$vm/pair" --timeout 900 --out-a "$tmp/a" --out-b "$tmp/b" -- \
	"${python[@]}" server -- bash "$vm/guest/client.sh"
status=$?
relay b "$tmp/b"
relay a "$tmp/a"
is "two machines" $status 0

# Kill a machine, $ICBENCH_DEATHS times. If the host hung meanwhile, the time of the death is not
# known: try again.
again=0
for ((death = 1; death <= ICBENCH_DEATHS; death++)); do
	rm -rf "$tmp/work" "$tmp"/[ab]
	timeout --foreground $limit "$vm/pair" --with tests/chaos --timeout 900 \
		--work "$tmp/work" --out-a "$tmp/a" --out-b "$tmp/b" -- \
		"${python[@]}" victim -- "${python[@]}" survivor 2>"$tmp/said" &
	pair=$!
	until [ "$(cat "$tmp/a" "$tmp/b" 2>/dev/null | grep -c 'are under way')" -eq 2 ]; do
		kill -0 $pair 2>/dev/null || break
		sleep 0.1
	done
	kill -KILL "$(<"$tmp/work/a.pid")"
	wait $pair
	pair=
	if [ $again -lt 2 ] && grep -q '^not ok .* the time of the death is known' "$tmp/b"; then
		echo "# again: when the machine died is not known"
		again=$((again + 1))
		death=$((death - 1))
		continue
	fi
	again=0
	failed=$tap_failed
	relay b "$tmp/b"
	is "b: its machine ends well" "$(cat "$tmp/work/b.outcome" 2>&1)" 0
	is "a: its kernel has nothing to report until then" "$(reports "$tmp/said")" ""
	[ "$tap_failed" -eq "$failed" ] || cat "$tmp/said" >&2
done

done_testing
