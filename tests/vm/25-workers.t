#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Several runs that are measured at the same time: what they add up to, what one of
# them that goes does to the others, and what is left.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --timeout 900 -- bash "$vm/guest/workers.sh"
