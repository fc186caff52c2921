#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What disturbs a run is what its tail is put down to. One CPU whose clock counts
# instructions: nothing disturbs it but what does so here.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

# disturbed WHAT ARG...: have storm.py at work, in $storm
disturbed()
{
	python3 "${BASH_SOURCE[0]%/*}/storm.py" "$@" >"$tmp/storm" 2>&1 </dev/null &
	storm=$!
	until_true 30 grep -q ready "$tmp/storm"
	report $? "$1: a thread is at work"
}

undisturbed()
{
	kill $storm
	wait $storm 2>/dev/null
}

# show METRIC: what the tail of $tmp/json looks like
show()
{
	note "$(jq -r --arg m "$1" '.points[0].metrics[$m].tail | to_entries[] |
		"\(.key): \(.value | tojson)"' "$tmp/json" | sed '2,$s/^/# /')"
}

# A device whose work is a work queue's has the CPU in each sample: for longer in some of
# them, which is then what the tail comes from.
threads=0
! device_in_threads || threads=0.1
# Some lose their CPU for a moment alone; and PREEMPT_RT has threads, and interrupts that
# wake these, where other kernels have software interrupts.
short=0.001 own=0
! device_in_threads || short=0.005
! grep -q PREEMPT_RT /proc/version || own=0.005
# The timer that ends a thread's turn, which newer kernels set, would be a cause here.
features=/sys/kernel/debug/sched/features
! grep -qsw HRTICK $features || echo NO_HRTICK >$features

ctl run latency -n 8000 --json "$tmp/json"
done_well "alone"
show latency
# but for a kernel's thread that has its turn
json "... ticks alone, or the device's threads" ".points[0].metrics.latency.tail |
	.all.tick > 0 and .all.timer + .all.migration <= 2 and
	.all.ipi <= 2 + $own * .all.samples and
	.all.preemption <= 2 + ($threads + $own) * .all.samples and .all.unexplained >= 0.8 * .all.samples and
	if $threads > 0 then .[\"99\"].unexplained <= 0.25 * .[\"99\"].samples + 1 else
	.[\"99\"].tick >= 0.95 * .[\"99\"].samples - 1 end"

insmod "$ICBENCH_WITH/delay.ko" every=50 us=1 cpu=0
ctl run latency -n 3000 --json "$tmp/json"
rmmod delay
done_well "a storm of timer interrupts"
show latency
json "... is what has disturbed it" '.points[0].metrics.latency.tail |
	.all.samples - .all.unexplained | . > 300'
json "... in 95 % of what was disturbed" ".points[0].metrics.latency.tail.all |
	.timer >= 0.95 * (.samples - .unexplained) and
	.preemption <= (0.05 + $threads) * .samples"

# What is longer than usual has lost the CPU, and what has lost it is longer than usual.
# Where the device has no threads, nothing else goes on but an interrupt of the disk.
for what in hog fifo; do
	disturbed $what 0
	ctl run register -s 4K -n 8000 --json "$tmp/json"
	undisturbed
	done_well "$what: another thread on the CPU"
	show register
	long=$(jq '.points[0].metrics.register | (2.75 * .percentiles["50"]) as $usual |
		[.histogram[] | select(.[0] > $usual)[2]] | add // 0' "$tmp/json")
	note "long: $long"
	json "... disturbs samples" "$long >= 20"
	json "... and 95 % of these are put down to it" ".points[0].metrics.register.tail.all |
		.preemption >= 0.95 * $long - 1"
	json "... and no others" ".points[0].metrics.register.tail.all |
		.preemption <= 1.1 * $long + $short * .samples and ($threads > 0 or
		.preemption + .interrupt >= 0.95 * (.samples - .unexplained) - 2)"
done

# a thread that sleeps for its message is woken, and its CPU is another's
ctl run latency --completion block -n 4000 --json "$tmp/json"
done_well "block, alone"
show latency
json "... waits behind nobody, or the device's threads" ".points[0].metrics.latency.tail.all |
	.runqueue <= (0.001 + $own + 2 * $threads) * .samples"
disturbed fifo 0
ctl run latency --completion block -n 8000 --json "$tmp/json"
undisturbed
done_well "block, fifo: another thread on the CPU"
show latency
# it has the CPU for 5 ms, of which a way is half
note "$(jq -c '[.points[0].metrics.latency.histogram[] | select(.[0] > 1e6)]' "$tmp/json")"
json "... takes it away from samples" '[.points[0].metrics.latency.histogram[] |
	select(.[0] > 1e6)[2]] | add >= 10'
# Where it is a thread of the device that waits, it is the timer that has woken the other.
json "... and 95 % of these are put down to it" ".points[0].metrics.latency |
	([.histogram[] | select(.[0] > 1e6)[2]] | add) as \$long |
	.tail.all.runqueue >= (if $threads > 0 then 0.5 else 0.95 end) * \$long and
	.tail.all.timer >= 0.95 * \$long - 1 and .tail[\"99.9\"].unexplained == 0"

# a stream and an open loop have a tail, too
# long METRIC: how many samples are longer than usual by 30 us
long()
{
	jq --arg m "$1" '.points[0].metrics[$m] | .percentiles["50"] as $usual |
		[.histogram[] | select(.[0] > $usual + 30000)[2]] | add // 0' "$tmp/json"
}

# the interrupts are short, and keep no step with ticks: one that a tick falls into is
# taken for that
for what in "bandwidth interval -s 1K -n 20000 --window 10" \
	"load latency --rate 2000 --completion poll -n 3000"; do
	read -r recipe metric args <<<"$what"
	# shellcheck disable=SC2086
	ctl run "$recipe" $args --json "$tmp/json"
	done_well "$recipe, alone"
	show "$metric"
	alone=$(long "$metric")
	json "... no timer" ".points[0].metrics.$metric.tail.all | .timer <= 0.1 * .samples"
	json "... what goes on in most samples has disturbed none" \
		".points[0].metrics.$metric.tail.all | .preemption <= 0.5 * .samples"
	insmod "$ICBENCH_WITH/delay.ko" every=1930 us=60 cpu=0
	# shellcheck disable=SC2086
	ctl run "$recipe" $args --json "$tmp/json"
	rmmod delay
	done_well "$recipe, a storm of timer interrupts"
	show "$metric"
	more=$(($(long "$metric") - alone))
	note "long: $alone alone, $more more"
	# those that are long alone are not as many each time
	json "... is what has disturbed those that are long" ".points[0].metrics.$metric.tail.all.timer as \$timer |
		$more >= 10 and \$timer >= 0.95 * ($more - 2 * ($alone | sqrt))"
done
clean "nothing is left"

done_testing
