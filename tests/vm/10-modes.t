#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every verb, completion mode and size, with comparison of the content; the format of the result.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --timeout 900 -- bash "$vm/guest/modes.sh"
