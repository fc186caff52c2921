# SPDX-License-Identifier: GPL-2.0
"""Cells: one event and one state each, which the event has to hit many times.

As a rule there is one run at a time. If the event makes all runs wait, there are several: one run
for each of some states, all in their states when the event comes, and each is judged. But each
state is first hit alone, so that an error shows the cell. For other events several runs take
longer: two threads of one run already use the CPUs of an emulated machine, and a run that shares
them reaches its state later. This costs more time than sharing the event saves (with five runs at
a time a stop took 0.7 s per hit, and 0.4 s alone).

An event counts only if it hit: the run was in its state right before, and if that state would end
by itself (hold.c makes it last) the run did not complete anyway. Otherwise it is tried again.
"""

import collections
import os
import re
import time

from icb import SLOW, Client, Refused, clean, note, pages_in_use, until
from states import COMPLETE, FAILED, FINISHED, NEW, Reader, Run, begin, each, judge, keys
from names import READ

REPEATS = int(os.environ["ICBENCH_CHAOS_REPEATS"])
# number of attempts after an event missed
TRIES = 10
# Delay in seconds after which the end of a run is seen: up to PROMISED it is in time. Up to
# LATEST it is late because of a busy host; then the next one has to be in time, and at most one
# of LATE may be late. Beyond LATEST it is an error.
PROMISED, LATEST = 1, 3
LATE = 20
# Pages that an event may leave in use, once: any buffer uses them, and kmemleak does not track
# them. And one more page for so many hits. (At first some 30 are left, and then 8 up and down
# in 16 rounds.)
RESTLESS_PAGES, HITS_PER_PAGE = 64, 32


class Missed(RuntimeError):
    """The run had ended before the event."""


class Case(Run):
    """A job in a state that an event has to hit."""

    reader = None

    def __init__(self, name, case, holder, **more):	# pylint: disable=super-init-not-called
        """CASE is the state, the parameters that lead to it, and the call that HOLDER, which is on
        the responder's machine, holds so that the state lasts."""
        self.name = name
        self.state, params, self.held = case
        self.params = params | more
        self.hurried = "timeout" in more
        self.holder = holder
        self.client = Client()
        self.id = self.client.new(**keys(self.params))

    def start(self):
        if self.held:
            self.holder.hold(self.held)
        if self.state != NEW:
            super().start()

    def arrive(self):
        if not until(60, lambda: self.there() or self.get().state == FINISHED):
            raise RuntimeError(f"does not get to be {self.name}: {self.get()}")
        if self.name == READ:
            self.reader = Reader(self.id)

    def there(self):
        return super().there() and (not self.held or self.since or self.holder.held())

    def begin(self):
        if not self.since and not (self.there() and not (self.reader and self.reader.over)):
            # A run that has completed is a miss. A run that has failed by itself is an error,
            # unless its timeout was short and the host was busy.
            job = self.get()
            if job.outcome == FAILED and not (self.hurried and (
                    "timeout" in job.reason or "no answer in time" in job.reason)):
                raise RuntimeError(f"failed before anything happened: {job}")
            raise Missed
        if self.held:
            self.holder.let_go_soon()
        super().begin()

    def kept(self, *outcomes):
        job = self.over()
        if self.held and job.outcome == COMPLETE and COMPLETE not in outcomes:
            raise Missed
        job = super().kept(*outcomes)
        if job.outcome == FAILED and not job.reason:
            raise RuntimeError(f"does not say why: {job}")
        self.read_on()
        return job

    def read_on(self):
        """Read the result to its end: only a deletion may cut it off."""
        if self.reader:
            reader, self.reader = self.reader, None
            reader.whole()

    def close(self):
        # the reader of a deleted job
        if self.reader:
            self.reader.finish()
        self.client.close()


def under_way(runs):
    """Bring each run to its state. Runs that end by themselves go first, while no other run
    delays them. Held runs go last, so that the call of no other run is held."""
    for some in ([run for run in runs if run.state == FINISHED],
                 [run for run in runs if run.state != FINISHED and not run.held],
                 [run for run in runs if run.held]):
        each(some, lambda run: run.start())
        each(some, lambda run: run.arrive())


def by_peer(end):
    """Return: an action for an event at the peer, END, which makes the runs fail."""
    def action(runs):
        def ended(run):
            run.kept(COMPLETE if run.state == FINISHED else FAILED)
            run.forget()

        begin(runs)
        end()
        judge(runs, ended)
    return action


