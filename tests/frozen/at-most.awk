# SPDX-License-Identifier: GPL-2.0
#
# No time is longer, and no rate lower, than what is recorded. A mean may take a thousandth
# more: which sample a tick of the clock falls into follows from all that went before.

function key() {
	return $1 FS $2 FS $3 FS $4 FS $5
}

function worse(now, was, part) {
	return unit ~ /\/s$/ ? now < was * (1 - part) : now > was * (1 + part)
}

FNR == NR {
	p50[key()] = $6
	mean[key()] = $7
	next
}

{
	k = key()
	seen[k]
	unit = $5
	if (!(k in p50)) {
		print "new: " $0
		bad = 1
	} else if ($3 != "refused" && unit ~ /^(ns|instructions|.*\/s)$/ &&
		   (worse($6, p50[k], $7 == "" ? 0.001 : 0) || $7 != "" && worse($7, mean[k], 0.001))) {
		print "was: " k FS p50[k] FS mean[k]
		print "now: " $0
		bad = 1
	}
}

END {
	for (k in p50)
		if (!(k in seen)) {
			print "missing: " k
			bad = 1
		}
	exit bad
}
