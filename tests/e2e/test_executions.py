"""Every single execution that the probe writes down against the calls that the clients wrote down of themselves."""
import bisect
import unittest

import calm
import executions
import truth
from executions import GRAIN_NS, HEADER, Pairs
from scripted import Scripted
from servers import Jackd, PipeWire
from watch import Watch, table, whole_lines

SECONDS = 2
FOUND = 0.97  # share of the calls that it must have; on jackd2 of those that head or tail could see. Near 1 where nobody is late
OVERWRITTEN = 0.1  # share of the calls that a busy jackd2 may overwrite before head or tail look
CALM = 0.2  # share of the cycles that must be calm, so that there is something to judge
LOOK_NS = 20000  # from the entry of head or tail until it has looked
MEDIAN_NS = 10000  # of the errors of beginnings and ends: below a microsecond on a quiet machine
EPOCH = 16  # the flag of the first cycle of an epoch


def began(execution):
    """As exactly as it is known."""
    return execution.finished if execution.awake is None else execution.awake


class Run:
    """The cycles and executions of one run, and the truth of the same time."""

    def __init__(self, watch, calls):
        self.watch = watch
        self.cycles = watch.cycles()
        self.executions = executions.read(watch.executions_file)
        self.wakes = sorted(int(r["wake_ns"]) for r in self.cycles if r["wake_ns"])
        self.in_time = self.find_calm()
        self.looks = sorted(int(r[c]) for r in self.cycles for c in ("head_ns", "tail_ns") if r[c])
        period_ns = int(self.cycles[0]["nframes"]) * 1e9 / int(self.cycles[0]["rate_hz"])
        self.quiet = calm.Calm(calls, period_ns, others=calm.late_heads(self.cycles, period_ns))
        self.pairs = {client: Pairs(his, self.executions.get(client, [])) for client, his in calls.items()}

    def find_calm(self):
        """Spans of time, from wake-up to wake-up, of the cycles that ended in their period, between two that did, too."""
        rows = [r for r in self.cycles if r["wake_ns"]]
        times = [(int(r["nominal_ns"] or r["wake_ns"]), int(r["end_ns"] or 0), int(r["nframes"]) * 1e9 / int(r["rate_hz"])) for r in rows]
        good = [int(r["flags"]) in (0, EPOCH) and end < due + period for r, (due, end, period) in zip(rows, times)]
        whole = [0 < b[0] - a[0] < 1.5 * a[2] for a, b in zip(times, times[1:])]
        wakes = [int(r["wake_ns"]) for r in rows]
        return [
            (wakes[i], wakes[i + 1]) for i in range(1, len(rows) - 1) if all(good[i - 1 : i + 2]) and all(whole[i - 1 : i + 1])
        ]

    def is_calm(self, ns):
        i = bisect.bisect_right(self.in_time, (ns, float("inf"))) - 1
        return i >= 0 and self.in_time[i][0] <= ns < self.in_time[i][1]

    def inside(self, pairs):
        """Indices of the calls in the time that was measured from end to end."""
        return pairs.within(self.wakes[0], self.wakes[-1])

    def seen(self, pairs, i):
        """Did head or tail look while the server's record showed that call?"""
        look = bisect.bisect_left(self.looks, pairs.starts[i] + GRAIN_NS)
        return look < len(self.looks) and self.looks[look] + LOOK_NS < pairs.next_start(i)


