#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The whole of icbenchctl against a kernel of its own (fake_kernel.c).

cd "${BASH_SOURCE[0]%/*}" || exit 1
ctl=$PWD/build/icbenchctl-fake
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
export FAKE_RATE=2e5
# a name that does not exist should not take long
export RES_OPTIONS="attempts:1 timeout:1"
count=0

# report NAME WHAT...: the result of the last command, with what there is to see
report()
{
	local status=$1 name=$2

	count=$((count + 1))
	if [ "$status" -eq 0 ]; then
		echo "ok $count - $name"
		return
	fi
	echo "not ok $count - $name"
	echo "# exit status $rc, standard output:"
	sed 's/^/#   /' "$tmp/out"
	echo "# standard error:"
	sed 's/^/#   /' "$tmp/err"
}

# run [VAR=VALUE...] ARG...: run icbenchctl, keep what it says and its status
run()
{
	local vars=()

	while [[ $1 == FAKE*=* ]]; do
		vars+=("$1")
		shift
	done
	timeout 60 env "${vars[@]}" "$ctl" "$@" >"$tmp/out" 2>"$tmp/err" \
		</dev/null
	rc=$?
	keep "$@"
}

# keep ARG...: keep the result that run has written in JSON, to check it against the schema
mkdir "$tmp/documents"
keep()
{
	local word before=

	[ "$1" = run ] || return
	for word; do
		[ "$before" != --json ] || break
		before=$word
	done
	[ "$before" = --json ] || return
	case $word in
	-|/dev/stdout)	word=$tmp/out ;;
	esac
	[ ! -f "$word" ] || [ ! -s "$word" ] || cp "$word" "$tmp/documents/$((++kept)).json"
}
kept=0

# refused NAME STATUS WORDS: one line of these words, nothing else, that status
refused()
{
	[ "$rc" -eq "$2" ] && [ ! -s "$tmp/out" ] &&
		[ "$(wc -l <"$tmp/err")" -eq 1 ] &&
		grep -q "^icbenchctl: .*$3" "$tmp/err"
	report $? "$1"
}

# quiet NAME: done, without a word on standard error
quiet()
{
	[ "$rc" -eq 0 ] && [ ! -s "$tmp/err" ]
	report $? "$1"
}

# has NAME FILE REGEX
has()
{
	grep -q -- "$3" "$tmp/$2"
	report $? "$1"
}

# json NAME FILTER: of $tmp/r.json
json()
{
	jq -e "$2" "$tmp/r.json" >/dev/null 2>>"$tmp/err"
	report $? "$1"
}

run
refused "no command" 2 "no command"
run frobnicate
refused "no such command" 2 "unknown command"
run mointor
refused "close to a command" 2 "did you mean monitor"
run latency
refused "a benchmark in place of a command" 2 'unknown command "latency", a benchmark; accepted: icbenchctl run latency$'
run hoti04
refused "a suite in place of a command" 2 'unknown command "hoti04", a suite; accepted: icbenchctl suite hoti04$'
run ./latency
refused "a path in place of a command" 2 'unknown command "./latency"; see icbenchctl --help$'
run --version
quiet "version"
has "version in words" out "^icbenchctl [0-9]"
for c in run suite compare report list show devices doctor serve jobs stop monitor; do
	run "$c" --help
	quiet "$c --help"
	has "$c --help says how" out "^usage: icbenchctl $c"
	run "$c" --help=x
	refused "$c --help with a value" 2 "--help: takes no value\$"
done
# each word that a key takes is in the help, however many there are
run run --help
tr -d ' \n' <"$tmp/out" >"$tmp/help"
run show --keys
while IFS=$'\t' read -r key type _ words; do
	[ "$type" != word ] ||
		has "run --help has each value of $key" help "--$key${words// /|}"
done <"$tmp/out"
run help
quiet "help"
for c in run suite compare report list show devices doctor serve jobs stop monitor; do
	run "$c" --help
	mv "$tmp/out" "$tmp/help"
	awk 'length > 100 { bad = 1 } END { exit bad }' "$tmp/help"
	report $? "$c --help has at most 100 columns"
	run help "$c"
	cmp -s "$tmp/out" "$tmp/help"
	report $? "help $c is $c --help"
done
run help frobnicate
refused "help of no command" 2 'unknown command "frobnicate"; see icbenchctl --help$'
run help latency
refused "help of a benchmark" 2 ", a benchmark; accepted: icbenchctl run latency\$"
run help run junk
refused "help of a command, and a word more" 2 'help run: unexpected "junk"'
for c in --help -h --version -V; do
	run "$c" junk
	refused "$c and a word behind it" 2 "$c: unexpected \"junk\""
done
for c in "list --json" "list --names" "list --suites" "show --keys" "devices --json" "jobs --json"; do
	run ${c% *} "${c#* }=x"
	refused "$c with a value" 2 "${c#* }: takes no value\$"
done
for c in "compare a b" list devices jobs monitor serve "show latency" "stop 1" "run latency a" "suite hoti04 a"; do
	run $c junk
	refused "$c and a word too many" 2 "${c%% *}: unexpected \"junk\""
done

# usage
run run
refused "run nothing" 2 "no benchmark; see icbenchctl list"
run run nosuch
refused "no such benchmark" 2 'no benchmark "nosuch"; icbenchctl list shows them$'
mkdir -m 700 "$tmp/closed" && touch "$tmp/closed/latency.icb"
if [ "$(id -u)" -eq 0 ]; then
	chmod 755 "$tmp" && cp "$ctl" "$tmp/ctl"
	timeout 60 env ICBENCH_RECIPES="$tmp/closed" setpriv --reuid=65534 --regid=65534 \
		--clear-groups "$tmp/ctl" run latency >"$tmp/out" 2>"$tmp/err" </dev/null
	rc=$?
	refused "a recipe that one may not read" 2 "$tmp/closed/latency.icb.*Permission denied"
	rm -r "$tmp/ctl" "$tmp/closed"
else
	count=$((count + 1))
	echo "ok $count - a recipe that one may not read # skip not root"
fi
run run latncy
refused "close to a benchmark" 2 "did you mean latency"
run run ../latency
refused "a path that is none" 2 "No such file"
run run latency --frob 1
refused "unknown key" 2 "unknown option --frob"
run run latency --sise 1
refused "close to a key" 2 "did you mean --size"
while read -r option words; do
	run run latency "$option" 5
	refused "of perftest: $option" 2 "run: no option $option; $words"
	run suite hoti04 "$option" 5
	refused "... of a suite" 2 "suite: no option $option; $words"
done <<'ROWS'
-F not needed, leave it out; --isolate warn checks
-R not needed, leave it out: the connection manager
-H accepted: --json FILE, which has the histogram
-u not possible: .*--timeout TIME ends a silent run$
-l accepted: --batch N$
-Q accepted: --signal-every N$
--report_gbits not needed, leave it out: bandwidth
--tx-depth accepted: --window N$
--ib-dev accepted: --device NAME$
--iters accepted: --iterations N$
--threads accepted: --workers N$
--iodepth accepted: --window N$
--runtime accepted: --duration TIME$
--host accepted: --peer ADDRESS$
ROWS
for v in sizes:size itertions:iterations compleiton:completion windwo:window peer-cup:peer-cpu jsno:json \
	durat:duration signal-evry:signal-every; do
	run run latency "--${v%:*}" 1
	refused "a misspelled option: --${v%:*}" 2 "did you mean --${v#*:}?"
done
for v in foo xyz ab latency-of z; do
	run run latency "--$v" 1
	refused "far from all options: --$v" 2 "unknown option --$v; see icbenchctl run --help\$"
done
run run latency -Z
refused "unknown letter" 2 "unknown option -Z"
for v in 12x -1 1e 1e30 0x10 "" " 1" +1 1.5 99999999999999999999 K 2G 1..; do
	run run latency -s "$v"
	refused "size \"$v\"" 2 "size: .*accepted"
done
for v in 0 -5 1KB 1e13 1000000000001; do
	run run latency --iterations="$v"
	refused "iterations \"$v\"" 2 "iterations: .*accepted"
done
for v in 0 5m 10x 86401 1.5x 0.5ns; do
	run run latency -D "$v"
	refused "duration \"$v\"" 2 "duration: .*accepted"
done
run run latency -n 1K -s 1e3 -D 0.5s
refused "units" 2 "duration: not together"
run run latency -n 1K -s 1e3,2K --json "$tmp/r.json"
json "... of counts and sizes" '[.points[].parameters | .iterations, .size] == [1000, 1000, 1000, 2048]'
run run latency -D 0.05s --json "$tmp/r.json"
json "... of a time" '.points[0].parameters.duration == 50000000'
for v in threshold budget-latency budget-cpu; do
	run run completion-modes "--$v" 20
	refused "$v without a unit" 2 "$v: 20 has no unit; accepted: 20ns, 20us, 20ms or 20s$"
done
for v in cpu peer-cpu shadow-cpu; do
	run run latency --$v 0-3
	refused "$v: a set of CPUs" 2 "$v: 0-3 is a set of CPUs, .*; accepted: one CPU, or 0\.\.3+1 for a run on each"
done
run run latency --size 64-1024
refused "a range with a dash" 2 "size: 64-1024 is no range; accepted: 64\.\.1024, which doubles, or 64\.\.1024+1\$"
run run latency --cpu 0..1+1 -n 10 --json "$tmp/r.json"
json "a run on each CPU" '.points | length == 2'
run run latency --verb recv
refused "no such word" 2 "verb: .*accepted: send, write, write-imm, read, fetch-add, cmp-swap, register, descriptor, connect, connect-cm, calibrate, floor"
run run latency --timeout 1,2
refused "what cannot be swept" 2 "timeout: .*accepted"
run run latency --size 1..10000+0
refused "step 0" 2 "size: a step of 0"
run run latency --size 8..2
refused "downwards" 2 "goes down"
run run latency --size 1..20000+1
refused "too many values" 2 "10000"
run run latency --size 1..1000+1 --warmup 1..1000+1
refused "too many points" 2 "10000"
run run latency --size
refused "no value" 2 "needs a value"
run run latency -n 5 -D 1
refused "both lengths" 2 "duration: not together"
run run latency --verb write -e
refused "impossible" 2 "completion: block is not possible with verb write"
run run latency --verb send,write --completion poll,memory
refused "impossible in a sweep" 2 "verb=send completion=memory: "
run run blocking --verb write
refused "impossible by the recipe" 2 "completion=poll: completion: poll"
run run latency --verb read --size 0
refused "nothing to read" 2 "size: 0 is too small for verb read; accepted: 1 and more"
for s in 0 7 9 64; do
	run run latency --verb fetch-add --size $s
	refused "an atomic of $s bytes" 2 "size: .* for verb fetch-add; accepted: 8\$"
done
run run latency --verb cmp-swap --signal-every 2
refused "not every completion" 2 "signal-every: 2 is not possible with verb cmp-swap.*accepted: 1\$"
run run latency --verb read --completion memory
refused "a read has a completion" 2 "completion: memory is not possible with verb read.*accepted: poll, softirq, workqueue, block, adaptive, timer\$"
run run latency --verb write --size 0,8
refused "too small in a sweep" 2 "size=0: size: 0 is too small"
run run latency -q 4 -n 100 --json "$tmp/r.json"
json "-q: several QPs" ".points[0].parameters.qps == 4"
run run connect -q 2
refused "-q: calls are timed on one" 2 "qps: with trigger return .*accepted: 1, or verb calibrate\$"
run run bandwidth -q 2 -t 15 --refill 6 --signal-every 6
refused "-q: a window that completions do not fill" 2 "signal-every: 6 does not divide the window, 15"
run run bandwidth -q 2 --verb cmp-swap -s 8
refused "-q: swaps that keep no order" 2 "qps: .*accepted: 1, or verb fetch-add\$"
run run bandwidth -q 2 --verb send --buffers 4
refused "-q: receives that share a buffer" 2 "qps: .*accepted: 1, or buffers 1\$"
run run latency -q 2 --reuse 50 -n 100
refused "-q: receives of new buffers" 2 "qps: with reuse 50 .*accepted: 1\$"
run run latency --verb read -I 64
refused "-I: nothing to take along" 2 "inline: verb read .*accepted: 0\$"
run run latency -s 4 --sges 2,8
refused "more segments than bytes" 2 "sges=8: sges: 8 segments are more than a message of 4 bytes can fill; accepted: 1 to 4\$"
run run latency --sges 8 --max-sges 4
refused "more segments than the QP takes" 2 "max-sges: 4 is less than sges, 8"
run FAKE=fewsges run latency --sges 7
refused "more segments than a receive takes" 2 "sges: 7 is more than rxe. takes for verb send; accepted: 1 to 6 (max_recv_sge)\$"
run FAKE=iwarp run latency --verb read --sges 2
refused "... than a read takes" 2 "sges: 2 .*accepted: 1 to 1 (max_sge_rd)\$"
run FAKE=fewsges run latency --max-sges 8
refused "more than a QP has" 2 "max-sges: 8 is more than rxe. takes; accepted: 1 to 6 (max_recv_sge)\$"
run run latency -p 5
refused "port without peer" 2 "cm-port: only with peer"
run run latency 127.0.0.1 127.0.0.2
refused "two peers" 2 "unexpected"
run run latency --peer 127.0.0.1 --peer 127.0.0.2
refused "two peers, as keys" 2 "peer: 2 addresses for 1 device; accepted: one"
run run latency nosuchhost.invalid
refused "no such host" 2 "no address for"
run run latency 10.0.0.2:18515
refused "a peer with its port" 2 'peer: "10.0.0.2:18515" has a port; accepted: 10.0.0.2, together with --cm-port 18515$'
run run latency '[fd00::2]:1'
refused "... of IPv6" 2 'peer: "\[fd00::2\]:1" has a port; accepted: fd00::2, together with --cm-port 1$'
run run latency '[fd00::2]'
refused "a peer in brackets" 2 'peer: "\[fd00::2\]" is in brackets; accepted: fd00::2$'
run serve --bind 10.0.0.2:18515
refused "an address to listen at with its port" 2 'bind: "10.0.0.2:18515" has a port; accepted: 10.0.0.2, together with --cm-port 18515$'
run run latency ''
refused "no host at all" 2 'peer: no address for ""'
for peer in : ] '[' '[]' '[]:1' :1 1: ':::'; do
	run run latency "$peer"
	refused "no host: $peer" 2 'peer: .*accepted: '
done
run run latency --token secretsecret
refused "a secret in the open" 2 "token-file"
! grep -q secretsecret "$tmp/err"
report $? "... and not repeated"
printf 'short\n' >"$tmp/token"
run run latency 127.0.0.1 --token-file "$tmp/token"
refused "a short secret" 2 "8 to 64"
head -c 65 /dev/zero | tr '\0' x >"$tmp/token"
run run latency 127.0.0.1 --token-file "$tmp/token"
refused "a long secret" 2 "8 to 64"
run run latency 127.0.0.1 --token-file "$tmp/nosuch"
refused "no secret" 2 "No such file"

# what can go wrong with the module
run FAKE=nomodule run latency
refused "no module" 3 "modprobe icbench"
run FAKE=nomodule devices
refused "no module, devices" 3 "modprobe icbench"

