#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The manual pages render without a message of rst2man, and their paragraphs are short.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

render() {
	quiet rst2man --report=info --strict "$1" "$tmp/page" && test -s "$tmp/page"
}

cd "$top" || exit
pages=("$top"/Documentation/man/*.[1-9].rst)
ok "there are manual pages" test -e "${pages[0]}"
for f in "${pages[@]}"; do
	ok "${f##*/}" render "$f"
done
ok "no paragraph has more than eight lines" /usr/bin/python3 -B tests/static/paragraphs.py "${pages[@]}"
long() {
	printf 'X\n=\n\n%s\n' "$(printf 'a word and %.0s' {1..80})" >"$tmp/long.rst"
	! /usr/bin/python3 -B tests/static/paragraphs.py "$tmp/long.rst"
}
ok "a longer one is found" long
done_testing
