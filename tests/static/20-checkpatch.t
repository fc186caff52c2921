#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Kernel style: checkpatch.pl --strict reports no error, warning or check, except for those in
# checkpatch-excused.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

source=$("$top/tests/lib/linux-source")
excused=$tmp/excused
sed -n "s|^\([^# ]*\) \([A-Z_]*\) .*|^$top/\1:[0-9]*: [A-Z]*:\2:|p" \
	"$top/tests/static/checkpatch-excused" >"$excused"

# checkpatch writes files to the current directory. Generated netlink code is left out, because
# it has the generator's style.
checkpatch() {
	local files

	mapfile -t files < <(find "$@" -name '*.[ch]' ! -name '*.mod.c' ! -path '*/build/*' \
		-print0 | xargs -0 grep -L '^/\* YNL-GEN ' | sort)
	[ ${#files[@]} -gt 0 ] || {
		echo "no files in $*"
		return 1
	}
	cd "$tmp" && "$source/scripts/checkpatch.pl" --strict --no-tree --terse --show-types \
		--no-summary "${options[@]}" --file "${files[@]}" >"$tmp/said" 2>"$tmp/err"
	# status 1: checkpatch has reported something
	if [ $? -gt 1 ]; then
		cat "$tmp/err"
		return 1
	fi
	! grep -v -f "$excused" "$tmp/said"
}

ok "the kernel's source is there" test -n "$source"

options=()
ok "kmod/ and include/" checkpatch "$top/kmod" "$top/include"

# types about macros, logs, barriers and conversions of the kernel, which a user program lacks
options=(--ignore "PREFER_KERNEL_TYPES,CONSIDER_KSTRTO,SSCANF_TO_KSTRTO,NAKED_SSCANF,STRCPY"
	 --ignore "STRLCPY,STRNCPY,ENOSYS,ARRAY_SIZE,PREFER_DEFINED_ATTRIBUTE_MACRO"
	 --ignore "VOLATILE,MEMORY_BARRIER,ARCH_DEFINES,MACRO_ARG_REUSE,CAMELCASE"
	 --ignore "EMBEDDED_FUNCTION_NAME")
ok "user/" checkpatch "$top/user"
done_testing
