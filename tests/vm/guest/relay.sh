# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For tests with more than one machine; these also source tests/lib/tap.sh.

# relay NAME FILE: report a machine's tests as tests of this script, and test that it completed
relay() {
	local line n=0

	while read -r line; do
		case $line in
		ok\ *|not\ ok\ *)
			n=$((n + 1))
			tap_count=$((tap_count + 1))
			[[ $line == ok* ]] || tap_failed=$((tap_failed + 1))
			echo "${line%%ok *}ok $tap_count - $1: ${line#* - }"
			;;
		"#"*)
			echo "$line"
			;;
		esac
	done <"$2"
	is "$1: came to its end" "$(tail -n 1 "$2")" "1..$n"
}

# each_machine SECONDS OPTION[ VALUE]:SCRIPT...: run the guest's SCRIPT in a machine with
# OPTION, one machine after the other
each_machine() {
	local seconds=$1 machine options status vm=$top/tests/vm

	shift
	for machine; do
		read -r -a options <<<"${machine%%:*}"
		"$vm/run" "${options[@]}" --timeout "$seconds" -- \
			bash "$vm/guest/${machine#*:}" >"$tmp/out"
		status=$?
		relay "${machine%%:*}" "$tmp/out"
		is "${machine%%:*}: the machine" "$status" 0
	done
}
