"""The probe's standing in real graphs, through the program `standing`: it attaches, covers, follows, survives the server, leaves
everything as it was, and its callbacks do nothing that they must not."""
import os
import re
import signal
import subprocess
import tempfile
import threading
import unittest

from servers import PROBE, Jackd, PipeWire, may_run_realtime, need, stop, wait_until

BUILD = os.path.dirname(PROBE)
STANDING = os.path.join(BUILD, "standing")
INTERPOSE = os.path.join(BUILD, "interpose.so")
FAKE = os.path.join(BUILD, "fake")


def words(line):
    """The `key=value` and `key='some text'` of a line."""
    return {k: v.strip("'") for k, v in re.findall(r"(\w+)=('[^']*'|\S+)", line)}


class Standing:
    """A running `standing`; its lines are read as they come."""

    def __init__(self, server, seconds=600, insert="head-tail", wire="auto", name="standing", before=(), env=None):
        args = [STANDING, str(seconds), insert, wire, name]
        self.state, self.lines, self.errors = {}, [], []
        env = {**server.env, **(env or {})}
        self.process = subprocess.Popen(
            [*before, *server.prefix, *args], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.readers = [threading.Thread(target=self.read), threading.Thread(target=self.read_errors)]
        for reader in self.readers:
            reader.start()

    def read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip())
            self.state.update(words(line))

    def read_errors(self):
        self.errors.extend(self.process.stderr)

    def wait(self, what, condition, seconds=20):
        """Until the latest state fulfils the condition."""

        def now():
            if self.process.poll() is not None and not condition(self.state):
                raise AssertionError(f"ended before {what}:\n{self}")
            return condition(self.state)

        try:
            wait_until(now, what, seconds)
        except AssertionError as e:
            raise AssertionError(f"{e}\n{self}") from None
        return self.state

    def wait_for(self, **values):
        return self.wait(f"{values}", lambda state: all(state.get(k) == str(v) for k, v in values.items()))

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def end(self):
        """Let it end. @return exit status, with the final figures in state."""
        status = stop(self.process)
        for reader in self.readers:
            reader.join()
        return status

    def __str__(self):
        return "\n".join(self.lines + self.errors)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


class Load:
    """Running clients of others'."""

    def __init__(self, server, *options, clients=4, name="load"):
        self.names = [f"{name}-{i}" for i in range(clients)]
        self.process = server.popen(PROBE, "load", "--clients", str(clients), "--name", name, *options)
        # Nobody else may come or go while clients open, or jackd2 may never call them.
        if "clients run" not in self.process.stdout.readline():
            stop(self.process)
            raise AssertionError(self.process.stderr.read())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        stop(self.process)
        self.process.stdout.close()
        self.process.stderr.close()


