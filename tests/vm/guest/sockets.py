# SPDX-License-Identifier: GPL-2.0
"""Sockets that get into each other's way, that do not read, and that want too much."""

import errno
import mmap
import os
import re
import select
import signal
import socket
import struct
import threading
import time

from icb import (DEVICE, N, ONE_IN, Client, QUICK, Refused, attr, fewer, hurry, note, number,
                 parse, slowed, u32, until)
from kernel import NLM_F_ACK, NLM_F_DUMP, Renamer, device_index, resources

# receive buffer that the kernel rounds up to its minimum, bytes
LITTLE = 1
REQUESTS = 64
# an endless run that leaves the CPUs to others most of the time
ENDLESS = {"trigger": "clock", "verb": "send", "completion": "block", "rate": 200, "warmup": 1,
           "duration": 600 * 10**9}


def ids(answers):
    return sorted(number(dict(parse(m))[N["A_JOB_ID"]]) for m in answers)


def unread(client):
    """Return: the replies that wait in a socket, and the numbers of errors."""
    replies, errors = [], []
    client.sock.setblocking(False)
    while True:
        try:
            raw = client.sock.recv(1 << 20)
        except BlockingIOError:
            return replies, errors
        except OSError as error:	# a message did not fit into the receive buffer
            errors.append(error.errno)
            continue
        while raw:
            length, kind, _, _, _ = struct.unpack_from("IHHII", raw)
            if kind == client.family:
                replies.append(raw[20:length])
            raw = raw[(length + 3) & ~3:]


def test_untold(tap, raw):
    """A job or listener whose reply does not fit into the socket is not made."""
    listeners = {"CMD_LISTEN_NEW": lambda n: attr(N["A_LISTEN_BIND"], b"10.77.0.1\0") +
                 u32(N["A_LISTEN_CM_PORT"], 20000 + n) + attr(N["A_LISTEN_DETACH"]),
                 "CMD_JOB_NEW": lambda _: attr(N["A_JOB_PARAMS"], b"", nested=True) +
                 attr(N["A_JOB_DETACH"])}
    for command, body in listeners.items():
        client = Client()
        client.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, LITTLE)
        for n in range(REQUESTS):
            payload = struct.pack("BBH", N[command], 1, 0) + body(n)
            client.sock.send(struct.pack("IHHII", 16 + len(payload), client.family, 1, n, 0) +
                             payload)
        replies, errors = unread(client)
        client.close()
        told = ids(replies)
        job = command == "CMD_JOB_NEW"
        there = [j.id for j in raw.jobs()] if job else \
            [number(m[N["A_LISTEN_ID"]]) for m in raw.listeners()]
        tap.ok(0 < len(told) < REQUESTS and errors.count(errno.ENOBUFS) >= 1 and
               sorted(there) == told,
               f"{command}: what nobody was told of is not there",
               f"told {told}, {errors}; there {there}")
        for number_ in there:
            (raw.delete if job else raw.unlisten)(number_)


def refusal_in(name, device):
    """Ask for a device that does not exist, in a process of this name. Return: a file from which
    the words of the refusal can be read."""
    end, mine = os.pipe()
    if not os.fork():
        client = Client()
        with open("/proc/self/comm", "w", encoding="ascii") as f:
            f.write(name)
        try:
            client.new(device=device)
            words = "not refused"
        except Refused as refusal:
            words = str(refusal)
        os.write(mine, words.encode())
        os._exit(0)
    os.close(mine)
    return open(end, encoding="utf-8")	# pylint: disable=consider-using-with


def test_words_stay(tap):
    """A refusal that is delayed keeps its own words, not those of later refusals."""
    with slowed("netlink_ack", 15_000_000, by="kept") as calls:
        kept = refusal_in("kept", "first")
        until(60, calls)
        # earlier versions discarded the words after ten seconds
        time.sleep(11 if ONE_IN == 1 else 1)
        with refusal_in("later", "another") as later:
            others = later.read()
        waits = calls() == 1 and not select.select([kept], [], [], 0)[0]
        hurry()
        with kept:
            own = kept.read()
    os.wait()
    os.wait()
    tap.ok(waits and "first" in own and "another" in others,
           "a refusal that is sent late has its own words", f"{waits} {own} {others}")


def snatch(command, key, last):
    """Delete what another socket makes, as soon as it exists; until killed."""
    client = Client()
    while True:
        try:
            client.request(N[command], u32(N[key], struct.unpack("I", last[:4])[0] + 1))
        except Refused:
            pass


