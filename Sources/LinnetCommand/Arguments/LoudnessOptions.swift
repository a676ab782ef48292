// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioFiles
import Synchronization

enum LoudnessOptions {
    static let normalize = CommandOption(
        "normalize", value: "LUFS", "normalize to this integrated loudness (EBU R 128), such as -16LUFS",
        detail: ", with a true peak limiter")
    /// The target loudness of a decoded file whose loudness is stored.
    static let target = CommandOption(
        "target-loudness", value: "LUFS",
        "change the level to this loudness, such as -16LUFS, by the loudness or program reference level stored in the input")
    /// The former name of ``target`` in `linnet decode`.
    static let formerTarget = CommandOption("loudness", value: "LUFS", "the former name of --target-loudness")
    static let control = CommandOption(
        "drc", value: "on|off", "apply the dynamic range control of AAC: quiet parts louder, loud parts quieter (default: off)")
    static let decoding = [target, control]
    static let truePeak = CommandOption("true-peak", value: "DBTP", "maximum true peak with --normalize (default: -1dBTP)")
    static let loudness = CommandOption.loudness.with(", and store them as ReplayGain (M4A, FLAC) or R128_TRACK_GAIN (Opus)")
    static let album = CommandOption(
        "album-gain", "the same gain for all files; --normalize then applies to the album",
        detail: ", and without it the gain is stored as for --loudness")

    /// The useful ranges, in LUFS and dBTP.
    private static let (loudnessRange, peakRange) = (-70.0 ... -5.0, -20.0...0.0)

    /// Returns the target loudness; `nil` to keep the input's.
    static func target(_ arguments: ParsedArguments) throws(CommandFailure) -> LoudnessTarget? {
        let truePeak = try number(arguments, "true-peak", unit: "dbtp", in: peakRange, example: "-1dBTP")
        guard let loudness = try integrated(arguments) else {
            if truePeak != nil { throw arguments.failure("--true-peak needs --normalize") }
            return nil
        }
        return LoudnessTarget(integrated: loudness, truePeak: truePeak ?? -1)
    }

    /// Returns the value of `--normalize` in LUFS; `nil` without one.
    static func integrated(_ arguments: ParsedArguments) throws(CommandFailure) -> Double? {
        try number(arguments, "normalize", unit: "lufs", in: loudnessRange, example: "-16LUFS")
    }

    /// Sets the target loudness and the dynamic range control of decoding.
    static func apply(_ arguments: ParsedArguments, to decoding: inout FileDecoderConfiguration) throws(CommandFailure) {
        var name = target.name
        if arguments.offers(control.name), try arguments.choice(control.name, [("on", true), ("off", false)]) == true {
            (decoding.decoder.dynamicRangeBoost, decoding.decoder.dynamicRangeCut) = (1, 1)
        }
        if arguments.command == "linnet decode", arguments.has(formerTarget.name) {
            try arguments.exclude(formerTarget.name, name)
            StandardError.note("--loudness is now --target-loudness; the next release removes it")
            name = formerTarget.name
        }
        decoding.loudness = try number(arguments, name, unit: "lufs", in: loudnessRange, example: "-16LUFS")
    }

    /// Returns the gain in decibels; `nil` for none.
    static func gain(_ arguments: ParsedArguments) throws(CommandFailure) -> Double? {
        try arguments.exclude("gain", "normalize")
        return try arguments.number("gain", in: -96...60)
    }

    /// Measures the inputs of `--album-gain` on several threads, and sets the loudness to store or to normalize.
    ///
    /// Inputs that cannot be measured fail when they are encoded.
    static func setAlbum(
        of configuration: inout FileConverterConfiguration, _ arguments: ParsedArguments, _ converters: [FileConverter]
    ) throws {
        configuration.storesLoudness = storesLoudness(arguments, configuration)
        guard arguments.has("album-gain") else { return }
        let tracks = Mutex<[AlbumLoudness.Track?]>(converters.map { _ in nil })
        WorkerThreads.forEach(count: converters.count, threadCount: min(converters.count, WorkerThreads.processorCount)) { index in
            let track = try? converters[index].measuredTrack()
            tracks.withLock { $0[index] = track }
        }
        configuration.album = AlbumLoudness(tracks.withLock { $0.compactMap { $0 } })
    }

    /// Whether the loudness is stored for players: with `--loudness`, and `--album-gain` without `--normalize`.
    static func storesLoudness(_ arguments: ParsedArguments, _ configuration: FileConverterConfiguration) -> Bool {
        arguments.has("loudness") || arguments.has("album-gain") && configuration.loudnessTarget == nil
    }

    /// Returns the value of a level option, with or without its unit.
    static func number(
        _ arguments: ParsedArguments, _ name: String, unit: String, in range: ClosedRange<Double>, example: String
    ) throws(CommandFailure) -> Double? {
        guard let text = arguments.text(name) else { return nil }
        let digits = text.lowercased().hasSuffix(unit) ? String(text.dropLast(unit.count)) : text
        guard let value = Double(decimal: digits), range.contains(value) else {
            let limits = "\(Format.short(range.lowerBound)) to \(Format.short(range.upperBound))"
            throw arguments.failure("invalid --\(name) value '\(text)'; use \(limits), such as \(example)")
        }
        return value
    }
}
