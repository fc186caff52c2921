#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# interrupt-floor beside cyclictest and, if the kernel has the tracer, rtla timerlat, on one CPU
# whose clock counts instructions.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

tracing=/sys/kernel/tracing

# floor NAME: set floor and hard to their medians, and least to the least floor, ns
floor() {
	ctl run interrupt-floor -n 1000 --priority fifo --cpu 0 --json "$tmp/json"
	done_well "$1"
	read -r least floor hard < <(jq -r '.points[0].metrics
		| "\(.floor.min) \(.floor.percentiles["50"]) \(.hrtimer_hard.percentiles["50"])"' "$tmp/json")
	note "$1: floor $floor, hrtimer_hard $hard, the least floor $least ns"
}

# within NAME PERCENT A B: B differs from A by at most so much, apart from the resolution of the
# clock
within() {
	awk -v part="$2" -v a="$3" -v b="$4" -v clock="$clock" 'BEGIN {
		exit !(a > 0 && b <= a * (1 + part / 100) + clock &&
		       b >= a * (1 - part / 100) - clock)
	}'
	report $? "$1: $4 is $3 within $2 % and the clock's $clock ns"
}

floor "alone"
clock=$(jq .environment.clock_read_ns "$tmp/json")
own=$floor
own_hard=$hard
own_least=$least

# cyclictest measures the floor plus the return to user space, with the clock that a program reads.
if command -v cyclictest >/dev/null; then
	cyclictest --nsecs --mlockall --quiet --priority=50 --affinity=0 --threads=1 \
		--interval=1000 --loops=2000 --histogram=100000 >"$tmp/cyclictest" 2>&1
	read -r its its_median < <(awk '/^[0-9]/ && $2 { at[++rows] = $1; count[rows] = $2; n += $2 }
		END { while (seen < n / 2) seen += count[++i]; print at[1] + 0, at[i] + 0 }' \
		"$tmp/cyclictest")
	note "cyclictest: least $its, median $its_median ns"
	[ "${its:-0}" -ge "$own_least" ]
	report $? "cyclictest takes longer"
	within "cyclictest" 20 "$own_least" "${its:-0}"
	insmod "$ICBENCH_WITH/return.ko" && way_out=$("${ICBENCH_VM_SHARE:-}/way_out")
	report $? "the way out of the kernel is measured"
	rmmod return
	note "the way out of the kernel: ${way_out:=0} ns"
	within "cyclictest, with the way out," 10 $((own + way_out)) "${its_median:-0}"
else
	skip "beside cyclictest" "there is no cyclictest"
fi

# While the tracer is on, its cost for each interrupt and switch is in both results. The record that
# it writes in between is in one result; its cost is taken from a record of another event.
if [ -d $tracing/events/osnoise ] && rtla timerlat hist --help 2>&1 | grep -q -- --nano; then
	echo 1 >$tracing/events/timer/hrtimer_expire_entry/enable
	floor "a record of each timer"
	record=$((hard - own_hard))
	note "a record takes $record ns"
	echo 0 >$tracing/events/timer/hrtimer_expire_entry/enable
	# newer versions of rtla would return to user space
	thread=()
	! rtla timerlat hist --help 2>&1 | grep -q -- --kernel-threads || thread=(--kernel-threads)
	timerlat=(timeout "$limit" rtla timerlat hist --cpus 0 --priority f:50 --nano "${thread[@]}")
	"${timerlat[@]}" --period 1000 --duration 4s --bucket-size 10 --entries 2000 --no-header \
		>"$tmp/rtla" 2>&1
	"${timerlat[@]}" --period 20000 --duration 100s >"$tmp/beside" 2>&1 &
	rtla=$!
	until_true 20 grep -q timerlat $tracing/instances/timerlat_hist/current_tracer
	floor "beside the tracer"
	kill -INT $rtla
	wait $rtla
	# median COLUMN: print the median of a column of the histogram
	median() {
		awk -v column="$1" '/^[0-9]/ { n += $column; at[++rows] = $1; count[rows] = $column }
			END { for (i = 1; i <= rows && seen < n / 2; i++) seen += count[i]; print at[i - 1] + 5 }' \
			"$tmp/rtla"
	}
	note "rtla timerlat: IRQ $(median 2), thread $(median 3) ns in the median"
	within "rtla's IRQ" 10 "$hard" "$(median 2)"
	within "rtla's thread, and its record" 10 $((floor + record)) "$(median 3)"
else
	skip "beside rtla timerlat" "the kernel has no such tracer, or no rtla is here that tells ns"
fi
clean "nothing is left"

done_testing