def make_and_drop(make, drop, last):
    """Make and delete for some seconds; LAST holds the latest number. Return: how many were
    deleted by the other socket, and how many were made."""
    snatched, n = 0, 0
    begin, seconds = time.monotonic(), 3 if QUICK else 10
    # on a busy host the other socket may be late
    while time.monotonic() - begin < (fewer(seconds) if snatched else seconds):
        n += 1
        made = make(n)
        last[:] = struct.pack("I", made)
        try:
            drop(made)
        except Refused as error:
            if error.errno != errno.ENOENT:
                raise
            snatched += 1
    return snatched, n


def test_snatched(tap, raw):
    """What one socket makes may be deleted by another one before the maker has its reply."""
    for kind, make, command, key in (
            ("listeners", lambda n: raw.listen(20000 + n % 20000), "CMD_LISTEN_DEL", "A_LISTEN_ID"),
            ("jobs", lambda _: raw.new(), "CMD_JOB_DEL", "A_JOB_ID")):
        drop = raw.unlisten if kind == "listeners" else raw.delete
        last = mmap.mmap(-1, 4)
        child = os.fork()
        if not child:
            try:
                snatch(command, key, last)
            finally:
                os._exit(1)
        try:
            snatched, n = make_and_drop(make, drop, last)
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        note(f"{kind}: {snatched} of {n} were deleted by another socket first")
        tap.ok(snatched > 0 and until(10, lambda: not raw.listeners() and not raw.jobs()),
               f"{kind} that others delete at once", f"{snatched} of {n}")


def socket_of(number_):
    """Open a socket with this number, as soon as no other socket has it."""
    while True:
        try:
            return Client(number_)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise


def test_number_again(tap, raw):
    """A listener belongs to its socket, even if the socket has the number of another one that is
    still being closed. The close is slowed down."""
    least, times, met, lost = fewer(5 if QUICK else 20), 0, 0, 0
    # on a busy host no attempt may meet the close
    while times < least or (not met and times < 6 * least):
        times += 1
        first = Client()
        number_ = first.sock.getsockname()[0]
        first.listen(21000)
        run = raw.new(peer="10.77.0.1", cm_port=21000, **ENDLESS)
        raw.start(run)
        until(20, lambda run=run: raw.get(run).done)
        closing = threading.Thread(target=first.close)
        with slowed("rdma_destroy_id", 300000, by="python3"):
            closing.start()
            second = socket_of(number_)
            mine = second.listen(21001)
            met += closing.is_alive()
            closing.join()
        lost += mine not in [number(m[N["A_LISTEN_ID"]]) for m in raw.listeners()]
        second.close()
        raw.delete(run)
    # a socket number is free some microseconds before the listeners of the old socket are looked up
    tap.ok(met and lost * 2 < met, "listeners of a socket that has the number of one that closes",
           f"{lost} lost of {met} that met the end of {times}")


def ask(client, command, key, id_):
    """Send a request without reading the answer."""
    client.seq += 1
    payload = struct.pack("BBH", N[command], 1, 0) + u32(N[key], id_)
    client.sock.send(struct.pack("IHHII", 16 + len(payload), client.family, 1 | NLM_F_ACK,
                                 client.seq, 0) + payload)


def answered(client, wait=0):
    """Return: sequence number and error of the answer; None if there is none within WAIT
    seconds."""
    client.sock.settimeout(wait)
    try:
        raw = client.sock.recv(1 << 20)
    except (BlockingIOError, TimeoutError):
        return None
    finally:
        client.sock.settimeout(120)
    length, kind, _, seq, _, error = struct.unpack_from("IHHIIi", raw)
    return (seq - client.seq, error) if kind == 2 and length == len(raw) == 36 else raw


def left(raw):
    """Return: the jobs and listeners that RAW sees, and the RDMA resources."""
    return [j.id for j in raw.jobs()], len(raw.listeners()), resources()


def test_later(tap, raw):
    """A deletion that takes long is answered when it is complete. No request waits for it,
    because this would block all generic netlink of the host."""
    nothing = left(raw)

    def deleted(command, closes):
        """Return: the answer at once, the later answer, and whether nothing is left. The later
        answer is read by the socket that asked, or by one that has its number if it CLOSES."""
        asks, reads = Client(), Client()
        listener = asks.listen(21002)
        run = reads.new(peer="10.77.0.1", cm_port=21002, **ENDLESS)
        reads.start(run)
        until(20, lambda: reads.get(run).done)
        if command == "CMD_JOB_DEL":
            ask(asks, command, "A_JOB_ID", run)
        else:
            ask(asks, command, "A_LISTEN_ID", listener)
        at_once = answered(asks)
        if closes:
            number_ = asks.sock.getsockname()[0]
            asks.close()
            asks = socket_of(number_)
        later = answered(asks, 5 if closes else 60)
        asks.close()
        reads.close()
        return at_once, later, until(60, lambda: left(raw) == nothing)

    with slowed("ib_destroy_qp_user", 200000, by="icbench"):
        for command in ("CMD_JOB_DEL", "CMD_LISTEN_DEL"):
            got = deleted(command, False)
            tap.ok(got == (None, (0, 0), True),
                   f"{command}: the answer comes when it is done, and not before",
                   f"{got}, {left(raw)}")
            got = deleted(command, True)
            tap.ok(got == (None, None, True),
                   f"{command}: ... and not to who has the socket's number then",
                   f"{got}, {left(raw)}")


