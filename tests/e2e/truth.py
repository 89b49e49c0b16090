"""Runs of `jackprobe load` and what they wrote down."""
import csv
import glob
import re
import signal
from typing import NamedTuple

from servers import PROBE, stop, wait_until


class Call(NamedTuple):
    """One call of a client. ns on JACK's clock."""

    wake: int
    frame: int
    start: int
    end: int


def read(path):
    """Truth file -> {client: [Call, ...]}, clients and calls in the order of the file."""
    calls = {}
    with open(path, newline="") as file:
        rows = csv.reader(file)
        assert next(rows) == ["client", "wake_ns", "frame", "start_ns", "end_ns"]
        for client, *numbers in rows:
            calls.setdefault(client, []).append(Call(*map(int, numbers)))
    return calls


def children(pid):
    """Process ids of the children of a process that has one thread, oldest first."""
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(word) for word in file.read().split()]


def wakeups(pid):
    """How often the threads of a process have waited for something so far. A thread that ends meanwhile is left out."""
    total = 0
    for path in glob.glob(f"/proc/{pid}/task/*/status"):
        try:
            with open(path) as file:
                total += int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", file.read(), re.M).group(1))
        except (FileNotFoundError, ProcessLookupError):
            pass
    return total


def wait_for_cycles(pid, n=50):
    """Wait until the process was woken n times more than now: its clients have been called."""
    before = wakeups(pid)
    wait_until(lambda: wakeups(pid) - before > n, f"{n} wake-ups of process {pid}")


class Load:
    """`jackprobe load` in the background, from when all its clients run. stop() ends it and reads the truth."""

    def __init__(self, server, *options):
        self.server = server
        self.file = server.path("truth.csv")
        self.process = server.popen(PROBE, "load", "--truth", self.file, *options)
        self.lines = []

    def __enter__(self):
        line = self.process.stdout.readline()
        if "clients run" not in line:
            self.server.show_log()
            raise AssertionError(f"load did not start: {line}{self.process.communicate()[1]}")
        self.lines.append(line)
        return self

    def wait(self):
        """Wait for its end; the exit status."""
        out, self.errors = self.process.communicate(timeout=120)
        self.lines += out.splitlines()
        return self.process.returncode

    def stop(self):
        """End it, as Ctrl-C does. @return the truth."""
        self.process.send_signal(signal.SIGINT)
        status = self.wait()
        assert status == 0, f"load ended with status {status}: {self.errors}"
        return read(self.file)

    def __exit__(self, *_):
        stop(self.process)
        self.process.stdout.close()
        self.process.stderr.close()
