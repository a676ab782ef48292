// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

extension SampleEncoding {
    /// Decodes interleaved `bytes` into the first frames of `buffer`, whose frame count becomes the number of whole frames.
    func decode(_ bytes: UnsafeRawBufferPointer, into buffer: inout PCMBuffer) {
        let channelCount = buffer.channelCount
        let frameCount = min(bytes.count / (byteCount * channelCount), buffer.frameCapacity)
        let capacity = buffer.frameCapacity
        buffer.setFrameCount(frameCount)
        guard frameCount > 0, let source = bytes.baseAddress else { return }
        let stride = byteCount * channelCount
        buffer.samples.withUnsafeMutableBufferPointer { samples in
            guard let base = samples.baseAddress else { return }
            if self == .native16, channelCount == 2 {
                return Self.decodeStereo16(source, into: base, base + capacity, frameCount: frameCount)
            }
            for channel in 0..<channelCount {
                decodeChannel(
                    source + channel * byteCount, stride: stride, into: base + channel * capacity, frameCount: frameCount)
            }
        }
    }

    private static var native16: SampleEncoding { Int16(1).littleEndian == 1 ? .int16 : .int16BigEndian }

    /// 16 bits in the order of this machine, which nearly all files hold: four frames at a time.
    private static func decodeStereo16(
        _ source: UnsafeRawPointer, into left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frameCount: Int
    ) {
        let scale: Float = 1 / 32_768
        let whole = frameCount & ~3
        for frame in stride(from: 0, to: whole, by: 4) {
            let samples = (source + 4 * frame).loadUnaligned(as: SIMD8<Int16>.self)
            let (l, r) = (SIMD4<Int32>(truncatingIfNeeded: samples.evenHalf), SIMD4<Int32>(truncatingIfNeeded: samples.oddHalf))
            UnsafeMutableRawPointer(left + frame).storeBytes(of: SIMD4<Float>(l) * scale, as: SIMD4<Float>.self)
            UnsafeMutableRawPointer(right + frame).storeBytes(of: SIMD4<Float>(r) * scale, as: SIMD4<Float>.self)
        }
        for frame in whole..<frameCount {
            left[frame] = Float((source + 4 * frame).loadUnaligned(as: Int16.self)) * scale
            right[frame] = Float((source + 4 * frame + 2).loadUnaligned(as: Int16.self)) * scale
        }
    }

    private func decodeChannel(
        _ source: UnsafeRawPointer, stride: Int, into target: UnsafeMutablePointer<Float>, frameCount: Int
    ) {
        @inline(__always) func fill(_ sample: (UnsafeRawPointer) -> Float) {
            for frame in 0..<frameCount { target[frame] = sample(source + frame * stride) }
        }
        let scale16: Float = 1 / 32_768
        let scale32: Float = 1 / 2_147_483_648
        switch self {
        case .unsigned8: fill { Float(Int32($0.load(as: UInt8.self)) - 128) * (1 / 128) }
        case .signed8: fill { Float($0.load(as: Int8.self)) * (1 / 128) }
        case .int16: fill { Float(Int16(littleEndian: $0.loadUnaligned(as: Int16.self))) * scale16 }
        case .int16BigEndian: fill { Float(Int16(bigEndian: $0.loadUnaligned(as: Int16.self))) * scale16 }
        case .int24: fill { Float(Self.word(low: $0[0], middle: $0[1], high: $0[2])) * scale32 }
        case .int24BigEndian: fill { Float(Self.word(low: $0[2], middle: $0[1], high: $0[0])) * scale32 }
        case .int32: fill { Float(Int32(littleEndian: $0.loadUnaligned(as: Int32.self))) * scale32 }
        case .int32BigEndian: fill { Float(Int32(bigEndian: $0.loadUnaligned(as: Int32.self))) * scale32 }
        case .float32: fill { Float(bitPattern: UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self))) }
        case .float32BigEndian: fill { Float(bitPattern: UInt32(bigEndian: $0.loadUnaligned(as: UInt32.self))) }
        case .float64: fill { Float(Double(bitPattern: UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)))) }
        case .float64BigEndian: fill { Float(Double(bitPattern: UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)))) }
        }
    }

    /// 24 bits in the high bytes of a word, so that all integers share one scale.
    @inline(__always)
    private static func word(low: UInt8, middle: UInt8, high: UInt8) -> Int32 {
        Int32(bitPattern: UInt32(low) << 8 | UInt32(middle) << 16 | UInt32(high) << 24)
    }
}

extension UnsafeRawPointer {
    @inline(__always)
    fileprivate subscript(offset: Int) -> UInt8 { load(fromByteOffset: offset, as: UInt8.self) }
}