def filled(make):
    """Make objects until the limit. Return: the words of the refusal."""
    for _ in range(5000):
        try:
            make()
        except Refused as error:
            return error.text
    return "not refused"


ENDING = {"jobs": ("CMD_JOB_DEL", "A_JOB_ID", "ROLE_INITIATOR"),
          "listeners": ("CMD_LISTEN_DEL", "A_LISTEN_ID", "ROLE_RESPONDER")}


def delete_of_most(raw, kind):
    """Make as many objects as allowed and delete one, which is slow. Return: the refusal of a
    further one, the immediate answer to the deletion, the refusal during the deletion, the later
    answer, and the result after the deletion."""
    command, key, role = ENDING[kind]
    ports = iter(range(22001, 23000))
    asks, makes = Client(), Client()
    listener = asks.listen(22000)
    run = asks.new(peer="10.77.0.1", cm_port=22000, duration=600 * 10**9, completion="block")
    asks.start(run)
    until(20, lambda: asks.get(run).done)

    def make():
        return makes.new() if kind == "jobs" else makes.listen(next(ports))

    slow = next(j.id for j in raw.jobs() if j.role == N[role])
    full = filled(make)
    # only this thread is slow: it keeps its CPU, and this process asks on the other one
    with slowed("ib_destroy_qp_user", 500000, by=f"icbench/{slow}"):
        ask(asks, command, key, run if kind == "jobs" else listener)
        at_once = answered(asks)
        ending = filled(make)
        later = answered(asks, 60)
        after = filled(make)
    asks.close()
    makes.close()
    return full, at_once, ending, later, after


def test_ending_counts(tap, raw):
    """A deleted object counts against the limit until it has ended. Therefore a process that makes
    and deletes in a loop, and reads no answer, has no more threads than others."""
    nothing = left(raw)
    for kind in ENDING:
        # on a busy host the deletion may be over before this process asks: try again
        for _ in range(5):
            got = full, at_once, ending, later, after = delete_of_most(raw, kind)
            gone = until(60, lambda: left(raw) == nothing)
            if not gone or "try again" in ending:
                break
        tap.ok(at_once is None and later == (0, 0) and
               re.search(" that were deleted .*try again", ending) and
               full == after and re.search(rf"^there are \d+ {kind}; delete some$", full),
               f"{kind}: one that was deleted counts until it has ended", f"{got}")
        tap.ok(gone, "... and nothing is left", left(raw))


def rename(renamer, names, times):
    """Give a device these names in turn, until killed; TIMES counts the renames."""
    n = 0
    while True:
        for name in names:
            renamer.rename(name)
            n += 1
            times[:] = struct.pack("I", n)


def names_told(client):
    """Yield the device's name as in its description, and as in the words of a refusal."""
    for message in client.request(N["CMD_DEV_GET"], flags=NLM_F_DUMP):
        raw = dict(parse(message))[N["A_DEV_NAME"]]
        yield raw[:-1].decode(errors="replace") if raw.endswith(b"\0") else f"no end: {raw!r}"
    try:
        client.request(N["CMD_DEV_GET"], attr(N["A_DEV_NAME"], DEVICE.encode() + b"\0") +
                       u32(N["A_DEV_PORT"], 77))
        yield "not refused"
    except Refused as error:
        if error.errno != errno.ENODEV:		# ENODEV: the device had the other name
            yield re.sub("port: device (.*) has no port 77", r"\1", error.text)


