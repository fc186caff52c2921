# SPDX-License-Identifier: GPL-2.0
"""The events and the states that the environment names. As a program, which needs no icbench:
refuse those that are none, before there is a machine. Which of the states a module and a device
have, chaos.py finds by asking it.
"""

import ast
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../vm/guest"))

# pylint: disable=wrong-import-position
from modes import any_states
from words import params_words

# states that are not of tests/vm/guest/modes.py
ANSWERED_LATE, READ = "connecting, answered late", "result being read"
# whether it has time for the states of each parameter
FURTHER = int(os.environ["ICBENCH_CHAOS_REPEATS"]) > 1 and not os.environ.get("ICBENCH_QUICK")


def draining(completion):
    return f"draining, {completion}"


def choice(variable, known, where=""):
    """Those of the names known that the environment's variable has, with semicolons; all of
    them if it has none. Names that are not known end the test. WHERE not each of the others is
    accepted: what that takes.
    """
    names = list(filter(None, os.environ.get(variable, "").split(";")))
    for name in names:
        if name not in known:
            sys.exit(f"{variable}: no {name}; accepted{where}: {'; '.join(known)}")
    return [name for name in known if name in names or not names]


def constants(script, *names):
    """What these tuples and the keys of these dictionaries of a script's are."""
    with open(os.path.join(HERE, script), encoding="utf-8") as f:
        body = ast.parse(f.read()).body
    values = {target.id: node.value for node in body if isinstance(node, ast.Assign)
              for target in node.targets if isinstance(target, ast.Name)}
    for name in names:
        value = values[name]
        yield from map(ast.literal_eval, value.keys if isinstance(value, ast.Dict) else value.elts)


if __name__ == "__main__":
    choice("ICBENCH_CHAOS_EVENTS", [*constants("chaos.py", "EVENTS", "PEERS_EVENTS", "PARTS")])
    asked_of_pair = choice("ICBENCH_PAIR_EVENTS", [*constants("pair.py", "NAMES")])
    choice("ICBENCH_CHAOS_STATES", [*any_states(FURTHER), ANSWERED_LATE, READ,
                                    *map(draining, params_words()["completion"])],
           ", where the device can do it")
    print(*asked_of_pair, sep="\n")
