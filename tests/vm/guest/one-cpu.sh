#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A machine with one CPU: a run in each mode makes progress, can be stopped, and leaves CPU time to
# other tasks.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

# has_thread: whether a run has a thread; uses the shell alone, which gets little CPU time here
has_thread() {
	local file name

	for file in /proc/[0-9]*/comm; do
		read -r name <"$file" && [[ $name == icbench/* ]] && return
	done 2>/dev/null
	return 1
}

is "one CPU" "$(nproc)" 1

sizes=1,64,1025,64K
count=4
[ "$one_in" -eq 1 ] || sizes=1,64K count=2
ctl run latency --completion poll,softirq,workqueue,block -s "0${sizes#1}" -n 50 \
	--warmup 5 --verify --json "$tmp/json"
done_well "send"
json "... each of them" "[.points[].metrics.latency.count == 50] | all and length == $((4 * count))"
ctl run latency --verb write -s $sizes -n 50 --warmup 5 --verify --json "$tmp/json"
done_well "write"
json "... each of them" "[.points[].metrics.latency.count == 50] | all and length == $count"
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

# stopped ARGUMENT...: an endless run until Ctrl-C. The test does nothing else meanwhile: real-time
# threads leave 5 % of the CPU to others, and the kernel's work queue for completions, whose nice
# value is -20, leaves 1 %. With --foreground, as otherwise timeout sends the signal twice, and the
# second one abandons the run.
stopped() {
	run timeout --foreground --preserve-status --signal=INT --kill-after=60 6 \
		icbenchctl run latency -D 600 --warmup 5 "$@"
	note "$*: stopped within $((took - 6000)) ms"
	[ $took -lt 30000 ]
	report $? "Ctrl-C: $*: in time"
	cut_short "Ctrl-C: $*" 'stopped by Ctrl-C'
}

if [ "$one_in" -eq 1 ]; then
	for mode in poll softirq workqueue block; do
		stopped --completion $mode
	done
	stopped --verb write
	stopped --context thread
	stopped --priority fifo
	stopped --priority fifo --completion block
	stopped --priority fifo --verb write
	stopped --priority fifo-low
else
	stopped --completion softirq
	stopped --completion workqueue
	stopped --context thread --completion block
	stopped --priority fifo --verb write
	stopped --priority fifo-low --completion poll
fi
clean "nothing is left"

# share SECONDS: print the share of the CPU that a busy loop of this shell gets, in 1/1000
share() {
	local until=$(($(date +%s) + $1)) TIMEFORMAT='%3U %3S %3R'

	{ time while [ "$EPOCHSECONDS" -lt $until ]; do :; done; } 2>&1 |
		awk '{ printf "%d\n", 1000 * ($1 + $2) / $3 }'
}

# is_real_time FILE...: whether one of these files shows a run's thread with SCHED_FIFO; set thread
# to its name. Reading all files takes this shell seconds with its little CPU time.
is_real_time() {
	local stat

	for thread; do
		read -ra stat <"$thread" && [[ ${stat[1]} == "(icbench/"* ]] &&
			[ "${stat[40]}" -eq 1 ] && return
	done 2>/dev/null
	return 1
}

has_real_time() {
	is_real_time /proc/[0-9]*/stat
}

# A real-time thread leaves 1 ms of 20 to others, including the device's threads, if the scheduler
# reserves nothing. The total also depends on the device and on the host, so the stream has a small
# window; calibrate does not use the device, and never waits. A run that leaves nothing would end
# before it can be examined, and is not a real-time run by then.
each=("latency --verb send" "latency --verb write" "bandwidth -s 1K --window 4" "register -s 4K" calibrate)
# the streams poll for completions as the ping-pong of send does
[ "$one_in" -eq 1 ] || each=("${each[@]:1}")
for what in "${each[@]}"; do
	# shellcheck disable=SC2086 # words
	icbenchctl run $what -D $((60 * slow)) --priority fifo >/dev/null 2>"$tmp/err" </dev/null &
	until_true 60 has_real_time
	report $? "$what at SCHED_FIFO: it is"
	back nothing
	report $? "... and the scheduler keeps back nothing for others"
	got=$(share $((one_in == 1 ? 5 : 3)))
	is_real_time "$thread" || got=0
	back again
	report $? "... and then does so again"
	kill -INT $! 2>/dev/null
	wait $!
	note "$what at SCHED_FIFO: others get $got/1000 of the CPU: $(tail -n 1 "$tmp/err")"
	[ "$got" -ge 10 ]
	report $? "$what at SCHED_FIFO: others get on"
done

# a peer that does not answer: this wait ends, too
ctl run latency 10.77.0.99 --timeout 1s
refused "nobody is there" 1 '10\.77\.0\.99'
rmmod icbench && insmod "$ICBENCH_KO"
report $? "unload, load"
icbenchctl run latency -D 600 --priority fifo >/dev/null 2>&1 </dev/null &
running=$!
until_true 60 has_thread
rmmod icbench
report $? "unload while a real-time run goes on"
wait $running
insmod "$ICBENCH_KO"
ctl run latency -n 50
done_well "a new run works"
clean "nothing is left"

done_testing
