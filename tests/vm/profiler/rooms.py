# SPDX-License-Identifier: GPL-2.0
"""The rooms of functions, from the table in the file rooms."""

import fnmatch
import re


class Rooms:
    """The table: the first row that matches a function names its room."""

    def __init__(self, path):
        self.rows = []
        with open(path, encoding="ascii") as file:
            for line in file:
                words = line.split()
                if words and not words[0].startswith("#"):
                    module = words[1].strip("[]") if words[1].startswith("[") else None
                    patterns = words[2:] if module else words[1:]
                    match = re.compile("|".join(map(fnmatch.translate, patterns or ["*"])))
                    self.rows.append((words[0], module, match))

    def room(self, name, module):
        """Return: the room of a function."""
        for room, wanted, match in self.rows:
            if wanted in (None, module) and match.match(name):
                return room
        return "other"
