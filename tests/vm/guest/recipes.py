# SPDX-License-Identifier: GPL-2.0
"""What the recipes of "icbenchctl list" run, as parameters of the netlink interface."""

import json
import os
import re
import subprocess

from icb import SLOW, TOP, tool
from modes import FRAME


def names():
    """Return: names of all recipes."""
    return [recipe["name"] for recipe in json.loads(tool("icbenchctl", "list", "--json"))]


def attempt(words):
    """Return: the points and "", or None and the reason of the refusal."""
    try:
        done = subprocess.run(["icbenchctl", "run", *words, "--json", "-"], check=False,
                              timeout=60 * SLOW, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True)
    except subprocess.TimeoutExpired as error:
        return None, str(error)
    if done.returncode:
        return None, done.stderr.strip()
    return json.loads(done.stdout)["points"], ""


# a long timeout, because a busy host may stop a machine for more than a second
SHORT = ["-n", "4", "--warmup", "1", "--repeat", "1", "--timeout", "3s"]


def accepted(words, devices):
    """Return: arguments of a run that is accepted, and its points; or None, and the reasons of
    all refusals. Tries sizes (some recipes have their own, or none) and several devices."""
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
    """Return: trigger and verb of the first point."""
    return points[0]["parameters"]["trigger"], points[0]["parameters"]["verb"]


# parameters in tenths of a percent, which icbenchctl prints in percent
TENTHS = ("compute-share",)


def given_in(recipe):
    """Return: names of the parameters that the recipe sets, with those of its load."""
    with open(os.path.join(TOP, f"user/recipes/{recipe}.icb"), encoding="utf-8") as f:
        return set(re.findall(r"^(?:load\.)?([a-z-]+) =", f.read(), re.M))


def as_netlink(parameters, given):
    """Return: the effective parameters that icbenchctl has printed, as netlink values; only those
    that are given, the trigger and the size."""
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
    """Return: parameters of the first point for each loop and verb of a recipe's run with these
    arguments, and of its load, over the devices that it uses."""
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
