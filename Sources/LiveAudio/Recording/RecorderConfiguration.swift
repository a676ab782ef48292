// SPDX-License-Identifier: Apache-2.0

public import AACCodec
public import AudioConversion
public import AudioDevices
internal import AudioPrimitives
internal import OpusCodec
internal import PCMFiles

/// The settings of a recording.
public struct RecorderConfiguration: Hashable, Sendable {
    /// The device to capture from, and the format to request.
    public var capture: CaptureConfiguration

    /// The preset for sample rate, bit rate and profile where they are not set.
    public let preset: AudioPreset?

    /// The sample rate, in hertz.
    ///
    /// `nil` uses the preset's or the device's rate, or 48 kHz if the profile does not support it.
    public var sampleRate: Int?

    /// The channel count.
    ///
    /// `nil` uses the device's count, limited to the preset's or to two.
    public var channelCount: Int?

    /// The codec, with its parameters for Opus.
    ///
    /// Opus is recorded at 48 kHz.
    public var codec = FileCodec.aac

    /// The AAC settings.
    ///
    /// They do not apply to Opus. If rate control or profile is `nil`, the preset's is used. Invalid device samples are always recorded as
    /// silence.
    public var settings = AACEncoderSettings()

    /// Whether to skip the access units before the first recorded sample.
    ///
    /// For sinks that cannot signal AAC encoder delay, such as ADTS, MPEG-TS and HTTP Live Streaming. The first access unit is then faded
    /// in. Does not apply to Opus.
    public var omitsDelay = false

    /// The maximum duration; `nil` for no limit.
    public var duration: Duration?

    /// When files end, each followed by the next one; `nil` for one file.
    ///
    /// Applies to file sinks. Other sinks, standard output, pipes and devices continue.
    public var splitting: RecordingSplit?

    /// The level in dBFS that a sample must exceed before anything is recorded; `nil` to start at once.
    ///
    /// The recording then starts one second before that sample. File sinks create no file until then.
    public var startLevel: Double?

    /// The duration of audio to record from before the start level was exceeded.
    package var preRoll = Duration.seconds(1)

    /// The RMS level up to which 20 ms are silent, in dBFS.
    package var silenceLevel = -50.0

    package var stopConditions = StopConditions()

    /// The clock of file names and times of day.
    package var wallClock = WallClock()

    /// The time limit for completing a sink after the recording has ended.
    public var sinkTimeout = Duration.seconds(5)

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - preset: The preset. Its device format fills unset values of `capture`.
    ///   - capture: The device to capture from, and the format to request.
    ///   - sampleRate: The recording's sample rate, in hertz.
    ///   - channelCount: The recording's channel count.
    ///   - rateControl: The bit rate or quality.
    public init(
        preset: AudioPreset? = nil, capture: CaptureConfiguration = CaptureConfiguration(), sampleRate: Int? = nil,
        channelCount: Int? = nil, rateControl: AACEncoderConfiguration.RateControl? = nil
    ) {
        self.preset = preset
        self.capture = capture
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        settings.rateControl = rateControl
        guard let request = preset?.deviceRequest else { return }
        self.capture.sampleRate = capture.sampleRate ?? request.sampleRate
        self.capture.channelCount = capture.channelCount ?? request.channelCount
        if let duration = request.bufferDuration { self.capture.bufferDuration = duration }
    }

    func encoderConfiguration(for format: CaptureFormat) -> AudioEncoderConfiguration {
        let channels = channelCount(for: format)
        if case .alac = codec {
            let rate = sampleRate ?? preset?.sampleRate ?? format.sampleRate
            return .alac(ALACConfiguration(sampleRate: rate, channelCount: channels))
        }
        guard case .opus(var parameters) = codec else { return .aac(aacConfiguration(for: format)) }
        parameters.bitRate = parameters.bitRate ?? preset?.bitRate(sampleRate: OpusConfiguration.sampleRate, channelCount: channels)
        var result = parameters.encoderConfiguration(sampleRate: OpusConfiguration.sampleRate, channelCount: channels)
        result.invalidSamples = .silence
        // No look-ahead, so that access units are sent at once.
        result.looksAhead = false
        return .opus(result)
    }

    func channelCount(for format: CaptureFormat) -> Int {
        channelCount ?? min(format.pcm.channelCount, preset?.channelCount ?? 2)
    }

    private func aacConfiguration(for format: CaptureFormat) -> AACEncoderConfiguration {
        let settings = preset?.completing(settings) ?? settings
        let channels = channelCount(for: format)
        let rates = AACEncoderConfiguration.sampleRates(of: settings.profile ?? .automatic, channelCount: channels)
        let rate = sampleRate ?? preset?.sampleRate ?? (rates.contains(format.sampleRate) ? format.sampleRate : 48_000)
        let presetRate = preset?.rateControl(sampleRate: rate, channelCount: channels)
        var result = AACEncoderConfiguration(sampleRate: rate, channelCount: channels, settings: settings)
        result.settings.rateControl = settings.rateControl ?? presetRate ?? result.usualRateControl
        if channels > 2, let layout = format.channelLayout, layout.channelCount == channels { result.inputLayout = layout.namedAsInAAC }
        // An invalid device sample must not end a recording.
        result.settings.invalidSamples = .silence
        result.alignsDelay = omitsDelay
        return result
    }
}
