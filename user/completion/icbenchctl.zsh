#compdef icbenchctl
# SPDX-License-Identifier: GPL-2.0
# zsh completion for icbenchctl

_icbenchctl()
{
	local -a candidates suffix
	local files= line word text

	for line in "${(@f)$("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
		case $line in
		"")
			;;
		:files)
			files=yes
			;;
		:nospace)
			suffix=(-S '')
			;;
		*)
			word=${line%%$'\t'*}
			text=${${line#$word}#$'\t'}
			candidates+=("${word//:/\\:}${text:+:$text}")
			;;
		esac
	done
	(( ! $#candidates )) || _describe icbenchctl candidates $suffix
	[[ -z $files ]] || _files
}

_icbenchctl "$@"
