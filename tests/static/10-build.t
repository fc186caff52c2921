#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The module compiles without a warning of the compiler or of sparse.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

kdir=${KDIR:-$("$top/scripts/kdir" 2>/dev/null)}
unset MAKEFLAGS MFLAGS MAKELEVEL KDIR

log=$tmp/log

# build: build a copy of the sources with the compiler and sparse
build() {
	mkdir "$tmp/src"
	(cd "$top" && find Kbuild VERSION kmod include -name '*.[chS]' -o -name Kbuild \
		-o -name VERSION) | grep -v '\.mod\.c$' |
		(cd "$top" && xargs cp --parents -t "$tmp/src")
	make -C "$kdir" M="$tmp/src" -j "$(nproc)" W=1 C=2 KCFLAGS=-Werror modules \
		>"$log" 2>&1 || {
		grep -A 5 -E 'error|warning' "$log" || tail -n 20 "$log"
		return 1
	}
}

all_checked() {
	same "$(grep -c '^  CHECK ' "$log")" "$(find "$tmp/src/kmod" -name '*.o' | wc -l)"
}

# only warnings of the copied sources count, because the kernel's own headers have some, too
sparse_silent() {
	! grep "^$tmp/src/.*: \(warning\|error\):" "$log"
}

ok "headers of a kernel are installed" test -n "$kdir"
ok "sparse is installed" command -v sparse
ok "no warning of the compiler's with W=1" build
ok "sparse saw every file" all_checked
ok "and has no warning" sparse_silent
done_testing
