# SPDX-License-Identifier: GPL-2.0
"""Test that a process no longer has the content of a file in its memory. Arguments: the process
number, and the file. The file's name has to be found, because it is on the command line.
"""

import sys

pid, path = sys.argv[1:]
with open(path, "rb") as f:
    secret = f.read().strip()
found = {path.encode(): 0, secret: 0}
with open(f"/proc/{pid}/maps", encoding="utf-8") as maps, \
     open(f"/proc/{pid}/mem", "rb") as memory:
    for line in maps:
        where, access = line.split()[:2]
        if not access.startswith("rw"):
            continue
        begin, end = (int(n, 16) for n in where.split("-"))
        memory.seek(begin)
        data = memory.read(end - begin)
        for what in found:
            found[what] += data.count(what)
print(found)
sys.exit(0 if found[path.encode()] and not found[secret] else 1)
