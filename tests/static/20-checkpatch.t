#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Kernel style: no error, warning or check of checkpatch.pl --strict, but for
# what checkpatch-excused names.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

source=$("$top/tests/lib/linux-source")
excused=$tmp/excused
sed -n "s|^\([^# ]*\) \([A-Z_]*\) .*|^$top/\1:[0-9]*: [A-Z]*:\2:|p" \
	"$top/tests/static/checkpatch-excused" >"$excused"

# It leaves files in the current directory. What the netlink generator wrote is as
# that writes it.
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
	# 1: it had something to say
	if [ $? -gt 1 ]; then
		cat "$tmp/err"
		return 1
	fi
	! grep -v -f "$excused" "$tmp/said"
}

ok "the kernel's source is there" test -n "$source"

options=()
ok "kmod/ and include/" checkpatch "$top/kmod" "$top/include"

# of the kernel's macros, logs, barriers and conversions, which a program lacks
options=(--ignore "PREFER_KERNEL_TYPES,CONSIDER_KSTRTO,SSCANF_TO_KSTRTO,NAKED_SSCANF,STRCPY"
	 --ignore "STRLCPY,STRNCPY,ENOSYS,ARRAY_SIZE,PREFER_DEFINED_ATTRIBUTE_MACRO"
	 --ignore "VOLATILE,MEMORY_BARRIER,ARCH_DEFINES,MACRO_ARG_REUSE,CAMELCASE"
	 --ignore "EMBEDDED_FUNCTION_NAME")
ok "user/" checkpatch "$top/user"
done_testing
