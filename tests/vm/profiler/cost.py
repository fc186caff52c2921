# SPDX-License-Identifier: GPL-2.0
"""The arithmetic and the output of tests/vm/profile.

    cost.py check FILE
    cost.py window DIR N TIMES
    cost.py print DIR N1 N2 LEAST JSON AGAINST STACKS FOLDED

Both boots have left the files counts, kallsyms and json in DIR/N1 and DIR/N2; the second one may
have left counts.window. "window" prints an argument of the plugin for the second boot, or nothing.
LEAST, JSON, AGAINST, STACKS and FOLDED may be empty. STACKS is not empty if call stacks are to be
printed."""

import bisect
import json
import os
import re
import sys

import rooms
import stacks
from table import TOLERANCE, print_against, print_profile

SCHEMA = "icbench-profile/1"
USER = "[user space]"
UNKNOWN = "[unknown]"
CORE = "core kernel"
# module names in /proc/kallsyms of code that the kernel has generated
GENERATED = ("bpf", "__builtin__kprobes", "__builtin__ftrace")
PAGE = 4096
# names of the boundary of a section, which may be the address of a function, too
BOUNDARY = re.compile(r"^_?(_.*_(start|end|begin)|_[se]text)$")
# verbs whose latency is half of the round trip of trigger echo
HALVED = ("send", "send-imm", "write", "write-imm")
# least instructions of a function that is printed, and least share of all instructions of a call
# that is printed
LEAST = 1
LEAST_SHARE = 0.01
# consecutive pairs of clock reads that may lie between two samples
MOST_PAIRS = 3


class Failure(Exception):
    """One line for the user; the status is that of the command."""

    def __init__(self, text, status=1):
        super().__init__(text)
        self.status = status


class Symbols:
    """Functions of a /proc/kallsyms."""

    def __init__(self, path):
        best = {}
        with open(path, encoding="ascii", errors="replace") as file:
            for line in file:
                address, kind, name, *module = line.split()
                # padding before a function, which is never executed
                if kind not in "tTwW" or name.startswith(("__pfx_", "__cfi_")):
                    continue
                module = module[0].strip("[]") if module else CORE
                rank = (bool(BOUNDARY.search(name)), len(name) - len(name.lstrip("_")),
                        len(name), name)
                address = int(address, 16)
                if address not in best or rank < best[address][0]:
                    best[address] = (rank, name, module)
        if len(best) < 1000:
            raise Failure("the guest's /proc/kallsyms has no addresses (kernel.kptr_restrict)")
        self.addresses = sorted(best)
        self.names = [best[address][1:] for address in self.addresses]

    def find(self, address):
        """Return: (name, module) of the function at ADDRESS."""
        i = bisect.bisect_right(self.addresses, address) - 1
        # code between the kernel and its modules, and generated code, has no symbol
        if i < 0 or (i + 1 == len(self.addresses) and address >= self.addresses[i] + PAGE):
            return UNKNOWN, CORE
        return self.names[i]

    def place(self, address):
        """Return: ADDRESS as function+offset."""
        i = bisect.bisect_right(self.addresses, address) - 1
        return "%s+0x%x" % (self.names[i][0], address - self.addresses[i])

    def layout(self):
        """Return: the functions as a set of (module, offset, name). The offset is that inside the
        module, since the order in which modules are loaded differs between boots."""
        base = {CORE: 0}
        for address, (_, module) in zip(self.addresses, self.names):
            base.setdefault(module, address)
        return {(module, address - base[module], name)
                for address, (name, module) in zip(self.addresses, self.names)
                if module not in GENERATED}

    def differs(self, other):
        """Return: the first difference to the functions of another boot, or None."""
        for module, _, name in sorted(self.layout() ^ other.layout()):
            return "%s of %s" % (name, module)
        return None


class Counts:
    """A file that the plugin has written.

    functions: executed instructions by (name, module)
    pairs: by (place, place), how often these clock reads followed each other, and the instructions
        between them
    addresses: addresses of these places
    user: instructions of user space
    calls: calls by ID: (ID of the calling call, address to which it returns)
    at: executed instructions by call stack: (ID of the call, address, number)"""

    def __init__(self, path, symbols):
        self.functions, self.pairs, self.addresses, self.user = {}, {}, {}, None
        self.calls, self.at = {}, []
        with open(path, encoding="ascii") as file:
            lines = file.read().split("\n")
        if lines[-2:] != ["end", ""]:
            raise Failure("QEMU did not write all counts")
        for line in lines[:-2]:
            kind, *words = line.split()
            if kind == "count":
                key = symbols.find(int(words[0], 16))
                self.functions[key] = self.functions.get(key, 0) + int(words[1])
            elif kind == "user":
                self.user = int(words[0])
            elif kind == "call":
                self.calls[int(words[0])] = int(words[1]), int(words[2], 16)
            elif kind == "at":
                self.at.append((int(words[0]), int(words[1], 16), int(words[2])))
            else:
                addresses = int(words[0], 16), int(words[1], 16)
                pair = symbols.place(addresses[0]), symbols.place(addresses[1])
                self.pairs[pair] = int(words[2]), int(words[3])
                self.addresses[pair] = addresses

    def minus(self, other):
        """Subtract the counts of another boot."""
        for key, count in other.functions.items():
            self.functions[key] = self.functions.get(key, 0) - count
        for pair, (times, count) in other.pairs.items():
            mine = self.pairs.get(pair, (0, 0))
            self.pairs[pair] = mine[0] - times, mine[1] - count
        self.user -= other.user


