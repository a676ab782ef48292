# SPDX-License-Identifier: Apache-2.0

"""Title, artist and other tags."""

from __future__ import annotations

import ctypes
import os
from ctypes import byref, c_char_p, c_double, c_void_p
from typing import NamedTuple

from ._library import PictureInformation, library
from ._sources import Source, located


class Chapter(NamedTuple):
    """A chapter."""

    start: float
    """Seconds."""
    title: str


class Picture(NamedTuple):
    """A picture."""

    data: bytes
    media_type: str
    """Such as "image/jpeg"."""
    kind: int
    """As in ID3v2 and FLAC: 3 is the front cover, 4 the back cover."""
    description: str


class Tags(NamedTuple):
    """The tags of a file."""

    texts: dict[str, list[str]]
    """All values by name, in upper case as in Vorbis comments: "TITLE", "ARTIST", "TRACKNUMBER"."""
    chapters: list[Chapter]
    pictures: list[Picture]


def tags(source: Source) -> Tags:
    """Returns the tags of a file: MP4, Matroska, CAF, WAV, AIFF, FLAC, MP3, Ogg, ADTS.

    :raises Error: If the format is unknown or the file is damaged.
    """
    place, _ = located(source)
    handle = c_void_p()
    if isinstance(place, str):
        library.linnet_tags_open(os.fsencode(place), byref(handle))
    else:
        library.linnet_tags_open_memory(place, len(place), byref(handle))
    first, second, start, picture = c_char_p(), c_char_p(), c_double(), PictureInformation()
    found = Tags({}, [], [])

    def text(value: bytes | None) -> str:
        return (value or b"").decode(errors="replace")

    try:
        while library.linnet_tags_text(handle, sum(map(len, found.texts.values())), byref(first), byref(second)) == 0:
            found.texts.setdefault(text(first.value).upper(), []).append(text(second.value))
        while library.linnet_tags_chapter(handle, len(found.chapters), byref(start), byref(first)) == 0:
            found.chapters.append(Chapter(start.value, text(first.value)))
        while library.linnet_tags_picture(handle, len(found.pictures), byref(picture)) == 0:
            data = ctypes.string_at(picture.bytes, picture.size)
            found.pictures.append(Picture(data, text(picture.media_type), picture.kind, text(picture.description)))
    finally:
        library.linnet_tags_close(handle)
    return found
