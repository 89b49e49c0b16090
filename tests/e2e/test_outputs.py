"""Where the figures go and how a run ends: files, pipes, signals, thresholds, exit statuses. Against the scripted libjack."""
import contextlib
import fcntl
import glob
import os
import re
import signal
import subprocess
import unittest

from scripted import WARM_UP, Scripted, play
from servers import PATIENCE_S, PROBE, Jackd, need, wait_until
from watch import Watch, objects, table, whole_lines

NUMBER = r"-?\d+(\.\d+)?"
FOREVER = "pace real\ncycles 1000000\n"
LATE = "cycles 100\ncycles 1 end_us=3466\ncycles 100\n"


def thread_names(pid):
    """Of a process that may be ending."""
    names = []
    for path in glob.glob(f"/proc/{pid}/task/*/comm"):
        with contextlib.suppress(OSError), open(path) as file:
            names.append(file.read().strip())
    return names


class OnScript(unittest.TestCase):
    """Tests that share a place for scripts and files."""

    @classmethod
    def setUpClass(cls):
        cls.server = Scripted(FOREVER).start()

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def setUp(self):
        self.server.play(FOREVER)

    def run_probe(self, *options, **where):
        return self.server.run(PROBE, "--batch", *options, **where)


class Files(OnScript):
    def test_second_run_appends(self):
        file = self.server.path("twice.csv")
        sizes = []
        for _ in range(2):
            done = self.run_probe("--duration", "0.5", "--interval", "0.2", "--log", file)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            sizes.append(len(whole_lines(file)))
        lines = whole_lines(file)
        self.assertEqual(sum(line.startswith("time_utc,") for line in lines), 1)
        self.assertTrue(lines[0].startswith("time_utc,unix_ns,elapsed_s,seq,"))
        self.assertGreater(sizes[1], sizes[0])
        self.assertEqual({len(line.split(",")) for line in lines}, {len(lines[0].split(","))})
        self.assertEqual([row["seq"] for row in table(file)][sizes[0] - 1], "1")

    def test_file_with_another_header_is_refused(self):
        file = self.server.path("other.csv")
        for content in ("name,price\nbread,3\n", "time_utc,unix_ns\n", "\n"):
            with self.subTest(content=content):
                with open(file, "w") as f:
                    f.write(content)
                for option in ("--log", "--cycles", "--executions"):
                    done = self.run_probe("--duration", "5", option, file)
                    self.assertEqual((done.returncode, done.stdout), (1, ""))
                    self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                    self.assertIn("other.csv: ", done.stderr)
                    with open(file) as f:
                        self.assertEqual(f.read(), content)

    def test_header_with_controls_is_told_in_letters(self):
        file = self.server.path("escapes.csv")
        with open(file, "w") as f:
            f.write("\033[31mtime\033[2J\a,unix")
        done = self.run_probe("--duration", "5", "--log", file)
        self.assertIn(r"(first difference: column 1 '\x1b[31mtime\x1b[2J\x07' where 'time_utc' is expected)", done.stderr)
        self.assertTrue(done.stderr[:-1].isprintable(), done.stderr)

    def test_line_ends_of_another_system_are_named(self):
        file = self.server.path("ends.csv")
        self.assertEqual(self.run_probe("--duration", "0.3", "--log", file).returncode, 0)
        with open(file, newline="") as f:
            text = f.read()
        with open(file, "w", newline="") as f:
            f.write(text.replace("\n", "\r\n"))
        done = self.run_probe("--duration", "5", "--log", file)
        sentence = "has this run's header, but its lines end in CR LF; choose another name or take the CRs out"
        self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", f"jackprobe: {file}: {sentence}\n"))

    def test_directory_that_is_not_there(self):
        done = self.run_probe("--log", self.server.path("no/such.csv"))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"^jackprobe: .*no/such\.csv: the directory does not exist; make it first\n$")

    def test_hangup_opens_logs_again(self):
        with Watch(self.server, cycles=True, executions=True) as run:
            run.wait("a window", run.windows)
            run.wait("cycles", run.cycles)
            files = (run.csv, run.jsonl, run.cycles_file, run.executions_file)
            for file in files:
                os.rename(file, file + ".1")
            run.process.send_signal(signal.SIGHUP)
            run.wait("all are there again", lambda: all(map(os.path.exists, files)))
            row = run.wait("a window in the new file", run.windows)[0]
            run.wait("cycles in the new file", run.cycles)
            self.assertEqual(run.end(), 0, run)
            self.assertEqual(whole_lines(run.csv)[0], whole_lines(run.csv + ".1")[0])
            self.assertEqual(int(table(run.csv + ".1")[-1]["seq"]) + 1, int(row["seq"]), "no window is missing")
            self.assertEqual(objects(run.jsonl)[0]["type"], "meta")
            self.assertEqual(objects(run.jsonl)[-1]["type"], "summary")
            before, after = table(run.cycles_file + ".1")[-1], run.cycles()[0]
            self.assertEqual(int(before["frame"]) + int(before["nframes"]), int(after["frame"]), "no cycle is missing")

    def test_german_numbers_change_nothing(self):
        """phploc PR 66: a decimal comma in a file of commas."""
        need("localedef")
        place = self.server.path("locale")
        os.makedirs(place, exist_ok=True)
        made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", os.path.join(place, "de_DE.UTF-8")], capture_output=True)
        env = {"LOCPATH": place, "LC_ALL": "de_DE.UTF-8"}
        ask = "import locale; locale.setlocale(locale.LC_ALL, ''); print(locale.localeconv()['decimal_point'])"
        asked = subprocess.run(["python3", "-c", ask], env={**os.environ, **env}, capture_output=True, text=True)
        if asked.stdout != ",\n":
            self.skipTest(f"no German locale can be made here: {made.stderr.decode().strip() or asked.stderr}")
        runs = [play(self.server, LATE, env=e) for e in ({"LC_ALL": "C"}, env)]
        for name in ("csv", "cycles_file"):
            lines = [whole_lines(getattr(run, name)) for run in runs]
            self.assertEqual(lines[0][0], lines[1][0])
            for line in lines[1][1:]:
                self.assertEqual(len(line.split(",")), len(lines[1][0].split(",")))
                for field in line.split(","):
                    self.assertRegex(field, rf"^({NUMBER}|[a-z]*|\d+-\d+-\d+T\d+:\d+:[\d.]+Z)$")
        worst = [max(run.cycles(), key=lambda r: int(r["end_ns"]) - int(r["wake_ns"])) for run in runs]
        self.assertEqual(*({k: w[k] for k in ("frame", "nframes", "rate_hz", "flags", "wake_source")} for w in worst))
        self.assertEqual(*(run.summary()["cycle_end_max_us"] for run in runs))
        self.assertTrue(any(" max=3466.0 " in line for line in runs[1].lines), runs[1])

    @unittest.skipIf(os.geteuid() != 0, "needs root to mount a file system")
    def test_full_disk_is_said_and_survived(self):
        """eudaq#13, paass#50: a log on a full disk, that is enlarged later."""
        small = self.server.path("small")
        os.makedirs(small)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", small], capture_output=True, text=True)
        if mounted.returncode:
            self.skipTest(f"cannot mount: {mounted.stderr.strip()}")
        self.addCleanup(subprocess.run, ["umount", "-l", small])
        file = os.path.join(small, "cycles.csv")
        with Watch(self.server, "--cycles", file) as run:
            error = run.wait_for_event("sink_error")
            self.assertRegex(error["detail"], r"cycles\.csv: no space left on device: \d+ cycles not written; will go on when there is room")
            n = len(run.windows())
            run.wait("the other log goes on", lambda: len(run.windows()) > n + 2)
            self.assertEqual(len(run.events("sink_error")), 1, "said once")
            before = len(table(file))
            subprocess.run(["mount", "-o", "remount,size=16m", small], check=True)
            self.assertIn(": goes on after: no space left", run.wait_for_event("sink_error", 2)["detail"])
            run.wait("cycles are written again", lambda: len(table(file)) > before + 100)
            self.assertEqual(run.end(), 1, "not all was written")
            self.assertGreater(run.summary()["sink_errors"], 0)
            self.assertTrue(any("items not written" in line for line in run.lines))
            self.assertEqual({len(line.split(",")) for line in whole_lines(file)}, {13}, "no torn line")


