"""Compares two readings of a file: length, samples, channel order, tags."""
import numpy as np

import signals
import tags

# Kinds of differences.
KINDS = ("made", "status", "rate", "order", "length", "samples", "tags", "probe", "pipe")


def shift_of(ours, theirs):
    """Returns the delay of our samples relative to theirs, in frames, from all channels together."""
    count = min(len(ours), len(theirs))
    size = 1 << (2 * count - 1).bit_length()
    spectrum = np.zeros(size // 2 + 1, complex)
    for channel in range(min(ours.shape[1], theirs.shape[1])):
        spectrum += np.fft.rfft(ours[:count, channel], size) * np.conj(np.fft.rfft(theirs[:count, channel], size))
    product = np.fft.irfft(spectrum, size)
    at = int(np.argmax(product))
    return at - size if at > size // 2 else at


def speakers_of(audio):
    """Returns the speaker of each channel, from its loudest sweep; "-" for silence."""
    spectrum = np.abs(np.fft.rfft(audio.samples * np.hanning(len(audio.samples))[:, None], axis=0)) ** 2
    step = audio.rate / max(len(audio.samples), 1)
    found = []
    for channel in range(audio.samples.shape[1]):
        levels = {}
        for speaker, start in signals.SWEEPS.items():
            first, last = int(start / step), int(start * signals.RISE / step) + 2
            levels[speaker] = float(spectrum[first:last, channel].sum())
        best = max(levels, key=levels.get)
        found.append(best if levels[best] > 1e-6 * len(audio.samples) else "-")
    return found


def places(mask, layout):
    """Returns the speakers of a channel mask, or of a layout without a mask. The surround channels of 5.x have a common name."""
    names = [name for bit, name in enumerate(signals.SPEAKERS) if mask >> bit & 1] if mask else list(signals.LAYOUTS[layout])
    if not {"BL", "SL"} <= set(names):
        names = [{"SL": "BL", "SR": "BR"}.get(name, name) for name in names]
    return names


def permutation(ours, theirs, bound):
    """Returns which of their channels each of ours equals, or None if the channels differ."""
    found = []
    for channel in range(ours.shape[1]):
        same = [other for other in range(theirs.shape[1]) if np.abs(ours[:, channel] - theirs[:, other]).max(initial=0) <= bound]
        if not same:
            return None
        found.append(same[0])
    return found


def difference_of_samples(ours, theirs, bound):
    """Returns the kind and text of a sample difference beyond a bound, or None. NaN differs from everything."""
    count = min(len(ours), len(theirs))
    ours, theirs = ours[:count], theirs[:count]
    apart = np.abs(ours - theirs)
    if not count or apart.max() <= bound:
        return None
    order = permutation(ours, theirs, max(bound, 1e-6)) if ours.shape[1] > 1 else None
    if order and order != sorted(order):
        return "order", "channels of the other: " + " ".join(str(each + 1) for each in order)
    first = int(np.argmax(apart.max(axis=1) > bound)) if not np.isnan(apart).any() else 0
    shift = shift_of(ours, theirs)
    texts = [f"{apart.max() * 32768:.4g} steps of 16 bits apart, first at {first}, {(apart.max(axis=1) > bound).mean() * 100:.0f} % of frames"]
    if shift and np.abs(ours[max(shift, 0) : count + min(shift, 0)] - theirs[max(-shift, 0) : count + min(-shift, 0)]).max(initial=0) <= max(bound, 1e-6):
        texts.append(f"shifted by {shift}")
    return "samples", ", ".join(texts)


def differences(ours, theirs, rules, expected_frames=None):
    """Returns the differences of two readings as (kind, text).

    - ours, theirs: the audio; rules: the case; expected_frames: the length that the file stores, or None to use the length of theirs.
    """
    found = []
    if ours.rate != theirs.rate:
        return [("rate", f"{ours.rate} Hz, other {theirs.rate} Hz")]
    if ours.samples.shape[1] != theirs.samples.shape[1]:
        return [("order", f"{ours.samples.shape[1]} channels, other {theirs.samples.shape[1]}")]
    if ours.mask and theirs.mask and places(ours.mask, rules.layout) != places(theirs.mask, rules.layout):
        found.append(("order", f"mask {ours.mask:#x}, other {theirs.mask:#x}"))
    frames = len(theirs.samples) if expected_frames is None else expected_frames
    if len(ours.samples) != frames:
        found.append(("length", f"{len(ours.samples)} frames, expected {frames}, other {len(theirs.samples)}"))
    if rules.bound is not None:
        apart = difference_of_samples(ours.samples, theirs.samples, rules.bound)
        found += [apart] if apart else []
    return found


def differences_from_source(audio, rules):
    """Returns the differences from the source: channel order from the sweeps, and timing."""
    found = []
    if rules.ordered and audio.samples.shape[1] == len(signals.LAYOUTS[rules.layout]):
        heard, expected = speakers_of(audio), signals.LAYOUTS[rules.layout]
        if heard != expected:
            found.append(("order", f"heard {' '.join(heard)}, expected {' '.join(expected)}"))
    if rules.aligned and audio.rate == rules.rate and not found:
        shift = shift_of(audio.samples, signals.source(rules.layout, rules.rate, rules.frames, rules.source))
        if abs(shift) > 1:
            found.append(("samples", f"{shift} frames of delay to the source"))
    return found


def differences_of_tags(ours, truth):
    """Returns tag differences: each true tag must be in ours with the same value."""
    found = []
    for key, value in truth.items():
        if ours.get(key) != value:
            found.append(("tags", f"{key} is {shortened(ours.get(key))}, expected {shortened(value)}"))
    return found


def shortened(value):
    """Shortens a value for a message."""
    text = repr(value)
    return text if len(text) < 60 else f"{text[:50]}… ({len(value)})"


def self_test():
    """Plants differences and returns those that the comparison misses."""
    from cases import Case

    rules = Case("test", "wav", "pcm", "5.1", 16000, source="s16")
    samples = signals.source("5.1", 16000, rules.frames, "s16")
    mask = signals.mask_of("5.1")

    def kinds(changed, rate=16000, changed_mask=mask, bound=0.0):
        """Returns the kinds of differences that changed samples cause."""
        rules.bound = bound
        ours, theirs = signals.Audio(changed, rate, changed_mask), signals.Audio(samples, 16000, mask)
        found = differences(ours, theirs, rules, rules.frames) + differences_from_source(ours, rules)
        return {kind for kind, _ in found}

    swapped = samples[:, [0, 2, 1, 3, 4, 5]]
    step = samples.copy()
    step[1000, 3] += 1 / 32768
    invalid = samples.copy()
    invalid[7, 0] = np.nan
    rules.aligned = True
    planted = {
        "no difference": (set(), kinds(samples)),
        "swapped channels": ({"order"}, kinds(swapped)),
        "a shifted sample": ({"samples"}, kinds(np.roll(samples, 1, axis=0))),
        "a shift of a lossy signal": ({"samples"}, kinds(np.roll(samples, 40, axis=0), bound=9.0)),
        "a step of 16 bits": ({"samples"}, kinds(step)),
        "not a number": ({"samples"}, kinds(invalid) & {"samples"}),
        "a frame less": ({"length"}, kinds(samples[:-1])),
        "a frame more": ({"length"}, kinds(np.concatenate([samples, samples[:1]]))),
        "another rate": ({"rate"}, kinds(samples, rate=16001) & {"rate"}),
        "a channel less": ({"order"}, kinds(samples[:, :5]) & {"order"}),
        "another mask": ({"order"}, kinds(samples, changed_mask=mask ^ 0x108)),
        "the same tags": (set(), {kind for kind, _ in differences_of_tags(tags.PLAIN, tags.PLAIN)}),
        "a lost tag": ({"tags"}, {kind for kind, _ in differences_of_tags({**tags.PLAIN, "composer": None}, tags.PLAIN)}),
        "a picture of another size": ({"tags"}, {kind for kind, _ in differences_of_tags({"picture": [5]}, {"picture": [6]})}),
    }
    return [f"{name}: found {sorted(found)}, expected {sorted(expected)}" for name, (expected, found) in planted.items() if found != expected]
