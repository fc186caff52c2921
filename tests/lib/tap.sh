# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# TAP for tests in bash, which source this file by its own path. Sets top, the project's directory,
# and tmp, a directory that is removed at the end.

set -u -o pipefail

# shellcheck disable=SC2034 # used by the files that source this one
top=$(cd -P "${BASH_SOURCE[0]%/*}/../.." && pwd)
tmp=$(mktemp -d) || exit
tap_count=0
tap_failed=0

tap_cleanup() {
	rm -rf "$tmp"
}
trap tap_cleanup EXIT

# print to standard error, which prove shows
diag() {
	printf '%s\n' "$*" | sed 's/^/# /' >&2
}

# ok WHAT COMMAND...: a test that passes if the command succeeds; otherwise its output is shown
ok() {
	local what=$1 said

	shift
	tap_count=$((tap_count + 1))
	if said=$("$@" 2>&1); then
		echo "ok $tap_count - $what"
	else
		tap_failed=$((tap_failed + 1))
		echo "not ok $tap_count - $what"
		diag "$what:"
		[ -z "$said" ] || diag "$(tail -n 40 <<<"$said")"
	fi
}

# passed WHAT: report a test that has passed
passed() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1"
}

# skip WHAT WHY: report a skipped test
skip() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # skip $2"
}

# is WHAT GOT WANTED: a test that passes if both strings are equal
is() {
	ok "$1" same "$2" "$3"
}

same() {
	[ "$1" = "$2" ] || {
		printf 'got:    %q\nwanted: %q\n' "$1" "$2"
		return 1
	}
}

# like WHAT GOT REGEX: a test that passes if the string matches
like() {
	ok "$1" matches "$2" "$3"
}

matches() {
	[[ $1 =~ $2 ]] || {
		printf 'got:    %q\nwanted: %s\n' "$1" "$2"
		return 1
	}
}

# quiet COMMAND...: whether the command succeeds without output
quiet() {
	local said

	said=$("$@" 2>&1)
	tap_status=$?
	[ -z "$said" ] || echo "$said"
	[ "$tap_status" -eq 0 ] && [ -z "$said" ]
}

# The plan is printed last: a test that exits early has no plan, and so fails.
done_testing() {
	echo "1..$tap_count"
	[ "$tap_failed" -eq 0 ]
	exit
}
