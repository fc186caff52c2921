# SPDX-License-Identifier: GPL-2.0
"""The tables of tests/vm/profile."""

import re

# share by which the counted instructions and the measured time may differ
TOLERANCE = 0.005

# suffixes that compilers and the kernel's build append to the name of a function
SUFFIX = re.compile(r"(\.(isra|constprop|part|cold|llvm|lto_priv)(\.\d+)*|\.\d+|_noprof)$")


def plain(name):
    """Return: the name of a function without the suffixes of the compiler."""
    while True:
        short = SUFFIX.sub("", name)
        if short in ("", name):
            return name
        name = short


def number(value):
    """Return: a number of instructions as text."""
    return "{:,.1f}".format(value)


def percent(part, whole):
    """Return: PART of WHOLE as text."""
    return "%.1f %%" % (100 * part / whole) if whole else "-"


def change(new, old):
    """Return: the relative difference as text."""
    return "%+.2f %%" % (100 * (new - old) / old) if old else "new"


def title(profile):
    """Return: what was measured, in one line."""
    parameters = profile["parameters"]
    words = [profile.get("benchmark", "")]
    if "size" in parameters:
        words.append("%s B" % parameters["size"])
    words += [str(parameters[key]) for key in ("verb", "completion") if key in parameters]
    return "%s; kernel %s" % (" ".join(words), profile["kernel"])


def print_profile(profile, least):
    """Print the profile of an operation."""
    whole = profile["sum"]
    print("Instructions of one operation: %s" % title(profile))
    if profile["method"] == "difference":
        print("The difference between two boots: it includes differences of set-up.")
    print("{:>14} {:>8}  {:<40} {}".format("instructions", "share", "function", "module"))
    few = [row for row in profile["functions"] if row["instructions"] < least]
    for row in profile["functions"]:
        if row["instructions"] >= least:
            print_row(row, whole, row["module"])
    if few:
        print_row({"name": "%d more, less than %g each" % (len(few), least),
                   "instructions": sum(row["instructions"] for row in few)}, whole, "")
    for group in ("module", "room"):
        print("\n{:>14} {:>8}  {}".format("instructions", "share", group))
        for row in profile[group + "s"]:
            print_row(row, whole, "")
    print()
    print_sums(profile)


def print_row(row, whole, last):
    """Print a row with a name and a number of instructions."""
    print("{:>14} {:>8}  {:<40} {}".format(
        number(row["instructions"]), percent(row["instructions"], whole),
        row["name"], last).rstrip())


def print_sums(profile):
    """Print the sum beside the time that icbench has measured, 1 ns = 1 instruction."""
    rows = [("sum", profile["sum"], "")]
    if "elapsed" in profile:
        rows[0] = ("sum", profile["sum"], "icbench measured %s ns (%s)" % (
            number(profile["elapsed"]), change(profile["sum"], profile["elapsed"])))
    sample = profile.get("sample")
    if sample:
        counted = sample.get("counted")
        text = "icbench measured %s ns" % number(sample["measured"])
        inside = sample["measured"]
        if counted:
            inside = counted["instructions"]
            text += " (%s)" % change(inside, sample["measured"])
        rows.append(("inside the sample", inside, text))
        if counted:
            rows.append(("", None, "from the clock read %s to %s" % (counted["from"],
                                                                     counted["to"])))
        rows.append(("the rest", profile["sum"] - inside, ""))
    for name, value, text in rows:
        print("{:>14} {:>8}  {:<20} {}".format(
            "" if value is None else number(value),
            "" if value is None else percent(value, profile["sum"]), name, text).rstrip())


def matched(base, new):
    """Yield (name, module, instructions in BASE, instructions in NEW) of each function. Functions
    match by module and plain name, or else, where this is unique, by plain name."""
    sums = [{}, {}]
    for side, profile in enumerate((base, new)):
        for row in profile["functions"]:
            key = row["module"], plain(row["name"])
            sums[side][key] = sums[side].get(key, 0) + row["instructions"]
    only = [{}, {}]
    for side in (0, 1):
        for key in sums[side]:
            if key not in sums[1 - side]:
                only[side].setdefault(key[1], []).append(key)
    for name, keys in only[0].items():
        if len(keys) == 1 and len(only[1].get(name, ())) == 1:
            sums[0][only[1][name][0]] = sums[0].pop(keys[0])
    for key in set(sums[0]) | set(sums[1]):
        yield key[1], key[0], sums[0].get(key, 0), sums[1].get(key, 0)


def print_against(base, new, least):
    """Print the difference between two profiles, by function, largest first."""
    print("Instructions of one operation")
    print("  base: %s" % title(base))
    print("  new:  %s" % title(new))
    keys = sorted(set(base["parameters"]) | set(new["parameters"]))
    for key in keys:
        values = [profile["parameters"].get(key, "absent") for profile in (base, new)]
        if values[0] != values[1]:
            print("  %s: %s in base, %s in new" % (key, *values))
    rows = sorted(matched(base, new), key=lambda row: (-abs(row[3] - row[2]), row[1], row[0]))
    form = "{:>14} {:>14} {:>14}  {:<40} {}"
    print(form.format("difference", "base", "new", "function", "module"))
    few = [row for row in rows if abs(row[3] - row[2]) < least]
    for name, module, old, now in rows:
        if abs(now - old) >= least:
            print(form.format("{:+,.1f}".format(now - old), number(old), number(now), name, module))
    if few:
        print(form.format("{:+,.1f}".format(sum(row[3] - row[2] for row in few)),
                          number(sum(row[2] for row in few)), number(sum(row[3] for row in few)),
                          "%d more, each by less than %g" % (len(few), least), "").rstrip())
    print(form.format("{:+,.1f}".format(new["sum"] - base["sum"]), number(base["sum"]),
                      number(new["sum"]), "sum", change(new["sum"], base["sum"])))
