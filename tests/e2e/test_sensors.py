"""Sensors on fake trees, and the real /dev/cpu_dma_latency, through the whole program."""
import os
import re
import shutil
import struct
import subprocess
import unittest

from scripted import Scripted, play
from servers import PROBE, ROOT, need
from watch import Watch

FOREVER = "pace real\ncycles 1000000\n"
POWERCAP = "sys/class/powercap"
DEVICE = "/dev/cpu_dma_latency"


class Sensors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Scripted(FOREVER).start()

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def setUp(self):
        self.server.play(FOREVER)
        self.tree = self.server.path("tree")
        shutil.copytree(os.path.join(ROOT, "tests", "fakeroot", "client"), self.tree)
        self.addCleanup(shutil.rmtree, self.tree)

    def path(self, name):
        return os.path.join(self.tree, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w") as file:
            file.write(text)

    def notes(self, run, sensor):
        return [n for n in run.summary()["notes"] if n.startswith(f"{sensor}: ")]

    def test_counters_that_may_not_be_read(self):
        """codecarbon#244, MangoHud#1382, scaphandre#351: energy_uj is root's since 2020."""
        through = []
        if os.geteuid() == 0:
            need("setpriv")
            through = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
        zones = os.listdir(self.path(POWERCAP))
        for zone in zones:
            os.chmod(self.path(f"{POWERCAP}/{zone}/energy_uj"), 0)
        self.assertGreater(len(zones), 3)
        run = play(self.server, "cycles 3000 end_us=700\n", "--sysroot", self.tree, through=through)
        self.assertEqual(run.values("power_w"), set())
        self.assertNotIn("power_package_0_w", run.windows()[0])
        [note] = self.notes(run, "energy")
        self.assertRegex(note, "energy_uj is readable by root only: chgrp .* or run as root")
        said = " ".join(" ".join(run.lines).split())  # the summary breaks its sentences into lines
        self.assertEqual(said.count(note), 1, run)
        self.assertIn(note.removeprefix("energy: "), run.meta()["sensor_energy"])
        summary = run.summary()
        self.assertEqual((summary["cycle_end_n"], summary["cycle_end_max_us"], summary["lost"]), (3000, 700, 0))
        self.assertNotIn("power_mean_w", summary)

    def manual(self):
        """Its words, without roff's escapes."""
        with open(os.path.join(os.path.dirname(PROBE), "jackprobe.1")) as file:
            return set(re.findall(r"\w+", re.sub(r"\\f.", "", file.read())))

    def in_words_of_the_manual(self, key):
        """DIST, ZONE, STATE and NAME stand for what there is."""
        key = re.sub(r"^(cycle_end|dispatch|lateness|tail_hop|head_cost|tail_cost)_", "DIST_", key)
        key = re.sub(r"^(power|temp)_(\w+)_([wc])$", lambda m: key if m[2] == "mean" else f"{m[1]}_ZONE_{m[3]}", key)
        key = re.sub(r"^idle_\w+_pct$", "idle_STATE_pct", key)
        return re.sub(r"^sensor_\w+$", "sensor_NAME", key)

    def test_every_member_stands_in_the_manual(self):
        script = "cycles 500\nskip 1\ncycles 100 end_us=2700\nxrun 5.5\ncycles 500\n"
        run = play(self.server, script, "--sysroot", self.tree, "--hold", "20", "--osc", "127.0.0.1:9", "--max-overruns", 10**6)
        watched = play(self.server, script, "--watch", os.getpid())
        words, seen = self.manual(), set()
        for one in (run, watched):
            for kind in ("meta", "window", "event", "summary"):
                for key in set().union(*one.objects(kind)):
                    seen.add(key)
                    self.assertIn(self.in_words_of_the_manual(key), words, f"{kind}: {key}")
        expected = {"throttle_count", "watch_majflt", "suppressed", "mono_ns", "head_cost_p99_us", "osc_dropped", "worst_frame"}
        self.assertLessEqual(expected, seen)

    def callbacks(self, kinds):
        """What the summary says of where head and tail ran, on a machine with these kinds of CPUs."""
        for name, cpus in kinds.items():
            self.write(f"sys/devices/{name}/cpus", cpus + "\n")
        run = play(self.server, "cycles 1000\n", "--sysroot", self.tree)
        [line] = [line for line in run.lines if line.startswith("callbacks ")]
        return line.rstrip("\n")

    def test_callbacks_and_the_kind_of_their_cpu(self):
        share = r"(\d\d|100) %"
        self.assertRegex(self.callbacks({}), rf"^callbacks   head on CPU \d+ {share}, tail on CPU \d+ {share}$")
        here = sorted(os.sched_getaffinity(0))
        kinds = {"cpu_core": ",".join(map(str, here)), "cpu_atom": str(here[-1] + 1)}
        where = rf"CPU \d+ \(P-core\) {share}"
        self.assertRegex(self.callbacks(kinds), rf"^callbacks   head on {where}, tail on {where}$")

    def add_energy(self, joules):
        """{zone directory: energy that it has used at once}; in place and as long as before, so that no reader sees half of it."""
        for zone, more in joules.items():
            with open(self.path(f"{POWERCAP}/{zone}/energy_uj"), "r+") as file:
                before = file.read().strip()
                after = str(int(before) + round(more * 1e6))
                self.assertEqual(len(after), len(before))
                file.seek(0)
                file.write(after)

    def joules(self, rows, column):
        """Power times time. A window whose power is not known adds nothing."""
        ends = [0, *(float(w["elapsed_s"]) for w in rows)]
        return sum(float(w[column] or 0) * (end - begin) for begin, end, w in zip(ends, ends[1:], rows))

    def test_packages_are_summed_once(self):
        """powerstat#4, #5, codecarbon PR 950: parts, psys and the second interface to the same package are no packages.
        MangoHud PR 507: the first reading of a counter is no power."""
        used = {"intel-rapl:0": 4, "intel-rapl:0:0": 3, "intel-rapl:0:2": 2, "intel-rapl:1": 9, "intel-rapl-mmio:0": 4}
        for mmio in (True, False):
            if not mmio:
                shutil.rmtree(self.path(f"{POWERCAP}/intel-rapl-mmio:0"))
                del used["intel-rapl-mmio:0"]
            with self.subTest(mmio=mmio), Watch(self.server, "--sysroot", self.tree) as run:
                run.wait("windows", lambda: len(run.windows()) > 2)
                self.assertEqual(run.values("power_w"), set(), "nothing has been used yet")
                n = len(run.windows())
                self.add_energy(used)
                run.wait("windows", lambda: len(run.windows()) > n + 2)
                self.assertEqual(run.end(), 0)
                rows = run.windows()
                zones = {c: round(self.joules(rows, c), 1) for c in rows[0] if c.startswith("power_")}
                self.assertEqual(
                    zones,
                    {
                        "power_w": 4.0,
                        "power_package_0_w": 4.0,
                        "power_package_0_core_w": 3.0,
                        "power_package_0_uncore_w": 0.0,
                        "power_package_0_dram_w": 2.0,
                        "power_psys_w": 9.0,
                    },
                )
                self.assertIn("powercap", run.meta()["sensor_energy"])

    def test_no_frequency_files(self):
        """cpufetch#4, gnome-shell-system-monitor#556."""
        cpus = "sys/devices/system/cpu"
        for cpu in os.listdir(self.path(cpus)):
            shutil.rmtree(self.path(f"{cpus}/{cpu}/cpufreq"), ignore_errors=True)
        with Watch(self.server, "--sysroot", self.tree, interval=0.1) as run:
            run.wait("windows", lambda: len(run.windows()) > 12)
            self.assertEqual(run.end(), 0)
        for column in ("freq_mean_mhz", "freq_min_mhz", "freq_max_mhz", "rt_freq_mhz"):
            self.assertEqual(run.values(column), set())
        self.assertEqual(len(self.notes(run, "frequency")), 1)
        self.assertEqual(sum("frequency" in line for line in run.lines), 1, run)
        self.assertEqual(run.errors, [])

    def test_average_frequency_goes_before_the_spot(self):
        """htop#1070, resources#570."""
        for cpu in range(4):
            self.write(f"sys/devices/system/cpu/cpu{cpu}/cpufreq/cpuinfo_avg_freq", "3184097\n")
            self.write(f"sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_cur_freq", "400000\n")
        with Watch(self.server, "--sysroot", self.tree) as run:
            run.wait("windows", lambda: len(run.windows()) > 2)
            self.assertEqual(run.end(), 0)
        for column in ("freq_mean_mhz", "freq_max_mhz", "rt_freq_mhz"):
            self.assertEqual({round(float(mhz)) for mhz in run.values(column)}, {3184}, column)
        self.assertIn("cpuinfo_avg_freq", run.meta()["sensor_frequency"])

    def test_kind_of_the_callbacks_cpu(self):
        """pepc#10, psutil#2069: the callbacks run on this machine's first CPUs, which the tree says are of one kind."""
        last = max(os.sched_getaffinity(0))
        for kinds, share in ((("cpu_core", "cpu_atom"), "100.00"), (("cpu_atom", "cpu_core"), "0.00")):
            self.write(f"sys/devices/{kinds[0]}/cpus", f"0-{last}\n")
            self.write(f"sys/devices/{kinds[1]}/cpus", f"{last + 1}-{last + 8}\n")
            with self.subTest(kind=kinds[0]), Watch(self.server, "--sysroot", self.tree) as run:
                run.wait("windows", lambda: len(run.windows()) > 2)
                self.assertEqual(run.end(), 0)
                self.assertEqual(run.values("rt_pcore_pct"), {share})

    def test_no_kinds_no_share(self):
        with Watch(self.server, "--sysroot", self.tree) as run:
            run.wait("a window", run.windows)
            self.assertEqual(run.end(), 0)
        self.assertEqual(run.values("rt_pcore_pct"), set())

    def test_watched_process(self):
        with Watch(self.server, "--watch", os.getpid()) as run:
            run.wait("windows", lambda: len(run.windows()) > 2)
            self.assertEqual(run.end(), 0)
        with open("/proc/self/statm") as file:
            mib = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
        self.assertGreater(len(run.values("watch_rss_mib")), 0)
        for value in run.values("watch_rss_mib"):
            self.assertAlmostEqual(float(value), mib, delta=mib / 2)


class Latency(unittest.TestCase):
    """--hold."""

    @classmethod
    def setUpClass(cls):
        cls.server = Scripted(FOREVER).start()

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    @staticmethod
    def effective():
        with open(DEVICE, "rb") as file:
            return struct.unpack("i", file.read(4))[0]

    @unittest.skipUnless(os.access(DEVICE, os.R_OK | os.W_OK), f"{DEVICE} is closed or not there")
    def test_held_while_it_runs(self):
        before = self.effective()
        if before == 0:
            self.skipTest("somebody else holds it at 0")
        with Watch(self.server, "--hold", 0) as run:
            run.wait_for_window(dma_latency_us=0)
            self.assertEqual(self.effective(), 0)
            self.assertEqual(run.end(), 0)
            self.assertEqual(run.values("dma_latency_us"), {"0"})
        self.assertEqual(self.effective(), before)

    def test_refused_to_those_who_may_not(self):
        if os.access(DEVICE, os.W_OK) and os.geteuid() != 0:
            self.skipTest(f"{DEVICE} is open to everybody")
        before = []
        if os.geteuid() == 0:
            need("setpriv")
            before = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        program = self.server.path("jackprobe")
        shutil.copy(PROBE, program)
        os.chmod(self.server.dir, 0o755)
        done = subprocess.run([*before, program, "--batch", "--hold", "0"], capture_output=True, text=True, timeout=20, cwd="/")
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertRegex(done.stderr, f"{DEVICE} is (closed to this user: run as root, or|not there: )")


if __name__ == "__main__":
    unittest.main()
