"""Which cycles went as the script of a load wanted them, and which the machine disturbed.

A test judges what it has laid down: a load with bursts at known calls. A machine that is busy with something else (or whose host
is) keeps threads from their CPU now and then, the probe's own too; around such instants nothing is judged. They are told from
what the load's clients wrote down, and from when the head was called, not from what is under test."""
import bisect
import collections
import contextlib
import statistics

BEFORE, AFTER = 2, 6  # periods around an instant that are not judged
SHARE = 0.25  # of a period: so much later or longer than usual is a disturbance
ENOUGH = 0.3  # of what there is must be judged
ATTEMPTS = 6


class Busy(AssertionError):
    """The machine was too busy to judge by."""


def enough(judged, total, what):
    if judged < ENOUGH * total:
        raise Busy(f"only {judged} of {total} {what} went undisturbed: the machine is too busy to judge by")


@contextlib.contextmanager
def forgiven(quiet):
    """What fails inside is made again when the machine was disturbed at all in that run: it may have been more than is seen."""
    try:
        yield
    except AssertionError as failure:
        if quiet.instants and not isinstance(failure, Busy):
            raise Busy(f"{len(quiet.instants)} times a thread was late, and: {failure}") from failure
        raise


def attempts(measure):
    """What measure() returns, which may raise Busy now and then."""
    for _ in range(ATTEMPTS - 1):
        try:
            return measure()
        except Busy:
            pass
    return measure()


def bursts(rows, every, spike_ns):
    """Indices of a client's calls that the script made long: each every-th from some call on."""
    phases = collections.Counter(i % every for i, call in enumerate(rows) if call.end - call.start >= spike_ns)
    if not phases:
        return set()
    phase = phases.most_common(1)[0][0]
    return {i for i in range(phase, len(rows), every) if rows[i].end - rows[i].start >= spike_ns}


class Calm:
    """@param calls {client: [Call]}. @param spike (every, us) as the load's --spike, of client spiky; None = no bursts.
    @param others further instants at which a thread or the server was late."""

    def __init__(self, calls, period_ns, spike=None, spiky=None, others=()):
        self.period_ns = period_ns
        self.margin = SHARE * period_ns
        self.scripted = []  # (from, to): what follows from a burst
        found = list(others)
        every, us = spike or (1, 0)
        for client, rows in calls.items():
            long = bursts(rows, every, us * 1000) if client == spiky else set()
            self.scripted += [(rows[i].start, rows[i].end + 2 * period_ns) for i in long]
            found += self.too_long(rows, long, us * 1000)
        self.scripted.sort()
        for rows in calls.values():
            found += self.too_late(rows)
        self.instants = sorted(found)

    def too_long(self, rows, long, spike_ns):
        usual = statistics.median(c.end - c.start for c in rows)
        for i, c in enumerate(rows):
            if c.end - c.start - (spike_ns if i in long else usual) > self.margin:
                yield from (c.start, c.end)

    def too_late(self, rows):
        usual = statistics.median(c.start - c.wake for c in rows)
        for before, c in zip(rows, rows[1:]):
            late = c.start - c.wake - usual > self.margin
            gap = c.wake - before.wake > 1.5 * self.period_ns
            if (late or gap) and not self.is_scripted(c.start):
                yield from (c.wake, c.start)

    def is_scripted(self, ns):
        i = bisect.bisect_right(self.scripted, (ns, float("inf")))
        return any(a <= ns <= b for a, b in self.scripted[max(i - 3, 0) : i])

    def __call__(self, wake):
        """Was the machine quiet around the cycle with that wake-up?"""
        i = bisect.bisect_left(self.instants, wake - AFTER * self.period_ns)
        return i == len(self.instants) or self.instants[i] > wake + BEFORE * self.period_ns


def late_heads(rows, period_ns):
    """Of the rows of a cycles file: when the head was called late."""
    known = [(int(r["wake_ns"]), int(r["head_ns"])) for r in rows if r["wake_ns"] and r["head_ns"]]
    usual = statistics.median(head - wake for wake, head in known) if known else 0
    return [head for wake, head in known if head - wake - usual > SHARE * period_ns]
