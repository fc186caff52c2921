#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The book: every page is in it and is built without a warning, drawings become SVG, and each page
# of the concepts opens with a drawing and says what to quote.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

cd "$top" || exit
book=$tmp/html

# build [OPTION...]: build the book, with warnings as errors
build() {
	quiet sphinx-build -q -W --keep-going -j auto -b html -d "$tmp/doctrees" "$@"
}

# every_page: each page became HTML
every_page() {
	local page missing=

	while read -r page; do
		[ -s "$book/${page%.rst}.html" ] || missing+=" $page"
	done < <(cd Documentation && find . -name '*.rst' ! -path './man/*[a-z].rst' \
		! -path './reference/*_table*.rst')
	[ -z "$missing" ] || { echo "not built:$missing"; false; }
}

# images: each image of a page exists and is SVG
images() {
	local page image folder count=0

	while IFS=: read -r page image; do
		folder=$(dirname "$page")
		[ "$(grep -cE '^<svg|</svg>$' "$folder/$image")" -ge 1 ] || { echo "$page: $image"; return 1; }
		count=$((count + 1))
	done < <(grep -roE --include='*.html' '_images/[^"]*|(\.\./)+_images/[^"]*' "$book")
	[ "$count" -ge 20 ]
}

# opening PAGE: the part before its first section has a drawing, and a box with what to quote
opening() {
	awk '
		# a title is a line below which there is a line of ===, as long
		/^===+$/ && before != "" && length($0) >= length(before) && titles++ { exit }
		{ before = $0 }
		/^\.\. class:: drawing$/ { drawing = 1 }
		/^\.\. admonition:: What to quote$/ { quote = 1 }
		END {
			if (!drawing)
				print "no drawing"
			if (!quote)
				print "no box: What to quote"
			exit !drawing || !quote
		}' "$1"
}

for limit in README.md:150 CONTRIBUTING.md:100; do
	ok "${limit%:*} has at most ${limit#*:} lines" test "$(wc -l <"${limit%:*}")" -le "${limit#*:}"
done

ok "the book is built without a warning" build Documentation "$book"
ok "each page is in it" every_page
ok "the drawings are images" images
ok "no link leads to a source of a page" sh -c \
	'! grep -rlE --include="*.html" "href=\"[^\":]*\.rst[\"#]" "$1"' sh "$book"
for page in Documentation/concepts/*.rst; do
	[ "${page##*/}" = index.rst ] || ok "concepts/${page##*/}: its opening" opening "$page"
done

# defects that the build has to find, in a book of one page
mkdir "$tmp/small" && cp -r Documentation/conf.py Documentation/sphinx "$tmp/small" &&
	cp VERSION "$tmp" || exit
# defect WORDS TEXT: a page with this text is not built, for this reason
defect() {
	local said

	printf '====\nPage\n====\n\n%b\n' "$2" >"$tmp/small/index.rst"
	if said=$(sphinx-build -q -W --keep-going -b html -d "$tmp/small-trees" "$tmp/small" \
		"$tmp/small-html" 2>&1) || ! grep -q "index.rst:.*$1" <<<"$said"; then
		echo "$said"
		return 1
	fi
}

ok "found: a malformed table" defect "Malformed table" '== ==\na  b\n== ==\nlonger than the column\n== =='
ok "found: a link to a page that does not exist" defect "no file nosuch.rst" '`a page <nosuch.rst>`__'
done_testing
