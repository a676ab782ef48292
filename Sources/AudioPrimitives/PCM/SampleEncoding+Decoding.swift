// SPDX-License-Identifier: Apache-2.0

extension SampleEncoding {
    /// Decodes interleaved bytes into the first frames of a buffer, and sets its frame count.
    ///
    /// - Parameters:
    ///   - bytes: The interleaved samples, in the channel order of the buffer. An incomplete last frame is ignored.
    ///   - buffer: Receives the samples. Frames beyond its capacity are ignored.
    package func decode(_ bytes: RawSpan, into buffer: inout PCMBuffer) {
        let channelCount = buffer.channelCount
        let frameCount = min(bytes.byteCount / (byteCount * channelCount), buffer.frameCapacity)
        let capacity = buffer.frameCapacity
        buffer.frameCount = frameCount
        var samples = buffer.samples.mutableSpan
        for channel in 0..<channelCount {
            let run = SampleRun(encoding: self, offset: channel * byteCount, stride: byteCount * channelCount, count: frameCount)
            run.read(bytes, fullScale: 1, into: &samples, at: channel * capacity)
        }
    }
}

extension PCMFormat {
    package var encoding: SampleEncoding { SampleEncoding(sampleFormat, isBigEndian: isBigEndian) }
}

/// The samples of one channel in a range of bytes.
package struct SampleRun {
    package var encoding: SampleEncoding
    /// The offset of the first sample, in bytes.
    package var offset: Int
    /// The distance between samples, in bytes.
    package var stride: Int
    package var count: Int

    package init(encoding: SampleEncoding, offset: Int, stride: Int, count: Int) {
        self.encoding = encoding
        self.offset = offset
        self.stride = stride
        self.count = count
    }

    /// Converts all samples to floating point, and traps if they are outside the bytes or the target.
    ///
    /// - Parameters:
    ///   - fullScale: The full-scale value in the target, a power of two. Integers up to 24 bits are converted exactly.
    ///   - start: The index of the first sample to write.
    package func read(_ bytes: RawSpan, fullScale: Float, into target: inout MutableSpan<Float>, at start: Int) {
        guard count > 0 else { return }
        precondition(
            offset >= 0 && stride >= encoding.byteCount && offset + (count - 1) * stride + encoding.byteCount <= bytes.byteCount
                && start >= 0 && start + count <= target.count)
        let scale8 = fullScale / 128
        let scale16 = fullScale / 32_768
        let scale32 = fullScale / 2_147_483_648
        switch encoding {
        // The two most frequent encodings, without byte access.
        case .int16 where Self.isLittleEndian, .int16BigEndian where !Self.isLittleEndian:
            unsafe readNative16(bytes, scale: scale16, into: &target, at: start)
        case .float32 where Self.isLittleEndian, .float32BigEndian where !Self.isLittleEndian:
            unsafe readNativeFloats(bytes, scale: fullScale, into: &target, at: start)
        case .unsigned8: unsafe each(bytes, UInt8.self, &target, start) { Float(Int32($0) - 128) * scale8 }
        case .signed8: unsafe each(bytes, Int8.self, &target, start) { Float($0) * scale8 }
        case .int16: unsafe each(bytes, Int16.self, &target, start) { Float(Int16(littleEndian: $0)) * scale16 }
        case .int16BigEndian: unsafe each(bytes, Int16.self, &target, start) { Float(Int16(bigEndian: $0)) * scale16 }
        case .int24: unsafe each24(bytes, mostSignificant: 2, &target, start, scale32)
        case .int24BigEndian: unsafe each24(bytes, mostSignificant: 0, &target, start, scale32)
        case .int32: unsafe each(bytes, Int32.self, &target, start) { Float(Int32(littleEndian: $0)) * scale32 }
        case .int32BigEndian: unsafe each(bytes, Int32.self, &target, start) { Float(Int32(bigEndian: $0)) * scale32 }
        case .float32:
            unsafe each(bytes, UInt32.self, &target, start) { Float(bitPattern: UInt32(littleEndian: $0)) * fullScale }
        case .float32BigEndian:
            unsafe each(bytes, UInt32.self, &target, start) { Float(bitPattern: UInt32(bigEndian: $0)) * fullScale }
        case .float64:
            unsafe each(bytes, UInt64.self, &target, start) { Float(Double(bitPattern: UInt64(littleEndian: $0)) * Double(fullScale)) }
        case .float64BigEndian:
            unsafe each(bytes, UInt64.self, &target, start) { Float(Double(bitPattern: UInt64(bigEndian: $0)) * Double(fullScale)) }
        }
    }

    private static var isLittleEndian: Bool { Int16(1).littleEndian == 1 }

    /// Converts each sample from its bits in memory, with indices checked by the caller.
    @unsafe
    @inline(__always)
    private func each<Bits: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: RawSpan, _ type: Bits.Type, _ target: inout MutableSpan<Float>, _ start: Int, _ convert: (Bits) -> Float
    ) {
        for index in 0..<count {
            unsafe target[unchecked: start &+ index] = convert(
                bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset &+ index &* stride, as: type))
        }
    }

    /// Converts 24-bit integers in the high bytes of a word, with indices checked by the caller.
    ///
    /// - Parameters:
    ///   - mostSignificant: The position of the most significant byte in a sample, 0 or 2.
    ///   - scale: The scale of 32-bit integers.
    @unsafe
    @inline(__always)
    private func each24(_ bytes: RawSpan, mostSignificant: Int, _ target: inout MutableSpan<Float>, _ start: Int, _ scale: Float) {
        for index in 0..<count {
            let first = offset &+ index &* stride
            let high = unsafe bytes.unsafeLoad(fromUncheckedByteOffset: first &+ mostSignificant, as: Int8.self)
            let middle = unsafe bytes.unsafeLoad(fromUncheckedByteOffset: first &+ 1, as: UInt8.self)
            let low = unsafe bytes.unsafeLoad(fromUncheckedByteOffset: first &+ 2 &- mostSignificant, as: UInt8.self)
            unsafe target[unchecked: start &+ index] = Float(Int32(high) << 24 | Int32(middle) << 16 | Int32(low) << 8) * scale
        }
    }

    /// Reads 16-bit integers in native byte order, with indices checked by the caller.
    @unsafe
    private func readNative16(_ bytes: RawSpan, scale: Float, into target: inout MutableSpan<Float>, at start: Int) {
        var done = 0
        if stride == 4 && Self.isLittleEndian {
            // Two channels: four frames at a time, each in the low half of a word within the bytes.
            let whole = min(count, (bytes.byteCount - offset) / 4) & ~3
            while done < whole {
                let words = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset &+ 4 &* done, as: SIMD4<Int32>.self)
                unsafe Self.store(Self.floats((words &<< 16) &>> 16) * scale, into: &target, at: start &+ done)
                done &+= 4
            }
        }
        if stride == 2 && Self.isLittleEndian {
            // One channel: eight frames at a time, two per word.
            while done < count & ~7 {
                let words = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset &+ 2 &* done, as: SIMD4<Int32>.self)
                let (even, odd) = (Self.floats((words &<< 16) &>> 16) * scale, Self.floats(words &>> 16) * scale)
                unsafe Self.store(SIMD4(even.x, odd.x, even.y, odd.y), into: &target, at: start &+ done)
                unsafe Self.store(SIMD4(even.z, odd.z, even.w, odd.w), into: &target, at: start &+ done &+ 4)
                done &+= 8
            }
        }
        for index in done..<count {
            let value = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset &+ index &* stride, as: Int16.self)
            unsafe target[unchecked: start &+ index] = Float(value) * scale
        }
    }

    /// Reads 32-bit floating-point numbers in native byte order, with indices checked by the caller.
    @unsafe
    private func readNativeFloats(_ bytes: RawSpan, scale: Float, into target: inout MutableSpan<Float>, at start: Int) {
        var done = 0
        if stride == 4 {
            while done < count & ~3 {
                let values = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset &+ 4 &* done, as: SIMD4<Float>.self)
                unsafe Self.store(values * scale, into: &target, at: start &+ done)
                done &+= 4
            }
        }
        for index in done..<count {
            let value = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset &+ index &* stride, as: Float.self)
            unsafe target[unchecked: start &+ index] = value * scale
        }
    }

    /// Converts 16-bit integers to floating point, by adding them to the bit pattern of 1.5 · 2^23, where they become the last digits.
    @inline(__always)
    private static func floats(_ integers: SIMD4<Int32>) -> SIMD4<Float> {
        let bits = SIMD4<UInt32>(truncatingIfNeeded: integers) &+ SIMD4<UInt32>(repeating: 0x4B40_0000)
        return unsafe unsafeBitCast(bits, to: SIMD4<Float>.self) - SIMD4<Float>(repeating: 12_582_912)
    }

    /// Stores four values at an index checked by the caller.
    @unsafe
    @inline(__always)
    private static func store(_ values: SIMD4<Float>, into target: inout MutableSpan<Float>, at index: Int) {
        // One store of the vector: four stores of lanes would split the operations before it.
        var bytes = unsafe target.mutableBytes
        unsafe bytes.storeBytes(of: values, toUncheckedByteOffset: 4 &* index, as: SIMD4<Float>.self)
    }
}
