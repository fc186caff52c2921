# SPDX-License-Identifier: GPL-2.0
"""Words and numbers of the ABI, from its header and its specification. This file does not need
icbench.
"""

import functools
import os
import re

import yaml

TOP = os.path.realpath(os.path.join(os.path.dirname(__file__), "../../.."))


def _enums():
    """Return: the numbers of the ABI's header, by their names without ICBENCH_."""
    with open(os.path.join(TOP, "include/uapi/linux/icbench.h"), encoding="utf-8") as f:
        text = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
    numbers = {}
    for body in re.findall(r"enum\s*\w*\s*{(.*?)}", text, flags=re.S):
        n = 0
        for entry in filter(None, (e.strip() for e in body.split(","))):
            name, _, value = (s.strip() for s in entry.partition("="))
            if value and not value.isdigit():
                continue
            n = int(value) if value else n
            numbers[name.replace("ICBENCH_", "", 1)] = n
            n += 1
    return numbers


N = _enums()


def load_yaml(text):
    """Return: the content of a YAML text or file. The parser in C is seven times as fast as the
    one in Python, which takes seconds in a guest."""
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


@functools.cache
def _specification():
    with open(os.path.join(TOP, "Documentation/netlink/specs/icbench.yaml"),
              encoding="utf-8") as f:
        spec = load_yaml(f)
    params = next(s for s in spec["attribute-sets"] if s["name"] == "params")["attributes"]
    return spec["definitions"], params


def params_of_type(kind):
    """Return: names of the parameters that have this type in the specification."""
    _, params = _specification()
    return {a["name"] for a in params if a["type"] == kind}


def params_words():
    """Return: for each parameter of a run, by its name in the specification, the words that it
    accepts; none if it is not an enum."""
    definitions, params = _specification()
    words = {d["name"]: [e if isinstance(e, str) else e["name"] for e in d["entries"]]
             for d in definitions if d["type"] == "enum"}
    return {a["name"]: words.get(a.get("enum"), []) for a in params if a["type"] != "pad"}
