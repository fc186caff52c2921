# SPDX-License-Identifier: GPL-2.0
"""Save all frames that this machine sends and receives, until a signal arrives. Status 1 if a frame
was missed. Argument: the output file, which exists once no frame can be missed.
"""

import os
import signal
import socket
import struct
import sys

ALL = 3			# ETH_P_ALL
RCVBUFFORCE = 33	# SO_RCVBUFFORCE
PACKET = 263		# SOL_PACKET
STATISTICS = 6		# PACKET_STATISTICS


def stop(*_):
    raise KeyboardInterrupt


def main(path):
    signal.signal(signal.SIGTERM, stop)
    sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL))
    sock.setsockopt(socket.SOL_SOCKET, RCVBUFFORCE, 1 << 25)
    with open(path + ".new", "wb", buffering=0) as out:
        os.rename(path + ".new", path)
        try:
            while True:
                out.write(sock.recv(1 << 17))
        except KeyboardInterrupt:
            sock.setblocking(False)
        try:
            while True:
                out.write(sock.recv(1 << 17))
        except BlockingIOError:
            pass
    _, missed = struct.unpack("II", sock.getsockopt(PACKET, STATISTICS, 8))
    return missed > 0


sys.exit(main(sys.argv[1]))
