"""The way into the Corpus page: what is uploaded, what is said of it, and that none of it is written to disk."""

import asyncio
import resource
from contextlib import contextmanager

from starlette.requests import Request
from streamlit import config

from viz.ready import keep_uploads_in_memory


@contextmanager
def no_files():
    """No file may be written that has more than a kilobyte, wherever and by whatever name."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_the_largest_upload_stays_in_memory():
    keep_uploads_in_memory()
    size = config.get_option("server.maxUploadSize") * 2**20
    head = b'--x\r\nContent-Disposition: form-data; name="a"; filename="a.txt"\r\n\r\n'
    parts = [head, *[b"a line of text\n\n" * 2**16] * (size // 2**20), b"\r\n--x--\r\n"]
    scope = {"type": "http", "method": "PUT", "headers": [(b"content-type", b"multipart/form-data; boundary=x")]}

    async def receive():
        return {"type": "http.request", "body": parts.pop(0), "more_body": bool(parts)}

    async def uploaded():
        (upload,) = (await Request(scope, receive).form()).values()
        return len(await upload.read())

    with no_files():
        assert asyncio.run(uploaded()) == size
