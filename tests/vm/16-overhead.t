#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the calls of a message take, what the CPUs do for it, and what a thread has
# left to compute.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --timeout 400 -- bash "$vm/guest/overhead.sh"
