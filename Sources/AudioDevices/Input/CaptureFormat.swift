// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// The actual format of an open device.
public struct CaptureFormat: Hashable, Sendable {
    /// The sample rate, in hertz.
    public var sampleRate: Int

    /// The sample layout in memory; always interleaved.
    public var pcm: PCMFormat

    /// The nominal number of sample frames per device buffer.
    public var bufferFrames: Int

    /// The device identifier.
    public var device: String

    /// The device's display name.
    public var deviceName: String

    /// The device's native sample rate in hertz, if known.
    ///
    /// The system resamples if it differs from ``sampleRate``.
    public var nativeSampleRate: Int?

    /// The speaker layout; `nil` if the device does not report it, or other channels were requested.
    public var channelLayout: ChannelLayout?

    /// Creates a format.
    public init(sampleRate: Int, pcm: PCMFormat, bufferFrames: Int, device: String, deviceName: String, nativeSampleRate: Int? = nil) {
        self.sampleRate = sampleRate
        self.pcm = pcm
        self.bufferFrames = bufferFrames
        self.device = device
        self.deviceName = deviceName
        self.nativeSampleRate = nativeSampleRate
    }

    /// Whether both formats have the same sample layout and rate.
    func hasSameSamples(as other: CaptureFormat) -> Bool { sampleRate == other.sampleRate && pcm == other.pcm }
}
