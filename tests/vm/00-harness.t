#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests of the harness, on which the tests that run in it rely. Skipped if the harness has not
# changed since this test last passed; the file harness-proved holds its checksum.
#
#   ICBENCH_HARNESS   always: run the test anyway; record: also write the checksum if it passes

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

sum=$(cd "$top/tests" && sha256sum vm/run vm/pair vm/init vm/00-harness.t vm/lib/* vm/known-reports \
	vm/known/* lib/tap.sh |
	sha256sum)
sum=${sum%% *}
if [ -z "${ICBENCH_HARNESS-}" ] && [ "$sum" = "$(cat "$top/tests/vm/harness-proved")" ]; then
	echo "1..0 # SKIP tests/vm/run and what it sources are as when they were last proved" \
		"(ICBENCH_HARNESS=always)"
	exit
fi

unset "${!ICBENCH_VM_@}"
run=$top/tests/vm/run
pair=$top/tests/vm/pair
lib=$top/tests/vm/lib

# called RUN-ARGUMENT...: sets status, and the files out and err
called() {
	"$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
}

not() {
	! "$@"
}

said() {
	tr '\n' ' ' <"$tmp/err"
}

#
# Bad usage: one line and status 2
#

refused() {
	called "$@"
	same "$status" 2 && same "$(wc -l <"$tmp/err")" 1 && same "$(<"$tmp/out")" ""
}

ok "refused: no command" refused "$run"
ok "refused: an empty command" refused "$run" --
ok "refused: a command without --" refused "$run" true
ok "refused: an unknown option" refused "$run" --no-such -- true
ok "refused: an option without its value" refused "$run" --cpus
ok "refused: --cpus 0" refused "$run" --cpus 0 -- true
ok "refused: --memory lots" refused "$run" --memory lots -- true
ok "refused: --timeout 0" refused "$run" --timeout 0 -- true
ok "refused: --icount with two CPUs" refused "$run" --icount --cpus 2 -- true
ok "refused: a kernel that is not there" refused "$run" --kernel 0.0.1 -- true
ok "refused: a root that is not there" refused "$run" --root "$tmp/none" -- true
ok "refused: --kernel with --kdir" refused "$run" --kernel 6.1 --kdir / -- true
ok "refused: a plugin that is not there" refused "$run" --plugin "$tmp/none,out=file" -- true
ok "refused: a plugin for two machines" refused "$pair" --plugin "$run" -- true -- true
ok "refused: a plugin without TCG" refused env ICBENCH_ACCEL=kvm "$run" --plugin "$run" -- true
ok "refused: a work directory of somebody's" refused "$run" --work "$top" -- true
ok "refused: one command for two machines" refused "$pair" -- true
ok "--help" "$run" --help
called "$run" --kdir "$tmp" -- true
is "a tree that is not built: 125" "$status $(wc -l <"$tmp/err")" "125 1"

#
# The reports of a log
#

known=/dev/null
release=6.1.0-9-amd64

scan() {
	awk -v reports="$lib/reports" -v known="$known" -v release="$release" -f "$lib/scan.awk" |
		cut -f 1,2 | tr '\t\n' ':;'
}

while read -r line; do
	is "a report: $line" "$(scan <<<"[   12.345678] $line")" "report:$line;"
done <<'LINES'
WARNING: CPU: 1 PID: 8 at kernel/x.c:1 f+0x1/0x2 [icbench]
WARNING: kernel/x.c:1 at f+0x1/0x2, CPU#1: kworker/1:1/35
WARNING: possible circular locking dependency detected
WARNING: suspicious RCU usage
BUG: KASAN: slab-use-after-free in f+0x1/0x2
BUG: sleeping function called from invalid context at x.c:1
BUG: workqueue lockup - pool cpus=0 node=0 flags=0x0 nice=0 stuck for 31s!
BUG kmalloc-64 (Tainted: G           O): Redzone overwritten
[ BUG: Invalid wait context ]
kernel BUG at kernel/x.c:1!
watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [insmod:99]
general protection fault, probably for non-canonical address 0xdead: 0000 [#1] SMP
Oops: 0002 [#1] PREEMPT SMP NOPTI
rcu: INFO: rcu_preempt self-detected stall on CPU
rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:
rcu: INFO: rcu_preempt detected expedited stalls on CPUs/tasks: { 1-.... }
INFO: task insmod:99 blocked for more than 120 seconds.
UBSAN: shift-out-of-bounds in kernel/x.c:1:2
unregister_netdevice: waiting for icb0 to become free. Usage count = 2
unreferenced object 0xffff888003a1c000 (size 64):
kmemleak: Cannot allocate a kmemleak_object structure
kmemleak: Cannot insert 0xffff888003a1c000 into the object search tree (overlaps existing)
kmemleak: Kmemleak disabled without freeing internal data. Reclaim the memory with "echo clear"
icbench-vm: kmemleak is off: leaks cannot be found
ODEBUG: Out of memory. ODEBUG disabled
DMA-API: debugging out of memory - disabling
DMA-API: debugging out of memory error - disabled
BUG: MAX_LOCKDEP_ENTRIES too low!
NMI watchdog: Watchdog detected hard LOCKUP on cpu 1
Kernel panic - not syncing: sysrq triggered crash
icbench-vm: lost 7 records of the log
LINES

is "a report's third field: what its traces begin with" "$(awk -v reports="$lib/reports" \
	-v known=/dev/null -v release="$release" -f "$lib/scan.awk" <<'LOG' | tr '\t' '|'
[    1.000000] BUG: kernel NULL pointer dereference, address: 0000000000000000
[    1.000001] RIP: 0010:0x0
[    1.000002] Code: Unable to access opcode bytes at RIP 0xffffffffffffffd6.
[    1.000003]  <IRQ>
[    1.000004]  ? maybe+0x1/0x2
[    1.000005]  f.part.0+0x1/0x2 [icbench]
[    1.000006]  __g+0x1/0x2
LOG
)" "report|BUG: kernel NULL pointer dereference, address: 0000000000000000|0x0 < f.part.0 < __g"

is "... and of a leak, as kmemleak writes it" "$(awk -v reports="$lib/reports" \
	-v known=/dev/null -v release="$release" -f "$lib/scan.awk" <<'LOG' | tr '\t' '|'
[    1.000000] unreferenced object 0xffff888003a1c000 (size 64):
[    1.000001]   comm "insmod", pid 9, jiffies 4294988066
[    1.000002]   hex dump (first 32 bytes):
[    1.000003]     00 00 00 00 00 00 00 00 00 c0 46 06 80 88 ff ff  ..........F.....
[    1.000004]   backtrace:
[    1.000005]     [<00000000ff8a5aca>] slab_post_alloc_hook.constprop.0+0x7a/0x8b
[    1.000006]     [<00000000d08b759d>] __kmem_cache_alloc_node+0xeb/0xff
[    1.000007]     [<000000000b21ad76>] kmalloc_trace+0x23/0x59
[    1.000008]     [<0000000023d8ce26>] f_alloc+0x50/0x359 [m]
[    1.000009]     [<(____ptrval____)>] g+0x1/0x2
LOG
)" "report|unreferenced object 0xffff888003a1c000 (size 64):|f_alloc < g"

while read -r line; do
	is "no report: $line" "$(scan <<<"[   12.345678][    T1] $line")" ""
done <<'LINES'
Spectre V2 : WARNING: Unprivileged eBPF is enabled with eIBRS on
rcu: RCU CPU stall warnings timeout set to 60 (rcu_cpu_stall_timeout).
traps: a.out[9] general protection fault ip:401000 sp:7ffd error:0 in a.out[401000+1000]
NMI watchdog: Enabled. Permanently consumes one hw-PMU counter.
workqueue: f hogged CPU for >10000us 4 times, consider switching to WQ_UNBOUND
icbench: debugging is on
kmemleak: Kernel memory leak detector disabled
kmemleak: Cannot allocate a scan area, scanning the full object
DMA-API: preallocated 65536 debug entries
Disabling lock debugging due to kernel taint
icbench-vm: lockdep is off
LINES

# trace WHAT FUNCTION [ACCESS]: print a report of KASAN, and a warning
trace() {
	cat <<-TRACE
		==================================================================
		BUG: KASAN: $1 in $2+0x3/0x4 [m]
		${3:-Read of size 8} at addr ffff888003a1c008 by task kworker/1:1/35
		Call Trace:
		 $2+0x3/0x4 [m]
		 m_broken+0x3/0x4 [m]
		==================================================================
		WARNING: CPU: 1 PID: 8 at x.c:1 g+0x1/0x2
		 m_broken+0x3/0x4 [m]
	TRACE
}

# excused NAME WANTED WHAT FUNCTION [ACCESS]: test that scan reports the KASAN report as WANTED
excused() {
	like "$1" "$(trace "${@:3}" | scan)" "^$2:BUG: KASAN: [^;]*;report:WARNING:[^;]*;\$"
}

known=$tmp/known
# known FIELD...: write the known-reports file with this one entry
known() {
	(IFS=$'\t'; echo "$*") >"$known"
}

known x bug 5.9,6.1 with '^BUG: KASAN: use-after-free in m_broken\+0x' '^Read of size 8 ' \
	'it always does that'
excused "a known report is excused, the next is not" known use-after-free m_broken
excused "by the whole name of the function" report use-after-free m_broken_too
excused "which has to be in the first line" report use-after-free f
excused "by what it is" report slab-out-of-bounds m_broken
excused "by the further line" report use-after-free m_broken "Write of size 8"
for release in 6.12.9 6.10 16.1 7.2; do
	excused "not on $release" report use-after-free m_broken
done
for release in 6.1 6.1.192 6.1.0-9-rt-amd64 5.9.1; do
	excused "on $release" known use-after-free m_broken
done
release=6.1.192
known x bug 6.1 with '^BUG: KASAN: ' '^Read of ' '^f\+0x' '^m_broken\+0x' why
excused "by several further lines" known use-after-free f
known x bug 6.1 with '^BUG: KASAN: ' '^Read of ' '^f\+0x' '^m_broken\+0x' '^m_' why
excused "by each of them" report use-after-free f
known x bug 6.1 with '^BUG: KASAN: ' '^m_broken\+0x' '^Read of ' why
excused "one behind the other" report use-after-free f
known x bug 6.1 without '^BUG: KASAN: ' '^Read of ' why
excused "without icbench" known use-after-free f
sed -i 's/with[a-z]*/without/; s/KASAN: /[K]ASAN: /' "$known"
like "but not with it" "$(trace use-after-free f | sed 's/\[m\]/[icbench]/' | scan)" '^report:'
like "... of a build" "$(trace use-after-free f | sed 's/\[m\]/[icbench 1f]/' | scan)" '^report:'
sed -i 's/without/with/' "$known"
like "if it may not be in it" "$(trace use-after-free f | sed 's/\[m\]/[icbench]/' | scan)" '^known:'
for fields in "x bug 6.1 with ^BUG why" "bug 6.1 with ^BUG ^Read why" "x bug 6.1 perhaps ^BUG ^Read why"; do
	tr ' ' '\t' <<<"$fields" >"$known"
	like "not an entry, which is a report: $fields" "$(scan </dev/null)" '^report:not an entry of '
done

#
# The known reports, one by one. For each entry there are two texts in the directory known: one
# that the entry excuses, as the kernel wrote it, and a similar one that it does not excuse.
#

texts=$top/tests/vm/known

# excuses TEXT: whether the text is one report, and the entry is what excuses it
excuses() {
	matches "$(scan <"$1")" '^known:[^;]*;$' &&
	matches "$(known=/dev/null; scan <"$1")" '^report:[^;]*;$'
}

# reports: whether standard input is a report that the entry does not excuse
reports() {
	matches "$(scan)" '^report:[^;]*;$'
}

# first_line TEXT: print the first line of its report, excused or not
first_line() {
	scan <"$1" | sed 's/^[^:]*//'
}

# without REGEX TEXT: print the text without the lines that match, but with its first line
without() {
	head=$head re=$1 awk '{
		line = $0
		sub(/^\[ *[0-9]+\.[0-9]+\] /, "", line)
		if (line !~ ENVIRON["re"] || line ~ ENVIRON["head"])
			print
	}' "$2"
}

