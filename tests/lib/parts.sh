# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The parts of a command that runs many tests; the command sources this file after figures.sh. A
# part is a script in the directory $parts. tests/full/check runs the parts one by one. The command
# accepts one of these options before its other arguments:
#
#	--list		print the names of the parts and exit; builds no kernel
#	--part NAME	run only this part, with all output of its tests
#	--tap NAME	run only this part, as a test whose output is TAP

listed=			# set: --list
only=			# the part of --part or --tap
as_tap=			# set: --tap
part_names=()
arguments=()		# other arguments of the command
parts=$(mktemp -d) || exit
# shellcheck disable=SC2154 # of figures.sh
trap 'rm -rf "$parts" "$figures_log"' EXIT

# parts_asked ARGUMENT...: parse these options; end the command if there is no such part
parts_asked() {
	local names

	case ${1-} in
	--list)
		listed=1
		shift
		;;
	--part|--tap)
		[ "$1" = --part ] || as_tap=1
		only=${2-}
		shift $(($# < 2 ? $# : 2))
		names=$("$0" --list "$@") || exit
		[[ $'\n'$names$'\n' == *$'\n'"${only:-no name}"$'\n'* ]] || {
			echo "${0#"$PWD"/}: no part '$only'; accepted: those that --list prints" >&2
			exit 2
		}
		;;
	esac
	# shellcheck disable=SC2034 # for the command
	arguments=("$@")
}

# part NAME [VARIABLE=VALUE]... TEST [ARGUMENT]...: write the script $parts/NAME.t, which runs
# the test with these variables; with --part or --tap, only that of the part asked for
part() {
	local name=$1 script=$parts/$1.t

	shift
	[ -z "$only" ] || [ "$only" = "$name" ] || return 0
	part_names+=("$name")
	proved_script "$script" env "$@" || exit
}

# parts_made: called when all scripts are written; serves --list, --part and --tap, and ends the
# command then
parts_made() {
	if [ -n "$listed" ]; then
		[ ${#part_names[@]} -eq 0 ] || printf '%s\n' "${part_names[@]}"
		exit
	fi
	cd "$parts" || exit
	[ -n "$only" ] || return 0
	# the command has reported why there is no kernel for it
	[ ${#part_names[@]} -gt 0 ] || exit 1
	if [ -n "$as_tap" ]; then
		"./$only.t"
	else
		proved --verbose "./$only.t"
	fi
	exit
}
