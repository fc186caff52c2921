# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the commands that prove many tests say in the end, sourced by them.

figures_log=$(mktemp) || exit
trap 'rm -f "$figures_log"' EXIT

# proved PROVE-ARGUMENT...: prove them, TEST_JOBS at a time, and remember what was said
proved() {
	prove --failures --jobs "${TEST_JOBS:-2}" --timer --exec '' "$@" 2>&1 | tee -a "$figures_log"
}

# reports: how many of kernels, which nothing has excused, and of sanitizers
reports() {
	grep -cE ': kernel report: |SUMMARY: ([A-Za-z]*Sanitizer|libFuzzer)' "$figures_log"
}

# unwatched: how many machines a report, perhaps an excused one, left without lockdep
unwatched() {
	local n

	n=$(grep -cE ': lockdep was off from a report on' "$figures_log")
	[ "$n" -eq 0 ] || echo ", machines that a report left without lockdep: $n"
}

# figures WHAT: a line of all that was proved
figures() {
	awk -v what="$1" -v reports="$(reports)" -v unwatched="$(unwatched)" '
		/^Files=[0-9]+, Tests=[0-9]+/ {
			split($0, n, /[=,]/)
			files += n[2]
			tests += n[4]
		}
		END {
			printf "# %s: %d tests in %d files, reports seen: %d%s\n",
				what, tests, files, reports, unwatched
		}' "$figures_log"
}

# sums PART: the sum of what each line "# PART: OF N: COUNT WHAT, ..." counts
sums() {
	awk -v part="$1" -v reports="$(reports)" -v unwatched="$(unwatched)" '
		$0 ~ "^# " part ": [a-z]+ [^ ]+: [0-9]" {
			sub(/^[^:]*: [^:]*: /, "")
			n = split($0, item, /, /)
			for (i = 1; i <= n; i++) {
				count = item[i] + 0
				sub(/^[0-9]+ /, "", item[i])
				if (!(item[i] in sum))
					name[names++] = item[i]
				sum[item[i]] += count
			}
		}
		END {
			printf "# %s:", part
			for (i = 0; i < names; i++)
				printf " %d %s,", sum[name[i]], name[i]
			printf " reports seen: %d%s\n", reports, unwatched
		}' "$figures_log"
}
