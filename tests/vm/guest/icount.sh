#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# One CPU whose clock counts instructions: all modes, and figures that repeat.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

p50() {
	jq -r '.points[] | "\(.parameters.verb) \(.parameters.completion): p50 \(
		.metrics.latency.percentiles["50"]) ns, mean \(.metrics.latency.mean | round)"' "$tmp/json"
}

for _ in 1 2; do
	ctl run blocking -n 500 --json "$tmp/json"
	done_well "blocking"
	note "$(p50 | sed '2,$s/^/# /')"
	ctl run latency --verb write -n 500 --json "$tmp/json"
	done_well "write"
	note "$(p50)"
done
# what measuring takes, in instructions
ctl run calibrate -n 200 --json "$tmp/json"
done_well "calibrate"
note "$(jq -r '.points[].metrics | "echo \(.echo.percentiles["50"]), stream \(
	.stream.percentiles["50"]), both \(.calibrate.percentiles["50"]) instructions a sample"' "$tmp/json")"
json "... at most 80 instructions a sample" '.points[0].metrics.calibrate.percentiles["50"] <= 80'
# the control, as it is the clock that is unusual here
timeout 120 ib_send_lat -d rxe0 -x 1 -e -s 64 -n 500 >"$tmp/server" 2>&1 </dev/null &
server=$!
until_true 30 grep -qE ':4853 [0-9A-F]+:0000 0A ' /proc/net/tcp /proc/net/tcp6
run ib_send_lat -d rxe0 -x 1 -e -s 64 -n 500 10.77.0.1
report $rc "ib_send_lat -e"
note "ib_send_lat -e: $(grep '^ *64 ' "$tmp/out")"
wait $server
clean "nothing is left"

done_testing
