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

# soaked VERB MODE PRIORITY
soaked() {
	local name="$1, $2, $3"

	ctl run latency --verb "$1" --completion "$2" --priority "$3" -D "${seconds}s" \
		--warmup 5 --json "$tmp/json" "${patience[@]}"
	# a verb that has no such mode, a mode that has no thread
	[ "$rc" -ne 2 ] || return 0
	done_well "$name: $seconds s"
	json "... to the end" 'select(.partial == false) | .points[0].metrics.latency.count'
	note "$name: $(<"$tmp/out")"
	runs=$((runs + 1))
	had[$2]=1
}

declare -A modes had
for mode in $(words --completion); do
	modes[$mode]=1
done
runs=0
for verb in $(words --verb); do
	for mode in "${!modes[@]}"; do
		for priority in $(words --priority); do
			soaked "$verb" "$mode" "$priority"
		done
	done
done
note "runs of $seconds s on one CPU: $runs"
is "every mode had its turn" "${!had[*]}" "${!modes[*]}"
clean "nothing is left"

done_testing
