#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The commands that prove tests, in a copy of the tree: the options that they accept and what they
# refuse. Virtual machines, root and kernels are replaced by stubs.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

unset MAKEFLAGS MFLAGS MAKELEVEL TESTS DEVICES KERNELS VERBOSE XDG_CACHE_HOME
unset "${!ICBENCH_@}"
src=$tmp/src
mkdir "$src" "$tmp/bin"
(cd "$top" && tar -c --exclude=./.git --exclude=build --exclude='*.o' --exclude='*.ko' .) |
	tar -x -C "$src"
cd "$src" || exit
export PATH=$tmp/bin:$PATH

# stub FILE: make FILE a command, a bash script from standard input
stub() {
	printf '#!/bin/bash\n' >"$1"
	cat >>"$1"
	chmod +x "$1"
}

# called COMMAND...: sets status, and the files out and err
called() {
	"$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
}

# refused COMMAND...: succeeds if the command prints one line on standard error, does nothing and
# fails
refused() {
	called "$@"
	cat "$tmp/out" "$tmp/err"
	[ "$status" -ne 0 ] && [ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
		[ ! -e "$tmp/done" ]
}

# stubs for commands that no test may reach, unless it replaces the stub
for name in prove debootstrap tests/matrix/root tests/debug/kernel tests/vm/run tests/vm/pair; do
	path=$src/$name
	[[ $name == */* ]] || path=$tmp/bin/$name
	[ ! -e "$path" ] || mv "$path" "$path.real"
	stub "$path" <<<"echo ${name##*/} \"\$@\" >>$tmp/done; exit 9"
done

#
# A test that hangs
#

called env ICBENCH_TIMES="$tmp/times" tests/lib/timed one 60 sh -c 'echo 1..1; exit 3'
is "a test keeps its output and its status" "$status $(<"$tmp/out")" "3 1..1"
called env ICBENCH_TIMES="$tmp/times" tests/lib/timed two 1 sh -c 'sleep 600 & wait'
is "a test that hangs is ended, by its name" "$status $(<"$tmp/out")" \
	"124 not ok - two did not end within 1 s (TEST_LIMIT)"
# prove, with one test that writes to standard error and is then silent, and one that ends
mkdir "$tmp/two"
stub "$tmp/two/1.t" <<<'echo 1..1; echo begun >&2; until [ -e "$0.seen" ]; do sleep 0.1; done; echo ok 1'
stub "$tmp/two/2.t" <<<'echo 1..1; echo ok 1'
stub "$tmp/two/3.t" <<<'echo 1..1; : >"${0%/*}/1.t.seen"; echo ok 1'
for i in 1 2 3; do
	printf '#!/bin/bash\nexec %q %s 20 %q\n' "$src/tests/lib/timed" $i "$tmp/two/$i.t" >"$tmp/two/$i"
	chmod +x "$tmp/two/$i"
done
called env ICBENCH_TIMES=/dev/null /usr/bin/prove --jobs 2 --exec '' "$tmp/two/"[123] 3>&2
is "a silent test does not keep prove from the next one" "$status" 0
ok "and each has its duration and its CPU time" awk '/^test [0-9]+ (one|two) [0-9]+$/ { n++ } END { exit n != 2 }' "$tmp/times"

#
# No temporary file can be made
#

# every mktemp in the scripts and in the files that they source
mapfile -t unasked < <(grep -rnE '\$\(mktemp' "$top/tests" "$top/scripts" "$top/.ci" |
	grep -vE '\|\||80-commands\.t:')
is "whoever asks for a temporary file sees whether there is one" "${unasked[*]-}" ""

for lib in tap figures; do
	ok "no temporary file: ${lib}.sh ends who sources it" refused \
		env TMPDIR=/nonexistent bash -c ". tests/lib/$lib.sh; echo goes on"
done

# mktemp can make a file, but no directory
stub "$tmp/bin/mktemp" <<'STUB'
[ "${1-}" = -d ] && echo "mktemp: no directory" >&2 && exit 1
exec /usr/bin/mktemp "$@"
STUB
ok "no temporary directory: tests/matrix/check does nothing" refused tests/matrix/check ci
rm "$tmp/bin/mktemp"

#
# A machine's log on a full disk
#

# reaped [COMMAND...]: run COMMAND, then reap() of a machine that ended with status 0; print its
# messages and the status that it sets
reaped() {
	bash -c '. tests/vm/lib/options.sh && . tests/vm/lib/machine.sh || exit
		prog=run work=$1 release=6.1.0-9-amd64 ICBENCH_ACCEL=tcg opt_cpus=1
		label[vm]= suffix[vm]= followers[vm]=
		qemu_job[vm]=1 started[vm]=$EPOCHSECONDS
		finish() { :; }
		"${@:2}"
		reap vm
		echo "${outcome[vm]}"' - "$tmp/work" "${@:-:}" 2>&1
}

# full: the disk is full for a file of more than 1 KiB
full() {
	trap '' XFSZ
	ulimit -f 1
}
export -f full

mkdir -p "$tmp/work/vm"
echo 0 | tee "$tmp/work/vm/status" >"$tmp/work/vm/tainted"
export TMPDIR=$tmp
{
	for i in {0..99}; do
		echo "6,$i,$((i * 1000000)),-;a line"
	done
	echo "4,100,100000000,-;WARNING: CPU: 0 PID: 1 at x.c:1 f+0x1/0x2"
	echo "6,101,101000000,-;icbench-vm: end of log"
} >"$tmp/report"
grep -v WARNING "$tmp/report" | sed 's/^6,101/6,100/' >"$tmp/work/vm/kmsg"
is "a log without a report: 0" "$(reaped)" 0
like "one that cannot be written: 125" "$(reaped full)" \
	$'\nrun: the kernel\'s log cannot be written to [^\n]*/work\n125$'
like "cannot be copied" "$(ICBENCH_VM_LOG=/nonexistent/log reaped)" \
	$'\nrun: the kernel\'s log cannot be copied to /nonexistent/log\n125$'
like "cannot be read" "$(reaped eval 'vm_dir=/nonexistent')" \
	$'\nrun: the kernel\'s log cannot be read\n125$'
cp "$tmp/report" "$tmp/work/vm/kmsg"
like "a report is found" "$(reaped)" $'kernel report: WARNING: .*\n125$'
like "... or what is lost with it" "$(reaped full)" $'log cannot be written .*\n125$'
: >"$tmp/work/vm/kmsg"
echo "the console" >"$tmp/work/vm.console"
like "a log that the machine could not save" "$(reaped)" $'report: icbench-vm: lost .*\n125$'
rm "$tmp/work/vm/status" "$tmp/work/vm/kmsg"
like "or did not come to save" "$(reaped)" $'machine died before the command ended\n125$'
unset TMPDIR

#
# Ctrl-C at a test of two machines
#

# interrupted TEST WORD: succeeds if a Ctrl-C ends the test and its pair, which runs with WORD
interrupted() {
	local test pair

	rm -f "$tmp/pair"
	stub tests/vm/pair <<-STUB
		[[ " \$* " = *" $2 "* ]] || exit 0
		trap 'exit 130' INT
		trap 'exit 143' TERM
		echo \$\$ >$tmp/pair.new && mv $tmp/pair.new $tmp/pair
		for ((i = 0; i < 600; i++)); do sleep 0.1; done
	STUB
	# as a job of a terminal, in which no process ignores SIGINT
	set -m
	"$1" >"$tmp/out" 2>"$tmp/err" &
	test=$!
	set +m
	soon test -e "$tmp/pair" && pair=$(<"$tmp/pair") && kill -INT -- -"$test" &&
		soon gone "$test" && soon gone "$pair" && return
	cat "$tmp/out" "$tmp/err"
	kill -KILL "$pair" -"$test"
	return 1
}

gone() {
	! kill -0 "$1"
}

# soon COMMAND...: wait until it succeeds, for 10 s at most
soon() {
	local tries=0

	until "$@" 2>/dev/null; do
		[ $((tries += 1)) -lt 100 ] || return
		sleep 0.1
	done
}

ok "Ctrl-C ends chaos/20-pair.t" interrupted tests/chaos/20-pair.t near
ok "... vm/70-pair.t" interrupted tests/vm/70-pair.t server
ok "... in the death of a machine" interrupted tests/vm/70-pair.t victim
rm -f "$tmp/done"

#
# Names of kernels
#

stub tests/matrix/root <<<"echo root \"\$@\" >>$tmp/done; exit 1"
# no_kernel COMMAND NAME: succeeds if it is refused with one line and does nothing
no_kernel() {
	called "$@"
	cat "$tmp/out" "$tmp/err"
	[ "$status" -eq 2 ] && [ "$(cat "$tmp/out" "$tmp/err" | wc -l)" -eq 1 ] && [ ! -e "$tmp/done" ]
}

for check in matrix soak; do
	for name in "6.1 6.1-rt" "" 6 -; do
		ok "$check/check: no kernel '$name'" no_kernel "tests/$check/check" "$name"
	done
	called "tests/$check/check" 6.1-rt 7.2
	is "$check/check: one of each name" "$(cut -d ' ' -f 2 "$tmp/done" | xargs)" "bookworm sid"
	rm -f "$tmp/done"
done
cp tests/matrix/kernels "$tmp/kernels"
sed -i '/^[0-9]/d' tests/matrix/kernels
called tests/matrix/check
is "no kernel to test: fails" "$status $(wc -l <"$tmp/err")" "1 1"
cp "$tmp/kernels" tests/matrix/kernels

#
# Words that are separated by more than a blank
#

words=$'\n\ttests/vm/10-modes.t\n\t\ttests/vm/20-errors.t\t'
kernels=$'6.1-rt\n\t7.2'
devices=$'siw\n\trxe'

# passed TARGET VARIABLE ASSIGNMENT...: the arguments that make passes to the target's command, and
# the value of VARIABLE in that command's environment
passed() {
	local command=tests/${1#check-}/check

	[ "$1" != check-kdir ] || command=tests/vm/check
	mv "$command" "$command.real"
	stub "$command" <<<"printf '[%s]' \"\$@\"; printf ' %q' \"\${$2-}\""
	make -s "$1" "${@:3}" 2>&1
	mv "$command.real" "$command"
}

mv tests/setup tests/setup.real
stub tests/setup <<<exit
tests="[tests/vm/10-modes.t][tests/vm/20-errors.t]"
is "make check-debug" "$(passed check-debug DEVICES TESTS="$words" DEVICES="$devices")" \
	"$tests siw\\ rxe"
is "make check-debug: no devices" "$(passed check-debug DEVICES TESTS="$words" DEVICES=$'\n')" \
	"$tests rxe\\ siw"
is "make check-faults" "$(passed check-faults DEVICES TESTS="$words" DEVICES="$devices")" \
	"$tests siw\\ rxe"
is "make check-kdir" "$(passed check-kdir none TESTS="$words" KDIR=.)" "$tests ''"
is "make check-matrix" "$(passed check-matrix TESTS TESTS="$words" KERNELS="$kernels")" \
	"[6.1-rt][7.2] tests/vm/10-modes.t\\ tests/vm/20-errors.t"
is "make check-soak" "$(passed check-soak none KERNELS="$kernels")" "[6.1-rt][7.2] ''"

for target in check-fuzz check-chaos check-soak; do
	for variable in TESTS DEVICES; do
		like "make $target takes no $variable" "$(passed $target none $variable=x)" \
			"^[^[]* $target takes no TESTS= "
	done
done

for target in check-matrix check-kdir; do
	like "make $target takes no DEVICES" "$(passed $target none DEVICES=siw KDIR=.)" \
		"^[^[]* $target takes no DEVICES=, but TESTS= "
done

# proves ENVIRONMENT... COMMAND ARGUMENT...: print the tests that the command runs, with the device
proves() {
	rm -f "$tmp/done"
	called env "$@"
	[ -e "$tmp/done" ] && xargs <"$tmp/done"
}

# a stub of prove that records each script and the device that the script names
stub "$tmp/bin/prove" <<STUB
for arg; do
	[ ! -d "\$arg" ] || arg+=/*.t
	# the real one would look for it in PATH
	[[ \$arg == */* ]] || continue
	for script in \$arg; do
		[ ! -f "\$script" ] || echo "\${script#./}\$(grep -o ' --device..[a-z]*' "\$script" | tr -d '\\\\')"
	done
done >>$tmp/done
STUB
stub tests/debug/kernel <<<"echo /nowhere"
stub tests/matrix/root <<<"mkdir -p $tmp/root/boot && : >$tmp/root/boot/vmlinuz-7.2.0 && echo $tmp/root"
is "matrix/check" "$(proves TESTS="$words" tests/matrix/check 7.2)" \
	"7.2/10-modes.t 7.2/20-errors.t"
is "debug/check" "$(proves DEVICES="$devices" tests/debug/check "$src/tests/vm/10-modes.t")" \
	"reports.t rxe/10-modes.t --device rxe siw/10-modes.t --device siw"
is "faults/check" \
	"$(proves DEVICES="$devices" ICBENCH_FAULTS_SHARES=1 tests/faults/check tests/faults/10-calls.t)" \
	"siw/10-calls-001.t --device siw rxe/10-calls-001.t --device rxe"
is "chaos/check" "$(proves ICBENCH_CHAOS_REPEATS=30 ICBENCH_PAIR_EVENTS="vanish;stop" \
	tests/chaos/check)" "$(printf 'share-00%d.t ' {0..8})pair/stop.t pair/vanish.t deaths/1.t deaths/2.t"

#
# The parts of a command
#

# listed CHECK: succeeds if the command lists its parts without a kernel
listed() {
	rm -f "$tmp/done"
	called "tests/$1/check" --list
	[ "$status" -eq 0 ] && [ ! -s "$tmp/err" ] && [ ! -e "$tmp/done" ] &&
		[ -s "$tmp/out" ] && [ -z "$(sort "$tmp/out" | uniq -d)" ]
}

# proved_part CHECK PART: succeeds if only this part is run
proved_part() {
	local script=$2.t

	# the soak test consists of one script for each kernel
	[ "$1" != soak ] || script=${2%/*}/10-one-cpu.t
	matches "$(proves "tests/$1/check" --part "$2")" "^$script( --device (rxe|siw))?$"
}

stub tests/matrix/root <<STUB
mkdir -p $tmp/root/boot
touch $tmp/root/boot/vmlinuz-{6.1.0,6.1.0-rt-amd64,6.12.0,6.12.0-rt-amd64,7.2.0}
echo $tmp/root
STUB
mv tests/debug/kernel tests/debug/kernel.there
mv tests/matrix/root tests/matrix/root.there
for check in chaos debug faults fuzz matrix soak; do
	for name in debug/kernel matrix/root; do
		stub "tests/$name" <<<"echo $name >>$tmp/done; exit 1"
	done
	ok "$check/check --list" listed "$check"
	cp "$tmp/out" "$tmp/parts"
	for name in nosuch ""; do
		ok "$check/check: no part '$name'" refused "tests/$check/check" --part "$name"
	done
	cp -p tests/debug/kernel.there tests/debug/kernel
	cp -p tests/matrix/root.there tests/matrix/root
	for name in "$(head -n 1 "$tmp/parts")" "$(tail -n 1 "$tmp/parts")"; do
		ok "$check/check --part $name" proved_part "$check" "$name"
	done
done
tests/debug/check --list >"$tmp/parts"
is "debug/check: each test in a machine, over RoCE" \
	"$(sed -n 's|^rxe/||p' "$tmp/parts" | sort | xargs)" \
	"$(basename -s .t tests/vm/[1-9]*.t tests/chaos/[1-9]*.t | sort | xargs)"
cp tests/vm/10-modes.t tests/vm/11-new.t
for check in debug matrix; do
	tests/$check/check --list >"$tmp/parts"
	ok "$check/check: a new test is a part" grep -q /11-new$ "$tmp/parts"
done
rm tests/vm/11-new.t
echo "9.9 sid amd64 -" >>tests/matrix/kernels
for check in matrix soak; do
	tests/$check/check --list >"$tmp/parts"
	ok "$check/check: a new kernel has parts" grep -q ^9.9/ "$tmp/parts"
done
cp "$tmp/kernels" tests/matrix/kernels
rm -f "$tmp/done"

#
# The cache directories
#

mv tests/matrix/root.real tests/matrix/root
mv tests/debug/kernel.real tests/debug/kernel
# stubs: nothing is built or unpacked
for name in make tar unshare; do
	stub "$tmp/bin/$name" <<<"echo $name >>$tmp/done; exit 1"
done
# stub: each package that is asked for is installed
stub "$tmp/bin/dpkg-query" <<<'printf "installed\n%.0s" "$@"; echo linux-source-0.0'
blank_refused() {
	refused "$@" && grep -q ', because of the blank: ' "$tmp/err"
}

for blank in " " $'\t' $'\n'; do
	export XDG_CACHE_HOME=$tmp/a${blank}directory
	for command in debug/kernel lib/linux-source "matrix/root sid" matrix/check; do
		# shellcheck disable=SC2086	# words
		ok "a blank is refused: $command" blank_refused tests/$command
	done
	ok "and nothing is made there" test ! -e "$XDG_CACHE_HOME"
done
mkdir -p "$tmp/home/.cache/icbench/roots/sid"
called env HOME="$tmp/home" XDG_CACHE_HOME=relative tests/matrix/root sid
is "a relative XDG_CACHE_HOME is ignored" "$(<"$tmp/out")" "$tmp/home/.cache/icbench/roots/sid"

# two configurations of the debug kernel, with a stub for its build
unset XDG_CACHE_HOME
export HOME=$tmp/home
tarball=$(printf '%s\n' /usr/src/linux-source-*.tar.xz | head -n 1)
version=${tarball#/usr/src/linux-source-}
version=${version%.tar.xz}
for name in make tar; do
	stub "$tmp/bin/$name" <<<exit
done
called tests/debug/kernel --source "$version"
first=$(<"$tmp/out")
echo "# another one" >>tests/debug/config
called tests/debug/kernel --source "$version"
ok "another configuration's debug kernel is another one" [ "$first" != "$(<"$tmp/out")" ]
ok "... and leaves the first one where it is" test -e "$first/.built" -a -e "$(<"$tmp/out")/.built"
touch -d "40 days ago" "$first/.built"
rm "$(<"$tmp/out")/.built"
: >"$(<"$tmp/out")/left"
called tests/debug/kernel --source "$version"
ok "one that was not finished is begun anew" test -e "$(<"$tmp/out")/.built" -a \
	! -e "$(<"$tmp/out")/left"
ok "... and one that was not used for long goes" test ! -e "$first"

# options that a kernel lacks, of tests/vm/config-kdir and others
# shellcheck source=tests/lib/config.sh
. "$top/tests/lib/config.sh"
printf '%s\n' CONFIG_A=y '#? CONFIG_B=y' CONFIG_C=m >"$tmp/options"
printf '%s\n' CONFIG_A=y CONFIG_C=m >"$tmp/config"
ok "a kernel with all options lacks none" [ -z "$(missing "$tmp/config" "$tmp/options")" ]
printf '%s\n' CONFIG_A=y CONFIG_C=y >"$tmp/config"
is "an option with another value is named" "$(missing "$tmp/config" "$tmp/options")" CONFIG_C=m
printf '%s\n' CONFIG_A=y CONFIG_C=m '# CONFIG_B is not set' >"$tmp/config"
is "... and a question that was answered with no" "$(missing "$tmp/config" "$tmp/options")" \
	"# CONFIG_B is not set"
ok "... with status 0" missing "$tmp/config" "$tmp/options"
is "what is asked for" "$(asked "$tmp/options" | xargs)" "CONFIG_A=y CONFIG_B=y CONFIG_C=m"

# old sources of other versions are removed when the current source is unpacked
cache=$HOME/.cache/icbench
mkdir "$cache"/linux-source-0.{1,2}-1
touch -d "20 days ago" "$cache/linux-source-0.1-1"
touch -d "40 days ago" "$cache/linux-source-0.2-1"
called tests/lib/linux-source
ok "the kernel's source is taken out" test "$status" -eq 0 -a -d "$(<"$tmp/out")"
ok "... and leaves another version's where it is" test -e "$cache/linux-source-0.1-1"
ok "... but for one that was not used for long" test ! -e "$cache/linux-source-0.2-1"
touch -d "40 days ago" "$(<"$tmp/out")"
called tests/lib/linux-source
is "... and is in use again when it is asked for" \
	"$(find "$cache" -maxdepth 1 -name 'linux-source-*' -mtime +30)" ""

#
# Names of events and states
#

for event in nosuch "stop;nosuch" "job-del,stop"; do
	for variable in ICBENCH_CHAOS_EVENTS ICBENCH_PAIR_EVENTS; do
		ok "refused: $variable=$event" refused env "$variable=$event" tests/chaos/check
	done
done
for state in nosuch "new;nosuch" "new,looking" "measuring, echo, nosuch" "draining, nosuch" \
		"measuring, echo, batch 3"; do
	ok "refused: ICBENCH_CHAOS_STATES=$state" refused env ICBENCH_CHAOS_STATES="$state" \
		tests/chaos/check
done
state="measuring, echo, batch 2"
ok "refused without repetitions: $state" refused env ICBENCH_CHAOS_STATES="$state" \
	ICBENCH_CHAOS_REPEATS=1 tests/chaos/check
stub "$tmp/bin/prove" <<<"echo prove >>$tmp/done"
for state in "new;warmup, block;measuring, 1 MiB" "measuring, return, register;measuring, clock, bi" \
		"connecting, answered late;draining, block;result being read" "$state" ""; do
	called env ICBENCH_CHAOS_STATES="$state" tests/chaos/check
	is "accepted: $state" "$status $(grep -c . "$tmp/done")" "0 3"
	rm -f "$tmp/done"
done
for event in "stop;many jobs;cycles;icbenchctl;peer's owner dies" ""; do
	called env ICBENCH_CHAOS_EVENTS="$event" ICBENCH_PAIR_EVENTS="vanish;stop" tests/chaos/check
	is "accepted: $event" "$status $(grep -c . "$tmp/done")" "0 3"
	rm -f "$tmp/done"
done

#
# The page on figures and the simulations
#

cat >"$tmp/page.rst" <<-PAGE
	======= ======= =======
	samples number  covered
	======= ======= =======
	AR      10,000  0.950
	noise   10,000  –
	======= ======= =======

	====== ========
	figure interval
	====== ========
	mean   none
	====== ========
PAGE
printf '%s\n' "ok 1 - AR" "# row: AR 10,000 0.950" "# row: noise 10,000 –" >"$tmp/rows"
called tests/statistics/page "$tmp/page.rst" "$tmp/rows"
is "a page with the simulated rows" "$status, $(cat "$tmp/out")" "0, page.rst: 2 rows, as simulated"
sed -i s/0.950/0.951/ "$tmp/rows"
called tests/statistics/page "$tmp/page.rst" "$tmp/rows"
is "with another figure" "$status, $(cat "$tmp/err")" "1, not simulated, but on page.rst: AR 10,000 0.950
not on page.rst: AR 10,000 0.951"
echo "# row: queue 10,000 1.000" >>"$tmp/rows"
called tests/statistics/page "$tmp/page.rst" "$tmp/rows"
like "without a simulation" "$(cat "$tmp/err")" $'\nnot on page.rst: queue 10,000 1.000$'
: >"$tmp/rows"
called tests/statistics/page "$tmp/page.rst" "$tmp/rows"
is "without any" "$status" 1

# simulations that print the rows of the page; one that takes some seconds of CPU time
rm "$tmp/bin/prove"
mkdir -p Documentation tests/statistics/build
cp "$tmp/page.rst" Documentation/trust.rst
rm -f tests/statistics/*.t
stub tests/statistics/10-rows.t <<-'STUB'
	printf '%s\n' "# row: AR 10,000 0.950" "# row: noise 10,000 –" "ok 1" "1..1"
STUB
stub tests/statistics/20-slow.t <<-'STUB'
	for ((i = 0; i < 1000000; i++)); do :; done
	printf 'ok 1\n1..1\n'
STUB
called tests/statistics/run
is "simulations within their time" "$status" 0
like "... print it" "$(cat "$tmp/out")" $'rows, as simulated\nall simulations: [0-9]+ s, [1-9][0-9]* s of CPU time$'
SIMULATION_LIMIT=0 called tests/statistics/run
is "beyond their time" "$status, $(cat "$tmp/err")" "1, run: more than 0 s on 2 CPUs"
echo "echo 'not ok 2'" >>tests/statistics/20-slow.t
called tests/statistics/run
ok "a simulation that fails" test "$status" -ne 0

#
# make demo
#

rm -f "$tmp/bin/make" "$tmp/bin/tar"
stub tests/setup <<<exit
stub tests/vm/run <<<'echo "machine $1 $2"'
# 4 CPUs
stub "$tmp/bin/nproc" <<<'echo 4'
called env -u ICBENCH_ACCEL make -s demo
is "make demo: instructions first, then time" "$status $(xargs <"$tmp/out")" \
	"0 machine --icount -- machine --no-insmod --"
demo_said() {
	tr -s ' \n' ' ' <"$tmp/err" >"$tmp/said"
	matches "$(cat "$tmp/said")" "$1"
}
ok "... what it does" demo_said "looking for missing packages.*run 1 of 2: instructions\. The module and icbenchctl are built.* boots.*run 2 of 2: time\."
ok "... that an emulator's times say little" demo_said "WARNING: .* QEMU emulates the CPU .*run 2 of 2"
ok "... what to run next" demo_said "what to run next: .*icbenchctl doctor"
called env ICBENCH_ACCEL=kvm make -s demo
ok "... no emulator" test "$(grep -c emulates "$tmp/err")" -eq 0
stub tests/vm/run <<<'exit 3'
called tests/vm/demo
is "make demo: a machine that fails" "$status" 3
rm "$tmp/bin/nproc"

done_testing
