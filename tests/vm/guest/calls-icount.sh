#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A timed call contains no read of the clock. This is tested on one CPU whose clock counts
# instructions; icbench has to use the kernel's clock, whose reads can be delayed.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

us=20
verbs=(register descriptor)

# measure VERB: set calls to the least time of each of its calls, ns
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

# A call is timed by two reads, and the delay of the second one is included. If another thread makes
# the completion, the wait may be so long that the run reads the clock.
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
