// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives

/// What a device really gives, read back after it was opened.
public struct CaptureFormat: Hashable, Sendable {
    /// Sample rate in hertz.
    public var sampleRate: Int

    /// How samples lie in memory; always interleaved.
    public var pcm: PCMFormat

    /// Sample frames that the device means to give at a time.
    public var bufferFrames: Int

    /// The identifier of the device.
    public var device: String

    /// The name of the device for people.
    public var deviceName: String

    /// The device's own rate in hertz, where it differs from ``sampleRate`` the system resamples; nil if unknown.
    public var nativeSampleRate: Int?

    /// Makes a format.
    public init(sampleRate: Int, pcm: PCMFormat, bufferFrames: Int, device: String, deviceName: String, nativeSampleRate: Int? = nil) {
        self.sampleRate = sampleRate
        self.pcm = pcm
        self.bufferFrames = bufferFrames
        self.device = device
        self.deviceName = deviceName
        self.nativeSampleRate = nativeSampleRate
    }

    /// Whether samples of both lie in memory alike and take the same time.
    func hasSameSamples(as other: CaptureFormat) -> Bool { sampleRate == other.sampleRate && pcm == other.pcm }
}

/// A run of recorded sound.
public struct CapturedAudio: Sendable {
    /// The samples, laid out as ``format`` says.
    public var bytes: [UInt8]

    /// How the samples lie in ``bytes``.
    public var format: PCMFormat

    /// Sample rate in hertz, and the timescale of ``time``.
    public var sampleRate: Int

    /// The time of the first frame since the start of capture, gaps included.
    public var time: MediaTime

    /// When the first frame was heard, in nanoseconds of the system's monotonic clock; never less than before.
    public var hostTime: Int64

    /// Whether this is silence in the place of sound that was lost.
    public var isFilling: Bool

    /// The number of sample frames.
    public var frameCount: Int { bytes.count / format.bytesPerFrame }

    /// The samples as floating point, channel by channel.
    public func pcmBuffer() -> PCMBuffer {
        let channels = format.channelCount
        let frames = frameCount
        var buffer = PCMBuffer(sampleRate: sampleRate, channelCount: channels, frameCapacity: frames)
        bytes.withUnsafeBytes { source in
            for channel in 0..<channels {
                let first = channel * frames
                for frame in 0..<frames {
                    buffer.samples[first + frame] = source.sample(at: frame * channels + channel, as: format.sampleFormat)
                }
            }
        }
        return buffer
    }
}

extension CapturedAudio {
    /// Keeps the given channels, in their order.
    mutating func select(_ channels: [Int]) {
        let size = format.sampleFormat.byteCount
        let old = format.bytesPerFrame
        let frames = frameCount
        var result: [UInt8] = []
        result.reserveCapacity(frames * channels.count * size)
        for frame in 0..<frames {
            for channel in channels where (channel + 1) * size <= old {
                result += bytes[frame * old + channel * size..<frame * old + (channel + 1) * size]
            }
        }
        bytes = result
        format.channelCount = channels.count
    }
}
