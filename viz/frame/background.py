"""Compute results in a background thread, while the page shows the results that it has so far."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock, Thread
from typing import Any, TypeAlias


class SupersededError(Exception):
    """An error that ends a computation: another result is wanted first, or its own result is no longer wanted."""


#: A callable that raises SupersededError where the result being computed can wait or is no longer wanted.
CheckWanted: TypeAlias = Callable[[], None]
#: A callable that computes a result. It calls its argument from time to time, to stop if the result is not wanted.
Compute: TypeAlias = Callable[[CheckWanted], Any]


class Finder:
    """A queue of requests that one background thread answers, the newest request first.

    A request is any hashable value that identifies a result.

    Attributes:
        name: the name of the thread.
        results: the results by request; never None. Where computing a result fails, its value is the error's message.
        revision: a number that grows whenever there is more to show."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.results: dict[Hashable, Any] = {}
        self.revision = 0
        self._pending: dict[Hashable, Compute] = {}
        self._thread: Thread | None = None
        self._lock, self._now_lock = Lock(), Lock()

    @property
    def busy(self) -> bool:
        """Whether any request still waits in the queue or is being computed."""
        return bool(self._pending)

    def is_pending(self, request: Hashable) -> bool:
        """Return whether `request` still waits in the queue or is being computed."""
        return request in self._pending

    def request_result(self, request: Hashable, make: Compute) -> Any:
        """Return the result of `request` if it is known, else None, and put the request at the front of the queue.

        The background thread then calls `make` to compute the result."""
        with self._lock:
            if request in self.results or next(reversed(self._pending), None) == request:
                return self.results.get(request)
            self._pending.pop(request, None)
            self._pending[request] = make
            if self._thread is None:
                self._thread = Thread(target=self._answer_requests, name=self.name, daemon=True)
                self._thread.start()
        return None

    def store_result(self, request: Hashable, result: Any) -> None:
        """Store `result` as the answer to `request`, and take the request out of the queue."""
        with self._lock:
            self.results[request] = result
            self.revision += 1  # first: whoever then finds nothing pending must see that there is more to show
            self._pending.pop(request, None)

    def request_redraw(self) -> None:
        """Increase `revision`, which makes the page draw again what is known so far."""
        self.revision += 1

    def compute_now(self, request: Hashable, make: Compute) -> Any:
        """Return the result of `request`; if it is not known yet, call `make` for it in the calling thread and wait."""
        with self._now_lock:  # a second caller with the same request waits for the result of the first
            if request not in self.results:
                self.store_result(request, _result_or_error(make, lambda: None))
            return self.results[request]

    def drop_pending(self, unwanted: Callable[[Hashable], bool]) -> None:
        """Remove from the queue all requests for which `unwanted` returns True."""
        with self._lock:
            for request in [each for each in self._pending if unwanted(each)]:
                del self._pending[request]

    def forget_old_results(self, forgettable: Callable[[Hashable], bool], kept_count: int) -> None:
        """Delete old results to save memory.

        Of the results whose requests satisfy `forgettable`, only the newest `kept_count` (a count) are kept."""
        with self._lock:
            old = [each for each in self.results if forgettable(each)]
            for request in old[: max(0, len(old) - kept_count)]:
                del self.results[request]

    def clear_queue(self) -> None:
        """Remove all requests from the queue; known results are kept."""
        with self._lock:
            self._pending.clear()

    def _answer_requests(self) -> None:
        """Answer the requests in the queue, the newest first, until none is left.

        This is the body of the background thread."""
        while True:
            with self._lock:
                if not self._pending:
                    self._thread = None
                    return
                request, make = next(reversed(self._pending.items()))

            def request_result(requested: Hashable = request) -> None:
                if next(reversed(self._pending), None) != requested:
                    raise SupersededError

            try:
                result = _result_or_error(make, request_result)
            except SupersededError:
                with self._lock:
                    if next(reversed(self._pending), None) == request:  # not superseded by another: no longer wanted
                        self._pending.pop(request)
                continue
            self.store_result(request, result)


def _result_or_error(make: Compute, check_wanted: CheckWanted) -> Any:
    """Return what `make` returns, or the error's message where `make` fails, because the page shows it and continues.

    Raises SupersededError if `make` raises it. `make` is called with `check_wanted`, which raises it too."""
    try:
        return make(check_wanted)
    except SupersededError:
        raise
    except Exception as error:  # too hard, or its process died: the page shows the message and continues
        return str(error) or type(error).__name__
