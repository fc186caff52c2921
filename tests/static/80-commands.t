#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The commands that prove tests, in a copy: what they are asked for and what they refuse,
# where there is no machine, no root and no kernel of its own to be had.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

unset MAKEFLAGS MFLAGS MAKELEVEL TESTS DEVICES KERNELS VERBOSE XDG_CACHE_HOME
unset "${!ICBENCH_@}"
src=$tmp/src
mkdir "$src" "$tmp/bin"
(cd "$top" && tar -c --exclude=./.git --exclude=build --exclude='*.o' --exclude='*.ko' .) |
	tar -x -C "$src"
cd "$src" || exit
export PATH=$tmp/bin:$PATH

# stub FILE: what stands for a command, the standard input
stub() {
	printf '#!/bin/bash\n' >"$1"
	cat >>"$1"
	chmod +x "$1"
}

# called COMMAND...: sets status, and the files out and err
called() {
	"$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
}

# refused COMMAND...: with one line, before anything is done
refused() {
	called "$@"
	cat "$tmp/out" "$tmp/err"
	[ "$status" -ne 0 ] && [ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
		[ ! -e "$tmp/done" ]
}

# none of these is to be reached, unless a test says so
for name in prove debootstrap tests/matrix/root tests/debug/kernel tests/vm/run tests/vm/pair; do
	path=$src/$name
	[[ $name == */* ]] || path=$tmp/bin/$name
	[ ! -e "$path" ] || mv "$path" "$path.real"
	stub "$path" <<<"echo ${name##*/} \"\$@\" >>$tmp/done; exit 9"
done

#
# Where no temporary file can be had
#

# the scripts and what they source
mapfile -t unasked < <(grep -rnE '\$\(mktemp' "$top/tests" "$top/scripts" "$top/.ci" |
	grep -vE '\|\| |&&$|80-commands\.t:')
is "whoever asks for a temporary file sees whether there is one" "${unasked[*]-}" ""

for lib in tap figures; do
	ok "no temporary file: ${lib}.sh ends who sources it" refused \
		env TMPDIR=/nonexistent bash -c ". tests/lib/$lib.sh; echo goes on"
done

# a file, but no directory
stub "$tmp/bin/mktemp" <<'STUB'
[ "${1-}" = -d ] && echo "mktemp: no directory" >&2 && exit 1
exec /usr/bin/mktemp "$@"
STUB
ok "no temporary directory: tests/matrix/check does nothing" refused tests/matrix/check ci
rm "$tmp/bin/mktemp"

done_testing
