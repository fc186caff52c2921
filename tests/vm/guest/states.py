# SPDX-License-Identifier: GPL-2.0
"""Runs in every state that one can be in, and what ends them there."""

import errno
import os
import socket
import struct
import time
from concurrent.futures import ThreadPoolExecutor

from icb import (DEVICE, N, NETLINK_GENERIC, NLM_F_DUMP, NLM_F_REQUEST, QUICK, SLOW, Client, Refused,
                 add_second, given, load, parse, plug, u32, u64, unload, unplug, until)
from kernel import set_address, set_arp, set_link, set_neighbour
# pylint: disable=unused-import
from modes import (CONNECTING, FINISHED, LONG, MEASURING, MODES, NEW, NOBODY, SILENT, UNMEASURED,
                   WARMUP, measured, measuring, of_parameters, of_trigger)
# pylint: enable=unused-import

ADDRESS = "10.77.0.1"
CPU1 = "/sys/devices/system/cpu/cpu1/online"
# reason of a run whose thread was bound to CPU 1
CPU1_GONE = "CPU 1 was taken from the run: it went offline, or a thread was moved to another CPU"
STOPPED, FAILED = N["OUTCOME_STOPPED"], N["OUTCOME_FAILED"]
COMPLETE = N["OUTCOME_COMPLETE"]

# generous: 100 ms are promised, but not on an emulator and a busy host
BOUND = 10	# seconds; until() multiplies it for a slow kernel


def word(enum, value):
    """Return: the word of a value of an enum of the ABI."""
    return next(k[len(enum) + 1:].lower().replace("_", "-") for k, n in N.items()
                if k.startswith(f"{enum}_") and n == value)


def found():
    """Yield each trigger with each of its verbs that the device supports, each completion mode
    and each direction, as far as they can be combined. New ones are included by themselves.
    """
    client = Client()
    verbs = client.verbs()
    for trigger, (of_it, completions) in client.benches().items():
        yield from of_trigger(trigger, [word("VERB", v) for v in of_it if verbs & 1 << v],
                              [word("COMPLETION", c) for c in completions])
    client.close()


def keys(params):
    """Return: keyword arguments for new(), without those that are None. The device is the one
    that is removed and made again; a machine may have several."""
    return {k.replace("-", "_"): v for k, v in ({"device": DEVICE} | params).items()
            if v is not None}


def why_not(params):
    """Return: the refusal of a run with these parameters; "" if it is possible."""
    client = Client()
    try:
        client.new(**keys(params))
    except Refused as error:
        return str(error)
    finally:
        client.close()
    return ""


def possible(params):
    return not why_not(params)


# combinations that are refused, and the reason
DROPPED = {}


def add_found():
    for name, params in found():
        # the combination of the defaults is in MODES already
        if params in MODES.values():
            continue
        why = why_not(params)
        if why:
            DROPPED[name] = why
        else:
            MODES[name] = params


add_found()
STATES = UNMEASURED | measured(MODES)


def first_possible(alternatives, devices):
    """Return: name and parameters of the first alternative that is possible, perhaps with
    additional parameters."""
    for name, params in alternatives:
        for more in ({}, {"verb": "write"}, {"device": devices},
                     {"device": devices, "policy": "stripe", "verb": "write",
                      "notify": "message"}):
            if possible(measuring(more | params)[1]):
                return name, more | params
    return None


def add_parameters():
    """Add further modes, and the states in which they measure, for long tests. A parameter that
    needs several devices gets two."""
    devices = [DEVICE, add_second()]
    for alternatives in of_parameters():
        mode = first_possible(alternatives, devices)
        if mode and mode[1] not in MODES.values():
            MODES.update([mode])
            STATES.update(measured(dict([mode])))


def one_of_each():
    """Return: names of the measuring states, one for each completion mode."""
    names = {}
    for name, (state, params) in STATES.items():
        mode = params.get("completion", "memory" if params.get("verb") == "write" else "poll")
        if state == MEASURING and "one" not in name:
            names.setdefault(mode, name)
    return list(names.values())


def place_peers():
    """Make neighbours on a link that leads nowhere. The entries go with the link or its address."""
    set_arp("icb0")
    set_neighbour("icb0", SILENT, "020000000099")


def within(what, condition):
    """Wait for a condition. Return: how long it took, seconds."""
    begin = given()
    if not until(BOUND, condition):
        raise RuntimeError(f"{what} takes longer than {BOUND} s")
    return given() - begin


# a run whose result takes several messages to read
LENGTHY = {"iterations": 1500, "warmup": 0, "samples": 1500, "completion": "softirq"}


