#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Many QPs in one run: 1,024 of them connected, exchanged over and taken down, in
# each mode; how evenly they got on; limits; Ctrl-C.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --timeout 900 -- bash "$vm/guest/qps.sh"