# root NAME: a kernel's own files, without the module, whose rdma_cm can be loaded
root()
{
	export FAKE_ROOT=$tmp/$1
	modules=$FAKE_ROOT/lib/modules/$(uname -r)
	params=$FAKE_ROOT/sys/module/module/parameters
	efi=$FAKE_ROOT/sys/firmware/efi/efivars
	lockdown=$FAKE_ROOT/sys/kernel/security/lockdown
	mkdir -p "$modules/updates" "$params" "$efi" "${lockdown%/*}"
	echo "kernel/drivers/infiniband/core/rdma_cm.ko: kernel/drivers/infiniband/core/ib_core.ko" >"$modules/modules.dep"
	: >"$modules/modules.builtin"
	echo N >"$params/sig_enforce"
	echo "[none] integrity confidentiality" >"$lockdown"
}

root free
run FAKE=nomodule run latency
refused "no module: nothing bars it" 3 "not loaded; load it: modprobe icbench (or modprobe rdma_cm && insmod icbench.ko)\$"
root lacking
echo "kernel/x/my_rdma_cm.ko: kernel/x/rdma_cm.ko" >"$modules/modules.dep"
run FAKE=nomodule run latency
refused "no module: nor what it needs" 3 "$(uname -r) has no rdma_cm, which it needs: .*CONFIG_INFINIBAND_ADDR_TRANS\$"
echo "kernel/drivers/infiniband/core/rdma_cm.ko" >"$modules/modules.builtin"
run FAKE=nomodule run latency
refused "no module: what it needs is built in" 3 "load it: modprobe icbench"
root enforced
echo Y >"$params/sig_enforce"
run FAKE=nomodule run latency
refused "no module: signatures are asked for" 3 "by module.sig_enforce .* sign icbench.ko, mokutil --import .*SIGNATURES"
root locked
echo "none [integrity] confidentiality" >"$lockdown"
run FAKE=nomodule devices
refused "no module: the kernel is locked down" 3 "by lockdown .* sign icbench.ko, mokutil --import"
printf '\6\0\0\0\1' >"$efi/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
run FAKE=nomodule serve
refused "no module: Secure Boot" 3 "by Secure Boot .* sign icbench.ko, mokutil --import"
echo "updates/icbench.ko: kernel/drivers/infiniband/core/rdma_cm.ko" >>"$modules/modules.dep"
echo "unsigned" >"$modules/updates/icbench.ko"
run FAKE=nomodule serve
refused "no module: Secure Boot, and it is not signed" 3 "by Secure Boot .* sign icbench.ko, mokutil --import"
echo "~Module signature appended~" >>"$modules/updates/icbench.ko"
run FAKE=nomodule serve
refused "no module: Secure Boot, and it is signed" 3 "load it: modprobe icbench; if its key is rejected, by Secure Boot: mokutil --import"

# doctor: each finding, with the command that fixes it; wrapped lines are joined
# finds NAME STATUS FINDING...
finds()
{
	local name=$1 status=$2 finding failed=0

	sed -i -e ':again' -e 'N;s/\n   */ /;tagain' -e 'P;D' "$tmp/out"
	for finding in "${@:3}"; do
		grep -qE -- "^ $finding" "$tmp/out" || failed=1
	done
	[ "$rc" -eq "$status" ] && [ ! -s "$tmp/err" ] && [ $failed -eq 0 ]
	report $? "$name"
}
cpus=$tmp/cpus
mkdir -p "$cpus"/cpu{0,1,2,3}/{topology,cpufreq} "$cpus/cpu2/node1" "$cpus/cpu3/node1"
echo 0-3 >"$cpus/online"
for i in 0 1 2 3; do
	echo $i >"$cpus/cpu$i/topology/thread_siblings_list"
	echo performance >"$cpus/cpu$i/cpufreq/scaling_governor"
done
run FAKE=nomodule FAKE_CPUS="$cpus" doctor
finds "doctor: no module" 3 "Module *: FIX: .* Secure Boot: mokutil --import its certificate"
rm "$modules/modules.dep"
mkdir -p "${modules%/*}/1.2.3-other"
echo "updates/icbench.ko: kernel/drivers/infiniband/core/rdma_cm.ko" >"${modules%/*}/1.2.3-other/modules.dep"
echo "kernel/drivers/infiniband/core/rdma_cm.ko:" >"$modules/modules.dep"
run FAKE=nomodule FAKE_CPUS="$cpus" doctor
finds "doctor: a module of another kernel" 3 "Module *: FIX: the kernel module icbench is not loaded" \
	"Module *: note: installed for kernel 1.2.3-other, not for the running one: dkms autoinstall"
mkdir -p "$FAKE_ROOT/sys/module/icbench"
echo 0.0.1 >"$FAKE_ROOT/sys/module/icbench/version"
run FAKE_CPUS="$cpus" doctor
finds "doctor: a module of another version" 0 "Module *: note: loaded, version 0.0.1; icbenchctl is [0-9.]*: make install"
rm -r "$FAKE_ROOT/sys/module/icbench"
unset FAKE_ROOT
run FAKE_CPUS="$cpus" doctor 10.0.0.2
finds "doctor: devices, CPUs and a peer" 0 "Module *: ok: loaded\$" \
	"rxe0/1 *: ok: rdma_rxe, .* a message to this host arrived\$" "rxe1/1 *: ok: " \
	"CPUs *: ok: best choice: --cpu 1, and for a run on this host --peer-cpu 2\$" \
	"CPUs *: note: CPU 1 is not isolated .* isolcpus=1 on the kernel's command line\$" \
	"memlock *: ok: " "Peer *: ok: 10.0.0.2 answers\$"
echo 2-3 >"$cpus/isolated"
echo 2-3 >"$cpus/nohz_full"
echo 2-3 | tee "$cpus"/cpu{2,3}/topology/thread_siblings_list >/dev/null
echo powersave >"$cpus/cpu2/cpufreq/scaling_governor"
run FAKE_CPUS="$cpus" doctor
finds "doctor: isolated CPUs first, and not two threads of a core" 0 \
	"CPUs *: ok: best choice: --cpu 2, and for a run on this host --peer-cpu 1\$" \
	"CPUs *: note: CPU 2 shares its core .CPUs 2-3.; accepted: nosmt .*/cpu3/online\$" \
	"CPUs *: note: CPU 2 has governor powersave, .*echo performance >"
! grep -q "CPU 2 is not isolated" "$tmp/out"
report $? "... and no finding without a reason"
echo 0 >"$cpus/online"
run FAKE_CPUS="$cpus" doctor
finds "doctor: one CPU" 0 "CPUs *: ok: best choice: --cpu 0, .* --peer-cpu 0, the only CPU\$"
rm "$cpus/online"
run FAKE_CPUS="$cpus" doctor
finds "doctor: no list of CPUs" 0 "CPUs *: note: unknown: .*/online cannot be read\$"
run FAKE=early doctor 127.0.0.1
finds "doctor: out of reach" 3 "rxe0/1 *: FIX: .*no route to host\$" \
	"Peer *: FIX: .*no route to host; at the peer: icbenchctl doctor, icbenchctl serve\$"
run "FAKE_REFUSE=19:device rxe1 has no active port" doctor
finds "doctor: devices that are not usable" 3 "rxe1/1 *: FIX: device rxe1 has no active port\$"
run FAKE=eperm doctor
finds "doctor: no permission" 3 "Module *: FIX: .*as root"
run FAKE=nodev doctor nosuch.invalid
finds "doctor: no device, and no such peer" 3 "Devices *: FIX: no RDMA device; make one: rdma link add" \
	"Peer *: FIX: peer: .*nosuch.invalid"
run doctor a b
refused "doctor: two peers" 2 'doctor: unexpected "b"'
run doctor -p 0
refused "doctor: no such port" 2 "cm-port: "
run FAKE=nodev run latency
refused "no device" 3 "rdma link add.*; see icbenchctl doctor\$"
run FAKE=nodev devices
refused "no device, devices" 3 "rdma link add.*; see icbenchctl doctor\$"
run run latency -d mlx9_0
refused "no such device" 3 '"mlx9_0"; there is: rxe0, rxe1'
run FAKE=manydevs run latency -d mlx9_0
refused "no such device among many" 3 "\"mlx9_0\"; there is: rxe0, $(seq -s ', ' -f 'rxe%g' 39)\$"
for c in "run latency" devices jobs serve "stop 5"; do
	# shellcheck disable=SC2086
	run FAKE=eperm $c
	refused "no permission, $c" 3 "as root"
done
run "FAKE_REFUSE=22:size: not on a Sunday" run latency
refused "refused with words" 2 "^*size: not on a Sunday$"
run "FAKE_REFUSE=22:size: not on a Sunday" run latency -s 1,2
refused "refused in a sweep" 2 "size=1: size: not on a Sunday$"
run FAKE_REFUSE=95 FAKE=silent run latency
refused "refused without words" 2 "not supported"
run "FAKE_REFUSE=16:jobs: too many" run latency
refused "busy" 1 "jobs: too many"
run "FAKE_REFUSE=19:device: gone" run latency
refused "device gone" 3 "device: gone"
run FAKE=early run latency 127.0.0.1
refused "peer out of reach" 1 "no route to host"
run FAKE=early,silent run latency 127.0.0.1
refused "... without words" 1 "No route to host"
for w in noid nostate badlen badword badcount badbucket badmoments baddivisor \
	badtail halftail longtail manytails oddtail strangetail \
	badpercentile nosought nobatchsize bigbatch oddbatch badbatch manybatches \
	manymeans oddmean badmean \
	 nomoments short nogroup; do
	run FAKE=$w run latency -n 10
	refused "damaged answer: $w" 1 "module's answer"
done
run FAKE=gone run latency -n 1000000
refused "the job is gone" 1 "no such job"
run FAKE=nonul run latency -n 10 10.0.0.1
quiet "a string without end"
run FAKE_NOISE=1 run latency -n 10
quiet "messages for others"
for w in mute lose; do
	run FAKE=$w run latency -n 1000
	quiet "lost events: $w"
done
run stop 17
refused "stop: no such job" 1 "no such job"
run stop x
refused "stop: no number" 2 "stop: .*accepted"
run stop
refused "stop: no run" 2 "no run given"
run stop 0
refused "stop: 0" 2 "out of range"

# the formats of the text: compact by default, in at most 100 columns whatever the benchmark
run run latency -n 1000 -s 64,1K
cp "$tmp/out" "$tmp/compact"
has "compact: what was measured, where" out "^Linux [^ ]*, rxe0 port 1 (rdma_rxe).*, peer this host, CPU 0, peer CPU 1\$"
has "... the titles" out "^  size        n   p50\[us\]     ±95%   p99\[us\] p99.9\[us\]   max\[us\]\$"
has "... a row, with dashes" out "^    1K     1000     5.359   ±[0-9.]* *—         —     5.750\$"
has "... what the dashes need" out "^ —              : p99 needs 10000 samples, p99.9 needs 100000; there are 1000\$"
has "... what to try next" out "^ Next           : -n 100000 for p99.9; "
run run latency -n 1000 -s 64,1K --format compact
cmp -s "$tmp/out" "$tmp/compact"
report $? "... is the default"
run run latency -n 1000 --format ful
refused "no such format" 2 'format: unknown "ful"; accepted: compact, full, perftest$'
run run latency -n 1000 --format
refused "no format" 2 "needs a value"
run run latency -n 1000 -s 64 --format perftest
has "perftest: its columns" out "^ #bytes #iterations    t_min.usec.    t_max.usec.  t_typical.usec.    t_avg.usec.    t_stdev.usec.   99% percentile.usec.   99.9% percentile.usec. \$"
[[ $(awk '$1 == 64' "$tmp/out" | xargs) =~ ^64\ 1000\ 5.00\ 5.75\ 5.36\ 5.3[78]\ 0.25\ 5.75\ 5.75$ ]]
report $? "... in its order"
run run bandwidth -n 1000 --format perftest
has "... of a bandwidth" out "^ #bytes     #iterations    BW peak.MB/sec.    BW average.MB/sec.   MsgRate.Mpps.\$"
has "... in MiB/s" out "^ 65536      1000             0.00               12500.00.*0.200000\$"
run run bandwidth -n 1000
has "compact: bandwidth also in Gb/s" out "^   64K     1000     13107 .* 104.9 "
FAKE_RATE=2e5 timeout 60 script -qefc "$ctl run latency -n 12000 --quiet" /dev/null </dev/null >"$tmp/out" 2>"$tmp/err"
has "... a histogram on a terminal" out "^ Histogram      : 5.000 █.*█ *5.750 us, logarithmic"
run run latency -n 12000
! grep -q Histogram "$tmp/out"
report $? "... only there"
for b in "" "--repeat 3"; do
	# shellcheck disable=SC2086	# words
	run run bilatency -n 100 --warmup 1 $b
	has "compact: the mean of samples that alternate $b" out "^  size        n  mean.us.     ±95%   max.us.\$"
	! grep -q needs "$tmp/out"
	report $? "... and no percentile that needs samples"
done
for recipe in ../../user/recipes/*.icb; do
	b=${recipe##*/}
	b=${b%.icb}
	devices=
	[[ $b != @(stripe|bind) ]] || devices="-d rxe0 -d rxe1"
	length="-n 50"
	[[ $b != @(load|overhead-bandwidth) ]] || length="-D 10ms"
	for words in "" --verbose; do
		# shellcheck disable=SC2086	# words
		run FAKE_RATE=2e6 run "$b" $devices $length --warmup 1 --quiet $words
		quiet "compact: $b $words"
		[ -s "$tmp/out" ] && [ "$(LC_ALL=C.UTF-8 wc -L <"$tmp/out")" -le 100 ]
		report $? "... in at most 100 columns"
	done
done

# a run
run run latency -n 1000 -s 128 --format full --json "$tmp/r.json"
quiet "run"
has "device in text" out "Device .*rxe0"
has "one-way in text" out "one-way (round trip / 2), in us"
has "row in text" out "^ 128 *1000 .* 5\.375"
json "schema" '.schema == "icbench/1" and .benchmark == "latency"'
json "whole" '.partial == false'
json "command" '.command[1:4] == ["run", "latency", "-n"]'
json "start" '.started | test("^2[0-9]{3}-..-..T..:..:..Z$")'
json "environment" '.environment | .device == "rxe0" and .driver == "rdma_rxe"
	and .mtu == 1024 and .clocksource == "tsc" and .clock_read_ns == 11.2
	and (.cpus > 0)'
json "parameters" '.points[0].parameters | .size == 128 and .verb == "send"
	and .completion == "poll" and .verify == false and .iterations == 1000
	and .timeout == 10000000000 and (has("duration") | not)
	and (has("token") | not) and (has("peer") | not)'
json "distribution" '.points[0].metrics.latency | .unit == "ns" and .count == 1000
	and .min == 5000 and .max == 5750
	and (.percentiles | keys == ["50", "90", "99", "99.9", "99.99"])
	and ([.histogram[][2]] | add) == 1000'
