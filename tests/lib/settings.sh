# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Numeric settings from the environment.

# setting VARIABLE DEFAULT: export the variable, with the DEFAULT if the environment lacks it; a
# value that is no number ends the test or the command
setting() {
	local value=${!1:-$2}

	[[ $value =~ ^[1-9][0-9]{0,8}$ ]] || {
		echo "${0##*/}: $1 is a number from 1 to 999999999, not '$value'" >&2
		exit 2
	}
	export "$1=$value"
}
