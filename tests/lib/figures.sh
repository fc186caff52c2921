# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The last lines of the commands that run many tests, sourced by these commands.

# shellcheck source=tests/lib/counts.sh
. "${BASH_SOURCE[0]%/*}/counts.sh"

figures_log=$(mktemp) || exit
trap 'rm -f "$figures_log"' EXIT

# proved_script FILE COMMAND...: write a script for proved() that runs a test. Descriptors 3 and 4
# are as in tests/lib/timed. The test has no descriptor 4: prove would wait for a process that the
# test leaves behind.
proved_script() {
	local script=$1

	shift
	mkdir -p "${script%/*}" &&
		printf '#!/bin/bash\n%s\nsetpriv --pdeathsig TERM%s 4>&-\nexit\n' \
			'[ ! -e /proc/self/fd/3 ] || exec 4>&2 2>&3 3>&-' \
			"$(printf ' %q' "$@")" >"$script" &&
		chmod +x "$script"
}

# proved PROVE-ARGUMENT...: run scripts by prove, TEST_JOBS at a time, and keep the output
proved() (
	set -o pipefail
	prove --failures --jobs "${TEST_JOBS:-2}" --timer --exec '' "$@" 3>&1 2>&1 | tee -a "$figures_log"
)

# seen: print the number of reports, and of machines without lockdep
seen() {
	local n

	n=$(unwatched "$figures_log")
	echo "reports seen: $(reports "$figures_log")$(
		[ "$n" -eq 0 ] || echo ", machines on which a report turned lockdep off: $n")"
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
