# SPDX-License-Identifier: Apache-2.0

"""Reads, writes and converts audio files, without FFmpeg.

    samples, rate = linnet.load("song.m4a", sample_rate=16_000, mono=True)     # float32 from -1 to 1
    linnet.save("speech.m4a", samples, rate, bit_rate=48_000)

Reads AAC (AAC-LC, HE-AAC, xHE-AAC) in MP4, Matroska, CAF, ADTS, LOAS and MPEG-TS, Apple Lossless, and WAV; MP3, FLAC, Ogg and AIFF if the
system has libsndfile. Writes AAC and WAV. Samples are NumPy arrays if NumPy is installed, otherwise memoryviews; see load.

Functions may be called from several threads at a time, and release the interpreter lock while they compute.
"""

from __future__ import annotations

from ctypes import byref, c_size_t, c_void_p
from typing import NamedTuple

from ._decoding import Decoder, Information, load, probe
from ._encoding import Encoder, encode, integers, save
from ._library import QUALITIES, SAMPLE_ENCODINGS, DamageWarning, Error, MissingLibrary, library, unsigned
from ._samples import Input, Memory, Samples
from ._sources import Source
from ._tags import Chapter, Picture, Tags, tags

__all__ = [
    "Audio", "Chapter", "DamageWarning", "Decoder", "Encoder", "Error", "Information", "MissingLibrary", "Picture", "Tags", "decode",
    "encode", "load", "probe", "resample", "save", "tags",
]


class Audio(NamedTuple):
    """Decoded audio."""

    samples: bytes
    """16-bit integers in native order, interleaved."""
    sample_rate: int
    """The sample rate in hertz."""
    channels: int
    """In WAV order."""
    damaged: int
    """The number of damaged access units; their audio is concealed."""


def decode(data: Source, *, sample_rate: int | None = None) -> Audio:
    """Decodes a file to 16-bit integers; load returns float32 samples.

    :param data: The bytes of a file, or a path.
    :param sample_rate: The output sample rate in hertz; None: the file's.
    :raises Error: If the file, its stream or the sample rate is not supported.
    """
    with Decoder(data, sample_rate=sample_rate) as decoder:
        parts = [_integers(block, decoder.channels) for block in decoder]
        return Audio(b"".join(parts), decoder.sample_rate, decoder.channels, decoder.damaged)


def resample(samples: Samples, from_rate: int, to_rate: int, channels: int, *, quality: str = "high") -> bytes:
    """Converts the sample rate of 16-bit integers and returns samples of the same duration, rounded to nearest.

    :param samples: Interleaved int16 values, or float32 values from -1 to 1.
    :param from_rate: The input sample rate in hertz, at least 1000.
    :param to_rate: The output sample rate in hertz, at least 1000; the ratio of the rates must be below 257.
    :param channels: 1 to 64.
    :param quality: The filter: "minimum", "low", "medium", "high", "maximum".
    :raises Error: If the rates or the channels are not supported.
    :raises ValueError: If the quality is unknown, a rate has more than 32 bits, or the last frame is incomplete.
    """
    if quality not in QUALITIES:
        raise ValueError(f"quality is {quality!r}, not one of {', '.join(QUALITIES)}")
    source = _floats(Input(integers(samples), channels))
    resampler, taken, written, done, parts = c_void_p(), c_size_t(), c_size_t(), 0, []
    library.linnet_resampler_create(
        unsigned("from_rate", from_rate), unsigned("to_rate", to_rate), channels, QUALITIES.index(quality), byref(resampler))
    try:
        room = 1 << 16
        target = Memory(room, channels)
        is_ended = False
        while True:
            library.linnet_resampler_process(
                resampler, source.at(done), source.frames - done, byref(taken), target.address, room, byref(written))
            done += taken.value
            parts.append(_integers(target.first(written.value), channels))
            if written.value == room:
                continue
            if is_ended:
                return b"".join(parts)
            library.linnet_resampler_finish(resampler)
            is_ended = True
    finally:
        library.linnet_resampler_destroy(resampler)


def _floats(samples: Input) -> Memory:
    """Returns samples as float32."""
    memory = Memory(samples.frames, samples.channels)
    encoding = SAMPLE_ENCODINGS["float32" if samples.is_float else "int16"]
    library.linnet_samples_decode(encoding, samples.address, samples.frames * samples.channels, memory.address)
    return memory


def _integers(samples: Samples, channels: int) -> bytes:
    """Returns float32 samples as int16 values."""
    source = Input(samples, channels)
    target = Memory(source.frames, channels)
    library.linnet_samples_encode(SAMPLE_ENCODINGS["int16"], source.address, source.frames * channels, target.address)
    return bytes(target.bytes(2 * source.frames * channels))
