// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives

/// What to record from, and how.
///
/// Every value is a wish: ``CaptureFormat`` tells what it became.
public struct CaptureConfiguration: Hashable, Sendable {
    /// What is done about the time in which a source gave nothing.
    public enum GapPolicy: Hashable, Sendable {
        /// Silence of the same length is delivered: the recording's time is the wall's time.
        case fill
        /// Nothing is delivered; the times of what follows jump, and the event tells by how much.
        case report
    }

    /// Who starts again after an interruption.
    public enum RecoveryPolicy: Hashable, Sendable {
        /// Capture itself, as soon as the device is to be had.
        case automatic
        /// The program, with ``AudioCapture/resume()``.
        case manual
    }

    /// The identifier of the device to record from, or nil for the system's default, wherever that moves.
    public var device: String?

    /// Sample rate in hertz, or nil for the device's own.
    public var sampleRate: Int?

    /// The number of channels, or nil for the device's own.
    public var channelCount: Int?

    /// Which of the device's channels to record, counted from 0, in the order wanted; nil for all of them.
    ///
    /// Replaces ``channelCount``.
    public var selectedChannels: [Int]?

    /// How a sample is stored.
    public var sampleFormat: SampleFormat

    /// How much sound the device gives at a time, in seconds: shorter is quicker, longer is cheaper.
    public var bufferDuration: Double

    /// How much sound waits for a slow receiver before frames are lost, in seconds.
    public var queueDuration: Double

    /// What samples are multiplied by; 1 leaves every bit alone.
    public var gain: Float

    /// Whether a stream fails when its device goes, rather than moving to another one.
    public var staysOnDevice: Bool

    /// Who starts again after an interruption.
    public var recovery: RecoveryPolicy

    /// What is done about lost time.
    public var gapPolicy: GapPolicy

    /// How long a running device may give nothing before it counts as stalled, in seconds.
    public var stallTimeout: Double

    /// How long to try to get a lost device back before capture fails, in seconds; nil for as long as it takes.
    public var recoveryTimeout: Double?

    /// Makes a configuration: the default device as it is, 32-bit floating point, 20 ms at a time.
    public init(device: String? = nil, sampleRate: Int? = nil, channelCount: Int? = nil, sampleFormat: SampleFormat = .float32) {
        self.device = device
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.sampleFormat = sampleFormat
        bufferDuration = 0.02
        queueDuration = 5
        gain = 1
        staysOnDevice = false
        recovery = .automatic
        gapPolicy = .fill
        stallTimeout = 2
    }

    /// One channel at 16 kHz: speech to be understood.
    public static let speech = CaptureConfiguration(sampleRate: 16_000, channelCount: 1)

    /// Two channels at 48 kHz.
    public static let music = CaptureConfiguration(sampleRate: 48_000, channelCount: 2)

    /// Two channels at 48 kHz, 5 ms at a time, for sound that is heard while it is made.
    public static let lowLatency: CaptureConfiguration = {
        var configuration = music
        configuration.bufferDuration = 0.005
        return configuration
    }()
}

extension CaptureConfiguration {
    /// Refuses values that no device could take.
    func validate() throws(DeviceError) {
        if let sampleRate, !(1_000...768_000).contains(sampleRate) { throw .unsupportedSetting(.sampleRate(sampleRate)) }
        if let channelCount, !(1...32).contains(channelCount) { throw .unsupportedSetting(.channelCount(channelCount)) }
        if let selectedChannels, selectedChannels.isEmpty || selectedChannels.contains(where: { !(0..<32).contains($0) }) {
            throw .unsupportedSetting(.selectedChannels(selectedChannels))
        }
        if sampleFormat == .float64 { throw .unsupportedSetting(.sampleFormat(sampleFormat)) }
        if !(0.000_5...2).contains(bufferDuration) { throw .unsupportedSetting(.bufferDuration(bufferDuration)) }
        if !(0.1...60).contains(queueDuration) { throw .unsupportedSetting(.queueDuration(queueDuration)) }
        if !gain.isFinite { throw .unsupportedSetting(.gain(gain)) }
    }
}
