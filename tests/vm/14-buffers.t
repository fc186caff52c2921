#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Buffers used in turn, and new ones: every verb, trigger and completion mode.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --timeout 900 -- bash "$vm/guest/buffers.sh"
