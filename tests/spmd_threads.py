"""Threads in place of the processes of `apsp.spmd`: they exchange arrays through a board."""

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np


class Board:
    """Where the threads leave what they send."""

    def __init__(self, size):
        self.size = size
        self.changed = threading.Condition()
        self.left = {}
        self.failed = False

    def put(self, key, value):
        with self.changed:
            self.left[key] = value
            self.changed.notify_all()

    def get(self, key):
        with self.changed:
            assert self.changed.wait_for(lambda: key in self.left or self.failed, timeout=30), key
            return self.left[key]

    def fail(self):
        """Let no thread wait for one that has failed."""
        with self.changed:
            self.failed = True
            self.changed.notify_all()


class Waiting:
    def __init__(self, act):
        self.act = act

    def advance(self):
        """Nothing goes on by itself."""

    def wait(self):
        return self.act()

    result = wait


class Threads:
    """The connection of one thread; `shares` says along which axes of the grid threads share pages."""

    def __init__(self, board, rank, shares=()):
        self.board, self.rank, self.size = board, rank, board.size
        self.shares, self.shares_memory = shares, bool(shares)
        self.addresses = set()
        self.counts = {}

    def form(self, shape):
        self.shape = shape
        self.row, self.column = divmod(self.rank, shape[1])

    def number(self, *key):
        self.counts[key] = self.counts.get(key, 0) + 1
        return (*key, self.counts[key])

    def shared(self, axis, place, rows, columns, dtype):
        if axis not in self.shares:
            return None
        key = self.number("page", axis, self.row if axis == "row" else self.column)
        if place == 0:
            self.board.put(key, np.full((rows, columns), 77, dtype=dtype))
        page = self.board.get(key)
        assert page.shape == (rows, columns)
        self.addresses.add(page.ctypes.data)
        return page

    def shared_along_row(self, *page):
        return self.shared("row", self.column, *page)

    def shared_along_column(self, *page):
        return self.shared("column", self.row, *page)

    def broadcast(self, key, page, is_source):
        assert page.flags.c_contiguous
        if page.ctypes.data in self.addresses:
            if is_source:
                self.board.put(key, None)
                return Waiting(lambda: None)
            return Waiting(lambda: self.board.get(key))
        if is_source:
            self.board.put(key, page.copy())
            return Waiting(lambda: None)
        return Waiting(lambda: page.__setitem__(slice(None), self.board.get(key)))

    def gathered(self, key, value):
        line = range(self.rank - self.column, self.rank - self.column + self.shape[1]) if key == "row" else range(
            self.column, self.size, self.shape[1]
        )  # fmt: skip
        key = self.number("gather", key)
        self.board.put((*key, self.rank), value)
        return [self.board.get((*key, rank)) for rank in line]

    def gather_along_row(self, value):
        return self.gathered("row", value)

    def gather_along_column(self, value):
        return self.gathered("column", value)

    def along_row(self, page, source):
        return self.broadcast(self.number("row", self.row), page, self.column == source)

    def along_column(self, page, source):
        return self.broadcast(self.number("column", self.column), page, self.row == source)

    def largest(self, number):
        key = self.number("largest")
        self.board.put((*key, self.rank), number)
        return Waiting(lambda: max(self.board.get((*key, rank)) for rank in range(self.size)))

    def union(self, flags):
        key = self.number("union")
        self.board.put((*key, self.rank), flags.copy())
        flags[:] = np.maximum.reduce([self.board.get((*key, rank)) for rank in range(self.size)])

    def release(self):
        """Threads stay connected."""

    def exchange(self, sent, received):
        for array, rank in sent:
            self.board.put(self.number("from", self.rank, rank), array.copy())
        for array, rank in received:
            array[:] = self.board.get(("from", *self.number("to", rank, self.rank)[1:]))


def in_all(processes, program, shares=()):
    """Run a program in threads, which get their connections."""
    board, errors = Board(processes), []

    def run(rank):
        try:
            return program(Threads(board, rank, shares))
        except Exception as error:
            errors.append(error)
            board.fail()

    with ThreadPoolExecutor(processes) as threads:
        found = list(threads.map(run, range(processes)))
    if errors:
        raise errors[0]  # the others miss what that thread would have sent
    return found


def all_rows(matrix, n, height=5):
    """All rows: in each round, every process collects one band."""
    bands = [(start, min(start + height, n)) for start in range(0, n, height)]
    size = matrix.connection.size
    rounds = [bands[start : start + size] for start in range(0, len(bands), size)]
    return [matrix.bands([(*rows, collector) for collector, rows in enumerate(part)]) for part in rounds]


def joined(parts):
    """The whole matrix from what the processes collected."""
    return np.vstack([band for bands in zip(*parts, strict=True) for band in bands if band is not None])


class StoppedError(Exception):
    """In place of the end of a process."""


def late(function, most=0.002):
    """The function, sometimes after some time: processes that compute at different speeds."""

    def called(*arguments):
        if random.random() < 0.2:
            time.sleep(most * random.random())
        return function(*arguments)

    return called


class Saves:
    """Saves before every step, and ends some processes before, the others after they have saved a step."""

    def __init__(self, files, last=None, before=False):
        self.files, self.last, self.before = files, last, before

    def is_due(self):
        return True

    def save(self, step):
        if step == self.last and self.before:
            raise StoppedError
        self.files.write(step)
        if step == self.last:
            raise StoppedError
