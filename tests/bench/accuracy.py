"""What the probe tells from the server's record against the truth that the load's clients wrote down, and what that record costs."""
import json
import os
import statistics
import time

from figures import Probe, cpu, heading, line, memory, rank, threads
from servers import PROBE, Jackd, PipeWire
from test_truth import known_cycles
from truth import Load
from watch import table

import executions

TRUTH_S = 8  # some 30 spikes
CLIENTS = 4
SPIKE_US = 4000
SPIKY = ["-n", str(CLIENTS), "--shape", "chain", "--burn", "50", "--spike", f"100:{SPIKE_US}", "--spike-client", "1"]
COST_S = 4.0
GRAIN_NS = 1000  # clients are told of wake-ups in microseconds
ATTEMPTS = 3  # a busy machine may refuse the proof of jackd2's layout
ROUNDS = 3


def sizes(errors, *shares):
    """Ranks of the sizes of errors, us."""
    values = sorted(map(abs, errors))
    return [rank(values, share) / 1e3 for share in shares] if values else [float("nan")] * len(shares)


class Run:
    """One run of the probe beside clients that know the truth."""

    def __init__(self, server):
        files = {kind: server.path("accuracy-" + kind) for kind in ("cycles.csv", "executions.csv", "log.jsonl")}
        cycles, told, log = files.values()
        words = ["--timing", "server", "--duration", str(TRUTH_S), "--cycles", cycles, "--executions", told, "--log", log]
        for path in filter(os.path.exists, files.values()):
            os.remove(path)
        with Load(server, *SPIKY) as load:
            done = server.run(PROBE, "--batch", *words)
            self.calls = load.stop()
        self.refused = done.returncode == 1 and "layout" in done.stderr
        if done.returncode != 0 and not self.refused:
            raise RuntimeError(f"the probe ended with status {done.returncode}: {done.stderr}")
        self.cycles = [r for r in table(cycles) if r["wake_ns"]]
        told = executions.read(told)
        self.pairs = {client: executions.Pairs(his, told.get(client, [])) for client, his in self.calls.items()}
        with open(log) as file:
            objects = [json.loads(text) for text in file]
        self.overruns = [o for o in objects if o["type"] == "event" and o["event"] == "overrun"]

    def inside(self, pairs):
        """Indices of the calls from the first to the last wake-up that the probe saw."""
        return pairs.within(int(self.cycles[0]["wake_ns"]), int(self.cycles[-1]["wake_ns"]))

    def end_errors(self, server, wake_column):
        """@return (errors of the ends that the server told, how many cycles there were to know), of the cycles that all clients
        were called in, and that ended in time."""
        known = {w: k.end for w, k in known_cycles(self.calls).items() if k.whole and k.end - w < server.period_ns}
        known = {w // GRAIN_NS: end for w, end in known.items()}
        rows = [r for r in self.cycles if int(r[wake_column]) // GRAIN_NS in known]
        errors = [int(r["end_ns"]) - known[int(r[wake_column]) // GRAIN_NS] for r in rows if r["end_source"] == "server"]
        return errors, len(rows)

    def blamed(self):
        """@return (spikes, those whose cycle overran, those of whose overrun there is an event: they are limited to a few a second,
        those that it blames rightly)"""
        spiky = list(self.calls)[1]
        calls = (self.pairs[spiky].calls[i] for i in self.inside(self.pairs[spiky]))
        spikes = [c.frame for c in calls if c.end - c.start >= 1000 * SPIKE_US]
        period_ns = {int(r["frame"]): int(r["nframes"]) * 1e9 / int(r["rate_hz"]) for r in self.cycles}
        took_ns = {int(r["frame"]): int(r["end_ns"]) - int(r["wake_ns"]) for r in self.cycles if r["end_ns"]}
        late = [f for f in spikes if took_ns.get(f, 0) > period_ns.get(f, 0)]
        verdicts = {e["frame"]: (e.get("client"), e.get("kind")) for e in self.overruns}
        told = [verdicts[f] for f in spikes if f in verdicts]
        return len(spikes), len(late), len(told), told.count((spiky, "busy"))


def run_once(server):
    for _ in range(ATTEMPTS):
        run = Run(server)
        if not run.refused:
            return run
    return None


def against_truth(server, where, wake_column):
    with server:
        run = run_once(server)
        if not run:
            line(f"server timing, {where}", "n/a: refused, the layout could not be proven")
            return
        errors, n = run.end_errors(server, wake_column)
        inside = {client: run.inside(pairs) for client, pairs in run.pairs.items()}
        spikes, late, told, right = run.blamed()
    p50, p99, most = sizes(errors, 500, 990, 1000)
    line(f"end of the cycle, {where}", f"p50 {p50:.2f} us, p99 {p99:.2f} us, max {most:.1f} us", "p50 <= 1 us, p99 <= 3 us")
    line("  ends that are known", f"{100 * len(errors) / max(n, 1):.2f} % of {n} cycles in time")
    p50, p99 = sizes([e for p in run.pairs.values() for e in p.start_errors()], 500, 990)
    line("  begin of an execution", f"p50 {p50:.2f} us, p99 {p99:.2f} us", "p99 <= 3 us")
    p50, p99 = sizes([e for p in run.pairs.values() for e in p.end_errors()], 500, 990)
    line("  end of an execution", f"p50 {p50:.2f} us, p99 {p99:.2f} us", "p99 <= 1 us")
    calls = sum(map(len, inside.values()))
    found = sum(sum(i in run.pairs[client].of for i in indices) for client, indices in inside.items())
    line("  executions found", f"{100 * found / max(calls, 1):.3f} % of {calls}", ">= 99.9 %")
    line("  spikes blamed on the right client", f"{right} of {told} events; {late} of {spikes} spikes are overruns", "all")


# --- cost -----------------------------------------------------------------------------------------------------------------


def thread_ms(pid, name):
    """CPU time of the threads of that name so far, ms."""
    return sum(t.run_ns for t in threads(pid).values() if t.name == name) / 1e6


def discovery():
    """The CPU time of the thread that looks for the record, with it and without, from start until the probe stands; and what the
    tail costs meanwhile."""
    spent, summaries = {"server": [], "api": []}, []
    with Jackd() as server, Load(server, "-n", "16", "--burn", "5", "--duration", "60"):
        for mode in ("server", "api") * ROUNDS:
            with Probe(server, "--timing", mode) as probe:
                time.sleep(0.6)
                spent[mode].append(thread_ms(probe.process.pid, "jp-graph"))
                if mode == "server":
                    time.sleep(1)
                    summaries.append(probe.stop())
    p50 = statistics.median(1e3 * s["tail_cost_p50_us"] for s in summaries)
    line("tail callback, jackd2, 16 clients", f"p50 {p50:.0f} ns", "<= 700 ns")
    used = statistics.median(spent["server"]) - statistics.median(spent["api"])
    line("CPU of finding jackd2's record, once", f"{used:.1f} ms (most {max(spent['server']):.1f} ms in all)", "<= 50 ms")


def consumer():
    """What PipeWire's reports cost: all of our threads but head and tail, with and without."""
    percent, told = {"server": [], "api": []}, []
    with PipeWire() as server, Load(server, "-n", str(CLIENTS), "--burn", "10", "--duration", "60"):
        for mode in ("server", "api") * 2:
            with Probe(server, "--timing", mode) as probe:
                shares = cpu(probe.process.pid, COST_S).threads
                percent[mode].append(sum(s.percent for s in shares if not s.thread.realtime))
                if mode == "server":
                    told.append(sum(s.percent for s in shares if s.thread.name == "jp-profiler"))
    more = statistics.median(percent["server"]) - statistics.median(percent["api"])
    line("CPU of PipeWire's reports", f"{more:.2f} % of a core, {statistics.median(told):.2f} % in their own thread", "<= 0.5 %")


def anonymous_kib(clients):
    with Jackd() as server, Load(server, "-n", str(clients), "--burn", "5", "--duration", "60"):
        with Probe(server, "--timing", "server") as probe:
            time.sleep(2)
            return memory(probe.process.pid)["Pss_Anon"]


def main():
    heading(f"server timing against the truth ({CLIENTS} clients in a chain, a spike of {SPIKE_US / 1000:.0f} ms in every 100th cycle)")
    against_truth(Jackd(), "jackd2", "wake_ns")
    against_truth(Jackd(sync=True), "jackd2 -S", "wake_ns")
    against_truth(PipeWire(), "PipeWire", "nominal_ns")
    heading("cost of server timing")
    discovery()
    consumer()
    few, many = anonymous_kib(2), anonymous_kib(40)
    line("memory per client", f"{(many - few) / 38:.1f} KiB ({few} KiB with 2 clients, {many} KiB with 40)", "<= 64 KiB")


if __name__ == "__main__":
    main()
