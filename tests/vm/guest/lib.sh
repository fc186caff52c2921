# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Shared by the guest's side of the tests: calls of icbenchctl, and checks that nothing is left
# behind.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../../lib/tap.sh"

rc=0
took=0
# factor by which this kernel is slower than usual
slow=${ICBENCH_VM_SLOW:-1}
# time limit of a command, seconds
limit=300
# with icount the clock leaps while the host reads a file for an idle CPU
[ -z "${ICBENCH_VM_ICOUNT:-}" ] || limit=100000
# options for runs whose messages are slow on such a kernel
# shellcheck disable=SC2034 # used by the files that source this one
patience=()
# shellcheck disable=SC2034
[ "$slow" -eq 1 ] || patience=(--timeout $((10 * slow))s)

# ICBENCH_ONE_IN=N: of the combinations of parameters that a script tests, run about one in N
one_in=${ICBENCH_ONE_IN:-1}
case $one_in in
0* | *[!0-9]*)
	echo "Bail out! ICBENCH_ONE_IN is a number from 1 on, not '$one_in'"
	exit 2
	;;
esac

# sampled NUMBER...: whether to run a combination, with the NUMBER of the value of each parameter,
# from 0 on. N divides the sum of the numbers of those that run: a diagonal, in which each value
# occurs if another parameter has N values or more.
sampled() {
	local number sum=0

	for number; do
		sum=$((sum + number))
	done
	[ $((sum % one_in)) -eq 0 ]
}