class Common:
    """What holds on every server."""

    def check_figures(self, state, roles=("head", "tail")):
        for role in roles:
            self.assertGreaterEqual(int(state[role]), 100)
        for name in ("dropped", "wake_missing", "nominal_missing", "rate_missing", "tail_off", "early"):
            self.assertEqual(state[name], "0", name)
        self.assertEqual((state["nframes"], state["rate"]), ("128", "48000"))

    def test_attaches_covers_and_leaves(self):
        with self.make() as server, Load(server, "--shape", "parallel") as load:
            before = server.run("jack_lsp", "-c").stdout
            with Standing(server) as standing:
                state = standing.wait_for(attached=1, clients=4, covered=4, uncovered="")
                self.assertEqual((state["rate"], state["frames"]), ("48000", "128"))
                standing.wait_for(enough=1)
                self.assertEqual((state["clock"], state["wake_source"], state["pair_mode"]), self.traits)
                self.assertEqual(state["server"].split()[0], self.brand)
                cables = server.run("jack_lsp", "-c", "standing-tail").stdout
                for name in load.names:
                    self.assertEqual(cables.count(f"   {name}:"), 1, cables)
                wait_until(lambda: standing.state.get("sched"), "the policy is known")
                if may_run_realtime():
                    self.assertRegex(standing.state["sched"], r"^SCHED_(FIFO|RR) \d+$")
                standing.wait_for(enough=1)
                self.assertEqual(standing.end(), 0)
                self.check_figures(standing.state)
                self.assertEqual(standing.state["stopped"], "1")
            self.assertEqual(server.run("jack_lsp", "-c").stdout, before)

    def test_follows_the_graph(self):
        with self.make() as server, Standing(server) as standing:
            standing.wait_for(attached=1, clients=0, covered=0)
            with Load(server, "--shape", "midi", clients=2, name="late"):
                standing.wait_for(clients=2, covered=2)
            standing.wait_for(clients=0, covered=0)

    def test_wire_none_only_looks(self):
        with self.make() as server, Load(server, clients=2), Standing(server, wire="none") as standing:
            standing.wait_for(clients=2, covered=0, uncovered="load-0, load-1")
            source = next(l for l in server.run("jack_lsp").stdout.splitlines() if l.startswith("load-1:out"))
            server.run("jack_connect", source, "standing-tail:audio")
            standing.wait_for(clients=2, covered=1, uncovered="load-0")

    def test_wire_once_leaves_later_clients_alone(self):
        with self.make() as server, Load(server, clients=2), Standing(server, wire="once") as standing:
            standing.wait_for(clients=2, covered=2)
            with Load(server, clients=1, name="late"):
                standing.wait_for(clients=3, covered=2, uncovered="late-0")

    def test_head_alone_makes_no_cable(self):
        with self.make() as server, Load(server, clients=2):
            before = server.run("jack_lsp", "-c").stdout
            with Standing(server, insert="head") as standing:
                state = standing.wait_for(clients=2, covered=-1, uncovered="")
                standing.wait_for(enough=1)
                self.assertEqual(state["pair_mode"], "2")
                self.assertEqual(server.run("jack_lsp", "-c").stdout, before)
                standing.wait_for(enough=1)
                self.assertEqual(standing.end(), 0)
                self.check_figures(standing.state, ["head"])
                self.assertEqual(standing.state["tail"], "0")

    def survive(self, server, times):
        """The server dies and comes back; @return the standing's end state."""
        with Standing(server) as standing:
            standing.wait_for(attached=1, generation=1)
            few = None
            for i in range(1, times + 1):
                if i % 2:
                    server.kill()
                else:
                    stop(server.process)
                standing.wait_for(attached=0, gone=i, rate=-1, clients=-1)
                server.launch()
                standing.wait_for(attached=1, generation=i + 1, clients=0)
                few = few or standing.descriptors()
            # Some belong to a connection that is just being made or taken down: wait for those to go.
            wait_until(lambda: standing.descriptors() <= few, "no more descriptors than at the first return")
            self.assertEqual(standing.end(), 0)
            self.assertLess(len(standing.errors), 20, standing.errors)
            self.assertEqual(standing.state["stopped"], "1")

    def test_callbacks_do_nothing_forbidden(self):
        need("chrt")
        with self.make(rate=96000, frames=64) as server, Load(server, "--shape", "chain", clients=2):
            with Standing(server, seconds=14, env={"LD_PRELOAD": INTERPOSE}) as standing:  # twice the time of the calls that are counted
                self.assertEqual(standing.process.wait(timeout=60), 0, str(standing))
                standing.end()
                said = "".join(standing.errors)
                self.assertNotIn("forbidden", said)
                for role in ("head", "tail"):
                    found = re.search(rf"(\d+) minor and 0 major faults in 9900 calls of standing-{role}", said)
                    self.assertIsNotNone(found, said)
                    # Memory of ours that was not touched and locked would fault in many calls; once in a while the kernel
                    # itself moves a page, and that shows as a minor fault.
                    self.assertLessEqual(int(found[1]), 2, said)


