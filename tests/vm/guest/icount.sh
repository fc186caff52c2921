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

# The first run after a boot finds caches as others have left them. A work queue's worker is not
# bound to the run's CPU, and siw uses TCP.
first=()
for _ in 1 2 3; do
	ctl run latency -n 500 --json "$tmp/json"
	done_well "latency"
	json "... which warms up until it is steady, and no longer" '.points[0].metrics
		| .warmup_made.value >= 1000 and .warmup_made.value < 3000
		and .warmup_steady.value == 1'
	first+=("$(jq '.points[0].metrics.latency.percentiles["50"]' "$tmp/json")")
done
note "latency: p50 ${first[*]} ns, from the first run of this boot on"
case $device in
siw*)	apart=0.01 ;;
*)	apart=0
	! device_in_threads || apart=0.001 ;;
esac
jq -n "[\$ARGS.positional[] | tonumber] | max - min <= $apart * min" \
	--args "${first[@]}" >"$tmp/out" 2>"$tmp/err"
ok "... which takes no longer than the next ones" grep -qx true "$tmp/out"

# the repetition shows in the notes only
repeats=(1 2)
[ "$one_in" -eq 1 ] || repeats=(1)
for _ in "${repeats[@]}"; do
	ctl run blocking -n 500 --json "$tmp/json"
	done_well "blocking"
	note "$(p50 | sed '2,$s/^/# /')"
	ctl run latency --verb write -n 500 --json "$tmp/json"
	done_well "write"
	note "$(p50)"
done
# icbench's own overhead, in instructions
ctl run calibrate -n 200 -q 1,4096 --json "$tmp/json"
done_well "calibrate"
note "$(jq -r '.points[].metrics | "echo \(.echo.percentiles["50"]), stream \(
	.stream.percentiles["50"]), both \(.calibrate.percentiles["50"]) instructions a sample"' "$tmp/json")"
json "... at most 80 instructions a sample" '[.points[].metrics.calibrate.percentiles["50"] <= 80]
	| all and length == 2'
# a sample with a timer interrupt moves a percentile within its bucket
json "... and no more of 4,096 QPs" '[.points[].metrics.calibrate.min] | .[1] <= .[0]'
# a sample above the threshold ends the run, and stops no trace but the run's own
tracing=/sys/kernel/tracing
[ ! -d "$tracing"/events/icbench ] || echo 1 >"$tracing"/events/icbench/enable
traced() {
	[ ! -d "$tracing"/events/icbench ] && return
	[ "$(cat "$tracing"/tracing_on)" = 1 ] &&
		[ "$(grep -c 'icb_beyond: id=[0-9]* owner=[0-9]* sample=1 ns=[0-9]* ago=[0-9]*$' "$tracing"/trace)" = "$1" ]
}
ctl run latency -n 200 --threshold 1s --trace no --json "$tmp/json"
done_well "threshold"
ok "... nothing was beyond it" traced 0
ctl run latency -n 200 --threshold 1us --trace no --json "$tmp/json"
report $((rc != 1)) "threshold: beyond it"
json "... the first sample is the last" '.partial and .points[0].metrics.latency.count == 1 and
	(.reason | startswith("stopped, sample 1 took")) and (has("trace") | not)'
ok "... which an event tells, and tracing goes on" traced 1
# the suite of a kernel's CI, with fewer samples
case $device in
siw*)	skip "suite ci" "iWARP has no verb connect" ;;
*)
	ctl suite ci -n 200 --warmup 20 -o "$tmp/ci"
	report "$rc" "suite ci"
	note "$(tail -n 1 "$tmp/out") after $took ms"
	ctl compare --suite ci "$tmp/ci" "$tmp/ci"
	done_well "... compared with itself: no regression"
	ok "... each figure that it names is comparable, and none differs" grep -qE \
		'^0 faster, 0 slower, [1-9][0-9]+ with no difference shown, 0 not comparable; regressions: 0$' \
		"$tmp/out"
	;;
esac
# the reference, because the clock is unusual here; perftest needs a GID
case $device in
siw*)
	skip "ib_send_lat -e" "iWARP has no GID for an address"
	clean "nothing is left"
	done_testing
	;;
esac
timeout "$limit" ib_send_lat -d rxe0 -x 1 -e -s 64 -n 500 >"$tmp/server" 2>&1 </dev/null &
server=$!
until_true 30 grep -qE ':4853 [0-9A-F]+:0000 0A ' /proc/net/tcp /proc/net/tcp6
run ib_send_lat -d rxe0 -x 1 -e -s 64 -n 500 10.77.0.1
report $rc "ib_send_lat -e"
note "ib_send_lat -e: $(grep '^ *64 ' "$tmp/out")"
wait $server
clean "nothing is left"

done_testing
