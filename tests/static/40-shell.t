#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# No script has a warning from shellcheck.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

cd "$top" || exit

# scripts are found by their first line; shellcheck also reads the files that they source
mapfile -d '' -t scripts < <(find . \( -name build -o -name .git \) -prune -o -type f -size -256k \
	-print0 | sort -z | while IFS= read -r -d '' f; do
	read -r -n 64 line <"$f"
	case $line in
	'#!'*sh)	printf '%s\0' "$f" ;;
	esac
done 2>/dev/null)

ok "there are scripts" test ${#scripts[@]} -gt 10
for f in "${scripts[@]}"; do
	ok "${f#./}" shellcheck --external-sources --check-sourced "$f"
done

ok "bash completion" shellcheck --shell=bash user/completion/icbenchctl.bash
for shell in zsh fish; do
	if command -v $shell >/dev/null; then
		ok "$shell completion: syntax" $shell -n user/completion/icbenchctl.$shell
	else
		skip "$shell completion: syntax" "no $shell"
	fi
done
done_testing
