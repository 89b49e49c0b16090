"""Who is late: what the probe says of clients and overruns, against clients that know when they were late."""
import collections
import os
import re
import signal
import statistics
import unittest

import calm
import truth
from osc import DATAGRAM_MAX, Receiver
from scripted import Scripted
from servers import PROBE, Jackd, PipeWire
from watch import Watch, table

SPIKE_NS = 4000000  # 1.5 periods
SPIKE = (100, SPIKE_NS // 1000)
SPIKY = ["--spike", "{}:{}".format(*SPIKE)]
LATE_NS = 50000  # who is blamed was longer at work, or began later, than usual by more than that
HEADER = "time_utc,seq,client,cycles,wait_p50_us,wait_p99_us,busy_p50_us,busy_p99_us,busy_max_us,late,blamed"
SPIKES_MIN = 3  # bursts that must go undisturbed, of 7.5 on average in the two seconds watched and some more outside
RIGHT_MIN = 2  # of them blamed in an event: not all overruns of a second are told one by one


def run_watch(server, *options, seconds=2):
    """Watch until its end, with server timing. @return the Watch."""
    with Watch(server, "--timing", "server", "--duration", seconds, *options, cycles=True) as watch:
        status = watch.join(60)
    if status != 0 or watch.errors:
        raise AssertionError(f"status {status}: {watch}")
    return watch


def clients_file(watch):
    return watch.csv + ".clients.csv"


def sentence(watch):
    """The summary's sentence about who was late: (overruns, {who: how many})."""
    text = " ".join(line.strip() for line in watch.lines)
    [blamed] = [o["blamed"] for o in watch.objects("summary")]
    if blamed not in text:
        raise AssertionError(f"not in the summary: {blamed}")
    total, parts = re.fullmatch(r"(\d+) overruns?: (.*)", blamed).groups()
    found = re.findall(r"(\d+) ([^,(]+?)(?: \([^)]*\))?(?:, |$)", parts)
    return int(total), {who: int(n) for n, who in found}, blamed


class Late:
    """Which calls of which clients were long or began late."""

    def __init__(self, calls):
        self.calls = calls
        self.wakes = {c.frame: c.wake for rows in calls.values() for c in rows}
        self.usual = {
            client: (statistics.median(c.end - c.start for c in rows), statistics.median(c.start - c.wake for c in rows))
            for client, rows in calls.items()
        }

    def wake_of(self, frame):
        """Wake-up of a cycle, or of the last one before it that a client read; None."""
        return self.wakes.get(max((f for f in self.wakes if f <= frame), default=None))

    def spikes(self, client):
        """Frames of the cycles in which it had one."""
        return {c.frame for c in self.calls[client] if c.end - c.start >= SPIKE_NS}

    def was_late(self, client, overrun):
        """In the cycle of that event, or still in it from the one before."""
        wake = self.wakes.get(overrun["frame"])
        if wake is None:
            return True  # nobody read that wake-up: the clients know nothing of it
        busy, wait = (LATE_NS + ns for ns in self.usual.get(client, (0, 0)))
        end = max(wake, overrun["mono_ns"]) + 1000 * overrun["value_us"]  # PipeWire's timer has a date, the driver wakes later
        for c in self.calls.get(client, ()):
            if c.start < end and c.end > wake and (c.end - c.start > busy or c.start - c.wake > wait):
                return True
        # Who is called very late may read the position of the cycle after.
        begun = min((c.start for c in self.calls.get(client, ()) if c.start >= wake), default=wake)
        return begun < end and begun - wake > wait


class Blame:
    """For one server that the tests share."""

    known_min = 0.5  # of the bursts that went undisturbed and are in the file of cycles: overruns there, and the client's blame

    @classmethod
    def setUpClass(cls):
        cls.server = cls.make_server().start()

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def measure(self, number, options, *watching):
        """@return (Watch, Late, name of the spiky client, Calm)"""
        spiky = [*options, *SPIKY, "--spike-client", str(number)]
        with truth.Load(self.server, *spiky) as load:
            watch = run_watch(self.server, *watching)
            calls = load.stop()
        spiky = list(calls)[number]
        late = Late(calls)
        lost = [late.wake_of(event["frame"]) for event in watch.events("lost")]
        return watch, late, spiky, calm.Calm(calls, self.server.period_ns, SPIKE, spiky, filter(None, lost))

    def check(self, number, options, *watching):
        return calm.attempts(lambda: self.attempt(number, options, *watching))

    def attempt(self, number, options, *watching):
        watch, late, spiky, quiet = self.measure(number, options, *watching)
        with calm.forgiven(quiet):
            self.check_blame(watch, late, spiky, quiet)
        return watch, spiky

    def check_blame(self, watch, late, spiky, quiet):
        right = 0
        spikes = {frame for frame in late.spikes(spiky) if quiet(late.wakes[frame])}
        for event in watch.events("overrun"):
            self.assertIn("kind", event, f"not judged: {event}\n{watch}")
            client = event.get("client", "")
            more_ns = event["value_us"] * 1e3 - SPIKE_NS  # the rest of the graph's work
            if event["frame"] in spikes and more_ns > self.server.period_ns / 2:
                continue  # something else held it up, too
            if event["frame"] in spikes:
                self.assertEqual((client, event["kind"]), (spiky, "busy"), f"{event}\n{watch}")
                right += 1
            elif client and quiet(late.wakes.get(event["frame"], 0)):
                self.assertTrue(late.was_late(client, event), f"was not late: {event}\n{watch}")
        self.check_all_known(watch, spiky, spikes)
        calm.enough(len(spikes), SPIKES_MIN / calm.ENOUGH, "bursts")
        if right < RIGHT_MIN:
            raise calm.Busy(f"only {right} bursts are among the overruns told: {watch}")

    def check_all_known(self, watch, spiky, spikes):
        """Not all are told one by one; but of nearly all it is known when they ended, and who was late."""
        cycles = {int(c["frame"]): c for c in watch.cycles()[1:-1] if c["wake_ns"]}
        found = [cycles[frame] for frame in spikes if frame in cycles]
        late = [c for c in found if c["end_ns"] and int(c["end_ns"]) - int(c["wake_ns"]) > self.server.period_ns]
        self.assertGreaterEqual(len(late), self.known_min * len(found), f"ends of bursts that are known: {watch}")
        blamed = sum(int(row["blamed"]) for row in table(clients_file(watch)) if row["client"] == spiky)
        self.assertGreaterEqual(blamed, self.known_min * len(found), f"bursts that are blamed: {watch}")

    def test_chain(self):
        self.check(2, ["--shape", "chain", "--clients", "6"])

    def test_ends_of_a_chain(self):
        for number in (0, 5):
            with self.subTest(client=number):
                self.check(number, ["--shape", "chain", "--clients", "6"])

    def test_parallel(self):
        self.check(1, ["--shape", "parallel", "--clients", "4"])

    def test_layers(self):
        self.check(4, ["--shape", "layers", "--clients", "9", "--burn", "20"])

    def test_sink(self):
        """The recorder itself, behind which there is no cable."""
        self.check(3, ["--shape", "sink", "--clients", "4"])

    def test_source_of_a_sink(self):
        self.check(0, ["--shape", "sink", "--clients", "4"])

    def test_processes(self):
        self.check(2, ["--shape", "chain", "--clients", "4", "--processes"])

    def test_forty_clients(self):
        self.check(20, ["--shape", "layers", "--clients", "40", "--burn", "5"])

    def test_every_output_says_the_same(self):
        with Receiver() as receiver:
            watch, spiky = self.check(1, ["--shape", "chain", "--clients", "3"], "--osc", receiver.target)
            rows = table(clients_file(watch))
            receiver.wait_for("/jackprobe/client", len(rows))
        self.assertEqual(receiver.faults, [])
        self.assertLessEqual(max(receiver.datagrams), DATAGRAM_MAX)
        with open(clients_file(watch), newline="") as file:
            self.assertEqual(file.readline().rstrip("\n"), HEADER)
        total, who, blamed = sentence(watch)
        counted = collections.Counter()
        for row in rows:
            counted[row["client"]] += int(row["blamed"])
        self.assertEqual(counted[spiky], who[spiky])
        self.assertEqual(sum(who.values()), total, blamed)
        self.assertEqual(total, watch.total("overruns"))
        self.assertRegex(blamed, rf"\b{who[spiky]} {spiky} \((busy|woke late) \d+\.\d ms, usually 0\.\d+\)")
        objects = watch.objects("client")
        numbers = HEADER.split(",")[3:]
        for row, object_, sent in zip(rows, objects, receiver.values("/jackprobe/client")[-len(rows) :], strict=True):
            self.assertEqual((row["client"], row["seq"]), (object_["client"], str(object_["seq"])))
            for name in numbers:
                self.assertEqual(float(row[name] or "nan"), float(object_.get(name, "nan")), (name, row))
            self.assertEqual((sent[0], sent[5]), (row["client"], int(row["blamed"])))
            for value, name in zip(sent[1:5], ("wait_p99_us", "busy_p50_us", "busy_p99_us", "busy_max_us")):
                self.assertAlmostEqual(value, float(row[name] or -1), delta=0.001 * max(1, abs(value)))
        self.assertEqual({w["end_source"] for w in watch.windows()}, {"server"})
        self.assertEqual({w["wake_source"] for w in watch.windows()}, {"driver"})
        self.assertEqual(watch.meta()["wake_source"], "driver")
        self.assertNotIn("timer's date", " ".join(line.strip() for line in watch.lines))

    def test_lone_head(self):
        """No cables of ours at all, and still everything is known."""
        watch, _ = self.check(1, ["--shape", "parallel", "--clients", "3"], "--insert", "head")
        self.assertEqual({w["end_source"] for w in watch.windows()}, {"server"})
        self.assertFalse(any(w["tail_hop_p50_us"] for w in watch.windows()))

    def test_clients_come_go_and_are_killed(self):
        """mod-host#71: who merely waits for the dead is not to blame, nor are we."""
        calm.attempts(self.come_and_go_attempt)

    def come_and_go_attempt(self):
        with truth.Load(self.server, "--shape", "chain", "--clients", "3", *SPIKY, "--spike-client", "1") as load:
            with Watch(self.server, "--timing", "server") as watch:
                watch.wait("clients' figures", lambda: watch.objects("client"))
                for i in range(4):
                    self.come_and_go(f"guest{i}", kill=i % 2 == 0, watch=watch)
                self.assertEqual(watch.end(), 0, watch)
            calls = load.stop()
        with calm.forgiven(calm.Calm(calls, self.server.period_ns, SPIKE, list(calls)[1])):
            self.check_who_stayed(Late(calls), watch, watch.events("overrun"))

    def check_who_stayed(self, late, watch, events):
        for event in events:
            client = event.get("client", "")
            if client and not client.startswith("guest"):  # those may well be late while they come and go
                self.assertTrue(late.was_late(client, event), f"was not late: {event}\n{watch}")
        self.assertTrue(any(e.get("client") == "load-1" for e in events), watch)

    def come_and_go(self, prefix, kill, watch):
        guest = self.server.popen(PROBE, "load", "--clients", "3", "--processes", "--name", prefix)
        try:
            self.assertIn("clients run", guest.stdout.readline())
            watch.wait(f"figures of {prefix}", lambda: any(o["client"] == prefix + "-2" for o in watch.objects("client")))
            if kill:
                os.kill(truth.children(guest.pid)[1], signal.SIGKILL)
        finally:
            guest.send_signal(signal.SIGINT)
            guest.communicate(timeout=60)


class OnJackdAsync(Blame, unittest.TestCase):
    make_server = Jackd


class OnJackdSync(Blame, unittest.TestCase):
    @staticmethod
    def make_server():
        return Jackd(sync=True)


class OnPipeWire(Blame, unittest.TestCase):
    make_server = PipeWire
    known_min = 0.25  # it reports some late cycles as one with the next


class WhereItDoesNotWork(unittest.TestCase):
    """A libjack without a server's memory behind it."""

    def test_server_timing_is_refused_and_auto_goes_on(self):
        with Scripted("clients 1\npace real\ncycles 1000000\n") as server:
            for words in (["--timing", "server"], ["--insert", "head"], ["--insert", "head", "--timing", "server"]):
                with self.subTest(words):
                    log = server.path("refused.csv")
                    done = server.run(PROBE, "--batch", "--duration", "5", "--log", log, *words)
                    self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)
                    self.assertRegex(done.stderr, rf"^jackprobe: {' '.join(words[-2:])}: .+")
                    self.assertEqual(table(log), [], "nothing is measured")
            with Watch(server, "--duration", "1") as watch:
                self.assertEqual(watch.join(), 0, watch)
            self.assertEqual(watch.values("end_source"), {"tail"})
            self.assertGreater(watch.total("cycles"), 100)
            notes = [n for n in watch.summary()["notes"] if "per-client" in n]
            self.assertEqual(len(notes), 1, watch.summary())
            self.assertFalse(os.path.exists(clients_file(watch)))
            self.assertEqual(watch.objects("client"), [])


if __name__ == "__main__":
    unittest.main()
