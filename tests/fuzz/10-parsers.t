#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Fuzz what icbenchctl reads: every target of parsers/, for a limited number of runs, from the seeds
# of corpus/, and in a repeatable way.
#
#   ICBENCH_FUZZ_RUNS   runs of each target (30000)
#   ICBENCH_FUZZ_SEED   seed of the random numbers (1)

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"
# shellcheck source=tests/lib/settings.sh
. "$top/tests/lib/settings.sh"

fuzz=$top/tests/fuzz
built=$fuzz/build/parsers
setting ICBENCH_FUZZ_RUNS 30000
setting ICBENCH_FUZZ_SEED 1
runs=$ICBENCH_FUZZ_RUNS
seed=$ICBENCH_FUZZ_SEED

build() {
	make -C "$fuzz/parsers" -j "$(nproc)"
}

# the good files of the corpus have to be accepted, or the fuzzer has no valid input to start from
good_seeds() {
	ICBENCH_FUZZ_GOOD=1 "$built/$1" "$fuzz/corpus/$1"/good-* 2>&1
}

fuzz() {
	local target=$1 found=$fuzz/build/found/$1 status=0 f

	rm -rf "$found"
	mkdir -p "$found" "$tmp/$target"
	"$built/$target" -runs="$runs" -seed="$seed" -max_len=2048 -timeout=60 \
		-print_final_stats=1 -artifact_prefix="$found/" \
		"$tmp/$target" "$fuzz/corpus/$target" >"$tmp/said" 2>&1 || status=$?
	executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$tmp/said")
	for f in "$found"/*; do
		[ -e "$f" ] || continue
		status=1
		echo "$f: $(base64 -w 0 "$f")"
	done
	[ "$status" -eq 0 ] || grep -v '^#[0-9]' "$tmp/said" | tail -n 25
	[ "$status" -eq 0 ] && [ "${executed:-0}" -ge "$runs" ]
}

report() {
	cat "$tmp/report"
	return "$1"
}

seeds_are_current() {
	local f

	mkdir -p "$tmp"/seeds/{answers,saved}
	"$fuzz/parsers/seeds.py" "$tmp/seeds" &&
	for f in "$tmp"/seeds/*/*; do
		cmp "$f" "$fuzz/corpus/${f#"$tmp/seeds/"}" || return
	done
}

# each source with a fuzz target is in the list of targets, and each target has a corpus
targets_are_all() {
	same "$(make -s -C "$fuzz/parsers" list | tr ' ' '\n' | sort)" \
		"$(grep -l LLVMFuzzerTestOneInput "$fuzz"/parsers/*.c | sed 's|.*/||; s|\.c$||' | sort)" &&
	same "$(make -s -C "$fuzz/parsers" list | tr ' ' '\n' | sort)" \
		"$(cd "$fuzz/corpus" && printf '%s\n' *)"
}

inputs=0
targets=0
ok "the targets are built" build
ok "the seeds that are made are those of the corpus" seeds_are_current
ok "each source of a target is one, with a corpus" targets_are_all
for target in $(make -s -C "$fuzz/parsers" list); do
	ok "$target: the good seeds are accepted" good_seeds "$target"
	executed=0
	fuzz "$target" >"$tmp/report"
	status=$?
	printf '# %s: %s runs, seed %s\n' "$target" "${executed:-0}" "$seed"
	ok "$target" report "$status"
	inputs=$((inputs + ${executed:-0}))
	targets=$((targets + 1))
done
printf '# parsers: seed %s: %s inputs, %s parsers\n' "$seed" "$inputs" "$targets"
done_testing
