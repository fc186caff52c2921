#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A machine with one CPU: every mode gets on, is stopped, and lets others live.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

is "one CPU" "$(nproc)" 1

ctl run latency --completion poll,softirq,workqueue,block -s 0,64,1025,64K -n 50 \
	--warmup 5 --verify --json "$tmp/json"
done_well "send"
json "... each of them" '[.points[].metrics.latency.count == 50] | all and length == 16'
ctl run latency --verb write -s 1,64,1025,64K -n 50 --warmup 5 --verify --json "$tmp/json"
done_well "write"
json "... each of them" '[.points[].metrics.latency.count == 50] | all and length == 4'
ctl run latency -s 1M -n 2 --warmup 0 --verify --verb send,write
done_well "1 MiB"
ctl run latency --context thread --completion poll,workqueue,block -n 50 --warmup 5 --verify
done_well "posting in process context"
for priority in fifo fifo-low; do
	ctl run latency --priority $priority --completion poll,block -n 50 --warmup 5 --verify
	done_well "send, $priority"
	ctl run latency --priority $priority --verb write -n 50 --warmup 5 --verify
	done_well "write, $priority"
done
ctl run latency --peer-cpu 1
refused "another CPU" 2 'peer-cpu: .*accepted: 0$'

icbenchctl serve --bind 10.77.0.1 >"$tmp/serve" 2>&1 </dev/null &
server=$!
until_true 20 grep -q '^listening' "$tmp/serve"
ctl run latency 10.77.0.1 --completion poll,softirq,workqueue,block -n 50 --warmup 5 --verify
done_well "send to a peer on the same CPU, two threads"
ctl run latency 10.77.0.1 --verb write -n 50 --warmup 5 --verify
done_well "write to a peer on the same CPU, two threads"
kill -INT $server
wait $server
report $? "the server ends"
clean "nothing is left"

# stopped ARGUMENT...: runs without end, while others live, until Ctrl-C
stopped() {
	local busy from

	icbenchctl run latency -D 600 "$@" >"$tmp/out" 2>"$tmp/err" </dev/null &
	running=$!
	until_true 60 has_job measuring
	busy=$?
	from=$(now_ms)
	kill -INT $running
	wait $running
	rc=$?
	took=$(($(now_ms) - from))
	note "$*: stopped within $took ms"
	[ $busy -eq 0 ] && [ $took -lt 10000 ] && grep -q 'PARTIAL' "$tmp/out" && [ $rc -eq 1 ]
	report $? "Ctrl-C: $*"
}

for mode in poll softirq workqueue block; do
	stopped --completion $mode
done
stopped --verb write
stopped --context thread
for priority in fifo fifo-low; do
	stopped --priority $priority
	stopped --priority $priority --completion block
	stopped --priority $priority --verb write
done
clean "nothing is left"

# nobody answers: the wait for it ends, too
ctl run latency 10.77.0.99 --timeout 1s
refused "nobody is there" 1 '10\.77\.0\.99'
rmmod icbench && insmod "$ICBENCH_KO"
report $? "unload, load"
icbenchctl run latency -D 600 --priority fifo >/dev/null 2>&1 </dev/null &
until_true 60 has_job measuring
rmmod icbench
report $? "unload while a real-time run goes on"
wait
insmod "$ICBENCH_KO"
ctl run latency -n 50
done_well "a new run works"
clean "nothing is left"

done_testing
