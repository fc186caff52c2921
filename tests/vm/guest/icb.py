# SPDX-License-Identifier: GPL-2.0
"""Shared by the guest's side of the tests in Python.

TAP; a small netlink client, which in contrast to the kernel's client can send malformed messages
and starts fast; and checks that nothing is left behind.
"""

import contextlib
import errno
import os
import re
import struct
import subprocess
import sys
import time

# pylint: disable=unused-import
from kernel import (NLA_F_NESTED, NLM_F_ACK, NLM_F_DUMP, NLM_F_REQUEST, SOL_NETLINK, Netlink,
                    Refused, add_device, attr, insert_module, number, parse, remove_device,
                    remove_module, resources, text, u32, u64)
from words import TOP, N, params_of_type, params_words
# pylint: enable=unused-import

NETLINK_GENERIC = 16

# factor by which this kernel is slower than usual
SLOW = int(os.environ.get("ICBENCH_VM_SLOW", "1"))
# fewer repetitions, so that a slow kernel stays within CI's time
QUICK = bool(os.environ.get("ICBENCH_QUICK"))
# of the combinations of parameters that a script tests, run about one in so many
ONE_IN = int(os.environ.get("ICBENCH_ONE_IN", "1"))

WIDE = params_of_type("u64")
STRINGS = params_of_type("string")


def sampled(*numbers):
    """Return: whether to run a combination, with the number of the value of each parameter, from 0
    on. ONE_IN divides the sum of the numbers of those that run: a diagonal, in which each value
    occurs if another parameter has ONE_IN values or more.
    """
    return sum(numbers) % ONE_IN == 0


def sample(first, values):
    """Return: one in ONE_IN of the values, from the value number FIRST on. The numbers from 0 on,
    one for each call, include each value.
    """
    values = list(values)
    return [value for number, value in enumerate(values)
            if (number - first) % len(values) % ONE_IN == 0]


