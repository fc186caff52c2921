#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Threads that poll for some time before they sleep (adaptive), or when a timer expires (timer).

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --timeout 900 -- bash "$vm/guest/waiting.sh"
