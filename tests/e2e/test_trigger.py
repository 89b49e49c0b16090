"""`--on-overrun CMD` in a real graph."""
import os
import re
import signal
import unittest

import truth
from servers import PROBE, Jackd


class OnOverrun(unittest.TestCase):
    def test_runs_once_for_overruns_that_follow_each_other_within_a_second(self):
        with Jackd(sync=True) as server, truth.Load(server, "--spike", "50:4000"):
            file = server.path("commands")
            figures = " ".join(f"[$JACKPROBE_{key}]" for key in ("OVERRUNS", "PERIOD_US", "VALUE_US", "TIME_UTC"))
            done = server.run(
                PROBE, "--batch", "--duration", "2", "--timing", "api", "--on-overrun", f'echo "{figures}" >> "{file}"'
            )
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            with open(file) as lines:
                rows = [line.strip("[]\n").split("] [") for line in lines]
        self.assertEqual(len(rows), 1, rows)
        overruns, period, value, time = rows[0]
        self.assertEqual((overruns, period), ("1", "2666.667"))
        self.assertGreater(float(value), float(period))  # the first of the run, which may be the machine's own
        self.assertRegex(time, r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")

    def test_failure_of_the_command_stands_in_the_summary(self):
        with Jackd(sync=True) as server, truth.Load(server, "--spike", "50:4000"):
            for command, times in ("exit 7", 1), ("true", 0):
                with self.subTest(command=command):
                    done = server.run(PROBE, "--quiet", "--duration", "2", "--timing", "api", "--on-overrun", command)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    said = re.findall(r"the command failed in (\d+) of \1 runs, the last time with status 7;", " ".join(done.stdout.split()))
                    self.assertEqual(len(said), times, done.stdout)

    def test_hung_command_does_not_keep_the_probe(self):
        with Jackd(sync=True) as server, truth.Load(server, "--spike", "50:4000"):
            file = server.path("pid")
            done = server.run(
                PROBE, "--batch", "--duration", "1", "--timing", "api", "--on-overrun", f'echo $$ > "{file}"; exec sleep 600 >&- 2>&-'
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(file) as text:
                pid = int(text.read())
            os.kill(pid, signal.SIGTERM)  # it still runs


if __name__ == "__main__":
    unittest.main()