class Boot:
    """What one boot has left."""

    def __init__(self, folder, operations):
        self.operations = operations
        self.symbols = Symbols(os.path.join(folder, "kallsyms"))
        self.counts = Counts(os.path.join(folder, "counts"), self.symbols)
        window = os.path.join(folder, "counts.window")
        self.window = Counts(window, self.symbols) if os.path.exists(window) else None
        self.read_result(os.path.join(folder, "json"))

    def read_result(self, path):
        """Read icbench's document of the boot."""
        try:
            with open(path, encoding="utf-8") as file:
                document = json.load(file)
            points = document["points"]
            self.kernel = document["environment"]["kernel"]
            self.parameters = points[0]["parameters"]
            self.metrics = points[0]["metrics"]
            self.benchmark = document["benchmark"]
        except (OSError, ValueError, LookupError, TypeError):
            raise Failure("the command has not written a result of icbenchctl run to the file of "
                          "--json, so that its operations cannot be counted") from None
        if len(points) != 1:
            raise Failure("the command measures %d points; accepted: one" % len(points))
        if self.parameters.get("iterations") != self.operations or document.get("partial"):
            raise Failure("the command does not count operations: it was given -n %d and did %s" % (
                self.operations, self.parameters.get("iterations", "not say how many")))

    def total(self, name):
        """Return: the sum of a distribution's samples, ns, and their number; or None."""
        metric = self.metrics.get(name)
        if not metric or "mean" not in metric:
            return None
        return metric["mean"] * metric["count"], metric["count"]


def sample_of(one, two, n):
    """Return: the measured time of a round trip inside samples, ns for each operation; None if the
    result has no sample for each operation."""
    if two.parameters.get("trigger") != "echo":
        return None
    first, second = one.total("latency"), two.total("latency")
    if not first or not second or second[1] - first[1] != n:
        return None
    return (second[0] - first[0]) / n * (2 if two.parameters["verb"] in HALVED else 1)


def window(boot, times):
    """Return: the plugin's argument for counting TIMES operations of another boot, which makes so
    many in addition to those of BOOT; "" if no pair of clock reads follows once an operation."""
    made = boot.metrics.get("warmup_made", {}).get("value", 0) + boot.operations
    # the last operation may have no successor
    once = [(-n, pair) for pair, (n, _) in boot.counts.pairs.items() if made - 1 <= n <= made]
    if not once:
        return ""
    n, pair = min(once)
    # the other boot may end its warm-up after fewer operations
    skip = -n - boot.operations // 2
    return "window=%x:%x:%d:%d" % (*boot.counts.addresses[pair], skip, times)


def between_samples(counts, whole, n, wanted):
    """Find the code between two samples: consecutive pairs of clock reads, each of which follows
    once an operation. Of all such sequences take the one that leaves about WANTED of the WHOLE
    instructions of an operation.

    Return: a dict with the instructions inside and the two clock reads, or None."""
    count = {pair: number for pair, (times, number) in counts.pairs.items() if times == n}
    once = sorted(count)
    best, paths = None, [[pair] for pair in once]
    while paths:
        path = paths.pop()
        inside = whole - sum(count[pair] for pair in path) / n
        if best is None or abs(inside - wanted) < abs(best["instructions"] - wanted):
            best = {"instructions": inside, "from": path[-1][1], "to": path[0][0]}
        if len(path) < MOST_PAIRS:
            paths += [path + [pair] for pair in once
                      if pair[0] == path[-1][1] and pair not in path]
    return best


def difference(one, two, rules):
    """Return: the profile of one operation."""
    changed = one.symbols.differs(two.symbols)
    if one.kernel != two.kernel:
        changed = "%s and %s" % (one.kernel, two.kernel)
    if changed:
        raise Failure("the kernels of the two boots differ: " + changed)
    n = two.operations - one.operations
    counts = two.window
    if not counts:
        counts = two.counts
        counts.minus(one.counts)
    user = counts.user
    rows = [{"name": name, "module": module, "room": rules.room(name, module),
             "count": count, "instructions": count / n}
            for (name, module), count in counts.functions.items() if count]
    rows.append({"name": USER, "module": USER, "room": USER, "count": user,
                 "instructions": user / n})
    rows.sort(key=lambda row: (-row["count"], row["module"], row["name"]))
    profile = {
        "schema": SCHEMA, "benchmark": two.benchmark, "kernel": two.kernel,
        "parameters": {k: v for k, v in two.parameters.items() if k != "iterations"},
        "operations": [one.operations, two.operations],
        "method": "window" if two.window else "difference",
        "functions": rows, "sum": sum(row["count"] for row in rows) / n,
    }
    for group in ("module", "room"):
        sums = {}
        for row in rows:
            sums[row[group]] = sums.get(row[group], 0) + row["count"]
        profile[group + "s"] = [{"name": name, "instructions": sums[name] / n}
                                for name in sorted(sums, key=lambda name: (-sums[name], name))]
    add_measured(profile, one, two, counts)
    return profile


