"""What the book keeps in few bytes: frames of zstandard, with a dictionary of what entries and states say.

A frame names its dictionary. Dictionaries are files of this package that are never changed and never go: what
was packed with one is read with it for ever. `python -m tests.dictionary` makes the next. Bytes that are not
packed begin with the brace of their JSON, as 0.1 wrote them.
"""

from __future__ import annotations

import threading
from functools import cache, cached_property
from pathlib import Path

import zstandard

DICTIONARY = 1
"""What this release packs with."""
LEVEL = 3
MOST = 1 << 28
"""No entry is so long, nor the state of a link of 40,000 tables: nobody who changes the length that a frame
says should have us reserve more."""
_FOLDER = Path(__file__).parent / "dictionaries"


class Unpackable(ValueError):
    """Bytes that this release cannot have packed, nor any before it."""


def pack(data: bytes) -> bytes:
    return _tools.compressor.compress(data)


def unpack(kept: bytes) -> bytes:
    if kept[:1] == b"{":
        return kept
    try:
        frame = zstandard.get_frame_parameters(kept)
        if frame.content_size > MOST:
            raise Unpackable("the frame says that it is longer than anything that is packed")
        return _tools.decompressor(frame.dict_id).decompress(kept, allow_extra_data=False)
    except zstandard.ZstdError as broken:
        raise Unpackable(f"it cannot be unpacked: {broken}") from broken


class _Tools(threading.local):
    """Of one thread: they may not be used by two at once."""

    def __init__(self) -> None:
        self._decompressors: dict[int, zstandard.ZstdDecompressor] = {}

    @cached_property
    def compressor(self) -> zstandard.ZstdCompressor:
        return zstandard.ZstdCompressor(level=LEVEL, dict_data=_dictionary(DICTIONARY))

    def decompressor(self, number: int) -> zstandard.ZstdDecompressor:
        if number not in self._decompressors:
            self._decompressors[number] = zstandard.ZstdDecompressor(dict_data=_dictionary(number))
        return self._decompressors[number]


@cache
def _dictionary(number: int) -> zstandard.ZstdCompressionDict:
    try:
        found = zstandard.ZstdCompressionDict(file_of(number).read_bytes())
    except FileNotFoundError:
        raise Unpackable(
            f"it was packed with dictionary {number}, which this release does not have"
        ) from None
    found.precompute_compress(level=LEVEL)
    return found


def file_of(number: int) -> Path:
    return _FOLDER / f"{number}.zdict"


_tools = _Tools()
