#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A side that is slow to receive a stream: the stream waits for it, and completes.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --with tests/delays --timeout 900 -- bash "$vm/guest/slow.sh"
