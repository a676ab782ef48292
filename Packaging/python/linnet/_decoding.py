# SPDX-License-Identifier: Apache-2.0

"""Decoding of files: whole and by blocks."""

from __future__ import annotations

import sys
import warnings
from ctypes import byref, c_size_t, c_void_p
from typing import TYPE_CHECKING, NamedTuple

from ._library import FLOAT_SIZE, QUALITIES, DamageWarning, library, unsigned
from ._samples import Memory, Samples
from ._sources import AnySource, Source, open_source

if TYPE_CHECKING:
    from types import TracebackType

_BLOCK = 1 << 16
_MOST_UNREAD = 1 << 22
"""The most values to reserve before reading."""


class Information(NamedTuple):
    """Properties of a file."""

    format: str
    """The container, such as "m4a", "matroska", "wav" or "mp3"."""
    codec: str
    """The codec or AAC profile, such as "AAC LC", "HE-AAC v2", "ALAC" or "PCM int16"."""
    sample_rate: int
    """The sample rate in hertz."""
    channels: int
    """The number of channels, in WAV order."""
    frames: int | None
    """Sample frames without priming and padding; None if the file does not store them (ADTS, LOAS, MPEG-TS)."""
    bit_depth: int | None
    """Bits per sample; None for lossy codecs."""

    @property
    def duration(self) -> float | None:
        """Seconds; None if the file does not store its length."""
        return None if self.frames is None else self.frames / self.sample_rate


