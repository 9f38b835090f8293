"""What is found behind a page, in a thread of its own, while the page shows what is there."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock, Thread
from typing import Any, TypeAlias


class SupersededError(Exception):
    """That something else is wanted more, or nothing any more."""


#: Raises SupersededError where what is being found can wait, or is wanted no longer.
Look: TypeAlias = Callable[[], None]
#: Finds something, looking now and then whether that is still wanted.
Make: TypeAlias = Callable[[Look], Any]


class Finder:
    """Finds what is wanted, what was wanted last first. One of its `results` is never None; it is a sentence where
    finding it ended in an error. `revision` grows when there is more to show."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.results: dict[Hashable, Any] = {}
        self.revision = 0
        self._pending: dict[Hashable, Make] = {}
        self._thread: Thread | None = None
        self._lock, self._now_lock = Lock(), Lock()

    @property
    def busy(self) -> bool:
        """Whether something is looked for."""
        return bool(self._pending)

    def wants(self, request: Hashable) -> bool:
        """Whether something is being looked for."""
        return request in self._pending

    def look(self, request: Hashable, make: Make) -> Any:
        """What is found of something, None while it is looked for, before all that was wanted earlier."""
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
        """Have something be found, which is then looked for no more."""
        with self._lock:
            self.results[request] = result
            self._pending.pop(request, None)
            self.revision += 1

    def tell(self) -> None:
        """Say that there is more to show."""
        self.revision += 1

    def find_now(self, request: Hashable, make: Make) -> Any:
        """What is found of something, which is found at once where it is not known yet."""
        with self._now_lock:  # who asks for the same waits for it
            if request not in self.results:
                self.store_result(request, _result_or_error(make, lambda: None))
            return self.results[request]

    def drop(self, unwanted: Callable[[Hashable], bool]) -> None:
        """Look no longer for some of what is wanted."""
        with self._lock:
            for request in [each for each in self._pending if unwanted(each)]:
                del self._pending[request]

    def forget(self, forgettable: Callable[[Hashable], bool], most: int) -> None:
        """Keep no more than the newest `most` of some of what was found."""
        with self._lock:
            old = [each for each in self.results if forgettable(each)]
            for request in old[: max(0, len(old) - most)]:
                del self.results[request]

    def stop(self) -> None:
        """Look for nothing more."""
        with self._lock:
            self._pending.clear()

    def _find(self) -> None:
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
                    if next(reversed(self._pending), None) == request:  # nobody waits for it
                        self._pending.pop(request)
                continue
            with self._lock:
                self.results[request] = result
                self._pending.pop(request, None)
                self.revision += 1


def _result_or_error(make: Make, look: Look) -> Any:
    """What is made, a sentence where that ends in an error."""
    try:
        return make(look)
    except SupersededError:
        raise
    except Exception as error:  # too hard, or its process died: the page says it, and goes on
        return str(error) or type(error).__name__
