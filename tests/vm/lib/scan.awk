# SPDX-License-Identifier: GPL-2.0
#
# Find reports in a kernel log.
#
# usage: awk -v reports=FILE -v known=FILE -v release=KERNEL -f scan.awk LOG
#
# Prints "report<TAB>line<TAB>functions" for each report, with the first functions of its trace, and
# "known<TAB>line<TAB>reason" for each report that is excused.

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

# fits: true if the report has all that the entry K asks for: its lines, in this order, and for
# "without" no function of icbench
function fits(k,	i, found)
{
	if (known_name[k] != name || head !~ known_head[k])
		return 0
	for (i = found = 0; i < n_body; i++) {
		if (known_icbench[k] == "without" && body[i] ~ / \[icbench[] ]/)
			return 0
		if (i && found < known_lines[k] && body[i] ~ known_line[k, found])
			found++
	}
	return found == known_lines[k]
}

# the innermost functions of a report's traces, without the functions that print the report
function trace(	i, n, all, name)
{
	n = 0
	for (i = 1; i < n_body && n < 12; i++) {
		name = body[i]
		# the format of kmemleak
		sub(/^ *\[<[^>]*>\] /, " ", name)
		if (name !~ /^(RIP: [0-9]+:| +)[A-Za-z_][A-Za-z0-9_.]*\+0x/ &&
		    name !~ /^RIP: [0-9]+:0x/)
			continue
		sub(/^(RIP: [0-9]+:| +)/, "", name)
		sub(/[+ ].*/, "", name)
		if (name ~ /^(dump_stack(_lvl)?|print_report|kasan_.*|__asan_.*|__kasan_.*)$/ ||
		    name ~ /^(slab_post_alloc_hook.*|__kmem_cache_alloc_.*|k[a-z]*alloc(_.*)?|__k[a-z]*alloc(_.*)?)$/)
			continue
		all = all (n++ ? " < " : "") name
	}
	return all
}

# a report lasts until the next one, its end marker or 200 lines
function finish(	k, why)
{
	if (head == "")
		return
	for (k = 0; k < n_known; k++) {
		if (fits(k))
			why = known_why[k]
	}
	if (why != "")
		print "known\t" head "\t" why
	else
		print "report\t" head "\t" trace()
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

# true if the kernel is of one of RELEASES: 6.1 stands for 6.1.0-9, but not for 6.12
function is_of(releases,	list, n, i)
{
	n = split(releases, list, ",")
	for (i = 1; i <= n; i++) {
		if (index(release, list[i]) == 1 &&
		    substr(release, length(list[i]) + 1) !~ /^[0-9]/)
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
		# a missing expression would match anything
		n = split(entry, field, "\t")
		if (n < 7 || entry ~ /\t(\t|$)/ || field[4] !~ /^with(out)?$/) {
			print "report\tnot an entry of " known ": " entry
			continue
		}
		if (!is_of(field[3]))
			continue
		known_name[n_known] = field[2]
		known_icbench[n_known] = field[4]
		known_head[n_known] = field[5]
		known_lines[n_known] = n - 6
		for (i = 6; i < n; i++)
			known_line[n_known, i - 6] = field[i]
		known_why[n_known++] = field[n]
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
		if (line ~ /^---\[ end / || n_body >= 200)
			finish()
	}
}

END { finish() }
