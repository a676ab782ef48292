// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// A measurement of a source's clock.
package enum ClockReading: Hashable, Sendable {
    /// The host time at which a buffer's last frame was available, in nanoseconds: constant, plus a random delay.
    case arrival(Int64)
    /// The host time at which a buffer's first frame was captured, in nanoseconds.
    case capture(Int64)
}

/// A buffer of captured audio.
public struct CapturedAudio: Sendable {
    /// The interleaved samples, in the layout of ``format``.
    public var bytes: [UInt8]

    /// The sample layout of ``bytes``.
    public var format: PCMFormat

    /// The sample rate in hertz, also the timescale of ``time``.
    public var sampleRate: Int

    /// The first frame's time since the start of the capture, including gaps.
    public var time: MediaTime

    /// The first frame's capture time in nanoseconds of the host clock.
    ///
    /// Never decreases between buffers.
    public var hostTime: Int64

    /// Whether this is silence that replaces missing audio.
    public var isFilling: Bool

    /// The measurement for this buffer, whichever is more accurate; `nil` for silence.
    package var clockReading: ClockReading?

    /// The number of sample frames.
    public var frameCount: Int { bytes.count / format.bytesPerFrame }

    /// Converts the samples to non-interleaved floating point, full scale ±1.
    public func pcmBuffer() -> PCMBuffer {
        var buffer = PCMBuffer(sampleRate: sampleRate, channelCount: format.channelCount, frameCapacity: frameCount)
        bytes.withSpan { format.encoding.decode($0.bytes, into: &buffer) }
        return buffer
    }
}

extension CapturedAudio {
    /// Keeps only the channels with the given indices, which must exist, in the given order.
    mutating func select(_ channels: [Int]) {
        let size = format.sampleFormat.byteCount
        let oldFrameSize = format.bytesPerFrame
        let frames = frameCount
        var result: [UInt8] = []
        result.reserveCapacity(frames * channels.count * size)
        for frame in 0..<frames {
            for channel in channels {
                let offset = frame * oldFrameSize + channel * size
                result += bytes[offset..<offset + size]
            }
        }
        bytes = result
        format.channelCount = channels.count
    }
}
