// SPDX-License-Identifier: Apache-2.0

public import AACCodec
public import AudioConversion
public import AudioDevices
internal import AudioPrimitives
internal import OpusCodec
internal import PCMFiles

/// The settings of a recording.
public struct RecorderConfiguration: Hashable, Sendable {
    /// The device to capture from and the format to request from it.
    public var capture: CaptureConfiguration

    /// The preset for sample rate, bit rate and profile where they aren't set.
    public let preset: AudioPreset?

    /// The sample rate of the recording in hertz; nil for the preset's or the device's own, or 48 kHz if AAC doesn't support that.
    public var sampleRate: Int?

    /// The number of channels of the recording; nil for the device's own, at most those of the preset, or two.
    public var channelCount: Int?

    /// The codec and, for Opus, its parameters.
    ///
    /// Opus is recorded at 48 kHz.
    public var codec = FileCodec.aac

    /// The settings of AAC; they do not apply to Opus.
    ///
    /// Rate control and profile are the preset's where they are nil. An invalid sample of a device is recorded as silence, whatever the settings say.
    public var settings = AACEncoderSettings()

    /// Whether the access units before the first recorded sample are left out.
    ///
    /// For sinks that can't tell the delay of AAC, such as ADTS, MPEG-TS and HTTP Live Streaming: the first unit is then faded in. It does
    /// not apply to Opus.
    public var omitsDelay = false

    /// The length of the recording; nil for no limit.
    public var duration: Duration?

    /// The time that a sink may take to complete after the end of the recording.
    public var sinkTimeout = Duration.seconds(5)

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - preset: The preset; its format for the device, if it has one, replaces that of `capture` where that has none.
    ///   - capture: The device to capture from and the format to request from it.
    ///   - sampleRate: The sample rate of the recording in hertz.
    ///   - channelCount: The number of channels of the recording.
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

    /// Returns the configuration of the encoder for audio of a device.
    func encoderConfiguration(for format: CaptureFormat) -> AudioEncoderConfiguration {
        guard case .opus(var parameters) = codec else { return .aac(aacConfiguration(for: format)) }
        let channels = channelCount(for: format)
        parameters.bitRate = parameters.bitRate ?? preset?.bitRate(sampleRate: OpusConfiguration.sampleRate, channelCount: channels)
        var result = parameters.encoderConfiguration(sampleRate: OpusConfiguration.sampleRate, channelCount: channels)
        result.invalidSamples = .silence
        // Units leave at once.
        result.looksAhead = false
        return .opus(result)
    }

    /// Returns the number of channels of the recording.
    private func channelCount(for format: CaptureFormat) -> Int {
        channelCount ?? min(format.pcm.channelCount, preset?.channelCount ?? 2)
    }

    /// Returns the configuration of the encoder of AAC for audio of a device.
    private func aacConfiguration(for format: CaptureFormat) -> AACEncoderConfiguration {
        let rates = AACEncoderConfiguration.sampleRates
        let rate = sampleRate ?? preset?.sampleRate ?? (rates.contains(format.sampleRate) ? format.sampleRate : 48_000)
        let channels = channelCount(for: format)
        let presetRate = preset?.rateControl(sampleRate: rate, channelCount: channels)
        let settings = preset?.completing(settings) ?? settings
        var result = AACEncoderConfiguration(sampleRate: rate, channelCount: channels, settings: settings)
        result.settings.rateControl = settings.rateControl ?? presetRate
        if channels > 2, let layout = format.channelLayout, layout.channelCount == channels { result.inputLayout = layout.namedAsInAAC }
        // An invalid sample of a device must not end a recording.
        result.settings.invalidSamples = .silence
        result.alignsDelay = omitsDelay
        return result
    }
}
