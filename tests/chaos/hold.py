# SPDX-License-Identifier: GPL-2.0
"""Moments that last: see hold.c."""

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
