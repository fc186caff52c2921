#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every verb, completion mode and size, compared by content; the form of the
# result.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --timeout 900 -- bash "$vm/guest/modes.sh"