json "no samples" '[.points[0].metrics[] | has("samples")] | any | not'
json "exact mean" '.points[0].metrics.latency.mean == (([range(1000)] | map(. % 7) | add) * 125 / 1000 + 5000)'
# the batches have shares of 3/7 and 4/7 of all samples in turn: 1/14 from their mean. t of 9
# degrees of freedom is 2.262, and a correlation of 1 / sqrt(10) may be hidden: 75 ranks to either
# side of 500, in the buckets from 10496 and up to 11007 of the round trip
json "confidence" '.points[0].metrics.latency | .confidence |
	.batches == 10 and .batch_size == 100 and (keys | length) == 3 and
	.["50"] == {low: 5250, high: 5503.5} or .["50"] == {low: 5248, high: 5503.5}'
json "interval of the mean" '.points[0].metrics.latency | .mean as $mean | .interval
	| .low < $mean and .high > $mean and .high - .low > 90 and .high - .low < 120
	and .batches == 10'
has "... in text" out '^ 95 % certain   : mean at 5\.3..\.\.5\.4.. us (+-1\.0 %), 10 batches$'
has "confidence in text" out '^ 95 % certain   : 50 % at 5\.248\.\.5\.503 us (+-2\.7 %), 10 batches of 100$'
has "what is not supported" out '^ Not supported  : 99 %, 99\.9 % by 1000 samples$'
has "... and what is needed" out '^ Needed         : 10000 samples for 99 %, 100000 samples for 99\.9 %$'
has "... in the row" out '^ 128  *1000  *5\.[0-9]*  *5\.[0-9]*  *5\.[0-9]*  *0\.[0-9]*  *-  *-  *5\.'
json "... in JSON" '.points[0].metrics.latency.unsupported == ["99", "99.9", "99.99"]'
json "... and what is supported, and needed" '.points[0].metrics.latency |
	.supported == ["50", "90"] and
	.needed == {"99": 10000, "99.9": 100000, "99.99": 1000000}'
json "nobody asked for less" '.points[0].metrics.latency | has("until_reached") | not'
run FAKE=depends run latency --format full -n 1000 --json "$tmp/r.json"
has "no interval of what is not independent" out '^ Not independent: 50 %: no interval, a batch depends on the one before it, correlation 0\.[0-9]* of 10 batches of 100$'
json "... in JSON" '.points[0].metrics.latency.confidence | .dependent == ["50"] and (has("50") | not)'
grep -q "95 % certain .* 50 %" "$tmp/out"
report $(($? == 0)) "... and no other words of it"
run FAKE=stall run latency --format full -n 10000 --json "$tmp/r.json"
has "no interval of a mean that a few long samples decide" out '^ Not certain    : a few long samples decide the mean: no interval$'
json "... in JSON" '.points[0].metrics.latency | .few_decide and (has("interval") | not) and (has("independent") | not)'
json "... and percentiles keep theirs" '.points[0].metrics.latency.confidence | has("50")'
run FAKE=step run latency --format full -n 10000 --json "$tmp/r.json"
has "a percentile that sits on a step" out '^ Step           : 50 % is at a step, at most [0-9.]* us or at least [0-9.]* us$'
json "... is in a list" '.points[0].metrics.latency.confidence.steps == ["50"]'
json "... in JSON" '.points[0].metrics.latency.confidence["50"] | .step.low >= .low and
	.step.low < .step.high and .step.high <= .high'
run run latency --format full -n 10000 --until 5 --json "$tmp/r.json"
quiet "until"
json "... reached" '.points[0].metrics.latency | .until_reached and
	(.confidence | has("50") and has("99"))'
has "... what is not supported" out '^ Not supported  : 99\.9 % by 10000 samples$'
run run latency -n 10000 --until 1 --json "$tmp/r.json"
report $rc "until: not reached is no failure"
json "... is said" '.points[0].metrics.latency.until_reached == false and (.partial | not)'
has "... in words" err 'until: 10000 samples did not bring p50 and p99 to within 1 %'
run run latency --format full -n 10000 --until 5 --until-percentile 90 --json "$tmp/r.json"
json "... another percentile" '.points[0] | .metrics.latency.until_reached and
	(.metrics.latency.confidence | has("50") and has("90")) and
	.parameters["until-percentile"] == 90 and .parameters["until-time"] == 1000000000'
has "... in text" out '^ 95 % certain   : 50 % at .* 90 % at .*, each, 10 batches of 1000$'
run run latency -n 10000 --until 1 --until-percentile 99.9
has "... not reached" err 'until: 10000 samples did not bring p99.9 to within 1 %'
run run latency -n 10000 --until 1 --until-percentile 99.99 --json "$tmp/r.json"
has "... with hundredths" err 'until: 10000 samples did not bring p99.99 to within 1 %'
json "... in JSON" '.points[0].parameters["until-percentile"] == 99.99'
run run latency --until 1 --until-percentile 100
refused "... not all" 2 'until-percentile: 100 is out of range; accepted: 0.1 to 99.99'
run run latency -n 1000 --until-percentile 90
has "... without until" err 'until-percentile: only with until'
run FAKE=beyond run latency --format full -n 1000 --threshold 5us --json "$tmp/r.json"
report $((rc != 1)) "threshold"
has "... in text" out '^ PARTIAL: stopped, sample 501 took 7000 ns, threshold 5000 ns; disturbed by tick, softirq, after 501 of 1000 operations$'
json "... in JSON" '.partial and .points[0].parameters.threshold == 5000 and
	(.reason | startswith("stopped, sample 501 took"))'

# tracefs NAME SYSTEM...: where the kernel traces, with events of these
tracefs()
{
	local dir=$tmp/$1 file system

	shift
	mkdir -p "$dir/instances" "$dir/last" "$dir/template/events/icbench/icb_beyond"
	for file in tracing_on buffer_size_kb trace events/icbench/icb_beyond/trigger; do
		echo >"$dir/template/$file"
	done
	for system in "$@"; do
		mkdir -p "$dir/template/events/$system"
		echo 0 >"$dir/template/events/$system/enable"
	done
	export FAKE_TRACEFS=$dir
}

run FAKE=beyond run latency -n 1000 --threshold 5us
has "... not traced" err '^icbenchctl: trace: no tracefs at /nonexistent: .*; the run is not traced$'
trace=$tmp/trace.txt
tracefs tracing icbench sched/sched_{switch,waking,wakeup,wakeup_new,migrate_task} \
	irq irq_vectors timer workqueue
