# SPDX-License-Identifier: GPL-2.0
"""The kernel by netlink and system calls. Under emulation, starting a process for the same takes
a quarter of a second, which is longer than most states that an event has to hit.
"""

import ctypes
import os
import socket
import struct
import sys

SOL_NETLINK, NETLINK_ROUTE, NETLINK_RDMA = 270, 0, 20
NLM_F_REQUEST, NLM_F_ACK, NLM_F_DUMP = 1, 4, 0x300
NLA_F_NESTED = 0x8000
RTM_NEWLINK, RTM_NEWADDR, RTM_DELADDR, RTM_NEWNEIGH, RTM_DELNEIGH = 16, 20, 21, 28, 29
NLM_F_REPLACE, NLM_F_CREATE, NLM_F_EXCL = 0x100, 0x400, 0x200
IFF_UP, IFF_NOARP, NUD_PERMANENT = 1, 0x80, 0x80
# numbers of rdma/rdma_netlink.h
NLDEV = 5 << 10
DEV_GET, DEV_SET, NEWLINK, DELLINK, RES_GET = (NLDEV + n for n in (1, 2, 3, 4, 9))
DEV_INDEX, DEV_NAME, SUMMARY, SUMMARY_NAME, SUMMARY_CURR = 1, 2, 15, 17, 18
NDEV_NAME, LINK_TYPE = 51, 65


def attr(kind, payload=b"", nested=False):
    kind |= NLA_F_NESTED if nested else 0
    pad = -len(payload) % 4
    return struct.pack("HH", 4 + len(payload), kind) + payload + b"\0" * pad


def u32(kind, value):
    return attr(kind, struct.pack("I", value))


def u64(kind, value):
    return attr(kind, struct.pack("Q", value))


def text(kind, value):
    return attr(kind, value.encode() + b"\0")


def parse(raw):
    """Return: the attributes, a list of (number, bytes)."""
    found = []
    while len(raw) >= 4:
        length, kind = struct.unpack_from("HH", raw)
        found.append((kind & 0x3FFF, raw[4:length]))
        raw = raw[(length + 3) & ~3:]
    return found


def number(raw):
    return int.from_bytes(raw, sys.byteorder)


def string(raw):
    return raw.rstrip(b"\0").decode()


class Refused(Exception):
    def __init__(self, errno, words):
        super().__init__(f"{os.strerror(errno)}: {words}")
        self.errno = errno
        self.text = words


class Netlink:
    """A socket with the number NUMBER_; if this is 0, the kernel chooses the number."""

    def __init__(self, protocol, number_=0):
        self.seq = 0
        # one buffer for all messages: recv() would map and unmap memory for each
        self.buffer = bytearray(1 << 20)
        self.sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, protocol)
        self.sock.setsockopt(SOL_NETLINK, 11, 1)	# extended acks
        self.sock.setsockopt(SOL_NETLINK, 10, 1)	# that do not repeat the request
        self.sock.settimeout(120)
        self.sock.bind((number_, 0))

    def close(self):
        self.sock.close()

    def exchange(self, kind, body, flags=NLM_F_ACK, reply=False):
        """Return: list of the reply payloads. Raises Refused."""
        self.seq += 1
        self.sock.send(struct.pack("IHHII", 16 + len(body), kind,
                                   NLM_F_REQUEST | flags, self.seq, 0) + body)
        answers = []
        while True:
            raw = bytes(memoryview(self.buffer)[:self.sock.recv_into(self.buffer)])
            while raw:
                length, kind, msg_flags, seq, _ = struct.unpack_from("IHHII", raw)
                msg, raw = raw[16:length], raw[(length + 3) & ~3:]
                if seq != self.seq:
                    continue
                if kind in (2, 3):		# error or ack, end of a dump
                    self._ack(kind, msg, msg_flags)
                    return answers
                answers.append(msg)
                if reply and not flags:
                    return answers

    @staticmethod
    def _ack(kind, msg, flags):
        if len(msg) < 4:
            return
        error = struct.unpack_from("i", msg)[0]
        if not error:
            return
        words = ""
        if flags & 0x200:
            # with capped acks, an error repeats only the header of the request
            for tlv, value in parse(msg[20 if kind == 2 else 4:]):
                if tlv == 1:
                    words = string(value)
        raise Refused(-error, words)


