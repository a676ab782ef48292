// SPDX-License-Identifier: Apache-2.0

import AACCodec
internal import AudioContainers
internal import AudioConversion
package import AudioDevices
import AudioFiles
package import AudioPrimitives
package import LiveAudio
internal import PCMFiles
import SystemFiles
internal import SystemLibrary

/// The recorder options of `linnet record` and `linnet stream`.
package enum RecordOptions {
    /// The options that apply to microphones only, not to files.
    static let microphoneOptions = ["device", "source", "layout", "backend", "echo-cancel", "noise", "level"]

    /// Returns the options of device, encoder and duration.
    ///
    /// - Parameter bufferMilliseconds: The default duration of device buffers.
    static func options(bufferMilliseconds: Int) -> [CommandOption] {
        [
            .device.with(", system for all that is played, or app:NAME of linnet devices --programs")
        ] + RecordSources.options + [
            BackendOption.option,
            CommandOption("seconds", short: "s", value: "N", "stop after N seconds of audio, such as 90 or 1:30"),
            OpusOptions.codec,
        ] + EncoderOptions.options() + [
            .noDelay,
            DABOptions.labels,
            .preset.with(", for capture or encoder:\n" + AudioPreset.help),
            .rate.with(" (default: the preset's or the device's)"),
            .channels.with(" (default: the preset's or the device's, at most 2)"),
            CommandOption("pick", value: "N,N", "device channels to record, from 1"),
            .gain.with(", one for all sources or one for each, such as 0,-6"),
            CommandOption("buffer", value: "MS", "device buffer duration in milliseconds")
                .with(" (default: the preset's or \(bufferMilliseconds))"),
            CommandOption("echo-cancel", "cancel the echo of the loudspeaker"),
            CommandOption(
                "noise", value: "LEVEL",
                "noise suppression: off (default), low (6 dB), moderate (12 dB), high (17 dB) or very-high (20 dB)"),
            CommandOption("level", "automatic gain control: raises quiet speech by about 10 dB"),
            CommandOption("mute-at", value: "A-B", "record silence from second A to second B; separate several parts with commas"),
            CommandOption("gaps", value: "MODE", "handling of gaps in the capture: fill (silence, default) or skip"),
        ] + SplitOptions.options + OpusOptions.options
    }

    /// Returns the configuration of a command line.
    ///
    /// - Parameters:
    ///   - container: The container of the first output file, if any.
    ///   - isFile: Whether raw PCM replaces the device.
    ///   - bufferMilliseconds: The duration of device buffers without `--buffer` and a capture preset.
    package static func configuration(
        _ arguments: ParsedArguments, container: AudioFileFormat?, isFile: Bool, bufferMilliseconds: Int
    ) throws -> RecorderConfiguration {
        let preset = try AudioPreset.chosen(arguments)
        if preset?.deviceRequest == nil {
            try arguments.exclude("preset", "bitrate")
            try arguments.exclude("preset", "quality")
        }
        var result = RecorderConfiguration(preset: preset, capture: try capture(arguments))
        result.sampleRate = try arguments.perSecond("rate", example: "48k")
        result.channelCount = try arguments.integer("channels", in: 1...8)
        if DABOptions.isGiven(arguments), result.sampleRate == nil { result.sampleRate = 48_000 }
        // A folder on demand gets all segments, however slow the disk is.
        if arguments.text("hls-type") == "vod" { result.sinkTimeout = StreamingOptions.unlimited }
        result.duration = try duration(arguments)
        try SplitOptions.apply(arguments, to: &result)
        result.settings = try EncoderOptions.settings(arguments, presetProfile: preset?.profile)
        try XHEAACOptions.requireStatement(arguments, result.settings.profile ?? preset?.profile)
        if let range = try StreamingOptions.adaptiveRange(arguments) { result.settings.rateControl = .average(bitRate: range.upperBound) }
        result.codec = try OpusOptions.codec(arguments, container: container)
        result.omitsDelay = arguments.has("no-delay")
        for other in ["dab", "hls-rates"] { try arguments.exclude("no-delay", other) }
        if result.omitsDelay, result.codec != .aac {
            throw arguments.failure("--no-delay applies to AAC only; other codecs signal their delay or have none")
        }
        if case .opus(var parameters) = result.codec, let range = try StreamingOptions.adaptiveRange(arguments) {
            parameters.bitRate = range.upperBound
            result.codec = .opus(parameters)
        }
        if let milliseconds = try arguments.number("buffer", in: 1...1000) {
            result.capture.bufferDuration = .milliseconds(milliseconds)
        } else if preset?.deviceRequest == nil {
            result.capture.bufferDuration = .milliseconds(bufferMilliseconds)
        }
        // Device and file have the recording's format, unless a capture preset requests another one.
        if isFile { result.capture.sampleFormat = .int16 }
        if isFile, try gains(arguments).count > 1 { throw arguments.failure("--gain has one value for a file") }
        if isFile || result.capture.sampleRate != nil {
            result.capture.sampleRate = result.sampleRate ?? result.preset?.sampleRate ?? result.capture.sampleRate
        }
        if isFile || result.capture.channelCount != nil {
            result.capture.channelCount = result.channelCount ?? result.capture.channelCount
        }
        return result
    }

    private static func capture(_ arguments: ParsedArguments) throws -> CaptureConfiguration {
        var result = CaptureConfiguration()
        result.device = arguments.text("device")
        result.gain = try gains(arguments).first ?? 1
        if let text = arguments.text("pick") {
            let channels = text.split(separator: ",").map { Int($0) ?? 0 }
            guard !channels.isEmpty, channels.allSatisfy({ (1...32).contains($0) }) else {
                throw arguments.failure("invalid --pick value '\(text)'; use channel numbers like 1,2")
            }
            result.selectedChannels = channels.map { $0 - 1 }
        }
        if let policy = try arguments.choice("gaps", [("fill", CaptureConfiguration.GapPolicy.fill), ("skip", .report)]) {
            result.gapPolicy = policy
        }
        return result
    }

    /// Returns the values of `--gain` as factors.
    private static func gains(_ arguments: ParsedArguments) throws(CommandFailure) -> [Float] {
        let texts = (arguments.text("gain") ?? "").split(separator: ",")
        return try texts.map { (text) throws(CommandFailure) in
            guard let decibels = Double(decimal: String(text)), (-96...60).contains(decibels) else {
                throw arguments.failure("invalid --gain value '\(text)'; use a number, -96 to 60, or one for each source, like 0,-6")
            }
            return Float(pow(10, decibels / 20))
        }
    }

    private static func duration(_ arguments: ParsedArguments) throws(CommandFailure) -> Duration? {
        guard let text = arguments.text("seconds") else { return nil }
        guard let seconds = TimeRange.seconds(text), (0.001...1e9).contains(seconds) else {
            throw arguments.failure("invalid --seconds value '\(text)'; use seconds, or minutes and seconds, like 90 or 1:30")
        }
        return .seconds(seconds)
    }

    /// Returns the parts to record as silence, in seconds.
    static func mutes(_ arguments: ParsedArguments) throws -> [Range<Double>] {
        guard let text = arguments.text("mute-at") else { return [] }
        return try text.split(separator: ",").map { part in
            guard let range = TimeRange.parse(part) else {
                throw arguments.failure("invalid --mute-at value '\(text)'; use parts like 3-5, separated by commas")
            }
            return range
        }
    }

    /// Returns a recorder of the microphone, or of the sources of `--source`.
    static func recorder(
        _ arguments: ParsedArguments, _ configuration: RecorderConfiguration, _ sources: RecordSources, _ sinks: [RecorderSink]
    ) throws -> Recorder {
        let gains = try gains(arguments)
        guard gains.count <= 1 || gains.count == sources.sources.count else {
            throw arguments.failure(
                "--gain has \(gains.count) values for \(max(1, sources.sources.count)) sources; use one for all or one for each")
        }
        let devices = sources.sources.isEmpty ? [configuration.capture.device] : sources.sources.map(\.device)
        if devices.allSatisfy(CaptureSource.isPlayedAudio) {
            for option in ["echo-cancel", "noise", "level"] where arguments.has(option) {
                throw arguments.failure("--\(option) applies to microphones; add --source mic")
            }
        }
        guard sources.areSeveral else {
            var configuration = configuration
            configuration.capture.device = sources.sources.first?.device ?? configuration.capture.device
            return Recorder(configuration, source: try source(configuration.capture.device, arguments), sinks: sinks)
        }
        let factors = gains.count == 1 ? sources.sources.map { _ in gains[0] } : gains
        let parts = try sources.recorderSources(configuration.capture, gains: factors) { try source($0, arguments) }
        return Recorder(configuration, sources: parts, sinks: sinks)
    }

    package static func source(_ device: String?, _ arguments: ParsedArguments) throws -> CaptureSource {
        let voice = try voiceOptions(arguments)
        let named = try BackendOption.named(arguments)
        let isMicrophone = !CaptureSource.isPlayedAudio(device)
        if arguments.has("echo-cancel"), isMicrophone {
            guard named?.kind != .alsa else { throw arguments.failure("--echo-cancel needs a sound server; use --backend pulse") }
            return echoCancelling(voice)
        }
        let backend = try named ?? AutomaticCaptureBackend.automatic(device: device)
        let source = CaptureSource.backend(backend)
        return voice == EchoCancellationOptions() || !isMicrophone ? source : .processingVoice(microphone: source, options: voice)
    }

    /// Returns the requested noise suppression and gain control.
    private static func voiceOptions(_ arguments: ParsedArguments) throws(CommandFailure) -> EchoCancellationOptions {
        let levels = EchoCancellationOptions.NoiseSuppression.allCases
        let names = zip(["off", "low", "moderate", "high", "very-high"], levels).map { (name: $0, value: $1) }
        return EchoCancellationOptions(
            noiseSuppression: try arguments.choice("noise", names) ?? .off, controlsGain: arguments.has("level"))
    }

    private static func echoCancelling(_ options: EchoCancellationOptions) -> CaptureSource {
        #if os(Linux)
        return .cancellingEcho(microphone: .pulseAudio(), monitor: .pulseAudio(), options: options)
        #else
        return .cancellingEcho(options: options)
        #endif
    }

    /// Returns the first unused name of `recording.aac`, `recording-2.aac` and so on, with the extension of a format.
    static func freeName(_ format: AudioFileFormat) -> String {
        var number = 1
        while true {
            let name = (number == 1 ? "recording." : "recording-\(number).") + format.fileExtension
            if access(PathName.bytes(name), F_OK) != 0 { return name }
            number += 1
        }
    }
}
