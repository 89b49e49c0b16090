"""A client that is stopped in the middle of a chain: it is named, and no cycle that it holds up gets an end from the others'."""
import os
import signal
import time
import unittest

import truth
from servers import Jackd, PipeWire
from watch import Watch

VICTIM = "load-1"
HELD_S = 1.5  # how long at least: the event is due after half a second
# Its first cycle may have been done before the signal; the last before it runs again may be the late ones it then ends.
MARGIN_NS = 100_000_000


class Stuck:
    clock = time.CLOCK_MONOTONIC_RAW
    make_server = None

    def held_up(self, watch, since_ns, until_ns):
        """The cycles that began while the client was stopped for certain."""
        rows = [r for r in watch.cycles() if r["wake_ns"]]
        return [r for r in rows if since_ns + MARGIN_NS < int(r["wake_ns"]) < until_ns - MARGIN_NS]

    def test_clients_are_known_after_the_server_stood_still(self):
        with self.make_server() as server, truth.Load(server, "--shape", "chain", "--clients", "2"):
            with Watch(server, "--timing", "server") as watch:
                watch.wait("clients' figures", lambda: watch.objects("client"))
                for _ in range(2):
                    server.process.send_signal(signal.SIGSTOP)
                    time.sleep(0.5)  # the delay to be made up for
                    server.process.send_signal(signal.SIGCONT)
                    seen = len(watch.windows())
                    watch.wait("windows", lambda seen=seen: len(watch.windows()) > seen + 2)
                told = len(watch.objects("client"))
                watch.wait("clients' figures again", lambda: len(watch.objects("client")) > told + 1)
                self.assertEqual(watch.end(), 0, watch)
            self.assertEqual([e for e in watch.events("graph") if e.get("kind") == "timing"], [])
            self.assertEqual(watch.windows()[-1]["end_source"], "server")

    def test_a_stopped_client_is_named(self):
        with self.make_server() as server:
            options = ["--shape", "chain", "--clients", "3", "--burn", "100", "--processes"]
            with truth.Load(server, *options) as load, Watch(server, "--timing", "server", cycles=True) as watch:
                watch.wait_for_window(covered=3)
                watch.wait("clients' figures", lambda: watch.objects("client"))
                victim = truth.children(load.process.pid)[1]
                os.kill(victim, signal.SIGSTOP)
                since = time.clock_gettime_ns(self.clock)
                try:
                    started = watch.wait_for_event("stuck", kind="start")
                    left = since + HELD_S * 1e9 - time.clock_gettime_ns(self.clock)
                    time.sleep(max(0.0, left / 1e9))  # the time to be measured
                finally:
                    until = time.clock_gettime_ns(self.clock)
                    os.kill(victim, signal.SIGCONT)
                ended = watch.wait_for_event("stuck", kind="end")
                self.assertEqual(watch.end(), 0, watch)
                self.assertEqual((started["client"], ended["client"]), (VICTIM, VICTIM), watch)
                self.assertGreaterEqual(started["value_us"], 0.5e6, started)
                self.assertGreater(ended["value_us"], started["value_us"])
                self.assertLess(ended["value_us"], (until - since) / 1e3 + 1e6, "longer than it was")
                self.assertRegex(watch.summary()["stuck"], rf"^{VICTIM} (\d+ times )?for \d+\.\d\d s \(\d+ cycles?\)$")
                self.assertGreater(sum(o["late"] for o in watch.objects("client") if o["client"] == VICTIM), 1)
                held = self.held_up(watch, since, until)
                self.assertGreater(len(held), 1, watch)
                for row in held:
                    if row["end_ns"]:  # not before it ran again; or no more is known than that it was late anyhow
                        end = min(until, int(row["wake_ns"]) + server.period_ns)
                        self.assertGreaterEqual(int(row["end_ns"]), end, f"{row} ended while {VICTIM} was stopped\n{watch}")
                for event in watch.events("overrun"):
                    if since < event["mono_ns"] < until - MARGIN_NS and event["value_us"] > HELD_S * 1e6 / 2:
                        self.assertEqual(event.get("client"), VICTIM, watch)


class OnJackdAsync(Stuck, unittest.TestCase):
    make_server = Jackd


class OnJackdSync(Stuck, unittest.TestCase):
    @staticmethod
    def make_server():
        return Jackd(sync=True)


class OnPipeWire(Stuck, unittest.TestCase):
    clock = time.CLOCK_MONOTONIC
    make_server = PipeWire


if __name__ == "__main__":
    unittest.main()
