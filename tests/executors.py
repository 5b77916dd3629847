"""Engines for tests."""

import pickle
import threading
from concurrent.futures import Executor, Future
from dataclasses import replace

from apsp.running.workers import worker

__all__ = ["AtOnce"]


class AtOnce(Executor):
    """Runs every task when it is submitted, in this thread, from pickled arguments, like a worker of its own."""

    num_workers = 3

    def __init__(self, *, is_far=False):
        self.is_far = is_far
        self.kept = threading.local()
        self.sent = 0
        self.tasks = 0

    def submit(self, function, /, reference, sent, *arguments):
        """Run it."""
        function, sent, arguments = pickle.loads(pickle.dumps((function, sent, arguments)))
        self.sent += sent is not None
        self.tasks += 1
        far = replace(reference, path="/there/is/no/such/file") if self.is_far else reference
        future = Future()
        before, worker._cached = worker._cached, self.kept
        try:
            future.set_result(pickle.loads(pickle.dumps(function(far, sent, *arguments))))
        except Exception as error:
            future.set_exception(error)
        finally:
            worker._cached = before
        return future
