# SPDX-License-Identifier: GPL-2.0
"""Moments that last, for which see hold.c."""

import os
import threading

from icb import SLOW
from kernel import insert_module

# by when an event that has begun has come to whom it is to hit, seconds
SOON = 0.05 * SLOW
FUNCTION = "/sys/module/hold/parameters/function"


def write(text):
    if not os.path.exists(FUNCTION):
        insert_module(os.path.join(os.environ["ICBENCH_WITH"], "hold.ko"))
    with open(FUNCTION, "w", encoding="ascii") as f:
        f.write(f"{text}\n")


def hold(function):
    """Have icbench's next call of a function wait until it is let go."""
    write(f"icbench:{function}")


def held():
    """How many calls wait."""
    with open(FUNCTION, encoding="ascii") as f:
        return int(f.read())


TIMERS = []


def let_go_soon():
    TIMERS.append(threading.Timer(SOON, write, ("",)))
    TIMERS[-1].start()


def let_go():
    """Now, and nobody who comes later."""
    while TIMERS:
        TIMERS[-1].cancel()
        TIMERS.pop().join()
    write("")
