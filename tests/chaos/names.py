# SPDX-License-Identifier: GPL-2.0
"""Names of events and states in environment variables. As a program, which does not need icbench,
refuse unknown names before a machine is booted. chaos.py asks the module and the device which of
the states they support.
"""

import ast
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../vm/guest"))

# pylint: disable=wrong-import-position
from modes import any_states
from words import params_words

# states that are not in tests/vm/guest/modes.py
ANSWERED_LATE, READ = "connecting, answered late", "result being read"
# true if there is time for the states of each parameter
FURTHER = int(os.environ["ICBENCH_CHAOS_REPEATS"]) > 1 and not os.environ.get("ICBENCH_QUICK")


def draining(completion):
    return f"draining, {completion}"


def choice(variable, known, where=""):
    """Return: those of the KNOWN names that the environment variable lists, separated by
    semicolons; all if it is empty. Unknown names end the test. WHERE: condition under which the
    known names are accepted, for the message.
    """
    names = list(filter(None, os.environ.get(variable, "").split(";")))
    for name in names:
        if name not in known:
            sys.exit(f"{variable}: no {name}; accepted{where}: {'; '.join(known)}")
    return [name for name in known if name in names or not names]


def constants(script, *names):
    """Yield the values of these constants of a script: tuples, or the keys of dictionaries."""
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
