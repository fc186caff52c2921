# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the environment says of how often and how long, sourced by who wants to know.

# setting VARIABLE DEFAULT: export what it is, which is DEFAULT if the environment does not
# have it; what is no number ends the test, or the command
setting() {
	local value=${!1:-$2}

	[[ $value =~ ^[1-9][0-9]{0,8}$ ]] || {
		echo "${0##*/}: $1 is a number from 1 to 999999999, not '$value'" >&2
		exit 2
	}
	export "$1=$value"
}