class Decoder:
    """Decodes a file by blocks, with constant memory.

        with linnet.Decoder("book.m4b", sample_rate=16_000, mono=True) as decoder:
            for block in decoder:
                process(block)

    Blocks are float32 samples from -1 to 1 of shape (frames,) for one channel, otherwise (frames, channels): NumPy arrays if NumPy is
    installed, otherwise memoryviews. Use a decoder from one thread at a time; threads with a decoder each run in parallel.
    """

    def __init__(
        self, source: Source, *, sample_rate: int | None = None, mono: bool = False, start: float | None = None, stop: float | None = None,
        block_frames: int = _BLOCK, quality: str = "high",
    ) -> None:
        """Opens a file.

        :param source: A path, or the bytes of a file.
        :param sample_rate: The output sample rate in hertz; None: the file's.
        :param mono: True: the mean of all channels.
        :param start: Seconds; None: the start of the file.
        :param stop: Seconds; None: the end of the file.
        :param block_frames: The frames per block when iterating; the last block is shorter.
        :param quality: The filter of the sample rate converter: "minimum", "low", "medium", "high", "maximum".
        :raises Error: If the file, its stream or the sample rate is not supported.
        :raises MissingLibrary: If a system library is needed and not installed.
        :raises ValueError: If an argument is out of range.
        """
        if quality not in QUALITIES:
            raise ValueError(f"quality is {quality!r}, not one of {', '.join(QUALITIES)}")
        for name, value in (("block_frames", block_frames), ("sample_rate", sample_rate)):
            if value is not None and value < 1:
                raise ValueError(f"{name} is {value}, not at least 1")
        if not 0 <= (start or 0) <= (float("inf") if stop is None else stop):
            raise ValueError(f"start is {start} and stop is {stop}, not seconds in ascending order")
        self._resampler = c_void_p()
        self._source: AnySource | None = None
        source_ = self._source = open_source(source)
        self._block_frames = block_frames
        self.source_rate = source_.sample_rate
        """The sample rate of the file, in hertz."""
        self.sample_rate = sample_rate or self.source_rate
        """The sample rate of blocks, in hertz."""
        self.channels = 1 if mono else source_.channels
        """The number of channels of blocks."""
        try:
            self._prepare(source_, start or 0, stop)
            if self.sample_rate != self.source_rate:
                library.linnet_resampler_create(
                    self.source_rate, unsigned("sample_rate", self.sample_rate), self.channels, QUALITIES.index(quality), byref(self._resampler))
                self._held = Memory(_BLOCK, self.channels)
        except BaseException:
            self.close()
            raise

    def _prepare(self, source: AnySource, start: float, stop: float | None) -> None:
        """Seeks to the first frame, and sets the number of frames to read."""
        first = round(start * self.source_rate)
        last = None if stop is None else round(stop * self.source_rate)
        if source.frames is not None:
            first = min(first, source.frames)
            last = source.frames if last is None else min(last, source.frames)
        if first > 0:
            source.seek(first)
        self._expected = None if last is None else last - first
        # The index can be wrong about the end.
        self._left = None if stop is None else last
        if self._left is not None:
            self._left -= first
        self._taken = 0
        self._mixed = Memory(_BLOCK, source.channels) if self.channels != source.channels else None
        self._offset = self._count = 0
        self._is_ended = False
        self._is_reported = False
        self.frames = self._expected
        """The total number of frames of all blocks; None if the file does not store its length."""
        if self._expected is not None:
            self.frames = (2 * self._expected * self.sample_rate + self.source_rate) // (2 * self.source_rate)

    @property
    def damaged(self) -> int:
        """The number of damaged access units so far; their audio is concealed."""
        return 0 if self._source is None else self._source.damaged

    def read(self, frames: int | None = None) -> Samples:
        """Decodes the next block; shorter at the end, and empty after it.

        Warns once, with a DamageWarning, if parts of the file are damaged or missing.

        :param frames: The number of frames; None: all that remain.
        """
        if frames is None:
            return self._read_rest()
        memory = Memory(frames, self.channels)
        count = self.read_into(memory.address, frames)
        return memory.first(count)

    def _read_rest(self) -> Samples:
        # The stated length can be wrong. One frame more detects the end.
        expected = _BLOCK if self.frames is None else self.frames + 1
        memory, total = Memory(min(expected, max(1, _MOST_UNREAD // self.channels)), self.channels), 0
        while True:
            total += self.read_into(memory.at(total), memory.frames - total)
            if total < memory.frames:
                return memory.first(total)
            more = max(_BLOCK, total // 4)
            memory.grow(min(more, expected - total) if total < expected else more)

    def read_into(self, address: int, frames: int) -> int:
        """Decodes into memory with room for frames * channels float32 values; returns the number of frames, fewer only at the end."""
        if self._source is None:
            raise ValueError("the decoder is closed")
        count = self._resample(address, frames) if self._resampler else self._take(self._source, address, frames)
        if count < frames:
            self._report(self._source)
        return count

    def _take(self, source: AnySource, address: int, frames: int) -> int:
        """Reads frames at the file's sample rate, with the output's channels."""
        if self._left is not None:
            frames = min(frames, self._left)
        if self._mixed is None:
            done = source.read_into(address, frames)
        else:
            done = 0
            while done < frames:
                room = min(_BLOCK, frames - done)
                count = source.read_into(self._mixed.address, room)
                library.linnet_samples_mono(self._mixed.address, count, self._mixed.channels, address + FLOAT_SIZE * done)
                done += count
                if count < room:
                    break
        self._taken += done
        if self._left is not None:
            self._left -= done
        return done

    def _resample(self, address: int, frames: int) -> int:
        """Reads frames at the output sample rate."""
        assert self._source is not None
        taken, written, done = c_size_t(), c_size_t(), 0
        while done < frames:
            if self._count == 0 and not self._is_ended:
                self._offset, self._count = 0, self._take(self._source, self._held.address, _BLOCK)
                if self._count == 0:
                    library.linnet_resampler_finish(self._resampler)
                    self._is_ended = True
            library.linnet_resampler_process(
                self._resampler, self._held.at(self._offset), self._count, byref(taken),
                address + FLOAT_SIZE * done * self.channels, frames - done, byref(written))
            self._offset += taken.value
            self._count -= taken.value
            done += written.value
            if self._is_ended and done < frames:
                break
        return done

    def _report(self, source: AnySource) -> None:
        """Warns of damage, once, at the end."""
        if self._is_reported:
            return
        self._is_reported = True
        problems = []
        if source.damaged > 0:
            problems.append(f"{source.damaged} damaged access units are concealed")
        if source.skipped > 0:
            problems.append(f"{source.skipped} bytes are skipped")
        if source.knows_length and self._expected is not None and self._taken < self._expected:
            problems.append(f"{self._expected - self._taken} of {self._expected} frames are missing at the end")
        if problems:
            # The line outside of this package.
            frame, level = sys._getframe(1), 2
            while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
                frame, level = frame.f_back, level + 1
            warnings.warn(f"the file is damaged: {', '.join(problems)}", DamageWarning, stacklevel=level)

    def __iter__(self) -> Decoder:
        return self

    def __next__(self) -> Samples:
        memory = Memory(self._block_frames, self.channels)
        count = self.read_into(memory.address, self._block_frames)
        if count == 0:
            raise StopIteration
        return memory.first(count)

    def __enter__(self) -> Decoder:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file. Further calls do nothing."""
        source, self._source = self._source, None
        if source is not None:
            source.close()
        resampler, self._resampler = self._resampler, c_void_p()
        library.linnet_resampler_destroy(resampler)

    def __del__(self) -> None:
        if getattr(self, "_source", None) is not None:
            self.close()


def load(
    source: Source, sample_rate: int | None = None, mono: bool = False, start: float | None = None, stop: float | None = None,
    *, quality: str = "high",
) -> tuple[Samples, int]:
    """Decodes a file and returns its samples and sample rate.

        samples, rate = linnet.load("song.m4a", sample_rate=16_000, mono=True)

    Samples are float32 from -1 to 1 of shape (frames,) for one channel, otherwise (frames, channels), in WAV channel order: a NumPy array
    if NumPy is installed, otherwise a memoryview. Arguments and errors are those of Decoder. Warns, with a DamageWarning, if parts of the
    file are damaged or missing.
    """
    with Decoder(source, sample_rate=sample_rate, mono=mono, start=start, stop=stop, quality=quality) as decoder:
        return decoder.read(), decoder.sample_rate


def probe(source: Source) -> Information:
    """Returns the properties of a file.

    :raises Error: If the file or its codec is not supported.
    """
    opened = open_source(source)
    try:
        return Information(opened.format, opened.codec, opened.sample_rate, opened.channels, opened.frames, opened.bit_depth)
    finally:
        opened.close()