class Reader:
    """A dump of a result of which the first message was read."""

    def __init__(self, job):
        client = Client()
        # The kernel makes a message as large as the largest read buffer that the socket has had
        # so far. A new socket therefore gets small messages, and many.
        self.sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_GENERIC)
        self.sock.settimeout(120)
        self.sock.bind((0, 0))
        self.over = False
        self.error = 0
        self.samples = 0
        body = struct.pack("BBH", N["CMD_RESULT_GET"], 1, 0) + u32(N["A_METRIC_JOB"], job) + \
            u64(N["A_METRIC_SAMPLE_FROM"], 0)
        self.sock.send(struct.pack("IHHII", 16 + len(body), client.family,
                                   NLM_F_REQUEST | NLM_F_DUMP, 1, 0) + body)
        client.close()
        self.read()

    def read(self):
        raw = self.sock.recv(8192)
        while raw:
            length, kind = struct.unpack_from("IH", raw)
            if length > len(raw):
                raise RuntimeError("reading the result: a part was cut off")
            if kind in (2, 3):
                self.over = True
                self.error = -struct.unpack_from("i", raw, 16)[0]
            else:
                attrs = parse(raw[20:length])
                if dict(attrs)[N["A_METRIC_NAME"]] == b"latency\0":
                    self.samples += sum(k == N["A_METRIC_SAMPLE"] for k, _ in attrs)
            raw = raw[(length + 3) & ~3:]

    def finish(self, cut_off=errno.ENOENT):
        """Read to the end, or to where the deletion of the job, alone or with its owner, cuts
        the dump off. Nothing else may cut it off."""
        while not self.over:
            self.read()
        self.sock.close()
        if self.error not in (0, cut_off):
            raise RuntimeError(f"reading the result: {os.strerror(self.error)}")

    def whole(self):
        """Read all samples: no event in between has changed the dump."""
        if self.over:
            raise RuntimeError("was read before anything happened")
        self.finish(0)
        if self.samples != LENGTHY["iterations"]:
            raise RuntimeError(f"{self.samples} samples, not {LENGTHY['iterations']}")


class Run:
    """A job in a state, and its owner."""

    held = None		# function that is held so that the state lasts
    since = 0		# when the event that ends the job began
    took = 0		# time from there to the end of the job, seconds
    error = None	# error of this run

    def __init__(self, name, detach=False):
        self.state, self.params = STATES[name]
        self.client = Client()
        self.id = self.client.new(detach=detach, **keys(self.params))
        if self.state == NEW:
            return
        self.start()
        if not until(60, self.there):
            raise RuntimeError(f"does not get to be {name}: {self.get()}")

    def start(self):
        if self.params.get("peer") in (NOBODY, SILENT):
            place_peers()
        self.client.start(self.id)

    def begin(self):
        """Note the time when the event that ends the job begins."""
        self.since = given()

    def get(self):
        return self.client.get(self.id)

    def there(self):
        job = self.get()
        return job.state == self.state and (job.done > 0 or job.state != MEASURING)

    def over(self):
        if not self.took:
            within("the end", lambda: self.get().state == FINISHED)
            self.took = given() - self.since
        return self.get()

    def result_is_of(self, done):
        trigger = self.params.get("trigger", "echo")
        if trigger in ("echo", "clock"):
            return self.client.samples(self.id) == done
        # Metrics of calls are named after the verb. How many messages of an unreliable transport
        # have arrived is known only after a whole run.
        if trigger == "completion":
            name = "post" if self.params.get("transport") in ("uc", "ud") else "bandwidth"
        else:
            name = self.params["verb"]
        return self.client.has(self.id, name) == (done > 0)

    def kept(self, *outcomes):
        """The job has ended with one of these outcomes, and its result can be read."""
        job = self.over()
        if job.outcome not in outcomes:
            raise RuntimeError(f"ended otherwise: {job}")
        if not self.result_is_of(job.done):
            raise RuntimeError(f"lost its result: {job}")
        if self.state == MEASURING and not job.done:
            raise RuntimeError(f"has no result: {job}")
        return job

    def forget(self):
        self.client.delete(self.id)
        self.client.close()


# The events that end runs; each takes a list of runs.

def each(runs, action):
    """Apply ACTION to each run. An error of one run does not affect the others."""
    for run in runs:
        if not run.error:
            try:
                action(run)
            except (Refused, RuntimeError, OSError) as error:
                run.error = error


def begin(runs):
    each(runs, lambda run: run.begin())


