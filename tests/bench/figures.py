"""What the benches share: how figures are printed, a running probe, what a process costs."""
import json
import os
import socket
import subprocess
import sys
import time
from typing import NamedTuple

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "e2e"))
from servers import PROBE, stop  # noqa: E402
from truth import wait_for_cycles  # noqa: E402

SETTLE_S = 0.4  # from the first cycles with the probe until its cables are in place


def line(what, figure, aim=""):
    print(f"  {what:<42} {figure:<56} {'aim ' + aim if aim else ''}".rstrip(), flush=True)


def heading(text):
    print(f"\n{text}", flush=True)


def rank(values, share):
    """Nearest rank of sorted values."""
    return values[max(0, -(-len(values) * share // 1000) - 1)]


class Probe:
    """A running probe with CSV, JSON lines and OSC on, from when it sees cycles. stop() ends it and reads its summary."""

    def __init__(self, server, *options):
        self.log = server.path("probe.jsonl")
        self.osc = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.osc.bind(("127.0.0.1", 0))
        target = f"127.0.0.1:{self.osc.getsockname()[1]}"
        outputs = ["--log", server.path("probe.csv"), "--log", self.log, "--osc", target]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.process = server.popen(PROBE, "--batch", *outputs, *options, **quiet)

    def __enter__(self):
        wait_for_cycles(self.process.pid, 100)
        time.sleep(SETTLE_S)
        return self

    def stop(self):
        status = stop(self.process)
        if status != 0:
            raise RuntimeError(f"the probe ended with status {status}")
        with open(self.log) as file:
            objects = [json.loads(text) for text in file]
        os.remove(self.log)
        return next(o for o in objects if o["type"] == "summary")

    def __exit__(self, *_):
        stop(self.process)
        self.osc.close()


class Thread(NamedTuple):
    name: str
    realtime: bool
    run_ns: int
    runs: int


def threads(pid):
    """{tid: Thread} of a process, from the scheduler's own count."""
    found = {}
    for tid in os.listdir(f"/proc/{pid}/task"):
        base = f"/proc/{pid}/task/{tid}/"
        with open(base + "comm") as comm, open(base + "schedstat") as schedstat, open(base + "stat") as stat:
            run_ns, _, runs = map(int, schedstat.read().split())
            realtime = stat.read().rpartition(")")[2].split()[37] != "0"
            found[tid] = Thread(comm.read().strip(), realtime, run_ns, runs)
    return found


class Share(NamedTuple):
    percent: float  # of a core
    runs: float  # per second
    us: float  # a run
    thread: Thread


class Cost(NamedTuple):
    percent: float  # of a core
    threads: list  # of Share, dearest first


def cpu(pid, seconds):
    """What a process costs over that time."""
    clock = (~pid << 3) | 2  # Linux: the CPU clock of a whole process
    before, began, used = threads(pid), time.monotonic_ns(), time.clock_gettime_ns(clock)
    time.sleep(seconds)
    used, took, after = time.clock_gettime_ns(clock) - used, time.monotonic_ns() - began, threads(pid)
    rows = []
    for tid, t in after.items():
        was = before.get(tid, Thread(t.name, t.realtime, 0, 0))
        run_ns, runs = t.run_ns - was.run_ns, t.runs - was.runs
        rows.append(Share(100 * run_ns / took, runs * 1e9 / took, run_ns / 1e3 / max(runs, 1), t))
    return Cost(100 * used / took, sorted(rows, reverse=True))


def memory(pid):
    """Lines of smaps_rollup in KiB, and VmLck."""
    sizes = {}
    for name in "smaps_rollup", "status":
        with open(f"/proc/{pid}/{name}") as file:
            for text in file:
                words = text.split()
                if len(words) == 3 and words[2] == "kB":
                    sizes[words[0].rstrip(":")] = int(words[1])
    return sizes
