// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// A buffer of captured audio.
public struct CapturedAudio: Sendable {
    /// The interleaved samples in the layout of ``format``.
    public var bytes: [UInt8]

    /// The layout of the samples in ``bytes``.
    public var format: PCMFormat

    /// The sample rate in hertz, and the timescale of ``time``.
    public var sampleRate: Int

    /// The time of the first frame since the start of capture, gaps included.
    public var time: MediaTime

    /// The time at which the first frame was captured, in nanoseconds of the host clock; never less than that of the previous buffer.
    public var hostTime: Int64

    /// Whether this is silence in place of missing audio.
    public var isFilling: Bool

    /// The number of sample frames.
    public var frameCount: Int { bytes.count / format.bytesPerFrame }

    /// Returns the samples as floating point, full scale ±1, channel by channel.
    public func pcmBuffer() -> PCMBuffer {
        var buffer = PCMBuffer(sampleRate: sampleRate, channelCount: format.channelCount, frameCapacity: frameCount)
        bytes.withSpan { format.encoding.decode($0.bytes, into: &buffer) }
        return buffer
    }
}

extension CapturedAudio {
    /// Keeps only the channels with the given indices, in their order.
    mutating func select(_ channels: [Int]) {
        let size = format.sampleFormat.byteCount
        let oldFrameSize = format.bytesPerFrame
        let frames = frameCount
        var result: [UInt8] = []
        result.reserveCapacity(frames * channels.count * size)
        for frame in 0..<frames {
            for channel in channels where (channel + 1) * size <= oldFrameSize {
                let offset = frame * oldFrameSize + channel * size
                result += bytes[offset..<offset + size]
            }
        }
        bytes = result
        format.channelCount = channels.count
    }
}
