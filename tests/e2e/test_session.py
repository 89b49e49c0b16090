"""The whole program in real sessions: clients that come, go and hang, a server that changes, stops and dies."""
import os
import re
import signal
import subprocess
import time
import unittest

import calm
import truth
from osc import Receiver
from servers import PROBE, Jackd, PipeWire, need, stop, wait_until
from watch import Watch

NASTY = 'My #1 {synth}*, "x"'
QUIET = ["--shape", "parallel", "--burn", "20"]


def cables(server):
    return server.run("jack_lsp", "-c").stdout


class Session:
    """What holds on every server; they share one that nothing happens to."""

    @classmethod
    def setUpClass(cls):
        cls.server = cls.make().start()

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def check_summary(self, run):
        """The summary's counts are those of the windows."""
        summary = run.summary()
        for name in ("cycles", "overruns", "lost", "incomplete", "xruns", "dropped", "freewheel"):
            self.assertEqual(summary[name], sum(int(w[name] or 0) for w in run.windows()), name)
        self.assertGreater(summary["cycles"], 50)
        return summary

    def test_stands_in_the_session_and_leaves_it_as_it_was(self):
        for options in ([], ["--insert", "strict"]):
            with self.subTest(options=options), truth.Load(self.server, *QUIET) as load:
                before = cables(self.server)
                with Watch(self.server, *options) as run:
                    run.wait_for_window(clients=4, covered=4, state="running")
                    self.assertNotEqual(cables(self.server), before)
                    run.wait_for_window(after=len(run.windows()) + 1)
                    self.assertEqual(run.end(), 0)
                    self.assertEqual(run.errors, [])
                self.assertEqual(cables(self.server), before)
                calls = load.stop()
                summary = self.check_summary(run)
                self.assertEqual((summary["wake_source"], summary["rate_hz"], summary["frames"]), (self.wake, 48000, 128))
                self.assertRegex(run.meta()["server"], self.brand)
                self.assertEqual(len(calls), 4)
                self.assertTrue(all(rows for rows in calls.values()))

    def test_clients_come_and_go(self):
        with Watch(self.server) as run:
            run.wait_for_window(clients=0, covered=0)
            with truth.Load(self.server, "--clients", "2", "--shape", "midi", "--name", "late"):
                run.wait_for_window(clients=2, covered=2)
                run.wait("it is told", lambda: any(e["detail"].startswith("covered 2/2") for e in run.events("graph")))
            run.wait_for_window(clients=0, covered=0, after=len(run.windows()))
            self.assertEqual(run.end(), 0)
            self.check_summary(run)

    def test_once_leaves_later_clients_to_the_user(self):
        with truth.Load(self.server, *QUIET, "--clients", "1"), Watch(self.server, "--wire", "once") as run:
            run.wait_for_window(clients=1, covered=1)
            with truth.Load(self.server, *QUIET, "--clients", "1", "--name", "late"):
                run.wait_for_window(clients=2, covered=1)
                self.assertEqual(run.end(), 0)
            self.assertEqual(run.summary()["uncovered"], "late-0")

    def test_nasty_name_arrives_everywhere(self):
        """millumin-dev-kit#2. Without cables every client is named as not covered."""
        name = NASTY + "-0"
        with truth.Load(self.server, *QUIET, "--clients", "1", "--name", NASTY), Receiver() as receiver:
            with Watch(self.server, "--wire", "none", "--osc", receiver.target, cycles=True) as run:
                run.wait_for_window(clients=1, covered=0)
                told = run.wait("it is told", lambda: [e for e in run.events("graph") if name in e["detail"]])
                self.assertEqual(run.end(), 0)
            self.assertEqual(told[0]["detail"], f"covered 0/1, not: {name}")
            self.assertEqual(run.summary()["uncovered"], name)
            self.assertTrue(any(f"covered 0/1, not: {name}\n" in line for line in run.lines), run)
            wait_until(lambda: [v for v in receiver.values("/jackprobe/event") if v[2] == f"covered 0/1, not: {name}"], "the event")
            self.assertEqual(receiver.faults, [])
            self.assertEqual({len(w) for w in run.windows()}, {len(run.windows()[0])})

    def test_overrun_ends_it_at_once_when_none_is_allowed(self):
        spike = ["--spike", "100:4000"]  # one and a half periods
        with truth.Load(self.server, *spike), Watch(self.server, "--max-overruns", 0) as run:
            self.assertEqual(run.join(), 3)
            self.assertGreater(run.summary()["overruns"], 0)
            self.assertGreaterEqual(run.events("overrun")[0]["value_us"], 2666.6)

    def test_hung_client_holds_nothing_up(self):
        options = [*QUIET, "--processes", "--clients", "2"]
        with self.make() as server, truth.Load(server, *options) as load, Watch(server, cycles=True) as run:
            run.wait_for_window(clients=2, covered=2)
            victim = truth.children(load.process.pid)[0]
            os.kill(victim, signal.SIGSTOP)
            try:
                n, told = len(run.windows()), len(run.lines)
                run.wait("windows and lines go on", lambda: len(run.windows()) > n + 8 and len(run.lines) > told + 8)
                run.process.send_signal(signal.SIGINT)
                self.assertEqual(run.join(seconds=5), 0)
                self.assertEqual(sum("summary of" in line for line in run.lines), 1)
            finally:
                os.kill(victim, signal.SIGCONT)

    def test_period_changes(self):
        with self.make() as server, Watch(server, cycles=True) as run:
            run.wait_for_window(frames=128, period_us="2666.667")
            self.change_period(server, 256)
            run.wait_for_window(frames=256, period_us="5333.333", state="running")
            self.assertEqual(run.end(), 0)
            self.assertIn(5333.333, [e["period_us"] for e in run.events("epoch")])
            sizes = [r["nframes"] for r in run.cycles()]
            self.assertEqual(sizes, sorted(sizes), "first all of one size, then all of the other")
            self.check_summary(run)

    def test_server_dies_while_the_probe_starts(self):
        """Whatever it is doing at that moment: one sentence, or a run without a server."""
        with self.make() as server:
            for delay_ms in range(12, 40, 3):
                probe = server.popen(PROBE, "--batch", "--duration", "0.3")
                time.sleep(delay_ms / 1000)  # the moment is what is tried
                server.kill()
                out, err = probe.communicate(timeout=20)
                self.assertIn(probe.returncode, (0, 1), f"after {delay_ms} ms: {err}{out}")
                if "summary of" not in out:
                    self.assertEqual((probe.returncode, err.count("\n")), (1, 1), f"after {delay_ms} ms: {err}")
                server.launch()
                wait_until(server.answers, "the server is back")

    def survive(self, times):
        """The server dies and comes back so often."""
        with self.make() as server, Watch(server, interval=0.1, cycles=True) as run:
            run.wait_for_window(state="running")
            few = None
            for _ in range(times):
                n = len(run.windows())
                server.kill()
                row = run.wait_for_window(state="disconnected", cycles="", after=n)
                self.assertEqual({row[c] for c in ("overruns", "cycle_end_max_us", "clients", "covered")}, {""})
                n = len(run.windows())
                server.launch()
                run.wait("cycles are counted again", lambda: any(int(w["cycles"] or 0) > 0 for w in run.windows()[n:]))
                few = few or run.descriptors()
            # Some belong to a connection that is just being made or taken down: wait for those to go.
            run.wait("no more descriptors than at the first return", lambda: run.descriptors() <= few)
            run.wait("the facts are complete again", lambda: {"server", "callback_sched", "clock"} <= set(run.meta()))
            run.wait_for_window(state="running", after=len(run.windows()))
            self.assertEqual(run.end(), 0)
            self.assertLess(len(run.errors), 20, run.errors)
            for name in ("server_gone", "server_back"):  # too many a second are counted, not written
                told = sum(1 + e["suppressed"] for e in run.events(name))
                self.assertTrue(times // 2 < told <= times, (name, told))
            self.check_lost(run, server.period_ns)
            self.check_summary(run)

    def check_lost(self, run, period_ns):
        """What was not there was not lost: a busy machine may lose cycles, but none between two servers."""
        lost = {e["frame"]: e["value_us"] for e in run.events("lost")}
        rows = [row for row in run.cycles() if row["wake_ns"]]
        for before, row in zip(rows, rows[1:]):
            apart = int(row["wake_ns"]) - int(before["wake_ns"])
            if int(row["frame"]) in lost and int(before["frame"]) < int(row["frame"]):
                self.assertLess(apart, 1000 * lost[int(row["frame"])] + 20 * period_ns, (before, row))
            elif apart > 60 * period_ns:  # the server was away
                self.assertNotIn(int(row["frame"]), lost, (before, row))

    def test_stopped_server_is_stale(self):
        """MPE-Sound-Module PR 85: a dead figure that stands on is worse than none."""
        with self.make() as server, Watch(server) as run:
            run.wait_for_window(state="running")
            server.process.send_signal(signal.SIGSTOP)
            try:
                row = run.wait_for_window(state="stale", cycles="", seconds=6)
                empty = [c for c in row if re.match("cycle_end|headroom|dispatch|lateness|load|tail_hop", c)]
                self.assertGreater(len(empty), 15)
                self.assertEqual({row[c] for c in [*empty, "cycles", "overruns", "lost", "incomplete", "xruns"]}, {""})
                self.assertGreaterEqual(run.wait_for_event("stale")["value_us"], 2e6)
                zeros = [w for w in run.windows() if w["cycles"] == w["incomplete"] == w["freewheel"] == "0"]
                self.assertEqual(zeros, [], "unknown, from the first window without a cycle")
                server.process.send_signal(signal.SIGCONT)
                n = len(run.windows())
                self.assertGreater(int(run.wait_for_window(state="running", after=n)["cycles"]), 0)
                server.process.send_signal(signal.SIGSTOP)
                self.assertEqual(run.end(seconds=5), 0)
                self.assertEqual(sum("summary of" in line for line in run.lines), 1)
                self.check_summary(run)
            finally:
                server.process.send_signal(signal.SIGCONT)
            wait_until(lambda: "jackprobe-" not in server.run("jack_lsp").stdout, "the probe is forgotten")


class OnJackd(Session, unittest.TestCase):
    make = Jackd
    wake, brand = "driver", "^jackd2 "

    @staticmethod
    def change_period(server, frames):
        need("jack_bufsize")
        server.run("jack_bufsize", str(frames))

    def test_server_dies_twenty_times(self):
        """jack2#395, jack-matchmaker#1."""
        self.survive(20)

    def test_freewheel(self):
        """jack2#758."""
        need("jack_freewheel")
        with self.make() as server, Watch(server, cycles=True) as run:
            run.wait_for_window(state="running")
            server.run("jack_freewheel", "y")
            run.wait_for_event("freewheel", kind="start")
            server.run("jack_freewheel", "n")
            run.wait_for_event("freewheel", kind="end")
            run.wait_for_window(state="running", after=len(run.windows()))
            self.assertEqual(run.end(), 0)
            summary = self.check_summary(run)
            rows = run.cycles()
            known = [r for r in rows if r["wake_ns"] and r["end_ns"] and not int(r["flags"]) & 1]
            late = [r for r in known if int(r["end_ns"]) - int(r["wake_ns"]) > 2666667]
            self.assertEqual(summary["overruns"], len(late))
            self.assertEqual(summary["freewheel"], sum(int(r["flags"]) & 1 for r in rows))
            self.assertGreater(summary["freewheel"], 100)
            self.assertEqual([e["kind"] for e in run.events("freewheel")], ["start", "end"])
            self.assertEqual(len(run.events("epoch")), 2)


    def position(self):
        """Where the server's transport stands, as another client sees it."""
        show = self.server.popen("jack_showtime")
        try:
            return re.match(r"frame = (\d+) .*state: (\w+)", show.stdout.readline()).groups()
        finally:
            stop(show)
            show.communicate()

    def order(self, transport, run, *orders):
        """Each with some windows behind it."""
        for order in orders:
            transport.stdin.write(order + "\n")
            transport.stdin.flush()
            n = len(run.windows())
            run.wait(f"windows after {order}", lambda: len(run.windows()) > n + 1)

    def test_transport_jumps(self):
        """The transport's position is not the frame counter: nothing is lost, and no epoch begins."""
        need("jack_transport", "jack_showtime")
        calm.attempts(self.jump_attempt)

    def jump_attempt(self):
        with Watch(self.server, cycles=True) as run:
            run.wait_for_window(state="running")
            transport = self.server.popen("jack_transport", stdin=subprocess.PIPE)
            try:
                self.order(transport, run, "play", "locate 480000", "locate 0", "stop", "locate 4000000000")
                self.assertEqual(run.end(), 0)
                self.assertEqual(self.position(), ("4000000000", "Stopped"), "the orders were obeyed")
            finally:
                transport.communicate("locate 0\nquit\n", timeout=20)
        self.assertEqual((run.events("epoch"), run.values("epoch"), run.values("state")), ([], {"1"}, {"running"}))
        rows = [row for row in run.cycles() if row["head_ns"]]  # a call of the tail alone knows no cycle
        for before, row in zip(rows, rows[1:]):
            apart = int(row["frame"]) - int(before["frame"])
            self.assertTrue(128 <= apart < 48000, f"no jump of the transport: {before} {row}")
        summary = self.check_summary(run)
        if summary["lost"] or summary["incomplete"]:
            raise calm.Busy(f"{summary['lost']} cycles were lost, {summary['incomplete']} incomplete: {run}")
        self.assertEqual({int(b["frame"]) - int(a["frame"]) for a, b in zip(rows, rows[1:])}, {128})


class OnPipeWire(Session, unittest.TestCase):
    make = PipeWire
    wake, brand = "driver", "^PipeWire "  # from the profiler

    @staticmethod
    def change_period(server, frames):
        need("pw-metadata")
        server.run("pw-metadata", "-n", "settings", "0", "clock.force-quantum", str(frames))

    def test_server_dies(self):
        self.survive(3)


class WithoutRights(unittest.TestCase):
    def test_server_and_probe_of_a_plain_user(self):
        """void-packages#20051, jack2#429: no real-time priority, little memory to lock."""
        with NobodysJackd() as server, Watch(server) as run:
            run.wait_for_window(state="running")
            run.wait_for_window(state="running", after=len(run.windows()))
            self.assertEqual(run.end(), 0)
            policy = run.meta()["callback_sched"]
            self.assertRegex(policy, "^SCHED_OTHER: not real-time, ")
            self.assertEqual([e["detail"] for e in run.events("graph") if e.get("kind") == "scheduling"], [policy])
            self.assertEqual(sum("SCHED_OTHER" in line for line in run.lines), 1, run)
            self.assertGreater(run.summary()["cycles"], 50)
            self.assertEqual(run.errors, [])


class NobodysJackd(Jackd):
    """jackd and its clients as a user without any right."""

    def launch(self):
        need("jackd", "jack_wait", "prlimit", "setpriv")
        self.env["JACK_DEFAULT_SERVER"] = self.name
        os.chmod(self.dir, 0o777)
        self.prefix = ["prlimit", "--rtprio=0", "--memlock=65536"]
        if os.geteuid() == 0:
            self.prefix += ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        self.spawn([*self.prefix, "jackd", "-n", self.name, "-r", "-d", "dummy", "-r", str(self.rate), "-p", str(self.frames)])


if __name__ == "__main__":
    unittest.main()
