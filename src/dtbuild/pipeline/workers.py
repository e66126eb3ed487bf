"""Runs independent items, in this process or in worker processes, in a way that cannot change the result.

Each item's randomness is its own and results come back by item, so the number of jobs never shows in the output.
Workers are started afresh (never forked from a process that holds threads), ignore Ctrl-C (the parent decides)
and end when the parent is gone, so that a killed run leaves no process behind.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing.connection import wait as wait_for
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def run_items(
    work: Callable[[T], R],
    items: Sequence[T],
    *,
    jobs: int,
    setup: Callable[..., None] | None = None,
    arguments: tuple[object, ...] = (),
) -> Iterator[tuple[T, R | Exception]]:
    """Yield (item, result or the exception it raised) as each is done; `setup(*arguments)` runs once a process.

    With one job, or one item, the work happens here; `work` and `setup` must be importable by name.
    """
    if not items:
        return
    if jobs <= 1 or len(items) == 1:
        if setup:
            setup(*arguments)
        for item in items:
            yield item, _attempt(work, item)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        min(jobs, len(items)), mp_context=context, initializer=_begin, initargs=(setup, arguments)
    )
    try:
        yield from _drain(pool, work, items, window=4 * jobs)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _drain(
    pool: ProcessPoolExecutor, work: Callable[[T], R], items: Sequence[T], window: int
) -> Iterator[tuple[T, R | Exception]]:
    # A window keeps memory flat however many items there are.
    waiting: dict[Future[R], T] = {}
    queue = iter(items)
    while True:
        for item in queue:
            waiting[pool.submit(work, item)] = item
            if len(waiting) >= window:
                break
        if not waiting:
            return
        done, _ = wait(waiting, return_when=FIRST_COMPLETED)
        for future in done:
            item = waiting.pop(future)
            error = future.exception()
            if isinstance(error, Exception):
                yield item, error
            else:
                yield item, future.result()


def _attempt(work: Callable[[T], R], item: T) -> R | Exception:
    try:
        return work(item)
    except Exception as error:  # handed to the caller, who names the item
        return error


def _begin(setup: Callable[..., None] | None, arguments: tuple[object, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if setup:
        setup(*arguments)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for([parent.sentinel])
        os._exit(1)
