# SPDX-License-Identifier: GPL-2.0
"""The ways to run, by their names, and the states that a run can be in. They need no icbench:
which of them a module and a device have, states.py asks.
"""

from words import N, params_words

NEW, CONNECTING = N["JOB_STATE_NEW"], N["JOB_STATE_CONNECTING"]
WARMUP, MEASURING = N["JOB_STATE_WARMUP"], N["JOB_STATE_MEASURING"]
FINISHED = N["JOB_STATE_FINISHED"]
# whose way is not found, and who does not answer at its end
NOBODY, SILENT = "10.77.0.98", "10.77.0.99"
LONG = 600 * 10**9

MODES = {
    "poll": {},
    "poll, one thread": {"cpu": 0, "peer-cpu": 0},
    "softirq": {"completion": "softirq"},
    "workqueue": {"completion": "workqueue"},
    "block": {"completion": "block"},
    "block, one CPU": {"completion": "block", "cpu": 0, "peer-cpu": 0},
    "write": {"verb": "write"},
    "write, one thread": {"verb": "write", "cpu": 0, "peer-cpu": 0},
    "1 MiB": {"size": 1 << 20, "warmup": 0},
    "fifo": {"priority": "fifo"},
}

# what says where, how long and with whom, ends a run by itself, or is of several at once
FRAME = {"trigger", "device", "port", "gid-index", "peer", "cm-port", "token", "cpu", "peer-cpu",
         "iterations", "duration", "warmup", "timeout", "seed", "size", "until",
         "until-percentile", "until-time", "threshold", "workers"}
DEFAULTS = (("trigger", "echo"), ("verb", "send"), ("direction", "uni"), ("completion", "poll"))


def of_trigger(trigger, verbs, completions):
    """Each of these verbs, each of these ways of waiting for completions and each direction:
    names, with the parameters that are no defaults."""
    base = {"trigger": trigger, "verb": verbs[0]}
    wanted = [("verb", v) for v in verbs]
    wanted += [("completion", c) for c in completions]
    wanted += [("direction", "uni"), ("direction", "bi")]
    found = [(value, base | {key: value}) for key, value in wanted]
    found.append(("one thread", base | {"cpu": 0, "peer-cpu": 0}))
    for name, params in found:
        yield f"{trigger}, {name}", {k: v for k, v in params.items() if (k, v) not in DEFAULTS}


def of_parameters():
    """Each other parameter that a ping-pong or a stream takes, by itself, with each of its
    words; or a small number, of which the first that goes does. What is new is here by itself.
    Lists of alternatives: names, with the parameters.
    """
    for trigger in ("echo", "completion"):
        for key, words in params_words().items():
            if key in FRAME or key in ("verb", "completion", "direction"):
                continue
            named = [(f"{trigger}, {key} {value}", {"trigger": trigger, key: value})
                     for value in words or (2, 1)]
            yield from [[one] for one in named] if words else [named]


def measuring(mode):
    return MEASURING, {"duration": LONG, "warmup": 1} | mode


def measured(modes):
    """Name: the state to be in, and the parameters that lead there and stay."""
    return {f"measuring, {name}": measuring(mode) for name, mode in modes.items()}


# ... where nothing is measured, or nothing yet
UNMEASURED = {
    "new": (NEW, {}),
    "looking": (CONNECTING, {"peer": NOBODY, "timeout": LONG}),
    "connecting": (CONNECTING, {"peer": SILENT, "timeout": LONG}),
    "warmup": (WARMUP, {"warmup": 10**12}),
    "warmup, block": (WARMUP, {"warmup": 10**12, "completion": "block"}),
    "finished": (FINISHED, {"iterations": 50}),
}


def any_states(further):
    """The names of those that some module and device may have, with FURTHER those of each
    parameter, too."""
    words = params_words()
    modes = dict(MODES)
    for trigger in words["trigger"]:
        for name, params in of_trigger(trigger, words["verb"], words["completion"]):
            # as states.py has it
            if params not in modes.values():
                modes[name] = params
    for alternatives in of_parameters() if further else []:
        modes |= alternatives
    return [*UNMEASURED, *measured(modes)]
