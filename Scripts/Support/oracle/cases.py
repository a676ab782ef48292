"""A file to be made and compared, and the choice of some of them."""
import random


class Case:
    """A file: who makes it and how, who reads it, and by which rules the readings are compared.

    - exact: whether the file holds the exact length; else the length is that of the peer's reading.
    - bound: the largest difference of a sample to the peer's; None leaves samples out.
    - whole: whether the length is a multiple of 8 frames. priming: frames before the source that the file does not tell of.
    - untrimmed: whether the peer leaves the priming in. aligned: whether samples are at the time of the source; ordered: whether channels have
      the sweeps of the source. through: the subcommand that is to read it beside convert.
    - lossless: whether the samples are those of the source.
    - peer: the program that judges. tags: the name of a set, keys: those that the format holds. claimed: whether Linnet says to read it.
    """

    def __init__(self, maker, form, codec, layout, rate, variant="", **rules):
        """Keeps the axes, and the rules as far as they differ from the usual ones."""
        self.maker, self.form, self.codec, self.layout, self.rate, self.variant = maker, form, codec, layout, rate, variant
        self.extension, self.options, self.source, self.tags, self.keys = form, [], "s16", "none", ()
        self.exact, self.bound, self.lossless, self.peer, self.claimed = True, 0.0, False, "ffmpeg", True
        self.whole, self.priming = False, 0
        self.ordered, self.aligned, self.untrimmed, self.through = True, False, False, "convert"
        self.__dict__.update(rules)
        self.metadata = maker == "linnet" and self.extension == "caf" and self.tags != "none"
        # An odd number of frames, which fills no block of any codec.
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
        """Returns the value of each axis; those that a format has for itself with its name."""
        where = f"{self.maker} {self.form}"
        return [where, f"{where} {self.codec}", f"{where} {self.variant}", f"{where} {self.layout}", f"{self.maker} {self.rate}",
                f"{where} {self.tags}", f"{self.maker} {self.codec} {self.layout}", f"{self.maker} {self.codec} {self.rate}"]


def grid(layouts, rates, per_layout):
    """Returns pairs of a layout and a rate: each layout with some rates in turn, so that each rate is there."""
    pairs, at = [], 0
    for layout in layouts:
        for _ in range(min(per_layout, len(rates))):
            pairs.append((layout, rates[at % len(rates)]))
            at += 1
        # Else layouts would meet the same rates again and again if the numbers divide each other.
        at += len(rates) % per_layout == 0
    return pairs


def sample_of(cases, count, seed, wanted):
    """Returns some cases: those that `wanted` needs, then those with a value of an axis that no other has, then those with a new pair."""
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