def judge(runs, verdict):
    """Apply VERDICT to each run once all have ended, so that no end is noticed late."""
    each(runs, lambda run: run.over())
    each(runs, verdict)


def by_stop(runs):
    def stop(run):
        run.begin()
        run.client.stop(run.id)
        if run.state == NEW:
            run.client.start(run.id)

    def stopped(run):
        run.kept(COMPLETE if run.state == FINISHED else STOPPED)
        run.client.stop(run.id)	# a second stop does no harm
        run.forget()

    each(runs, stop)
    judge(runs, stopped)


def by_delete(runs):
    def delete(run):
        run.begin()
        run.client.delete(run.id)
        run.took = given() - run.since
        try:
            run.get()
        except Refused:
            return run.client.close()
        raise RuntimeError("is still there")

    each(runs, delete)


def by_owner(runs):
    def die(run):
        run.begin()
        run.client.close()

    each(runs, die)


def by_unload(runs):
    """Unload the module. The results can be read until it is unloaded."""
    def unloaded(run):
        job = run.kept(COMPLETE if run.state == FINISHED else STOPPED)
        if run.state != FINISHED and "unloaded" not in job.reason:
            raise RuntimeError(f"does not say why: {job}")
        run.forget()

    begin(runs)
    with ThreadPoolExecutor() as pool:
        going = pool.submit(unload)
        judge([run for run in runs if run.state != NEW], unloaded)
        for run in runs:
            run.client.close()
        took = within("the unloading", going.done)
        going.result()
    load()
    for run in runs:
        run.took = max(run.took, took)


def by_device(runs):
    def removed(run):
        job = run.kept(*((COMPLETE,) if run.state == FINISHED else (FAILED,)))
        if run.state not in (NEW, FINISHED) and "device was removed" not in job.reason:
            raise RuntimeError(f"does not say why: {job}")
        run.forget()

    begin(runs)
    unplug()
    try:
        each([run for run in runs if run.state == NEW], lambda run: run.client.start(run.id))
        judge(runs, removed)
    finally:
        plug()


def end_of(runs, why):
    """The device event ends the runs that are active, and they give WHY as the reason.

    A run that has not begun, or that has ended, is not affected.
    """
    def hit(run):
        return run.state in (CONNECTING, WARMUP, MEASURING) or run.held

    def failed(run):
        job = run.kept(FAILED)
        if why not in job.reason:
            raise RuntimeError(f"does not say why: {job}")
        run.forget()

    def stop(run):
        # the event does not end this run, but a stop does
        run.since = given()
        run.client.stop(run.id)

    def stopped(run):
        run.kept(*((COMPLETE,) if run.state == FINISHED else (STOPPED, FAILED)))
        run.forget()

    others = [run for run in runs if not hit(run)]
    each([run for run in others if run.state == NEW], lambda run: run.client.start(run.id))
    judge([run for run in runs if hit(run)], failed)
    if any(run.state != FINISHED for run in others):
        time.sleep(0.1)
    each(others, stop)
    judge(others, stopped)


def by_link(runs):
    """The link goes down, and the device's port with it, which ends the runs there.

    The device is made again: a packet that the connection manager sends while the link is
    down breaks rxe's QP 1, for perftest -R as well.
    """
    begin(runs)
    set_link("icb0", False)
    try:
        end_of(runs, "went down")
    finally:
        set_link("icb0", True)
        unplug()
        plug()


def by_address(runs):
    """The address that the runs use is removed, and added again."""
    begin(runs)
    set_address("icb0", ADDRESS, False)
    try:
        end_of(runs, f"{ADDRESS} was removed")
    finally:
        set_address("icb0", ADDRESS, True)
        unplug()
        plug()


ACTIONS = {
    "stop": by_stop,
    "job-del": by_delete,
    "death of its owner": by_owner,
    "unload": by_unload,
    "removal of the device": by_device,
    "loss of the link": by_link,
    "loss of the address": by_address,
}


# actions that take long in a slow kernel: with ICBENCH_QUICK, each gets one state in thirteen,
# and the other actions get three
LONGER = ("unload", "removal of the device", "loss of the link", "loss of the address")


def some(states, action):
    """Return: all states, or with ICBENCH_QUICK each state for one of the actions, which differs
    between a slow kernel and others."""
    if not QUICK:
        return list(states)
    turns = [name for name in ACTIONS for _ in range(1 if name in LONGER else 3)]
    first = 0 if SLOW > 1 else len(turns) // 2
    return [s for i, s in enumerate(states) if turns[(first + i) % len(turns)] == action]
