// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// The actual format of an open device.
public struct CaptureFormat: Hashable, Sendable {
    /// The sample rate in hertz.
    public var sampleRate: Int

    /// The layout of samples in memory; always interleaved.
    public var pcm: PCMFormat

    /// The nominal number of sample frames that the device delivers at a time.
    public var bufferFrames: Int

    /// The identifier of the device.
    public var device: String

    /// The name of the device to show to people.
    public var deviceName: String

    /// The device's own sample rate in hertz, nil if unknown; the system resamples if it differs from ``sampleRate``.
    public var nativeSampleRate: Int?

    /// The speakers of the channels; nil if the device does not name them, or others were asked for.
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

    /// Returns whether samples of both formats have the same layout and rate.
    func hasSameSamples(as other: CaptureFormat) -> Bool { sampleRate == other.sampleRate && pcm == other.pcm }
}
