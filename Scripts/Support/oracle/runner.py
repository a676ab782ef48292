"""Creates files, reads them with both sides and compares the readings."""
import json
import os
import resource
import zlib

import comparison
import programs
import signals
import tags

# Linnet's statuses for an unsupported format or codec, and for audio that the output format does not support.
REFUSALS = (5, 12)
UNSUITABLE = 10
# One in this many files is also read from a pipe.
PIPED = 3


class Outcome:
    """A case with its differences, as (kind, text), and whether its creator failed."""

    def __init__(self, case):
        """Begins without differences."""
        self.case, self.found, self.unmade = case, [], None


def check(cases, folder, program, kept=False):
    """Returns the outcomes of some cases and their CPU time."""
    before = processor_time()
    outcomes = [Outcome(case) for case in cases]
    theirs = [outcome for outcome in outcomes if outcome.case.maker != "linnet"]
    ours = [outcome for outcome in outcomes if outcome.case.maker == "linnet"]
    check_theirs(theirs, folder, program)
    check_ours(ours, folder, program)
    if not kept:
        for name in os.listdir(folder):
            if name != "cover.png":
                os.remove(os.path.join(folder, name))
    return outcomes, processor_time() - before


def processor_time():
    """Returns the CPU time of this process and of the programs that it ran, in seconds."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def make(outcomes, folder):
    """Creates the files of other programs. Returns the outcomes of existing ones."""
    by_ffmpeg = [outcome.case for outcome in outcomes if outcome.case.maker in ("ffmpeg", "mutagen")]
    results = programs.made_by_ffmpeg(by_ffmpeg, folder) if by_ffmpeg else {}
    for outcome in outcomes:
        result = results.get(outcome.case) or programs.made_by_another(outcome.case, folder)
        path = programs.path_of(outcome.case, folder)
        if result.status != 0 or not os.path.exists(path) or not os.path.getsize(path):
            outcome.unmade = result.messages or f"status {result.status}"
            outcome.found.append(("made", outcome.unmade[-200:]))
        elif outcome.case.maker == "mutagen":
            tags.write_by_mutagen(path, tags.SETS[outcome.case.tags], outcome.case.variant, signals.png())
    return [outcome for outcome in outcomes if outcome.unmade is None]


def check_theirs(outcomes, folder, program):
    """Reads files of other programs with Linnet and the peer."""
    made = make(outcomes, folder)
    judged = [outcome.case for outcome in made if outcome.case.peer == "ffmpeg" and outcome.case.claimed]
    results = programs.read_by_ffmpeg(judged, folder) if judged else {}
    for outcome in made:
        case = outcome.case
        if not case.claimed:
            outcome.found += difference_of_refusal(case, folder, program)
            continue
        result = results.get(case) or programs.read_by_maker(case, folder)
        theirs = programs.audio_at(f"{programs.path_of(case, folder)}.{case.peer}.wav")
        own = read_by_linnet(case, folder, program, outcome)
        if theirs is None or not len(theirs.samples):
            outcome.found.append(("status", f"{case.peer} cannot read it: {result.messages[-200:]}"))
        elif own is not None:
            compare(outcome, own, theirs)
        if case.tags != "none":
            compare_tags_read(outcome, folder, program)


def compare(outcome, own, theirs):
    """Compares two readings with each other and with the source."""
    case = outcome.case
    # Opus has 48 kHz, whatever the source rate.
    frames = case.frames * own.rate / case.rate + case.priming
    expected = int(frames) if case.exact and frames.is_integer() else None
    if case.untrimmed and theirs.rate == own.rate and theirs.samples.shape[1] == own.samples.shape[1]:
        theirs = signals.Audio(theirs.samples[max(comparison.shift_of(theirs.samples, own.samples), 0) :], theirs.rate, theirs.mask)
    found = comparison.differences(own, theirs, case, expected)
    if case.lossless:
        source = signals.Audio(signals.source(case.layout, case.rate, case.frames, case.source), case.rate)
        against_source = comparison.differences(own, source, case, expected)
        # The peer may be wrong where the source itself is available.
        found = [] if not against_source and not [kind for kind, _ in found if kind == "order"] else found or against_source
    outcome.found += found + comparison.differences_from_source(own, case)


def read_by_linnet(case, folder, program, outcome):
    """Returns Linnet's reading with `convert`, and compares it with `decode` for supported codecs."""
    path = programs.path_of(case, folder)
    read_options = case.__dict__.get("read_options", [])
    result = programs.run([program, "convert", path, *read_options, "-o", "-", "-f", "wav", "--sample-format", "f64"])
    own = signals.read_wav(result.output)
    if result.status != 0 or own is None:
        outcome.found.append(("status", f"status {result.status}: {result.messages[-300:]}"))
        return None
    outcome.found += differences_of_probe(own, path, program) if not read_options else []
    if zlib.crc32(case.name.encode()) % PIPED == 0:
        outcome.found += differences_of_pipe(own, path, read_options, program)
    if case.through == "decode":
        again = programs.run([program, "decode", "--quiet", path, "-o", "-", "-f", "wav", "--sample-format", "f32"])
        decoded = signals.read_wav(again.output)
        if again.status != 0 or decoded is None:
            outcome.found.append(("status", f"status {again.status} of decode: {again.messages[-300:]}"))
        elif decoded.samples.shape != own.samples.shape or abs(decoded.samples - own.samples).max(initial=0) > 2.0**-24:
            outcome.found.append(("samples", f"decode and convert differ: {decoded.samples.shape}, {own.samples.shape}"))
    return own


