"""What goes out over OSC, and what a target that is not there does to the rest."""
import unittest

from osc import DATAGRAM_MAX, Receiver, free_port
from scripted import Scripted, play
from watch import Watch

FOREVER = "pace real\ncycles 1000000\n"


class Osc(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Scripted(FOREVER).start()

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def setUp(self):
        self.server.play(FOREVER)

    def check_datagrams(self, receiver):
        self.assertEqual(receiver.faults, [])
        self.assertGreater(len(receiver.datagrams), 3)
        self.assertLessEqual(max(receiver.datagrams), DATAGRAM_MAX)

    def test_figures_are_those_of_the_file(self):
        """python-osc#21, #55: only what every receiver understands."""
        with Receiver() as receiver:
            run = play(self.server, "cycles 2000\ncycles 1 end_us=3466\ncycles 2000\nxrun -1\n", "--osc", receiver.target)
            rows = run.windows()
            receiver.wait_for("/jackprobe/frame", len({w["seq"] for w in rows}))
        self.check_datagrams(receiver)
        self.assertEqual({v[0] for v in receiver.values("/jackprobe/frame")}, {int(w["seq"]) for w in rows})
        for address, column in (("/cycles", "cycles"), ("/overruns", "overruns"), ("/xruns", "xruns"), ("/lost", "lost")):
            self.assertEqual([v[0] for v in receiver.values("/jackprobe" + address)], [int(w[column]) for w in rows if w[column]])
        longest = [v[0] for v in receiver.values("/jackprobe/cycle_end/max_us")]
        self.assertEqual(longest, [float(w["cycle_end_max_us"]) for w in rows if w["cycle_end_max_us"]], "unknown is not sent")
        self.assertEqual(max(longest), 3466)
        totals = receiver.values("/jackprobe/total/cycles")
        self.assertEqual(totals[-1], [str(run.total("cycles"))])
        self.assertEqual(receiver.values("/jackprobe/total/overruns")[-1], ["1"])
        hello = receiver.values("/jackprobe/hello")[0]
        self.assertEqual((hello[0], hello[2], hello[5]), ("jackprobe", 48000, "jackd2 1.9.21"))
        [late] = [v for v in receiver.values("/jackprobe/event") if v[0] == "overrun"]
        self.assertEqual((late[1], late[3], round(late[4], 2)), ("", 3466, 2666.67))
        [xrun] = [v for v in receiver.values("/jackprobe/event") if v[0] == "xrun"]
        self.assertEqual(xrun[3], -1, "a delay that is not known")

    def test_rows_have_the_columns_of_their_schema(self):
        with Receiver() as receiver:
            with Watch(self.server, "--osc", receiver.target, "--osc-profile", "row", "--osc-prefix", "/p/1") as run:
                receiver.wait_for("/p/1/row", 3)
                self.assertEqual(run.end(), 0)
        self.check_datagrams(receiver)
        schema = receiver.values("/p/1/row/schema")[0]
        cycles = {int(w["seq"]): int(w["cycles"]) for w in run.windows() if w["cycles"]}
        for values in receiver.values("/p/1/row"):
            row = dict(zip(schema, values, strict=True))
            self.assertEqual(row["cycles"], cycles.get(row["seq"], ""))

    def test_many_clients_fit_into_datagrams(self):
        """JUCE#141, samplicator#65: what is larger gets lost on the way."""
        names = [f"client-{i:02}-with-a-name-as-long-as-names-may-be-in-jack-{i:02}" for i in range(64)]
        self.server.play("".join(f"port {name}:out out audio\n" for name in names) + FOREVER)
        for profile in ("scalar", "row"):
            with self.subTest(profile=profile), Receiver() as receiver:
                with Watch(self.server, "--osc", receiver.target, "--osc-profile", profile) as run:
                    run.wait_for_window(clients=64)
                    receiver.wait_for("/jackprobe/frame" if profile == "scalar" else "/jackprobe/row", 2)
                    self.assertEqual(run.end(), 0)
                self.check_datagrams(receiver)

    def test_name_that_nobody_knows(self):
        """tascar#2, Chataigne#66."""
        with Receiver() as receiver:
            run = play(self.server, "cycles 3000\n", "--osc", "nosuch.invalid:9000", "--osc", receiver.target)
            receiver.wait_for("/jackprobe/frame", len(run.windows()))
        summary = run.summary()
        self.assertEqual((summary["cycle_end_n"], summary["dropped"], summary["lost"]), (3000, 0, 0))
        told = [e["detail"] for e in run.events("sink_error")]
        self.assertLessEqual(len(told), 1)
        for detail in told:  # a look-up may still be under way
            self.assertIn("nosuch.invalid:9000", detail)
        self.assertEqual(receiver.faults, [])

    def test_receiver_that_comes_later(self):
        """sqrmelon#4, pd#373: nobody listens at first."""
        port = free_port()
        with Watch(self.server, "--osc", f"127.0.0.1:{port}") as run:
            refused = run.wait_for_event("sink_error")
            self.assertIn(f"127.0.0.1:{port}", refused["detail"])
            run.wait("more windows", lambda: len(run.windows()) > 5)
            with Receiver(port) as receiver:
                seen = int(run.windows()[-1]["seq"])
                first = receiver.wait_for("/jackprobe/frame")[0]
                self.assertLessEqual(first, seen + 2, "the window at hand or the next")
                self.assertEqual(receiver.wait_for("/jackprobe/hello")[0], "jackprobe")
                receiver.wait_for("/jackprobe/frame", 3)
                self.assertEqual(run.end(), 0)
            numbers = [v[0] for v in receiver.values("/jackprobe/frame")]
            self.assertEqual(sorted(set(numbers)), list(range(first, numbers[-1] + 1)), "no window is missing")
            self.assertLessEqual(len(run.events("sink_error")), 2, "once when it fails, once when it works again")
            self.assertGreater(run.summary()["osc_dropped"], 0)


if __name__ == "__main__":
    unittest.main()
