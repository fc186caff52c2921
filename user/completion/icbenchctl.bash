# SPDX-License-Identifier: GPL-2.0
# bash completion for icbenchctl                           -*- shell-script -*-

_icbenchctl_files()
{
	compopt -o filenames 2>/dev/null
	mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$1")
}

_icbenchctl_words()
{
	mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$1" -- "$2")
}

_icbenchctl_devices()
{
	local dev
	for dev in /sys/class/infiniband/*; do
		[[ -e $dev ]] && printf '%s ' "${dev##*/}"
	done
}

# the values of an option of run, from what the program says of its keys
_icbenchctl_value()
{
	local option=$1 cur=$2 name type accepted rest list=

	case $option in
	-d|--device)
		_icbenchctl_words "$(_icbenchctl_devices)" "$cur"
		return 0
		;;
	-c)
		option=--transport
		;;
	-[ixsnDtqmIp]|--budget-latency|--budget-cpu|--repeat)
		return 0
		;;
	--isolate)
		_icbenchctl_words "no warn require" "$cur"
		return 0
		;;
	--json|--csv|--trace|--token-file|-o|--output)
		_icbenchctl_files "$cur"
		return 0
		;;
	esac
	while IFS=$'\t' read -r name type rest accepted; do
		[[ --$name == "$option" ]] || continue
		if [[ $type == word ]]; then
			# the last of a list
			[[ $cur == *,* ]] && list=${cur%,*},
			_icbenchctl_words "${accepted}" "${cur##*,}"
			COMPREPLY=("${COMPREPLY[@]/#/$list}")
			[[ $rest == sweep ]] && compopt -o nospace 2>/dev/null
		fi
		return 0
	done < <("$program" show --keys 2>/dev/null)
	return 1
}

# CUR PREV BENCH NAMES OWN: of run and suite; NAMES is what "list" needs to tell what there
# is, OWN the options that the other one lacks
_icbenchctl_run()
{
	local cur=$1 prev=$2 bench=$3 names=$4 own=$5 options

	if [[ $prev == -* ]] && _icbenchctl_value "$prev" "$cur"; then
		return
	fi
	case $cur in
	-*)
		options=$("$program" show --keys 2>/dev/null |
			while IFS=$'\t' read -r name type _; do
				[[ $type == file ]] || printf -- '--%s ' "$name"
			done)
		_icbenchctl_words "$options --isolate --repeat --token-file $own --help" "$cur"
		;;
	*)
		[[ -n $bench ]] && return
		# shellcheck disable=SC2086 # an option or none
		_icbenchctl_words "$("$program" list $names --names 2>/dev/null)" "$cur"
		_icbenchctl_files "$cur"
		;;
	esac
}

_icbenchctl()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local program=${COMP_WORDS[0]} bench=

	COMPREPLY=()
	# --key=value comes as three words
	if [[ $cur == "=" ]]; then
		cur=
	elif [[ $prev == "=" ]]; then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	if ((COMP_CWORD == 1)); then
		_icbenchctl_words "run suite compare list show devices serve jobs stop monitor --help --version" "$cur"
		return
	fi
	((COMP_CWORD > 2)) && [[ ${COMP_WORDS[2]} != -* ]] &&
		bench=${COMP_WORDS[2]}
	case ${COMP_WORDS[1]} in
	run)
		_icbenchctl_run "$cur" "$prev" "$bench" "" "--budget-latency --budget-cpu --trace --json --csv --verbose"
		;;
	suite)
		_icbenchctl_run "$cur" "$prev" "$bench" --suites "--output --list"
		;;
	compare)
		case $prev in
		--threshold|--metric)
			;;
		--base|--new|--json|--junit)
			_icbenchctl_files "$cur"
			;;
		--suite)
			_icbenchctl_words "$("$program" list --suites --names 2>/dev/null)" "$cur"
			_icbenchctl_files "$cur"
			;;
		*)
			if [[ $cur == -* ]]; then
				_icbenchctl_words "--base --new --suite --threshold --metric --force --json --ktap --junit --help" "$cur"
			else
				_icbenchctl_files "$cur"
			fi
			;;
		esac
		;;
	show)
		if [[ $cur == -* ]]; then
			_icbenchctl_words "--keys --help" "$cur"
		else
			_icbenchctl_words "$("$program" list --names 2>/dev/null)" "$cur"
			_icbenchctl_files "$cur"
		fi
		;;
	list)
		_icbenchctl_words "--suites --json --names --help" "$cur"
		;;
	devices|jobs)
		_icbenchctl_words "--json --help" "$cur"
		;;
	serve)
		case $prev in
		--token-file)
			_icbenchctl_files "$cur"
			;;
		--bind|--port|-p|--max-memory|--max-qps)
			;;
		*)
			_icbenchctl_words "--bind --port --token-file --max-memory --max-qps --help" "$cur"
			;;
		esac
		;;
	stop|monitor)
		_icbenchctl_words "--help" "$cur"
		;;
	esac
}

complete -F _icbenchctl icbenchctl
