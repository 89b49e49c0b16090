#!/usr/bin/env python3
"""What the probe costs and how right it is, on private servers: figures beside their aims, no verdicts (a shared machine has no say in that).

bench.py [PROGRAM...]   the programs are benches of single parts; their lines come first. Exit status 0 unless something broke."""
import os
import statistics
import struct
import subprocess
import sys
import time
from typing import NamedTuple

from figures import Probe, cpu, heading, line, memory, rank
from servers import PROBE, Jackd, PipeWire, stop
from truth import Load, wait_for_cycles

import accuracy

ROUNDS = 5  # segments without, with and without the probe, for each rate and kind of hold
SEGMENT_S = 1.2
CPU_S = 5.0
FLOOR_S = 3.0
LATENCY = "/dev/cpu_dma_latency"


def callbacks(summaries, where):
    """The cost of our own callbacks, as the probe counted it itself; the median of the runs."""
    for role, aim in ("head", "400 ns"), ("tail", "300 ns"):
        p50, p99 = (
            statistics.median(1e3 * s[f"{role}_cost_{p}_us"] for s in summaries) for p in ("p50", "p99")
        )
        line(f"{role} callback, {where}", f"p50 {p50:.0f} ns, p99 {p99:.0f} ns", f"<= {aim}")


# --- intrusion: what the load's own clients see of the probe ------------------------------------------------------------------


class Segment(NamedTuple):
    held: bool
    begin: int  # ns on jackd2's clock
    end: int


def segment(held):
    begin = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
    time.sleep(SEGMENT_S)
    return Segment(held, begin, time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW))


def hold():
    """Keep the cores out of idle states as long as the result is open; None when that is not allowed."""
    try:
        file = open(LATENCY, "wb", buffering=0)
    except OSError:
        return None
    file.write(struct.pack("i", 0))
    return file


def one_round(server, held, summaries):
    """Segments without, with, and without the probe. The limit is held by us in all, so that only the probe differs."""
    latency = hold() if held else None
    try:
        before = segment(held)
        with Probe(server) as probe:
            probed = segment(held)
            summaries[held].append(probe.stop())
        return [before, probed, segment(held)]
    finally:
        if latency:
            latency.close()


def ends(calls, n):
    """Truth -> sorted [(wake, last finish - wake)] of the cycles in which all n clients ran, ns."""
    cycles = {}
    for client in calls.values():
        for call in client:
            last, count = cycles.get(call.wake, (0, 0))
            cycles[call.wake] = max(last, call.end), count + 1
    return sorted((wake, last - wake) for wake, (last, count) in cycles.items() if count == n)


def within(cycles, s):
    values = sorted(end for wake, end in cycles if s.begin < wake < s.end)
    if not values:
        raise RuntimeError("a segment without a single cycle")
    return values


def ratios(rounds, share):
    """Of the rank, in each round: with the probe to without, and, as a control, without to without."""
    probed = [rank(on, share) / rank(sorted(before + after), share) for before, on, after in rounds]
    control = [rank(after, share) / rank(before, share) for before, _, after in rounds]
    return probed, control


def spread(values):
    return f"{statistics.median(values):.3f} ({min(values):.3f}..{max(values):.3f})"


def compare(rounds, where, period_ns):
    """The figures of the rounds of one kind; each ratio is the median of the rounds' ratios."""
    p50, p50_control = ratios(rounds, 500)
    p99, p99_control = ratios(rounds, 990)
    off = sorted(v for before, _, after in rounds for v in before + after)
    on = sorted(v for _, probed, _ in rounds for v in probed)
    late_off, late_on = (sum(v > period_ns for v in values) for values in (off, on))
    medians = f"{rank(off, 500) / 1e3:.1f} -> {rank(on, 500) / 1e3:.1f} us"
    line(f"cycle end p50, {where}", f"{medians}, ratio {spread(p50)}", "<= 1.010")
    line("  the same without -> without", f"ratio {spread(p50_control)}: what the machine varies by")
    line("  p99", f"ratio {spread(p99)}; without -> without {spread(p99_control)}")
    line("  overruns", f"{late_off} of {len(off)} -> {late_on} of {len(on)}", "no larger share")


