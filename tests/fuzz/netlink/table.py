#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Print the netlink specification as the table that the fuzzer works from.

All entries come from the specification. HINTS and WEIGHTS only raise the probability that a
message is accepted and that a run ends soon. Attributes without hints are fuzzed as well, within
their types and limits.
"""

import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))

from spec import Spec  # pylint: disable=wrong-import-position

MS = 1000000
SIZES = {"u8": 1, "u16": 2, "u32": 4, "u64": 8, "s8": 1, "s16": 2, "s32": 4, "s64": 8}
# default percentage of messages that have an attribute
OFTEN = 12
# the same for parameters of a run, many of which exclude each other
PARAMS_OFTEN = 8

spec = Spec()

# for valid messages: range of a number, lengths, strings, and the percentage that has the attribute
HINTS = {
    ("params", "iterations"): {"low": 1, "high": 50, "often": 99},
    ("params", "warmup"): {"low": 0, "high": 3, "often": 98},
    ("params", "timeout"): {"low": 100 * MS, "high": 500 * MS, "often": 98},
    ("params", "duration"): {"low": 1, "high": 5 * MS},
    ("params", "interval"): {"low": 1000, "high": 1 * MS},
    ("params", "rate"): {"low": 1000, "high": 1000000},
    ("params", "compute"): {"high": 1 * MS},
    ("params", "spin"): {"high": 1 * MS},
    ("params", "size"): {"low": 1, "high": 8192},
    ("params", "cpu"): {"low": 0, "high": 1},
    ("params", "peer-cpu"): {"low": 0, "high": 1},
    ("params", "device"): {"strings": ["rxe0", "siw0"], "often": 5},
    ("params", "port"): {"low": 1, "high": 1, "often": 2},
    ("params", "gid-index"): {"low": 0, "high": 3, "often": 2},
    ("params", "peer"): {"strings": ["10.77.0.1", "10.77.0.1", "10.77.0.99"], "often": 6},
    ("params", "cm-port"): {"low": 18515, "high": 18518, "often": 2},
    ("params", "token"): {"min_len": 8, "max_len": 64, "often": 1},
    ("listen", "bind"): {"strings": ["10.77.0.1", "0.0.0.0", "::"], "often": 50},
    ("listen", "cm-port"): {"low": 18515, "high": 18518, "often": 80},
    ("listen", "token"): {"min_len": 8, "max_len": 64},
    ("dev", "name"): {"strings": ["rxe0", "siw0"]},
    ("dev", "port"): {"low": 1, "high": 1},
    ("bench", "name"): {"strings": spec.enums["trigger"]},
    ("metric", "name"): {"strings": ["latency", "post", "poll", "message_rate"]},
    ("metric", "from"): {"low": 0, "high": 1 << 20},
}
# attributes without which a message has no effect
NEEDED = {"id", "name", "job", "params"}
WEIGHTS = {"job-new": 9, "job-start": 12, "job-get": 6, "result-get": 10, "job-stop": 2,
           "job-del": 2, "dev-get": 2, "bench-get": 1}
USUAL_WEIGHT = 4


def c_string(s):
    return '"' + s.replace("\\", "\\\\").replace('"', '\\"') + '"'


def pool_of(attr):
    """Return: index of the set to whose objects an attribute refers, if operations make and delete
    them; otherwise -1."""
    for name in ((attr.set,) if attr.name == "id" else (attr.name,)):
        if f"{name}-new" in spec.ops and f"{name}-del" in spec.ops:
            return list(spec.sets).index(name)
    return -1


def attr_row(attr):
    hint = HINTS.get((attr.set, attr.name), {})
    kind = {"string": "STRING", "binary": "BINARY", "flag": "FLAG", "nest": "NEST",
            "pad": "PAD"}.get(attr.type, "NUMBER")
    size = SIZES.get(attr.type, 0)
    greatest = (1 << (8 * size)) - 1 if size else 0
    limit = greatest if attr.max is None else attr.max
    fields = {
        "name": c_string(attr.name), "number": attr.number, "type": f"TYPE_{kind}",
        "size": size, "nested": list(spec.sets).index(attr.nested) if attr.nested else -1,
        "pool": pool_of(attr), "min": f"{attr.min}ULL", "max": f"{limit}ULL",
        "low": f"{hint.get('low', attr.min)}ULL", "high": f"{hint.get('high', limit)}ULL",
        "min_len": hint.get("min_len", attr.min_len),
        "max_len": hint.get("max_len", attr.max_len) or 0,
        "often": hint.get("often", 98 if attr.name in NEEDED else
                          PARAMS_OFTEN if attr.set == "params" else OFTEN),
    }
    if "strings" in hint:
        fields["strings"] = "(const char *const []){ %s, NULL }" % \
            ", ".join(map(c_string, hint["strings"]))
    return "\t{ " + ", ".join(f".{k} = {v}" for k, v in fields.items()) + " },"


def indices(op, names):
    every = list(spec.sets[op.set])
    return "(const short []){ " + "".join(f"{every.index(n)}, " for n in names or []) + "-1 }"


def op_row(op):
    fields = {"name": c_string(op.name), "number": op.number,
              "set": list(spec.sets).index(op.set),
              "reply": indices(op, op.reply)}
    if op.event:
        fields["event"] = 1
    if op.do is not None:
        fields["request[DO]"] = indices(op, op.do)
    if op.dump is not None:
        fields["request[DUMP]"] = indices(op, op.dump)
    for role in ("new", "del", "get"):
        if op.name == f"{op.set}-{role}" and f"{op.set}-del" in spec.ops:
            fields["role"] = f"ROLE_{role.upper()}"
    if not op.event:
        fields["weight"] = WEIGHTS.get(op.name, USUAL_WEIGHT)
    return "\t{ " + ", ".join(f".{k} = {v}" for k, v in fields.items()) + " },"


print("/* made by table.py */")
print('#include "table.h"\n')
print(f"const char family_name[] = {c_string(spec.family)};")
print(f"const char group_name[] = {c_string(spec.groups[0])};\n")
for set_name, attrs in spec.sets.items():
    print(f"static const struct attr {set_name}_attrs[] = {{")
    print("\n".join(map(attr_row, attrs.values())))
    print("};\n")
print("const struct set sets[] = {")
for set_name in spec.sets:
    print(f"\t{{ {c_string(set_name)}, {set_name}_attrs, "
          f"sizeof({set_name}_attrs) / sizeof({set_name}_attrs[0]) }},")
print("};\n")
print(f"const int set_count = {len(spec.sets)};\n")
print("const struct op ops[] = {")
print("\n".join(map(op_row, spec.ops.values())))
print("};\n")
print(f"const int op_count = {len(spec.ops)};")
