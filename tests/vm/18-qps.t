#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Many QPs in one run: 1,024 QPs are connected, used and destroyed, in each mode; their fairness;
# limits; Ctrl-C.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --timeout 900 -- bash "$vm/guest/qps.sh"
