#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Suites: each experiment writes a complete result with its own parameters, and an interrupted suite
# can be resumed.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

limit=300
# Experiments of hoti04 that this device does not support, which is no failure of the suite:
# atomics, and a stream of writes with immediate data.
lacks=0
case $device in
siw*) lacks=2 ;;
esac
status=$((lacks > 0))
few=(-n 40 --warmup 1 "${patience[@]}")

# part_of NAME [OPTION...]: set part to the suite NAME. With ICBENCH_ONE_IN it is a copy that has two of its
# sizes, and none of the runs that an earlier suite has had.
declare -A had=()
part_of() {
	local name=$1 experiment command without=

	part=$name
	[ "$one_in" -ne 1 ] || return
	while read -r experiment command; do
		[ -z "${had[$command]-}" ] || without+=" $experiment "
		had[$command]=1
	done < <(icbenchctl suite "$@" "${few[@]}" --list)
	part=$tmp/$name.suite
	awk -v without="$without" '
		/^\[/ {
			out = index(without, " " substr($0, 2, length($0) - 2) " ")
		}
		!out {
			sub(/^size = 4\.\..*/, "size = 4,16K")
			sub(/^repeat = .*/, "repeat = 2")
			print
		}' "$top/user/suites/$name.suite" >"$part"
}

# whole DIR: each file is a complete result of the command that it names
whole() {
	jq -s -e '[.[] | .schema == "icbench/1" and (.partial | not) and (.points | length > 0)
		and .command[:3] == ["icbenchctl", "run", .benchmark]] | all and length > 1' \
		"$1"/*.json >"$tmp/out" 2>"$tmp/err"
}

# all sizes of the paper
part_of hoti04
hoti04=$part
ctl suite "$hoti04" "${few[@]}" -o "$tmp/hoti04"
[ "$rc" -eq $status ]
report $? "hoti04"
note "$(tail -n 1 "$tmp/out") after $took ms"
ok "... each result is whole" whole "$tmp/hoti04"
for name in thesis03 micro04 micro02; do
	part_of $name -s 64
	ctl suite "$part" "${few[@]}" -s 64 -o "$tmp/$name"
	[ "$rc" -eq 0 ] || [ "$rc" -eq $status ]
	report $? "$name"
	note "$(tail -n 1 "$tmp/out") after $took ms"
	ok "... each result is whole" whole "$tmp/$name"
	files=("$tmp/$name"/*.json)
	# hoti04 is resumed below, too
	[ "$one_in" -eq 1 ] || continue
	ctl suite $name "${few[@]}" -s 64 -o "$tmp/$name"
	[ "$(grep -c ': skipped$' "$tmp/err")" -eq ${#files[@]} ]
	report $? "... and lacks nothing: once more, nothing is run that is there"
done

ctl suite "$hoti04" "${few[@]}" -o "$tmp/hoti04"
[ "$rc" -eq $status ] && [ "$(grep -c ': skipped$' "$tmp/err")" -eq $((6 - lacks)) ]
report $? "hoti04, once more: nothing is run that is there"
rm "$tmp/hoti04/latency-send.json"
ctl suite "$hoti04" "${few[@]}" -o "$tmp/hoti04"
[ "$rc" -eq $status ] && [ "$(grep -c ': skipped$' "$tmp/err")" -eq $((5 - lacks)) ] &&
	whole "$tmp/hoti04"
report $? "... but for what is gone"

# the schema of results, for all of these documents by one program
if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
	files=("$tmp"/{hoti04,thesis03,micro04,micro02}/*.json)
	run /usr/bin/python3 "$top/tests/lib/schema.py" "$top/Documentation/schema/icbench-1.json" \
		"${files[@]}"
	[ "$rc" -eq 0 ]
	report $? "... each result is one of the schema"
	note "${#files[@]} results in $took ms"
else
	skip "... each result is one of the schema" "this root has no python3-jsonschema"
fi

icbenchctl suite hoti04 --warmup 1 -D 600 -o "$tmp/cut" >"$tmp/out" 2>"$tmp/err" </dev/null &
suite=$!
until_true 30 has_job measuring
# SIGTERM, because a background job of a script ignores SIGINT
ended_by TERM $suite && [ $rc -eq 1 ]
report $? "stopped: at once"
note "stopped after $took ms"
jq -e '.partial and (.points | length == 1)' "$tmp/cut/latency-send.json" >/dev/null
report $? "... its result is kept, and marked"
[ "$(ls "$tmp/cut")" = latency-send.json ] && grep -q 'latency-write  *not run' "$tmp/out"
report $? "... and no other experiment begun"
clean "nothing is left"

done_testing
