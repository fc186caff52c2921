#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Print the paragraphs of manual pages that have more than eight lines of a terminal.

A paragraph of the text is indented by 7 columns, and by 7 more in each definition or list.
"""

import sys
import textwrap

from docutils import core, nodes

MOST = 8
COLUMNS = 78


def lines(paragraph):
    """The number of lines that a paragraph has in a terminal of 80 columns."""
    indent, node = 7, paragraph.parent
    while node is not None:
        if isinstance(node, (nodes.definition, nodes.list_item, nodes.block_quote)):
            indent += 7 if not isinstance(node, nodes.list_item) else 2
        node = node.parent
    return len(textwrap.wrap(paragraph.astext(), COLUMNS - indent))


def in_table(node):
    """Whether a node is in a table."""
    while node is not None and not isinstance(node, nodes.entry):
        node = node.parent
    return node is not None


def main():
    """Check all pages. Return: whether a paragraph is too long."""
    bad = False
    for page in sys.argv[1:]:
        with open(page, encoding='utf-8') as file:
            tree = core.publish_doctree(file.read(), source_path=page)
        section = ''
        for node in tree.findall():
            if isinstance(node, nodes.title):
                section = node.astext()
            # the synopsis is no text
            if not isinstance(node, nodes.paragraph) or section == 'SYNOPSIS' or in_table(node):
                continue
            count = lines(node)
            if count > MOST:
                bad = True
                print('%s: %d lines: %s' % (page, count, ' '.join(node.astext().split())[:70]))
    return bad


sys.exit(main())
