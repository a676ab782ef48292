// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
internal import _Builtin_intrinsics.intel
#endif

extension SampleFormat {
    /// Writes the frames of a buffer, interleaved and least significant byte first, rounded by ``SampleRounding``.
    ///
    /// - Parameters:
    ///   - bytes: Receives the samples, and must have room for them after `start`.
    ///   - start: The offset of the first byte to write.
    package func encode(_ buffer: PCMBuffer, into bytes: inout [UInt8], at start: Int) {
        precondition(start >= 0 && start + buffer.frameCount * buffer.channelCount * byteCount <= bytes.count)
        unsafe bytes.withUnsafeMutableBytes { all in
            unsafe buffer.samples.withUnsafeBufferPointer { samples in
                guard let base = all.baseAddress, let samples = samples.baseAddress else { return }
                let target = unsafe base + start
                if self == .int16, buffer.channelCount <= 2 {
                    let right = unsafe buffer.channelCount == 2 ? samples + buffer.frameCapacity : nil
                    return unsafe Self.encode16(samples, right, into: target, frameCount: buffer.frameCount)
                }
                let stride = buffer.channelCount * self.byteCount
                for channel in 0..<buffer.channelCount {
                    unsafe encodeChannel(
                        samples + channel * buffer.frameCapacity, into: target + channel * self.byteCount, stride: stride,
                        frameCount: buffer.frameCount)
                }
            }
        }
    }

    /// Writes 16-bit samples of one or two channels, the most frequent case, eight frames at a time.
    @unsafe
    private static func encode16(
        _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>?, into target: UnsafeMutableRawPointer, frameCount: Int
    ) {
        var frame = 0
        #if arch(x86_64)
        while frame &+ 8 <= frameCount {
            let first = unsafe eightIntegers(left + frame)
            let second = unsafe right.map { unsafe eightIntegers($0 + frame) } ?? first
            // The result of NaN and of samples beyond 32 bits as well.
            let minimum = SIMD2<Int64>(repeating: Int64(bitPattern: 0x8000_8000_8000_8000))
            if _mm_movemask_epi8(_mm_cmpeq_epi16(_mm_min_epi16(first, second), minimum)) != 0 {
                unsafe encode16(left, right, into: target, frames: frame..<frame &+ 8)
            } else if unsafe right != nil {
                let pairs = (_mm_unpacklo_epi16(first, second), _mm_unpackhi_epi16(first, second))
                unsafe target.storeBytes(of: pairs.0, toByteOffset: 4 &* frame, as: SIMD2<Int64>.self)
                unsafe target.storeBytes(of: pairs.1, toByteOffset: 4 &* frame &+ 16, as: SIMD2<Int64>.self)
            } else {
                unsafe target.storeBytes(of: first, toByteOffset: 2 &* frame, as: SIMD2<Int64>.self)
            }
            frame &+= 8
        }
        #endif
        unsafe encode16(left, right, into: target, frames: frame..<frameCount)
    }

    /// Writes 16-bit samples of one or two channels.
    ///
    /// It is not inlined, because its variables would take registers from the loop of eight frames.
    @unsafe
    @inline(never)
    private static func encode16(
        _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>?, into target: UnsafeMutableRawPointer, frames: Range<Int>
    ) {
        for frame in frames {
            let first = unsafe SampleRounding.bits16(left[frame] * 32768)
            if let right = unsafe right {
                let pair = unsafe first & 0xFFFF | SampleRounding.bits16(right[frame] * 32768) << 16
                unsafe target.storeBytes(of: pair.littleEndian, toByteOffset: 4 &* frame, as: UInt32.self)
            } else {
                unsafe target.storeBytes(of: UInt16(truncatingIfNeeded: first).littleEndian, toByteOffset: 2 &* frame, as: UInt16.self)
            }
        }
    }

    #if arch(x86_64)
    /// Returns eight samples as 16-bit integers like ``SampleRounding/bits16(_:)``, and -32768 for NaN and samples beyond 32 bits.
    @unsafe
    @inline(__always)
    private static func eightIntegers(_ samples: UnsafePointer<Float>) -> SIMD2<Int64> {
        unsafe _mm_packs_epi32(fourIntegers(samples), fourIntegers(samples + 4))
    }

    @unsafe
    @inline(__always)
    private static func fourIntegers(_ samples: UnsafePointer<Float>) -> SIMD2<Int64> {
        _mm_cvtps_epi32(_mm_mul_ps(unsafe UnsafeRawPointer(samples).loadUnaligned(as: SIMD4<Float>.self), SIMD4(repeating: 32768)))
    }
    #endif

    @unsafe
    package func encodeChannel(
        _ source: UnsafePointer<Float>, into target: UnsafeMutableRawPointer, stride: Int, frameCount: Int
    ) {
        @inline(__always) func store(_ body: (Float, UnsafeMutableRawPointer) -> Void) {
            for frame in 0..<frameCount { unsafe body(source[frame], target + frame * stride) }
        }
        switch self {
        case .int16:
            unsafe store { sample, target in
                let bits = UInt16(truncatingIfNeeded: SampleRounding.bits16(sample * 32768))
                unsafe target.storeBytes(of: bits.littleEndian, as: UInt16.self)
            }
        case .int24:
            unsafe store { sample, target in
                let value = SampleRounding.integer(sample, bitCount: 24)
                unsafe target.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
                unsafe target.storeBytes(of: UInt8(truncatingIfNeeded: value >> 8), toByteOffset: 1, as: UInt8.self)
                unsafe target.storeBytes(of: UInt8(truncatingIfNeeded: value >> 16), toByteOffset: 2, as: UInt8.self)
            }
        case .int32:
            unsafe store { sample, target in
                unsafe target.storeBytes(of: SampleRounding.integer(sample, bitCount: 32).littleEndian, as: Int32.self)
            }
        case .float32:
            unsafe store { sample, target in unsafe target.storeBytes(of: sample.bitPattern.littleEndian, as: UInt32.self) }
        case .float64:
            unsafe store { sample, target in unsafe target.storeBytes(of: Double(sample).bitPattern.littleEndian, as: UInt64.self) }
        }
    }
}