run FAKE=beyond run latency -n 1000 --threshold 5us --format full --trace "$trace" --json "$tmp/r.json"
[ "$rc" -eq 1 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ]
report $? "trace"
has "... in text" out "^ Trace          : $trace, without events of ipi\$"
json "... in JSON" ".trace == \"$trace\""
head -n 1 "$trace" | grep -q "^# icbench trace: .*icbenchctl-fake run latency -n 1000 --threshold 5us"
report $? "... whose it is"
[ "$(sed -n '2p;3p' "$trace")" = "# $(jq -r .reason "$tmp/r.json")
# without events of ipi" ] && [ "$(tail -n 1 "$trace")" = "icb_beyond: id=1 owner=7 sample=501 ns=14000 ago=90" ]
report $? "... and what is in it"
[ "$(stat -c %a "$trace")" = 600 ]
report $? "... for its owner"
[ -z "$(ls "$tmp/tracing/instances")" ]
report $? "... and no instance is left"
(cd "$tmp/tracing/last" && [ "$(find events -name enable -exec cat {} + | sort | uniq -c)" = "     10 1" ] && [ "$(cat buffer_size_kb)" -ge 64 ] &&
	grep -qxE 'traceoff if owner == [1-9][0-9]*' events/icbench/icb_beyond/trigger)
report $? "... in which all was as it should be"
# one that a killed run has left, one of a run that goes on, and somebody else's
mkdir "$tmp"/tracing/instances/{icbench-1,icbench-2,mine}
exec 8<"$tmp/tracing/instances/icbench-2"
flock 8
run FAKE=beyond run latency -s 1..4 -n 1000 --threshold 5us --trace "$trace" --json "$tmp/r.json"
exec 8<&-
[ "$(cd "$tmp/tracing/instances" && echo *)" = "icbench-2 mine" ]
report $? "trace: what was left is taken away, what is used stays"
rm -r "$tmp"/tracing/instances/{icbench-2,mine}
[ "$rc" -eq 1 ] && sed -n 2p "$trace" | grep -q '^# size=1: stopped, sample 501 took 7000 ns'
report $? "trace of a sweep, beside another one: the first that stops replaces what was there"
[ -z "$(ls "$tmp/tracing/instances")" ]
report $? "... and no instance is left"
rm "$trace"
run run latency -n 1000 --threshold 5us --trace "$trace" --json "$tmp/r.json"
quiet "trace: nothing beyond"
has "... is said" out '^ Trace          : none, no sample was above the threshold$'
json "... in JSON" 'has("trace") | not'
[ ! -e "$trace" ]
report $? "... there is no file"
run FAKE=beyond run latency -n 1000 --threshold 5us --trace no --json "$tmp/r.json"
[ "$rc" -eq 1 ] && ! grep -q Trace "$tmp/out" && jq -e 'has("trace") | not' "$tmp/r.json" >/dev/null
report $? "trace no"
run FAKE_FAIL=5:broken run latency -n 100000 --threshold 5us --trace "$trace"
[ "$rc" -eq 1 ] && [ ! -e "$trace" ] && [ -z "$(ls "$tmp/tracing/instances")" ]
report $? "trace of a run that fails: none, and nothing is left"
run run latency -n 1000 --trace "$trace"
refused "trace without threshold" 2 'trace: needs threshold'
for name in "" -; do
	run run latency -n 1000 --threshold 5us --trace "$name"
	refused "trace to \"$name\"" 2 "trace: .*accepted: the name of a file, no\$"
done
run run latency -n 1000 --threshold 5us --trace "$tmp/nosuch/trace"
refused "trace to no directory" 2 'trace: cannot write .*/nosuch/trace: No such file'
echo precious >"$tmp/precious"
run run latency -n 1000 --threshold 5us --trace "$tmp/precious"
refused "trace to a file that is there" 2 'precious exists, and is not a trace of this user; accepted: --trace with another file$'
run run latency -n 1000 --threshold 5us --trace "$tmp/r.txt" --json "$tmp/./r.txt"
refused "trace and result to one file" 2 'both to .*/r.txt; accepted: two files$'
tracefs few sched
run run latency -n 1000 --threshold 5us --trace "$trace"
refused "trace: none of icbench" 3 'trace: this kernel has no events of icbench$'
root secretive
echo "none integrity [confidentiality]" >"$lockdown"
run run latency -n 1000 --threshold 5us --trace "$trace"
refused "trace of a kernel that is locked down" 3 'trace: .*lockdown (confidentiality) forbids tracing; accepted: --trace no, or a boot with lockdown=integrity$'
run run latency -n 1000 --threshold 5us
[ "$rc" -eq 0 ] && grep -q '^icbenchctl: trace: .*lockdown.*; the run is not traced$' "$tmp/err"
report $? "... that nobody has asked for"
unset FAKE_ROOT
unset FAKE_TRACEFS
run run latency -n 1000 --threshold 5us --trace "$trace"
refused "trace: a kernel without" 3 'trace: no tracefs at /nonexistent: '
run suite thesis03 --list --trace x
refused "trace of a suite" 2 'suite: unknown option --trace'
run run latency -n 1000 --threshold 0
refused "... 0" 2 'threshold: .*accepted: 1 to 3600000000000 ns'
run run latency --format full -n 1000 --cpu-latency-qos 5us --json "$tmp/r.json"
quiet "cpu-latency-qos"
has "... in text" out '^ Idle exit      : 5us  '
json "... in JSON" '.points[0].parameters["cpu-latency-qos"] == 5000'
run run latency -n 1000 --cpu-latency-qos 2s
refused "... too long" 2 'cpu-latency-qos: .*accepted: 0 to 1000000000 ns$'
run run latency -n 1000 --threshold 3600s
report $rc "... the largest that keys.rst names"
grep -q '^    End at .* 1ns to 3600s, ' ../../Documentation/man/keys.rst
report $? "... which it does"
run FAKE=beyond run bandwidth -n 1000 --threshold 5us
report $((rc != 1)) "... of a stream"

# sysfs NAME [CPU...]: four CPUs in two cores, those named as they should be
sysfs()
{
	local dir=$tmp/$1 cpu siblings=("0,2" "1,3" "0,2" "1,3")

	shift
	for cpu in 0 1 2 3; do
		mkdir -p "$dir/cpu$cpu/topology" "$dir/cpu$cpu/cpufreq"
		echo "${siblings[cpu]}" >"$dir/cpu$cpu/topology/thread_siblings_list"
		echo schedutil >"$dir/cpu$cpu/cpufreq/scaling_governor"
	done
	for cpu; do
		echo "$cpu" >"$dir/cpu$cpu/topology/thread_siblings_list"
		echo performance >"$dir/cpu$cpu/cpufreq/scaling_governor"
	done
	(IFS=,; echo "$*" | tee "$dir/isolated") >"$dir/nohz_full"
}
sysfs busy
echo "(null)" >"$tmp/busy/nohz_full"
sysfs good 2 3
for v in yes 1 ""; do
	run run latency --isolate "$v"
	refused "isolate \"$v\"" 2 'isolate: .*accepted: no, warn, require'
done
run run latency --isolate warn
refused "isolate: whichever CPU" 2 'isolate: needs cpu, .*accepted: cpu, without a peer also peer-cpu, or isolate no'
run run latency --isolate require --cpu 1
refused "isolate: whichever CPU of the responder" 2 'isolate: needs peer-cpu'
run FAKE_CPUS="$tmp/busy" run latency --isolate require --cpu 1,2 --peer-cpu 3 --json "$tmp/none.json"
[ "$rc" -eq 3 ] && [ ! -s "$tmp/out" ] && [ ! -e "$tmp/none.json" ] && [ "$(wc -l <"$tmp/err")" -eq 12 ]
report $? "isolate: required"
has "... isolated" err "^icbenchctl: isolate: CPU 1 is not isolated .*accepted: an isolated CPU (none), or isolcpus=1 on"
has "... the tick" err "^icbenchctl: isolate: CPU 2 has the scheduler's tick; accepted: .*(none), or nohz_full=2 on"
has "... its core" err "^icbenchctl: isolate: CPU 3 shares its core (CPUs 1,3); accepted: nosmt .*echo 0 > $tmp/busy/cpu1/online$"
has "... its governor" err "^icbenchctl: isolate: CPU 3 has governor schedutil, .*accepted: echo performance > "
run FAKE_CPUS="$tmp/busy" run latency -n 1000 --isolate warn --cpu 1 --peer 10.0.0.9 --json "$tmp/r.json"
[ "$rc" -eq 0 ] && [ "$(grep -c '^icbenchctl: isolate: CPU 1 ' "$tmp/err")" -eq 4 ] &&
	[ "$(wc -l <"$tmp/err")" -eq 4 ]
report $? "isolate: a warning"
json "... in JSON" '.environment | .isolate == "warn" and (.isolation | length == 4)'
run FAKE_CPUS="$tmp/good" run latency -n 1000 --isolate require --cpu 2 --peer-cpu 3 --json "$tmp/r.json"
quiet "isolate: nothing found"
json "... in JSON" '.environment | .isolate == "require" and .isolation == []'
cp -r "$tmp/good" "$tmp/ticking"
echo 0 >"$tmp/ticking/nohz_full"
echo userspace >"$tmp/ticking/cpu3/cpufreq/scaling_governor"
run FAKE_CPUS="$tmp/ticking" run latency -n 1000 --isolate require --cpu 2 --peer-cpu 3 --json "$tmp/r.json"
[ "$rc" -eq 0 ] && [ "$(grep -c "^icbenchctl: isolate: CPU [23] has the scheduler's tick" "$tmp/err")" -eq 2 ] &&
	[ "$(wc -l <"$tmp/err")" -eq 2 ]
report $? "isolate: a tick is said, and bars nothing"
json "... in JSON" '.environment | .isolate == "require" and (.isolation | length == 2)'
run FAKE_CPUS="$tmp/good" run latency-under-load --isolate warn --cpu 2 --peer-cpu 3
refused "isolate: whichever CPU of the load" 2 'isolate: needs load.cpu, .*accepted: load.cpu, without a peer also load.peer-cpu, or isolate no'
run FAKE_CPUS="$tmp/good" run latency-under-load --isolate require --cpu 2 --peer-cpu 3 --load.cpu 1 --load.peer-cpu 2
[ "$rc" -eq 3 ] && grep -q "^icbenchctl: isolate: CPU 1 is not isolated" "$tmp/err"
report $? "... it is looked at, too"
{ echo "title = x"; echo "isolate = require"; echo "cpu = 1"; echo "peer-cpu = 3"; } >"$tmp/iso.icb"
run FAKE_CPUS="$tmp/busy" run "$tmp/iso.icb"
report $((rc != 3)) "isolate: a recipe"
run FAKE_CPUS="$tmp/busy" run "$tmp/iso.icb" --isolate no -n 1000 --json "$tmp/r.json"
quiet "... over which the command line prevails"
json "... in JSON" '.environment | has("isolate") or has("isolation") | not'
run show "$tmp/iso.icb"
has "... shown" out '^The isolation of its CPUs is checked: isolate=require\.$'
echo "isolate = no" >>"$tmp/iso.icb"
run run "$tmp/iso.icb"
refused "... twice" 2 'iso.icb:5: isolate: set twice'
run run latency --format full -n 1000 -s 128 --json "$tmp/r.json"
json "tail" '.points[0].metrics.latency.tail == {
	"all": {"samples": 1000, "tick": 500, "softirq": 250, "steal": 0, "unexplained": 500},
	"99": {"samples": 100, "tick": 50, "softirq": 25, "steal": 0, "nmi": 9, "unexplained": 50,
		"present": {"tick": 50, "ipi": 25}, "by_length": {"tick": 2, "ipi": 25}}}'
has "tail in text, each cause that explains a tenth" out '^ Above 99 %     : 100 samples, tick 50.0 % (2.0 % by length), softirq 25.0 %, unexplained 50.0 %$'
has "all samples in text" out '^ Of all         : 1000 samples, tick 50.0 %, softirq 25.0 %, undisturbed 50.0 %$'
json "resolution of the clock" '.environment.clock_step_ns == 1'
run FAKE=coarse run latency --format full -n 10
has "... in text, where it is coarse" out '^ Clock *: tsc, 11.2 ns a read, in steps of 40.0 ns '
json "scalar" '.points[0].metrics.message_rate == {"unit": "1/s", "value": 200000}'
json "disturbance" '.points[0].disturbance == {"interrupts": 12}'
run run -n10 latency --verb=write --verify -D 1 --json -
refused "iterations and duration, any order" 2 "not together"
run run latency --verb WRITE --verify --json - -n 10
quiet "flag without value"
cp "$tmp/out" "$tmp/r.json"
json "only JSON on standard output" '.points[0].parameters
	| .verb == "write" and .completion == "memory" and .verify'
run run latency --verify no --json - -n 10
cp "$tmp/out" "$tmp/r.json"
json "flag with value" '.points[0].parameters.verify == false'
run run latency -D 20ms --json /dev/stdout
cp "$tmp/out" "$tmp/r.json"
json "duration" '.points[0].parameters | .duration == 20000000
	and (has("iterations") | not)'
# a name, where this machine has one for itself
peer=127.0.0.1
! getent ahosts localhost >/dev/null || peer=localhost
run run latency -n 10 --token-file <(echo hushhushhush) $peer --json -
quiet "with a secret"
cp "$tmp/out" "$tmp/r.json"
json "peer resolved" '.points[0].parameters.peer | test("^(127.0.0.1|::1)$")'
! grep -q hushhushhush "$tmp/out"
report $? "secret not told"
# a name may be as long as it likes: what is sent is the address
run run latency -n 10 "$(printf '%0250d' 0)177.0.0.1" --json "$tmp/r.json"
quiet "a long name of a host"
json "... and what is sent" '.points[0].parameters.peer == "127.0.0.1"'
run run bind -d rxe0 -d rxe1 --peer "$(printf '%0250d' 0)177.0.0.1" --peer 10.0.0.3 -n 10 -s 1K --json "$tmp/r.json"
quiet "... one of two"
json "... and what is sent" '.points[0].parameters.peer == "127.0.0.1,10.0.0.3"'
run run latency -n 10 ::ffff:10.0.0.3 --json "$tmp/r.json"
quiet "an address as devices lists it"
json "... is one of IPv4" '.points[0].parameters.peer == "10.0.0.3"'
for v in "-as 64" "-s 64 -a" "-a --size 1,2" "--size=64 -n 10 -a"; do
	# shellcheck disable=SC2086 # several words
	run run latency $v
	refused "all sizes, and a size: $v" 2 'size: set by -a and by --size; accepted: one of them$'
done
run run latency -n 10 -aa
quiet "-a twice"
run run latency -n 10 -a --csv -
has "-a: largest" out ",latency,21,no,echo,send,rc,4194304,\|,latency,22,no,echo,send,rc,8388608,"
run run latency -n 10 --verb write -a --csv -
has "-a: up to the limit of the device" err "size: measured up to 2M, because rxe0 supports"
has "-a: the largest" out ",write,rc,2097152,"
! grep -q ",write,rc,4194304," "$tmp/out"
report $? "-a: no larger"
run run latency -n 10 -s 16M
refused "too large for the device" 2 "size: 16777216 is too large for verb send"
run run latency -n 10 -s 1,4M --verb write -d rxe1
refused "too large in a sweep" 2 "size: 4194304 .* verb write on rxe1"
# what a recipe goes through, up to the limit of the device; not what the user gives
run FAKE=fewsges run segments-max -n 10 --json "$tmp/r.json"
has "segments-max: up to the limit of the device" err "max-sges: measured up to 4, because rxe. supports at most 6"
json "segments-max: no further" '[.points[].parameters["max-sges"]] == [1, 2, 4]'
run FAKE=fewsges run segments-max --max-sges 1,8
refused "segments-max: what was asked for" 2 "max-sges: 8 is more than rxe. takes"
run FAKE=nolimit run latency -n 10 --verb write -a --csv -
quiet "-a: no limit known"

# progress in a log: a line each 10 s
run run latency -s 64,128 -D 7s
[ "$rc" -eq 0 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
	grep -qE '^icbenchctl: progress: size=128: measuring +[0-9]+ %, [0-9]+/s, [0-9]+ s left$' "$tmp/err"
report $? "progress: a line after 10 s"
run run latency -D 11s --quiet
quiet "progress: none with --quiet"

# less and nothing
run run latency --format full -n 10 --verb write -a --quiet
quiet "--quiet: no remarks"
has "... but the result" out "^ 2097152 "
run run latency -n 10 --quiet --json "$tmp/r.json"
[ "$rc" -eq 0 ] && [ ! -s "$tmp/out" ] && [ ! -s "$tmp/err" ] && jq -e '.points | length == 1' "$tmp/r.json" >/dev/null
report $? "--quiet: nothing beside a file"
run run latency -s 16M --quiet
refused "--quiet: an error is printed" 2 "size: 16777216 is too large"
run run latency --quiet=1
refused "--quiet with a value" 2 "--quiet: takes no value"
run suite hoti04 -n 10 --warmup 1 --quiet -o "$tmp/quiet"
quiet "--quiet: a suite"
run suite hoti04 -n 10 --warmup 1 --quiet -o "$tmp/quiet"
quiet "... of which all is saved"
run FAKE=nomodule run blocking -n 100 --size 64,4K --dry-run
quiet "--dry-run: without the module"
has "... the number of runs" out "^8 points, 24 runs, in turns (A B B A)\$"
has "... the keys" out "^ .*iterations=100"
has "... a point" out "^     3  size=4096 completion=softirq\|^     3  completion=softirq size=4096\|^     3  size=4K completion=softirq"
has "... the remark" out "^that the device does not support are left out"
run run logp --dry-run --json "$tmp/dry.json"
quiet "--dry-run: sections"
has "... a point of a section" out "^ .*\[bytes\] size="
[ ! -e "$tmp/dry.json" ]
report $? "... no file is written"
run run latency --dry-run --verb send,write --completion memory
refused "--dry-run: what is refused" 2 "verb=send"
run run latency --load.trigger completion --dry-run
has "--dry-run: a load" out "^     1  load:yes\$"
run run latency --dry-run
has "--dry-run: one point" out "^1 point, 1 run\$"
run suite hoti04 --dry-run
mv "$tmp/out" "$tmp/dry"
run suite hoti04 --list
cmp -s "$tmp/out" "$tmp/dry"
report $? "--dry-run: of a suite, its commands"

# sweeps
run run blocking --format full -n 100 --repeat 1 --json "$tmp/r.json" --csv "$tmp/r.csv"
quiet "blocking"
json "four ways" '[.points[].parameters.completion]
	== ["poll", "softirq", "workqueue", "block"]'
json "none of the baseline" '.points[0].metrics | has("overhead") | not'
json "overhead" '.points[3].metrics.overhead == {"unit": "ns", "value": 20000,
	"p50": (.points[3].metrics.latency.percentiles["50"]
		- .points[0].metrics.latency.percentiles["50"]),
	"baseline": "completion=poll"}'
has "overhead in text" out "block .* +20\.000$"
[ "$(wc -l <"$tmp/r.csv")" -eq 20 ]
report $? "CSV: head, 4 x 4 metrics, 3 overheads"
python3 - "$tmp/r.csv" <<'PY' 2>>"$tmp/err"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
assert len({len(r) for r in rows}) == 1 and None not in rows[0]
lat = [r for r in rows if r["metric"] == "latency"]
assert [r["completion"] for r in lat] == ["poll", "softirq", "workqueue", "block"]
assert float(lat[0]["min"]) == 5000 and lat[0]["value"] == ""
over = [r for r in rows if r["metric"] == "overhead"]
assert [float(r["value"]) for r in over][2] == 20000
PY
report $? "CSV: parsed"
json "one run: as it ever was" '.points | all(has("repeat") or has("runs") | not)'
has "... and a word that it has no interval" out "^ overhead: t_avg .*; no interval, because each point was run once (--repeat 3)\$"

run run logp -n 30 --warmup 1 --csv "$tmp/other.csv"
quiet "CSV: another benchmark"
(head -n 1 "$tmp/r.csv" && tail -q -n +2 "$tmp/r.csv" "$tmp/other.csv") >"$tmp/both.csv"
if /usr/bin/python3 -W ignore -c 'import pandas' 2>/dev/null; then
	/usr/bin/python3 -W ignore - "$tmp"/{r,other,both}.csv <<-'PY' 2>>"$tmp/err"
	import sys
	import pandas

	one, other, both = (pandas.read_csv(name) for name in sys.argv[1:])
	assert list(one.columns[:5]) == ["section", "kernel", "release", "version", "time"]
	assert list(one.columns) == list(other.columns) and len(both) == len(one) + len(other)
	assert (both.dtypes[["value", "count", "mean", "p99.9", "size"]] == "float64").all()
	assert not both[["kernel", "release", "version", "time", "metric"]].isna().any().any()
	assert (pandas.to_datetime(both.time).dt.year > 2000).all()
	mean = both[both.metric == "latency"].set_index(["benchmark", "completion"])["mean"]
	assert (mean["blocking"] > 5000).all()
	assert set(other.section.dropna()) == {"message", "receive", "rate", "bytes"}
	assert one.section.isna().all()
	PY
	report $? "CSV: a table of pandas, also two files in one"
else
	count=$((count + 1))
	echo "ok $count - CSV: a table of pandas, also two files in one # skip no python3-pandas"
fi

# several runs of each point
run run blocking --format full -n 100 --json "$tmp/r.json" --csv "$tmp/r.csv"
quiet "three runs of each, where something is subtracted"
json "... in one point each" '[.points[].parameters.completion]
	== ["poll", "softirq", "workqueue", "block"] and all(.points[]; .repeat == 3)'
json "... of all samples" 'all(.points[]; .metrics.latency.count == 300
	and ([.metrics.latency.histogram[][2]] | add) == 300
	and .metrics.message_rate.value == 200000 and .disturbance.interrupts == 36)'
json "... each run by itself" 'all(.points[]; (.runs | length == 3)
	and all(.runs[]; .outcome == "complete" and .metrics.latency.count == 100
	and (.metrics.latency | has("histogram") | not) and .disturbance.interrupts == 12))'
json "... in turns" '[.points[] | [.runs[].position]] == [[0, 7, 8], [1, 6, 9], [2, 5, 10], [3, 4, 11]]'
json "... with intervals" '.points[3].metrics | .latency.confidence["50"].runs == 3
	and .latency.interval.low <= .latency.mean and .message_rate.interval.runs == 3
	and .overhead.value == 20000 and .overhead.low <= 20000 and .overhead.high >= 20000
	and .overhead.p50_low < .overhead.p50 and .overhead.p50_high > .overhead.p50
	and .overhead.distinguishable'
has "... in text" out " Runs  *: 3 of each, in turns (A B B A)"
has "... the interval" out "block .* +20\.000 *+20\.000\.\.+20\.000$"
# 4 metrics of a point and of each run, 3 overheads and their ends
[ "$(wc -l <"$tmp/r.csv")" -eq $((1 + 4 * 4 * 4 + 3 * 3)) ] && grep -q ',run3\.latency,ns,,100,' "$tmp/r.csv" &&
	grep -q ',overhead\.low,ns,20000,' "$tmp/r.csv"
report $? "... in CSV"
run run latency --format full -n 100 --repeat 2 --samples 3 --workers 2 --load.trigger completion --json "$tmp/r.json"
quiet "two runs of what has workers and a load"
json "... which each run has" '.points | length == 2 and all(.[]; (has("workers") | not)
	and .metrics.latency.count == 400 and all(.runs[]; (.workers | length == 2)
	and all(.workers[]; .metrics.latency.samples | length == 3)))
	and all(.[1].runs[]; .load.metrics | has("bandwidth")) and .[1].load.metrics.bandwidth.value > 0'
