#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The netlink interface, through the kernel's own client and around it.

vm=$(cd -P "${0%/*}" && pwd)
source=$("$vm/../lib/linux-source") || exit
# a root of its own sees the caller's directory
cd "$source" || exit
exec "$vm/run" --with tests/delays --timeout 900 -- /usr/bin/python3 -B "$vm/guest/netlink.py" "$source"
