"""A server that plays a script instead of a graph: tests/support/fake_jack, see its script.c for the words."""
import os

from servers import PROBE, Server
from watch import Watch

FAKE = os.path.join(os.path.dirname(PROBE), "fake")


class Scripted(Server):
    """Every program that it starts meets the script from its beginning. Times are exact, whatever the machine does."""

    def __init__(self, script):
        super().__init__()
        self.script = script

    def __str__(self):
        return "a scripted libjack"

    def launch(self):
        self.play(self.script)
        self.env["LD_LIBRARY_PATH"] = FAKE
        self.env["FAKE_JACK_SCRIPT"] = self.path("script")

    def play(self, script):
        """The script of the programs that start from now on."""
        with open(self.path("script"), "w") as file:
            file.write(script)

    def answers(self):
        if not os.path.exists(os.path.join(FAKE, "libjack.so.0")):
            raise AssertionError("no scripted libjack; `make fake` builds it")
        return True


WARM_UP_FRAMES = 400 * 64
WARM_UP = "pace real\ncycles 400 nframes=64\npace fast\n"  # half a second: until the probe stands and counts
END = "port script-end:out out foreign\n"  # the probe tells of it when it has told of all before


def play(server, script, *options, before="", **watch):
    """Run the probe while the script is played, to the script's end. @return the Watch, ended with status 0.

    The script begins in epoch 2: what was seen of the warm-up is epoch 1, of 64 frames. before: what stands before it."""
    server.play(before + WARM_UP + script + END)
    with Watch(server, *options, cycles=True, **watch) as run:
        run.wait("the script's end", lambda: any("script-end" in e["detail"] for e in run.events("graph")))
        status = run.end()
        if status != 0 or run.errors:
            raise AssertionError(f"status {status}:\n{run}")
    return run
