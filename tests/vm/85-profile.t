#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# tests/vm/profile: two profiles of a command agree, the sum is the measured time, a delay is found
# and named; and what is refused.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"
# shellcheck source=tests/lib/settings.sh
. "$top/tests/lib/settings.sh"

setting ICBENCH_ONE_IN 1

if [ -n "${ICBENCH_VM_OPTIONS-}" ]; then
	echo "1..0 # SKIP tested on the distribution's kernel only"
	exit
fi

profile=$top/tests/vm/profile
profiler=$top/tests/vm/profiler

# called ARGUMENT...: sets status, and the files out and err
called() {
	timeout 600 "$profile" "$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
}

refused() {
	called "$@"
	same "$status" 2 && same "$(wc -l <"$tmp/err")" 1 && same "$(<"$tmp/out")" ""
}

echo '{"schema": "icbench/1", "functions": []}' >"$tmp/other.json"
ok "refused: no command" refused
ok "refused: an empty command" refused --
ok "refused: an option without its value" refused --json
ok "refused: a directory that is not there" refused --json "$tmp/none/a.json" -- true
ok "refused: --folded in a directory that is not there" refused --folded "$tmp/none/a" -- true
ok "refused: a profile that is not there" refused --against "$tmp/none" -- true
ok "refused: another document" refused --against "$tmp/other.json" -- true
ok "refused: --least few" refused --least few -- true
ok "refused: another plugin" refused --plugin "$profile" -- true
ok "refused: an option that tests/vm/run refuses" refused --cpus 2 -- true
ok "refused: a command with -n" refused -- icbenchctl run latency -n 5
ok "refused: a command with --json" refused -- icbenchctl run latency --json a
ok "--help" "$profile" --help

# the rules of names, and the cases that two boots do not show
ok "the arithmetic" python3 -B "$profiler/selftest.py"

# fails WHAT ARGUMENT...: a boot that ends with status 1 and one line
fails() {
	local what=$1

	shift
	called "$@"
	is "$what: one line" "$status $(wc -l <"$tmp/err") $(wc -l <"$tmp/out")" "1 1 0"
}

fails "a command that fails" -- icbenchctl run latency --size none
like "... which is repeated" "$(<"$tmp/err")" "status 2: icbenchctl: "

# json NAME FILTER: a test that passes if the filter of the profile NAME is true
json() {
	ok "$1" jq -e "$3" "$tmp/$2"
}

latency=(icbenchctl run latency)
# a module that spins for 1 us at each of the two posts of an operation
# shellcheck disable=SC2016 # for the shell that runs it
delayed=(sh -c 'insmod $ICBENCH_WITH/delay.ko function=rxe_post_send us=1 &&
	exec icbenchctl run latency "$@"' sh)
called --json "$tmp/first" -- "${latency[@]}"
is "a profile: $(<"$tmp/err")" "$status" 0
# The delays' module is built, but not loaded. This profile follows call stacks, which must not
# change the figures.
second=(--json "$tmp/second" --stacks --folded "$tmp/folded" --with tests/delays)
# With ICBENCH_ONE_IN the second profile is also the one with a delay. A probe changes the function
# that is delayed and the sum.
if [ "$ICBENCH_ONE_IN" -eq 1 ]; then
	changed=none
	called "${second[@]}" -- "${latency[@]}"
else
	changed=rxe_post_send
	called "${second[@]}" --against "$tmp/first" -- "${delayed[@]}"
fi
is "a second one: $(<"$tmp/err")" "$status" 0

for name in first second; do
	json "$name: the sum is the measured time, within 0.5 %" $name \
		'.method == "window" and (.sum / .elapsed - 1 | fabs) <= 0.005'
	json "... and so is the sample" $name \
		'.sample | (.counted.instructions / .measured - 1 | fabs) <= 0.005'
	json "... the functions add up" $name '. as $p | [.functions, .modules, .rooms] |
		all(([.[].instructions] | add) - $p.sum | fabs < 0.01)'
	json "... the modules are there" $name '[.modules[].name] |
		contains(["rdma_rxe", "ib_core", "icbench", "core kernel"])'
done

json "the call stacks add up to the functions" second '([.stacks[].count] | add) ==
	([.functions[] | select(.module != "[user space]").count] | add)'
json "... a post is a call of the loop, through the post of icbench" second '[.stacks[] |
	(.frames | index("echo_loop")) as $loop | (.frames | index("icb_run_post")) as $post |
	(.frames | index("rxe_post_send")) as $driver |
	select($loop and $post and $driver) | $loop < $post and $post < $driver] | all and length > 0'
json "... nearly all begin in a thread" second '([.stacks[] |
	select(.frames[0] | startswith("ret_from_fork")).count] | add) >=
	0.95 * ([.stacks[].count] | add)'
ok "--folded: the same call stacks" jq -e --rawfile folded "$tmp/folded" '
	[.stacks[] | "\(.frames | join(";")) \(.count)"] + [.functions[] |
	select(.module == "[user space]" and .count > 0) | "\(.name) \(.count)"] | sort ==
	($folded | rtrimstr("\n") | split("\n") | sort)' "$tmp/second"
like "the tree of calls" "$(sed '1,/^  with callees/d' "$tmp/out")" " echo_loop"

# The driver executes the same instructions in both. icbench also records ticks, which do not come at
# the same operations, and the kernel has ticks and other tasks.
each='[.functions[] | select(.count >= 10000 and .name != "'$changed'" and
	(.module | IN("rdma_rxe", "ib_core", "crc32_pclmul"))) | "\(.name) \(.count)"] | sort'
is "the driver's functions agree to the instruction" "$(jq -c "$each" "$tmp/first")" \
	"$(jq -c "$each" "$tmp/second")"
json "... which are many" first "$each | length >= 30"
own='[.functions[] | select(.module == "icbench") | {(.name): .instructions}] | add'
ok "those of icbench agree within an instruction" jq -e -n --argjson a "$(jq "$own" "$tmp/first")" \
	--argjson b "$(jq "$own" "$tmp/second")" \
	'[$a + $b | keys[] | ($a[.] // 0) - ($b[.] // 0) | fabs < 1] | all and length > 10'
if [ "$ICBENCH_ONE_IN" -eq 1 ]; then
	ok "... and the sums within 0.1 %" jq -e -n --slurpfile a "$tmp/first" \
		--slurpfile b "$tmp/second" '$a[0].sum / $b[0].sum - 1 | fabs <= 0.001'
	called --against "$tmp/first" --json "$tmp/third" --with tests/delays -- "${delayed[@]}"
	is "a profile with a delay: $(<"$tmp/err")" "$status" 0
fi
like "... which is named first" "$(sed -n 5p "$tmp/out")" "delay_(tsc|loop) "
ok "... with its module" grep -q ' before  *delay$' "$tmp/out"

done_testing
