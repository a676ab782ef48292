// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AACCodec
public import AudioDevices
public import AudioFiles
internal import AudioPrimitives
public import MPEG4Audio

/// What to record, and into what.
public struct RecorderConfiguration: Hashable, Sendable {
    /// What to record from, and how.
    public var capture: CaptureConfiguration

    /// Stands in where sample rate, bit rate or profile aren't set.
    public var preset: AudioPreset?

    /// Sample rate of the recording in hertz; nil for the preset's or the device's own, or 48 kHz where AAC has no such rate.
    public var sampleRate: Int?

    /// Channels of the recording; nil for the device's own, at most two.
    public var channelCount: Int?

    /// Bit rate or quality; nil for the preset's or the encoder's choice.
    public var rateControl: AACEncoderConfiguration.RateControl?

    /// AAC-LC, HE-AAC or HE-AAC v2; nil for the preset's or AAC-LC.
    public var profile: AACProfile?

    /// How M4A, CAF and LOAS tell of HE-AAC.
    public var signaling = AudioSpecificConfig.ExtensionSignaling.backwardCompatible

    /// Time spent against quality.
    public var effort: AACEncoderConfiguration.Effort

    /// How long to record, in seconds; nil until it is stopped.
    public var duration: Double?

    /// How long a sink may take to come to its end, in seconds.
    public var sinkTimeout: Double

    /// Makes a configuration.
    public init(
        capture: CaptureConfiguration = CaptureConfiguration(), sampleRate: Int? = nil, channelCount: Int? = nil,
        rateControl: AACEncoderConfiguration.RateControl? = nil
    ) {
        self.capture = capture
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.rateControl = rateControl
        effort = .balanced
        sinkTimeout = 5
    }

    /// The encoder for sound of a device.
    func encoderConfiguration(for format: CaptureFormat) -> AACEncoderConfiguration {
        let rates = AACEncoderConfiguration.sampleRates
        let rate = sampleRate ?? preset?.sampleRate ?? (rates.contains(format.sampleRate) ? format.sampleRate : 48_000)
        let channels = channelCount ?? min(format.pcm.channelCount, 2)
        let preferred = preset.map { preset in
            AACEncoderConfiguration.RateControl.average(bitRate: preset.bitRate(sampleRate: rate, channelCount: channels))
        }
        var result = AACEncoderConfiguration(
            sampleRate: rate, channelCount: channels, rateControl: rateControl ?? preferred, effort: effort)
        result.profile = profile ?? preset?.profile ?? .lowComplexity
        result.signaling = signaling
        // A broken sample of a device is no reason to end a recording.
        result.invalidSamples = .silence
        return result
    }
}
