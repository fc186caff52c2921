#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The guest's side of tests/frozen/check: print a line for each figure, and for each recipe the
# format of its result document.

# shellcheck source=tests/vm/guest/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../vm/guest/lib.sh"
here=$(cd -P "${BASH_SOURCE[0]%/*}" && pwd)
modes=(default poll block softirq workqueue memory adaptive timer)

# options for each recipe, which replace its own points: the check needs only few
declare -A options=() timed=()
while read -r recipe words; do
	[[ $recipe != *~ ]] || timed[${recipe%\~}]=1
	options[${recipe%\~}]=$words
done < <(grep -v '^#' "$here/options")

mapfile -t recipes < <(icbenchctl list | awk '/^$/ { exit } { print $1 }')
for recipe in "${recipes[@]}"; do
	[ -n "${options[$recipe]+set}" ] || {
		echo "tests/frozen/options has no line for recipe $recipe"
		exit 1
	}
	for mode in "${modes[@]}"; do
		[ -z "${timed[$recipe]-}" ] || [ "$mode" = default ] || continue
		read -r -a words <<<"--warmup 20 ${options[$recipe]}"
		[ "$mode" = default ] || words+=(--completion "$mode")
		if ! icbenchctl run "$recipe" "${words[@]}" --json "$tmp/json" \
			>"$tmp/out" 2>"$tmp/err"; then
			printf 'figure\t%s\t%s\trefused\t%s\n' "$recipe" "$mode" \
				"$(head -n 1 "$tmp/err")"
			continue
		fi
		[ -n "${timed[$recipe]-}" ] || [ "$mode" = timer ] || jq -r --arg recipe "$recipe" --arg mode "$mode" '
			.points | to_entries[] | .key as $point | .value.metrics | to_entries[]
			| select(.value | has("percentiles"))
			| ["figure", $recipe, $mode, $point, .key, .value.min, .value.percentiles["50"],
				.value.mean] | @tsv' "$tmp/json"
		[ "$mode" != default ] || jq -c -r --arg recipe "$recipe" '
			def form: if type == "number" then 0
				elif type == "string" then ""
				elif type == "boolean" then true
				elif type == "array" then map(form) | unique
				elif type == "object" then
					with_entries(if .key == "unit" then . else .value |= form end)
				else . end;
			# the values between which a knee was sought depend on the rates
			has("knees") as $sought
			| .points |= map(.parameters as $parameters | form
				| if $sought then . else .parameters = $parameters end)
			| with_entries(if .key == "points" then . else .value |= form end)
			| "document\t\($recipe)\t\(.)"' "$tmp/json"
	done
done
exit 0
