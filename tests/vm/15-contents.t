#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The contents of streams, each message of which is checked.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --timeout 300 -- bash "$vm/guest/contents.sh"
