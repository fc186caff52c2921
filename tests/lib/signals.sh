# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Signals that a command handles even if it was started with them ignored.

# heed_signals ARGUMENT...: if SIGINT or SIGTERM is ignored, start the command again with these
# arguments and without that. A script's background job ignores SIGINT, and a shell cannot trap a
# signal that was ignored at its start.
heed_signals() {
	local mask

	mask=$(sed -n 's/^SigIgn:[[:space:]]*//p' "/proc/$$/status")
	if ((0x$mask & 0x4002)); then
		exec env --default-signal=INT,TERM "$0" "$@"
	fi
}
