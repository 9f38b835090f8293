"""Find results in a background thread, while the page shows the results that it has so far."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock, Thread
from typing import Any, TypeAlias


class SupersededError(Exception):
    """An error that ends a search because another result is wanted first, or this one is no longer wanted."""


#: A callable that raises SupersededError where the result being computed can wait or is no longer wanted.
CheckWanted: TypeAlias = Callable[[], None]
#: A callable that computes a result. It calls its argument from time to time, to stop if the result is not wanted.
Compute: TypeAlias = Callable[[CheckWanted], Any]


class Finder:
    """A queue of requests that one background thread answers, the newest request first.

    Attributes:
        name: the name of the thread.
        results: the results by request; never None. An error while computing a result gives its message as the result.
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
        """Whether any request is pending."""
        return bool(self._pending)

    def is_pending(self, request: Hashable) -> bool:
        """Return whether `request` is pending."""
        return request in self._pending

    def look(self, request: Hashable, make: Compute) -> Any:
        """Return the result of `request`, or None while it is computed.

        A request without a result is put at the front of the queue, to be computed by `make`."""
        with self._lock:
            if request in self.results or next(reversed(self._pending), None) == request:
                return self.results.get(request)
            self._pending.pop(request, None)
            self._pending[request] = make
            if self._thread is None:
                self._thread = Thread(target=self._find, name=self.name, daemon=True)
                self._thread.start()
        return None

    def store_result(self, request: Hashable, result: Any) -> None:
        """Store `result` as the answer to `request`, and take the request out of the queue."""
        with self._lock:
            self.results[request] = result
            self._pending.pop(request, None)
            self.revision += 1

    def count_up(self) -> None:
        """Increase `revision`, so that the page is drawn again."""
        self.revision += 1

    def find_now(self, request: Hashable, make: Compute) -> Any:
        """Return the result of `request`; where it is not known yet, compute it by `make` in the calling thread."""
        with self._now_lock:  # a second caller with the same request waits for the result of the first
            if request not in self.results:
                self.store_result(request, _result_or_error(make, lambda: None))
            return self.results[request]

    def drop(self, unwanted: Callable[[Hashable], bool]) -> None:
        """Remove from the queue all pending requests for which `unwanted` is true."""
        with self._lock:
            for request in [each for each in self._pending if unwanted(each)]:
                del self._pending[request]

    def forget(self, forgettable: Callable[[Hashable], bool], most: int) -> None:
        """Keep, of the results whose requests satisfy `forgettable`, only the newest `most`."""
        with self._lock:
            old = [each for each in self.results if forgettable(each)]
            for request in old[: max(0, len(old) - most)]:
                del self.results[request]

    def stop(self) -> None:
        """Remove all pending requests."""
        with self._lock:
            self._pending.clear()

    def _find(self) -> None:
        """Answer pending requests, the newest first, until none is left; the body of the thread."""
        while True:
            with self._lock:
                if not self._pending:
                    self._thread = None
                    return
                request, make = next(reversed(self._pending.items()))

            def look(requested: Hashable = request) -> None:
                if next(reversed(self._pending), None) != requested:
                    raise SupersededError

            try:
                result = _result_or_error(make, look)
            except SupersededError:
                with self._lock:
                    if next(reversed(self._pending), None) == request:  # not superseded by another: no longer wanted
                        self._pending.pop(request)
                continue
            with self._lock:
                self.results[request] = result
                self._pending.pop(request, None)
                self.revision += 1


def _result_or_error(make: Compute, look: CheckWanted) -> Any:
    """Return the result of `make`, or the error's message where `make` fails.

    Raises SupersededError if `make` raises it."""
    try:
        return make(look)
    except SupersededError:
        raise
    except Exception as error:  # too hard, or its process died: the page shows the message and continues
        return str(error) or type(error).__name__
