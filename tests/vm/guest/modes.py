# SPDX-License-Identifier: GPL-2.0
"""The modes of runs, by name, and the states of a run. This file does not need icbench: states.py
asks the module and the device which modes they support.
"""

from words import N, params_words

NEW, CONNECTING = N["JOB_STATE_NEW"], N["JOB_STATE_CONNECTING"]
WARMUP, MEASURING = N["JOB_STATE_WARMUP"], N["JOB_STATE_MEASURING"]
FINISHED = N["JOB_STATE_FINISHED"]
# an address without a neighbour, and an address at which no host answers
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

# parameters of the place, length and peer of a run, of its end, and of several workers
FRAME = {"trigger", "device", "port", "gid-index", "peer", "cm-port", "token", "cpu", "peer-cpu",
         "iterations", "duration", "warmup", "timeout", "seed", "size", "until",
         "until-percentile", "until-time", "threshold", "workers"}
DEFAULTS = (("trigger", "echo"), ("verb", "send"), ("direction", "uni"), ("completion", "poll"))


def of_trigger(trigger, verbs, completions):
    """Return: name and parameters of each verb, each completion mode and each direction; the
    parameters without defaults."""
    base = {"trigger": trigger, "verb": verbs[0]}
    wanted = [("verb", v) for v in verbs]
    wanted += [("completion", c) for c in completions]
    wanted += [("direction", "uni"), ("direction", "bi")]
    found = [(value, base | {key: value}) for key, value in wanted]
    found.append(("one thread", base | {"cpu": 0, "peer-cpu": 0}))
    for name, params in found:
        yield f"{trigger}, {name}", {k: v for k, v in params.items() if (k, v) not in DEFAULTS}


def of_parameters():
    """Yield a list of alternatives for each other parameter of a ping-pong or a stream, and each
    of its words: names with parameters. For a number these are small values, of which the first
    possible one is used. New parameters are included by themselves.
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
    """Return: for each name the state MEASURING, and the parameters with which it lasts."""
    return {f"measuring, {name}": measuring(mode) for name, mode in modes.items()}


# states in which nothing is measured yet
UNMEASURED = {
    "new": (NEW, {}),
    "looking": (CONNECTING, {"peer": NOBODY, "timeout": LONG}),
    "connecting": (CONNECTING, {"peer": SILENT, "timeout": LONG}),
    "warmup": (WARMUP, {"warmup": 10**12}),
    "warmup, block": (WARMUP, {"warmup": 10**12, "completion": "block"}),
    "finished": (FINISHED, {"iterations": 50}),
}


def any_states(further):
    """Return: names of the states that some module and device may have. FURTHER adds those of
    each parameter."""
    words = params_words()
    modes = dict(MODES)
    for trigger in words["trigger"]:
        for name, params in of_trigger(trigger, words["verb"], words["completion"]):
            # as in add_found() of states.py
            if params not in modes.values():
                modes[name] = params
    for alternatives in of_parameters() if further else []:
        modes |= alternatives
    return [*UNMEASURED, *measured(modes)]