# with_icbench TEXT: print the text with a function of icbench after the first line
with_icbench() {
	head=$head awk '{
		line = $0
		sub(/^\[ *[0-9]+\.[0-9]+\] /, "", line)
		print
		if (line ~ ENVIRON["head"])
			print "[   12.345678]  icb_broken+0x1/0x2 [icbench]"
	}' "$1"
}

names=()
while IFS=$'\t' read -r -a entry; do
	name=${entry[0]} head=${entry[4]} text=$texts/${entry[0]}
	names+=("$name" "$name-not")
	known=$tmp/known
	known "${entry[@]}"
	release=${entry[2]##*,}.1
	ok "$name: excused" excuses "$text"
	ok "... not the like of it" reports <"$text-not"
	is "... which begins as it does" "$(first_line "$text-not")" "$(first_line "$text")"
	for re in "${entry[@]:5:${#entry[@]}-6}"; do
		ok "... nor without $re" reports < <(without "$re" "$text")
	done
	[ "${entry[3]}" = with ] || ok "... nor with icbench" reports < <(with_icbench "$text")
	release=5.9.1
	ok "... nor on $release" reports <"$text"
done < <(grep -v '^#' "$top/tests/vm/known-reports" | grep .)
ok "there are some" test ${#names[@]} -gt 0
is "and no text is of none" "$(cd "$texts" && printf '%s\n' *)" \
	"$(printf '%s\n' "${names[@]}" | LC_ALL=C sort)"

# verdict: print the messages and the verdict for a machine whose log is standard input
verdict() {
	cat >"$tmp/vm.log"
	bash -c 'prog=run
		. "$1/options.sh" && . "$1/machine.sh" || exit
		work=$2 release=6.1.192 label[vm]=
		scan vm
		echo "$?"' - "$lib" "$tmp" 2>&1
}

off="[  300.000000] icbench-vm: lockdep is off"
like "lockdep off by what is excused is told" "$(verdict < <(cat "$texts/rxe_mr_copy"; echo "$off"))" \
	$'excused, 1 times: [^\n]*\nrun: lockdep was off from a report on[^\n]*\n0$'
like "by what is not: likewise" "$(verdict < <(cat "$texts/rxe_mr_copy-not"; echo "$off"))" \
	$'kernel report: [^\n]*\nrun: [.]{3} its trace: [^\n]*rxe_mr_copy[^\n]*\nrun: lockdep was off from a report on[^\n]*\n1$'
like "by nothing: fails" "$(verdict <<<"$off")" $'^run: lockdep is off, [^\n]*\n1$'
like "not off: not told" "$(verdict <"$texts/rxe_mr_copy")" $'^run: excused, 1 times: [^\n]*\n0$'

#
# One machine
#

head -c 5000000 /dev/urandom >"$tmp/random"
mkdir "$tmp/a directory"
echo "a file's" >"$tmp/a directory/file"
cat >"$tmp/guest" <<'GUEST'
cat "$random"
{
	printf '[%s]' "$@"; echo
	echo "$variable"
	pwd; cat file
	echo written >file && cat file
	rdma link show rxe0/1
	cat /sys/class/infiniband/rxe0/ports/1/gids/[0-3]
	grep -c '^icbench ' /proc/modules
	ls "$ICBENCH_KO"
	command -v icbenchctl
	nproc
} >&2
sleep 1000 &
exit 7
GUEST
cd "$tmp/a directory" || exit
words=('two words' "it's" '"' '' $'two\nlines' '$HOME `x` \n' 'ä☃' --)
export random=$tmp/random variable=$'one\n two '
called "$run" -- sh "$tmp/guest" "${words[@]}"

is "the command's status" "$status" 7
ok "its output, to the byte" cmp "$tmp/out" "$tmp/random"
arguments=$(printf '[%s]' "${words[@]}")
# a machine that did not boot on a busy host was booted again, with a message
said=$(grep -v ': booting again$' "$tmp/err")
is "its arguments" "${said:0:${#arguments}}" "$arguments"
ok "its environment" grep -A 1 -x 'one' "$tmp/err"
ok "its directory" grep -x "$tmp/a directory" "$tmp/err"
ok "and the files there" grep -x "a file's" "$tmp/err"
ok "to which it can write" grep -x written "$tmp/err"
is "without us seeing it" "$(<file)" "a file's"
ok "rxe0 is up" grep 'rxe0/1 state ACTIVE' "$tmp/err"
ok "and has its IPv4 GID" grep -x '0000:0000:0000:0000:0000:ffff:0a4d:0001' "$tmp/err"
ok "the module is loaded" grep -x 1 "$tmp/err"
ok "and where ICBENCH_KO says" grep -x '/.*/icbench\.ko' "$tmp/err"
ok "icbenchctl is on PATH" grep -x '/.*/icbenchctl' "$tmp/err"
ok "there are two CPUs" grep -x 2 "$tmp/err"

called "$run" --icount --no-rxe --no-insmod -- sh -c \
	'nproc; ls /sys/class/infiniband | wc -l; grep -c ^icbench /proc/modules
	 echo "${ICBENCH_VM_ICOUNT-unset}"
	 echo "WARNING: CPU: 0 PID: 1 at x.c:1 f+0x1/0x2" >/dev/kmsg'
is "one CPU, no rxe0, no module when so asked; what kind of clock" \
	"$(tr '\n' ' ' <"$tmp/out")" "1 0 0 1 "
is "a warning in the log: 125" "$status" 125
like "which says so" "$(said)" 'report: WARNING: CPU: 0 PID: 1 at x\.c'

# more messages than the ring buffer holds
cat >"$tmp/flood" <<'GUEST'
line=$(head -c 900 /dev/zero | tr '\0' x)
echo on >/proc/sys/kernel/printk_devkmsg
i=0
while [ $((i += 1)) -le 2500 ]; do
	echo "$line"
done >/dev/kmsg
GUEST
called "$run" --no-rxe --no-insmod -- \
	sh -c 'echo "WARNING: CPU: 0 PID: 1 at early.c:1 f+0x1/0x2" >/dev/kmsg; exec sh "$1"' \
	- "$tmp/flood"
is "a warning, and then more than the kernel's buffer holds: 125" "$status" 125
like "it is found all the same" "$(said)" 'report: WARNING: CPU: 0 PID: 1 at early\.c'
ok "and nothing is lost" not grep 'icbench-vm: lost' "$tmp/err"

# the process that reads the log is stopped for a while
cat >"$tmp/hold" <<'GUEST'
for dir in /proc/[0-9]*; do
	[ "$(readlink "$dir/fd/0")" != /dev/kmsg ] || reader=${dir#/proc/}
done
kill -STOP "$reader" && sh "$1"
kill -CONT "$reader"
GUEST
called "$run" --no-rxe --no-insmod -- sh "$tmp/hold" "$tmp/flood"
is "more than is read: 125" "$status" 125
like "which says so" "$(said)" 'report: icbench-vm: lost [0-9]+ records of the log'

called "$run" --no-rxe --no-insmod --memory 256 -- /usr/bin/python3 -c '[b"x" * (1 << 20) for _ in range(1 << 20)]'
is "who is killed for memory: its status" "$status" 137
ok "... and who it was" grep -qE 'the machine had no memory left, and killed python3 \([0-9]+\)' "$tmp/err"

called env ICBENCH_VM_LOG="$tmp/log" "$run" --no-rxe --no-insmod -- \
	sh -c 'echo before; sleep 1; echo c >/proc/sysrq-trigger; sleep 100; echo after'
is "a panic: 125" "$status $(<"$tmp/out")" "125 before"
like "with the log's last lines" "$(said)" 'Code: .*Kernel Offset'
ok "and the log itself" grep 'Kernel panic - not syncing' "$tmp/log"

called env ICBENCH_VM_LIMIT=2 "$run" --no-insmod --timeout 900 -- sleep 100
is "too late: 124" "$status" 124
# a hang is explained: where each thread sleeps
called "$run" --no-rxe --no-insmod --timeout 60 -- sleep 1000
ok "too late: what the command waits for" grep -A 4 '^[0-9]* sleep: .*sleep 1000' "$tmp/err"
like "... as a stack" "$(<"$tmp/err")" 'hrtimer_nanosleep|do_nanosleep'

# the first program is replaced by one that sleeps
called env ICBENCH_VM_BOOT=4 ICBENCH_VM_APPEND="rdinit=/bin/busybox -- sleep 1000" \
	"$run" --no-rxe --no-insmod --timeout 6 -- true
is "a kernel that stands still: 124, in the end" "$status" 124
is "after three more attempts" "$(grep -c 'stood still.*booting again' "$tmp/err")" 3
called env ICBENCH_VM_BOOT=soon "$run" -- true
is "refused: ICBENCH_VM_BOOT=soon" "$status $(wc -l <"$tmp/err")" "2 1"

# gone PROCESS: whether the machine's process has ended
gone() {
	! kill -0 "$1" 2>&1
}

# stopped SIGNAL STATUS: a signal to run ends it with this status, and ends its machine
stopped() {
	local child machine

	rm -rf "$tmp/work"
	"$run" --work "$tmp/work" --no-insmod -- sleep 100 &
	child=$!
	until [ -s "$tmp/work/vm.pid" ]; do
		sleep 0.05
	done
	machine=$(<"$tmp/work/vm.pid")
	kill "-$1" "$child"
	wait "$child"
	same "$?" "$2" && gone "$machine"
}

ok "SIGINT leaves no machine behind" stopped INT 130
ok "nor does SIGTERM" stopped TERM 143

called "$run" --memory 1 --no-insmod -- true
is "a machine that cannot start: 125" "$status" 125

# with twice as many busy loops as CPUs on the host, the guest's two loops wait at least half of
# the time
loops=()
for ((i = 0; i < 2 * $(nproc); i++)); do
	timeout 300 bash -c 'while :; do :; done' &
	loops+=($!)
done
# shellcheck disable=SC2016 # for the guest
called "$run" --no-rxe --no-insmod -- bash -c '
	until [ -s /run/icbench/withheld ]; do sleep 0.1; done
	read -r before </run/icbench/withheld
	timeout 4 bash -c "while :; do :; done" &
	timeout 4 bash -c "while :; do :; done"
	wait
	sleep 1
	read -r after </run/icbench/withheld
	echo $((after - before))'
kill "${loops[@]}"
ok "how long the host keeps a machine from a CPU is told" test "$(<"$tmp/out")" -ge 500

#
# Two machines
#

called "$pair" --out-b "$tmp/out-b" -- \
	'echo $ICBENCH_NODE $ICBENCH_PEER; hostname; exec busybox nc -lp 7000 -e cat' \
	'until echo hello | busybox nc a 7000; do :; done; echo $ICBENCH_NODE; rdma link; exit 3'
is "two machines: the second's status" "$status" 3
is "the first's output" "$(tr '\n' ' ' <"$tmp/out")" "a 10.77.0.2 a "
like "the second's, in its file" "$(tr '\n' ' ' <"$tmp/out-b")" '^hello b link rxe0/1 state ACTIVE'

called "$pair" --no-rxe --no-insmod -- 'sleep 100' true
is "the first one's being stopped is no failure" "$status" 0
if [ "${ICBENCH_HARNESS-}" = record ] && [ "$tap_failed" -eq 0 ]; then
	echo "$sum" >"$top/tests/vm/harness-proved"
fi
done_testing