# sample FIRST VALUE,...: print one in N of the values, from the value number FIRST on. The numbers
# from 0 on, one for each call, include each value.
sample() {
	local values number all chosen=

	IFS=, read -r -a values <<<"$2"
	all=${#values[@]}
	for number in "${!values[@]}"; do
		[ $(((number + all - $1 % all) % all % one_in)) -ne 0 ] ||
			chosen+=,${values[number]}
	done
	echo "${chosen#,}"
}

# either NUMBER VALUE...: print the values, or, with ICBENCH_ONE_IN, the value of this number: the
# numbers from 0 on include each value
either() {
	local number=$1

	shift
	[ "$one_in" -eq 1 ] || set -- "${@:number % $# + 1:1}"
	echo "$*"
}

# count_of VALUE,...: print the number of the values
count_of() {
	local values

	IFS=, read -r -a values <<<"$1"
	echo ${#values[@]}
}

# Under emulation a program takes a tenth of a second to start, and jq a third. gojq starts as fast
# as other programs. The functions below use bash alone where they can.
! command -v gojq >/dev/null || jq() { gojq "$@"; }

# report STATUS NAME: a test; if it failed, show the last output of icbenchctl
report() {
	if [ "$1" -eq 0 ]; then
		passed "$2"
	else
		ok "$2" last_words
	fi
}

last_words() {
	echo "status $rc after $took ms"
	tail -n 12 "$tmp/err" "$tmp/out"
	return 1
}

note() {
	printf '# %s\n' "$*"
}

# print the reports in the kernel's log so far that fail a machine
reports() {
	dmesg | awk -v reports="$top/tests/vm/lib/reports" -v known="$top/tests/vm/known-reports" \
		-v release="$(uname -r)" -f "$top/tests/vm/lib/scan.awk" | grep '^report'
}

now_ms() {
	local us=${EPOCHREALTIME/[.,]/}

	echo $((us / 1000))
}

# The watchdog of run(). It reads a process number and a time limit, and then a line when the
# process has ended; it ends a process that exceeds the limit.
mkfifo "$tmp/watchdog" || exit
watch() {
	local pid seconds

	while read -r pid seconds; do
		read -r -t "$seconds" _ && continue
		: >"$tmp/late"
		kill "$pid"
		read -r -t 5 _ || kill -KILL "$pid"
	done 2>/dev/null
}
watch <"$tmp/watchdog" >/dev/null &
exec 7>"$tmp/watchdog"

# run COMMAND...: set rc (124: it took too long) and took; the output is in $tmp/out and
# $tmp/err
run() {
	local from=${EPOCHREALTIME/[.,]/} pid

	"$@" >"$tmp/out" 2>"$tmp/err" </dev/null 7>&- &
	pid=$!
	echo "$pid $((limit * slow))" >&7
	wait "$pid"
	rc=$?
	echo over >&7
	took=$(((${EPOCHREALTIME/[.,]/} - from) / 1000))
	# a run of more than 10 s reports its progress
	[ "$took" -lt 9000 ] || sed -i '/^icbenchctl: progress: /d' "$tmp/err"
	if [ -e "$tmp/late" ]; then
		rm "$tmp/late"
		rc=124
	fi
}

ctl() {
	run icbenchctl "$@"
}

# given_ms: set given, the time that the host has given this machine, ms, and withheld, the time
# that it kept the machine's busiest thread from a CPU. The machine's clock runs meanwhile.
given_ms() {
	withheld=
	[ ! -e /run/icbench/withheld ] || withheld=$(</run/icbench/withheld)
	withheld=${withheld:-0}
	given=$((${EPOCHREALTIME/[.,]/} / 1000 - withheld))
}

# until_true SECONDS COMMAND...: wait for a condition. With icount the clock leaps past any limit
# while a program starts, so the number of attempts is limited instead.
until_true() {
	local end given withheld looks=$(($1 * 100 * slow))

	given_ms
	end=$((given + $1 * 1000 * slow))
	shift
	until "$@" >/dev/null 2>&1; do
		if [ -n "${ICBENCH_VM_ICOUNT:-}" ]; then
			[ $((looks--)) -gt 0 ] || return 1
		else
			given_ms
			[ "$given" -lt "$end" ] || return 1
		fi
		sleep 0.05
	done
}

# at_work N: whether at least N jobs of this host are warming up or measuring
at_work() {
	[ "$(icbenchctl jobs | grep -c 'measuring\|warmup')" -ge "$1" ]
}

# ended_by SIGNAL PID: send a signal to a child and wait for it; sets rc and took, ms. True if
# it ended within a second. The job's two sides, icbenchctl and their CPUs may wait for the
# host one after the other: 4 times what the host withheld is added.
ended_by() {
	local before from given withheld

	given_ms
	before=$withheld
	from=$(now_ms)
	kill "-$1" "$2"
	wait "$2"
	rc=$?
	took=$(($(now_ms) - from))
	given_ms
	[ "$took" -lt $((1000 * slow + 4 * (withheld - before))) ]
}

# interrupted NAME COMMAND...: Ctrl-C while it measures, or while $jobs jobs do; it ends
# within a second
interrupted() {
	local name=$1

	shift
	"$@" >"$tmp/out" 2>"$tmp/err" </dev/null &
	until_true 10 at_work "${jobs:-1}"
	ended_by INT $! && [ "$rc" -eq 1 ]
	report $? "$name"
}

# done_well NAME: status 0 and nothing on standard error
done_well() {
	[ "$rc" -eq 0 ] && [ ! -s "$tmp/err" ]
	report $? "$1"
}

# refused NAME STATUS PATTERN: one clear line on standard error, no result
refused() {
	local line

	mapfile -t line <"$tmp/err"
	[ "$rc" -eq "$2" ] && [ ! -s "$tmp/out" ] && [ ${#line[@]} -eq 1 ] &&
		[[ ${line[0]} == "icbenchctl: "* ]] && [[ ${line[0]} =~ $3 ]]
	report $? "$1"
}

# diagnosed TOPIC PATTERN: succeeds if icbenchctl doctor has printed a finding, which may be wrapped
diagnosed() {
	sed -e ':again' -e 'N;s/\n   */ /;tagain' -e 'P;D' "$tmp/out" | grep -qE "^ $1 *: $2"
}

# cut_short NAME PATTERN: a run that ended early, with status 1, and its result is printed
cut_short() {
	[ "$rc" -eq 1 ] && grep -q 'PARTIAL' "$tmp/out" && grep -qE -- "$2" "$tmp/err"
	report $? "$1"
}

# json [NAME FILTER]...: tests of $tmp/json with one start of jq. ICBENCH_QUICK skips them: the output
# is the same on any kernel, and on some kernels a program takes longer to start than a run.
json() {
	local filters='' names=() name verdict

	while [ $# -gt 0 ]; do
		names+=("$1")
		filters+=${filters:+,}"(try ([$2] | last) catch \"error: \\(.)\")"
		shift 2
	done
	if [ -n "${ICBENCH_QUICK-}" ]; then
		for name in "${names[@]}"; do
			skip "$name" "ICBENCH_QUICK"
		done
		return
	fi
	case $filters in
	# gojq sorts the keys of an object
	*keys_unsorted*)	command jq -c "$filters" "$tmp/json" ;;
	*)	jq -c "$filters" "$tmp/json" ;;
	esac >"$tmp/verdicts" 2>"$tmp/err"
	exec 8<"$tmp/verdicts"
	for name in "${names[@]}"; do
		read -r verdict <&8
		echo "$verdict" >"$tmp/out"
		[[ ! $verdict =~ ^($|null$|false$|\"error:) ]]
		report $? "$name"
	done
	exec 8<&-
}

# for each point of the last run and each of its workers, bandwidth x time equals bytes, to the last
# printed digit; the bandwidth of both directions is their sum
# shellcheck disable=SC2016 # a filter of jq
reconciled='def rate(bytes; time): if bytes then bytes.value * 1e9 / time.value else 0 end;
	[.points[] | if .workers then .workers[] else . end | .metrics
	| select(.bandwidth)] | length > 0 and all(
	(.bandwidth.value - rate(.bytes; .elapsed) - rate(.peer_bytes; .peer_elapsed)
		| . > -0.0021 and . < 0.0001)
	and .bytes.unit == "B" and .elapsed.unit == "ns" and .elapsed.value > 0)'

# reconciles NAME: test this
reconciles() {
	json "$1: bandwidth x time = bytes" "$reconciled"
}

# settled NAME FIGURE APART WORD...: three runs of a benchmark, before any other run of this boot, have
# one FIGURE, which jq takes from the result. At most the fraction APART is between the least and the
# greatest. For a clock that counts instructions.
settled() {
	local name=$1 figure=$2 apart=$3 values=()

	shift 3
	for _ in 1 2 3; do
		ctl run "$@" --json "$tmp/json"
		done_well "$name"
		values+=("$(jq "$figure" "$tmp/json")")
	done
	note "$name: ${values[*]}, from the first run of this boot on"
	jq -n "[\$ARGS.positional[] | tonumber] | max - min <= $apart * min" \
		--args "${values[@]}" >"$tmp/out" 2>"$tmp/err"
	ok "$name: the first run of a boot takes no longer than the next ones" grep -qx true "$tmp/out"
}

# without the index of the device, which changes when the device is made again
resources() {
	rdma resource show 2>&1 | sed 's/^[0-9]*: //'
}

resources_at_first=$(resources)

no_jobs() {
	local list

	list=$(icbenchctl jobs --json) && [ "${list//[[:space:]]/}" = '[]' ]
}

has_job() {
	icbenchctl jobs --json | jq -e ".[] | select(.state == \"$1\")"
}

is_clean() {
	[ "$(resources)" = "$resources_at_first" ] && no_jobs &&
		! grep -qs '^icbench/' /proc/[0-9]*/comm
}

what_is_left() {
	resources
	rdma resource show qp
	icbenchctl jobs
	grep -s '^icbench/' /proc/[0-9]*/comm
	return 1
}

# clean NAME: no job, no thread, no QP, CQ, PD, MR or CM identifier is left
clean() {
	if until_true 10 is_clean; then
		ok "$1" true
	else
		ok "$1" what_is_left
	fi
}

device=${ICBENCH_DEVICE:-rxe0}
# siw may lose the reason of a refusal
# shellcheck disable=SC2034
case $device in
siw*)	or_unheard='|icbenchctl serve prints the reason' ;;
*)	or_unheard= ;;
esac

# an iWARP device has no GID for an address
device_ready() {
	icbenchctl devices | grep -E '10\.77\.0\.|^siw0.*active'
}

# whether the device works in a work queue (soft-RoCE since Linux 6.12)
device_in_threads() {
	grep -q ' rxe_alloc_wq\b' /proc/kallsyms
}

# verbs_of RECIPE: print the device's verbs that the recipe's loop accepts, one in each line
verbs_of() {
	local verb accepted=

	# a loop accepts the verbs that have calls, or those that have none; a refusal names them
	for verb in register send; do
		[ -n "$accepted" ] || accepted=$(icbenchctl run "$1" --verb "$verb" -n 1 -s 8 --warmup 0 \
			2>&1 >/dev/null | sed -n 's/^icbenchctl: verb: .*; accepted: //p')
	done
	for verb in $(icbenchctl devices --json | jq -r '.[0].verbs[]'); do
		[[ ", $accepted," != *", $verb,"* ]] || echo "$verb"
	done
}

# unplug, plug: remove the device and make it again
unplug() {
	rdma link delete "$device"
}

plug() {
	rdma link add "$device" type "${device%0}" netdev icb0 && until_true 20 device_ready
}

# CPU time that the scheduler reserves on CPU 0 for other tasks while a real-time thread runs: 5 %
# of each second, or, since Linux 6.12, as much as the fair server has.
rt_runtime=/proc/sys/kernel/sched_rt_runtime_us
fair_runtime=/sys/kernel/debug/sched/fair_server/cpu0/runtime
read -r rt_was <"$rt_runtime"
fair_was=
[ ! -e "$fair_runtime" ] || read -r fair_was <"$fair_runtime"

# back nothing|again: reserve nothing, or as much as before. In another order Linux 6.12 refuses the
# second write (EBUSY).
back() {
	case $1 in
	nothing)
		echo -1 >"$rt_runtime" && { [ -z "$fair_was" ] || echo 0 >"$fair_runtime"; }
		;;
	again)
		{ [ -z "$fair_was" ] || echo "$fair_was" >"$fair_runtime"; } &&
			echo "$rt_was" >"$rt_runtime"
		;;
	esac
}
