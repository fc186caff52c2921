# SPDX-License-Identifier: GPL-2.0
#
# Compare figures. Fields: recipe, mode, point, metric, least sample (or none), median, mean;
# for a refused run: recipe, mode, "refused", words. least=at-most: least samples may be lower
# than before.

function key() {
	return $1 FS $2 FS $3 FS $4
}

function apart(now, was, part, ns) {
	return now - was > was * part + ns || was - now > was * part + ns
}

FNR == NR {
	line[key()] = $0
	least_of[key()] = $5
	median[key()] = $6
	mean[key()] = $7
	next
}

{
	k = key()
	seen[k]
	if (!(k in line)) {
		print "new:     " $0
		bad++
	} else if ($3 != "refused" &&
		   (least_of[k] != "" &&
		    (least == "at-most" ? $5 > least_of[k] : $5 != least_of[k]) ||
		    apart($6, median[k], 0.03, 0) || apart($7, mean[k], 0.05, 4000))) {
		print "was:     " line[k]
		print "is:      " $0
		bad++
	}
}

END {
	for (k in line)
		if (!(k in seen)) {
			print "missing: " line[k]
			bad++
		}
	exit bad > 0
}
