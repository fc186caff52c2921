#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# interrupt-floor: each path is measured or absent, the benchmark needs no device, a stop ends
# it, and it agrees with cyclictest.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

alone='["floor", "hrtimer_hard", "hrtimer_soft", "self_ipi", "softirq", "ksoftirqd",
	"work_bound", "work_highpri", "work_unbound", "context_switch", "wake_same"]'
cross='["cross_call", "wake_other", "wake_idle", "wake_idle_qos"]'

is_as_asked() {
	json "... each way, as often" ".points[0].metrics as \$m | $1"' | map($m[.]
		| .unit == "ns" and .count == 100 and .max >= .min and (.histogram | length > 0))
		| all'
	json "... nothing else" ".points[0].metrics | [to_entries[] | select(.value.count).key]
		- ($1) == []"
	json "... and a thread runs after the interrupt that has woken it" '.points[0].metrics
		| .floor.mean >= .hrtimer_hard.mean and .floor.min >= .hrtimer_hard.min'
}

if [ "$(nproc)" -gt 1 ]; then
	ctl run interrupt-floor -n 100 --json "$tmp/json"
	done_well "interrupt-floor"
	! grep -q "Not measured" "$tmp/out"
	report $? "... all of it"
	is_as_asked "$alone + $cross"
fi
ctl run interrupt-floor -n 100 --cpu 0 --peer-cpu 0 --json "$tmp/json"
done_well "interrupt-floor, one CPU"
grep -q "Not measured *: cross_call, wake_other, wake_idle, wake_idle_qos: these calls need a second CPU" \
	"$tmp/out"
report $? "... and the text says what is absent, and why"
is_as_asked "$alone"
for priority in fifo fifo-low; do
	ctl run interrupt-floor -n 100 --warmup 0 --priority $priority --json "$tmp/json"
	done_well "interrupt-floor, $priority"
done
json "its keys are those that mean something" '.points[0].parameters | keys == ["cpu",
	"iterations", "peer-cpu", "priority", "timeout", "trigger", "verb", "warmup"]'
json "what disturbed it, and the clock" '(.points[0].disturbance | has("involuntary_switches"))
	and .environment.clock_read_ns > 0'
ctl run interrupt-floor -D 50ms --json "$tmp/json"
done_well "interrupt-floor, by duration"
json "... as long as asked for" '.points[0].metrics.floor.count > 0'

# cyclictest measures the floor. Both minima are of the same machine, but at different times,
# and on a shared host the clock is unreliable.
if command -v cyclictest >/dev/null; then
	ctl run interrupt-floor -n 300 --priority fifo --cpu 0 --json "$tmp/json"
	done_well "interrupt-floor, beside cyclictest"
	cyclictest --mlockall --quiet --priority=50 --affinity=0 --threads=1 --interval=1000 \
		--loops=300 >"$tmp/cyclictest" 2>&1
	least=$(sed -n 's/.*Min: *\([0-9]*\).*/\1/p' "$tmp/cyclictest")
	note "cyclictest:$(sed -n 's/.*C:.*Min/ Min/p' "$tmp/cyclictest") us"
	note "floor: $(jq -c '.points[0].metrics.floor | { min, p50: .percentiles["50"], mean, max }' \
		"$tmp/json") ns"
	json "... of the same order" "(.points[0].metrics.floor.min / 1000 + 1) as \$own
		| (${least:-0} + 1) as \$its | \$own < 10 * \$its and \$its < 10 * \$own"
else
	skip "beside cyclictest" "there is no cyclictest"
fi

# Two runs at a time share only the CPUs.
icbenchctl run interrupt-floor -n 100 --json "$tmp/first" >/dev/null 2>&1 &
ctl run interrupt-floor -n 100 --json "$tmp/json"
done_well "two at a time"
wait $!
report $? "... both"

interrupted "a stop ends it" icbenchctl run interrupt-floor -D 100s
icbenchctl run interrupt-floor -D 100s >/dev/null 2>"$tmp/err" &
until_true 10 has_job measuring
kill -KILL $!
wait $! 2>/dev/null
clean "nothing is left, of one whose owner dies either"

unplug
ctl run interrupt-floor -n 10 --warmup 0
done_well "no device is needed"
ctl run calibrate -n 10
[ "$rc" -eq 3 ]
report $? "... by anything else it is"
plug
report $? "the device is back"

for key in "peer 10.77.0.1" "device $device" "size 64" "completion poll" "transport rc" "window 4"; do
	# shellcheck disable=SC2086
	ctl run interrupt-floor --$key
	refused "no ${key% *}" 2 "^icbenchctl: ${key% *}: .*verb floor.*accepted: iterations"
done
ctl run interrupt-floor --cpu 4000
refused "no such CPU" 2 'cpu: CPU 4000 is not online; accepted: 0'
ctl run interrupt-floor --peer-cpu 4000
refused "no such peer CPU" 2 'peer-cpu: CPU 4000 is not online; accepted: 0'
ctl run latency --verb floor
refused "no message" 2 'verb: floor is not possible with trigger echo'

done_testing