class OnJackd(Common, unittest.TestCase):
    make = Jackd
    traits, brand = ("raw", "1", "0"), "jackd2"

    def test_restarts(self):
        with self.make() as server:
            self.survive(server, 20)

    def test_self_connect_modes(self):
        for mode in "eEaA":
            with self.subTest(mode=mode), self.make(args=["-a", mode]) as server, Load(server, "--shape", "parallel", clients=2):
                for insert in ("head-tail", "strict"):
                    with Standing(server, insert=insert) as standing:
                        standing.wait_for(clients=2, covered=2)

    def test_sync_server(self):
        with self.make(sync=True) as server, Load(server, clients=2), Standing(server) as standing:
            standing.wait_for(clients=2, covered=2)
            wait_until(lambda: standing.state.get("sched"), "callbacks run")

    def test_strict_feeds_roots_and_keeps_latencies(self):
        with self.make() as server, Load(server, "--shape", "chain", clients=3):
            ports = server.run("jack_lsp").stdout.splitlines()
            inputs = [next(p for p in ports if p.startswith(f"load-{i}:in")) for i in range(3)]
            server.run("jack_connect", "system:capture_1", inputs[0])
            before = server.run("jack_lsp", "-l").stdout
            self.assertIn("[ 128 128 ]", before)
            with Standing(server, insert="strict") as standing:
                standing.wait_for(clients=3, covered=3)
                fed = wait_until(lambda: self.cables_of(server, "standing-head"), "the head has a cable")
                self.assertEqual(fed, [inputs[0]])
                during = server.run("jack_lsp", "-l").stdout
                self.assertEqual([l for l in self.latencies(during) if "standing" not in l], self.latencies(before))
            self.assertEqual(server.run("jack_lsp", "-l").stdout, before)

    @staticmethod
    def cables_of(server, client):
        return [l.strip() for l in server.run("jack_lsp", "-c", client).stdout.splitlines() if l.startswith("   ")]

    @staticmethod
    def latencies(text):
        """One line a port."""
        return re.sub(r"\n\t", " ", text).splitlines()

    def test_fifty_visits_disturb_nobody(self):
        with self.make() as server:
            truth = server.path("truth.csv")
            with Load(server, "--shape", "chain", "--burn", "20", "--truth", truth):
                before = server.run("jack_lsp", "-c").stdout
                for _ in range(50):
                    done = server.run(STANDING, "0.15")
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                    self.assertIn("covered=4", done.stdout)
                self.assertEqual(server.run("jack_lsp", "-c").stdout, before)
            calls = {}
            with open(truth) as file:
                header = file.readline().strip().split(",")
                for line in file:
                    row = dict(zip(header, line.strip().split(",")))
                    calls.setdefault(row[header[0]], []).append(line)
            counts = [len(rows) for rows in calls.values()]
            self.assertEqual(len(counts), 4)
            self.assertLess(max(counts) - min(counts), 0.05 * max(counts), counts)

    def test_stopped_server_holds_nobody_up(self):
        with self.make() as server, Standing(server) as standing:
            standing.wait_for(attached=1, clients=0)
            server.process.send_signal(signal.SIGSTOP)
            try:
                self.assertEqual(standing.end(), 3, "says that it could not close")
                self.assertEqual(standing.state["stopped"], "0")
            finally:
                server.process.send_signal(signal.SIGCONT)
            with Standing(server) as again:
                again.wait_for(attached=1, clients=0)

    def test_without_rights(self):
        need("setpriv", "prlimit")
        if os.geteuid() != 0:
            raise unittest.SkipTest("needs root to take rights away")
        less = ["prlimit", "--rtprio=0", "--memlock=65536", "setpriv", "--bounding-set=-sys_nice,-ipc_lock,-sys_resource"]
        with self.make() as server, Standing(server, before=less) as standing:
            standing.wait_for(attached=1, clients=0)
            state = standing.wait("the policy is known", lambda s: s.get("sched"))
            self.assertIn("SCHED_OTHER: ", state["sched"])
            standing.wait_for(enough=1)
            self.assertEqual(standing.end(), 0)
            self.check_figures(standing.state)

    def test_freewheel(self):
        need("jack_freewheel")
        with self.make() as server, Standing(server) as standing:
            standing.wait_for(attached=1, clients=0)
            server.run("jack_freewheel", "y")
            server.run("jack_freewheel", "n")
            self.assertEqual(standing.end(), 0)
            self.assertGreater(int(standing.state["freewheel"]), 0)
            self.assertGreater(int(standing.state["head"]) + int(standing.state["tail"]), int(standing.state["freewheel"]))

    def test_stays_out_while_the_server_freewheels(self):
        """A client that came then would break jackd2 for good when it ends."""
        need("jack_freewheel")
        for realtime in (True, False):
            with self.subTest(realtime=realtime), self.make(args=[] if realtime else ["-r"]) as server:
                with Load(server, "--shape", "parallel", clients=2):
                    server.run("jack_freewheel", "y")
                    with Standing(server) as standing:
                        standing.wait("it waits", lambda s: "freewheels" in s.get("trouble", ""))
                        server.run("jack_freewheel", "n")
                        standing.wait("it joins", lambda s: s.get("covered") == "2" and "enough" in s, 60)


class OnPipeWire(Common, unittest.TestCase):
    make = PipeWire
    traits, brand = ("monotonic", "2", "1"), "PipeWire"

    def test_restarts(self):
        with self.make() as server:
            self.survive(server, 4)


