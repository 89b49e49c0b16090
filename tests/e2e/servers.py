"""Private JACK servers for the tests: jackd2 with its dummy driver, PipeWire. Each has a name or a runtime directory of its
own, is waited for by condition and stopped by process id; its log is shown when the test that used it fails."""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROBE = os.environ.get("JACKPROBE", os.path.join(ROOT, "build", "jackprobe"))
PATIENCE_S = 20  # how long a condition may take on a loaded machine before the test fails


def need(*programs):
    """Skip the test when a program is missing; in CI, where all must be there, fail it."""
    for program in programs:
        if shutil.which(program):
            continue
        text = f"{program} is not installed"
        if os.environ.get("CI") == "true":
            raise AssertionError(text)
        raise unittest.SkipTest(text)


def wait_until(condition, what, seconds=PATIENCE_S):
    """Ask until the condition gives something true; hand that back."""
    end = time.monotonic() + seconds
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s in vain: {what}")
        time.sleep(0.02)


def may_run_realtime():
    """Does the kernel let this user have the priority that the servers ask for?"""
    return subprocess.run(["chrt", "-f", "60", "true"], stderr=subprocess.DEVNULL).returncode == 0


def stop(process, number=signal.SIGTERM):
    """End a process of ours and wait for it; kill it when it does not end."""
    if process.poll() is None:
        process.send_signal(number)
    try:
        return process.wait(timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


class Server:
    """A running server. Use as a context manager, or with start() and close()."""

    def __init__(self, rate=48000, frames=128):
        self.rate, self.frames = rate, frames
        self.period_ns = frames * 1e9 / rate
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("JACK_", "PIPEWIRE_", "JACKPROBE"))}
        self.prefix = []  # before every client's command
        self.process = None
        self.dir = None

    def start(self):
        self.dir = tempfile.mkdtemp(prefix="jackprobe-e2e-")
        try:
            self.launch()
            wait_until(self.answers, f"{self} is ready")
        except BaseException:
            self.show_log()
            self.close()
            raise
        return self

    def launch(self):
        raise NotImplementedError

    def answers(self):
        raise NotImplementedError

    def spawn(self, command):
        with open(self.path("server.log"), "w") as log:
            self.process = subprocess.Popen(
                command, env=self.env, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
            )

    def alive(self):
        if self.process.poll() is not None:
            raise AssertionError(f"{self} ended with status {self.process.returncode}")
        return True

    def path(self, name):
        """A file in the server's own directory."""
        return os.path.join(self.dir, name)

    def run(self, *command, timeout=120):
        """Run a client's command to its end."""
        return subprocess.run(
            self.prefix + list(command), env=self.env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout
        )

    def popen(self, *command, **options):
        """Start a client's command."""
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **options}
        return subprocess.Popen(self.prefix + list(command), env=self.env, **options)

    def kill(self):
        """The server's sudden death."""
        self.process.kill()
        self.process.wait()

    def log(self):
        """The end of what the server has said."""
        try:
            with open(self.path("server.log")) as log:
                return log.read()[-4000:].rstrip()
        except OSError:
            return ""

    def show_log(self):
        print(f"--- log of {self}\n{self.log()}\n---", file=sys.stderr)

    def close(self):
        if self.process:
            stop(self.process)
        shutil.rmtree(self.dir, ignore_errors=True)

    def __enter__(self):
        return self.start()

    def __exit__(self, kind, *_):
        if kind and not issubclass(kind, unittest.SkipTest):
            self.show_log()
        self.close()


class Jackd(Server):
    """jackd2 with the dummy driver. sync: `-S`, the server waits for its clients."""

    count = 0

    def __init__(self, rate=48000, frames=128, sync=False, args=()):
        super().__init__(rate, frames)
        Jackd.count += 1
        self.sync, self.args = sync, list(args)
        self.name = f"jackprobe-e2e-{os.getpid()}-{Jackd.count}"

    def __str__(self):
        return f"jackd{' -S' if self.sync else ''} at {self.rate}/{self.frames}"

    def launch(self):
        need("jackd", "jack_wait")
        self.env["JACK_DEFAULT_SERVER"] = self.name
        realtime = ["-R", "-P60"] if may_run_realtime() else ["-r"]
        mode = ["-S"] if self.sync else []
        driver = ["-d", "dummy", "-r", str(self.rate), "-p", str(self.frames)]
        self.spawn(["jackd", "-n", self.name, *realtime, *mode, *self.args, *driver])

    def answers(self):
        if self.process.poll() is not None and "Too many servers" in self.log():
            self.launch()  # jackd2 allows eight a machine: wait for a place
        self.alive()
        return "not running" not in self.run("jack_wait", "-c", "-s", self.name).stdout

    def close(self):
        """A server that was killed keeps its place among the eight for ever, unless one of the same name comes and goes."""
        if self.process and stop(self.process) < 0:
            self.launch()
            wait_until(self.answers, f"{self} is ready again")
        super().close()


class PipeWire(Server):
    """PipeWire alone, without session manager, in a runtime directory of its own."""

    def __str__(self):
        return f"PipeWire at {self.rate}/{self.frames}"

    def launch(self):
        need("pipewire", "pw-jack", "pw-cli")
        self.env["XDG_RUNTIME_DIR"] = self.dir  # mkdtemp made it with mode 0700
        self.env["PIPEWIRE_QUANTUM"] = f"{self.frames}/{self.rate}"
        self.env.pop("DBUS_SESSION_BUS_ADDRESS", None)
        self.prefix = ["pw-jack"]
        self.spawn(["pipewire"])

    def answers(self):
        self.alive()
        if not os.path.exists(self.path("pipewire-0")):
            return False
        return subprocess.run(["pw-cli", "info", "0"], env=self.env, capture_output=True).returncode == 0
