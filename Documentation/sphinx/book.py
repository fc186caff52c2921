# SPDX-License-Identifier: GPL-2.0
"""What the book needs beyond Sphinx.

The pages are plain reStructuredText, which is also readable without Sphinx and from which
rst2man makes the manual pages. This extension converts, for the book only:

- literal blocks of the class "drawing" to SVG;
- links to files of the sources, and names of pages in ``literal`` text, to links within the
  book;
- manual pages to pages with one title;
- citations, which Sphinx would share between pages, to footnotes of their page.
"""

import hashlib
import html
import os
import posixpath
import re

from docutils import nodes
from docutils.transforms import Transform
from sphinx import addnodes
from sphinx.util import logging

import drawing

LOG = logging.getLogger(__name__)
PAGE = re.compile(r'[\w./-]+\.rst$')


def target(env, name):
    """The page that a relative name of a file means, seen from the page being read."""
    here = posixpath.dirname(env.docname)
    return posixpath.normpath(posixpath.join(here, name))[:-len('.rst')]


def link(env, page, text, explicit):
    """A link to a page, which Sphinx resolves."""
    node = addnodes.pending_xref('', refdomain='std', reftype='doc', refdoc=env.docname,
                                 reftarget='/' + page, refexplicit=explicit, refwarn=True)
    node += nodes.inline('', text, classes=['doc'])
    return node


class Citations(Transform):
    """Citations become footnotes of their page, before Sphinx collects them."""
    default_priority = 600

    def apply(self, **kwargs):
        ids = {}
        for citation in list(self.document.findall(nodes.citation)):
            label = citation[0].astext()
            note = nodes.footnote('', nodes.label('', label), *citation.children[1:],
                                  ids=['source-' + label.lower()], names=[])
            ids[label] = note['ids'][0]
            citation.replace_self(note)
        for reference in list(self.document.findall(nodes.citation_reference)):
            label = reference.astext()
            if label not in ids:
                LOG.warning('no source [%s]', label, location=reference)
                continue
            reference.replace_self(nodes.reference('', '[%s]' % label, refid=ids[label],
                                                   internal=True))
        self.document.citations = []
        self.document.citation_refs = {}


class Links(Transform):
    """Links and names of pages become links of the book."""
    default_priority = 5

    def apply(self, **kwargs):
        env = self.document.settings.env
        for node in list(self.document.findall(nodes.reference)):
            uri = node.get('refuri', '')
            if not uri or re.match(r'[a-z]+:|#', uri):
                continue
            if PAGE.match(uri) and target(env, uri) in env.found_docs:
                node.replace_self(link(env, target(env, uri), node.astext(), True))
            elif os.path.exists(os.path.join(env.srcdir, posixpath.dirname(env.docname), uri)):
                # a file of the sources that is not in the book
                node.replace_self(nodes.emphasis('', node.astext()))
            else:
                LOG.warning('no file %s', uri, location=node)
        for node in list(self.document.findall(nodes.literal)):
            text = node.astext()
            if '/' not in text and not isinstance(node.parent, nodes.paragraph):
                continue
            if PAGE.match(text) and target(env, text) in env.found_docs:
                node.replace_self(link(env, target(env, text), text, False))


class Manual(Transform):
    """A manual page begins with its name, its section and one line."""
    default_priority = 2

    def apply(self, **kwargs):
        env = self.document.settings.env
        match = re.match(r'man/(.*)\.([1-9])$', env.docname)
        if not match:
            self.references(env)
            return
        outer = next(self.document.findall(nodes.section))
        inner = next(outer.findall(nodes.section, include_self=False))
        outer[0].replace_self(nodes.title('', '%s(%s)' % match.groups()))
        fields = inner.next_node(nodes.field_list)
        fields.parent.remove(fields)
        line = inner[0].astext()
        index = outer.index(inner)
        outer[index:index + 1] = [nodes.paragraph('', line)] + inner.children[1:]
        self.references(env)

    def references(self, env):
        """**NAME**(8) is a link to the manual page."""
        for node in list(self.document.findall(nodes.strong)):
            after = node.next_node(nodes.Text, descend=False, siblings=True)
            match = after and re.match(r'\(([1-9])\)', after.astext())
            page = match and 'man/%s.%s' % (node.astext(), match[1])
            if page and page in env.found_docs and page != env.docname:
                node.replace_self(link(env, page, node.astext(), True))


def draw(app, doctree, docname):
    """Drawings become images in SVG, if the book is HTML."""
    if app.builder.format != 'html':
        return
    for node in list(doctree.findall(nodes.literal_block)):
        if 'drawing' not in node['classes']:
            continue
        text = node.astext()
        name = 'drawing-%s.svg' % hashlib.sha256(text.encode()).hexdigest()[:12]
        folder = os.path.join(app.outdir, '_images')
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
            file.write(drawing.svg(text))
        node.replace_self(nodes.raw(
            '', '<img class="drawing" src="%s_images/%s" alt="%s"/>' % (
                '../' * docname.count('/'), name, html.escape(text)), format='html'))


def setup(app):
    """Called by Sphinx."""
    for transform in Citations, Links, Manual:
        app.add_transform(transform)
    app.connect('doctree-resolved', draw)
    return {'parallel_read_safe': True, 'parallel_write_safe': True}
