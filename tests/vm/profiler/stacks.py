# SPDX-License-Identifier: GPL-2.0
"""Call stacks of tests/vm/profile: named, as a tree, and in the folded format."""

from table import number, percent


# functions without a caller: the first one of a thread, and the entry of a system call
ROOTS = ("ret_from_fork", "entry_SYSCALL_64")


class Broken(Exception):
    """The counts by call stack are not those by function."""


def named(counts, symbols):
    """Return: executed instructions by call stack, a tuple of (name, module) from the first caller
    to the function that was executed."""
    names = {0: ()}

    def name(call):
        missing = []
        while call not in names:
            missing.append(call)
            call = counts.calls[call][0]
        for call in reversed(missing):
            parent, address = counts.calls[call]
            # the return address may be beyond the end of the function
            function = symbols.find(address - 1)
            # a thread's first calls are seen while the previous thread still switches to it
            before = () if function[0].startswith(ROOTS) else names[parent]
            names[call] = before + (function,)
        return names[missing[0] if missing else call]

    stacks, functions = {}, {}
    for call, address, count in counts.at:
        function = symbols.find(address)
        key = name(call) + (function,)
        stacks[key] = stacks.get(key, 0) + count
        functions[function] = functions.get(function, 0) + count
    if functions != {key: count for key, count in counts.functions.items() if count}:
        raise Broken
    return stacks


def rows(stacks, n):
    """Return: the call stacks for a JSON document, the largest first."""
    return [{"frames": [name for name, _ in key], "count": count, "instructions": count / n}
            for key, count in sorted(stacks.items(), key=lambda item: (-item[1], item[0]))]


def write_folded(path, stacks, user, title):
    """Write a line for each call stack: "caller;function COUNT"."""
    with open(path, "w", encoding="utf-8") as file:
        for key, count in sorted(stacks.items()):
            file.write("%s %d\n" % (";".join(name for name, _ in key), count))
        if user:
            file.write("%s %d\n" % (title, user))


def print_tree(stacks, n, whole, least):
    """Print the calls as a tree, largest first: those that have at least LEAST instructions an
    operation together with their callees."""
    root = {}
    for key, count in stacks.items():
        inner = root
        for depth, function in enumerate(key):
            node = inner.setdefault(function, {"total": 0, "own": 0, "callees": {}})
            node["total"] += count
            if depth == len(key) - 1:
                node["own"] += count
            inner = node["callees"]
    print("{:>14} {:>8} {:>14}  {}".format("with callees", "share", "own", "function"))
    few = [0, 0]
    rest = [(function, node, 0) for function, node in sorted(
        root.items(), key=lambda item: (item[1]["total"], item[0]))]
    while rest:
        (name, _), node, depth = rest.pop()
        if node["total"] / n < least:
            few[0] += 1
            few[1] += node["total"]
            continue
        print("{:>14} {:>8} {:>14}  {}{}".format(
            number(node["total"] / n), percent(node["total"] / n, whole), number(node["own"] / n),
            " " * depth, name))
        rest += [(function, inner, depth + 1) for function, inner in sorted(
            node["callees"].items(), key=lambda item: (item[1]["total"], item[0]))]
    if few[0]:
        print("{:>14} {:>8} {:>14}  {} more calls, each less than {:g}".format(
            number(few[1] / n), percent(few[1] / n, whole), "", few[0], least))