class Executions:
    """The checks, for one server that the tests share. The tests themselves are made from SCENES below."""

    all_told = False  # does the server tell everything, or is it looked at by head and tail alone?
    muddled = False  # late wake-ups melt into one, and some are told that called nobody: only calm cycles are judged by all rows

    @classmethod
    def setUpClass(cls):
        cls.server = cls.make_server().start()

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def measure(self, options):
        with truth.Load(self.server, *options) as load:
            with Watch(self.server, "--timing", "server", "--duration", SECONDS, cycles=True, executions=True) as watch:
                self.assertEqual((watch.join(60), watch.errors), (0, []), watch)
            calls = load.stop()
        self.assertGreater(len(watch.cycles()), 0.5 * SECONDS * 1e9 / self.server.period_ns, "too few cycles to judge by")
        return Run(watch, calls)

    def check_found(self, run, pairs):
        calls = run.inside(pairs)
        seen = [i for i in calls if self.all_told or run.seen(pairs, i)]
        missing = [pairs.calls[i] for i in seen if i not in pairs.of]
        self.assertGreaterEqual(len(seen), (1 - OVERWRITTEN) * len(calls))
        self.assertLessEqual(len(missing), (1 - FOUND) * len(seen), missing)
        strangers = [e for e in pairs.strangers if began(e) < run.wakes[-1] and self.judges(run, e)]
        self.assertLessEqual(len(strangers), (1 - FOUND) * len(calls), strangers)

    def judges(self, run, e):
        return not self.muddled or run.is_calm(began(e))

    def check_errors(self, pairs):
        starts, ends = pairs.start_errors(), pairs.end_errors()
        self.assertLess(abs(starts[len(starts) // 2]), MEDIAN_NS)
        self.assertLess(abs(ends[len(ends) // 2]), MEDIAN_NS)
        known = [(i, e) for i, e in pairs.of.items() if e.finished is not None]
        self.assertEqual([e for i, e in known if e.finished < pairs.ends[i] - GRAIN_NS], [], "finished before the call had")
        after = [e for i, e in known if e.finished > pairs.next_start(i) + GRAIN_NS]
        self.assertLessEqual(len(after), (1 - FOUND) * len(known), f"finished after the next call had begun: {after}")

    def check_rows(self, run):
        """What must hold of every row by itself and in its cycle."""
        if self.muddled:
            self.assertGreater(len(run.in_time), CALM * len(run.cycles), "too few calm cycles to judge by")
        rows = [e for rows in run.executions.values() for e in rows if self.judges(run, e)]
        wake_of = {int(r["frame"]): int(r["wake_ns"]) for r in run.cycles if r["wake_ns"]}
        misplaced = []
        for e in rows:
            self.assertIn(e.frame, wake_of, e)
            self.assertIn(e.state, ("finished", "running"), e)
            times = [t for t in (e.signalled, e.awake, e.finished) if t is not None]
            self.assertEqual(times, sorted(times), e)
            wake = wake_of[e.frame]
            following = run.wakes[bisect.bisect_right(run.wakes, wake) :][:1]
            if not wake <= began(e) or (following and began(e) >= following[0]):
                misplaced.append(e)
        self.assertLessEqual(len(misplaced), (1 - FOUND) * len(rows) if self.muddled else 0, misplaced)

    def check(self, options):
        calm.attempts(lambda: self.judge(self.measure(options)))

    def judge(self, run):
        with calm.forgiven(run.quiet):
            self.check_run(run)

    def check_run(self, run):
        self.assertEqual(set(run.executions), set(run.pairs), "clients in the file, and clients that there were")
        for pairs in run.pairs.values():
            self.check_found(run, pairs)
            self.check_errors(pairs)
        self.check_rows(run)
        figures = sum(o["cycles"] for o in run.watch.objects("client"))
        self.assertEqual(figures, sum(map(len, run.executions.values())), "the figures of the clients rest on the same executions")


SCENES = {
    "chain": ["--shape", "chain"],
    "parallel": ["--shape", "parallel"],
    "sink": ["--shape", "sink"],
    "spikes": ["--shape", "layers", "--spike", "100:4000"],
    "name_with_commas": ["--clients", "2", "--name", 'Lead, "1"'],
}


for scene, words in SCENES.items():
    setattr(Executions, f"test_{scene}", lambda self, words=words: self.check(words))


class OnJackdAsync(Executions, unittest.TestCase):
    make_server = Jackd


class OnJackdSync(Executions, unittest.TestCase):
    @staticmethod
    def make_server():
        return Jackd(sync=True)


class OnPipeWire(Executions, unittest.TestCase):
    make_server = PipeWire
    all_told = muddled = True


class WithoutServerTiming(unittest.TestCase):
    """A libjack without a server's memory behind it: the header alone, and one sentence that says why."""

    def check(self, start, *options):
        with Scripted("pace real\ncycles 1000000\n") as server:
            with Watch(server, "--duration", "1", *options, cycles=True, executions=True) as watch:
                self.assertEqual(watch.join(), 0, watch)
            self.assertEqual(whole_lines(watch.executions_file), [HEADER])
            self.assertGreater(len(table(watch.cycles_file)), 100)
            notes = [n for n in watch.summary()["notes"] if n.startswith(("per-client times: ", "executions: "))]
            self.assertEqual(len(notes), 1, watch.summary())
            self.assertTrue(notes[0].startswith(start), notes)

    def test_it_cannot_be_had(self):
        self.check("per-client times: ")

    def test_it_is_not_wanted(self):
        self.check("executions: --timing api ", "--timing", "api")


if __name__ == "__main__":
    unittest.main()
