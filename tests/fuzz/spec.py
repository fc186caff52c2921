# SPDX-License-Identifier: GPL-2.0
"""The netlink specification, with its numbers and limits worked out."""

import os

import yaml

TOP = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
PATH = os.path.join(TOP, "Documentation/netlink/specs/icbench.yaml")


def numbered(items, first):
    """Yield (number, item) for each entry; numbers count up unless an entry has a value."""
    number = first
    for item in items:
        number = item.get("value", number)
        yield number, item
        number += 1


class Attr:
    """An attribute of a set."""

    def __init__(self, spec, set_name, number, raw):
        self.name, self.number, self.type = raw["name"], number, raw["type"]
        self.set = set_name
        self.nested = raw.get("nested-attributes")
        checks = {k: spec.consts.get(v, v) for k, v in raw.get("checks", {}).items()}
        self.words = None
        self.min, self.max = checks.get("min", 0), checks.get("max")
        self.min_len = checks.get("exact-len", checks.get("min-len", 0))
        self.max_len = checks.get("exact-len", checks.get("max-len"))
        if "enum" in raw:
            self.words = spec.enums[raw["enum"]]
            self.min, self.max = 0, len(self.words) - 1
            if raw.get("enum-as-flags"):
                self.max = (1 << len(self.words)) - 1


# Operations whose dump accepts the attributes of do, according to their doc: the generator has one
# policy for both if a dump has attributes. The other dumps list everything.
DUMPS_AS_DO = ["result-get"]


class Op:
    """An operation; do and dump are the attribute names of the requests and replies."""

    def __init__(self, number, raw, all_ops):
        self.name, self.number = raw["name"], number
        told = next(o for o in all_ops if o["name"] == raw["notify"]) if "notify" in raw else raw
        self.set = told["attribute-set"]
        self.do = raw.get("do", {}).get("request", {}).get("attributes", []) \
            if "do" in raw else None
        self.dump = None
        if "dump" in raw:
            self.dump = self.do if self.name in DUMPS_AS_DO else []
        self.reply = []
        for kind in (told.get("do", {}), told.get("dump", {}), {"reply": told.get("event", {})}):
            self.reply += [n for n in kind.get("reply", {}).get("attributes", [])
                           if n not in self.reply]
        self.event = "notify" in raw or "event" in raw


class Spec:
    """The whole specification."""

    def __init__(self):
        with open(PATH, encoding="utf-8") as f:
            raw = yaml.safe_load(f)
        self.family = raw["name"]
        definitions = raw["definitions"]
        self.consts = {d["name"]: d["value"] for d in definitions if d["type"] == "const"}
        self.enums = {d["name"]: [e["name"] if isinstance(e, dict) else e for e in d["entries"]]
                      for d in definitions if d["type"] == "enum"}
        self.sets = {s["name"]: {a["name"]: Attr(self, s["name"], n, a)
                                 for n, a in numbered(s["attributes"], 1)}
                     for s in raw["attribute-sets"]}
        ops = raw["operations"]["list"]
        self.ops = {o["name"]: Op(n, o, ops) for n, o in numbered(ops, 1)}
        self.groups = [g["name"] for g in raw["mcast-groups"]["list"]]
