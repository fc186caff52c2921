#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# make, install, uninstall, clean and setup, in a copy of the tree; and the test commands refuse
# settings that are not numbers.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

unset MAKEFLAGS MFLAGS MAKELEVEL KDIR DESTDIR PREFIX
mkdir "$tmp/src" "$tmp/dest"
(cd "$top" && tar -c --exclude=./.git --exclude=build --exclude='*.o' --exclude='*.ko' \
	--exclude='.*.cmd' --exclude='*.mod*' .) | tar -x -C "$tmp/src"
cd "$tmp/src" || exit
make clean >/dev/null 2>&1
find . | sort >"$tmp/clean"

fallback() {
	[ ! -e "/lib/modules/$(uname -r)/build" ] || return 0
	grep -c '^icbench: no headers of the running kernel' "$tmp/make.err" | grep -qx 1
}

ok "make" sh -c "make -j 2 2>$tmp/make.err >$tmp/make.out || { cat $tmp/make.*; false; }"
ok "builds the module" test -s icbench.ko
ok "builds the command-line tool" test -x user/icbenchctl
ok "says when it is not for the running kernel, once" fallback

# existing files are kept
mkdir -p "$tmp/dest/usr/share/man" "$tmp/dest/usr/bin"
(cd "$tmp/dest" && find . | sort) >"$tmp/before"
dest=(DESTDIR="$tmp/dest" PREFIX=/usr)
ok "make install" make "${dest[@]}" install
ok "installs the module" sh -c "ls $tmp/dest/lib/modules/*/updates/icbench.ko"
ok "installs the tool" "$tmp/dest/usr/bin/icbenchctl" --help
ok "installs the recipes" test -s "$tmp/dest/usr/share/icbench/recipes/latency.icb"
ok "installs the suites" test -s "$tmp/dest/usr/share/icbench/suites/thesis03.suite"
for f in bash-completion/completions/icbenchctl zsh/site-functions/_icbenchctl \
	fish/vendor_completions.d/icbenchctl.fish; do
	ok "installs the completion: ${f%%/*}" test -s "$tmp/dest/usr/share/$f"
done
ok "make install, once more" make "${dest[@]}" install
ok "make uninstall" make "${dest[@]}" uninstall
ok "leaves what was there before" \
	diff "$tmp/before" <(cd "$tmp/dest" && find . | sort)

ok "make clean" make clean
ok "leaves the sources" diff "$tmp/clean" <(find . | sort)

ok "make help" make help

no_apt() {
	local said

	mkdir "$tmp/bin"
	! said=$(PATH=$tmp/bin "$BASH" tests/setup demo 2>&1) && [[ $said == *qemu-system* ]]
}

# refuses VARIABLE: every command that reads the variable refuses a value that is no number
refuses() {
	local command commands status

	mapfile -t commands < <(grep -lE "^setting $1 " tests/*/check)
	[ ${#commands[@]} -gt 0 ] || return
	for command in "${commands[@]}"; do
		env "$1=many" "$command" >"$tmp/out" 2>"$tmp/err"
		status=$?
		cat "$tmp/out" "$tmp/err"
		[ "$status" -eq 2 ] && [ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] || return
	done
}

# variables in the table of reliability.rst whose default is a number
mapfile -t variables < <(sed -nE 's/^``(ICBENCH_[A-Z_]+)``.* ([0-9]+|CPUs)$/\1/p' \
	Documentation/reliability.rst)
ok "reliability.rst has variables that are numbers" test ${#variables[@]} -gt 5
for variable in "${variables[@]}"; do
	ok "refused: $variable=many" refuses "$variable"
done

ok "set-up, where there is no apt-get, lists what is needed and fails" no_apt
done_testing
