# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The last lines of the commands that run many tests, sourced by these commands.

# shellcheck source=tests/lib/counts.sh
. "${BASH_SOURCE[0]%/*}/counts.sh"

figures_log=$(mktemp) || exit
trap 'rm -f "$figures_log"' EXIT

# proved PROVE-ARGUMENT...: run parts (parts.sh) by prove, TEST_JOBS at a time, and keep the output.
# The parts' standard error is descriptor 3, see tests/lib/timed.
proved() (
	set -o pipefail
	prove --failures --jobs "${TEST_JOBS:-2}" --timer --exec '' "$@" 3>&1 2>&1 | tee -a "$figures_log"
)

# seen: print the number of reports, and of machines without lockdep
seen() {
	local n

	n=$(unwatched "$figures_log")
	echo "reports seen: $(reports "$figures_log")$(
		[ "$n" -eq 0 ] || echo ", machines that a report left without lockdep: $n")"
}

# figures WHAT: print a line with the totals of all tests
figures() {
	local files tests

	read -r files tests _ < <(proved_counts "$figures_log")
	echo "# $1: $tests tests in $files files, $(seen)"
}

# sums WORD: print the sums of the counts in the lines "# WORD: OF N: COUNT ITEM, ..."
sums() {
	item_counts "$figures_log" | awk -F '\t' -v word="$1" -v seen="$(seen)" '
		BEGIN { printf "# %s:", word }
		$1 == word { printf " %d %s,", $2, $3 }
		END { printf " %s\n", seen }'
}