def fewer(count):
    """Return: COUNT, divided by ONE_IN and rounded up."""
    return -(-count // ONE_IN)


def ident(word):
    return word.replace("-", "_").upper()


def param(name, value):
    """Return: attribute of a parameter; of a list, one attribute for each value."""
    if isinstance(value, list):
        return b"".join(param(name, v) for v in value)
    kind = N["A_PARAMS_" + ident(name)]
    if name == "token":
        return attr(kind, value)
    if name in STRINGS:
        return attr(kind, value.encode() + b"\0")
    if isinstance(value, str):
        value = N[f"{ident(name)}_{ident(value)}"]
    return (u64 if name in WIDE else u32)(kind, value)


class Client(Netlink):
    """A socket, and the jobs and listeners that it owns."""

    def __init__(self, number_=0):
        super().__init__(NETLINK_GENERIC, number_)
        self.family = 16
        for kind, value in parse(self.request(3, attr(2, b"icbench\0"), reply=True)[0]):
            if kind == 1:
                self.family = number(value)

    def request(self, cmd, payload=b"", flags=NLM_F_ACK, reply=False, reserved=0):
        """Return: list of the reply payloads. Raises Refused."""
        return [message[4:] for message in
                self.exchange(self.family, struct.pack("BBH", cmd, 1, reserved) + payload, flags,
                              reply)]

    def new(self, detach=False, group=0, **params):
        """Send job-new. Parameters are keywords with _ for -; GROUP is a group number, or 0."""
        if SLOW > 1:
            params.setdefault("timeout", 10**10 * SLOW)
        nest = b"".join(param(k.replace("_", "-"), v) for k, v in params.items())
        return self.new_raw(nest, detach, group)

    def new_raw(self, nest, detach=False, group=0):
        payload = attr(N["A_JOB_PARAMS"], nest, nested=True)
        if group:
            payload += u32(N["A_JOB_GROUP"], group)
        if detach:
            payload += attr(N["A_JOB_DETACH"])
        answer = self.request(N["CMD_JOB_NEW"], payload)
        return number(dict(parse(answer[0]))[N["A_JOB_ID"]])

    def _by_id(self, cmd, job):
        return self.request(N[cmd], u32(N["A_JOB_ID"], job))

    def benches(self):
        """Return: for each trigger's name the numbers of its verbs and of its completion modes."""
        found = {}
        for message in self.request(N["CMD_BENCH_GET"], flags=NLM_F_DUMP):
            attrs = parse(message)
            name = dict(attrs)[N["A_BENCH_NAME"]].rstrip(b"\0").decode()
            found[name] = tuple([number(v) for k, v in attrs if k == N[f"A_BENCH_{what}"]]
                                for what in ("VERB", "COMPLETION"))
        return found

    def verbs(self):
        """Return: mask with BIT(n) for each verb of the device."""
        for message in self.request(N["CMD_DEV_GET"], flags=NLM_F_DUMP):
            attrs = dict(parse(message))
            if attrs[N["A_DEV_NAME"]].rstrip(b"\0").decode() == DEVICE:
                return number(attrs[N["A_DEV_VERBS"]])
        return 0

    def start(self, job):
        self._by_id("CMD_JOB_START", job)

    def stop(self, job):
        self._by_id("CMD_JOB_STOP", job)

    def delete(self, job):
        self._by_id("CMD_JOB_DEL", job)

    def get(self, job):
        return Job(self._by_id("CMD_JOB_GET", job)[0])

    def jobs(self):
        return [Job(m) for m in self.request(N["CMD_JOB_GET"], flags=NLM_F_DUMP)]

    def has(self, job, name):
        """Return: whether the result of a finished job has this metric."""
        try:
            self.request(N["CMD_RESULT_GET"], u32(N["A_METRIC_JOB"], job) +
                         attr(N["A_METRIC_NAME"], name.encode() + b"\0"))
        except Refused as error:
            if error.errno == errno.ENOENT:
                return False
            raise
        return True

    def samples(self, job):
        """Return: the number of latency samples in the result of a finished job."""
        try:
            answer = self.request(N["CMD_RESULT_GET"], u32(N["A_METRIC_JOB"], job) +
                                  attr(N["A_METRIC_NAME"], b"latency\0"))
        except Refused as error:
            if error.errno == errno.ENOENT:	# the result has no latency
                return 0
            raise
        return number(dict(parse(answer[0]))[N["A_METRIC_COUNT"]])

    def listen(self, port, bind="10.77.0.1", detach=False, token=None, max_qps=None):
        answer = self.request(N["CMD_LISTEN_NEW"],
                              attr(N["A_LISTEN_BIND"], bind.encode() + b"\0") +
                              u32(N["A_LISTEN_CM_PORT"], port) +
                              (attr(N["A_LISTEN_TOKEN"], token) if token else b"") +
                              (u32(N["A_LISTEN_MAX_QPS"], max_qps) if max_qps else b"") +
                              (attr(N["A_LISTEN_DETACH"]) if detach else b""))
        return number(dict(parse(answer[0]))[N["A_LISTEN_ID"]])

    def unlisten(self, listener):
        self.request(N["CMD_LISTEN_DEL"], u32(N["A_LISTEN_ID"], listener))

    def listeners(self):
        return [dict(parse(m)) for m in
                self.request(N["CMD_LISTEN_GET"], flags=NLM_F_DUMP)]


class Job:
    """The reply to job-get."""

    def __init__(self, raw):
        found = dict(parse(raw))
        self.id = number(found[N["A_JOB_ID"]])
        self.role = number(found[N["A_JOB_ROLE"]])
        self.state = number(found[N["A_JOB_STATE"]])
        self.outcome = number(found[N["A_JOB_OUTCOME"]])
        self.done = number(found[N["A_JOB_DONE"]])
        self.reason = found.get(N["A_JOB_REASON"], b"").rstrip(b"\0").decode()
        self.target = found.get(N["A_JOB_TARGET"], b"").rstrip(b"\0").decode()

    def __str__(self):
        return f"job {self.id} state {self.state} outcome {self.outcome} " \
               f"done {self.done} \"{self.reason}\""


class Tap:
    """TAP output. An exception in a test is a failure, and its text the reason."""

    def __init__(self):
        self.count = 0
        self.failed = 0

    def ok(self, good, name, why=""):
        self.count += 1
        print(f"{'' if good else 'not '}ok {self.count} - {name}", flush=True)
        if not good:
            self.failed += 1
            for line in (f"{name}:\n{why}").splitlines():
                print(f"# {line}", file=sys.stderr, flush=True)
        return good

    def skip(self, name, why):
        """Report a skipped test."""
        self.count += 1
        print(f"ok {self.count} - {name} # skip {why}", flush=True)

    def check(self, name, function, *args, **kwargs):
        """A test that passes if FUNCTION returns None or True."""
        try:
            answer = function(*args, **kwargs)
        except Exception as error:	# pylint: disable=broad-exception-caught
            return self.ok(False, name, f"{type(error).__name__}: {error}")
        return self.ok(answer in (None, True), name, f"got {answer!r}")

    def done(self):
        print(f"1..{self.count}", flush=True)
        return 1 if self.failed else 0


def note(text):
    print(f"# {text}", flush=True)


def given():
    """Return: seconds that the host has given this machine. The machine's clock continues while
    the host withholds the CPUs."""
    try:
        with open("/run/icbench/withheld", encoding="ascii") as f:
            return time.monotonic() - int(f.read() or 0) / 1000
    except FileNotFoundError:
        return time.monotonic()


def until(seconds, condition):
    """Wait for a condition. Return: its last value."""
    end, last = time.monotonic() + seconds * SLOW, given() + seconds * SLOW
    while True:
        value = condition()
        if value or (time.monotonic() > end and given() > last):
            return value
        time.sleep(0.01)


def prompt(yes):
    """Set whether this process has priority over the runs, which may leave no CPU idle."""
    os.sched_setscheduler(0, os.SCHED_FIFO if yes else os.SCHED_OTHER, os.sched_param(int(yes)))


def tool(*words, timeout=60):
    """Run a program, which has to succeed. Return: its output."""
    done = subprocess.run(words, timeout=timeout * SLOW, stdin=subprocess.DEVNULL, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}: {done.returncode}: {done.stdout}")
    return done.stdout


def threads():
    names = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/comm", encoding="utf-8") as f:
                names.append(f.read().strip())
        except OSError:
            pass
    return [n for n in names if n.startswith("icbench/")]


def threads_on(cpu):
    """Return: numbers of the icbench threads that are bound to this CPU."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/comm", encoding="utf-8") as f:
                mine = f.read().startswith("icbench/")
            if mine and os.sched_getaffinity(int(pid)) == {cpu}:
                found.append(int(pid))
        except OSError:
            pass
    return found


RESOURCES = resources()


def allocated():
    """Return: how many pages the kernel has allocated since boot."""
    with open("/proc/vmstat", encoding="ascii") as f:
        return sum(int(line.split()[1]) for line in f if line.startswith("pgalloc_"))


def pages_in_use():
    """Return: how many pages are in use without being in another counter, as those of buffers,
    once all freeable memory was freed. Pages in the per-CPU lists are free."""
    os.sync()
    for path, text in (("/proc/sys/vm/drop_caches", "3"), ("/proc/sys/vm/stat_refresh", "1")):
        with open(path, "w", encoding="ascii") as f:
            f.write(text)
    with open("/proc/meminfo", encoding="ascii") as f:
        kib = {k: int(v.split()[0]) for k, v in (line.split(":") for line in f)}
    with open("/proc/zoneinfo", encoding="ascii") as f:
        free = sum(map(int, re.findall(r"(?:^ +pages free +| +count: +)(\d+)$", f.read(), re.M)))
    return (kib["MemTotal"] - sum(kib[k] for k in (
        "Buffers", "Cached", "Slab", "AnonPages", "PageTables", "KernelStack",
        "Percpu"))) // 4 - free


def left():
    """Return: what is left in the kernel; empty if nothing is."""
    found = []
    if resources() != RESOURCES:
        found.append(resources() + tool("rdma", "resource", "show", "qp"))
    if os.path.exists("/sys/module/icbench"):
        client = Client()
        found += map(str, client.jobs())
        client.close()
    return found + threads()


def clean():
    """Wait until nothing is left; raise an error if something stays."""
    if not until(10, lambda: not left()):
        raise RuntimeError("left: " + "; ".join(left()))


def load():
    insert_module(os.environ["ICBENCH_KO"])


def has_function(name):
    """Return: whether this kernel has a function of this name."""
    with open("/proc/kallsyms", encoding="utf-8") as f:
        return any(line.split()[2] == name for line in f)


@contextlib.contextmanager
def slowed(function, us, by=""):
    """Delay each call of a function by US microseconds, if the thread's name begins with BY; see
    tests/delays. Yields a function that returns the number of delayed calls."""
    def calls():
        with open("/sys/module/delay/parameters/calls", encoding="utf-8") as f:
            return int(f.read())

    tool("insmod", os.path.join(os.environ["ICBENCH_WITH"], "delay.ko"), f"function={function}",
         f"by={by}", f"us={us}")
    try:
        yield calls
    finally:
        tool("rmmod", "delay")


def hurry():
    """Inside slowed(): end all delays from now on, including one in progress."""
    with open("/sys/module/delay/parameters/us", "w", encoding="utf-8") as f:
        f.write("0")


def unload():
    remove_module("icbench")


def reports():
    """Return: the reports in the kernel's log so far that fail a machine."""
    lib = os.path.join(TOP, "tests/vm/lib")
    found = subprocess.run(["awk", "-v", f"reports={lib}/reports", "-v",
                            f"known={TOP}/tests/vm/known-reports", "-v",
                            f"release={os.uname().release}", "-f", f"{lib}/scan.awk"],
                           input=tool("dmesg"), check=True, stdout=subprocess.PIPE, text=True)
    return [line for line in found.stdout.splitlines() if line.startswith("report\t")]


DEVICE = os.environ.get("ICBENCH_DEVICE", "rxe0")
IWARP = DEVICE.startswith("siw")
PORT = f"/sys/class/infiniband/{DEVICE}/ports/1"


def unplug():
    remove_device(DEVICE)


def has_address():
    if IWARP:	# an iWARP device has no GID for an address
        with open(f"{PORT}/state", encoding="utf-8") as f:
            return f.read().startswith("4:")
    for gid in range(8):
        with open(f"{PORT}/gids/{gid}", encoding="utf-8") as f:
            if f.read().strip().endswith(":ffff:0a4d:0001"):
                return True
    return False


def add_second():
    """Make another device, on a link of its own, and keep it."""
    global RESOURCES		# pylint: disable=global-statement
    second = DEVICE.rstrip("0123456789")
    tool("ip", "link", "add", "icb1", "type", "dummy")
    tool("ip", "address", "add", "10.78.0.1/24", "dev", "icb1")
    tool("ip", "link", "set", "icb1", "up")
    add_device(f"{second}1", second, "icb1")
    if not until(20, lambda: "10.78.0.1" in tool("icbenchctl", "devices") or second == "siw"):
        raise RuntimeError("the second device does not get ready")
    RESOURCES = resources()
    return f"{second}1"


def plug():
    """Make the device again, and wait for its address."""
    add_device(DEVICE, DEVICE[:3], "icb0")
    until(20, has_address)


def works(**params):
    """A short run has to succeed."""
    client = Client()
    job = client.new(iterations=20, warmup=5, verify=1, **params)
    client.start(job)
    until(60, lambda: client.get(job).state == N["JOB_STATE_FINISHED"])
    found = client.get(job)
    samples = client.samples(job)
    client.delete(job)
    client.close()
    if found.outcome != N["OUTCOME_COMPLETE"] or samples != 20:
        raise RuntimeError(f"a new run does not work: {found}")
