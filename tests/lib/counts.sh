# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Counts in the output of prove and of the tests' machines. Sourced by the commands that run many
# tests.

# reports FILE: print the number of kernel reports that were not excused, and sanitizer reports
reports() {
	grep -cE ': kernel report: |SUMMARY: ([A-Za-z]*Sanitizer|libFuzzer)' "$1"
}

# unwatched FILE: print the number of machines on which a report, perhaps an excused one, turned
# lockdep off
unwatched() {
	grep -cE ': lockdep was off from a report on' "$1"
}

# proved_counts FILE: print the numbers of test files, of tests, and of failed tests; a file that
# failed in another way counts as one test
proved_counts() {
	awk '
		/^Files=[0-9]+, Tests=[0-9]+/ {
			split($0, n, /[=,]/)
			files += n[2]
			tests += n[4]
		}
		/\(Wstat: .* Tests: [0-9]+ Failed: [0-9]+\)/ {
			sub(/.* Failed: /, "")
			failed += $0 + 0 ? $0 + 0 : 1
		}
		END { print files + 0, tests + 0, failed + 0 }' "$1"
}

# item_counts FILE: add the counts of the lines "# WORD: OF N: COUNT ITEM, ..."; print WORD,
# COUNT and ITEM for each, separated by tabs
item_counts() {
	awk '
		/^# [a-z]+: [a-z]+ [^ ]+: [0-9]/ {
			word = substr($2, 1, length($2) - 1)
			sub(/^[^:]*: [^:]*: /, "")
			n = split($0, item, /, /)
			for (i = 1; i <= n; i++) {
				count = item[i] + 0
				sub(/^[0-9]+ /, "", item[i])
				if (!((word, item[i]) in sum))
					name[names++] = word SUBSEP item[i]
				sum[word, item[i]] += count
			}
		}
		END {
			for (i = 0; i < names; i++) {
				split(name[i], key, SUBSEP)
				printf "%s\t%d\t%s\n", key[1], sum[name[i]], key[2]
			}
		}' "$1"
}
