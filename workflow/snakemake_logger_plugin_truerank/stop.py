"""Ctrl-C: end the jobs at once, tell it in one line, and exit with 130.

A terminal sends SIGINT to all processes of a run, and each would answer with a traceback. Therefore it is blocked in
Snakemake's threads and, by inheritance, in the jobs, and a thread of its own waits for it. That thread ends the jobs by
SIGTERM, which they die of silently, and wakes the main thread by another signal, so that Snakemake cleans up as
after any Ctrl-C and cancels what is queued on a cluster. A second Ctrl-C ends everything without waiting.
"""

import atexit
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable
from types import TracebackType

import psutil

SENTENCE = "stopped by Ctrl-C; run the same command again to go on"
STATUS = 128 + signal.SIGINT
WAKE = signal.SIGUSR2


class Stop:
    """What becomes of Ctrl-C. tell : takes the sentence. close : called last."""

    def __init__(self, tell: Callable[[str], None], close: Callable[[], None]) -> None:
        self.tell = tell
        self.close = close
        self.asked = threading.Event()

    def listen(self) -> None:
        """Wait for Ctrl-C from now on; not in a run that ignores it, such as one started with nohup."""
        if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            return
        heard, told = os.pipe()
        os.set_blocking(told, False)
        signal.set_wakeup_fd(told, warn_on_full_buffer=False)  # whichever thread the signal comes to
        signal.signal(signal.SIGINT, lambda *_: None)
        signal.signal(WAKE, signal.default_int_handler)
        sys.excepthook = self.say_nothing_of_it
        atexit.register(self.exit)
        threading.Thread(target=self.wait, args=[heard], daemon=True).start()
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])

    def wait(self, heard: int) -> None:
        """Act on the first Ctrl-C, and then on the second."""
        until_interrupted(heard)
        self.asked.set()
        self.tell(SENTENCE)
        jobs = psutil.Process().children(recursive=True)  # before Snakemake starts commands that cancel others
        signal.pthread_kill(threading.main_thread().ident, WAKE)  # type: ignore[arg-type]  # it has started
        end(jobs, psutil.Process.terminate)
        until_interrupted(heard)
        end(psutil.Process().children(recursive=True), psutil.Process.kill)
        os._exit(STATUS)

    def exit(self) -> None:
        """Give the run the status of a command that Ctrl-C has ended, whatever Snakemake makes of it."""
        if self.asked.is_set():
            self.close()
            os._exit(STATUS)

    def say_nothing_of_it(
        self, kind: type[BaseException], value: BaseException, traceback: TracebackType | None
    ) -> None:
        if not self.asked.is_set():
            sys.__excepthook__(kind, value, traceback)


def until_interrupted(heard: int) -> None:
    while os.read(heard, 1) != bytes([signal.SIGINT]):
        pass


def end(processes: Iterable[psutil.Process], how: Callable[[psutil.Process], object]) -> None:
    for process in processes:
        with contextlib.suppress(psutil.Error):
            how(process)
