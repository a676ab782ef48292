#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""Checks the installed package: check.py WAV M4A, where M4A is what the command has made of the samples of WAV at 128 kb/s."""

import sys
import wave

import linnet


def refuses(error, *arguments, **settings):
    """Checks that encoding ends with an error."""
    try:
        linnet.encode(*arguments, **settings)
    except error:
        return
    raise AssertionError(f"{settings} are accepted")


def main(tune, coded):
    """Runs the checks."""
    with wave.open(tune) as file:
        rate, channels = file.getframerate(), file.getnchannels()
        samples = file.readframes(file.getnframes())
    for format in ("m4a", "caf", "adts", "loas", "ts"):
        audio = linnet.decode(linnet.encode(samples, rate, channels, format=format, bit_rate=128_000))
        assert (audio.sample_rate, audio.channels, audio.damaged) == (rate, channels, 0), format
        # ADTS, LOAS and MPEG-TS don't tell the length.
        assert len(audio.samples) == len(samples) if format in ("m4a", "caf") else len(audio.samples) > len(samples), format
    with open(coded, "rb") as file:
        audio = linnet.decode(file.read())
    assert (audio.sample_rate, audio.channels, len(audio.samples)) == (rate, channels, len(samples))
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