def _ask(protocol, kind, body=b"", flags=NLM_F_ACK):
    netlink = Netlink(protocol)
    try:
        return netlink.exchange(kind, body, flags)
    finally:
        netlink.close()


def resources():
    """Return: the numbers of RDMA resources, one line for each device."""
    lines = []
    for message in _ask(NETLINK_RDMA, RES_GET, flags=NLM_F_DUMP):
        entries = [dict(parse(entry)) for _, entry in parse(dict(parse(message))[SUMMARY])]
        lines.append(" ".join(f"{string(e[SUMMARY_NAME])} {number(e[SUMMARY_CURR])}"
                              for e in entries))
    # sorted and without the indices of the devices, which change when a device is made again
    return "\n".join(sorted(lines))


def add_device(name, kind, link):
    """Do as rdma link add."""
    _ask(NETLINK_RDMA, NEWLINK, text(DEV_NAME, name) + text(LINK_TYPE, kind) +
         text(NDEV_NAME, link))


def device_index(name):
    """Return: the index of a device, as an attribute."""
    for message in _ask(NETLINK_RDMA, DEV_GET, flags=NLM_F_DUMP):
        found = dict(parse(message))
        if string(found[DEV_NAME]) == name:
            return attr(DEV_INDEX, found[DEV_INDEX])
    raise RuntimeError(f"no device {name}")


def remove_device(name):
    return _ask(NETLINK_RDMA, DELLINK, device_index(name))


class Renamer:
    """Renames a device, as rdma dev set does; INDEX is an attribute."""

    def __init__(self, index):
        self.index = index
        self.netlink = Netlink(NETLINK_RDMA)

    def rename(self, name):
        self.netlink.exchange(DEV_SET, self.index + text(DEV_NAME, name))


def set_link(name, up):
    """Do as ip link set up or down."""
    _ask(NETLINK_ROUTE, RTM_NEWLINK, struct.pack("BxHiII", 0, 0, socket.if_nametoindex(name),
                                                 IFF_UP if up else 0, IFF_UP))


def set_arp(name):
    """Do as ip link set arp on: without it, a dummy's neighbours are resolved without requests."""
    _ask(NETLINK_ROUTE, RTM_NEWLINK, struct.pack("BxHiII", 0, 0, socket.if_nametoindex(name),
                                                 0, IFF_NOARP))


def set_address(link, address, there):
    """Do as ip addr add or del, with a /24."""
    raw = socket.inet_aton(address)
    _ask(NETLINK_ROUTE, RTM_NEWADDR if there else RTM_DELADDR,
         struct.pack("BBBBi", socket.AF_INET, 24, 0, 0, socket.if_nametoindex(link)) +
         attr(2, raw) + attr(1, raw), NLM_F_ACK | (NLM_F_CREATE | NLM_F_EXCL if there else 0))


def set_neighbour(link, address, mac):
    """Do as ip neigh replace, or del if MAC is None."""
    message = struct.pack("BxxxiHBB", socket.AF_INET, socket.if_nametoindex(link), NUD_PERMANENT,
                          0, 0) + attr(1, socket.inet_aton(address))
    if mac:
        _ask(NETLINK_ROUTE, RTM_NEWNEIGH, message + attr(2, bytes.fromhex(mac)),
             NLM_F_ACK | NLM_F_CREATE | NLM_F_REPLACE)
    else:
        _ask(NETLINK_ROUTE, RTM_DELNEIGH, message)


LIBC = ctypes.CDLL(None, use_errno=True)
MODULES = {}


def _done(what, status):
    if status:
        raise RuntimeError(f"{what}: {os.strerror(ctypes.get_errno())}")


def insert_module(path):
    if path not in MODULES:
        with open(path, "rb") as f:
            MODULES[path] = f.read()
    _done(f"loading {path}", LIBC.init_module(MODULES[path], ctypes.c_ulong(len(MODULES[path])),
                                              b""))


def remove_module(name):
    _done(f"unloading {name}", LIBC.delete_module(name.encode(), os.O_NONBLOCK))
