# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The cache directory, sourced by the commands that build something once.

# open_cache WHO DIRECTORY: set cache to icbench/DIRECTORY below XDG_CACHE_HOME. If this is not set,
# or relative, which its specification says to ignore, use ~/.cache. Lock the directory until the
# command ends.
open_cache() {
	cache=${XDG_CACHE_HOME-}
	[[ $cache = /* ]] || cache=${HOME:?}/.cache
	cache+=/icbench${2:+/$2}
	[[ $cache != *[[:space:]]* ]] || {
		echo "$1: make cannot build in ${cache@Q}, because of the blank: set XDG_CACHE_HOME to a path" \
			"without blanks" >&2
		exit 2
	}
	mkdir -p "$cache" || exit
	exec 9>"$cache/.lock" || exit
	flock 9
}
