"""One line of progress on a terminal, one line per finished job elsewhere."""

import os
import re
import shutil
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import TextIO

from snakemake_logger_plugin_truerank.stream import Lasting

DOWNLOAD = re.compile(rb"\[#*\.*\] [\d.]+ of [\d.]+ MB(?=\s*$)")


class Display:
    """Count jobs, estimate what is left, and write to ``stream``."""

    def __init__(self, stream: TextIO | None, clock: Callable[[], float] = time.monotonic) -> None:
        self.stream = Lasting(stream)
        self.clock = clock
        self.live = self.stream.isatty()
        self.begun = clock()
        self.total = 0
        self.done = 0
        self.left: Counter[str] = Counter()
        self.titles: dict[int, tuple[str, str]] = {}
        self.logs: dict[int, str] = {}
        self.running: dict[int, float] = {}
        self.seconds: defaultdict[str, list[float]] = defaultdict(list)
        self.lock = threading.RLock()
        self.closed = threading.Event()
        if self.live:
            threading.Thread(target=self.tick, daemon=True).start()

    def plan(self, stats: Mapping[str, int]) -> None:
        """Take the number of jobs per rule, with their ``total``."""
        self.left = Counter({rule: count for rule, count in stats.items() if rule != "total"})
        self.total = stats["total"]
        self.begun = self.clock()

    def describe(
        self, job: int, rule: str, wildcards: Mapping[str, object] | None, logs: Iterable[str] | None = ()
    ) -> None:
        self.logs[job] = next(iter(logs or ()), "")
        self.titles[job] = (rule, " ".join([rule, "/".join(map(str, (wildcards or {}).values()))]).strip())

    def title(self, job: int, rule: str = "") -> str:
        return self.titles.get(job, (rule, rule))[1]

    def start(self, jobs: Iterable[int]) -> None:
        with self.lock:
            self.running |= {job: self.clock() for job in jobs}
            self.draw()

    def finish(self, job: int, failed: bool = False) -> None:
        with self.lock:
            began = self.running.pop(job, None)
            if began is None or failed:
                return
            rule = self.titles.get(job, ("", ""))[0]
            seconds = self.clock() - began
            self.seconds[rule].append(seconds)
            self.left[rule] -= 1
            self.done += 1
            if self.live:
                self.draw()
            else:
                self.say(f"{self.count()} {self.title(job)} {seconds:.1f} s{self.outlook()}")

    def count(self) -> str:
        return f"[{self.done:>{len(str(self.total))}}/{self.total}]"

    def outlook(self) -> str:
        left = self.seconds_left()
        return f" · about {duration(left)} left" if left else ""

    def seconds_left(self) -> float:
        """Estimate the time left: unfinished jobs at their rule's mean so far, over the parallelism seen so far."""
        known = [second for seconds in self.seconds.values() for second in seconds]
        if not known or self.done == self.total:
            return 0
        typical = sum(known) / len(known)
        means = {rule: sum(seconds) / len(seconds) for rule, seconds in self.seconds.items()}
        work = sum(count * means.get(rule, typical) for rule, count in self.left.items() if count > 0)
        elapsed = max(self.clock() - self.begun, 1e-9)
        return work / max(1.0, sum(known) / elapsed)

    def draw(self) -> None:
        if not self.live or not self.total or self.closed.is_set():
            return
        names = [self.title(job) for job in self.running]
        at_work = ", ".join(names[:1]) + (f" and {len(names) - 1} more" if len(names) > 1 else "")
        at_work += next((f" {bar}" for job in self.running if (bar := download_in(self.logs.get(job, "")))), "")
        percent = 100 * self.done // self.total
        line = f"{self.count()} {percent} % · {at_work} · {duration(self.clock() - self.begun)}{self.outlook()}"
        self.write("\r\033[K" + line[: shutil.get_terminal_size().columns - 1])

    def say(self, text: str) -> None:
        """Write a line that stays."""
        with self.lock:
            self.write(("\r\033[K" if self.live else "") + text.rstrip() + "\n")
            self.draw()

    def write(self, text: str) -> None:
        self.stream.write(text)
        self.stream.flush()

    def tick(self) -> None:
        while not self.closed.wait(1.0):
            with self.lock:
                self.draw()

    def close(self) -> None:
        if not self.closed.is_set():
            self.closed.set()
            clear = "\r\033[K" if self.live and self.total else ""
            took = f"{self.done} of {self.total} jobs in {duration(self.clock() - self.begun)}\n"
            self.write(clear + (took if self.done else ""))


def download_in(log: str) -> str:
    """Return the bar of a download that a job's log ends in; empty if it ends otherwise or there is none."""
    try:
        with open(log, "rb") as file:
            file.seek(max(0, os.path.getsize(log) - 200))
            found = DOWNLOAD.search(file.read())
    except OSError:
        return ""
    return found[0].decode() if found else ""


def duration(seconds: float) -> str:
    """Write seconds as 0:07, 12:34 or 1:02:03."""
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
