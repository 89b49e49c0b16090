"""The file of executions, and which execution of it is which call that a client wrote down."""
import bisect
import csv
from typing import NamedTuple, Optional

HEADER = "frame,client,signalled_ns,awake_ns,finished_ns,state"
GRAIN_NS = 1500  # jackd2 cuts its times to microseconds; stamps of two threads on two CPUs differ by a little more


class Execution(NamedTuple):
    """One row. ns on JACK's clock; None = unknown."""

    frame: int
    signalled: Optional[int]
    awake: Optional[int]
    finished: Optional[int]
    state: str


def read(path):
    """File -> {client: [Execution, ...]}, in the order of the file."""
    found = {}
    with open(path, newline="") as file:
        rows = csv.reader(file)
        assert ",".join(next(rows)) == HEADER
        for frame, client, *times, state in rows:
            execution = Execution(int(frame), *(int(t) if t else None for t in times), state)
            found.setdefault(client, []).append(execution)
    return found


class Pairs:
    """The calls of one client, in order, and the executions of it. A call lies within its execution."""

    def __init__(self, calls, executions):
        self.calls, self.starts = calls, [c.start for c in calls]
        self.ends = [c.end for c in calls]
        self.of = {}  # index of a call -> its Execution
        self.strangers = []  # executions that are no call, or one that has an execution already
        for execution in executions:
            i = self.call_of(execution)
            if i is None or i in self.of:
                self.strangers.append(execution)
            else:
                self.of[i] = execution

    def call_of(self, e):
        """Index of the first call after it woke, unless the one before was still going on then; None = there is none. Without a
        known beginning the last call before it finished, unless the next one had begun."""
        if e.awake is not None:
            i = bisect.bisect_left(self.starts, e.awake - GRAIN_NS)
            fits = i < len(self.calls) and (i == 0 or self.ends[i - 1] <= e.awake + GRAIN_NS)
        else:
            i = bisect.bisect_right(self.ends, e.finished + GRAIN_NS) - 1
            fits = i >= 0 and e.finished - GRAIN_NS < self.next_start(i)
        return i if fits else None

    def next_start(self, i):
        """When the call after it began; without one: never."""
        return self.starts[i + 1] if i + 1 < len(self.calls) else float("inf")

    def within(self, first, last):
        """Indices of the calls that began from first to before last, ns."""
        return range(bisect.bisect_left(self.starts, first), bisect.bisect_left(self.starts, last))

    def start_errors(self):
        """awake - true begin of every call whose execution is known so far, sorted."""
        return sorted(e.awake - self.starts[i] for i, e in self.of.items() if e.awake is not None)

    def end_errors(self):
        """finished - true end, sorted."""
        return sorted(e.finished - self.ends[i] for i, e in self.of.items() if e.finished is not None)
