#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Arguments: seconds that each run is to last; a priority, if not all of them are meant.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/../vm/guest/lib.sh"

seconds=$1
wanted=$2
limit=$((seconds + 60))
short=5

# words OPTION: what it accepts, as a refusal has it
words() {
	icbenchctl run latency "$1" no-such-word 2>&1 | sed -n 's/.*accepted: //p' | tr -d ,
}

# a hung task is told of in less than a run's time
hung=/proc/sys/kernel/hung_task_timeout_secs
[ ! -e $hung ] || echo 30 >$hung

is "one CPU" "$(nproc)" 1

# work: what the threads of runs have done so far: how often they went on, and how long
# they ran, in ticks
work() {
	local dir name files=(/dev/null)

	for dir in /proc/[0-9]*; do
		read -r name 2>/dev/null <"$dir/comm" || continue
		[[ $name != icbench/[0-9]* ]] || files+=("$dir/status" "$dir/stat")
	done
	cat "${files[@]}" 2>/dev/null | awk '
		/ctxt_switches:/ { switches += $2 }
		/^[0-9]+ \(/ { ticks += $14 + $15 }
		END { print switches + 0, ticks + 0 }'
}

# watch MODE: whether its threads are at work, in a second of the run that begins
watch() {
	local switches ticks more longer

	# a work queue leaves others little of the CPU
	renice -n -20 $BASHPID >/dev/null
	until_true 60 at_work 1 || return
	read -r switches ticks < <(work)
	sleep 1
	read -r more longer < <(work)
	more=$((more - switches)) longer=$((longer - ticks))
	note "$1: the threads went on $more times, for $longer ticks"
	echo "$1" >>"$tmp/watched"
	[ $more -lt 100 ] && [ $longer -lt 3 ] || echo "$1" >>"$tmp/threaded"
}

# soaked VERB MODE PRIORITY SECONDS: fail if the verb has no such mode, or the mode no thread
soaked() {
	local name="$1, $2, $3" seconds=$4 watcher=

	if [ "$3" = normal ]; then
		watch "$2" &
		watcher=$!
	fi
	ctl run latency --verb "$1" --completion "$2" --priority "$3" -D "${seconds}s" \
		--warmup 5 --json "$tmp/json" "${patience[@]}"
	[ "$rc" -ne 2 ] || [ -z "$watcher" ] || kill "$watcher"
	[ -z "$watcher" ] || wait "$watcher"
	[ "$rc" -ne 2 ] || return
	done_well "$name: $seconds s"
	json "... to the end" 'select(.partial == false) | .points[0].metrics.latency.count'
	note "$name: $(<"$tmp/out")"
	[ "$rc" -ne 0 ] || runs=$((runs + 1)) total=$((total + seconds))
	had[$3]+=" $2"
}

# With the first verb that has it: others differ in what they post, not in who waits.
declare -A had
runs=0
total=0
modes=$(words --completion)
verbs=$(words --verb)
priorities=$(words --priority)
if [ -n "$wanted" ]; then
	ok "$wanted is a priority" grep -qw -- "$wanted" <<<"$priorities"
	[ "$wanted" = normal ] && priorities=normal || priorities="normal $wanted"
fi
: >"$tmp/watched"
: >"$tmp/threaded"
for priority in $priorities; do
	had[$priority]=
	length=$seconds
	[ "$priority" != normal ] || [ "${wanted:-normal}" = normal ] || length=$short
	for mode in $modes; do
		for verb in $verbs; do
			! soaked "$verb" "$mode" "$priority" "$length" || break
		done
	done
done
is "every mode had its turn" "$(xargs <<<"${had[normal]}")" "$(xargs <<<"$modes")"
is "the threads of each were looked at" "$(xargs <"$tmp/watched")" "$(xargs <<<"$modes")"
# callbacks have no thread to give a priority to: who has one is seen above
ok "some have threads" test -s "$tmp/threaded"
for priority in $priorities; do
	while read -r mode; do
		ok "$mode, whose threads are at work, had its turn at $priority" \
			grep -qw "$mode" <<<"${had[$priority]}"
	done <"$tmp/threaded"
done
clean "nothing is left"
note "soak: kernel $(uname -r): $runs runs, $total seconds on one CPU"
is "reports seen" "$(reports | wc -l)" 0

done_testing