def intrusion(rate, frames):
    """@return the probe's summaries, by whether the limit was held."""
    clients, summaries, segments = 4, {False: [], True: []}, []
    can_hold = os.access(LATENCY, os.W_OK)
    duration = str(2 * ROUNDS * (3 * SEGMENT_S + 6))
    load = ["-n", str(clients), "--shape", "layers", "--burn", "30", "--duration", duration]
    with Jackd(rate, frames) as server, Load(server, *load) as running:
        for _ in range(ROUNDS):
            for held in (False, True) if can_hold else (False,):
                segments.append(one_round(server, held, summaries))
        cycles = ends(running.stop(), clients)
    for held in False, True:
        rounds = [[within(cycles, s) for s in three] for three in segments if three[0].held == held]
        if rounds:
            compare(rounds, f"{rate}/{frames}{', hold 0' if held else ''}", server.period_ns)
        else:
            line(f"cycle end p50, {rate}/{frames}, hold 0", f"n/a: {LATENCY} cannot be opened")
    return summaries


# --- CPU and memory -----------------------------------------------------------------------------------------------------


def show_threads(cost):
    for share in cost.threads:
        if share.percent >= 0.005:
            name = share.thread.name + (" (real-time)" if share.thread.realtime else "")
            line(f"  thread {name}", f"{share.percent:.3f} % = {share.runs:.0f} runs/s of {share.us:.1f} us")


def own_percent(cost, summary, server):
    """What is left without the waking of head and tail by kernel and libjack: our callbacks and our other threads."""
    others = sum(share.percent for share in cost.threads if not share.thread.realtime)
    callbacks_us = summary["head_cost_mean_us"] + summary["tail_cost_mean_us"]
    return others + 1e-4 * callbacks_us * server.rate / server.frames


def show_memory(sizes, where):
    line(
        f"private memory, {where}",
        f"{sizes['Pss_Anon'] / 1024:.1f} MiB anonymous, {sizes['Private_Dirty'] / 1024:.1f} MiB dirty",
        "<= 4 MiB",
    )
    line("  locked", f"{sizes['Locked'] / 1024:.1f} MiB in memory, {sizes['VmLck'] / 1024:.1f} MiB of addresses")


def process_cost(server, where, aim):
    """CPU and memory of the probe beside a small load, and the CPU of two clients that do nothing: the floor that a head and
    a tail of any make pay for being woken."""
    nothing = ["-n", "2", "--shape", "parallel", "--ports", "0", "--burn", "0", "--name", "nothing"]
    with server, Load(server, "-n", "2", "--burn", "10", "--duration", "30"):
        with Probe(server) as probe:
            sizes = memory(probe.process.pid)
            cost = cpu(probe.process.pid, CPU_S)
            summary = probe.stop()
        floor_process = server.popen(PROBE, "load", *nothing)
        try:
            wait_for_cycles(floor_process.pid, 100)
            floor = cpu(floor_process.pid, FLOOR_S)
        finally:
            stop(floor_process)
            floor_process.communicate()
    line(f"CPU of the probe, {where}", f"{cost.percent:.2f} % of a core", aim)
    line("  of two clients that do nothing", f"{floor.percent:.2f} %")
    line("  own callbacks and other threads alone", f"{own_percent(cost, summary, server):.2f} %")
    show_threads(cost)
    return summary, sizes


def main():
    began = time.monotonic()
    heading("parts: pairing and windows (aim >= 10 M cycles/s); one OSC window (aim <= 10 us, no allocation)")
    for program in sys.argv[1:]:
        subprocess.run([program], check=True)
    heading("CPU, with CSV, JSON lines and OSC")
    rates = (48000, 128, "<= 0.3 %"), (48000, 32, "<= 0.6 %"), (96000, 32, "<= 1 %")
    runs = [process_cost(Jackd(r, f), f"jackd2 {r // f}/s", aim) for r, f, aim in rates]
    pipewire = process_cost(PipeWire(48000, 128), "PipeWire 375/s", "<= 0.3 %")
    heading("memory")
    show_memory(runs[0][1], "jackd2")
    show_memory(pipewire[1], "PipeWire")
    heading("cycle end of a load's own clients, without -> with the probe")
    summaries = [(f"{r}/{f}", intrusion(r, f)) for r, f in ((48000, 128), (96000, 64))]
    heading("callbacks, as the probe counts them itself")
    for where, by_hold in summaries:
        callbacks(by_hold[False], f"jackd2 {where}")
        if by_hold[True]:
            callbacks(by_hold[True], f"jackd2 {where}, hold 0")
    callbacks([pipewire[0]], "PipeWire 48000/128")
    accuracy.main()
    print(f"\ntook {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
