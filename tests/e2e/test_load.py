"""`jackprobe load` itself: the clients do what was asked, and the truth file says so."""
import os
import re
import signal
import unittest

import truth
from servers import PROBE, Jackd, PipeWire

BURN_US = 60


def by_cycle(calls, period_ns):
    """[[Call of client 0, of client 1, ...], ...]: the cycles in which every client has exactly one call and none is late, and
    before which it was the same. A late call reads a later cycle's wake-up, so it cannot be told apart by that: it may stand
    in the cycle after the late one, in place of that one's own call."""
    cycles = {}
    for client, rows in enumerate(calls.values()):
        for call in rows:
            cycles.setdefault(call.wake, []).append((client, call))
    n = len(calls)
    whole, before = [], None
    for wake in sorted(cycles):
        entries = cycles[wake]
        if [c for c, _ in entries] == list(range(n)) and all(e.end - wake < period_ns for _, e in entries):
            if before is not None and wake - before < 1.5 * period_ns:
                whole.append([e for _, e in entries])
            before = wake
        else:
            before = None
    return whole


class OnServer:
    """The tests, for one server that they share."""

    @classmethod
    def setUpClass(cls):
        cls.server = cls.make_server().start()

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def load(self, *options, clients=4, seconds=1, name="load"):
        """Run it to the end. @return the truth, and its last line."""
        file = self.server.path("truth.csv")
        done = self.server.run(
            PROBE, "load", "--truth", file, "--clients", str(clients), "--burn", str(BURN_US), "--duration", str(seconds), *options
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        calls = truth.read(file)
        self.assertEqual(list(calls), [f"{name}-{i}" for i in range(clients)])
        for rows in calls.values():
            self.check_rows(rows)
        return calls, done.stdout.splitlines()[-1]

    def check_rows(self, rows):
        for before, call in zip(rows, rows[1:]):
            self.assertGreaterEqual(call.start, before.end)
            self.assertGreaterEqual(call.wake, before.wake)
        for call in rows:
            self.assertGreaterEqual(call.start, call.wake)
            self.assertGreaterEqual(call.end - call.start, BURN_US * 1000)

    def check_order(self, calls, edges):
        cycles = by_cycle(calls, self.server.period_ns)
        self.assertGreater(len(cycles), 10)
        for cycle in cycles:
            for before, after in edges:
                self.assertGreaterEqual(cycle[after].start, cycle[before].end)
        return cycles

    def test_chain_runs_one_after_the_other(self):
        self.check_order(self.load()[0], [(0, 1), (1, 2), (2, 3)])

    def test_midi_is_a_chain(self):
        self.check_order(self.load("--shape", "midi")[0], [(0, 1), (1, 2), (2, 3)])

    def test_chain_of_processes(self):
        self.check_order(self.load("--processes", "--ports", "3")[0], [(0, 1), (1, 2), (2, 3)])

    def test_layers_wait_for_the_whole_layer_before(self):
        calls, _ = self.load("--shape", "layers", clients=6)
        self.check_order(calls, [(0, 2), (1, 2), (0, 3), (1, 3), (2, 4), (3, 4), (2, 5), (3, 5)])

    def test_sink_is_fed_by_client_0(self):
        self.check_order(self.load("--shape", "sink", "--processes")[0], [(0, 3)])

    @unittest.skipIf(os.cpu_count() < 2, "needs two CPUs")
    def test_parallel_clients_overlap(self):
        cycles = self.check_order(self.load("--shape", "parallel", "--ports", "0")[0], [])
        self.assertTrue(any(c[i].start < c[j].end and c[j].start < c[i].end for c in cycles for i in range(4) for j in range(i)))

    def test_every_nth_call_of_the_middle_client_is_a_spike(self):
        every, us = 50, 600
        calls, _ = self.load("--spike", f"{every}:{us}")
        long = {i for i, call in enumerate(calls["load-2"]) if call.end - call.start >= us * 1000}
        n = len(calls["load-2"])
        self.assertTrue(any(long >= set(range(first, n, every)) for first in range(every)), sorted(long))

    def test_last_line_counts_what_the_truth_shows(self):
        calls, line = self.load("--spike", "20:4000", seconds=2)
        cycles, late = map(int, re.search(r"4 clients, (\d+) cycles, (\d+) late", line).groups())
        self.assertEqual(cycles, max(map(len, calls.values())))
        lateness = {c.wake for rows in calls.values() for c in rows if c.end - c.wake > self.server.period_ns}
        self.assertEqual(late, len(lateness))
        self.assertGreater(late, 0)

    def test_names_with_awkward_characters(self):
        self.load("--name", 'My #1 {synth}*, "x"', clients=2, name='My #1 {synth}*, "x"')

    def test_links_are_those_that_can_be(self):
        for ports, links in (1, 2), (0, 0):
            with self.subTest(ports=ports):
                done = self.server.run(PROBE, "load", "--clients", "3", "--ports", str(ports), "--duration", "0.2")
                self.assertIn(f", {links} client-to-client links\n", done.stdout)

    def test_two_at_once_have_names_of_their_own(self):
        with truth.Load(self.server, "--clients", "1", "--duration", "30") as first:
            done = self.server.run(PROBE, "load", "--clients", "1", "--duration", "0.5")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            first.stop()

    def test_dead_client_process_is_said_and_the_others_go_on(self):
        with truth.Load(self.server, "--processes", "--clients", "3", "--burn", "1") as load:
            pids = truth.children(load.process.pid)
            truth.wait_for_cycles(pids[0])
            os.kill(pids[0], signal.SIGKILL)
            self.assertIn("died (signal 9); the others go on", load.process.stderr.readline())
            truth.wait_for_cycles(pids[2])
            load.process.send_signal(signal.SIGTERM)
            self.assertEqual(load.wait(), 1)
        calls = truth.read(load.file)
        self.assertGreater(len(calls["load-0"]), 0)
        self.assertGreater(calls["load-2"][-1].start, calls["load-0"][-1].end)


class JackdAsync(OnServer, unittest.TestCase):
    make_server = Jackd


class JackdSync(OnServer, unittest.TestCase):
    @staticmethod
    def make_server():
        return Jackd(sync=True)


class OnPipeWire(OnServer, unittest.TestCase):
    make_server = PipeWire


class WithoutServer(unittest.TestCase):
    def test_no_server_is_one_sentence_with_the_remedy(self):
        with Jackd() as server:
            done = server.run(PROBE, "load", "--server", server.name + "-none")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("start one", done.stderr)

    def test_usage_errors(self):
        with Jackd() as server:
            for words in (["--clients", "0"], ["--spike", "7"], ["--spike-client", "1"], ["--shape", "star"]):
                with self.subTest(words=words):
                    self.assertEqual(server.run(PROBE, "load", *words).returncode, 2)

    def test_server_going_away_ends_it_with_what_it_has(self):
        for options in ([], ["--processes"]):
            with self.subTest(options=options), Jackd() as server, truth.Load(server, "--burn", "1", *options) as load:
                pid = truth.children(load.process.pid)[-1] if options else load.process.pid
                truth.wait_for_cycles(pid)
                server.kill()
                self.assertEqual(load.wait(), 1)
                self.assertIn("server has gone away", load.errors)
                self.assertEqual(len(truth.read(load.file)), 4)


if __name__ == "__main__":
    unittest.main()
