// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// The device to capture from and the wanted format.
///
/// Sample rate, channel count and buffer size are requests: ``CaptureFormat`` has the actual values.
public struct CaptureConfiguration: Hashable, Sendable {
    /// The treatment of time in which a source delivered no audio.
    public enum GapPolicy: Hashable, Sendable {
        /// Silence of the same length is delivered: the recording's timeline follows wall-clock time.
        case fill
        /// Nothing is delivered; the times of the following audio jump by the length of the gap, which an event reports.
        case report
    }

    /// The way that capture resumes after an interruption.
    public enum RecoveryPolicy: Hashable, Sendable {
        /// Capture reopens the device as soon as it is available.
        case automatic
        /// Capture waits for ``AudioCapture/resume()``.
        case manual
    }

    /// The identifier of the device; nil for the system's default device, which capture then follows.
    public var device: String?

    /// The sample rate in hertz, 1000 to 768 000; nil for the device's own.
    public var sampleRate: Int?

    /// The number of channels, 1 to 32; nil for the device's own.
    public var channelCount: Int?

    /// The channels of the device to capture, as indices 0 to 31 in the wanted order; nil for all of them.
    ///
    /// Replaces ``channelCount``.
    public var selectedChannels: [Int]?

    /// The sample format; any but ``/AudioPrimitives/SampleFormat/float64``.
    public var sampleFormat: SampleFormat

    /// The length of the audio that the device delivers at a time, 0.5 ms to 2 s: shorter reduces latency, longer reduces processor time.
    public var bufferDuration = Duration.milliseconds(20)

    /// The length of the audio that can wait for a slow receiver before frames are lost, 0.1 s to 60 s.
    public var queueDuration = Duration.seconds(5)

    /// The factor that samples are multiplied by; 1 leaves them unchanged.
    public var gain: Float = 1

    /// Whether the stream ends when its device is removed, instead of moving to another one.
    public var staysOnDevice = false

    /// The way that capture resumes after an interruption.
    public var recovery = RecoveryPolicy.automatic

    /// The treatment of time in which the source delivered no audio.
    public var gapPolicy = GapPolicy.fill

    /// The time without audio after which a running device counts as stalled.
    public var stallTimeout = Duration.seconds(2)

    /// The time for which capture tries to reopen a lost device before it fails; nil for no limit.
    public var recoveryTimeout: Duration?

    /// Creates a configuration with buffers of 20 ms and a queue of 5 s.
    ///
    /// - Parameters:
    ///   - device: The identifier of the device; nil for the system's default.
    ///   - sampleRate: The sample rate in hertz; nil for the device's own.
    ///   - channelCount: The number of channels; nil for the device's own.
    ///   - sampleFormat: The sample format.
    public init(device: String? = nil, sampleRate: Int? = nil, channelCount: Int? = nil, sampleFormat: SampleFormat = .float32) {
        self.device = device
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.sampleFormat = sampleFormat
    }
}

extension CaptureConfiguration {
    /// Checks the ranges of all values.
    ///
    /// - Throws: ``DeviceError/unsupportedSetting(_:)`` with the first value that no device supports.
    func validate() throws(DeviceError) {
        if let sampleRate, !(1_000...768_000).contains(sampleRate) { throw .unsupportedSetting(.sampleRate(sampleRate)) }
        if let channelCount, !(1...32).contains(channelCount) { throw .unsupportedSetting(.channelCount(channelCount)) }
        if let selectedChannels, selectedChannels.isEmpty || selectedChannels.contains(where: { !(0..<32).contains($0) }) {
            throw .unsupportedSetting(.selectedChannels(selectedChannels))
        }
        if sampleFormat == .float64 { throw .unsupportedSetting(.sampleFormat(sampleFormat)) }
        if !(.microseconds(500)...(.seconds(2))).contains(bufferDuration) { throw .unsupportedSetting(.bufferDuration(bufferDuration)) }
        if !(.milliseconds(100)...(.seconds(60))).contains(queueDuration) { throw .unsupportedSetting(.queueDuration(queueDuration)) }
        if !gain.isFinite { throw .unsupportedSetting(.gain(gain)) }
    }

    /// Returns the wanted number of sample frames in a buffer at `sampleRate` hertz, rounded down.
    func bufferFrames(sampleRate: Double) -> Int { Int(bufferDuration.inSeconds * sampleRate) }
}
