#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Two machines, and a link that loses packets: a serves, and b runs.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/pair" --timeout 900 -- 'icbenchctl serve --bind 10.77.0.1 >/dev/null' \
	"bash '$vm/guest/loss.sh'"
