"""Test files to create and compare, and the selection of a subset."""
import random


class Case:
    """A test file: who creates it and how, who reads it, and the rules for comparing the readings.

    - exact: whether the file stores the exact length; otherwise the length of the peer's reading counts.
    - bound: the largest difference of a sample from the peer's; None skips samples.
    - whole: whether the length is a multiple of 8 frames. priming: frames before the source that the file does not signal.
    - untrimmed: whether the peer keeps the priming. aligned: whether samples have the timing of the source; ordered: whether channels have
      the source's sweeps. through: the subcommand that must read the file, in addition to convert.
    - lossless: whether the samples equal the source.
    - peer: the reference program. tags: the name of a set; keys: the tags that the format supports. claimed: whether Linnet claims support.
    """

    def __init__(self, maker, form, codec, layout, rate, variant="", **rules):
        """Stores the axes, and the rules that differ from the defaults."""
        self.maker, self.form, self.codec, self.layout, self.rate, self.variant = maker, form, codec, layout, rate, variant
        self.extension, self.options, self.source, self.tags, self.keys = form, [], "s16", "none", ()
        self.exact, self.bound, self.lossless, self.peer, self.claimed = True, 0.0, False, "ffmpeg", True
        self.whole, self.priming = False, 0
        self.ordered, self.aligned, self.untrimmed, self.through = True, False, False, "convert"
        self.__dict__.update(rules)
        self.metadata = maker == "linnet" and self.extension == "caf" and self.tags != "none"
        # An odd number of frames, which is not a multiple of any codec's block.
        frames = int(rate * (0.3 if rate > 50000 else 0.37))
        self.frames = frames & ~7 if self.whole else frames | 1
        length = ""
        if "length" in rules:
            self.frames, length = self.length, f"{self.length}f"
            # Too few for a spectrum.
            if self.length < 5000:
                self.ordered = self.aligned = False
                self.bound = None if self.untrimmed else self.bound
        parts = [maker, form, codec, variant, layout, str(rate), length, "" if self.tags == "none" else self.tags]
        self.name = "_".join(part for part in parts if part) + "." + self.extension

    def values(self):
        """Returns the value of each axis. Values of only one format include the format's name."""
        where = f"{self.maker} {self.form}"
        return [where, f"{where} {self.codec}", f"{where} {self.variant}", f"{where} {self.layout}", f"{self.maker} {self.rate}",
                f"{where} {self.tags}", f"{self.maker} {self.codec} {self.layout}", f"{self.maker} {self.codec} {self.rate}"]


def grid(layouts, rates, per_layout):
    """Returns pairs of layout and rate: each layout with some rates in rotation, so that every rate occurs."""
    pairs, at = [], 0
    for layout in layouts:
        for _ in range(min(per_layout, len(rates))):
            pairs.append((layout, rates[at % len(rates)]))
            at += 1
        # Otherwise layouts would repeat the same rates if the counts divide each other.
        at += len(rates) % per_layout == 0
    return pairs


def sample_of(cases, count, seed, wanted):
    """Returns a selection of cases: those that `wanted` requires, then those with a value that no other case has, then those with a new
    pair."""
    order = sorted(cases, key=lambda case: case.name)
    random.Random(seed).shuffle(order)
    chosen, names, seen = [], set(), set()

    def take(case):
        """Adds a case."""
        values = case.values()
        if case.name not in names:
            names.add(case.name)
            chosen.append(case)
        seen.update(values)
        seen.update((one, other) for one in values for other in values)

    for pattern_matches in wanted:
        match = next((case for case in order if pattern_matches(case)), None)
        if match:
            take(match)
    for case in order:
        if len(chosen) < count and any(value not in seen for value in case.values()[:6]):
            take(case)
    for case in order:
        if len(chosen) >= count:
            break
        values = case.values()
        if case.name not in names and any((one, other) not in seen for one in values for other in values):
            take(case)
    return chosen
