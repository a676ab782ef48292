# SPDX-License-Identifier: Apache-2.0

"""Readers of files, chosen by content."""

from __future__ import annotations

import ctypes
import io
import os
from ctypes import byref, c_char_p, c_size_t, c_void_p
from typing import Union

from ._library import NAMES, NO_AUDIO, Error, FileInformation, library
from ._sndfile import SndfileSource
from ._wave import CompressedWave, WaveSource

Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview]
"""A path, or the bytes of a file."""

_FORMATS = {number: name for name, number in NAMES["format"].items()}
_HEAD_SIZE = 32_768


class CodedSource:
    """Reads AAC and Apple Lossless by the C library."""

    knows_length = True

    def __init__(self, source: str | bytes) -> None:
        self._file = c_void_p()
        if isinstance(source, str):
            library.linnet_file_open(os.fsencode(source), byref(self._file))
        else:
            library.linnet_file_open_memory(source, len(source), byref(self._file))
        information, name = self._information(), c_char_p()
        library.linnet_file_codec(self._file, byref(name))
        self.codec = (name.value or b"").decode()
        self.format = _FORMATS[information.format]
        self.sample_rate, self.channels = information.sample_rate, information.channels
        self.frames = None if information.frames < 0 else information.frames
        self.bit_depth = information.bit_depth or None
        self._written = c_size_t()

    def _information(self) -> FileInformation:
        information = FileInformation(size=ctypes.sizeof(FileInformation))
        library.linnet_file_information_get(self._file, byref(information))
        return information

    @property
    def damaged(self) -> int:
        return int(self._information().damaged)

    @property
    def skipped(self) -> int:
        return int(self._information().skipped)

    def read_into(self, address: int, frames: int) -> int:
        library.linnet_file_read(self._file, address, frames, byref(self._written))
        return self._written.value

    def seek(self, frame: int) -> None:
        library.linnet_file_seek(self._file, frame)

    def close(self) -> None:
        file, self._file = self._file, c_void_p()
        library.linnet_file_close(file)


AnySource = Union[CodedSource, WaveSource, SndfileSource]


def located(source: Source) -> tuple[str | bytes, bytes]:
    """Returns the path (str) or the bytes, and the first bytes."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        data = bytes(source)
        return data, data[:_HEAD_SIZE]
    path = os.fspath(source)
    with open(path, "rb") as file:
        return path, file.read(_HEAD_SIZE)


def open_source(source: Source) -> AnySource:
    """Opens a file by the reader for its content.

    :raises MissingLibrary: If libsndfile is needed and not installed.
    """
    place, head = located(source)
    if WaveSource.accepts(head):
        file = open(place, "rb") if isinstance(place, str) else io.BytesIO(place)
        try:
            return WaveSource(file)
        except CompressedWave:
            file.close()
            return SndfileSource(place, head)
        except BaseException:
            file.close()
            raise
    try:
        return CodedSource(place)
    except Error as error:
        if error.code != NO_AUDIO:
            raise
    return SndfileSource(place, head)
