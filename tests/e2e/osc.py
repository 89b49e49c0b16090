"""A receiver of OSC that takes nothing but what OSC 1.0 allows and the probe's contract leaves: the types i, f and s, finite numbers, plain
addresses, immediate bundles, datagrams of at most 1232 bytes."""
import math
import socket
import struct
import threading

from servers import wait_until

DATAGRAM_MAX = 1232
IMMEDIATELY = 1


def need(condition, what):
    if not condition:
        raise ValueError(what)


def text_at(data, at):
    """@return (text, where it ends)"""
    end = data.index(b"\0", at)
    after = (end // 4 + 1) * 4
    need(after <= len(data) and not any(data[end:after]), "padding of a string")
    return data[at:end].decode("utf-8"), after


def message(data):
    """@return (address, types, arguments)"""
    address, at = text_at(data, 0)
    need(address.startswith("/") and not set(address) & set(" #*,?[]{}"), f"address {address!r}")
    types, at = text_at(data, at)
    need(types.startswith(","), f"types of {address}")
    values = []
    for tag in types[1:]:
        need(tag in "ifs", f"type {tag} in {address}")
        if tag == "s":
            value, at = text_at(data, at)
        else:
            (value,) = struct.unpack_from(">" + tag, data, at)
            at += 4
            need(math.isfinite(value), f"number in {address}")
        values.append(value)
    need(at == len(data), f"length of {address}")
    return address, types[1:], values


def packet(data):
    """The messages of a datagram, those in bundles too."""
    need(len(data) > 0 and len(data) % 4 == 0, f"size {len(data)}")
    if data[:8] != b"#bundle\0":
        return [message(data)]
    need(struct.unpack_from(">Q", data, 8)[0] == IMMEDIATELY, "time of a bundle")
    found, at = [], 16
    while at < len(data):
        (size,) = struct.unpack_from(">i", data, at)
        need(0 < size <= len(data) - at - 4, "size of an element")
        found += packet(data[at + 4 : at + 4 + size])
        at += 4 + size
    return found


def free_port():
    """A UDP port that nobody listens on just now."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Receiver:
    """Listens on this machine until the end of the with-block; what it cannot take is a fault."""

    def __init__(self, port=0):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        self.socket.settimeout(0.1)
        self.socket.bind(("127.0.0.1", port))
        self.target = "127.0.0.1:%d" % self.socket.getsockname()[1]
        self.datagrams, self.messages, self.faults = [], [], []
        self.done = False
        self.thread = threading.Thread(target=self.listen)

    def listen(self):
        while not self.done:
            try:
                data = self.socket.recv(65536)
            except TimeoutError:
                continue
            self.datagrams.append(len(data))
            try:
                self.messages += packet(data)
            except (ValueError, struct.error) as e:
                self.faults.append(f"{e}: {data[:60]}")

    def values(self, address):
        """The arguments of all messages with that address."""
        return [values for a, _, values in list(self.messages) if a == address]

    def wait_for(self, address, n=1):
        """The arguments of the n-th message with that address."""
        return wait_until(lambda: len(self.values(address)) >= n and self.values(address), f"{n} of {address}")[n - 1]

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.done = True
        self.thread.join()
        self.socket.close()
