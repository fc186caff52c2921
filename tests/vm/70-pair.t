#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Two machines: a serves, b runs; then each does both, and a dies.
#
#   +------ a ------+            +------ b ------+
#   |  serve   <----+--- rxe ----+---  run       |
#   |  run   -------+------------+-->  serve     |
#   +---- dies -----+            +---------------+

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

vm=$top/tests/vm
python=(/usr/bin/python3 -B "$vm/guest/pair.py")
pair=

# the pair kills its machines when it ends
cleanup() {
	[ -z "$pair" ] || kill "$pair" 2>/dev/null
	tap_cleanup
}
trap cleanup EXIT

# relay NODE FILE: a machine's tests as ours, and that it came to its end
relay() {
	local line n=0

	while read -r line; do
		case $line in
		ok\ *|not\ ok\ *)
			n=$((n + 1))
			tap_count=$((tap_count + 1))
			[[ $line == ok* ]] || tap_failed=$((tap_failed + 1))
			echo "${line%%ok *}ok $tap_count - $1: ${line#* - }"
			;;
		"#"*)
			echo "$line"
			;;
		esac
	done <"$2"
	is "$1: came to its end" "$(tail -n 1 "$2")" "1..$n"
}

not_in() {
	! grep -E "$2" "$1"
}

timeout 400 "$vm/pair" --timeout 300 --out-a "$tmp/a" --out-b "$tmp/b" -- \
	"${python[@]}" server -- bash "$vm/guest/client.sh"
status=$?
relay b "$tmp/b"
relay a "$tmp/a"
is "two machines" $status 0

timeout 400 "$vm/pair" --timeout 300 --work "$tmp/work" --out-a "$tmp/a" --out-b "$tmp/b" -- \
	"${python[@]}" victim -- "${python[@]}" survivor 2>"$tmp/said" &
pair=$!
until [ "$(cat "$tmp/a" "$tmp/b" 2>/dev/null | grep -c 'are under way')" -eq 2 ]; do
	kill -0 $pair 2>/dev/null || break
	sleep 0.1
done
kill -KILL "$(<"$tmp/work/a.pid")"
wait $pair
pair=
relay b "$tmp/b"
ok "b: its kernel has nothing to report" not_in "$tmp/said" 'b: .*(report|tainted)'

done_testing
