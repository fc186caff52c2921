# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What is named to a command that proves tests, sourced by these.

# one_of WORD WORD...: whether it is one of those behind it
one_of() {
	local word

	for word in "${@:2}"; do
		[ "$word" != "$1" ] || return 0
	done
	return 1
}

# named_tests TEST...: end the command, before it has done anything, where there is no such
# test; two of one name would take each other's place
named_tests() {
	local test seen=" "

	for test; do
		[ -f "$test" ] || {
			echo "${BASH_SOURCE[1]#"$PWD"/}: no test $test; accepted: files, such as" \
				"tests/vm/10-modes.t" >&2
			exit 2
		}
		[[ $seen != *" ${test##*/} "* ]] || {
			echo "${BASH_SOURCE[1]#"$PWD"/}: two tests have the name ${test##*/}: give one" >&2
			exit 2
		}
		seen+="${test##*/} "
	done
}

# named_devices NAME...: the same where it is no device, or none is named
named_devices() {
	local device

	for device in "${@:-of no name}"; do
		[[ $device =~ ^(rxe|siw)$ ]] || {
			echo "${BASH_SOURCE[1]#"$PWD"/}: DEVICES: no device $device; accepted: rxe, siw," \
				"or both" >&2
			exit 2
		}
	done
}
