# SPDX-License-Identifier: Apache-2.0

"""Memory for samples: NumPy arrays if NumPy is installed, otherwise memory views."""

from __future__ import annotations

import ctypes
from typing import Any

from ._library import FLOAT_SIZE

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]

_MOST_CHANNELS = 64

Samples = Any
"""float32 samples of shape (frames,) or (frames, channels): a numpy.ndarray or a memoryview."""


class Memory:
    """Writable memory for float32 samples."""

    def __init__(self, frames: int, channels: int) -> None:
        self.frames, self.channels = frames, channels
        self._bytes = bytearray(FLOAT_SIZE * frames * channels)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._bytes)) if self._bytes else 0

    def grow(self, frames: int) -> None:
        """Appends frames. Addresses change."""
        self._bytes.extend(bytes(FLOAT_SIZE * frames * self.channels))
        self.frames += frames
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self._bytes))

    def at(self, frame: int) -> int:
        """Returns the address of a frame."""
        return self.address + FLOAT_SIZE * frame * self.channels

    def bytes(self, count: int) -> memoryview:
        """Returns the first bytes, without copying."""
        return memoryview(self._bytes)[:count]

    def first(self, frames: int) -> Samples:
        """Returns the first frames, without copying."""
        shape = (frames,) if self.channels == 1 else (frames, self.channels)
        count = frames * self.channels
        if numpy is not None:
            if count == 0:
                return numpy.empty(shape, numpy.float32)
            return numpy.frombuffer(self._bytes, numpy.float32, count).reshape(shape)
        part = memoryview(self._bytes)[:FLOAT_SIZE * count]
        # A memoryview cannot have an empty dimension.
        return part.cast("f", shape) if count > 0 else part.cast("f")


class Input:
    """Samples to read: interleaved float32 or int16 values."""

    def __init__(self, samples: Samples, channels: int | None = None) -> None:
        memory = _memory(samples)
        if memory.ndim > 2:
            raise ValueError(f"samples have {memory.ndim} dimensions, not (frames,) or (frames, channels)")
        shape = memory.shape or ()
        if memory.ndim == 2 and channels not in (None, shape[1]):
            raise ValueError(f"samples have shape {shape}, not (frames, {channels})")
        self.channels = shape[1] if memory.ndim == 2 else channels or 1
        if memory.ndim == 2 and not 1 <= self.channels <= _MOST_CHANNELS:
            raise ValueError(f"samples have shape {shape}, not (frames, channels) with 1 to {_MOST_CHANNELS} channels")
        self.is_float = memory.format == "f"
        self.frame_size = memory.itemsize * self.channels
        if memory.nbytes % self.frame_size != 0:
            raise ValueError(f"{memory.nbytes} bytes are not whole frames of {self.channels} channels")
        self.frames = memory.nbytes // self.frame_size
        if memory.readonly or memory.nbytes == 0:
            data = memory.tobytes()
            self._kept: object = data
            self.address = ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0
        else:
            first = self._kept = ctypes.c_char.from_buffer(memory.cast("B"))
            self.address = ctypes.addressof(first)


def _memory(samples: Samples) -> memoryview:
    """Returns the memory of float32 or int16 samples; converts other types by NumPy."""
    try:
        memory = memoryview(samples)
        if memory.format in ("f", "h") and memory.c_contiguous:
            return memory
    except TypeError:
        pass
    if numpy is None:
        raise ValueError("samples are not contiguous float32 or int16 values; NumPy converts others if it is installed")
    array = numpy.asarray(samples)
    if array.dtype != numpy.int16 and not numpy.issubdtype(array.dtype, numpy.floating):
        raise ValueError(f"samples have dtype {array.dtype}, not float32, float64 or int16")
    contiguous: Any = numpy.ascontiguousarray(array, None if array.dtype == numpy.int16 else numpy.float32)
    return memoryview(contiguous)