has "... in text" out "Workers *: 2"
run run latency --format full -n 100 --repeat 3 --json "$tmp/r.json"
has "one point: how far it can be trusted" out "^ 95 % certain   : by 3 runs, t_avg at [0-9.]*\.\.[0-9.]* us, 50 % at "
run run bandwidth --format full -n 10 --repeat 3
has "... of a stream" out "^ 95 % certain   : by 3 runs, bandwidth at [0-9.]*\.\.[0-9.]* MB/s, message_rate at 200000\.000\.\.200000\.000 1/s\$"
run run bandwidth --format full -n 10 --repeat 3 --size-dist uniform -s 64 --seed 7
has "... of runs with one seed" out "^ 95 % certain   : by 3 runs, .* 1/s; all runs had one seed: the variance of random times and sizes is not included\$"
run run bandwidth -n 10 --repeat 3 --size-dist uniform -s 64
! grep -q 'one seed' "$tmp/out"
report $? "... of runs with a seed each"
run run completion-modes --format full -n 100 --warmup 1 --json "$tmp/r.json"
quiet "what is worked out of several runs"
json "... has intervals" '.points[3].derived.advice | .cost.low <= .cost.value and .cost.high >= .cost.value
	and .cost.distinguishable and (.latency | has("low"))'
json "... what was set has none" '[.derived // {} | .. | objects | select(has("low"))] == []'
has "... in text" out "^ cost  *: .*; 95 % certain: "
run run completion-modes --format full -n 100 --warmup 1 --repeat 1 --json "$tmp/r.json"
has "... of one run each, a word that it has none" out "^ No interval *: each point was run once (--repeat 3)\$"
json "... nor ties" 'all(.points[]; .derived.advice // {} | (has("tied") or ([.[] | objects | has("low")] | any)) | not)'
for n in 0 101 10000 -1 2.5 many ""; do
	run run latency --repeat "$n"
	refused "repeat \"$n\"" 2 "repeat: .*accepted"
	run suite hoti04 --repeat "$n" --list
	refused "suite: repeat \"$n\"" 2 "repeat: .*accepted"
done
run run latency --repeat
refused "repeat how often?" 2 "needs a value"
run run latency --size 1..5000+1 --repeat 3
refused "more runs than there may be" 2 "repeat: 3 runs of each of 5000 points are more than 10000; accepted: fewer values, or repeat 1\$"
{ echo "title = x"; echo "repeat = 2"; } >"$tmp/twice.icb"
run run "$tmp/twice.icb" -n 10 --json "$tmp/r.json"
json "repeat: a recipe" '[.points[].repeat] == [2]'
run run "$tmp/twice.icb" -n 10 --repeat 4 --json "$tmp/r.json"
json "... over which the command line prevails" '[.points[].repeat] == [4]'
run show "$tmp/twice.icb"
has "... shown" out "^Each point is run 2 times, in turn with the others\.$"
has "... all of its runs" out "^Runs: 2\. "
run "FAKE_FAIL=110:no progress for 10 s" run latency -s 1,2 -n 1000 --repeat 2 --json "$tmp/r.json"
[ "$rc" -eq 1 ] && grep -q "^icbenchctl: size=1, run 1 of 2: no progress for 10 s" "$tmp/err"
report $? "a run that fails says which it is"
json "... and is in its point" '.partial and (.points | length == 1) and .points[0].repeat == 1
	and .points[0].runs[0].outcome == "failed" and .points[0].metrics.latency.count < 1000'

run run blocking -n 100 --completion block,poll --size 1,2 --json "$tmp/r.json"
json "baseline first, last key fastest" '[.points[].parameters
	| [.completion, .size]] == [["poll", 1], ["poll", 2], ["block", 1],
	["block", 2]]'
json "each has its own" '.points[2:] | all(.metrics.overhead.value == 20000)'
run run blocking -n 100 -e --json "$tmp/r.json"
json "no baseline, no overhead" '.points | length == 1 and
	(.[0].metrics | has("overhead") | not)'
run run overhead-bandwidth --compute 1ms,2ms -n 10 --json "$tmp/r.json"
quiet "a time to compute instead of a share"
json "... and no share" '[.points[].parameters | [.compute, has("compute-share")]]
	== [[1000000, false], [2000000, false]] and (has("knees") | not)'
run run overhead-bandwidth -n 10 --compute-share 0,50 --json "$tmp/r.json"
quiet "a share"
json "... and where it falls, which is nowhere" '.knees | length == 1 and
	.[0].holds == 50 and (.[0] | has("falls") | not)'
run run overhead-bandwidth --format full -n 10 --compute-share 0,99..99.6+0.5 --json "$tmp/r.json" --csv "$tmp/r.csv"
quiet "tenths of a share"
json "... in JSON" '([.points[].parameters["compute-share"]] == [0, 99, 99.5]) and .knees[0].holds == 99.5'
has "... in text" out "^ 262144 .* 99\.5 "
has "... the knee" out "^ Knee .* up to compute-share=99\.5$"
has "... in CSV" r.csv ",99\.5,"
run run overhead-bandwidth -n 10 --compute-share 99.55
refused "... and no less than that" 2 "compute-share: \"99.55\" is not a share; accepted: per cent, "
run run bilatency --format full -n 1000 --json "$tmp/r.json"
quiet "messages that cross"
json "... have no interval of percentiles" '.points[0].metrics.latency | has("interval") and (has("confidence") | not)'
has "... which the text says" out "^ Alternating    : "
run run logp -n 30 --warmup 1 --json "$tmp/r.json"
quiet "several measurements"
json "... in their order, with what each is" '[.points[] | [.section, .parameters.trigger,
	.parameters.size]] == [["message", "echo", 8], ["receive", "return", 8],
	["rate", "completion", 8],
	["bytes", "completion", 16384], ["bytes", "completion", 32768],
	["bytes", "completion", 65536], ["bytes", "completion", 131072]]'
# half of the round trip is 5353, less 301 and 100
json "... and what is worked out of them" '.derived.loggp | ([.[].unit] ==
	["ns", "ns", "ns", "ns", "ns/B", "ns", "ns", "%"]) and
	(.L.value | . > 4951 and . < 4966) and .o_s.value == 301 and
	.o_r.value == 100 + .o_r_repost.value and .o_r_repost.value > 10000 and
	.g.value == 5000 and (.G.value * 16 | . > 0.999 and . < 1.001) and
	(.G_intercept.value | . > 4990 and . < 5010) and .G_r2.value > 99.99'
run run logp --format full -n 30 --warmup 1
quiet "... in text"
has "... a table for each" out "^ \[rate\]\$"
has "... what is worked out" out "^ o_s  *:  *0\.301 us  *overhead of sending"
has "... with its unit" out "^ G  *:  *0\.06[23] ns/B "
run run logp -n 30 --warmup 1 --csv -
quiet "... in CSV"
has "... a row of no point" out ",logp,,no,,.*,loggp\.o_r,ns,10[0-9]*\.[0-9]*,,"
[ "$(sed 's/[^,]//g' "$tmp/out" | sort -u | wc -l)" -eq 1 ]
report $? "... of as many columns as all others"
run run logp -n 3 --warmup 1 -s 16 --json "$tmp/r.json"
json "what sections share is overridden" '[.points[].parameters.size]
	== [16, 16, 16, 16384, 32768, 65536, 131072]'
run run logp --trigger echo
refused "... and what they say is not" 2 "trigger: section \[message\] of the recipe sets it; accepted: "
run run logp -s 8,16
refused "... nor swept" 2 "derive: \[message\] makes 2 runs, and loggp needs one; accepted: "
run run logp --load.trigger completion
refused "... nor done beside a load" 2 "derive: \[message\] makes 2 runs, "
run run logp -b
refused "... nor both ways" 2 "derive: in \[message\] messages cross; accepted: "
run run logp --verb write
refused "a refusal says in which section" 2 "\[message\] completion: poll is not possible"
run run completion-modes -n 30 --warmup 1 --json "$tmp/r.json"
quiet "which mode to choose"
json "... of six, and what is measured beside them" '[.points[].section] == ["modes", "modes", "modes", "modes",
	"modes", "modes", "stages", "floor"]'
json "... the floor has what is in common only as far as it has a meaning there" '.points[7].parameters |
	.verb == "floor" and .iterations == 1000 and (has("size") or has("transport") | not)'
for key in latency cpu; do
	run run completion-modes --budget-$key 0
	refused "budget-$key: nothing" 2 "budget-$key: 0 is out of range; accepted: 1 to 3600000000000 ns"
	run run completion-modes --budget-$key=3601s
	refused "budget-$key: too much" 2 "budget-$key: 3601000000000 is out of range"
	run run completion-modes --budget-$key 5KB
	refused "budget-$key: no time" 2 "budget-$key: \"5KB\" is not a time; accepted: "
	run run completion-modes --budget-$key
	refused "budget-$key: what?" 2 "needs a value"
	run run latency --budget-$key 5us
	refused "budget-$key: where nothing is chosen" 2 "budget-$key: this benchmark does not choose a mode; accepted: "
done
run show completion-modes
has "which mode to choose: shown" out '^  pareto  *no,yes '
run run latency -n 30 --samples 11 --json "$tmp/r.json"
json "samples, in order" '.points[0].metrics.latency | .samples == [range(11) | . % 7 * 125 + 5000]'
run FAKE=nosamples run latency -n 30 --samples 11
refused "an answer without samples" 1 "lacks samples of "
run FAKE=manysamples run latency -n 30 --samples 11
refused "more samples than values" 1 "has more samples than there can be"
run run latency --overhead --completion poll -n 10 --json "$tmp/r.json"
json "a switch" '.points[0].parameters.overhead == true'
run run latency --format full -n 10 --verb send,write --json "$tmp/r.json"
has "what varies by default has a column" out "#iterations verb  completion"
json "both" '[.points[].parameters.completion] == ["poll", "memory"]'

# verbs in which the other side takes no part
run run latency -n 10 --verb send,read,fetch-add,cmp-swap --json "$tmp/r.json"
quiet "each verb has defaults of its own"
json "sizes" '[.points[].parameters.size] == [64, 64, 8, 8]'
json "completions" '[.points[].parameters | ."signal-every"] == [512, 1, 1, 1]'
json "halved or not" '[.points[].metrics.latency.min] == [5000, 10000, 10000, 10000]'
run run latency --format full -n 10 --verb read
has "round trip in text" out "Latency *: round trip, in us"
run FAKE=iwarp run latency -n 10 --verb read
quiet "what the device has"
for v in fetch-add cmp-swap; do
	run FAKE=iwarp run latency -n 10 --verb $v
	refused "$v: no device has it" 2 "verb: $v is not possible on rxe1, which has no atomics; accepted: send, write, read\$"
done
run FAKE=iwarp run latency -n 10 --verb write-imm -d rxe0
refused "write-imm: the device has it not" 2 "verb: write-imm is not possible on rxe0, which has no immediate data; accepted: send, write, read\$"
run FAKE=noverbs run latency -n 10 --verb cmp-swap
quiet "a device that does not tell"
run "FAKE_FAIL=110:no progress for 10 s" run latency --format full -s 1,2 -n 1000 --json "$tmp/r.json"
[ "$rc" -eq 1 ] && grep -q "^icbenchctl: size=1: no progress for 10 s" "$tmp/err"
report $? "a failure ends the sweep"
has "partial in text" out "PARTIAL: no progress"
json "partial in JSON" '.partial and .reason == "no progress for 10 s" and
	(.points | length == 1) and .points[0].metrics.latency.count < 1000'
run FAKE=early run latency -s 1,2 --json "$tmp/r.json"
json "nothing measured" '.partial and .points == []'

# who watches does so where there are stages, and only there
run run completion-modes -n 500 --shadow-cpu 2 --json "$tmp/r.json"
quiet "a shadow in the section with stages"
json "... and in no other" '[.points[] | select(.parameters | has("shadow-cpu")).section] == ["stages"]'
run run logp --shadow-cpu 2
refused "a shadow without stages" 2 'shadow-cpu: only with stages'

# numbers beside the times
{ echo "title = x"; echo "columns = latency,nothing"; } >"$tmp/columns.icb"
run run "$tmp/columns.icb" --format full -n 1000
quiet "columns beside the times"
has "... their titles" out "t_max.us. *latency.us. nothing$"
has "... of a distribution the median" out "^ 64 *1000 *[0-9.]* *\([0-9.]*\) .* \1 *-$"

# streams, messages that cross, timed calls: each recipe that there is
for b in bandwidth bandwidth-window bibandwidth bilatency reuse-fifo reuse-rate descriptor connect connections calibrate; do
	run run $b -n 10 --json "$tmp/r.json"
	quiet "run $b"
	has "... its name" out "^ *$b: "
	json "... in JSON" ".benchmark == \"$b\""
	run show $b
	quiet "show $b"
done
run run bandwidth --format full -n 10 --json "$tmp/r.json"
has "a window in text" out "Window *: 100 *Refill *: 50"
has "rates have columns" out "#iterations *bandwidth.MB/s. *message_rate.1/s. bandwidth_min.MB/s."
has "... of these values" out "^ 65536 *10 *13107 *200000 *6554 "
! grep -q "Latency\|Direction" "$tmp/out"
report $? "... and no latency"
has "what its calls cost" out "^ poll_empty "
json "a window in JSON" '.points[0].parameters | .window == 100 and
	.refill == 50 and .batch == 1 and ."signal-every" == 50 and
	.direction == "uni" and .trigger == "completion"'
json "... its metrics" '.points[0].metrics | has("bandwidth_min") and
	has("bandwidth_median") and has("interval") and (has("latency") | not)'
run run bandwidth -n 10 -t 20 --batch 10 --json "$tmp/r.json"
json "-t is the window" '.points[0].parameters | .window == 20 and
	.refill == 10 and .batch == 10 and ."signal-every" == 10'
run run bandwidth --format full -n 10 --window 1,2,64 --json "$tmp/r.json"
json "a sweep of windows" '[.points[].parameters | [.window, .refill]] ==
	[[1, 1], [2, 1], [64, 32]]'
has "... has a column" out "#iterations window"
run run bandwidth -n 10 -s 8 --verb send,read,cmp-swap --json "$tmp/r.json"
json "each verb streams" '[.points[].parameters | [.verb, .completion]] ==
	[["send", "poll"], ["read", "poll"], ["cmp-swap", "poll"]]'
run run bandwidth -n 10 --verb fetch-add --json "$tmp/r.json"
json "an atomic has its own size, whatever the recipe's" '.points[0].parameters.size == 8'
run run bandwidth --verb fetch-add -s 64K
refused "... but not whatever the user's" 2 "size: 65536 is too large for verb fetch-add; accepted: 8\$"
run run bandwidth --verb write,fetch-add
refused "... nor that of two verbs" 2 "size: 65536 is too large for verb fetch-add; accepted: 8\$"
run run reuse-fifo --format full -n 10 --json "$tmp/r.json"
json "buffers in turn, by size" '[.points[].parameters | select(.size == 4096) | .buffers] == [range(1; 26)]'
has "... have a column" out "#iterations buffers"
run run reuse-rate --format full -n 10 --json "$tmp/r.json"
json "new buffers" '[.points[].parameters | [.reuse, .buffers]] ==
	[[100, 1], [75, 1], [50, 1], [25, 1], [0, 1]]'
