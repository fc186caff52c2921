#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# That a call which is timed has no read of the clock in it: on one CPU whose clock counts
# instructions, and where icbench reads the kernel's clock, as that can be made to take long.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

us=20
verbs=(register descriptor)

# measure VERB: sets calls, the least time of each of its calls, ns
measure() {
	ctl run "$1" -s 4K -n 20 --json "$tmp/json"
	done_well "$1"
	calls=$(jq -c --arg verb "$1" '.points[0].metrics | with_entries(
		select(.key != $verb and .value.min) | .value |= .min)' "$tmp/json")
	note "$1: $calls ns"
}

declare -A alone
for verb in "${verbs[@]}"; do
	measure "$verb"
	json "... by the kernel's clock" '.environment.clocksource == "monotonic-raw"'
	alone[$verb]=$calls
done

# Of a call's two reads the second one's delay is in it. A completion that another thread
# brings may take so long that the clock is looked at.
case $device in
siw*)	slower="iWARP's device works in threads" ;;
*)	! device_in_threads || slower="the device works in threads" ;;
esac
if [ -n "${slower-}" ]; then
	skip "no call reads the clock" "$slower"
else
	insmod "$ICBENCH_WITH/delay.ko" function=ktime_get_raw_fast_ns by=icbench/ but=icbench/0 us=$us
	report $? "each read of the clock takes $us us longer"
	for verb in "${verbs[@]}"; do
		measure "$verb"
		jq -e --argjson alone "${alone[$verb]}" --argjson us $us -n --argjson calls "$calls" '
			[$calls | to_entries[] | .value - $alone[.key] |
				. > 900 * $us and . < 1500 * $us] |
			all and length == ($alone | length) and length > 0' >"$tmp/out" 2>"$tmp/err"
		report $? "$verb: one read takes $us us, and no call takes two"
	done
	rmmod delay
fi
clean "nothing is left"

done_testing
