# SPDX-License-Identifier: GPL-2.0
#
# Find reports in a kernel log.
#
# usage: awk -f scan.awk reports known-reports LOG
#
# Prints "report<TAB>line" for each report and "known<TAB>line<TAB>reason" for
# each one that is excused.

# the text of a record: no time stamp, no caller
function text(line)
{
	sub(/\r$/, "", line)
	sub(/^<[0-9]+>/, "", line)
	sub(/^\[ *[0-9]+\.[0-9]+\]/, "", line)
	sub(/^\[ *[TC][0-9]+\]/, "", line)
	sub(/^ /, "", line)
	return line
}

# a report lasts until the next one, its end marker or 100 lines
function finish(	i, k, why)
{
	if (head == "")
		return
	for (k = 0; k < n_known; k++) {
		if (known_name[k] != name)
			continue
		for (i = 0; i < n_body; i++) {
			if (body[i] ~ known_re[k])
				why = known_why[k]
		}
	}
	if (why != "")
		print "known\t" head "\t" why
	else
		print "report\t" head
	head = ""
}

FNR == 1 { file++ }

file <= 2 && (/^#/ || /^[ \t]*$/) { next }

file == 1 {
	tab = index($0, "\t")
	report_name[n_reports] = substr($0, 1, tab - 1)
	report_re[n_reports++] = substr($0, tab + 1)
	next
}

file == 2 {
	known_name[n_known] = $1
	known_re[n_known] = "(^|[^A-Za-z0-9_.])" $2 "[+]0x"
	$1 = $2 = ""
	sub(/^ */, "")
	known_why[n_known++] = $0 == "" ? "no reason given" : $0
	next
}

{
	line = text($0)
	for (r = 0; r < n_reports; r++) {
		if (line ~ report_re[r]) {
			finish()
			head = line
			name = report_name[r]
			n_body = 0
			break
		}
	}
	if (head != "") {
		body[n_body++] = line
		if (line ~ /^---\[ end / || n_body >= 100)
			finish()
	}
}

END { finish() }
