#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Messages in segments, QPs with many SGEs, and inline messages: their content up to the limits of
# the device, and the refusals beyond.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --timeout 900 -- bash "$vm/guest/segments.sh"