class Cell:
    """A state, and how often an event has hit it."""

    def __init__(self, name, case, repeats, timeout=0):
        """TIMEOUT: additional time that a run may wait for the kernel, seconds."""
        self.name, self.held, self.repeats = name, bool(case[2]), repeats
        self.promised = timeout + PROMISED * SLOW
        self.latest = timeout + LATEST * SLOW
        self.tries, self.took = 0, []
        self.late, self.lates = 0, 0
        self.error = None

    def due(self, repeats):
        """Return: whether the event has to hit this state again. After a late end it has to."""
        return not self.error and (len(self.took) < repeats or self.late)

    def judge(self, took, error):
        self.tries += 1
        if isinstance(error, Missed):
            if self.tries == len(self.took) + TRIES:
                self.error = f"hit {len(self.took)} times in {self.tries}, not {self.repeats}"
            return
        if not error:
            self.took.append(took)
            last, self.late = self.late, took if took > self.promised else 0
            self.lates += bool(self.late)
            if took > self.latest or last and self.late:
                error = RuntimeError(f"ends after {took:.2f} s, {'again, ' if last else ''}"
                                     f"and not within {self.promised:.2f} s")
            elif self.lates > max(1, self.repeats // LATE):
                error = RuntimeError(f"{self.lates} of {len(self.took)} end later than "
                                     f"{self.promised:.2f} s")
        if error:
            self.error = f"time {self.tries}: {type(error).__name__}: {error}"

    def verdict(self):
        if self.error:
            raise RuntimeError(self.error)


def once(cells, attempt):
    try:
        runs = attempt([cell.name for cell in cells])
        for cell, run in zip(cells, runs):
            cell.judge(run.took, run.error)
    except (Refused, RuntimeError, OSError, AssertionError) as error:
        for cell in cells:
            cell.judge(0, error)


def check_clean(cells):
    try:
        clean()
    except RuntimeError as error:
        for cell in cells:
            cell.error = cell.error or str(error)


def hit(cells, attempt, at_a_time):
    """Hit each cell as often as required. ATTEMPT takes names of cells, and returns runs."""
    for cell in cells:
        while cell.due(1):
            once([cell], attempt)
        check_clean([cell])
    # no two held runs form a group, nor neighbours in the list, which are similar
    cells = sorted(cells, key=lambda cell: not cell.held)
    groups = max(-(-len(cells) // at_a_time), sum(cell.held for cell in cells))
    for group in (cells[i::groups] for i in range(groups)):
        while due := [cell for cell in group if cell.due(cell.repeats)]:
            once(due, attempt)
        check_clean(group)


def figures(what, cells, seconds):
    """Print the numbers of hits, tries and times. Return: hits, tries."""
    took = sorted(t for cell in cells for t in cell.took)
    tries = sum(cell.tries for cell in cells)
    note(f"{what}: {len(took)} hits, {tries - len(took)} misses, {seconds:.0f} s" + (
         f", ends after {took[len(took) // 2] * 1000:.0f} ms, at most {took[-1] * 1000:.0f} ms, "
         f"{sum(cell.lates for cell in cells)} late" if took else ""))
    return len(took), tries


def remembers():
    """Return: whether the kernel (KASAN) keeps pages for records of other objects (778 were
    seen)."""
    with open("/proc/kallsyms", encoding="ascii") as f:
        return any(line.split()[2] == "kasan_report" for line in f)


def vmalloc_pages():
    """Return: number of vmalloc() pages for each caller."""
    pages = collections.Counter()
    with open("/proc/vmallocinfo", encoding="ascii") as f:
        for caller, count in re.findall(r"^\S+ +\d+ (\S+) .*?pages=(\d+)", f.read(), re.M):
            pages[caller.partition("+")[0]] += int(count)
    return pages


def settled_pages():
    """Return: how many pages are in use, without short-lived ones, and the pages of vmalloc()."""
    least = pages_in_use()
    for _ in range(10):
        time.sleep(0.1)
        least = min(least, pages_in_use())
    return least, vmalloc_pages()


def check_pages(before, hits, events):
    before, of_vmalloc = before
    allowed = before + events * RESTLESS_PAGES + hits // HITS_PER_PAGE
    until(10, lambda: pages_in_use() <= allowed)
    more = pages_in_use() - before
    note(f"pages in use: {more} more")
    if before + more > allowed:
        raise RuntimeError(f"{more} more than before, which is more than {allowed - before}; of "
                           f"vmalloc(): {dict(vmalloc_pages() - of_vmalloc)}")


def play(tap, what, cells, attempt, at_a_time=1):
    """Hit each state with an event. Return: hits, tries."""
    before = settled_pages()
    start = time.monotonic()
    hit(cells, attempt, at_a_time)
    took = time.monotonic() - start
    for cell in cells:
        tap.check(f"{what} x {cell.name}", cell.verdict)
    given_back(tap, what, before, sum(cell.tries for cell in cells))
    return figures(what, cells, took)


def given_back(tap, what, before, hits, events=1):
    """Test that no more pages are in use than before, after this many hits of EVENTS events."""
    if remembers():
        tap.skip(f"{what}: pages are given back", "KASAN takes some")
    else:
        tap.check(f"{what}: pages are given back", check_pages, before, hits, events)
