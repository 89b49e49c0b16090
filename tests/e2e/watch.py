"""A running `jackprobe watch`, and what it wrote."""
import csv
import json
import os
import signal
import subprocess
import threading
import time

from servers import PATIENCE_S, PROBE, stop, wait_until


def whole_lines(path):
    """The lines of a growing file that are complete; none while it is not there."""
    try:
        with open(path, newline="") as file:
            text = file.read()
    except FileNotFoundError:
        return []
    return text[: text.rfind("\n") + 1].splitlines()


def table(path):
    """The rows of a CSV file with a header, as dictionaries of texts."""
    return list(csv.DictReader(whole_lines(path)))


def objects(path):
    """The objects of a file of JSON lines."""
    return [json.loads(line) for line in whole_lines(path)]


class Watch:
    """The program in the background, with its logs in the server's directory. As a context manager it is ended when the test
    has not done so. through: a command that starts it, with other rights."""

    count = 0

    def __init__(self, server, *options, interval=0.2, cycles=False, executions=False, through=(), env=None, **popen):
        Watch.count += 1
        base = server.path(f"watch-{Watch.count}")
        self.csv, self.jsonl, self.cycles_file = base + ".csv", base + ".jsonl", base + "-cycles.csv"
        self.executions_file = base + "-executions.csv"
        words = [PROBE, "--batch", "--interval", str(interval), "--log", self.csv, "--log", self.jsonl]
        if cycles:
            words += ["--cycles", self.cycles_file]
        if executions:
            words += ["--executions", self.executions_file]
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen(
            [*through, *server.prefix, *words, *map(str, options)], env={**server.env, **(env or {})}, **{**streams, **popen}
        )
        self.lines, self.errors = [], []
        self.readers = [
            threading.Thread(target=self.lines.extend, args=[self.process.stdout]),
            threading.Thread(target=self.errors.extend, args=[self.process.stderr]),
        ]
        for reader in self.readers:
            reader.start()

    # What is there so far.

    def windows(self):
        return table(self.csv)

    def values(self, column):
        """All different values of a column but the unknown."""
        return {w[column] for w in self.windows()} - {""}

    def total(self, column):
        """Of a count, over all windows."""
        return sum(int(w[column] or 0) for w in self.windows())

    def cycles(self):
        return table(self.cycles_file)

    def objects(self, kind):
        return [o for o in objects(self.jsonl) if o["type"] == kind]

    def events(self, name):
        return [e for e in self.objects("event") if e["event"] == name]

    def meta(self):
        """The facts as they were told last."""
        return self.objects("meta")[-1]

    def descriptors(self):
        """How many it has open for good: the fewest of some looks."""

        def look():
            time.sleep(0.01)
            return len(os.listdir(f"/proc/{self.process.pid}/fd"))

        return min(look() for _ in range(20))

    # Waiting.

    def wait(self, what, condition, seconds=PATIENCE_S):
        """Until the condition gives something true; handed back."""

        def now():
            answer = condition()
            if not answer and self.process.poll() is not None:
                raise AssertionError(f"ended with status {self.process.returncode} before {what}")
            return answer

        try:
            return wait_until(now, what, seconds)
        except AssertionError as e:
            raise AssertionError(f"{e}\n{self}") from None

    def wait_for_window(self, seconds=PATIENCE_S, after=0, **values):
        """Until a window with these values has been written, behind the first `after` ones."""

        def found():
            rows = [w for w in self.windows()[after:] if all(w[k] == str(v) for k, v in values.items())]
            return rows and rows[-1]

        return self.wait(f"a window with {values}", found, seconds)

    def wait_for_event(self, name, n=1, seconds=PATIENCE_S, **values):
        """Until n events of that kind and with these values have been written; the n-th."""

        def found():
            rows = [e for e in self.events(name) if all(e.get(k) == v for k, v in values.items())]
            return rows[n - 1] if len(rows) >= n else None

        return self.wait(f"{n} of event {name} {values or ''}", found, seconds)

    # The end.

    def join(self, seconds=PATIENCE_S):
        """Wait for its end; the exit status."""
        status = self.process.wait(timeout=seconds)
        for reader in self.readers:
            reader.join()
        return status

    def end(self, number=signal.SIGINT, seconds=PATIENCE_S):
        """End it with a signal. @return exit status."""
        self.process.send_signal(number)
        return self.join(seconds)

    def summary(self):
        """The summary among the JSON lines."""
        [summary] = self.objects("summary")
        return summary

    def __str__(self):
        events = [line for line in self.lines if " ! " in line]
        return "".join([*events[-15:], "...\n", *self.lines[-20:], *self.errors[-20:]])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        stop(self.process, signal.SIGINT)
        for reader in self.readers:
            reader.join()
        self.process.stdout.close()
        self.process.stderr.close()
