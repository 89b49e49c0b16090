"""What the probe says of each cycle against what clients know that wrote down when they finished.

Clients are told apart by the wake-up that they read. One that starts after the next wake-up reads that one, so a cycle in
which a client is missing did not finish in its period: its end is not known, but it lies after the next wake-up."""
import csv
import os
import unittest
from typing import NamedTuple

import calm
import truth
from servers import PROBE, Jackd, PipeWire

EARLY_NS = 1500  # stamps of two threads on two CPUs may differ by so much
SECONDS = 2
SPIKES_SEEN = 6  # of 7.5 on average in that time, one call in 100; the rest may lie outside what both know


class Seen(NamedTuple):
    """A cycle as the probe wrote it into its cycles file, complete."""

    wake: int
    end: int
    period_ns: float


class Known(NamedTuple):
    """A cycle as the clients know it. end: of the last client that read this wake-up; whole: all of them did."""

    end: int
    whole: bool


def read_cycles(path):
    """The complete cycles of a cycles file, and all its rows."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    whole = [r for r in rows if r["wake_ns"] and r["end_ns"]]
    seen = [Seen(int(r["wake_ns"]), int(r["end_ns"]), int(r["nframes"]) * 1e9 / int(r["rate_hz"])) for r in whole]
    return seen, rows


def known_cycles(calls):
    """{wake: Known} of all cycles between the first and the last that every client has."""
    first = max(rows[0].wake for rows in calls.values())
    last = min(rows[-1].wake for rows in calls.values())
    found = {}
    for client, rows in calls.items():
        for call in rows:
            if first <= call.wake <= last:
                found.setdefault(call.wake, {})[client] = call.end
    return {wake: Known(max(ends.values()), len(ends) == len(calls)) for wake, ends in sorted(found.items())}


class Comparison:
    """Probe and clients over the cycles that both may know: from the first to the last that both do. What lies where the machine was
    busy with something else is not judged.

    @param quiet tells of a wake-up whether it is not."""

    def __init__(self, seen, known, quiet):
        self.quiet = quiet
        both = [s.wake for s in seen if s.wake in known]
        if not both:
            raise AssertionError("no wake-up of the probe's is one of the clients'")
        first, last = min(both), max(both)
        self.seen = {s.wake: s for s in seen if first <= s.wake <= last}
        self.known = {wake: k for wake, k in known.items() if first <= wake <= last}
        self.wakes = list(self.known)
        self.judged = {wake for wake in self.seen.keys() | self.known.keys() if quiet(wake)}
        calm.enough(len(self.judged & set(self.known)), len(self.known), "cycles")
        self.strangers = (set(self.seen) - set(self.known)) & self.judged
        self.overruns = {s.wake for s in self.seen.values() if s.end - s.wake > s.period_ns} & self.judged
        period_ns = seen[0].period_ns
        self.late = {wake for wake, k in self.known.items() if k.end - wake > period_ns} & self.judged
        self.maybe_late = self.late | {wake for wake, k in self.known.items() if not k.whole}
        self.episodes = self.find_episodes()
        self.calm = (set(self.known) & self.judged) - {wake for episode in self.episodes for wake in episode}
        self.episodes = [e for e in self.episodes if self.judged.issuperset(e)]

    def find_episodes(self):
        """Runs of late cycles, each with the cycle before and the one after."""
        episodes = []
        for i, wake in enumerate(self.wakes):
            if wake in self.maybe_late:
                if not episodes or episodes[-1][-1] < wake:
                    episodes.append(self.wakes[max(i - 1, 0) : i])
                episodes[-1] += self.wakes[i + (wake in episodes[-1]) : i + 2]
        return episodes

    def coverage(self):
        """Share of the calm cycles that the probe has."""
        return len(self.calm & set(self.seen)) / max(len(self.calm), 1)

    def early(self):
        """Cycles that the probe ended before the last client did: (wake, by how much)."""
        following = dict(zip(self.wakes, self.wakes[1:]))
        found = []
        for wake in sorted(set(self.seen) & set(self.known) & self.judged):
            end = self.known[wake].end if self.known[wake].whole else following.get(wake, wake)
            if self.seen[wake].end < end - EARLY_NS:
                found.append((wake, self.seen[wake].end - end))
        return found

    def called_in_time(self):
        """Late cycles that the probe calls complete and in time."""
        return (self.late & set(self.seen)) - self.overruns

    def missed_episodes(self):
        """Episodes with a cycle that was late for certain, and no overrun."""
        return [e for e in self.episodes if self.late & set(e) and not self.overruns & set(e)]

    def __str__(self):
        errors = sorted((self.seen[w].end - self.known[w].end) / 1000 for w in self.calm & set(self.seen))
        return (
            f"{len(self.seen)} cycles, {len(self.episodes)} episodes, coverage {self.coverage():.4f}, end "
            f"{errors[len(errors) // 2] if errors else None} us after the last client (p50), overruns {len(self.overruns)}, "
            f"of the clients' {len(self.late)} to {len(self.maybe_late)}"
        )


class Accuracy:
    """The checks, for one server that they share. The tests themselves are made from SCENES below."""

    forgives = False  # in an episode the tail's calls cannot always be told apart

    @classmethod
    def setUpClass(cls):
        cls.server = cls.make_server().start()

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def measure(self, options, spike):
        cycles = self.server.path("cycles.csv")
        if os.path.exists(cycles):
            os.remove(cycles)
        with truth.Load(self.server, *options) as load:
            done = self.server.run(
                PROBE, "--batch", "--duration", str(SECONDS), "--cycles", cycles, "--timing", "api", "--interval", "1"
            )
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            calls = load.stop()
        seen, rows = read_cycles(cycles)
        period_ns = self.server.period_ns
        spiky = list(calls)[len(calls) // 2]
        quiet = calm.Calm(calls, period_ns, spike, spiky, calm.late_heads(rows, period_ns))
        c = Comparison(seen, known_cycles(calls), quiet)
        if spike and len(c.late) <= SECONDS:
            raise calm.Busy(f"{c}: no spikes to judge by")
        return c

    def check(self, options, spike):
        spiky = [] if spike is None else ["--spike", "{}:{}".format(*spike)]
        calm.attempts(lambda: self.judge(self.measure([*options, *spiky], spike), spike))

    def judge(self, c, spiky):
        with calm.forgiven(c.quiet):
            self.check_cycles(c, spiky)

    def check_cycles(self, c, spiky):
        few = 0.01 * len(c.seen)  # for what a busy machine does to threads, once in a while
        self.assertLessEqual(len(c.strangers), few, f"{c}: wake-ups that no client read")
        self.assertGreater(c.coverage(), 0.99, c)
        self.assertEqual([e for e in c.early() if not self.forgives or e[0] in c.calm], [], f"{c}: ended before the clients")
        if spiky or not self.forgives:
            guesses = len(c.episodes) // 2 if self.forgives else 0
            self.assertLessEqual(len(c.called_in_time()), guesses, f"{c}: late cycles called in time")
            self.assertLessEqual(len(c.missed_episodes()), guesses, f"{c}: episodes without an overrun")
        self.assertLessEqual(len(c.overruns & c.calm), few, f"{c}: overruns invented")


SCENES = {
    "chain": ["--shape", "chain"],
    "parallel": ["--shape", "parallel"],
    "layers": ["--shape", "layers"],
    "midi": ["--shape", "midi"],
    "processes": ["--shape", "chain", "--processes"],
}
SPIKES = {
    "quiet": None,
    "overruns": (100, 3500),  # 1.3 periods of 2667 us
    "long_overruns": (100, 7000),  # 2.6 periods
}


def make_test(options, spike):
    return lambda self: self.check(options, spike)


for scene, shape in SCENES.items():
    for word, spike in SPIKES.items():
        setattr(Accuracy, f"test_{scene}_{word}", make_test(shape, spike))


class JackdAsync(Accuracy, unittest.TestCase):
    make_server = Jackd


class JackdSync(Accuracy, unittest.TestCase):
    @staticmethod
    def make_server():
        return Jackd(sync=True)


class OnPipeWire(Accuracy, unittest.TestCase):
    make_server = PipeWire
    forgives = True  # wake-ups of late clients melt into one there: whose it was can only be guessed


if __name__ == "__main__":
    unittest.main()
