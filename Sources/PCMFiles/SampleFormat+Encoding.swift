// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

extension SampleFormat {
    /// Writes the frames in use of `buffer`, interleaved, least significant byte first, to `bytes` from `start` on, which must be there.
    func encode(_ buffer: PCMBuffer, into bytes: inout [UInt8], at start: Int) {
        precondition(start + buffer.frameCount * buffer.channelCount * byteCount <= bytes.count)
        bytes.withUnsafeMutableBytes { all in
            buffer.samples.withUnsafeBufferPointer { samples in
                guard let target = all.baseAddress.map({ $0 + start }), let samples = samples.baseAddress else { return }
                if self == .int16, buffer.channelCount <= 2 {
                    let right = buffer.channelCount == 2 ? samples + buffer.frameCapacity : nil
                    return Self.encode16(samples, right, into: target, frameCount: buffer.frameCount)
                }
                let stride = buffer.channelCount * self.byteCount
                for channel in 0..<buffer.channelCount {
                    encodeChannel(
                        samples + channel * buffer.frameCapacity, into: target + channel * self.byteCount, stride: stride,
                        frameCount: buffer.frameCount)
                }
            }
        }
    }

    /// The most frequent case, in loops that the compiler turns into vectors.
    private static func encode16(
        _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>?, into target: UnsafeMutableRawPointer, frameCount: Int
    ) {
        guard let right else {
            for frame in 0..<frameCount {
                let bits = UInt16(truncatingIfNeeded: bits16(left[frame]))
                target.storeBytes(of: bits.littleEndian, toByteOffset: 2 &* frame, as: UInt16.self)
            }
            return
        }
        for frame in 0..<frameCount {
            let pair = bits16(left[frame]) & 0xFFFF | bits16(right[frame]) << 16
            target.storeBytes(of: pair.littleEndian, toByteOffset: 4 &* frame, as: UInt32.self)
        }
    }

    private func encodeChannel(
        _ source: UnsafePointer<Float>, into target: UnsafeMutableRawPointer, stride: Int, frameCount: Int
    ) {
        @inline(__always) func store(_ body: (Float, UnsafeMutableRawPointer) -> Void) {
            for frame in 0..<frameCount { body(source[frame], target + frame * stride) }
        }
        switch self {
        case .int16:
            store { sample, place in
                place.storeBytes(of: UInt16(truncatingIfNeeded: Self.bits16(sample)).littleEndian, as: UInt16.self)
            }
        case .int24:
            store { sample, place in
                let value = Self.integer(sample, bitCount: 24)
                place.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
                place.storeBytes(of: UInt8(truncatingIfNeeded: value >> 8), toByteOffset: 1, as: UInt8.self)
                place.storeBytes(of: UInt8(truncatingIfNeeded: value >> 16), toByteOffset: 2, as: UInt8.self)
            }
        case .int32:
            store { sample, place in place.storeBytes(of: Self.integer(sample, bitCount: 32).littleEndian, as: Int32.self) }
        case .float32:
            store { sample, place in place.storeBytes(of: sample.bitPattern.littleEndian, as: UInt32.self) }
        case .float64:
            store { sample, place in place.storeBytes(of: Double(sample).bitPattern.littleEndian, as: UInt64.self) }
        }
    }

    /// The same as ``integer(_:bitCount:)`` with 16 bits, for which single precision is enough; in the low 16 bits.
    @inline(__always)
    private static func bits16(_ sample: Float) -> UInt32 {
        let scaled = sample * 32768
        let number = scaled == scaled ? scaled : 0
        let low = number > -32768 ? number : -32768
        // Adding 1.5 · 2^23 leaves the rounded integer in the low bits.
        return ((low < 32767 ? low : 32767) + 12_582_912).bitPattern
    }

    /// A sample as an integer of 16, 24 or 32 bits: rounded to nearest, ties to even, clipped; 0 for what is not a number.
    @inline(__always)
    static func integer(_ sample: Float, bitCount: Int) -> Int32 {
        let scale = Double(1 << (bitCount - 1))
        guard !sample.isNaN else { return 0 }
        let clipped = max(-scale, min(scale - 1, Double(sample) * scale))
        // Adding 1.5 · 2^52 leaves the rounded integer in the low bits.
        return Int32(truncatingIfNeeded: Int64(bitPattern: (clipped + 6_755_399_441_055_744).bitPattern))
    }
}