class Endings(OnScript):
    def test_stopped_by_signals(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(signal=number.name), Watch(self.server) as run:
                run.wait_for_window(state="running")
                self.assertEqual(run.end(number, seconds=3), 0)
                self.assertEqual(sum("summary of" in line for line in run.lines), 1)
                self.assertEqual(run.objects("summary")[0]["seq"], int(run.windows()[-1]["seq"]))
                self.assertEqual(run.errors, [])

    def test_duration_and_interval(self):
        with Watch(self.server, "--duration", "1", interval=0.2) as run:
            self.assertEqual(run.join(), 0)
            rows = run.windows()
            self.assertEqual([int(w["seq"]) for w in rows], list(range(1, len(rows) + 1)))
            self.assertLessEqual(len(rows), 6)
            self.assertAlmostEqual(float(rows[0]["elapsed_s"]), 0.2, delta=0.15)
            self.assertGreaterEqual(float(rows[-1]["elapsed_s"]), 0.9)
            whole = run.total("cycles")
            self.assertEqual(run.summary()["cycles"], whole)
            self.assertGreater(whole, 100)

    def test_quiet_prints_the_summary_only(self):
        self.server.play(WARM_UP + LATE + FOREVER)
        done = self.run_probe("--quiet", "--duration", "1.2", "--interval", "0.2")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"^jackprobe: summary of 00:00:01\n")
        self.assertIn("overruns 1 ", done.stdout)

    def test_errors_are_said_although_quiet(self):
        full = self.server.path("full.csv")
        os.symlink("/dev/full", full)
        done = self.run_probe("--quiet", "--duration", "0.5", "--interval", "0.2", "--log", full)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^jackprobe: .*full\.csv: no space left on device(: 1 window not written)?; will go on when there is room\n$")
        self.assertRegex(" ".join(done.stdout.split()), r"logs \d+ items not written; last: \S*full\.csv: no space left on device")

    def test_summary_that_cannot_be_written_is_said(self):
        with open("/dev/full", "w") as full:
            for options in ["--quiet"], []:
                with self.subTest(options=options), self.server.popen(PROBE, "--duration", "0.5", *options, stdout=full) as process:
                    said = process.stderr.read()
                    self.assertEqual(process.wait(), 1)
                    self.assertRegex(said, r"^jackprobe: standard output: No space left on device[^\n]*\n$")

    def test_reader_that_has_gone_ends_neither_it_nor_its_logs(self):
        file = self.server.path("piped.csv")
        command = [PROBE, "--batch", "--interval", "0.2", "--log", file]
        with self.server.popen(*command) as process:
            process.stdout.close()
            wait_until(lambda: len(table(file)) > 3, "windows in the file")
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(timeout=3), 1, "not all was written")
            self.assertEqual(process.stderr.read(), "")

    def test_only_reader_that_has_gone_ends_it(self):
        with self.server.popen(PROBE, "--batch", "--interval", "0.2") as process:
            process.stdout.readline()
            process.stdout.close()
            self.assertEqual(process.wait(timeout=20), 1)

    def test_stop_key_does_not_stop_the_graph(self):
        """A head that is stopped stops every client behind it."""
        with Watch(self.server) as run:
            run.wait_for_window(state="running")
            for number in (signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU):
                run.process.send_signal(number)
            n = len(run.windows())
            run.wait("windows go on", lambda: len(run.windows()) > n + 2)
            self.assertGreater(int(run.windows()[-1]["cycles"] or 0), 0)
            with open(f"/proc/{run.process.pid}/status") as file:
                self.assertNotIn("State:\tT", file.read())
            self.assertEqual(run.end(), 0)

    def test_live_page_gives_the_terminal_back(self):
        self.server.play(WARM_UP + LATE + FOREVER)
        ours, theirs = os.openpty()
        env = {**self.server.env, "TERM": "xterm", "LC_ALL": "C.UTF-8"}
        shown = b""
        with subprocess.Popen([PROBE, "--interval", "0.2"], env=env, stdin=theirs, stdout=theirs, stderr=theirs) as process:
            os.close(theirs)
            while b"3466" not in shown:
                shown += os.read(ours, 65536)
            process.send_signal(signal.SIGINT)
            try:
                while more := os.read(ours, 65536):
                    shown += more
            except OSError:  # the other side is closed
                pass
            self.assertEqual(process.wait(timeout=3), 0)
        os.close(ours)
        page, after = shown.decode().rsplit("\033[?1049l", 1)
        self.assertTrue(page.startswith("\033[?1049h"), page[:40])
        self.assertNotIn("\033[?1049", page[8:])
        self.assertIn("summary of", after)
        self.assertRegex(after, r"overruns 1 ")

    def test_ends_when_nobody_reads_standard_output_and_error(self):
        """A terminal that was stopped: what is still to be said is left out."""
        self.server.play(WARM_UP + FOREVER)
        ours, theirs = os.pipe()
        flags = fcntl.fcntl(theirs, fcntl.F_GETFL)
        log = self.server.path("unread.csv")
        with self.server.popen(PROBE, "--batch", "--interval", "0.1", "--log", log, stdout=theirs, stderr=theirs) as process:
            wait_until(lambda: len(whole_lines(log)) > 3, "it measures")
            fcntl.fcntl(theirs, fcntl.F_SETFL, flags | os.O_NONBLOCK)
            try:
                while os.write(theirs, b"." * 4096):
                    pass
            except BlockingIOError:
                fcntl.fcntl(theirs, fcntl.F_SETFL, flags)
            rows = len(whole_lines(log))
            wait_until(lambda: len(whole_lines(log)) > rows + 3, "it goes on, and has met the full pipe")
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=PATIENCE_S), 1, "lines were lost")
        os.close(ours)
        os.close(theirs)

    def test_too_many_overruns(self):
        self.server.play(WARM_UP + LATE + FOREVER)
        for most, status in ((0, 3), (1, 0)):
            with self.subTest(most=most), Watch(self.server, "--max-overruns", most) as run:
                if status == 0:
                    run.wait_for_event("overrun")
                    run.wait("windows behind it", lambda: any(w["overruns"] == "1" for w in run.windows()[:-2]))
                self.assertEqual(run.join() if status else run.end(), status)
                self.assertEqual(run.summary()["overruns"], 1)
                text = "overruns 1 > --max-overruns 0"
                self.assertEqual(run.summary().get("threshold"), text if status else None)
                self.assertEqual(any(f"passed: {text}" in line for line in run.lines), status == 3)

    def test_too_late_p99(self):
        self.server.play("pace real\ncycles 1000000 end_us=400\n")
        for most, status in ((399, 3), (401, 0)):
            with self.subTest(most=most):
                done = self.run_probe("--max-p99", str(most), "--duration", "1")
                self.assertEqual((done.returncode, done.stderr), (status, ""), done.stdout)
                self.assertEqual(f"passed: cycle end p99 400.0 us > --max-p99 {most} us" in done.stdout, status == 3)

    def test_command_runs_once_an_episode(self):
        file = self.server.path("commands")
        command = f"env | grep ^JACKPROBE_ | sort > {file}.new; cat {file}.new >> {file}; echo . >> {file}"
        late = "cycles 1 end_us=3466\ncycles 20\n"
        pause = "cycles 500\nwait 1\n"  # 1.3 s of the script's time part two episodes
        run = play(self.server, late * 3 + pause + late + pause, "--on-overrun", command)
        text = wait_until(lambda: re.search(r"(.*\n\.\n){2}", "\n".join([*whole_lines(file), ""]), re.S), "two runs of the command").string
        episodes = [dict(line.split("=", 1) for line in block.splitlines()) for block in text.split(".\n")[:-1]]
        self.assertEqual(len(episodes), 2, text)
        late_cycles = [r for r in run.cycles() if int(r["end_ns"]) - int(r["wake_ns"]) > 2666667]
        for episode, overruns, cycle in zip(episodes, ("1", "4"), (late_cycles[0], late_cycles[3])):
            self.assertEqual(
                {k: episode[f"JACKPROBE_{k}"] for k in ("VALUE_US", "PERIOD_US", "FRAME", "OVERRUNS", "CLIENT")},
                {"VALUE_US": "3466.000", "PERIOD_US": "2666.667", "FRAME": cycle["frame"], "OVERRUNS": overruns, "CLIENT": ""},
            )
            self.assertIn("799 us after the deadline", episode["JACKPROBE_DETAIL"])
            self.assertRegex(episode["JACKPROBE_TIME_UTC"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")

    def test_hanging_server_call_holds_nothing_up(self):
        self.server.play("port synth:out out audio\nhang connect 60\n" + FOREVER)
        with Watch(self.server) as run:
            told = run.wait_for_event("graph", kind="trouble")
            self.assertRegex(told["detail"], "^jack_connect to synth:out hangs for ")
            run.wait("it is shown", lambda: any(told["detail"] in line for line in run.lines))
            n = len(run.windows())
            run.wait("windows come", lambda: len(run.windows()) > n + 3)
            self.assertEqual(run.end(seconds=3), 1, "nothing was measured")
            self.assertRegex(" ".join(run.summary()["notes"]), "session: jack_connect to synth:out hangs for ")
            self.assertEqual(len([e for e in run.events("graph") if e.get("kind") == "trouble"]), 1)
            self.assertEqual(sum("summary of" in line for line in run.lines), 1)

    def test_stopped_before_it_stands_in_the_graph(self):
        self.server.play("hang open 60\n" + FOREVER)
        with self.server.popen(PROBE, "--batch") as process:
            # It takes signals before it looks for a server; the thread that does tells that it has come so far.
            wait_until(lambda: "jp-graph" in thread_names(process.pid), "it looks for the server")
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=3), 1)
            self.assertEqual(process.stderr.read(), "jackprobe: stopped before the server let the probe in\n")
            self.assertEqual(process.stdout.read(), "")


class WithoutServer(unittest.TestCase):
    def test_no_server_is_one_sentence(self):
        with Jackd() as server:
            done = server.run(PROBE, "--server", server.name + "-none", "--duration", "5", timeout=10)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertRegex(done.stderr, r"^jackprobe: no JACK server \S+-none answers; start one, name it with --server, or run this through pw-jack")


if __name__ == "__main__":
    unittest.main()
