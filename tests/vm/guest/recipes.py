# SPDX-License-Identifier: GPL-2.0
"""What the recipes of "icbenchctl list" run, as parameters of the netlink interface."""

import json
import os
import re
import subprocess

from icb import SLOW, TOP, tool
from modes import FRAME


def names():
    """Those of all recipes."""
    return [recipe["name"] for recipe in json.loads(tool("icbenchctl", "list", "--json"))]


def attempt(words):
    """The points, or None, and why it is refused."""
    try:
        done = subprocess.run(["icbenchctl", "run", *words, "--json", "-"], check=False,
                              timeout=60 * SLOW, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True)
    except subprocess.TimeoutExpired as error:
        return None, str(error)
    if done.returncode:
        return None, done.stderr.strip()
    return json.loads(done.stdout)["points"], ""


# a busy host may stop a machine for more than a second
SHORT = ["-n", "4", "--warmup", "1", "--repeat", "1", "--timeout", "3s"]


def accepted(words, devices):
    """The arguments of a run of these, with its points; or None, with why all such are
    refused. Some take one size, which they have themselves, or none, and some several
    devices."""
    whys = set()
    for more in ([], devices) if devices else ([],):
        for size in (["-s", "64"], ["-s", "8"], []):
            whole = [*words, *SHORT, *size, *more]
            done, why = attempt(whole)
            if done:
                return whole, done
            whys.add(why)
    return None, "; ".join(sorted(whys))


def kind(points):
    """Of the first of them."""
    return points[0]["parameters"]["trigger"], points[0]["parameters"]["verb"]


# in tenths of a percent, where icbenchctl tells percents
TENTHS = ("compute-share",)


def given_in(recipe):
    """The parameters that it has itself, and those of its load."""
    with open(os.path.join(TOP, f"user/recipes/{recipe}.icb"), encoding="utf-8") as f:
        return set(re.findall(r"^(?:load\.)?([a-z-]+) =", f.read(), re.M))


def as_netlink(parameters, given):
    """What makes a run what it is, of the effective parameters that icbenchctl tells: what is
    given, and its size."""
    kept = given - FRAME | {"trigger", "size"}
    found = {}
    for name, value in parameters.items():
        if name in TENTHS:
            value = round(value * 10)
        elif isinstance(value, bool):
            value = int(value)
        if name in kept:
            found[name] = value
    return found


def of_run(whole, points, devices):
    """The first point of each loop and verb of a recipe's run with these arguments, and of the
    load beside it, over the devices that it was given."""
    given, found = given_in(whole[0]), {}
    for point in points:
        for run_of in (point, point.get("load")):
            if not run_of:
                continue
            params = found.setdefault(kind([run_of]), as_netlink(run_of["parameters"], given))
            if "-d" in whole:
                params["device"] = devices
            elif params.get("verb") == "floor":
                params["device"] = None
    return found
