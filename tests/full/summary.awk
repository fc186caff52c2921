# SPDX-License-Identifier: GPL-2.0
#
# Print the summary of tests/full/check. The input has lines of a name, a tab and a value: commit,
# version, date, host, settings; then a line for each part, with its directory. With list=1, print
# only the state of each part.

BEGIN {
	FS = "\t"
}

$1 != "part" {
	about[$1] = $2
	next
}

# there(FILE): whether the file can be read
function there(file,    line, found) {
	found = (getline line < file) >= 0
	close(file)
	return found
}

# take(FILE): read the result of part n
function take(file,    line, word) {
	while ((getline line < file) > 0) {
		split(line, word, "\t")
		if (word[1] == "state") {
			became[n] = word[2]
		} else if (word[1] == "commit") {
			elsewhere += word[2] != about["commit"]
		} else if (word[1] ~ /^(tests|failed|reports|unwatched|seconds)$/) {
			value[n, word[1]] = word[2]
			sum[of[n], word[1]] += word[2]
			total[word[1]] += word[2]
		} else if (word[1] == "kernel") {
			if (!(word[2] in booted))
				kernel[++n_kernels] = word[2]
			booted[word[2]]++
			sub(/ \(.*/, "", word[2])
			kernels[n] = kernels[n] (kernels[n] == "" ? "" : ", ") word[2]
		} else if (word[1] == "item") {
			if (!((of[n], word[2], word[4]) in items))
				item[of[n]] = item[of[n]] SUBSEP word[2] "\t" word[4]
			items[of[n], word[2], word[4]] += word[3]
		}
	}
	close(file)
}

{
	n++
	name[n] = $2
	# fuzz/netlink/seed-3 is in the group fuzz/netlink, chaos/share-003 in chaos
	group = $2
	sub(/\/[^\/]*$/, "", group)
	if (!(group in size))
		order[++n_groups] = group
	of[n] = group
	size[group]++
	became[n] = there($3 "/log") ? "begun" : "-"
	take($3 "/result")
	while (there($3 "/log." (before[n] + 1)))
		before[n]++
	again += before[n]
	count[became[n]]++
	passed[group] += became[n] == "passed"
	if (list)
		printf "%-8s %8s  %s\n", became[n], value[n, "seconds"], name[n]
}

# those(WHAT, STATE): print the parts in this state, one in each line
function those(what, state,    i) {
	if (!count[state])
		return
	printf "\n%s\n", what
	for (i = 1; i <= n; i++)
		if (became[i] == state)
			printf "  %s\n", name[i]
}

# row(NAME, DONE, TESTS, ...): print a line of a table
function row(name, done, tests, failed, reports, seconds, more) {
	printf "%-34s %8s %8s %7s %8s %8s%s\n", name, done, tests, failed, reports, seconds,
		more == "" ? "" : "  " more
}

END {
	if (list)
		exit
	missing = n - count["passed"]
	why = ""
	if (count["failed"])
		why = why ", " count["failed"] " failed"
	if (missing > count["failed"])
		why = why ", " missing - count["failed"] " not done"
	if (elsewhere)
		why = why ", " elsewhere " of another commit"
	if (about["settings"] != "")
		why = why ", settings that are not the defaults"
	if (n && why == "")
		verdict = "PASSED"
	else
		verdict = "NOT PASSED: " (why == "" ? "no parts" : substr(why, 3))

	printf "icbench %s, make check-full\n\n", about["version"]
	printf "verdict    %s\n", verdict
	printf "commit     %s\n", about["commit"]
	printf "date       %s\n", about["date"]
	printf "host       %s\n", about["host"]
	printf "settings   %s\n", about["settings"] == "" ? "defaults" : about["settings"]
	printf "parts      %d of %d passed, %d failed, %d begun and not ended, %d not begun\n",
		count["passed"], n, count["failed"], count["begun"], count["-"]
	printf "tests      %d, of which failed: %d\n", total["tests"], total["failed"]
	printf "reports    %d seen\n", total["reports"]
	if (total["unwatched"])
		printf "lockdep    %d machines on which a report turned it off\n", total["unwatched"]
	printf "seconds    %d\n", total["seconds"]
	if (again)
		printf "failures   %d in parts that were run again\n", again
	printf "kernels   "
	for (i = 1; i <= n_kernels; i++)
		printf "%s %s, in %d parts\n", i == 1 ? "" : "          ", kernel[i], booted[kernel[i]]
	if (!n_kernels)
		printf " none yet\n"

	those("Failed:", "failed")
	those("Begun, and not ended:", "begun")
	those("Not begun:", "-")

	printf "\n"
	row("group", "passed", "tests", "failed", "reports", "seconds", "")
	for (g = 1; g <= n_groups; g++) {
		group = order[g]
		row(group, passed[group] "/" size[group], sum[group, "tests"] + 0,
		    sum[group, "failed"] + 0, sum[group, "reports"] + 0, sum[group, "seconds"] + 0, "")
		n_items = split(item[group], all, SUBSEP)
		last = ""
		for (i = 2; i <= n_items; i++) {
			split(all[i], word, "\t")
			if (word[1] != last)
				printf "%s    %s:", i == 2 ? "" : "\n", word[1]
			printf "%s %d %s", word[1] == last ? "," : "", items[group, word[1], word[2]], word[2]
			last = word[1]
		}
		if (n_items > 1)
			printf "\n"
	}

	printf "\n"
	row("part", "state", "tests", "failed", "reports", "seconds", "kernels")
	for (i = 1; i <= n; i++) {
		more = kernels[i]
		if (value[i, "unwatched"])
			more = more "; machines with lockdep turned off: " value[i, "unwatched"]
		if (before[i])
			more = more "; failed before: " before[i]
		sub(/^; /, "", more)
		row(name[i], became[i], value[i, "tests"], value[i, "failed"], value[i, "reports"],
		    value[i, "seconds"], more)
	}
}
