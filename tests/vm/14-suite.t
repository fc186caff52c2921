#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Suites: every experiment of every suite.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --timeout 900 -- bash "$vm/guest/suite.sh"
