# SPDX-License-Identifier: GPL-2.0
"""Configuration of the book (make html)."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, 'sphinx'))

# pylint: disable=invalid-name
project = 'icbench'
with open(os.path.join(HERE, '../VERSION'), encoding='utf-8') as file:
    release = version = file.read().strip()
author = copyright = 'the authors of icbench, GPL-2.0'  # pylint: disable=redefined-builtin
extensions = ['book']

root_doc = 'index'
# fragments that the manual pages include
exclude_patterns = ['man/*[a-z].rst', 'reference/*_table*.rst', 'sphinx']
primary_domain = None
highlight_language = 'none'
smartquotes = False

html_theme = 'furo'
html_title = 'icbench ' + release
html_static_path = ['sphinx/static']
html_css_files = ['book.css']
html_copy_source = False
html_show_sphinx = False
