#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The manual pages render without a message of rst2man.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

render() {
	quiet rst2man --report=info --strict "$1" "$tmp/page" && test -s "$tmp/page"
}

pages=("$top"/Documentation/man/*.[1-9].rst)
ok "there are manual pages" test -e "${pages[0]}"
for f in "${pages[@]}"; do
	ok "${f##*/}" render "$f"
done
done_testing
