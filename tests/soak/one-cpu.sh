#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Long runs in each completion mode, on one CPU. Arguments: duration of each run, seconds; a
# priority, to test only this one.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/../vm/guest/lib.sh"

seconds=$1
wanted=$2
limit=$((seconds + 60))
short=5

# words OPTION: print the accepted words, as in the refusal of another word
words() {
	icbenchctl run latency "$1" no-such-word 2>&1 | sed -n 's/.*accepted: //p' | tr -d ,
}

# report a hung task within the time of a run
hung=/proc/sys/kernel/hung_task_timeout_secs
[ ! -e $hung ] || echo 30 >$hung

is "one CPU" "$(nproc)" 1

# work: print what the threads of runs have done so far: the number of context switches, and CPU
# time in ticks
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

# watch MODE: test whether the threads of the beginning run are at work, within a second
watch() {
	local switches ticks more longer

	# raise the priority, because a work queue leaves other tasks little CPU time
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

# soaked VERB MODE PRIORITY SECONDS: run; fail if the verb lacks the mode, or the mode has no thread
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

# Use the first verb that has the mode: verbs differ in what they post, not in how they wait.
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
# callbacks have no thread with a priority; the modes that have one were found above
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
