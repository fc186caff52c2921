#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Several runs that are measured at the same time: their sums, the effect of one that ends on the
# others, and what is left.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --timeout 900 -- bash "$vm/guest/workers.sh"