has "... against none" out "t_avg minus t_avg of reuse=100"
run run reuse-rate -n 1000000
refused "more than there may be" 2 "iterations: .*accepted: at most "
run run bandwidth --format full -n 10 -b --csv "$tmp/r.csv"
quiet "-b streams both ways"
has "... in text" out "Direction *: bi"
has "... the sum" out "^ 65536 *10 *26214 "
run run bibandwidth -n 10 --json "$tmp/r.json"
has "... too short to be true" out '^ Few windows    : bandwidth of both sides by 0 windows: their start and end may distort it$'
has "... what it needs" out '^ Needed         : 800 iterations for bandwidth$'
json "... in JSON" '.points[0].metrics.bandwidth | .supported == false and .needed == 800'
run run bibandwidth -n 10 -c uc --verb send
has "... where messages may be lost" out '^ Needed         : 5000 iterations for bandwidth$'
run run bibandwidth -n 10 --json "$tmp/r.json"
json "... three runs give an interval" '.points[0] | (.runs | length) == 3 and
	.metrics.bandwidth.interval.runs == 3'
json "bibandwidth streams both ways" '.points[0] |
	.parameters.direction == "bi" and (.metrics | has("bandwidth") and
	(has("bandwidth_min") | not))'
run run bilatency --format full -n 10 --json "$tmp/r.json"
json "what crosses is not halved" '.points[0].metrics.latency.min == 10000'
has "... in text" out "Latency *: one-way, while messages cross, in us"
run run latency -b -n 10 --json "$tmp/r2.json"
quiet "-b crosses messages"
run run register -n 10 --json "$tmp/r.json"
[ "$rc" -eq 0 ] && [ "$(cat "$tmp/err")" = "icbenchctl: size: measured up to 2M, because rxe0 supports at most 2M" ]
report $? "run register: the recipe's sizes, up to the limit of the device"
json "stages of a registration" '[.points[].parameters.size] ==
	[4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288, 1048576, 2097152] and (.points[0].metrics | keys -
	["alloc_mr", "dereg_mr", "interrupts", "local_inv", "map", "map_mr",
	"reg_mr", "register", "unmap"] == [])'
run run register -n 10 -s 4K,4M
refused "... and none that is asked for is left out" 2 "size: 4194304 is too large for verb register on rxe1; "
run run register -n 10 -s 4K
has "... one by one in text" out "^ local_inv "
run run register --format full -n 10 --verbose
has "... of each size" out "^ dereg_mr  *10  *1048576 "
run show register
quiet "show register"
run run descriptor -n 10 --json "$tmp/r.json"
json "calls of a descriptor" '.points[0].metrics | has("descriptor") and
	has("poll_empty") and has("post_send") and has("poll") and
	has("post_recv") and (has("latency") | not)'
run run connect -n 10 --json "$tmp/r.json"
json "transitions of a QP" '.points[0].metrics | has("modify_rtr") and
	has("alloc_pd") and has("dealloc_pd")'
json "... stages of the connection manager" '.points[1].metrics | has("cm_resolve_addr") and
	has("cm_resolve_route") and has("cm_connect") and (has("alloc_pd") | not)'
run run connect --format full -n 10 --verbose
has "... a long name" out "^ cm_resolve_route 10  "
has "... has room in its column" out "^ cost of          #calls .*"
has "... which is that of all" out "^ cm_destroy       10  "
run run latency --window 5
refused "a window of a ping-pong" 2 "window: only with trigger completion"
run run connect --batch 5
refused "a batch of calls" 2 "batch: only with trigger completion; with trigger return"
run run bandwidth --refill 101
refused "more than the window" 2 "refill: 101 is more than the window; accepted: 1 to 100\$"
run run bandwidth --refill 8 --batch 9
refused "more than a refill" 2 "batch: 9 is more than .*accepted: 1 to 8 (refill)\$"
run run bandwidth --signal-every 7
refused "no part of a refill" 2 "signal-every: 7 does not divide refill, 50; accepted: a divisor of 50\$"
run run bandwidth --verify yes -s 16M
refused "more buffers than there can be" 2 "verify: .*accepted: a smaller window or size\$"
run run bandwidth --completion memory
refused "a stream completes" 2 "completion: memory .*accepted: poll, softirq, workqueue, block, adaptive, timer\$"
run run bandwidth --verb register
refused "no message to stream" 2 "verb: register is not possible with trigger completion; accepted: send, .*cmp-swap\$"
run run register --verb send
refused "no calls of a send" 2 "verb: send is not possible with trigger return; accepted: register, descriptor, connect, connect-cm, calibrate, floor\$"
run run connect -b
refused "calls in one direction" 2 "direction: .*accepted: uni\$"
run run latency -b --verb read
refused "a read does not cross" 2 "direction: bi .*verb read.*accepted: uni\$"
run run latency -b --completion softirq
refused "callbacks do not cross" 2 "direction: bi .*completion softirq.*accepted: uni\$"
run run bandwidth --direction both
refused "no such direction" 2 "direction: .*accepted: uni, bi"
for o in "--window 0" "--window 16385" "--refill 0" "--batch 0" "--batch 65"; do
	# shellcheck disable=SC2086
	run run bandwidth $o
	refused "$o" 2 "accepted: 1 to "
done
run "FAKE_FAIL=110:no progress for 10 s" run bandwidth -n 1000 --json "$tmp/r.json"
json "a stream that fails is partial" '.partial and .points[0].metrics.bandwidth'

# where results go
run run latency --format full -n 10 --json /dev/full
[ "$rc" -eq 1 ] && grep -q "No space left" "$tmp/err" &&
	grep -q "^ 64 " "$tmp/out" && [ "$(wc -l <"$tmp/err")" -eq 1 ]
report $? "full disk: told, text still there"
run run latency -n 10 --json "$tmp/no/such"
refused "no directory" 2 "cannot write.*No such file"
run run latency -n 10 --json "$tmp"
refused "is a directory" 2 "cannot write.*directory"
run run latency -n 10 --json ""
refused "no name" 2 "cannot write"
run run latency -n 10 --json - --csv -
refused "both to one" 2 "both to"
run run latency -n 10 --json "$tmp/x" --csv "$tmp/x"
refused "both to one file" 2 "both to"
run run latency -n 10 --json "$tmp/x" --csv "$tmp/./x"
refused "both to one file, by two names" 2 "both to"
ln -s "$tmp/nowhere" "$tmp/dangling"
run run latency -n 10 --json "$tmp/dangling"
refused "a link that leads nowhere" 2 "cannot write.*dangling"
run run latency -n 10 --json /dev/null
quiet "to nowhere"
ln -s r.json "$tmp/link"
run run latency -n 10 --json "$tmp/link"
[ -L "$tmp/link" ] && [ "$rc" -eq 0 ]
report $? "a link stays"
chmod 600 "$tmp/r.json"
run run latency -n 10 --json "$tmp/r.json"
[ "$(stat -c %a "$tmp/r.json")" = 600 ]
report $? "modes stay"
mkfifo "$tmp/fifo"
cat "$tmp/fifo" >"$tmp/r.json" &
run run latency -n 10 --json "$tmp/fifo"
wait $!
json "through a pipe" '.schema == "icbench/1"'
[ -z "$(find "$tmp" -name '.icbench-*')" ]
report $? "nothing left beside"
# nor is what is beside it longer than a name may be
long=$(printf '%0245d.json' 0)
run run latency -n 10 --json "$tmp/$long"
quiet "a file with a name of 250 bytes"
run run latency -n 10 --json "$tmp/$long" --csv "$tmp/${long}12345"
quiet "... and once more, and one of 255"
jq -e '.schema == "icbench/1"' "$tmp/$long" >/dev/null && [ -s "$tmp/${long}12345" ]
report $? "... and what is in them"
run run latency --format full -n 10 --json "$tmp/${long}123456"
refused "a name that is too long" 2 "cannot write .*: File name too long"
(ulimit -f 1; run run latency -n 100 --json "$tmp/big.json"
 [ "$rc" -eq 1 ] && grep -q "cannot write" "$tmp/err") 2>/dev/null
report $? "a file cut short is told of"
[ ! -e "$tmp/big.json" ] && [ -z "$(find "$tmp" -name '.icbench-*')" ]
report $? "... and no half of it is left"
timeout 60 "$ctl" run latency -n 10 >/dev/full 2>"$tmp/err"; rc=$?
[ "$rc" -eq 1 ] && grep -q "standard output" "$tmp/err"
report $? "standard output full"
timeout 60 "$ctl" list >&- 2>"$tmp/err"; rc=$?
[ "$rc" -eq 1 ]
report $? "standard output closed"
{ timeout 60 "$ctl" run latency -n 10000 -s 1..9+1 2>"$tmp/err"
  echo $? >"$tmp/rc"; } | :
rc=$(cat "$tmp/rc")
[ "$rc" -eq 141 ] && [ ! -s "$tmp/err" ]
report $? "nobody reads: ended by SIGPIPE, without a word"
for c in "show latency" list "run --help" "show --keys" jobs devices; do
	# shellcheck disable=SC2086 # several words
	{ sleep 0.2; timeout 60 "$ctl" $c 2>"$tmp/err"
	  echo $? >"$tmp/rc"; } | :
	rc=$(cat "$tmp/rc")
	[ "$rc" -eq 141 ] && [ ! -s "$tmp/err" ]
	report $? "... $c"
done
{ timeout 60 "$ctl" run latency -n 1000 --json "$tmp/unread.json" 2>"$tmp/err"; } | :
jq -e '.partial | not' "$tmp/unread.json" >/dev/null
report $? "... the file has the result"

# a shell ignores the signal for what it starts behind its back, until that waits for it
waits_for_signals()
{
	local i

	for ((i = 0; i < 600; i++)); do
		! grep -q '^SigBlk:.*[2367abef]$' "/proc/$1/status" 2>/dev/null || return 0
		sleep 0.1
	done
}

# how far it is, of all runs
FAKE_RATE=300 timeout 60 script -qefc "$ctl run latency -n 200 --repeat 3" /dev/null </dev/null >"$tmp/out" 2>"$tmp/err"
rc=$?
has "progress: which run of a point, and all of them" out 'run 2 of 3: measuring .*; all: [3-6][0-9] %, [0-9]* s left'

# Ctrl-C
interrupt()
{
	local vars=()

	while [[ $1 == FAKE*=* ]]; do
		vars+=("$1")
		shift
	done
	env "${vars[@]}" "$ctl" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null &
	pid=$!
	waits_for_signals $pid
	sleep 0.7
	kill -INT $pid
	before=$(date +%s%N)
	wait $pid
	rc=$?
	took=$((($(date +%s%N) - before) / 1000000))
}
interrupt FAKE_RATE=1000 run latency -n 1000000 --json "$tmp/r.json"
[ "$rc" -eq 1 ] && [ "$took" -lt 500 ]
report $? "Ctrl-C ends a run at once"
has "... its result in text" out "PARTIAL: stopped by Ctrl-C after [1-9][0-9]* of 1000000"
has "... told on standard error" err "stopped by Ctrl-C"
json "... and in JSON" '.partial and .points[0].metrics.latency.count > 0'
interrupt FAKE_RATE=1000 run blocking -n 100 --repeat 20 --json "$tmp/r.json"
[ "$rc" -eq 1 ] && [ "$took" -lt 500 ]
report $? "Ctrl-C among several runs of each point"
json "... leaves those that were done" '.partial and (.points | length > 0) and all(.points[];
	.repeat == (.runs | length) and .repeat >= 1 and .repeat < 20
	and .metrics.latency.count == ([.runs[].metrics.latency.count] | add))'
[ "$(grep -cE '^ +64 +[0-9]+ +(poll|softirq|workqueue|block) ' "$tmp/out")" -eq "$(jq '.points | length' "$tmp/r.json")" ]
report $? "... in text, too"
interrupt FAKE_RATE=1000 FAKE=mute run latency -D 100 -s 1,2
[ "$rc" -eq 1 ] && [ "$took" -lt 700 ]
report $? "Ctrl-C without events"
interrupt monitor
quiet "monitor until Ctrl-C"
interrupt serve --bind 127.0.0.1 -p 999
quiet "serve until Ctrl-C"
has "... says where" out "^listening on 127.0.0.1 port 999$"
has "... and whom it refused, in one line" out '^refused 10.0.0.9: wants?9 QPs?\[2J$'
interrupt serve
has "serve anywhere" out "^listening on .* port 18515$"
run "FAKE_REFUSE=98:cm-port: 18515 is in use" serve
refused "port in use" 1 "18515 is in use"
run "FAKE_REFUSE=22:bind: not an address of this host" serve --bind 10.9.9.9
refused "not ours" 2 "not an address"
for o in "--port 0" "--port 65536" "--max-qps 0" "--max-memory 1" \
	 "--max-memory 1T" "--bind nosuch.invalid" "--token-file /dev/null" \
	 "--frob" "word" "--port"; do
	# shellcheck disable=SC2086
	run serve $o
	refused "serve $o" 2 ""
done

