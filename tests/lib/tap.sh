# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# TAP for tests written in bash, sourced from any of them by its own path. Sets
# top, the project's directory, and tmp, which is removed in the end.

set -u -o pipefail

# shellcheck disable=SC2034 # of use to whoever sources this
top=$(cd -P "${BASH_SOURCE[0]%/*}/../.." && pwd)
tmp=$(mktemp -d) || exit
tap_count=0
tap_failed=0

tap_cleanup() {
	rm -rf "$tmp"
}
trap tap_cleanup EXIT

# to where prove shows it
diag() {
	printf '%s\n' "$*" | sed 's/^/# /' >&2
}

# ok WHAT COMMAND...: a test, which is COMMAND; what it says shows if it fails
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

# passed WHAT: a test that has passed
passed() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1"
}

# skip WHAT WHY: a test that is left out
skip() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # skip $2"
}

# is WHAT GOT WANTED
is() {
	ok "$1" same "$2" "$3"
}

same() {
	[ "$1" = "$2" ] || {
		printf 'got:    %q\nwanted: %q\n' "$1" "$2"
		return 1
	}
}

# like WHAT GOT REGEX
like() {
	ok "$1" matches "$2" "$3"
}

matches() {
	[[ $1 =~ $2 ]] || {
		printf 'got:    %q\nwanted: %s\n' "$1" "$2"
		return 1
	}
}

# quiet COMMAND...: whether it succeeds and says nothing
quiet() {
	local said

	said=$("$@" 2>&1)
	tap_status=$?
	[ -z "$said" ] || echo "$said"
	[ "$tap_status" -eq 0 ] && [ -z "$said" ]
}

# the plan goes last: a test that dies early has none, and fails
done_testing() {
	echo "1..$tap_count"
	[ "$tap_failed" -eq 0 ]
	exit
}
