#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The reference: perftest in the same boot. Its figures and icbench's are printed as comments.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --timeout 900 -- bash "$vm/guest/perftest.sh"