class Alone:
    """No server: the scripted libjack."""

    prefix = []

    def __init__(self, script):
        self.file = tempfile.NamedTemporaryFile("w", suffix=".script")
        self.file.write(script)
        self.file.flush()
        self.env = {**os.environ, "LD_LIBRARY_PATH": FAKE, "FAKE_JACK_SCRIPT": self.file.name}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()


class Scripted(unittest.TestCase):
    def test_hanging_call_is_named_and_left_behind(self):
        with Alone("port synth:out out audio\nhang connect 60\ncycles 100000\n") as server, Standing(server) as standing:
            state = standing.wait("the hang is told", lambda s: "hangs" in s.get("trouble", ""))
            self.assertIn("jack_connect to synth:out hangs for ", state["trouble"])
            self.assertEqual(standing.end(), 3)

    def test_client_that_does_not_run_does_not_starve_the_tail(self):
        ports = "".join(f"port {name}:out out audio\n" for name in ("a", "dead", "b", "c", "d", "e"))
        with Alone(ports + "starve dead\npace real\ncycles 100000\n") as server, Standing(server) as standing:
            standing.wait_for(clients=6, covered=5, uncovered="dead")
            state = standing.wait("it is told", lambda s: s.get("trouble"))
            self.assertEqual(state["trouble"], "dead:out does not run: no cable to it for now")
            standing.wait_for(enough=1, generation=1)

    def test_sizes_of_the_cycle_at_hand(self):
        script = "cycles 100\ncycles 100 nframes=512\ncycles 100 nframes=16\ncycles 100 nframes=8192\n"
        for insert in ("head-tail", "strict"):
            with self.subTest(insert=insert), Alone(script) as server, Standing(server, 1, insert) as standing:
                self.assertEqual(standing.process.wait(timeout=30), 0, str(standing))
                standing.end()
                self.assertEqual((standing.state["head"], standing.state["tail"]), ("400", "400"))
                self.assertEqual(standing.state["nframes"], "8192")

    def test_sins_are_found(self):
        """The check of the callbacks itself can fail."""
        for sin, call in (("malloc", "malloc"), ("lock", "pthread_mutex_lock"), ("write", "write")):
            env = {"LD_PRELOAD": INTERPOSE, "INTERPOSE_SIN": sin}
            with self.subTest(sin=sin), Alone("cycles 1000\n") as server, Standing(server, 5, env=env) as standing:
                self.assertEqual(standing.process.wait(timeout=30), -signal.SIGABRT)
                standing.end()
                self.assertIn(f"forbidden in a callback: {call}\n", "".join(standing.errors))

    def test_xrun_callback_does_nothing_forbidden(self):
        script = "cycles 50\n" + "xrun -180961.472\ncycles 5\n" * 20 + "cycles 1000\n"
        with Alone(script) as server, Standing(server, 3, env={"LD_PRELOAD": INTERPOSE}) as standing:
            self.assertEqual(standing.process.wait(timeout=30), 0, str(standing))
            standing.end()
            self.assertEqual(standing.state["xruns"], "20")
            said = "".join(standing.errors)
            self.assertEqual(said.count("xrun callback of standing-head"), 20)

    def test_server_that_goes_and_comes(self):
        script = "port synth:out out audio\ncycles 200\nshutdown\ndown 1\nport other:out out midi\ncycles 300\n"
        with Alone(script) as server, Standing(server) as standing:
            standing.wait_for(gone=1, attached=1, generation=2, covered=2)

    def test_clients_that_came_while_freewheeling_get_no_cable(self):
        """Connecting their ports afterwards ends jackd2."""
        script = "port a:out out audio\npace real\ncycles 200\nfreewheel on\nport b:out out audio\n"
        script += "cycles 300\nfreewheel off\ncycles 100\nport c:out out audio\ncycles 100000\n"
        with Alone(script) as server, Standing(server) as standing:
            standing.wait_for(clients=1, covered=1)
            standing.wait_for(clients=2, covered=1, uncovered="b")
            standing.wait_for(clients=3, covered=2, uncovered="b", generation=1)

    def test_no_server(self):
        env = {k: v for k, v in os.environ.items() if not k.startswith("JACK_")}
        done = subprocess.run(
            [STANDING, "1", "head-tail", "auto", "x", "jackprobe-nosuch"], env=env, capture_output=True, text=True, timeout=30
        )
        self.assertIn("wait=7 'no JACK server jackprobe-nosuch answers; start one, name it with --server, or run this through pw-jack", done.stdout)
        self.assertLess(len(done.stderr.splitlines()), 5, done.stderr)
