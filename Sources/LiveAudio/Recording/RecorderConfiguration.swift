// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AACCodec
internal import AudioConversion
public import AudioDevices
public import AudioFiles
internal import AudioPrimitives
public import MPEG4Audio
internal import OpusCodec

/// The settings of a recording.
public struct RecorderConfiguration: Hashable, Sendable {
    /// The device to capture from and the format to request from it.
    public var capture: CaptureConfiguration

    /// The preset for sample rate, bit rate and profile where they aren't set.
    public let preset: AudioPreset?

    /// The sample rate of the recording in hertz; nil for the preset's or the device's own, or 48 kHz if AAC doesn't support that.
    public var sampleRate: Int?

    /// The number of channels of the recording; nil for the device's own, at most two.
    public var channelCount: Int?

    /// The bit rate or quality; nil for the preset's or the encoder's default.
    public var rateControl: AACEncoderConfiguration.RateControl?

    /// The codec and, for Opus, its parameters.
    ///
    /// Opus is recorded at 48 kHz; rate control, profile, signalling and effort are those of AAC.
    public var codec = FileCodec.aac

    /// The profile; nil for the preset's or AAC-LC.
    public var profile: AACProfile?

    /// The signaling of HE-AAC in M4A, CAF and LOAS.
    public var signaling = AudioSpecificConfig.ExtensionSignaling.backwardCompatible

    /// The processor time that the encoder spends for quality.
    public var effort: AACEncoderConfiguration.Effort

    /// Whether the encoder needs no look-ahead, and at a constant bit rate no bits of other access units; only in AAC-LC.
    ///
    /// Access units come 1024 frames earlier: see ``/AACCodec/AACEncoderConfiguration/lowDelay``.
    public var lowDelay = false

    /// The length of the recording; nil for no limit.
    public var duration: Duration?

    /// The time that a sink may take to complete after the end of the recording.
    public var sinkTimeout: Duration

    /// Whether a sink that is slower than the audio delays the recording; else it fails when about two minutes of samples wait for it.
    ///
    /// Only for sources that can wait, such as an ``AudioFileSource`` that is read as fast as it is accepted.
    public var waitsForSinks = false

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
        self.rateControl = rateControl
        effort = .balanced
        sinkTimeout = .seconds(5)
        guard let request = preset?.deviceRequest else { return }
        self.capture.sampleRate = capture.sampleRate ?? request.sampleRate
        self.capture.channelCount = capture.channelCount ?? request.channelCount
        if let duration = request.bufferDuration { self.capture.bufferDuration = duration }
    }

    /// Returns the configuration of the encoder for audio of a device.
    func encoderConfiguration(for format: CaptureFormat) -> AudioEncoderConfiguration {
        guard case .opus(var parameters) = codec else { return .aac(aacConfiguration(for: format)) }
        let channels = channelCount ?? min(format.pcm.channelCount, 2)
        parameters.bitRate = parameters.bitRate ?? preset?.bitRate(sampleRate: OpusConfiguration.sampleRate, channelCount: channels)
        var result = parameters.encoderConfiguration(sampleRate: OpusConfiguration.sampleRate, channelCount: channels)
        result.invalidSamples = .silence
        // Units leave at once.
        result.looksAhead = false
        return .opus(result)
    }

    /// Returns the configuration of the encoder of AAC for audio of a device.
    private func aacConfiguration(for format: CaptureFormat) -> AACEncoderConfiguration {
        let rates = AACEncoderConfiguration.sampleRates
        let rate = sampleRate ?? preset?.sampleRate ?? (rates.contains(format.sampleRate) ? format.sampleRate : 48_000)
        let channels = channelCount ?? min(format.pcm.channelCount, 2)
        let presetBitRate = preset?.bitRate(sampleRate: rate, channelCount: channels)
        var result = AACEncoderConfiguration(
            sampleRate: rate, channelCount: channels, rateControl: rateControl ?? presetBitRate.map { .average(bitRate: $0) },
            effort: effort)
        if channels > 2, let layout = format.channelLayout, layout.channelCount == channels { result.inputLayout = layout.namedAsInAAC }
        result.profile = profile ?? preset?.profile ?? .lowComplexity
        result.signaling = signaling
        result.lowDelay = lowDelay
        // An invalid sample of a device must not end a recording.
        result.invalidSamples = .silence
        return result
    }
}
