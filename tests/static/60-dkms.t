#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# DKMS accepts the tree as it is, and builds it; the version is the same everywhere.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

unset MAKEFLAGS MFLAGS MAKELEVEL KDIR
version=$(<"$top/VERSION")
read -r release < <("$top/scripts/kernels" headers)
trees=(--dkmstree "$tmp/dkms" --sourcetree "$tmp/src" --installtree "$tmp/modules")

dkms_log() {
	dkms "${trees[@]}" "$@" || {
		cat "$tmp/dkms/icbench/$version/build/make.log"
		return 1
	}
}

is "dkms.conf has VERSION's version" \
	"$(sed -n 's/^PACKAGE_VERSION="\(.*\)"$/\1/p' "$top/dkms.conf")" "$version"

mkdir -p "$tmp/dkms" "$tmp/modules" "$tmp/src/icbench-$version"
(cd "$top" && cp -r --parents -t "$tmp/src/icbench-$version" Kbuild Makefile VERSION dkms.conf \
	kmod include)
ok "dkms add" dkms_log add -m icbench -v "$version"
ok "dkms build" dkms_log build -m icbench -v "$version" -k "$release" \
	--kernelsourcedir "/lib/modules/$release/build"

ko=$(find "$tmp/dkms" -name 'icbench.ko*' | head -n 1)
is "the module has VERSION's version" "$(modinfo -F version "$ko")" "$version"
ok "dkms remove" dkms_log remove -m icbench -v "$version" --all
done_testing
