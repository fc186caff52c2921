#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The tail of a run is attributed to its actual disturbance. The machine has one CPU whose clock
# counts instructions, so only this test disturbs the run.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

# disturbed WHAT ARG...: start storm.py as $storm
disturbed()
{
	# the output of an earlier thread would be taken for this one's
	rm -f "$tmp/storm"
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

# show METRIC: print the tail of $tmp/json
show()
{
	note "$(jq -r --arg m "$1" '.points[0].metrics[$m].tail | to_entries[] |
		"\(.key): \(.value | tojson)"' "$tmp/json" | sed '2,$s/^/# /')"
}

# A device that works in a work queue uses the CPU in each sample. In some samples it takes longer,
# which then causes the tail.
threads=0
! device_in_threads || threads=0.1
# Some devices lose their CPU only for a moment. PREEMPT_RT uses threads, and interrupts that wake
# them, in place of software interrupts.
short=0.001 own=0
! device_in_threads || short=0.005
! grep -q PREEMPT_RT /proc/version || own=0.005
# newer kernels set a timer that ends a thread's time slice; here it would be a cause
features=/sys/kernel/debug/sched/features
! grep -qsw HRTICK $features || echo NO_HRTICK >$features

ctl run latency -n 8000 --json "$tmp/json"
done_well "alone"
show latency
# exceptions: a kernel thread that gets its turn, and the send completions of both sides, which the
# device makes during a sample
completed=$((2 * (8000 / $(jq '.points[0].parameters["signal-every"]' "$tmp/json") + 1)))
json "... ticks alone, or the device's threads" ".points[0].metrics.latency.tail |
	.all.tick > 0 and .all.timer + .all.migration <= 2 and
	.all.ipi <= 2 + $own * .all.samples and
	.all.preemption <= 2 + ($threads + $own) * .all.samples and .all.unexplained >= 0.8 * .all.samples and
	if $threads > 0 then .[\"99\"].unexplained <= 0.25 * .[\"99\"].samples + 1 else
	.[\"99\"].tick >= 0.95 * (.[\"99\"].samples - $completed) - 1 end"

json "... what length alone explains is beside them, and is little" '.points[0].metrics.latency.tail |
	(.all | has("present") or has("by_length") | not) and
	.["99"].present.tick >= .["99"].tick and .["99"].by_length.tick <= 0.2 * .["99"].samples and
	(.["99"].by_length | has("runqueue") or has("preemption") | not)' \
	"... and both sides have one CPU" '.points[0].metrics.latency.tail.all | has("peer") | not'

if [ "$(uname -m)" = x86_64 ]; then
	insmod "$ICBENCH_WITH/delay.ko" every=500 us=1 cpu=0 nmi=1
	ctl run latency -n 3000 --json "$tmp/json"
	rmmod delay
	done_well "a storm of non-maskable interrupts"
	show latency
	json "... is counted" '.points[0].metrics.latency.tail.all | .nmi > 30 and .nmi >= 0.95 * .timer - 2'
fi

insmod "$ICBENCH_WITH/delay.ko" every=50 us=1 cpu=0
ctl run latency -n 3000 --json "$tmp/json"
rmmod delay
done_well "a storm of timer interrupts"
show latency
json "... is what has disturbed it" '.points[0].metrics.latency.tail |
	.all.samples - .all.unexplained | . > 300' \
	"... in 95 % of what was disturbed" ".points[0].metrics.latency.tail.all |
	.timer >= 0.95 * (.samples - .unexplained) and
	.preemption <= (0.05 + $threads) * .samples"

# The samples that are longer than usual are those that lost the CPU. If the device has no threads,
# the only other activity is an interrupt of the disk, and ticks: more of them on a slow host.
for what in hog fifo; do
	disturbed $what 0
	ctl run register -s 4K -n 8000 --json "$tmp/json"
	undisturbed
	done_well "$what: another thread on the CPU"
	show register
	long=$(jq '.points[0].metrics.register | (2.75 * .percentiles["50"]) as $usual |
		[.histogram[] | select(.[0] > $usual)[2]] | add // 0' "$tmp/json")
	note "long: $long"
	json "... disturbs samples" "$long >= 20" \
		"... and 95 % of these are put down to it" ".points[0].metrics.register.tail.all |
		.preemption >= 0.95 * $long - 1" \
		"... and no others" ".points[0].metrics.register.tail.all |
		.preemption <= 1.1 * $long + $short * .samples and ($threads > 0 or
		.preemption + .interrupt >= 0.95 * (.samples - .unexplained - .tick) - 2)"
done

# a thread that sleeps for its message is woken while another thread has its CPU
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
# the other thread has the CPU for 5 ms; the one-way latency is half of the delay
note "$(jq -c '[.points[0].metrics.latency.histogram[] | select(.[0] > 1e6)]' "$tmp/json")"
json "... takes it away from samples" '[.points[0].metrics.latency.histogram[] |
	select(.[0] > 1e6)[2]] | add >= 10'
# If the waiting thread is the device's, the cause is the timer that woke the other thread.
json "... and 95 % of these are put down to it" ".points[0].metrics.latency |
	([.histogram[] | select(.[0] > 1e6)[2]] | add) as \$long |
	.tail.all.runqueue >= (if $threads > 0 then 0.5 else 0.95 end) * \$long and
	.tail.all.timer >= 0.95 * \$long - 1 and .tail[\"99.9\"].unexplained == 0"

# a stream and an open loop have a tail, too
# long METRIC: print how many samples are longer than the median by 30 us
long()
{
	jq --arg m "$1" '.points[0].metrics[$m] | .percentiles["50"] as $usual |
		[.histogram[] | select(.[0] > $usual + 30000)[2]] | add // 0' "$tmp/json"
}

# The interrupts are short and not in step with the ticks. A sample with an interrupt and a tick is
# attributed to the tick.
for what in "bandwidth interval -s 1K -n 20000 --window 10" \
	"load latency --rate 2000 --completion poll -n $((one_in == 1 ? 3000 : 1000))"; do
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
	# the number of long samples of an undisturbed run varies
	json "... is what has disturbed those that are long" ".points[0].metrics.$metric.tail.all.timer as \$timer |
		$more >= 10 and \$timer >= 0.95 * ($more - 2 * ($alone | sqrt))"
done

# The trace of a run that ends at a sample above the threshold; it contains only this run.
tracing=/sys/kernel/tracing
trace=$tmp/trace.txt

# events: print the events of a trace, without the comment above them
events()
{
	grep -v '^#' "$trace"
}

# before NAME REGEX: test that something was traced shortly before the end of the trace
before()
{
	events | tail -n 40 | grep -qE "$2"
	report $? "$1"
}

left_alone()
{
	[ -z "$(ls "$tracing/instances")" ] && [ "$(cat "$tracing/tracing_on")" = 1 ] &&
		[ "$(cat "$tracing/events/enable")" = 0 ]
}

beyond=': icb_beyond: id=[0-9]+ owner=[0-9]+ sample=[0-9]+ ns=[0-9]+ ago=[0-9]+$'

# The event of the sample is the last one on its CPU. On other CPUs only events that were in
# progress follow.
last_of_its_cpu()
{
	awk -v beyond="$beyond" '
		match($0, /\[[0-9]+\]/) { cpu = substr($0, RSTART, RLENGTH) }
		$0 ~ beyond { its = cpu; after = 0; next }
		its { after++; wrong = wrong || cpu == its }
		END { exit !its || wrong || after > 4 }'
}

# its_trace NAME: test a run that was ended by the threshold and left its trace
its_trace()
{
	cut_short "$1" 'stopped, sample [0-9]+ took [0-9]+ ns'
	json "... the result names the trace" ".trace == \"$trace\""
	[ "$(stat -c %a:%F "$trace")" = "600:regular file" ] && head -n 1 "$trace" | grep -q '^# icbench trace: icbenchctl run '
	report $? "... which is a file for its owner"
	events | last_of_its_cpu
	report $? "... whose last event is the sample's, but for what another CPU was writing just then"
	sample=$(jq -r '.reason | capture("sample (?<n>[0-9]+) took").n' "$tmp/json")
	[ "$(events | grep -cE "$beyond")" = 1 ] && events | grep -q "icb_beyond: .* sample=$sample "
	report $? "... and the only one of its kind"
	ok "... and the kernel's tracing is as it was" left_alone
}

if [ ! -d "$tracing/events/icbench" ]; then
	skip "a trace of the sample" "this kernel has no events"
else
	insmod "$ICBENCH_WITH/delay.ko" every=5000 us=400 cpu=0
	ctl run latency -n 100000 --threshold 150us --trace "$trace" --json "$tmp/json"
	its_trace "threshold, a storm of timer interrupts"
	before "... before it, who is to blame" 'hrtimer_expire_entry: .*function=expired \[delay\]'
	before "... and interrupts" ': (softirq|irq_handler|local_timer|timer|workqueue)_[a-z]+: |: hrtimer_'
	ctl run latency --completion block --stages -s 1..64 -n 1000 --threshold 150us --trace "$trace" --json "$tmp/json"
	its_trace "threshold, of a sweep, with stages"
	before "... before it, its stages" "icb_stages: id=[0-9]+ sample=$sample deliver=-1 handler=[0-9]+ wake=[0-9]+ reap=[0-9]+ whole=[0-9]+\$"
	before "... and the thread that was woken" ': sched_switch: .*next_comm=icbench/'
	before "... and who has woken it" ': sched_waking: comm=icbench/'
	# the commands of the page by which a trace is made by hand
	sed -n '/^By hand, on one CPU/,/^    tail trace/ s/^    //p' \
		"${BASH_SOURCE[0]%/*}/../../../Documentation/concepts/threshold.rst" |
		sed 's/--cpu 2/--cpu 0/; s/^echo 4 /echo 1 /' >"$tmp/by-hand"
	bash "$tmp/by-hand" >"$tmp/out" 2>"$tmp/err"
	[ "$(grep -cE "$beyond" "$tmp/out")" = 1 ] && tail -n 1 "$tmp/out" | grep -qE "$beyond"
	report $? "threshold, traced by the commands of threshold.rst"
	rmdir "$tracing/instances/mine"
	ok "... and the kernel's tracing is as it was" left_alone
	rmmod delay
	rm -f "$trace"

	# a threshold above all samples
	ctl run latency -n 500 --threshold 1s --trace "$trace" --json "$tmp/json"
	done_well "threshold, nothing beyond it"
	grep -q '^ Trace          : none, no sample was above the threshold$' "$tmp/out" && [ ! -e "$trace" ]
	report $? "... there is no trace, and that is said"
	json "... in JSON, too" 'has("trace") | not'
	ok "... the kernel's tracing is as it was" left_alone

	icbenchctl run latency -D 3600s --threshold 1s --trace "$trace" >"$tmp/out" 2>"$tmp/err" </dev/null &
	until_true 10 at_work 1
	kill -INT $!
	wait $!
	rc=$?
	[ "$rc" -eq 1 ] && grep -q 'stopped by Ctrl-C' "$tmp/err"
	report $? "threshold, Ctrl-C"
	ok "... the kernel's tracing is as it was" left_alone
	ok "... there is no trace" [ ! -e "$trace" ]
	unplug
	ctl run latency -n 500 --threshold 1s --trace "$trace"
	report $((rc != 3)) "threshold, no device"
	ok "... the kernel's tracing is as it was" left_alone
	plug

	# two runs at a time, one of which was killed
	icbenchctl run latency -D 600 --threshold 10s --trace "$tmp/other" >"$tmp/long" 2>&1 </dev/null &
	other=$!
	until_true 20 has_job measuring
	ctl run latency -n 500 --threshold 1us --trace "$trace" --json "$tmp/json"
	[ "$(ls "$tracing/instances")" = "icbench-$other" ] &&
		[ "$(cat "$tracing/instances/icbench-$other/tracing_on")" = 1 ]
	report $? "threshold, while another run is traced: that one's goes on"
	kill -9 $other
	wait $other
	until_true 20 no_jobs
	ctl run latency -n 500 --threshold 1us --trace "$trace" --json "$tmp/json"
	its_trace "threshold, after another run was killed"

	# a file that is not a trace of icbench's is kept, and so is the target of a link
	echo precious >"$tmp/precious"
	ln -s precious "$tmp/link"
	for name in precious link; do
		ctl run latency -n 500 --threshold 1us --trace "$tmp/$name"
		refused "threshold, $name is there" 2 "trace: .*$name exists, and is not a trace of this user; accepted: "
	done
	[ "$(cat "$tmp/precious")" = precious ] && [ -L "$tmp/link" ]
	report $? "... and stays"

	# tracefs is mounted only for the run if it was not mounted
	umount "$tracing"
	ctl run latency -n 500 --threshold 1us --trace "$trace" --json "$tmp/json"
	! mountpoint -q "$tracing"
	report $? "threshold, tracefs was not mounted: nor is it now"
	mount -t tracefs tracefs "$tracing"
	its_trace "... and there is a trace all the same"
	umount "$tracing"
	mkdir -p "$tmp/none/instances"
	mount --bind "$tmp/none" "$tracing"
	ctl run latency -n 500 --threshold 1us --trace "$trace"
	refused "threshold, a kernel that does not trace" 3 'trace: cannot set .*: No such file or directory$'
	cd "$tmp" || exit
	ctl run latency -n 500 --threshold 1us
	cut_short "... where nobody asks for a trace" 'trace: cannot set .*; the run is not traced$'
	ok "... there is none" [ -z "$(find "$tmp" -name 'icbench*')" ]
	umount "$tracing"
	mount -t tracefs tracefs "$tracing"
fi
clean "nothing is left"

done_testing