def add_measured(profile, one, two, counts):
    """Add the times that icbench has measured: of the whole run, and inside samples."""
    n = two.operations - one.operations
    elapsed = [boot.metrics.get("elapsed", {}).get("value") for boot in (one, two)]
    if None not in elapsed:
        profile["elapsed"] = (elapsed[1] - elapsed[0]) / n
    sample = sample_of(one, two, n)
    if sample is not None:
        profile["sample"] = {"measured": sample, "rest": profile["sum"] - sample}
        # the difference between boots includes instructions of other work than operations
        inside = two.window and between_samples(
            counts, profile["sum"], n, sample)
        if inside:
            profile["sample"]["counted"] = inside


def disagreements(profile):
    """Yield a line for each measured time that the instructions do not add up to."""
    def differ(one, two):
        return abs(one - two) > TOLERANCE * two

    if "elapsed" in profile and differ(profile["sum"], profile["elapsed"]):
        yield ("the sum is %.1f instructions an operation, but icbench measured %.1f ns; a CPU that "
               "idles executes no instructions" % (profile["sum"], profile["elapsed"]))
    sample = profile.get("sample", {})
    if "counted" in sample and differ(sample["counted"]["instructions"], sample["measured"]):
        yield ("no two clock reads have the %.1f instructions between them that icbench measured "
               "inside a sample, but at best %.1f" % (
                   sample["measured"], sample["counted"]["instructions"]))


def load(path):
    """Return: the profile of a file that --json has written."""
    try:
        with open(path, encoding="utf-8") as file:
            profile = json.load(file)
    except OSError as error:
        raise Failure("--against: %s: %s" % (path, error.strerror), 2) from None
    except (ValueError, RecursionError):
        profile = None
    try:
        if profile["schema"] != SCHEMA:
            raise KeyError
        for row in profile["functions"]:
            for key, kind in (("name", str), ("module", str), ("instructions", (int, float))):
                if not isinstance(row[key], kind):
                    raise KeyError
        if not isinstance(profile["sum"], (int, float)) or \
           not isinstance(profile["kernel"], str) or not isinstance(profile["parameters"], dict):
            raise KeyError
    except (KeyError, TypeError):
        raise Failure("--against: '%s' is not a profile that tests/vm/profile --json has written" %
                      path, 2) from None
    return profile


def call_stacks(boot):
    """Return: the executed instructions of a boot's window by call stack."""
    if not boot.window:
        raise Failure("the machine counted no call stacks")
    try:
        return stacks.named(boot.window, boot.symbols)
    except stacks.Broken:
        raise Failure("the call stacks do not add up to the functions") from None


def main(words):
    """Execute a command line; return its status."""
    if words[0] == "check":
        load(words[1])
        return 0
    if words[0] == "window":
        print(window(Boot(os.path.join(words[1], words[2]), int(words[2])), int(words[3])))
        return 0
    folder, one, two, least, target, against, tree, folded = words[1:]
    base = load(against) if against else None
    rules = rooms.Rooms(os.path.join(os.path.dirname(os.path.abspath(__file__)), "rooms"))
    boot = Boot(os.path.join(folder, two), int(two))
    profile = difference(Boot(os.path.join(folder, one), int(one)), boot, rules)
    n = int(two) - int(one)
    found = call_stacks(boot) if tree or folded else None
    if tree:
        profile["stacks"] = stacks.rows(found, n)
    if folded:
        stacks.write_folded(folded, found, boot.window.user, USER)
    text = json.dumps(profile, indent=2) + "\n"
    if target == "-":
        sys.stdout.write(text)
    else:
        if target:
            with open(target, "w", encoding="utf-8") as file:
                file.write(text)
        if base:
            print_against(base, profile, float(least or LEAST))
        else:
            print_profile(profile, float(least or LEAST))
        if tree:
            print()
            stacks.print_tree(found, n, profile["sum"],
                              float(least) if least else profile["sum"] * LEAST_SHARE)
    wrong = list(disagreements(profile))
    if wrong:
        raise Failure(wrong[0])
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Failure as failure:
        sys.stdout.flush()
        print("profile: %s" % failure, file=sys.stderr)
        sys.exit(failure.status)
    except OSError as error:
        print("profile: %s" % error, file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:
        sys.exit(141)
