"""Pictures of results. Importing it lets a notebook show a result as its picture."""

from metrics.types import Result


def _repr_html_(result: Result) -> str:
    from viz.save import notebook

    return notebook.html(result)


Result._repr_html_ = _repr_html_  # type: ignore[attr-defined]
