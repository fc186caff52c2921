#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Find violations of the order of rooms: includes that point up, include cycles, long files.

A file is NAME.c together with NAME.h. It may include files of its own room, and of the rooms
below it. Prints one line for each violation."""

import os
import re
import sys

# the rooms of each part, from the top down
ROOMS = {
    "kmod": ["netlink", "run", "session", "engine", "io", "verbs", "cm", "host", "model"],
    "user": ["cmd", "report", "run", "print", "plan", "nl", "compare", "stats", "base"],
}
# rooms of the module that are also compiled into icbenchctl and the unit tests
FREESTANDING = ["engine", "model"]
# files without a room: kernel versions and tracepoints, which every room of the module may include
EVERYWHERE = ["kmod/compat.h", "kmod/trace.h"]
MOST_LINES = 900


def sources(top, parts):
    """Yield the paths of all C files of PARTS, relative to TOP."""
    for part in parts:
        for folder, folders, names in os.walk(os.path.join(top, part)):
            folders[:] = [f for f in folders if f != "build"]
            for name in sorted(names):
                if name.endswith((".c", ".h")) and not name.endswith(".mod.c"):
                    yield os.path.relpath(os.path.join(folder, name), top)


def level(path):
    """Return: index of the file's room, counted from the top; -1 for files of the part itself, such
    as main.c."""
    part, *room = path.split("/")[:-1]
    return ROOMS[part].index(room[0]) if room and room[0] in ROOMS[part] else -1


def included(path, text, files):
    """Yield the files of the project that a file includes."""
    part = path.split("/")[0]
    for name in re.findall(r'^#\s*include "(.*)"', text, re.M):
        for folder in (os.path.dirname(path), part, "kmod", "user"):
            found = os.path.normpath(os.path.join(folder, name))
            if found in files:
                yield found
                break


def circles(graph):
    """Return: the cycles, each a set of files that include each other directly or indirectly."""
    reach = {}
    for start in graph:
        seen, left = set(), [start]
        while left:
            for after in graph.get(left.pop(), ()):
                if after not in seen:
                    seen.add(after)
                    left.append(after)
        reach[start] = seen
    found = {tuple(sorted(other for other in reach[one] if one in reach.get(other, ())))
             for one in graph if one in reach[one]}
    return sorted(found)


def read(top, path):
    """Return: text of a file."""
    with open(os.path.join(top, path), encoding="utf-8") as f:
        return f.read()


def long_files(top):
    """Yield the files that are too long, as text: tests have no rooms, but the same limit."""
    for path in sorted(sources(top, [*ROOMS, "tests"])):
        text = read(top, path)
        lines = text.count("\n")
        if lines > MOST_LINES and not re.match(r".*\bgenerated\b", text[:400], re.S):
            yield f"{path}: {lines} lines; accepted: up to {MOST_LINES}"


def faults(top):
    """Yield all violations, as text."""
    yield from long_files(top)
    files = set(sources(top, ROOMS))
    graph = {}
    for path in sorted(files):
        text = read(top, path)
        part = path.split("/")[0]
        if level(path) < 0 and path.count("/") > 1:
            yield f"{path}: in no room; accepted: {', '.join(ROOMS[part])}"
        for other in included(path, text, files):
            one, two = os.path.splitext(path)[0], os.path.splitext(other)[0]
            if one != two:
                graph.setdefault(one, set()).add(two)
            if other in EVERYWHERE:
                continue
            if other.split("/")[0] != part:
                room = other.split("/")[1]
                if part == "kmod" and other != "user/base/freestanding.h":
                    yield f"{path}: includes {other}, of icbenchctl"
                if part == "user" and room not in FREESTANDING:
                    yield f"{path}: includes {other}; accepted: {', '.join(FREESTANDING)} of kmod/"
            elif level(other) < level(path):
                yield f"{path}: includes {other}, of a room above its own"
    for circle in circles(graph):
        yield f"a circle: {' '.join(circle)}"


def main():
    found = list(faults(sys.argv[1]))
    print("\n".join(found), end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
