"""`make run` without a server: what probe/run.sh starts for it."""
import os
import subprocess
import tempfile
import unittest

from servers import PROBE, ROOT, need


class Run(unittest.TestCase):
    def run_script(self, program, *words):
        need("jackd", "jack_wait")
        with tempfile.TemporaryDirectory() as folder:
            env = {k: v for k, v in os.environ.items() if not k.startswith(("JACK_", "PIPEWIRE_"))}
            env.update(XDG_RUNTIME_DIR=folder, TMPDIR=folder, JACK_DEFAULT_SERVER=f"jackprobe-e2e-{os.getpid()}-none")
            script = os.path.join(ROOT, "probe", "run.sh")
            done = subprocess.run([script, program, *words], env=env, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
            self.assertEqual([name for name in os.listdir(folder) if name.startswith("tmp.")], [])
        return done

    def test_the_probe_starts_when_the_load_is_complete(self):
        done = self.run_script(PROBE, "--batch", "--duration", "1.5")
        self.assertEqual(done.returncode, 0, done.stderr)
        windows = [line for line in done.stdout.splitlines() if " covered=" in line]
        self.assertIn(" covered=4/4 ", windows[0])
        self.assertNotIn("covered 3/4", done.stdout)
        self.assertTrue(done.stdout.endswith("make run: stopped the load and the private server\n"), done.stdout)

    def test_a_load_that_does_not_start_ends_it(self):
        done = self.run_script("false")
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stdout.endswith("make run: stopped the load and the private server\n"), done.stdout)


if __name__ == "__main__":
    unittest.main()
