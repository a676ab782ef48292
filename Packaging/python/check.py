#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""Checks the installed package: check.py WAV M4A. M4A is the command's encoding of WAV at 128 kbit/s."""

import math
import sys
import wave
from array import array

import linnet


def refuses(error, *arguments, function=linnet.encode, **settings):
    """Checks that a function raises an error."""
    try:
        function(*arguments, **settings)
    except error:
        return
    raise AssertionError(f"{arguments[1:]}, {settings} are accepted")


def sine(rate, amplitude):
    """Returns 0.3 s of a tone of 997 Hz in two channels."""
    values = [round(amplitude * math.sin(2 * math.pi * 997 * frame / rate)) for frame in range(rate * 3 // 10)]
    return array("h", [value for each in values for value in (each, -each if each > -32768 else 32767)])


def check_rates():
    """Checks the conversion of sample rates."""
    for from_rate, to_rate in ((44_100, 48_000), (48_000, 16_000), (48_000, 48_000)):
        found = array("h", linnet.resample(sine(from_rate, 20_000), from_rate, to_rate, 2))
        expected = sine(to_rate, 20_000)
        assert len(found) == len(expected), to_rate
        # Both are rounded to integers. Omits the ends, where the tone starts abruptly.
        middle = range(len(found) // 6, len(found) * 5 // 6)
        assert max(abs(found[index] - expected[index]) for index in middle) <= 2, to_rate
    # Values beyond the integer range are clipped.
    steps = array("h", ([32767] * 100 + [-32768] * 100) * 50)
    assert max(array("h", linnet.resample(steps, 8000, 48_000, 1, quality="maximum"))) == 32767
    assert linnet.resample(b"", 8000, 48_000, 1) == b""
    tone = sine(44_100, 9000)
    refuses(linnet.Error, tone, 999, 48_000, 2, function=linnet.resample)
    refuses(linnet.Error, tone, 1000, 257_000, 2, function=linnet.resample)
    refuses(linnet.Error, b"", 44_100, 48_000, 65, function=linnet.resample)
    refuses(ValueError, tone, 44_100, 48_000, 2, function=linnet.resample, quality="best")
    refuses(ValueError, tone[:-1], 44_100, 48_000, 2, function=linnet.resample)


def main(tune, coded):
    """Runs the checks."""
    with wave.open(tune) as file:
        rate, channels = file.getframerate(), file.getnchannels()
        samples = file.readframes(file.getnframes())
    for format in ("m4a", "caf", "adts", "loas", "ts"):
        audio = linnet.decode(linnet.encode(samples, rate, channels, format=format, bit_rate=128_000))
        assert (audio.sample_rate, audio.channels, audio.damaged) == (rate, channels, 0), format
        # ADTS, LOAS and MPEG-TS do not store the length.
        assert len(audio.samples) == len(samples) if format in ("m4a", "caf") else len(audio.samples) > len(samples), format
    with open(coded, "rb") as file:
        audio = linnet.decode(file.read())
    assert (audio.sample_rate, audio.channels, len(audio.samples)) == (rate, channels, len(samples))
    check_rates()
    with open(coded, "rb") as file:
        slow = linnet.decode(file.read(), sample_rate=16_000)
    assert slow == (linnet.resample(audio.samples, rate, 16_000, channels), 16_000, channels, 0)
    for format in ("m4a", "caf"):
        assert linnet.decode(linnet.encode(b"", rate, channels, format=format)).samples == b"", format
    for profile in ("he", "he-v2", "auto"):
        assert linnet.decode(linnet.encode(samples, rate, channels, bit_rate=32_000, profile=profile)).sample_rate == rate, profile
    refuses(linnet.Error, samples, 12_345, channels)
    refuses(ValueError, samples, rate, channels, format="mp3")
    refuses(ValueError, samples, rate, channels, bit_rate=128_000, quality=50)
    refuses(ValueError, samples[:-1], rate, channels)
    try:
        linnet.decode(b"no audio")
    except linnet.Error as error:
        assert error.code == -8
    else:
        raise AssertionError("bytes without audio are decoded")


if __name__ == "__main__":
    main(*sys.argv[1:])
