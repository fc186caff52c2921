# SPDX-License-Identifier: GPL-2.0
#
# Find reports in a kernel log.
#
# usage: awk -v reports=FILE -v known=FILE -f scan.awk LOG
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

# lines of FILE that are not comments
function next_line(file)
{
	while ((getline entry <file) > 0) {
		if (entry !~ /^(#|[ \t]*$)/)
			return 1
	}
	return 0
}

BEGIN {
	n_reports = n_known = n_body = 0
	while (next_line(reports)) {
		tab = index(entry, "\t")
		report_name[n_reports] = substr(entry, 1, tab - 1)
		report_re[n_reports++] = substr(entry, tab + 1)
	}
	if (n_reports == 0)
		print "report\tnone can be found: no patterns in " reports
	while (next_line(known)) {
		split(entry, word, " ")
		known_name[n_known] = word[1]
		known_re[n_known] = "(^|[^A-Za-z0-9_.])" word[2] "[+]0x"
		sub(/^[^ ]* +[^ ]* */, "", entry)
		known_why[n_known++] = entry == "" ? "no reason given" : entry
	}
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
