"""Decode files that state their own encoding: XML by its first bytes and declaration, PO by its header."""

from __future__ import annotations

import codecs
import re

from .. import printable
from ..files import BadData, decode_utf8, file_label
from .sheets import File

#: The first bytes of XML in UTF-16 and UTF-32: a byte order mark, or "<" (Extensible Markup Language, appendix F).
_STARTS = (
    (b"\xff\xfe\0\0", "utf-32"),
    (b"\0\0\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
    (b"<\0\0\0", "utf-32-le"),
    (b"\0\0\0<", "utf-32-be"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)
_DECLARED = re.compile(rb"\s{0,100}<\?xml[^>]{0,200}?\sencoding\s{0,9}=\s{0,9}[\"']([A-Za-z][\w.-]{0,39})[\"']")
_CHARSET = re.compile(rb'"Content-Type:[^"\n]{0,100}?charset=([A-Za-z][\w.-]{0,39})', re.I)
_IS_PO = re.compile(rb'(?:\xef\xbb\xbf)?(?:#[^\n]*\n|\s){0,1000}msg(?:id|ctxt)\s+"')
#: Python codecs that are not encodings of documents, or that take quadratic time.
_REFUSED_CODECS = {"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "utf-7", "mbcs", "oem"}


def decode_file_text(file: File, data: bytes) -> str:
    """Decode the bytes `data` of a file as UTF-8, or, for XML and PO, in the encoding that the file states for itself.

    A file that is valid UTF-8 and has characters outside ASCII is read as UTF-8, whatever encoding it states, because
    that is hardly ever a coincidence. Raises BadData if the file cannot be decoded.

    >>> decode_file_text(File("a.tmx"), "<tmx/>".encode("utf-16"))
    '<tmx/>'
    >>> decode_file_text(File("a.xlf"), '<?xml version="1.0" encoding="Latin-1"?><é/>'.encode("latin-1"))[-4:]
    '<é/>'
    """
    for start, encoding in _STARTS:
        if data.startswith(start):
            text = _decode_as(file, data, encoding) if _decodes_to_markup(data, encoding) else None
            return decode_utf8(file.name, data) if text is None else text
    declared = _DECLARED.match(data) or (_CHARSET.search(data[:20_000]) if _IS_PO.match(data[:20_000]) else None)
    if declared is None:
        return decode_utf8(file.name, data)
    own_encoding = declared[1].decode().lower()
    # "charset" is the placeholder of a PO template. A declaration of UTF-16 is false, or it could not be read here.
    if own_encoding == "charset" or re.match(r"utf-?(?:8|16|32)", own_encoding):
        return decode_utf8(file.name, data)
    return _decode_as(file, data, own_encoding)


def _decodes_to_markup(data: bytes, encoding: str) -> bool:
    """Return whether the bytes, decoded with `encoding`, start with "<", after any white space."""
    start = data[:400].decode(encoding, "ignore")
    return start.lstrip("\ufeff \t\r\n").startswith("<")


def _decode_as(file: File, data: bytes, encoding: str) -> str:
    """Decode the bytes `data` of a file in `encoding`. Raises BadData if it is unknown or the bytes do not fit."""
    try:
        codec_name = codecs.lookup(encoding).name
        if codec_name in _REFUSED_CODECS:
            raise LookupError
        if not data.isascii() and not codec_name.startswith(("utf-16", "utf-32")) and _is_utf8(data):
            return decode_utf8(file.name, data)
        return data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        at = f"byte {error.start + 1:,} is 0x{data[error.start]:02X}"
        raise BadData(f"{file_label(file.name)} must be {printable(encoding)}, as it begins, but {at}") from None
    except (LookupError, ValueError):
        what = printable(encoding)
        raise BadData(f"{file_label(file.name)} says that its encoding is {what}, which is not known") from None


def _is_utf8(data: bytes) -> bool:
    """Return whether the bytes are valid UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
