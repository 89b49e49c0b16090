"""What the whole program makes of cycles that a script lays down to the microsecond: windows, cycles, events and summary."""
import unittest

from scripted import WARM_UP_FRAMES, Scripted, play


class Figures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Scripted("").start()

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def play(self, script, **where):
        """@return the run; its warm-up was seen: the script's cycles are all in it."""
        run = play(self.server, script, **where)
        self.assertEqual(run.windows()[0]["epoch"], "1")
        self.assertEqual(run.cycles()[0]["nframes"], "64")
        return run

    def body(self, run):
        """The cycles after the warm-up."""
        rows = run.cycles()
        return rows[next(i for i, row in enumerate(rows) if row["nframes"] != "64") :]

    def end_us(self, row):
        return (int(row["end_ns"]) - int(row["wake_ns"])) / 1000

    def test_one_late_cycle_among_thousands_is_the_headline(self):
        """jack2 PR 1007: an average over the load hides the cycle that counts."""
        run = self.play("cycles 5000 end_us=800\ncycles 1 end_us=3466\ncycles 4999 end_us=800\n")
        self.assertEqual(len(self.body(run)), 10000)
        worst = max(run.windows(), key=lambda w: float(w["cycle_end_max_us"] or 0))
        self.assertEqual((worst["cycle_end_max_us"], worst["overruns"]), ("3466.000", "1"))
        self.assertAlmostEqual(float(worst["load_max_pct"]), 130, delta=0.1)
        self.assertEqual(worst["headroom_min_us"], "-799.333")
        self.assertEqual(run.total("overruns"), 1)
        summary = run.summary()
        self.assertEqual((summary["overruns"], summary["cycle_end_max_us"], summary["cycle_end_n"]), (1, 3466, 10000))
        self.assertAlmostEqual(summary["load_max_pct"], 130, delta=0.1)
        self.assertAlmostEqual(summary["cycle_end_p50_us"], 800, delta=0.5)
        self.assertEqual(summary["worst_frame"], int(self.body(run)[5000]["frame"]))
        [event] = run.events("overrun")
        self.assertEqual((event["value_us"], event["period_us"], event["frame"]), (3466, 2666.667, summary["worst_frame"]))
        self.assertTrue(any(" max=3466.0 " in line and " overruns=1 " in line for line in run.lines), run)

    def test_absurd_xrun_delays_are_unknown(self):
        """jack2#307, jackclient-python#66: negative, huge and zero delays are no delays."""
        delays = [-180961.472, -180962.464, -584367.424, -1177622.016, 0, 1e9, float("nan"), float("inf")]
        run = self.play("".join(f"cycles 100\nxrun {d}\n" for d in delays) + "cycles 100\n")
        self.assertEqual(run.total("xruns"), len(delays))
        self.assertEqual({w["xrun_delay_max_us"] for w in run.windows()}, {""})
        summary = run.summary()
        self.assertEqual((summary["xruns"], summary["overruns"], summary["lost"]), (len(delays), 0, 0))
        self.assertNotIn("xrun_delay_max_us", summary)
        self.assertEqual((summary["cycle_end_min_us"], summary["cycle_end_max_us"]), (100, 100))
        events = run.events("xrun")
        self.assertGreater(len(events), 0)
        self.assertEqual([e for e in events if "value_us" in e], [])
        self.assertEqual(sum(1 + e["suppressed"] for e in events), len(delays))
        self.assertTrue(any(line.endswith("! xrun delay unknown\n") for line in run.lines), run)

    def test_believable_xrun_delay_is_told(self):
        run = self.play("cycles 100\nxrun 0\nxrun 1234.5\ncycles 100\n")
        self.assertEqual({w["xrun_delay_max_us"] for w in run.windows()}, {"", "1234.500"})
        self.assertEqual([e.get("value_us") for e in run.events("xrun")], [None, 1234.5])
        self.assertEqual(run.summary()["xrun_delay_max_us"], 1234.5)

    def test_events_that_were_held_back_are_told_at_the_end(self):
        """A storm up to the very end: the events add up to the summary's counts."""
        run = self.play("cycles 100 end_us=100\n" + "xrun 0\ncycles 3 end_us=100\ncycles 1 end_us=3000\n" * 300 + "cycles 1 end_us=100\n")
        summary = run.summary()
        for name, count in (("overrun", summary["overruns"]), ("xrun", summary["xruns"])):
            with self.subTest(name):
                events = run.events(name)
                self.assertEqual(count, 300)
                self.assertLess(len(events), 100, "a limited rate")
                self.assertEqual(sum(1 + e["suppressed"] for e in events), count)
        self.assertEqual(run.events("overrun")[-1]["frame"], int(run.cycles()[-2]["frame"]), "the last one is told")

    def test_frame_counter_that_wraps(self):
        """jack2#1012: the counter wraps at 2^32; others broke at 2^31 too."""
        for start in (0xFFFFFF00, 0x7FFFFF80):
            with self.subTest(start=hex(start)):
                run = self.play("cycles 500\n", before=f"frame {start - WARM_UP_FRAMES}\n")
                frames = [int(r["frame"]) for r in self.body(run)]
                self.assertEqual(frames, [start + 128 * i for i in range(500)])
                self.assertEqual((run.summary()["lost"], run.summary()["incomplete"]), (0, 0))

    def test_sizes_change_before_anybody_is_told(self):
        """jack2#437, jacktrip PR 1505: the cycle's own size counts, whatever the callback says later."""
        sizes = [128, 512, 16, 8192]
        run = self.play("".join(f"cycles 100 nframes={n} end_us=50\n" for n in sizes) + "buffer 8192\ncycles 10 end_us=50\n")
        body = self.body(run)
        self.assertEqual([int(r["nframes"]) for r in body], [n for n in sizes for _ in range(100)] + [8192] * 10)
        frames = [int(r["frame"]) for r in body]
        self.assertEqual([b - a for a, b in zip(frames, frames[1:])], [int(r["nframes"]) for r in body[:-1]])
        self.assertEqual([i for i, r in enumerate(body) if int(r["flags"])], [0, 100, 200, 300])
        self.assertEqual([e["period_us"] for e in run.events("epoch")], [round(n * 1e6 / 48000, 3) for n in sizes])
        for window in run.windows():
            if int(window["cycles"] or 0):
                self.assertEqual(float(window["period_us"]), round(int(window["frames"]) * 1e6 / 48000, 3))
        summary = run.summary()
        self.assertEqual((summary["overruns"], summary["lost"], summary["incomplete"], summary["epoch"]), (0, 0, 0, 5))
        self.assertEqual(summary["cycle_end_n"], 110, "no statistic spans two epochs")

    def test_rate_changes_while_it_runs(self):
        """jack2#32."""
        run = self.play("samplerate 44100\ncycles 500 end_us=2700\nsamplerate 48000\ncycles 500 end_us=2600\n")
        body = self.body(run)
        self.assertEqual([r["rate_hz"] for r in body], ["44100"] * 500 + ["48000"] * 500)
        summary = run.summary()
        self.assertEqual((summary["rate_hz"], summary["overruns"], summary["lost"]), (48000, 0, 0))
        self.assertEqual(summary["cycle_end_max_us"], 2600)
        self.assertEqual([e["period_us"] for e in run.events("epoch")], [2902.494, 2666.667])

    def test_freewheel_enters_no_statistic(self):
        """jack2#758: cycles that come a hundred times faster are no overruns."""
        wheel = "freewheel on\ncycles 3000 end_us=20 step_us=27\nfreewheel off\n"
        run = self.play("cycles 300\n" + wheel + "cycles 300\n")
        summary = run.summary()
        self.assertEqual((summary["freewheel"], summary["overruns"], summary["lost"]), (3000, 0, 0))
        self.assertEqual(run.total("freewheel"), 3000)
        self.assertEqual(summary["cycle_end_max_us"], 100)
        self.assertEqual([e["kind"] for e in run.events("freewheel")], ["start", "end"])
        epochs = [e["detail"].split(": ")[1] for e in run.events("epoch")]
        self.assertEqual(epochs[1:], ["freewheel start", "freewheel end"])
        self.assertEqual(sum(int(r["flags"]) & 1 for r in self.body(run)), 3000)
        self.assertIn("freewheel", {w["state"] for w in run.windows()})

    def test_a_window_without_a_cycle_says_nothing(self):
        """Before it counts as stale, too: nobody knows of no overruns where nothing came."""
        run = self.play("cycles 100\nwait 0.7\nxrun 0\nwait 0.7\ncycles 100\n")
        silent = [w for w in run.windows() if w["cycles"] == ""]
        self.assertGreaterEqual(len(silent), 4, run)
        self.assertEqual({w["state"] for w in silent}, {"running"})
        for column in ("overruns", "lost", "incomplete", "freewheel", "dropped", "cycle_end_max_us"):
            self.assertEqual({w[column] for w in silent}, {""}, column)
        self.assertEqual(sorted(w["xruns"] for w in silent if w["xruns"]), ["1"], "what was told is known")
        self.assertEqual([w for w in run.windows() if w["cycles"] == w["incomplete"] == w["freewheel"] == "0"], [])
        self.assertEqual((run.total("cycles"), run.summary()["xruns"]), (run.summary()["cycles"], 1))

    def test_missing_periods_are_lost_cycles(self):
        run = self.play("cycles 200\nskip 3\ncycles 200\nskip 1\ncycles 200\n")
        self.assertEqual(run.total("lost"), 4)
        self.assertEqual([round(e["value_us"], 2) for e in run.events("lost")], [8000, 2666.67])
        self.assertEqual(run.summary()["lost"], 4)

    def test_late_cycles_have_their_own_ends(self):
        """A call of the tail that comes in a later cycle's frame is the end of the cycle that it was late in."""
        script = "cycles 100 end_us=500\ncycles 1 end_us=3500\n" * 5 + "cycles 100 end_us=500\n"
        for mode, slack_us in (("queued", 1), ("sync", 0)):
            with self.subTest(mode=mode):
                run = self.play(script, before=f"mode {mode}\n")
                self.assertEqual(run.summary()["overruns"], 5)
                ends = [self.end_us(r) for r in self.body(run)]
                late = ends[100::101]
                self.assertEqual(len(late), 5)
                for us in late:
                    self.assertGreaterEqual(us, 3500)
                    self.assertLessEqual(us, 3500 + slack_us)
                self.assertEqual({us for i, us in enumerate(ends) if i % 101 < 99 and i % 101 > 1}, {500})

    def test_head_and_lateness_are_told_apart(self):
        run = self.play("cycles 500 late_us=40 dispatch_us=70 end_us=900\n")
        summary = run.summary()
        for name, us in (("lateness", 40), ("dispatch", 70), ("cycle_end", 900)):
            with self.subTest(name=name):
                self.assertEqual((summary[f"{name}_n"], summary[f"{name}_min_us"], summary[f"{name}_max_us"]), (500, us, us))
        row = self.body(run)[250]
        self.assertEqual(int(row["wake_ns"]) - int(row["nominal_ns"]), 40000)
        self.assertEqual(int(row["head_ns"]) - int(row["wake_ns"]), 70000)


if __name__ == "__main__":
    unittest.main()
