#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The netlink interface, by the kernel's own client and by hand-made messages.

vm=$(cd -P "${0%/*}" && pwd)
source=$("$vm/../lib/linux-source") || exit
# with a root of its own, the guest sees only the caller's directory and the tree
cd "$source" || exit
# 1,024 jobs with their results take 760 MiB
exec "$vm/run" --memory 2048 --with tests/delays --timeout 900 -- /usr/bin/python3 -B \
	"$vm/guest/netlink.py" "$source"
