# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Checks of the names given to a command that runs tests, sourced by these commands.

# one_of WORD WORD...: whether the first word is among the others
one_of() {
	local word

	for word in "${@:2}"; do
		[ "$word" != "$1" ] || return 0
	done
	return 1
}

# named_tests TEST...: end the command at once if a test does not exist, or if two tests have the
# same name, because one would replace the other
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

# named_devices NAME...: end the command if a name is not a device, or if there is no name
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
