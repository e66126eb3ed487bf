"""Runs independent items, in this process or in worker processes, in a way that cannot change the result.

Each item's randomness is its own and results come back by item, so the number of jobs never shows in the output.
Workers are started afresh (never forked from a process that holds threads), hear no Ctrl-C (the parent decides)
and end when the parent is gone, so that a killed run leaves no process behind.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import wait as wait_for
from typing import TypeVar

from dtbuild.errors import Incomplete

T = TypeVar("T")
R = TypeVar("R")


def run_items(
    work: Callable[[T], R],
    items: Sequence[T],
    *,
    jobs: int,
    setup: Callable[..., None] | None = None,
    arguments: tuple[object, ...] = (),
) -> Iterator[tuple[T, R]]:
    """Yield (item, result) as each is done; `setup(*arguments)` runs once a process.

    With one job, or one item, the work happens here; `work` and `setup` must be importable by name. The first
    exception of `work` or `setup` is raised here as it is; items under way in other workers are finished before.
    When this process is interrupted, workers are stopped at once. Raises Incomplete when a worker dies.
    """
    if not items:
        return
    if jobs <= 1 or len(items) == 1:
        if setup:
            setup(*arguments)
        for item in items:
            yield item, work(item)
        return
    with _pool(min(jobs, len(items)), setup, arguments) as pool:
        yield from _drain(pool, work, items, window=4 * jobs)


@contextmanager
def asking(
    work: Callable[[T], R],
    *,
    jobs: int,
    setup: Callable[..., None] | None = None,
    arguments: tuple[object, ...] = (),
) -> Iterator[Callable[[T], Callable[[], R]]]:
    """A function that hands an item out and returns a function that waits for its result.

    For results in an order of the caller's own, and items that follow from results. Items are worked on in the order
    in which they are handed out; how many are out at once is the caller's to bound. With one job the work is done
    here, when its result is waited for. Errors as in `run_items`, raised where the result is waited for.
    """
    if jobs <= 1:
        if setup:
            setup(*arguments)
        yield lambda item: partial(work, item)
        return
    with _pool(jobs, setup, arguments) as pool:

        def ask(item: T) -> Callable[[], R]:
            with _held_back(signal.SIGINT):
                return pool.submit(_in_worker, work, item).result

        yield ask


@contextmanager
def _pool(jobs: int, setup: Callable[..., None] | None, arguments: tuple[object, ...]) -> Iterator[ProcessPoolExecutor]:
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin, initargs=(setup, arguments))
    try:
        yield pool
    except BrokenProcessPool as error:
        raise Incomplete(
            "a worker process",
            expected="to live until its items are done",
            found="it was killed or ran out of memory",
            fix="run again, with a smaller --jobs if it recurs: what is made is kept",
        ) from error
    except (KeyboardInterrupt, GeneratorExit):
        # Files are whole or absent, so a worker can be stopped anywhere; waiting for its item may take a minute.
        for process in list(pool._processes.values()):
            process.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _drain(pool: ProcessPoolExecutor, work: Callable[[T], R], items: Sequence[T], window: int) -> Iterator[tuple[T, R]]:
    # A window keeps memory flat however many items there are.
    waiting: dict[Future[R], T] = {}
    queue = iter(items)
    while True:
        for item in queue:
            with _held_back(signal.SIGINT):
                waiting[pool.submit(_in_worker, work, item)] = item
            if len(waiting) >= window:
                break
        if not waiting:
            return
        done, _ = wait(waiting, return_when=FIRST_COMPLETED)
        for future in done:
            yield waiting.pop(future), future.result()


@contextmanager
def _held_back(number: signal.Signals) -> Iterator[None]:
    """Delivers a signal afterwards. Processes started meanwhile never hear it: they inherit the mask."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {number})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_unprepared: Exception | None = None
"""What `setup` raised in this worker. A pool would hide it behind its own error and print a traceback."""


def _begin(setup: Callable[..., None] | None, arguments: tuple[object, ...]) -> None:
    global _unprepared
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        if setup:
            setup(*arguments)
    except Exception as error:
        _unprepared = error


def _in_worker(work: Callable[[T], R], item: T) -> R:
    if _unprepared is not None:
        raise _unprepared
    return work(item)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for([parent.sentinel])
        os._exit(1)
