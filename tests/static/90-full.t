#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# tests/full/check, with stubs of the commands in its own tree: what is run once, what is run
# again, how a signal ends it, and what its summary contains.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

unset MAKEFLAGS MFLAGS MAKELEVEL STATE PARTS LIST FRESH TEST_JOBS "${!ICBENCH_@}"
src=$tmp/src
state=$tmp/state
control=$tmp/control
mkdir -p "$src/tests/fake" "$control"
cp -r "$top/tests/full" "$top/tests/lib" "$src/tests/"
echo 1.2.3 >"$src/VERSION"
cd "$src" || exit
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
git() {
	command git -c user.name=test -c user.email=test@localhost -c init.defaultBranch=main "$@"
}

# stub FILE: make FILE a command, a bash script from standard input
stub() {
	{
		printf '#!/bin/bash\ncontrol=%q\necho "${0##*/}" >>"$control/ran"\n' "$control"
		cat
	} >"$1"
	chmod +x "$1"
}

printf 'check:\n\techo check >>%q\nbench:\n\techo bench >>%q\n' "$control/ran" \
	"$control/ran" >Makefile
cat >tests/fake/check <<'CHECK'
#!/bin/bash
here=$(cd -P "${BASH_SOURCE[0]%/*}" && pwd)
. "$here/../lib/figures.sh"
. "$here/../lib/parts.sh"
parts_asked "$@"
for test in "$here"/*.t; do
	name=$(basename "$test" .t)
	[ "$name" = good ] || name=these/$name
	part "$name" "$test"
done
parts_made
CHECK
chmod +x tests/fake/check
stub tests/fake/good.t <<'TEST'
echo 6.99.1 >>"$ICBENCH_VM_KERNELS"
echo "6.99.2 (/a/tree)" >>"$ICBENCH_VM_KERNELS"
echo "6.99.1" >>"$ICBENCH_VM_KERNELS"
printf '# netlink: seed 1: 100 messages, 7 refused\nok 1 - a\nok 2 - b\nok 3 - c\n1..3\n'
TEST
# a test that fails while the file "bad" exists
stub tests/fake/sometimes.t <<'TEST'
[ ! -e "$control/bad" ] || {
	log=$(mktemp /tmp/icbench-vm.XXXXXX.log) || exit
	echo "the kernel says" >"$log"
	echo "run: kernel report: WARNING: at x.c:1 f+0x1/0x2" >&2
	echo "run: lockdep was off from a report on, and saw nothing that came later" >&2
	echo "run: the kernel's log: $log" >&2
	printf 'ok 1\nnot ok 2 - this\n1..2\n'
	exit 1
}
printf '# netlink: seed 2: 50 messages, 1 refused\nok 1\nok 2\n1..2\n'
TEST
# A test that runs long while the file "hold" exists. One of its processes is in a process group of
# its own, as QEMU is.
stub tests/fake/slow.t <<'TEST'
if [ -e "$control/hold" ]; then
	rm -f "$control/machine"
	setpriv --pdeathsig KILL timeout 600 setpriv --pdeathsig KILL \
		sh -c 'echo $$ >"$1" && exec sleep 600' - "$control/machine" >/dev/null 2>&1 &
	sleep 600 >/dev/null 2>&1 &
	until [ -s "$control/machine" ]; do
		sleep 0.05
	done
	echo "$$ $(jobs -p | xargs) $(<"$control/machine")" >"$control/held.new"
	mv "$control/held.new" "$control/held"
	wait
fi
printf '# netlink: seed 3: 8 messages, 2 refused\nok 1\n1..1\n'
TEST
git init -q . && git add -A && git commit -q -m first
commit=$(git rev-parse HEAD)

# full VARIABLE=VALUE...: sets status, and the files out and err
full() {
	rm -f "$control/ran"
	env STATE="$state" "$@" tests/full/check >"$tmp/out" 2>"$tmp/err"
	status=$?
}

# ran: print the commands that were run, in alphabetical order
ran() {
	[ ! -e "$control/ran" ] || sort "$control/ran" | xargs
}

# says REGEX: the summary has this line
says() {
	grep -qxE -- "$1" "$state/summary.txt" || {
		cat "$state/summary.txt"
		return 1
	}
}

# refused PATTERN VARIABLE=VALUE...: with one line, before anything is run or made
refused() {
	local pattern=$1

	shift
	full "$@"
	cat "$tmp/out" "$tmp/err"
	[ "$status" -eq 2 ] && [ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
		grep -qE -- "$pattern" "$tmp/err" && [ ! -e "$control/ran" ]
}

# soon COMMAND...: wait until it succeeds, for a minute at most
soon() {
	local tries=0

	until "$@" 2>/dev/null; do
		[ $((tries += 1)) -lt 600 ] || return
		sleep 0.1
	done
}

gone() {
	local pid

	for pid; do
		! kill -0 "$pid" || grep -q '^State:.*Z' "/proc/$pid/status" || return
	done
}

#
# The list of parts, and settings that are refused
#

full LIST=1
is "the parts" "$(awk '{ print $NF }' "$tmp/out" | xargs)" \
	"check bench fake/good fake/these/slow fake/these/sometimes"
is "... none of which is begun" "$(awk '{ print $1 }' "$tmp/out" | sort -u)" -
ok "... and nothing is made for that" test "$status" -eq 0 -a ! -e "$state"
ok "refused: a part that is none" refused "no part 'fake/x\*'" PARTS='check fake/x*'
ok "... an argument" refused "unexpected 'all'" bash -c '"$@" all' -
mkdir "$tmp/other" && : >"$tmp/other/file"
ok "... a directory of other things" refused "neither empty nor" STATE="$tmp/other"
ok "... a number that is none" refused "TEST_JOBS is a number" TEST_JOBS=many
: >untracked
ok "... a tree with changes" refused "uncommitted changes" LIST=
full LIST=1
is "... of which the parts are listed all the same" "$status" 0
rm untracked
mv .git git
ok "... a tree without a commit" refused "is not a git checkout"
mv git .git
ok "nothing was made for these" test ! -e "$state"

#
# Some parts, all parts, and a part that fails
#

full PARTS="bench fake/g*"
is "some of the parts" "$status $(ran)" "0 bench good.t"
ok "they have passed, and the rest was not begun" says \
	"parts      2 of 5 passed, 0 failed, 0 begun and not ended, 3 not begun"
ok "which is not all" says "verdict    NOT PASSED: 3 not done"
: >"$control/bad"
full
is "all of them: those that were not done" "$status $(ran)" "1 check slow.t sometimes.t"
ok "one has failed" says "verdict    NOT PASSED: 1 failed"
is "which is told at once" "$(grep -c '^failed .* fake/these/sometimes$' "$tmp/out")" 1
ok "... with what it said" grep -qF "not ok 2 - this" "$tmp/out"
ok "... and in the summary" says "fake/these/sometimes +failed +2 +1 +1 +[0-9]+ +machines with lockdep turned off: 1"
ok "... with reports" says "reports    1 seen"
ok "... and machines without lockdep" says "lockdep    1 machines .*"
is "its kernel's log is kept" "$(cat "$state"/parts/fake/these/sometimes/kernel-*.log)" \
	"the kernel says"
full LIST=1
is "the parts, with what became of them" "$(awk '{ print $1 }' "$tmp/out" | xargs)" \
	"passed passed passed passed failed"
rm "$control/bad"
full
is "again: that one alone" "$status $(ran)" "0 sometimes.t"
ok "all have passed" says "verdict    PASSED"
ok "the commit" says "commit     $commit"
ok "the version" says "icbench 1\.2\.3, make check-full"
ok "the host" says "host       Linux $(uname -r), .*"
ok "the kernels: one" says "kernels    6\.99\.1, in 1 parts"
ok "... and the tree of the other one" says " +6\.99\.2 \(/a/tree\), in 1 parts"
ok "... of a part" says "fake/good +passed +3 +0 +0 +[0-9]+  6\.99\.1, 6\.99\.2"
ok "that it had failed before" says "fake/these/sometimes +passed .* failed before: 1"
ok "... and its log" grep -q "not ok 2" "$state/parts/fake/these/sometimes/log.1"
ok "the sum of tests" says "tests      6, of which failed: 0"
ok "the sum of a kind" says "fake/these +2/2 +3 +0 +0 +[0-9]+"
ok "... and of what it counts" says "    netlink: 58 messages, 3 refused"
full
is "once more: nothing" "$status $(ran)" "0 "

#
# Another commit, other settings
#

ok "refused: other settings" refused "with other settings \(none\), and these are: ICBENCH_FUZZ_RUNS=5; FRESH=1" \
	ICBENCH_FUZZ_RUNS=5
cp tests/fake/good.t tests/fake/new.t
git add -A
git commit -q -m second
ok "refused: another commit" refused "of another commit \($commit\), and this is $(git rev-parse HEAD); FRESH=1"
ok "... and of all that was done nothing is lost" test -e "$state/parts/check/result"
full FRESH=1 ICBENCH_FUZZ_RUNS=5 PARTS="fake/*"
is "begun anew; a new test is a part" "$status $(ran)" "0 good.t new.t slow.t sometimes.t"
ok "what was of the other commit has gone" test ! -e "$state/parts/check"
full ICBENCH_FUZZ_RUNS=5
ok "with other settings nothing passes for a release" \
	says "verdict    NOT PASSED: settings that are not the defaults"
ok "... which are told" says "settings   ICBENCH_FUZZ_RUNS=5"

#
# Ended by a signal
#

# ended SIGNAL WHOM: send the signal to the process, which is a background job of a script and
# ignores SIGINT, or to its group, as a terminal does; fails if any process is left
ended() {
	local pid pids

	rm -rf "$state" "$control/held"
	: >"$control/hold"
	[ "$2" = process ] || set -m
	STATE=$state TEST_JOBS=1 tests/full/check >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	set +m
	soon test -e "$control/held" || return
	read -r -a pids <"$control/held"
	[ ${#pids[@]} -eq 4 ] && ! gone "${pids[@]}" || return
	if [ "$2" = group ]; then
		kill -"$1" -- -"$pid"
	else
		kill -"$1" "$pid"
	fi
	wait "$pid"
	echo $? >"$control/status"
	soon gone "${pids[@]}" || {
		kill -KILL "${pids[@]}"
		echo "not gone: ${pids[*]}"
		return 1
	}
}

for how in "INT group 130" "INT process 130" "TERM process 143" "HUP process 129" "KILL process 137" "KILL group 137"; do
	read -r name whom wanted <<<"$how"
	ok "$name to the $whom: nothing is left" ended "$name" "$whom"
	is "... $wanted" "$(<"$control/status")" "$wanted"
	full LIST=1
	is "... what was done is done" "$(awk '{ print $1 }' "$tmp/out" | xargs)" \
		"passed passed passed passed begun -"
	rm "$control/hold"
	full
	is "... and the rest is run" "$status $(ran)" "0 slow.t sometimes.t"
	ok "... and all has passed" says "verdict    PASSED"
done

# a change of the tree while slow.t runs
rm -rf "$state" "$control/held"
: >"$control/hold"
STATE=$state TEST_JOBS=1 tests/full/check >"$tmp/out" 2>"$tmp/err" &
pid=$!
soon test -e "$control/held"
read -r first _ <"$control/held"
: >untracked
kill "$first"
wait "$pid"
is "a tree that was changed meanwhile: ends" "$?" 1
rm -f untracked "$control/hold"
ok "... and says so" grep -q "fake/these/slow has no result: is the tree still that of" "$tmp/err"
full LIST=1
is "... with no result of that part" "$(awk '$NF ~ /slow/ { print $1 }' "$tmp/out")" begun

done_testing
