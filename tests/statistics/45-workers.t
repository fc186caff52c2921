#!/bin/sh
# SPDX-License-Identifier: GPL-2.0

exec "${0%/*}/build/statistics" workers
