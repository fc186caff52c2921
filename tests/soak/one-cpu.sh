#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Argument: seconds that each run is to last.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/../vm/guest/lib.sh"

seconds=$1
limit=$((seconds + 60))

# words OPTION: what it accepts, as a refusal has it
words() {
	icbenchctl run latency "$1" no-such-word 2>&1 | sed -n 's/.*accepted: //p' | tr -d ,
}

# a hung task is told of in less than a run's time
hung=/proc/sys/kernel/hung_task_timeout_secs
[ ! -e $hung ] || echo 30 >$hung

is "one CPU" "$(nproc)" 1

# soaked VERB MODE PRIORITY: fail if the verb has no such mode, or the mode no thread
soaked() {
	local name="$1, $2, $3"

	ctl run latency --verb "$1" --completion "$2" --priority "$3" -D "${seconds}s" \
		--warmup 5 --json "$tmp/json" "${patience[@]}"
	[ "$rc" -ne 2 ] || return
	done_well "$name: $seconds s"
	json "... to the end" 'select(.partial == false) | .points[0].metrics.latency.count'
	note "$name: $(<"$tmp/out")"
	runs=$((runs + 1))
	had[$3]+=" $2"
}

# With the first verb that has it: others differ in what they post, not in who waits.
declare -A had
runs=0
modes=$(words --completion)
verbs=$(words --verb)
for priority in $(words --priority); do
	had[$priority]=
	for mode in $modes; do
		for verb in $verbs; do
			! soaked "$verb" "$mode" "$priority" || break
		done
	done
done
is "every mode had its turn" "$(xargs <<<"${had[normal]}")" "$(xargs <<<"$modes")"
# those of callbacks have no thread to give a priority to
for mode in poll memory block adaptive timer; do
	ok "$mode had its turn at SCHED_FIFO" grep -qw "$mode" <<<"${had[fifo]}"
done
clean "nothing is left"
note "kernel $(uname -r): runs $runs, of $seconds s each, on one CPU"
is "reports seen" "$(reports | wc -l)" 0

done_testing
