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
    """Finds what is wanted, what was wanted last first. What is `found` is never None; a sentence, where finding it
    ended in an error. `news` grows when there is more to show."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.found: dict[Hashable, Any] = {}
        self.news = 0
        self._wanted: dict[Hashable, Make] = {}
        self._thread: Thread | None = None
        self._lock, self._now = Lock(), Lock()

    @property
    def busy(self) -> bool:
        """Whether something is looked for."""
        return bool(self._wanted)

    def wants(self, asked: Hashable) -> bool:
        """Whether something is being looked for."""
        return asked in self._wanted

    def look(self, asked: Hashable, make: Make) -> Any:
        """What is found of something, None while it is looked for, before all that was wanted earlier."""
        with self._lock:
            if asked in self.found or next(reversed(self._wanted), None) == asked:
                return self.found.get(asked)
            self._wanted.pop(asked, None)
            self._wanted[asked] = make
            if self._thread is None:
                self._thread = Thread(target=self._find, name=self.name, daemon=True)
                self._thread.start()
        return None

    def put(self, asked: Hashable, found: Any) -> None:
        """Have something be found, which is then looked for no more."""
        with self._lock:
            self.found[asked] = found
            self._wanted.pop(asked, None)
            self.news += 1

    def tell(self) -> None:
        """Say that there is more to show."""
        self.news += 1

    def now(self, asked: Hashable, make: Make) -> Any:
        """What is found of something, which is found at once where it is not known yet."""
        with self._now:  # who asks for the same waits for it
            if asked not in self.found:
                self.put(asked, _found(make, lambda: None))
            return self.found[asked]

    def drop(self, unwanted: Callable[[Hashable], bool]) -> None:
        """Look no longer for some of what is wanted."""
        with self._lock:
            for asked in [each for each in self._wanted if unwanted(each)]:
                del self._wanted[asked]

    def forget(self, forgettable: Callable[[Hashable], bool], most: int) -> None:
        """Keep no more than the newest `most` of some of what was found."""
        with self._lock:
            old = [each for each in self.found if forgettable(each)]
            for asked in old[: max(0, len(old) - most)]:
                del self.found[asked]

    def stop(self) -> None:
        """Look for nothing more."""
        with self._lock:
            self._wanted.clear()

    def _find(self) -> None:
        while True:
            with self._lock:
                if not self._wanted:
                    self._thread = None
                    return
                asked, make = next(reversed(self._wanted.items()))

            def look(asked: Hashable = asked) -> None:
                if next(reversed(self._wanted), None) != asked:
                    raise SupersededError

            try:
                found = _found(make, look)
            except SupersededError:
                with self._lock:
                    if next(reversed(self._wanted), None) == asked:  # nobody waits for it
                        self._wanted.pop(asked)
                continue
            with self._lock:
                self.found[asked] = found
                self._wanted.pop(asked, None)
                self.news += 1


def _found(make: Make, look: Look) -> Any:
    """What is made, a sentence where that ends in an error."""
    try:
        return make(look)
    except SupersededError:
        raise
    except Exception as error:  # too hard, or its process died: the page says it, and goes on
        return str(error) or type(error).__name__
