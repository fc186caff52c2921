# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Signals that a command handles also when it was started with them ignored.

# heed_signals ARGUMENT...: start the command again with these arguments, unless SIGINT and
# SIGTERM are heeded: a script's background job ignores SIGINT, and a shell cannot trap a signal
# that was ignored when it began
heed_signals() {
	local mask

	mask=$(sed -n 's/^SigIgn:[[:space:]]*//p' "/proc/$$/status")
	if ((0x$mask & 0x4002)); then
		exec env --default-signal=INT,TERM "$0" "$@"
	fi
}