def test_renamed(tap, raw):
    """A device may be renamed after the kernel has measured its name and before it copies the
    name. This time is extended."""
    renamer = Renamer(device_index(DEVICE))
    times = mmap.mmap(-1, 4)

    def renames():
        return struct.unpack("I", times[:])[0]

    child = os.fork()
    if not child:
        try:
            rename(renamer, ["b" * 63, DEVICE], times)
        finally:
            os._exit(1)
    told = []
    try:
        with slowed("nla_put", 2000):
            begin, seconds = time.monotonic(), 5 if QUICK else 10
            # on a busy host the other process may be late
            while time.monotonic() - begin < (
                    fewer(seconds) if len(told) > 40 and renames() > 40 else seconds):
                told.extend(names_told(raw))
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    # a name that is being written may be a mixture of both
    wrong = {name for name in told if not re.fullmatch(f"[b{DEVICE}]{{1,63}}", name)}
    Renamer(renamer.index).rename(DEVICE)
    n = renames()
    note(f"{len(told)} names told beside {n} renames")
    tap.ok(n > 20 and len(told) > 20 and not wrong, "a device that is given other names",
           f"{len(told)} told beside {n} renames; wrong: {wrong}")


def memory_kib():
    """Return: the values of /proc/meminfo, KiB."""
    with open("/proc/meminfo", encoding="ascii") as f:
        return {k: int(v.split()[0]) for k, v in (line.split(":") for line in f)}


# KiB by which MemAvailable may be lower than the limit: memory that the host uses itself, and
# per-CPU counts that are not added up yet
SLACK = 4 << 10


def test_results(tap):
    """The results that runs keep are bounded by the available memory."""
    client = Client()
    jobs = []
    try:
        while len(jobs) < 1024:
            jobs.append(client.new(samples=1 << 20))
        words = "not refused"
    except Refused as error:
        words = f"{error.errno} {error.text}"
    tap.ok(words.startswith(f"{errno.ENOMEM} samples: the result of this run takes ") and len(jobs) > 1,
           "results that there is no memory for are refused", f"{len(jobs)} jobs, then: {words}")
    note(f"{len(jobs)} jobs with a million samples each, then: {words}")
    # small results are refused, too, so that the kernel does not need its OOM killer
    words = filled(client.new)
    tap.ok(re.match(r"the result of a run takes \d+ KiB, and this host has \d+ KiB for it, ", words),
           "... those without samples, too", words)
    note(words)
    # the limit as the module computes it
    kib = memory_kib()
    spare = min(64 << 10, kib["MemTotal"] // 16)
    tap.ok(kib["MemAvailable"] > spare - SLACK,
           "... and as much is left as is the host's", f"{kib}, {spare} KiB")
    note(f"{kib['MemAvailable']} KiB are left, of at least {spare}")
    # a job that takes less memory to make than to run, and starts when the rest is in use
    for other in jobs:
        client.delete(other)
        try:
            job = client.new(verb="calibrate", trigger="return", samples=1 << 20, iterations=10)
            break
        except Refused:
            pass
    client.start(job)
    until(60, lambda: client.get(job).state == N["JOB_STATE_FINISHED"])
    found = client.get(job)
    tap.ok(found.state == N["JOB_STATE_FINISHED"] and
           re.match(r"no memory for calibrate: it needs \d+ KiB at its start, ", found.reason),
           "... nor does what a run takes that begins", found)
    client.close()


# size of a buffer, bytes
BUFFER = 2 << 20


def buffered(client, kib):
    """Return: a job whose two sides have buffers of KIB KiB together: each side has as many
    buffers to send from as to receive in."""
    return client.new(verb="send", size=BUFFER, buffers=(kib << 10) // BUFFER // 4, iterations=2,
                      warmup=0, timeout=60 * 10**9)


def test_buffers(tap):
    """Buffers do not use the memory that is reserved for the host, even with several runs."""
    words = "size: the buffers of this side take "
    client, lowest = Client(), memory_kib()["MemAvailable"]
    spare = min(64 << 10, memory_kib()["MemTotal"] // 16)
    left = lowest - spare
    # between the memory that runs may use and all that is available
    job = buffered(client, left + spare // 2)
    client.start(job)
    until(60, lambda: client.get(job).outcome)
    found = client.get(job)
    tap.ok(found.outcome == N["OUTCOME_FAILED"] and words in found.reason,
           "buffers that leave the host less than its own are refused", found)
    note(found.reason)
    client.delete(job)
    until(20, lambda: memory_kib()["MemAvailable"] > left)
    # each run fits alone, but no three of them together
    jobs = [buffered(client, left * 2 // 5) for _ in range(6)]
    for job in jobs:
        client.start(job)
    while not all(client.get(job).outcome for job in jobs):
        lowest = min(lowest, memory_kib()["MemAvailable"])
    reasons = [client.get(job).reason for job in jobs]
    tap.ok(lowest > spare - SLACK and
           all(words in reason for reason in reasons if reason) and any(reasons),
           "... and so are those of several runs that begin at once",
           f"{lowest} of at least {spare} KiB: {reasons}")
    note(f"{len([r for r in reasons if r])} of {len(jobs)} refused, {lowest} KiB were left")
    client.close()
