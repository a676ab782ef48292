// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// The device to capture from, and the requested format.
///
/// Sample rate, channel count and buffer size are requests: ``CaptureFormat`` has the actual values.
public struct CaptureConfiguration: Hashable, Sendable {
    /// The treatment of time without audio from the source.
    public enum GapPolicy: Hashable, Sendable {
        /// Deliver silence of the same duration, so that the recording's timeline follows wall-clock time.
        case fill
        /// Deliver nothing. The times of the following audio jump by the gap, and an event reports it.
        case report
    }

    /// The recovery after an interruption.
    public enum RecoveryPolicy: Hashable, Sendable {
        /// Reopen the device as soon as it is available.
        case automatic
        /// Wait for ``AudioCapture/resume()``.
        case manual
    }

    /// The device identifier.
    ///
    /// `nil` selects the system's default device and follows changes of it. On macOS, and on Linux with a sound server, `system` selects
    /// all that programs play, and `app:` with a program's name what one of them plays: its bundle identifier or process ID on macOS; its
    /// name, identifier, binary or process ID in upper or lower case on Linux. A program that plays nothing is an interruption on Linux.
    public var device: String?

    /// The sample rate in hertz, 1000 to 768 000; `nil` uses the device's rate.
    public var sampleRate: Int?

    /// The channel count, 1 to 32; `nil` uses the device's count.
    public var channelCount: Int?

    /// The device channels to capture, as indices 0 to 31 in output order; `nil` selects all.
    ///
    /// Overrides ``channelCount``.
    public var selectedChannels: [Int]?

    /// The sample format, except ``/AudioPrimitives/SampleFormat/float64``.
    public var sampleFormat: SampleFormat

    /// The duration of the device's buffers, 0.5 ms to 2 s.
    ///
    /// Shorter buffers reduce latency, longer ones reduce CPU load.
    public var bufferDuration = Duration.milliseconds(20)

    /// The duration of audio queued for a slow receiver before frames are lost, 0.1 s to 60 s.
    public var queueDuration = Duration.seconds(5)

    /// The gain, as a factor; 1 leaves samples unchanged.
    public var gain: Float = 1

    /// Whether the stream ends when its device is removed, instead of moving to another device.
    public var staysOnDevice = false

    /// The recovery after an interruption.
    public var recovery = RecoveryPolicy.automatic

    /// The treatment of time without audio from the source.
    public var gapPolicy = GapPolicy.fill

    /// The time without audio after which a running device counts as stalled.
    public var stallTimeout = Duration.seconds(2)

    /// The time limit for reopening a lost device before the capture fails; `nil` for no limit.
    public var recoveryTimeout: Duration?

    /// Creates a configuration with buffers of 20 ms and a queue of 5 s.
    ///
    /// - Parameters:
    ///   - device: The device identifier; `nil` selects the system's default device.
    ///   - sampleRate: The sample rate in hertz; `nil` uses the device's rate.
    ///   - channelCount: The channel count; `nil` uses the device's count.
    ///   - sampleFormat: The sample format.
    public init(device: String? = nil, sampleRate: Int? = nil, channelCount: Int? = nil, sampleFormat: SampleFormat = .float32) {
        self.device = device
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.sampleFormat = sampleFormat
    }
}

extension CaptureConfiguration {
    /// Validates the ranges of all values.
    ///
    /// - Throws: ``DeviceError/unsupportedSetting(_:)`` for the first value out of range.
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

    /// Returns the requested number of sample frames per buffer at `sampleRate` hertz, rounded down.
    func bufferFrames(sampleRate: Double) -> Int { Int(bufferDuration.inSeconds * sampleRate) }
}