# suites
run suite
refused "no suite" 2 "no suite given; accepted: ci, hoti04, hoti04-ports, micro02, micro04, thesis03\$"
run suite thesis04
refused "close to a suite" 2 "did you mean thesis03"
run suite hoti04 --sise 1
refused "suite: close to a key" 2 "suite: unknown option --sise; did you mean --size"
run suite hoti04 --json x
refused "suite: no other output" 2 "unknown option --json"
run run latency -o x
refused "run: no directory" 2 "run: unknown option -o"
run suite hoti04 -n 5 -D 1
refused "suite: both lengths" 2 'hoti04.suite:[0-9]*: \[latency-send\]: .*duration: not together'
run suite thesis03 --verb send
refused "suite: not of each experiment" 2 'thesis03.suite:[0-9]*: \[register\]: .*accepted: register'
run suite hoti04 --list -d rxe1
quiet "suite: list"
has "... the command of each" out "^latency-read  *icbenchctl run latency --verb read --warmup 1000 --iterations 10000 --size 4,8,.*,4K --device rxe1\$"
[ ! -e icbench-hoti04 ]
report $? "... and nothing else"
run FAKE=nomodule suite hoti04 -o "$tmp/s"
refused "suite: no module" 3 "modprobe icbench"
run FAKE=nodev suite hoti04 -o "$tmp/s"
[ "$rc" -eq 3 ] && [ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" -eq 2 ]
report $? "suite: no device: no other experiment is tried"
has "... and how to get one" err "rdma link add"
rm -rf "$tmp/s"
run suite hoti04 -n 10 -o "$tmp/no/such"
refused "suite: no directory" 2 "cannot create the directory .*No such file"
run suite hoti04 -n 10 -o "$tmp/token"
refused "suite: not a directory" 2 "cannot create the directory .*File exists"
for e in "4:frob = 1" "4:size = 1..2..3" "2:[A]"; do
	printf 'title = x\n[a]\nrecipe = latency\n' >"$tmp/bad.suite"
	sed -i "${e%%:*}s/.*/${e#*:}/" "$tmp/bad.suite"
	[ "${e%%:*}" -lt 4 ] || echo "${e#*:}" >>"$tmp/bad.suite"
	run suite "$tmp/bad.suite" -o "$tmp/s"
	refused "suite: bad line \"${e#*:}\"" 2 "bad.suite:${e%%:*}: "
done
printf 'title = x\n\n[a]\nrecipe = latncy\n' >"$tmp/bad.suite"
run suite "$tmp/bad.suite" -o "$tmp/s"
refused "suite: no such recipe" 2 'bad.suite:3: \[a\]: no benchmark "latncy"; did you mean latency'
[ ! -e "$tmp/s" ]
report $? "... before anything is made"

# what is too much is refused where it becomes so, not when all of it is there
for ((i = 0; i < 30; i++)); do printf '[a%u]\nrecipe = latency\nsize = 8\n' "$i"; done >"$tmp/rest"
{ echo 'title = x'; sed 's/= 8/= 1..10000+1/' "$tmp/rest"; } >"$tmp/bad.suite"
run suite "$tmp/bad.suite" --list
refused "suite: too many runs" 2 'bad.suite:34: size: the experiments make more than 100000 runs; accepted: fewer values$'
{ echo 'title = x'; cat "$tmp/rest"; } >"$tmp/bad.suite"
run suite "$tmp/bad.suite" --size 1..10000+1 --list
refused "suite: too many runs by the command line" 2 'bad.suite:32: \[a10\]: the experiments up to this one make more than 100000 runs'
run suite "$tmp/bad.suite" --list
quiet "suite: as many experiments with fewer runs"
# a minute and more, if each section is compared with all before it
{ echo 'title = x'; for ((i = 0; i < 6000; i++)); do echo "[a$i]"; done; } >"$tmp/many.icb"
run show "$tmp/many.icb"
quiet "a recipe of many sections"
has "... has them all" out "^Runs: 6000\."

run suite hoti04 -n 100 -o "$tmp/s"
[ "$rc" -eq 0 ]
report $? "suite"
[ "$(cd "$tmp/s" && echo *)" = "bandwidth.json bibandwidth.json latency-atomic.json latency-read.json latency-send.json latency-write.json" ]
report $? "... a file for each, and no other"
has "... its progress, in lines" err "^icbenchctl: 6 of 6 bibandwidth: 57 runs, about [0-9]* s left\$"
has "... and what came of it" out "^ latency-send  *done  *[0-9.]* s  .*/latency-send.json\$"
has "... in short" out "^6 of 6 in "
cp "$tmp/s/latency-read.json" "$tmp/r.json"
json "... as run would write it" '.schema == "icbench/1" and .benchmark == "latency"
	and (.partial | not) and .environment.device == "rxe0"
	and [.points[].parameters.size] == [4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]
	and ([.points[].parameters | .verb == "read" and .iterations == 100 and .warmup == 1000] | all)'
json "... with the command that does the same" '.command[:3] == ["icbenchctl", "run", "latency"]'
mapfile -t words < <(jq -r '.command[1:][]' "$tmp/r.json")
run "${words[@]}" --json "$tmp/again.json"
jq -e --slurpfile s "$tmp/r.json" '[.points[].parameters] == [$s[0].points[].parameters]' \
	"$tmp/again.json" >/dev/null 2>>"$tmp/err"
report $? "... which does"
cp "$tmp/s/bandwidth.json" "$tmp/r.json"
json "... a window of 64, as a whole" '.points[0].parameters | .window == 64 and .refill == 64 and .warmup == 640'

# what is there is not run again, unless it is not what it would be
before=$(cd "$tmp/s" && stat -c '%n %i' -- *)
run suite hoti04 -n 100 -o "$tmp/s"
[ "$rc" -eq 0 ] && [ "$before" = "$(cd "$tmp/s" && stat -c '%n %i' -- *)" ]
report $? "suite, once more: nothing is run"
has "... as it says" err "latency-send.json exists: skipped\$"
has "... at the end, too" out "^6 of 6 in .*, 6 saved\$"
head -c 1000 "$tmp/s/latency-send.json" >"$tmp/cut" && mv "$tmp/cut" "$tmp/s/latency-send.json"
jq '.partial = true' "$tmp/s/latency-write.json" >"$tmp/cut" && mv "$tmp/cut" "$tmp/s/latency-write.json"
jq '.points = []' "$tmp/s/bandwidth.json" >"$tmp/cut" && mv "$tmp/cut" "$tmp/s/bandwidth.json"
jq '.command[4] = "write"' "$tmp/s/latency-read.json" >"$tmp/cut" && mv "$tmp/cut" "$tmp/s/latency-read.json"
: >"$tmp/s/bibandwidth.json"
run suite hoti04 -n 100 -o "$tmp/s"
[ "$rc" -eq 0 ]
report $? "suite: what is damaged is run again"
for e in "latency-send.json is broken" "latency-write.json is partial" "bandwidth.json is broken" \
	 "latency-read.json is the result of another command" "bibandwidth.json is broken" \
	 "latency-atomic.json exists: skipped"; do
	has "... $e" err "$e"
done
[ "$(jq -s 'map((.partial | not) and (.points | length > 0)) | all and length == 6' "$tmp/s"/*.json)" = true ]
report $? "... and whole then"
jq '.points[1].metrics = {}' "$tmp/s/latency-send.json" >"$tmp/cut" && mv "$tmp/cut" "$tmp/s/latency-send.json"
jq '.points = [null]' "$tmp/s/latency-write.json" >"$tmp/cut" && mv "$tmp/cut" "$tmp/s/latency-write.json"
sed -i 's/"kernel": "/&\xff/' "$tmp/s/latency-read.json"
run suite hoti04 -n 100 -o "$tmp/s"
for e in send write read; do
	has "... latency-$e.json is broken within" err "latency-$e.json is broken: the experiment is run again\$"
done
has "... and the others are whole" out "^6 of 6 in .*, 3 saved\$"
jq 'del(.points[-1])' "$tmp/s/latency-send.json" >"$tmp/cut" && mv "$tmp/cut" "$tmp/s/latency-send.json"
run suite hoti04 -n 100 -o "$tmp/s"
[ "$rc" -eq 0 ] && [ "$(jq '.points | length' "$tmp/s/latency-send.json")" -eq 11 ]
report $? "suite: what lacks a point is run again"
has "... as it says" err "latency-send.json is incomplete, with 10 of 11 points: the experiment is run again\$"
has "... and nothing else is" out "^6 of 6 in .*, 5 saved\$"
run suite hoti04 -n 101 -o "$tmp/s"
has "suite: other iterations are another command" err "latency-atomic.json is the result of another command: the experiment is run again\$"

# of several runs of each point, none may be missing
printf 'title = x\n[a]\nrecipe = blocking\n[b]\nrecipe = latency\nsize = 8,16\n' >"$tmp/two.suite"
run suite "$tmp/two.suite" -n 100 -o "$tmp/r"
[ "$rc" -eq 0 ]
report $? "suite: several runs of each point"
has "... all of them counted" err "^icbenchctl: 1 of 2 a: 12 runs\$"
has "... but where nothing is subtracted" err "^icbenchctl: 2 of 2 b: 2 runs, "
run suite "$tmp/two.suite" -n 100 -o "$tmp/r"
has "... there afterwards" out "^2 of 2 in .*, 2 saved\$"
for e in 'del(.points[1].runs[2])' 'del(.points[1].runs)' 'del(.points[3].runs[0].metrics)' \
	 '.points[2].runs[1].outcome = "stopped"' '.points[0].runs = 3'; do
	jq "$e" "$tmp/r/a.json" >"$tmp/cut" && mv "$tmp/cut" "$tmp/r/a.json"
	run suite "$tmp/two.suite" -n 100 -o "$tmp/r"
	has "suite: run again after $e" err "a.json is incomplete, because a point lacks some of its runs: the experiment is run again\$"
done
run suite "$tmp/two.suite" -n 100 --repeat 2 -o "$tmp/r"
has "suite: other repeats are another command" err "a.json is the result of another command: the experiment is run again\$"
has "... of so many runs" err "^icbenchctl: 1 of 2 a: 8 runs\$"
run suite "$tmp/two.suite" --repeat 2 --list
has "... in its command" out "^a  *icbenchctl run blocking --repeat 2\$"
echo "repeat = 4" >>"$tmp/two.suite"
run suite "$tmp/two.suite" --list
has "... or of the suite" out "^b  *icbenchctl run latency --size 8,16 --repeat 4\$"
run suite "$tmp/two.suite" -n 10 -o "$tmp/r4"
has "... which is done" err "^icbenchctl: 2 of 2 b: 8 runs, "
run suite "$tmp/two.suite" --repeat 2 --list
has "... over which the command line prevails" out "^b  *icbenchctl run latency --size 8,16 --repeat 2\$"
for e in 0 101 "1,2"; do
	sed "\$s/.*/repeat = $e/" "$tmp/two.suite" >"$tmp/bad.suite"
	run suite "$tmp/bad.suite" --list
	refused "suite: repeat $e in the file" 2 "bad.suite:7: repeat: .*accepted"
done
echo "repeat = 4" >>"$tmp/two.suite"
run suite "$tmp/two.suite" --list
refused "suite: repeat twice" 2 "two.suite:8: repeat: set twice"

# failures: those of one experiment, and of all
run FAKE=iwarp suite hoti04 -n 10 -o "$tmp/f"
[ "$rc" -eq 1 ] && [ ! -e "$tmp/f/latency-atomic.json" ] && [ -e "$tmp/f/bibandwidth.json" ]
report $? "suite: what the device has not is left out, and the rest is done"
has "... with the reason at the end" out "^ latency-atomic  *FAILED .*  verb: fetch-add is not possible on rxe1"
has "... and what its writes would need" out "^ bandwidth  *FAILED .*  verb: write-imm is not possible on rxe1"
has "... in short" out "^4 of 6 in .*, 2 FAILED\$"
run "FAKE_FAIL=110:no progress for 10 s" suite hoti04 -n 1000 -o "$tmp/f2"
[ "$rc" -eq 1 ] && [ "$(jq -s 'map(.partial) | all and length == 6' "$tmp/f2"/*.json)" = true ]
report $? "suite: runs that fail leave partial results"
has "... told" out "^ bandwidth  *PARTIAL .*  no progress for 10 s\$"
run "FAKE_REFUSE=22:size: not on a Sunday" suite hoti04 -o "$tmp/f3"
[ "$rc" -eq 1 ] && [ -z "$(ls "$tmp/f3")" ]
report $? "suite: all refused"
run FAKE=nolimit suite micro02 -n 10 -o "$tmp/f4"
[ "$rc" -eq 0 ]
report $? "suite: a device that tells no largest size"
run suite thesis03 -n 10 -o "$tmp/f5"
[ "$rc" -eq 0 ]
report $? "suite: up to the limit of the device"
has "... which it says" err "mtu: measured up to 1024, because rxe0 supports at most 1024"
jq -s -e '.[0] | [.points[].parameters.mtu] | unique == [256, 512, 1024]' "$tmp/f5/mtu-latency.json" >/dev/null
report $? "... and does"
run suite thesis03 -n 10 -o "$tmp/f5"
[ "$rc" -eq 0 ]
report $? "... and takes for whole what goes so far"
has "... as it says" out "^\\([0-9][0-9]*\\) of \\1 in .*, \\1 saved\$"
run FAKE=nodev suite thesis03 -n 10 -o "$tmp/f5"
[ "$rc" -eq 3 ] && [ ! -s "$tmp/out" ] && ! grep -q incomplete "$tmp/err"
report $? "... which is not known without the device"
has "... as it says" err "^icbenchctl: no RDMA device; make one: "
run suite thesis03 -n 10 --mtu 2048 -o "$tmp/f6"
[ "$rc" -eq 1 ]
report $? "suite: what is asked for is not left out"
mkdir "$tmp/f7" && mkdir "$tmp/f7/bandwidth.json"
run suite hoti04 -n 10 -o "$tmp/f7"
[ "$rc" -eq 1 ]
report $? "suite: a file that cannot be written"
has "... fails alone" out "^5 of 6 in .*, 1 FAILED\$"
# that nobody reads the pipe must not be waited for: signals are blocked by then
mkdir "$tmp/f8" && mkfifo "$tmp/f8/bandwidth.json" && ln -s /dev/null "$tmp/f8/latency-read.json"
timeout -s KILL 30 "$ctl" suite hoti04 -n 10 -o "$tmp/f8" >"$tmp/out" 2>"$tmp/err" </dev/null
rc=$?
[ "$rc" -eq 1 ] && [ -p "$tmp/f8/bandwidth.json" ]
report $? "suite: a pipe in a file's place"
has "... is refused" err "^icbenchctl: cannot write .*/bandwidth.json: not a regular file\$"
has "... and so is a device" err "^icbenchctl: cannot write .*/latency-read.json: not a regular file\$"
has "... alone" out "^4 of 6 in .*, 2 FAILED\$"
(cd "$tmp" && timeout 60 "$ctl" suite hoti04 -n 10 >out 2>err </dev/null)
rc=$?
[ "$rc" -eq 0 ] && [ -s "$tmp/icbench-hoti04/bandwidth.json" ]
report $? "suite: where results go unless asked"

interrupt FAKE_RATE=1000 suite hoti04 -n 1000000 -o "$tmp/i"
[ "$rc" -eq 1 ] && [ "$took" -lt 500 ]
report $? "Ctrl-C ends a suite at once"
[ "$(cd "$tmp/i" && echo *)" = latency-send.json ]
report $? "... no other experiment is begun"
cp "$tmp/i/latency-send.json" "$tmp/r.json"
json "... the one that ran is marked" '.partial and (.reason | test("Ctrl-C")) and .points[0].metrics.latency.count > 0'
has "... here, too" out "^ latency-send  *PARTIAL .*  stopped by Ctrl-C"
has "... and the others" out "^ bandwidth  *not run *\$"
has "... the same command goes on" err "stopped by Ctrl-C; the same command resumes the suite"

# the others
run devices
quiet "devices"
has "... both" out "^rxe1 port 1: rdma_rxe, active"
[ "$(grep -c "gid " "$tmp/out")" -eq 3 ]
report $? "... a long table of GIDs in one"
has "... verbs" out "^  verbs: send, write, write-imm, read, fetch-add, cmp-swap, register, descriptor, connect, connect-cm, calibrate, floor\$"
run FAKE=iwarp devices --json
cp "$tmp/out" "$tmp/r.json"
json "devices in JSON" 'length == 2 and (.[0].gids | length == 2)'
json "... their verbs" '.[1].verbs == ["send", "write", "read"]'
run FAKE=noverbs devices --json
cp "$tmp/out" "$tmp/r.json"
json "... not told" 'all(has("verbs") | not)'
run jobs
has "jobs" out "^5 .*measuring *500 of 10000 .*send rc 64 poll"
run jobs --json
quiet "jobs in JSON"
cp "$tmp/out" "$tmp/r.json"
json "... with all that the text shows" '.[0] | .id == 5 and .state == "measuring" and .done == 500 and .total == 10000
	and (.parameters | .verb == "send" and .transport == "rc" and .size == 64 and .completion == "poll")'

# several devices
for b in stripe bind; do
	run run $b --format full -d rxe0 -d rxe1 -n 10 -s 16K --json "$tmp/r.json"
	quiet "run $b"
	json "... in JSON" ".points[0].parameters | .device == \"rxe0,rxe1\" and .policy == \"$b\""
	has "... in text" out "Device *: rxe0,rxe1 .*"
	has "... how" out "Policy *: $b"
	run show $b
	quiet "show $b"
	has "... what it needs" out "^Needs several devices, -d A -d B"
	run run $b -n 10
	refused "$b: which devices" 2 "policy: $b .*accepted: single, or device given 2 to 8 times\$"
done
for b in "stripe -d rxe0 -d rxe1" "bind -d rxe0 -d rxe1" bandwidth load; do
	# shellcheck disable=SC2086 # several words
	run run $b --trigger echo -n 10 -s 16K --json "$tmp/r.json"
	quiet "$b as a ping-pong"
	json "... without what is for a window" '.points[0].parameters
		| .trigger == "echo" and (has("window") or has("rate") | not)'
	# shellcheck disable=SC2086 # several words
	run run $b --trigger echo --window 8
	refused "... which who asks for it is refused" 2 "window: only with trigger completion or clock"
done
run run bind -d rxe0 -d rxe1 -n 10 -s 16K --csv "$tmp/r.csv"
grep -q '"rxe0,rxe1"' "$tmp/r.csv"
report $? "several devices in CSV"
run run bind -d rxe0,rxe1 -d rxe1
refused "several devices, and a sweep" 2 "device: given several times, and as a list; accepted: "
run run latency -d rxe0,rxe1 -n 10 --json "$tmp/r.json"
json "a list of devices is a sweep" '[.points[].parameters.device] == ["rxe0", "rxe1"]'
run run bind -d rxe0 -d nosuch -s 1K
refused "several devices, one of which is not there" 3 'device: no RDMA device "nosuch"; there is: rxe0, rxe1'
run run bind -d rxe0 -d rxe0 -s 1K
refused "the same device twice" 2 "device: rxe0 is given twice; accepted: "
run run latency -d rxe0 -d rxe1
refused "several devices and no policy" 2 "device: given 2 times, .*accepted: one device, or policy stripe, bind or channels\$"
run run bind --format full --policy channels -b -d rxe0 -d rxe1 -n 10 -s 16K --json "$tmp/r.json"
quiet "a device for each way"
json "... in JSON" '.points[0].parameters | .device == "rxe0,rxe1" and .policy == "channels"
	and .direction == "bi" and .qps == 1'
has "... how" out "Policy *: channels"
run run bind --policy channels -d rxe0 -d rxe1 -n 10
refused "... of which one way has nothing to send" 2 "direction: uni .*accepted: bi, or reply yes\$"
run run bind --policy channels -b -d rxe0 -n 10
refused "... of which one is missing" 2 "device: 1 given for policy channels, .*accepted: 2\$"
run run bind -d rxe0 -d rxe1 --peer 10.0.0.2 --peer 10.0.0.3 -n 10 -s 1K --json "$tmp/r.json"
json "a peer for each device" '.points[0].parameters.peer == "10.0.0.2,10.0.0.3"'
printf 'title = two\npolicy = bind\ndevice = rxe0\ndevice = rxe1\nsize = 1K\n' >"$tmp/two.icb"
run run "$tmp/two.icb" -n 10 --json "$tmp/r.json"
json "several devices by a recipe" '.points[0].parameters.device == "rxe0,rxe1"'
run run "$tmp/two.icb" -n 10 -d rxe1 --policy single --json "$tmp/r.json"
json "... the command line prevails" '.points[0].parameters.device == "rxe1"'

# the pages: what they say to run is not refused; what depends on the device is left as it is
bad=
while read -r words; do
	read -ra args < <(sed -E 's/mlx[0-9]_[0-9]:([12])/rxe\1/g; s/rxe2/rxe0/g; s/ (-D|--duration|-n|--json) [^ ]+//g' <<<"$words")
	run run "${args[@]}" -n 1
	[ "$rc" -eq 0 ] || grep -qE ' is too large for rxe|: the module refused: ' "$tmp/err" ||
		bad+="$words: $(head -1 "$tmp/err")"$'\n'
done < <(sed -nE 's/^    icbenchctl run ([^#]*).*/\1/p' ../../Documentation/benchmarks/*.rst)
printf '%s' "$bad" >>"$tmp/err"
[ -z "$bad" ]
report $? "pages: their commands run"

# several workers
run run latency --format full --workers 3 -n 100 --samples 5 --json "$tmp/r.json"
quiet "workers"
has "... in text" out "Workers *: 3"
has "... each of them" out "^ Worker 3 *: rxe0, CPU 0, the peer's 1, message_rate 200000 /s, latency t_avg"
json "... all as one" '.points | length == 1 and (.[0].metrics
	| .latency.count == 300 and .message_rate.value == 600000 and (.latency | has("samples") | not)
	and .worker_min.value == 200000 and .worker_max.value == 200000 and .fairness.value == 1)'
json "... how much was together" '.points[0].metrics.overlap | .unit == "%" and .value == 98'
json "... each by itself" '.points[0].workers | length == 3 and all(.outcome == "complete"
	and .metrics.latency.count == 100 and (.metrics.latency.samples | length == 5)
	and .parameters == {} and .ended_ns == .began_ns + 100000) and .[0].began_ns == 0'
json "... and what disturbed it" '.points[0].disturbance.interrupts == 36
	and .points[0].workers[1].disturbance.interrupts == 12'
run run latency --format full --workers 2 -n 1000 --json "$tmp/r.json"
json "... percentiles: around the intervals of the workers" '.points[0].metrics.latency.confidence
	| .workers == 2 and (has("batches") | not) and .["50"].low >= 5248 and .["50"].high == 5503.5'
has "... in text" out '^ 95 % certain   : 50 % at 5\.2..\.\.5\.503 us (+-[0-9.]* %), around the intervals of 2 workers$'
run run latency --workers 2 -n 50 --json "$tmp/r.json"
json "... none of too few samples" '.points[0].metrics.latency | has("confidence") | not'
run run latency --workers 1,2 -n 100 --json "$tmp/r.json" --csv "$tmp/r.csv"
quiet "workers: a sweep"
json "... in JSON" '[.points[] | .parameters.workers, (.workers | length)] == [1, 0, 2, 2]'
grep -q ',worker2.message_rate,1/s,200000,' "$tmp/r.csv" &&
	grep -q ',message_rate,1/s,400000,' "$tmp/r.csv"
report $? "... in CSV"
run FAKE_FAIL=5:broken run latency --workers 3 -n 100000 --json "$tmp/r.json"
[ "$rc" -eq 1 ] && grep -q "^icbenchctl: worker 2: broken\$" "$tmp/err"
report $? "workers: one that fails"
json "... is named" '.partial and .reason == "worker 2: broken"
	and (.points[0].workers | [.[].outcome] == ["stopped", "failed", "stopped"]
	and .[0].reason == "worker 2 of 3 has failed: broken")'
run run bandwidth --workers 4 --policy bind -d rxe0 -d rxe1 -n 10 -s 1K --json "$tmp/r.json"
quiet "workers with a device each"
json "... in turn" '.points[0] | .parameters.device == "rxe0,rxe1" and .parameters.policy == "bind"
	and .parameters.qps == 1 and [.workers[].parameters.device] == ["rxe0", "rxe1", "rxe0", "rxe1"]
	and ([.workers[].metrics.bandwidth.value] | add) == .metrics.bandwidth.value'
run run bandwidth --workers 2 --policy bind -d rxe0 -d rxe1 -d rxe2
refused "more devices than workers" 2 "workers: 2 is less than the number of devices; accepted: 1, or 3 and more"
for n in 0 65; do
	run run latency --workers $n
	refused "workers: $n" 2 "workers: $n is out of range; accepted: 1 to 64\$"
done
run run latency --load.trigger completion --load.workers 2
refused "a load of several workers" 2 "load: .*workers: a load is one run; accepted: 1, and more qps\$"
run run interrupt-floor --workers 2
refused "workers without a device" 2 "workers: not with verb floor"

run list
quiet "list"
has "... a line each" out "^latency .*ping-pong"
has "... and the suites" out "^thesis03  *Chandrasekaran"
run list --json
cp "$tmp/out" "$tmp/r.json"
json "list in JSON" '[.[].name] == ["bandwidth", "bandwidth-window", "bibandwidth", "bilatency",
	"bind", "blocking", "calibrate", "completion-modes", "connect", "connections", "descriptor", "interrupt",
	"interrupt-floor", "latency", "latency-under-load", "load", "logp", "mtu", "notification",
	"overhead-bandwidth", "overhead-latency", "register", "reuse-fifo", "reuse-rate",
	"segments", "segments-max", "spin", "stripe", "timer"]'
run list --json --names
refused "list: two formats" 2 "list: --json and --names; accepted: one of them\$"
run list --names --suites --json
refused "list: two formats of suites" 2 "list: --json and --names; accepted: one of them\$"
run list --names --names
quiet "list: the same twice"
run show logp
quiet "show logp"
has "show: the sections" out "^  \[bytes\] trigger=completion window=16 size=16K,32K,64K,128K\$"
has "show: what they differ in" out "^  trigger  *differs by section\$"
has "show: what is worked out of them" out "^  G  *ns/B  *gap per byte"
run list --suites --names
[ "$(tr '\n' ' ' <"$tmp/out")" = "ci hoti04 hoti04-ports micro02 micro04 thesis03 " ]
report $? "list of suites, names only"
run list --suites --json
cp "$tmp/out" "$tmp/r.json"
json "list of suites in JSON" '[.[].name] == ["ci", "hoti04", "hoti04-ports", "micro02", "micro04", "thesis03"]'
for b in latency blocking; do
	run show $b
	quiet "show $b"
done
has "show: what is swept" out "completion *poll,softirq,workqueue,block"
for b in ../../user/recipes/*.icb; do
	b=${b##*/}
	b=${b%.icb}
	run show "$b"
	grep -A 99 '^How to read it: ' "$tmp/out" | grep -q '^Published: '
	report $? "show $b: how to read it, and what was published"
done
run show
refused "show nothing" 2 "no benchmark; see icbenchctl list"
run show nosuch
refused "show nosuch" 2 "no benchmark"
run show --keys latency
refused "keys of a benchmark" 2 "keys"
run show --keys=1
refused "keys with a value" 2 "takes no value"
run show --keys
has "keys for programs" out "^verb	word	sweep	send write write-imm read fetch-add cmp-swap register descriptor connect connect-cm calibrate floor$"

# completion: what the program offers, and what the shells make of it
words()
{
	run complete -- "$@"
}
words mo
has "completes commands" out "^monitor	print the events"
words ""
for c in run suite compare report list show devices doctor serve jobs stop monitor help; do
	has "... all of them: $c" out "^$c\>"
done
words help m
has "completes the command of help" out "^monitor"
words run la
has "completes benchmarks" out "^latency	"
has "... and files" out "^:files$"
words run latency ""
[ "$rc" -eq 0 ] && [ ! -s "$tmp/out" ]
report $? "... but one only"
words suite th
has "completes suites" out "^thesis03	"
words compare ""
has "completes files" out "^:files$"
words run latency --json x
has "completes the file of an option" out "^:files$"
words run latency -c u
has "completes the value of a letter" out "^uc$"
words run latency --load.completion bl
has "completes the words of a load" out "^block$"
words run latency --completion poll,work
has "completes lists" out "^poll,workqueue$"
has "... which may go on" out "^:nospace$"
words run latency --completion=so
has "completes behind =" out "^--completion=softirq$"
words run latency --isolate ""
has "completes words of an option" out "^require$"
words run latency --verify --ver
has "completes an option behind a switch" out "^--verb	"
words run latency --size ""
[ "$rc" -eq 0 ] && [ ! -s "$tmp/out" ]
report $? "completes no number"
words frobnicate x
[ "$rc" -eq 0 ] && [ ! -s "$tmp/out" ]
report $? "completes no unknown command"
run complete
quiet "complete: nothing to complete"
run complete latency
refused "complete: no --" 2 'complete: unexpected "latency"'
# each option that the help names, and no other
for c in run suite compare report list show devices doctor serve jobs stop monitor; do
	words $c --
	cut -f 1 "$tmp/out" | sort -u >"$tmp/offered"
	run $c --help
	{ grep -oE -- '(^|[[ ,])--[a-z][a-z-]*' "$tmp/out" | grep -oE -- '--.*' |
		grep -vx -- --load
	  echo --help; [ $c != suite ] || "$ctl" show --keys |
		sed -nE '/\tfile\t/!s/^([a-z-]+)\t.*/--\1/p'; [ $c != suite ] || echo --isolate; } |
		sort -u >"$tmp/helped"
	diff "$tmp/offered" "$tmp/helped" >"$tmp/out"
	report $? "$c: completes each option of its help"
done
complete_bash()
{
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	COMPREPLY=()
	_icbenchctl 2>/dev/null
	printf '%s\n' "${COMPREPLY[@]}" >"$tmp/out"
	rc=0
}
. ../../user/completion/icbenchctl.bash
complete_bash "$ctl" mo
has "bash: commands" out "^monitor$"
complete_bash "$ctl" run latency --gid
has "bash: keys" out "^--gid-index$"
complete_bash "$ctl" run latency --completion = so
has "bash: behind =" out "^softirq$"
complete_bash "$ctl" run latency --completion =
has "bash: behind =, nothing yet" out "^softirq$"
complete_bash "$ctl" suite cli.
has "bash: files" out "^cli.t$"
# the functions of zsh's completion system are replaced by ones that print what they receive
if command -v zsh >/dev/null; then
	cat >"$tmp/zsh" <<-'ZSH'
	_describe() { shift; print -rl -- ${(P)1} }
	_files() { print files }
	words=("${@:2}")
	CURRENT=$#words
	. $1
	ZSH
	zsh -f "$tmp/zsh" ../../user/completion/icbenchctl.zsh "$ctl" run la >"$tmp/out" 2>"$tmp/err"
	[ ! -s "$tmp/err" ] && grep -qx "latency:benchmark" "$tmp/out" && grep -qx files "$tmp/out"
	report $? "zsh: benchmarks and files"
	zsh -f "$tmp/zsh" ../../user/completion/icbenchctl.zsh "$ctl" run latency --memory "" >"$tmp/out" 2>"$tmp/err"
	[ ! -s "$tmp/err" ] && grep -qx 'node\\:' "$tmp/out"
	report $? "zsh: a word with a colon"
else
	count=$((count + 1))
	echo "ok $count - zsh # skip no zsh"
fi
if command -v fish >/dev/null; then
	mkdir "$tmp/bin"
	ln -s "$ctl" "$tmp/bin/icbenchctl"
	for c in "icbenchctl run la:^latency	benchmark" "icbenchctl run latency --gid:^--gid-index" "icbenchctl suite cli.:^cli.t"; do
		ICBENCH_RECIPES=$PWD/build/recipes PATH=$tmp/bin:$PATH HOME=$tmp timeout 60 fish --no-config -c \
			'source ../../user/completion/icbenchctl.fish; complete -C $argv[1]' "${c%%:*}" >"$tmp/out" 2>"$tmp/err"
		has "fish: ${c%%:*}" out "${c#*:}"
	done
else
	count=$((count + 1))
	echo "ok $count - fish # skip no fish"
fi

# every result in JSON that these tests have made
/usr/bin/python3 ../lib/schema.py ../../Documentation/schema/icbench-1.json \
	"$tmp/documents"/*.json >"$tmp/out" 2>"$tmp/err" && [ "$kept" -gt 60 ]
report $? "the documents are those of the schema"

echo "1..$count"