def differences_of_probe(own, path, program):
    """Returns differences in sample rate, channel count and length between `linnet probe` and the reading."""
    result = programs.run([program, "probe", "--json", path])
    try:
        told = json.loads(result.output)
    except ValueError:
        return [("probe", f"status {result.status}: {result.messages[-200:]}")]
    frames = told["validFrames"] if "validFrames" in told else told["frames"] if told.get("codec") is None else None
    found = []
    if own.rate not in (told["sampleRate"], told.get("decodedSampleRate")):
        found.append(("probe", f"{told['sampleRate']} Hz, read {own.rate}"))
    # The header of mono HE-AAC signals one channel; decoders return two, because parametric stereo may follow.
    expected = (1, 2) if told["channels"] == 1 and str(told.get("objectType")).startswith("HE") else (told["channels"],)
    if own.samples.shape[1] not in expected:
        found.append(("probe", f"{told['channels']} channels, read {own.samples.shape[1]}"))
    # At the core rate, if the header has that.
    if frames is not None and frames * own.rate // told["sampleRate"] != len(own.samples):
        found.append(("probe", f"{frames} frames, read {len(own.samples)}"))
    return found


def differences_of_pipe(own, path, read_options, program):
    """Returns differences between reading standard input and reading the file."""
    with open(path, "rb") as file:
        result = programs.run([program, "convert", "-", *read_options, "-o", "-", "-f", "wav", "--sample-format", "f64"], file.read())
    again = signals.read_wav(result.output)
    if result.status in REFUSALS and result.messages:
        # Some formats are not readable from a pipe.
        return []
    if result.status != 0 or again is None:
        return [("pipe", f"status {result.status}: {result.messages[-200:]}")]
    if again.samples.shape != own.samples.shape:
        return [("pipe", f"{len(again.samples)} frames, from the file {len(own.samples)}")]
    apart = abs(again.samples - own.samples).max(initial=0)
    return [("pipe", f"{apart * 32768:.4g} steps of 16 bits apart from the file's samples")] if apart > 0 else []


def difference_of_refusal(case, folder, program):
    """Returns a difference unless Linnet rejects a file with a suitable status."""
    path = programs.path_of(case, folder)
    result = programs.run([program, "convert", path, "-o", "-", "-f", "wav"])
    if result.status in REFUSALS and result.messages:
        return []
    if result.status == 0:
        # Linnet may read more than it claims, if it is correct.
        own = signals.read_wav(result.output)
        heard = comparison.speakers_of(own) if own is not None and len(own.samples) else []
        if heard == signals.LAYOUTS[case.layout]:
            return []
        return [("status", f"status 0, but heard {' '.join(heard)}")]
    return [("status", f"status {result.status}, not one of {REFUSALS}: {result.messages[-200:]}")]


def compare_tags_read(outcome, folder, program):
    """Compares the tags that Linnet reads with those that mutagen reads, or else with the requested ones."""
    case = outcome.case
    path = programs.path_of(case, folder)
    wanted = {key: value for key, value in tags.SETS[case.tags].items() if key in case.keys and key != "picture"}
    truth = tags.by_mutagen(path)
    if case.variant == "ape":
        # mutagen does not return these MP3 tags.
        truth = None
    truth = wanted if truth is None else {key: value for key, value in truth.items() if key in case.keys}
    outcome.found += comparison.differences_of_tags(tags_by_linnet(path, program, outcome), truth)


