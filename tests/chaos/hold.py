# SPDX-License-Identifier: GPL-2.0
"""Moments that last, for which see hold.c, and ends that come too late."""

import os

from icb import SLOW, tool

# how long a call is held, seconds: in less than that a program gets to do what is to hit
# it; a machine that is slow is slow to do so
HOLD = 0.6 * SLOW
PARAMETERS = "/sys/module/hold/parameters"


def hold(function, seconds=HOLD):
    """Have icbench's next call of a function take so long."""
    if not os.path.exists(PARAMETERS):
        tool("insmod", os.path.join(os.environ["ICBENCH_WITH"], "hold.ko"))
    for name, value in (("ms", int(seconds * 1000)), ("function", f"icbench:{function}")):
        with open(f"{PARAMETERS}/{name}", "w", encoding="ascii") as f:
            f.write(str(value))


# how late a run may be seen to end, seconds: in time; because the host had other things to
# do, in which case the next one is to be in time; and never
PROMISED, LATEST = 1, 3


class Patience:
    """With runs that end late: never with two in a row."""

    def __init__(self, timeout=0):
        """For how long they may wait for somebody, seconds."""
        self.promised = timeout + PROMISED * SLOW
        self.latest = timeout + LATEST * SLOW
        self.late = 0

    def judge(self, took):
        """Return: whether there must be another one."""
        last, self.late = self.late, took if took > self.promised else 0
        if took > self.latest or last and self.late:
            raise RuntimeError(f"ends after {took:.2f} s, {'again, ' if last else ''}"
                               f"and not within {self.promised:.2f} s")
        return bool(self.late)
