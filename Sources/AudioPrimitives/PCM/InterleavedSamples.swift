// SPDX-License-Identifier: Apache-2.0

/// Access to single samples in interleaved bytes.
package enum InterleavedSamples {
    /// Returns one sample as floating point.
    ///
    /// - Parameters:
    ///   - index: The sample index, `frame * channelCount + channel`.
    ///   - bytes: The samples, least significant byte first.
    package static func sample(at index: Int, in bytes: [UInt8], _ format: SampleFormat) -> Float {
        let first = index * format.byteCount
        var bits: UInt64 = 0
        for offset in stride(from: format.byteCount - 1, through: 0, by: -1) { bits = bits << 8 | UInt64(bytes[first + offset]) }
        return switch format {
        case .int16: Float(Int16(truncatingIfNeeded: bits)) * (1 / 32_768)
        case .int24: Float(Int32(truncatingIfNeeded: bits << 8)) * (1 / 2_147_483_648)
        case .int32: Float(Int32(truncatingIfNeeded: bits)) * (1 / 2_147_483_648)
        case .float32: Float(bitPattern: UInt32(truncatingIfNeeded: bits))
        case .float64: Float(Double(bitPattern: bits))
        }
    }

    /// Stores one sample, rounded by ``SampleRounding``.
    ///
    /// - Parameters:
    ///   - sample: The sample, with full scale ±1.
    ///   - index: The sample index, `frame * channelCount + channel`.
    ///   - bytes: The samples, least significant byte first.
    package static func store(_ sample: Float, at index: Int, in bytes: inout [UInt8], _ format: SampleFormat) {
        let bits: UInt64 =
            switch format {
            case .int16, .int24, .int32:
                UInt64(truncatingIfNeeded: SampleRounding.integer(sample, bitCount: format.byteCount * 8))
            case .float32: UInt64(sample.bitPattern)
            case .float64: Double(sample).bitPattern
            }
        for offset in 0..<format.byteCount {
            bytes[index * format.byteCount + offset] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * offset))
        }
    }
}

extension PCMBuffer {
    /// Calls a closure with the interleaved index and the value of each sample.
    ///
    /// The interleaved index is the frame index times the channel count plus the channel.
    @inlinable
    @inline(__always)
    package func forEachInterleaved(_ body: (Int, Float) -> Void) {
        for channel in 0..<channelCount {
            let start = range(ofChannel: channel).lowerBound
            for frame in 0..<frameCount { body(frame * channelCount + channel, samples[start + frame]) }
        }
    }

    /// The frames in use as interleaved samples.
    package var interleaved: [Float] {
        var result = [Float](repeating: 0, count: frameCount * channelCount)
        forEachInterleaved { result[$0] = $1 }
        return result
    }

    /// Replaces all frames by interleaved samples, within the buffer's capacity.
    package mutating func deinterleave(_ interleaved: [Float], frameCount: Int) {
        self.frameCount = frameCount
        let (channelCount, stride) = (channelCount, frameCapacity)
        var target = samples.mutableSpan
        for channel in 0..<channelCount {
            let start = channel * stride
            for frame in 0..<frameCount { target[start + frame] = interleaved[frame * channelCount + channel] }
        }
    }
}
