# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the commands that prove many tests say in the end, sourced by them.

# shellcheck source=tests/lib/counts.sh
. "${BASH_SOURCE[0]%/*}/counts.sh"

figures_log=$(mktemp) || exit
trap 'rm -f "$figures_log"' EXIT

# proved PROVE-ARGUMENT...: prove them, TEST_JOBS at a time, and remember what was said
proved() (
	set -o pipefail
	prove --failures --jobs "${TEST_JOBS:-2}" --timer --exec '' "$@" 2>&1 | tee -a "$figures_log"
)

# seen: the reports, and the machines without lockdep, as words
seen() {
	local n

	n=$(unwatched "$figures_log")
	echo "reports seen: $(reports "$figures_log")$(
		[ "$n" -eq 0 ] || echo ", machines that a report left without lockdep: $n")"
}

# figures WHAT: a line of all that was proved
figures() {
	local files tests

	read -r files tests _ < <(proved_counts "$figures_log")
	echo "# $1: $tests tests in $files files, $(seen)"
}

# sums WORD: the sum of what each line "# WORD: OF N: COUNT ITEM, ..." counts
sums() {
	item_counts "$figures_log" | awk -F '\t' -v word="$1" -v seen="$(seen)" '
		BEGIN { printf "# %s:", word }
		$1 == word { printf " %d %s,", $2, $3 }
		END { printf " %s\n", seen }'
}
