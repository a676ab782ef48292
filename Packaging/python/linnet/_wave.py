# SPDX-License-Identifier: Apache-2.0

"""WAV files with uncompressed samples."""

from __future__ import annotations

import os
import struct
from typing import BinaryIO

from ._library import SAMPLE_ENCODINGS, Error, library
from ._samples import Input, Memory

_SIGNATURES = (b"RIFF", b"RF64", b"BW64")
_ENCODINGS = {(1, 1): "uint8", (1, 2): "int16", (1, 3): "int24", (1, 4): "int32", (3, 4): "float32", (3, 8): "float64"}
"""By format tag (1: integers, 3: floating point) and bytes per sample."""
_EXTENSIBLE = 0xFFFE
_UNKNOWN_SIZE = 0xFFFF_FFFF
_UNKNOWN_LONG_SIZE = (1 << 63) - 1
_SMALLEST_PLACEHOLDER = 0x7FFF_F000
"""Writers that cannot seek store this size or a larger one."""
_BLOCK = 1 << 16


class CompressedWave(Error):
    """A WAV file with compressed samples."""


class WaveSource:
    """Reads a WAV file: RIFF, RF64 or BW64."""

    format = "wav"
    damaged = 0
    skipped = 0
    knows_length = True

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.sample_rate = self.channels = 0
        total, size, is_long = self._read_header()
        self._start = file.tell()
        end = file.seek(0, 2)
        left = end - self._start
        frame_size = self._frame_size
        # The data chunk is empty if the file's size is stated.
        if size == 0:
            is_placeholder = total != end - 8
        else:
            # Beyond 4 GiB, 32 bits hold a placeholder or the remainder.
            is_placeholder = not is_long and (left > _UNKNOWN_SIZE or left < size >= _SMALLEST_PLACEHOLDER)
        self.frames = (left if is_placeholder else size) // frame_size
        self._present = min(left // frame_size, self.frames)
        self.seek(0)

    @staticmethod
    def accepts(head: bytes) -> bool:
        """Whether a file starts as a WAV file."""
        return head[:4] in _SIGNATURES and head[8:12] == b"WAVE"

    def _read_header(self) -> tuple[int, int, bool]:
        """Reads up to the first sample and returns the declared sizes of the file and of the samples, and whether the latter has 64 bits."""
        self._file.seek(4)
        total, = struct.unpack("<I4x", self._file.read(8))
        long_size = 0
        while True:
            head = self._file.read(8)
            if len(head) < 8:
                raise Error("the WAV file has no samples: its data chunk is missing")
            name, size = struct.unpack("<4sI", head)
            if name == b"data":
                if self.channels == 0:
                    raise Error("the WAV file has no format chunk before its samples")
                is_long = size == _UNKNOWN_SIZE and 0 < long_size < _UNKNOWN_LONG_SIZE
                return total, long_size if is_long else size, is_long
            if name in (b"fmt ", b"ds64"):
                body = self._file.read(size + size % 2)
                if name == b"fmt ":
                    self._read_format(body)
                elif len(body) >= 16:
                    long_size, = struct.unpack_from("<Q", body, 8)
            else:
                self._file.seek(size + size % 2, 1)

    def _read_format(self, body: bytes) -> None:
        if len(body) < 16:
            raise Error(f"the format chunk of the WAV file has {len(body)} bytes, not at least 16")
        tag, self.channels, self.sample_rate, _, self._frame_size, _ = struct.unpack_from("<HHIIHH", body)
        if tag == _EXTENSIBLE and len(body) >= 26:
            tag, = struct.unpack_from("<H", body, 24)
        if self.channels == 0 or self.sample_rate == 0:
            raise Error(f"the WAV file has {self.channels} channels at {self.sample_rate} Hz")
        encoding = _ENCODINGS.get((tag, self._frame_size // self.channels))
        if encoding is None or self._frame_size % self.channels != 0:
            raise CompressedWave(f"the WAV file has samples of format tag {tag}, which are not PCM")
        self.codec = f"PCM {encoding}"
        self.bit_depth = 8 * self._frame_size // self.channels
        self._encoding = SAMPLE_ENCODINGS[encoding]

    def read_into(self, address: int, frames: int) -> int:
        """Writes float samples to memory and returns the number of frames; fewer only at the end."""
        done = 0
        while done < frames:
            count = min(frames - done, _BLOCK, self._present - self._position)
            data = self._file.read(count * self._frame_size)
            count = len(data) // self._frame_size
            if count == 0:
                break
            library.linnet_samples_decode(self._encoding, data, count * self.channels, address + 4 * done * self.channels)
            self._position += count
            done += count
        return done

    def seek(self, frame: int) -> None:
        """Moves to a frame, or to the end."""
        self._position = min(frame, self._present)
        self._file.seek(self._start + self._position * self._frame_size)

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


def write_wave(path: str | os.PathLike[str], samples: Input, sample_rate: int, encoding: str) -> None:
    """Writes a WAV file; larger than 4 GiB as RF64.

    :raises ValueError: If the encoding or the sample rate is not supported; the file is unchanged.
    :raises OSError: If the file cannot be written; an incomplete one is removed.
    """
    if encoding not in ("int16", "int24", "int32", "float32"):
        raise ValueError(f"encoding is {encoding!r}, not one of int16, int24, int32, float32")
    size = 4 if encoding in ("int32", "float32") else int(encoding[3:]) // 8
    channels, frame_size = samples.channels, size * samples.channels
    count = samples.frames * frame_size
    try:
        head = struct.pack(
            "<4sIHHIIHH", b"fmt ", 16, 3 if encoding == "float32" else 1, channels, sample_rate, sample_rate * frame_size, frame_size,
            8 * size)
    except struct.error:
        raise ValueError(f"sample_rate is {sample_rate!r}, not an integer that a WAV file can store") from None
    if count < _UNKNOWN_SIZE - 64:
        head = struct.pack("<4sI4s", b"RIFF", 4 + len(head) + 8 + count + count % 2, b"WAVE") + head + struct.pack("<4sI", b"data", count)
    else:
        ds64 = struct.pack("<4sIQQQI", b"ds64", 28, 4 + 36 + len(head) + 8 + count + count % 2, count, samples.frames, 0)
        head = struct.pack("<4sI4s", b"RF64", _UNKNOWN_SIZE, b"WAVE") + ds64 + head + struct.pack("<4sI", b"data", _UNKNOWN_SIZE)
    floats, target = Memory(_BLOCK, channels), Memory(_BLOCK, channels)
    file = open(path, "wb")
    try:
        with file:
            file.write(head)
            for first in range(0, samples.frames, _BLOCK):
                frames = min(_BLOCK, samples.frames - first)
                address = samples.address + first * samples.frame_size
                if not samples.is_float:
                    library.linnet_samples_decode(SAMPLE_ENCODINGS["int16"], address, frames * channels, floats.address)
                    address = floats.address
                library.linnet_samples_encode(SAMPLE_ENCODINGS[encoding], address, frames * channels, target.address)
                file.write(target.bytes(frames * frame_size))
            file.write(bytes(count % 2))
    except BaseException:
        remove_partial(path)
        raise


def remove_partial(path: str | os.PathLike[str]) -> None:
    """Removes an incomplete file; not a pipe or device."""
    if os.path.isfile(path):
        os.unlink(os.path.realpath(path))