def tags_by_linnet(path, program, outcome):
    """Returns the tags that `linnet probe` reads."""
    result = programs.run([program, "probe", "--json", path])
    try:
        return tags.by_linnet(json.loads(result.output))
    except ValueError:
        outcome.found.append(("status", f"status {result.status} of probe: {result.messages[-200:]}"))
        return {}


def check_ours(outcomes, folder, program):
    """Reads Linnet's files with FFmpeg, mpv, mutagen and fdk-aac."""
    made = []
    for outcome in outcomes:
        result = written_by_linnet(outcome.case, folder, program)
        if result.status == 0:
            made.append(outcome)
        elif result.status == UNSUITABLE and not outcome.case.claimed:
            outcome.unmade = result.messages
        else:
            outcome.found.append(("status", f"status {result.status} of writing: {result.messages[-300:]}"))
    if not made:
        return
    cases = [outcome.case for outcome in made]
    by_ffmpeg = [case for case in cases if case.peer == "ffmpeg"]
    read = programs.read_by_fdk([case for case in cases if case.peer == "fdk"], folder)
    read |= programs.read_by_ffmpeg(by_ffmpeg, folder) if by_ffmpeg else {}
    played = [case for case in by_ffmpeg if case.form not in ("raw", "lbc", "xhe")]
    heard = programs.read_by_mpv(played, folder) if played else {}
    for outcome in made:
        case, path = outcome.case, programs.path_of(outcome.case, folder)
        own = read_by_linnet(case, folder, program, outcome)
        theirs = programs.audio_at(f"{path}.{case.peer}.wav")
        if read[case].messages or read[case].status != 0 or theirs is None:
            outcome.found.append(("status", f"{case.peer}: {read[case].messages[-200:]}"))
        if own is not None and theirs is not None and len(theirs.samples):
            compare(outcome, own, theirs)
            if case in heard:
                compare_with_mpv(outcome, heard[case], programs.audio_at(path + ".mpv.wav"), theirs)
        if case.tags != "none":
            compare_tags_written(outcome, path)


def written_by_linnet(case, folder, program):
    """Writes a file with Linnet, with a second step for a copy in another container."""
    path, wanted = programs.path_of(case, folder), tags.SETS[case.tags]
    options = [word for key, value in wanted.items() if key != "picture" for word in ("--album-artist" if key == "albumartist" else f"--{key}", value)]
    if "picture" in wanted:
        options += ["--picture", os.path.join(folder, "cover.png")]
    first = path if "remux" not in case.__dict__ else f"{path}.before.{case.before}"
    threads = ["--threads", "1"] if case.command == "encode" else []
    result = programs.run([program, case.command, programs.source_path(case, folder), "-o", first, "--quiet", "-y", *threads, *case.options, *options])
    if result.status == 0 and first != path:
        result = programs.run([program, "remux", first, "-o", path, "-f", case.remux, "--quiet", "-y"])
    return result


def compare_with_mpv(outcome, result, audio, theirs):
    """Compares mpv's reading with FFmpeg's."""
    if result.status != 0 or audio is None:
        outcome.found.append(("status", f"mpv: status {result.status} {result.messages[-200:]}"))
        return
    rules = outcome.case
    if audio.samples.shape != theirs.samples.shape or audio.rate != theirs.rate:
        outcome.found.append(("length", f"mpv: {audio.samples.shape} at {audio.rate} Hz, ffmpeg {theirs.samples.shape} at {theirs.rate} Hz"))
    else:
        apart = comparison.difference_of_samples(audio.samples, theirs.samples, 2.0 / 32768)
        outcome.found += [(apart[0], "mpv: " + apart[1])] if apart else []


def compare_tags_written(outcome, path):
    """Compares the tags that others read with the requested ones."""
    case = outcome.case
    wanted = {key: value for key, value in tags.SETS[case.tags].items() if key in case.keys and key != "picture"}
    if "picture" in tags.SETS[case.tags] and "picture" in case.keys:
        wanted["picture"] = [len(signals.png())]
    read = tags.by_mutagen(path)
    if read is None and os.path.exists(path + ".txt"):
        with open(path + ".txt", encoding="utf-8") as file:
            read = tags.from_ffmetadata(file.read())
    outcome.found += comparison.differences_of_tags(read or {}, wanted)
