#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# scripts/bisect-run under git bisect, in a tree whose make, machine and comparison are stubs: it
# names the first bad commit, skips commits that cannot be measured, and gives the reasons.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

unset MAKEFLAGS MFLAGS MAKELEVEL "${!ICBENCH_@}"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
src=$tmp/src
mkdir -p "$src"/{scripts,tests/lib,tests/vm,build/cli/user} "$tmp/bin" "$tmp/linux/arch/x86"
cp "$top/scripts/bisect-run" "$src/scripts"
cp "$top/tests/lib/config.sh" "$src/tests/lib"
cp "$top/tests/vm/config-kdir" "$src/tests/vm"
bisect=$src/scripts/bisect-run
export PATH=$tmp/bin:$PATH

stub() {
	{ echo '#!/bin/bash'; cat; } >"$1"
	chmod +x "$1"
}

# The kernel's make: the file "lacks" names an option that the tree does not have, and the file
# "broken" keeps it from being built.
stub "$tmp/bin/make" <<'STUB'
for word; do
	case $word in
	O=*)			out=${word#O=} ;;
	KCONFIG_ALLCONFIG=*)	asked=${word#*=} ;;
	allnoconfig)		grep -vxFf lacks "$asked" >"$out/.config" ;;
	bzImage)		[ ! -e broken ] || { echo "a.c:1: error: broken" >&2; exit 2; }
				cp cost "$out/cost" ;;
	esac
done
STUB
# the machine: the result is the cost of a message
stub "$src/tests/vm/run" <<'STUB'
[[ $* != *" latency -n 9 "* ]] || { echo "icbenchctl: no such size" >&2; exit 2; }
while [ "$1" != --kdir ]; do shift; done
[ "$(<"$2/cost")" != fails ] || { echo "run: the kernel stood still"; exit 125; }
cp "$2/cost" "${@: -1}"
STUB
stub "$src/build/cli/user/icbenchctl" <<'STUB'
[[ $* == "compare --threshold 5 --metric latency.p50 "* ]] || exit 2
echo "base $(<"${@: -2:1}") new $(<"${@: -1}")"
[ "$(<"${@: -1}")" -le "$(<"${@: -2:1}")" ] || exit 4
STUB

cd "$tmp/linux" || exit
git init -q .
git config user.name test
git config user.email test@example.org

# commit NAME: a commit of all files
commit() {
	git add -A && git commit -qm "$1"
}

called() {
	"$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
}

# ends NAME STATUS PATTERN COMMAND...: the command ends with a status and a line on standard error
ends() {
	local name=$1 expected=$2 pattern=$3

	shift 3
	called "$@"
	[ "$status" -eq "$expected" ] && grep -qE "$pattern" "$tmp/err"
	ok "$name" [ $? -eq 0 ]
	[ "$status" -eq "$expected" ] || { echo "# status $status"; sed 's/^/# /' "$tmp/err"; }
}

touch Kconfig arch/x86/Makefile
echo CONFIG_NONE=y >lacks
echo 100 >cost
commit good
git tag good
run=("$bisect" --output "$tmp/results" --metric latency.p50 5 latency)
ends "the first call makes the base" 0 'good is the base: latency$' "${run[@]}"
is "... which is the result" "$(<"$tmp/results/base.json")" 100

for number in 1 2 3; do
	echo "$number" >file
	commit "harmless $number"
done
: >broken
commit "not built"
rm broken
echo fails >cost
commit "does not boot"
grep -x CONFIG_INET=y "$src/tests/vm/config-kdir" >lacks
commit "lacks an option"
echo CONFIG_NONE=y >lacks
echo 99 >cost
commit "harmless again"
echo 120 >cost
commit culprit
git tag culprit
for number in 4 5; do
	echo "$number" >file
	commit "harmless $number"
done

called git bisect start HEAD good
called git bisect run "${run[@]}"
is "git bisect run ends" "$status" 0
is "... with the first bad commit" "$(git rev-parse refs/bisect/bad)" "$(git rev-parse culprit)"
called git bisect reset

git checkout -q ':/not built'
ends "a commit that is not built is skipped, with the error" 125 'a.c:1: error: broken' "${run[@]}"
git checkout -q ':/does not boot'
ends "... one that does not boot" 125 'the benchmark fails with status 125' "${run[@]}"
git checkout -q ':/lacks an option'
ends "... and one that lacks an option, which is named" 125 '^CONFIG_INET=y$' "${run[@]}"
git checkout -q good

ends "no threshold" 128 'no threshold; accepted: a percentage' "$bisect"
ends "a threshold that is no number" 128 "is a percentage, such as 1 or 0.5, not '5x'" "$bisect" 5x
ends "an unknown option" 128 "unknown option '--metrics'" "$bisect" --metrics x 5
ends "no such file of options" 128 "cannot read '.*/none'" "$bisect" --config none 5
ends "another experiment than the base's" 128 "has the base of 'latency', and this is 'latency -n 7'" \
	"${run[@]}" -n 7
ends "arguments that icbenchctl refuses" 128 'the benchmark is not accepted' \
	"$bisect" --output "$tmp/other" 5 latency -n 9
touch .config
ends "a tree that holds a build" 128 "run 'make mrproper' there" "${run[@]}"
rm .config
cd "$tmp" || exit
ends "a directory that is no kernel tree" 128 'no Kconfig' "${run[@]}"

done_testing
