# SPDX-License-Identifier: GPL-2.0
# bash completion for icbenchctl                           -*- shell-script -*-

_icbenchctl()
{
	local cur=${COMP_WORDS[COMP_CWORD]} word words=()

	COMPREPLY=()
	# --key=value comes as three words, and completes as two
	for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
		[[ $word == "=" ]] || words+=("$word")
	done
	if [[ $cur == "=" ]]; then
		cur=
		words+=("")
	fi
	while IFS=$'\t' read -r word _; do
		case $word in
		:files)
			compopt -o filenames 2>/dev/null
			mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$cur")
			;;
		:nospace)
			compopt -o nospace 2>/dev/null
			;;
		*)
			COMPREPLY+=("$word")
			;;
		esac
	done < <("${COMP_WORDS[0]}" complete -- "${words[@]}" 2>/dev/null)
}

complete -F _icbenchctl icbenchctl
