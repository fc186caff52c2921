#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Trigger completion, and messages that cross: every verb, mode and direction, and every window size
# at which the behaviour changes.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --timeout 900 -- bash "$vm/guest/streams.sh"
