// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

// The samples of one channel in memory, in the encoding of a stream.

extension SampleEncoding {
    /// Reads the samples of a channel.
    ///
    /// Integers up to 24 bits are exact in either type, 32-bit ones in `Double`.
    ///
    /// - Parameters:
    ///   - bytes: The memory, starting at the first sample.
    ///   - stride: The distance between samples, in bytes.
    func load<Sample: WorkingSample>(_ bytes: RawSpan, stride: Int, into plane: inout MutableSpan<Sample>) {
        let scale8: Sample = 1 / 128
        let scale16: Sample = 1 / 32_768
        let scale32: Sample = 1 / 2_147_483_648
        switch self {
        case .unsigned8: plane.load(bytes, UInt8.self, stride) { Sample(integer: Int32($0) - 128) * scale8 }
        case .signed8: plane.load(bytes, Int8.self, stride) { Sample(integer: Int32($0)) * scale8 }
        case .int16: plane.load(bytes, Int16.self, stride) { Sample(integer: Int32(Int16(littleEndian: $0))) * scale16 }
        case .int16BigEndian: plane.load(bytes, Int16.self, stride) { Sample(integer: Int32(Int16(bigEndian: $0))) * scale16 }
        case .int24:
            plane.loadWords(bytes, stride) { Sample(integer: Int32(bitPattern: UInt32(littleEndian: $0) << 8)) * scale32 }
        case .int24BigEndian:
            plane.loadWords(bytes, stride) { Sample(integer: Int32(bitPattern: UInt32(bigEndian: $0) & 0xFFFF_FF00)) * scale32 }
        case .int32: plane.load(bytes, Int32.self, stride) { Sample(integer: Int32(littleEndian: $0)) * scale32 }
        case .int32BigEndian: plane.load(bytes, Int32.self, stride) { Sample(integer: Int32(bigEndian: $0)) * scale32 }
        case .float32: plane.load(bytes, UInt32.self, stride) { Sample(single: Float(bitPattern: UInt32(littleEndian: $0))) }
        case .float32BigEndian: plane.load(bytes, UInt32.self, stride) { Sample(single: Float(bitPattern: UInt32(bigEndian: $0))) }
        case .float64: plane.load(bytes, UInt64.self, stride) { Sample(double: Double(bitPattern: UInt64(littleEndian: $0))) }
        case .float64BigEndian: plane.load(bytes, UInt64.self, stride) { Sample(double: Double(bitPattern: UInt64(bigEndian: $0))) }
        }
    }

    /// Writes the samples of a channel.
    ///
    /// Integers are rounded as in `SampleRounding`; floating point is not clipped.
    ///
    /// - Parameters:
    ///   - stride: The distance between samples, in bytes. Must be 3 for 24 bits; ``PackedBytes24`` writes interleaved ones.
    ///   - bytes: The memory, starting at the first sample.
    func store<Sample: WorkingSample>(_ plane: Span<Sample>, stride: Int, into bytes: inout MutableRawSpan) {
        switch self {
        case .unsigned8: bytes.store(plane, stride) { UInt8(truncatingIfNeeded: $0.short(bitCount: 8) ^ 0x80) }
        case .signed8: bytes.store(plane, stride) { Int8(truncatingIfNeeded: $0.short(bitCount: 8)) }
        case .int16: bytes.store16(plane, stride) { UInt16(truncatingIfNeeded: $0).littleEndian }
        case .int16BigEndian: bytes.store16(plane, stride) { UInt16(truncatingIfNeeded: $0).bigEndian }
        case .int24, .int24BigEndian:
            precondition(stride == byteCount, "interleaved samples of 24 bits are written together")
            PackedBytes24.write(
                plane, planeLength: 0, frameCount: plane.count, channelCount: 1, into: &bytes, isBigEndian: isBigEndian)
        case .int32: bytes.store(plane, stride) { $0.long(bitCount: 32).littleEndian }
        case .int32BigEndian: bytes.store(plane, stride) { $0.long(bitCount: 32).bigEndian }
        case .float32: bytes.store(plane, stride) { $0.single.bitPattern.littleEndian }
        case .float32BigEndian: bytes.store(plane, stride) { $0.single.bitPattern.bigEndian }
        case .float64: bytes.store(plane, stride) { $0.double.bitPattern.littleEndian }
        case .float64BigEndian: bytes.store(plane, stride) { $0.double.bitPattern.bigEndian }
        }
    }
}

// One check covers all samples of a loop, so unchecked accesses cannot leave the spans. A local span stays in registers. The fields of the
// caller's span could alias the memory that the loop writes.

extension MutableSpan where Element: ~Copyable {
    /// Calls `body` with each element and the element of `source` at the same index.
    @inline(__always)
    mutating func update<Other>(with source: Span<Other>, _ body: (inout Element, Other) -> Void) {
        precondition(source.count == count)
        var elements = _mutatingExtracting(0..<count)
        for index in 0..<source.count { unsafe body(&elements[unchecked: index], source[unchecked: index]) }
    }
}

extension MutableSpan where Element: WorkingSample {
    /// Reads samples with a closure.
    ///
    /// The common strides are constants, so that the compiler vectorizes their loops.
    @inline(__always)
    fileprivate mutating func load<Word: BitwiseCopyable>(_ bytes: RawSpan, _ type: Word.Type, _ stride: Int, _ body: (Word) -> Element) {
        let size = MemoryLayout<Word>.size
        precondition(count == 0 || (count - 1) * stride + size <= bytes.byteCount)
        /// Reads samples at a constant distance.
        @inline(__always)
        func loop(_ all: inout MutableSpan<Element>, _ step: Int) {
            var plane = all._mutatingExtracting(0..<all.count)
            for index in 0..<plane.count {
                unsafe plane[unchecked: index] = body(bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index &* step, as: type))
            }
        }
        switch stride {
        case size: loop(&self, size)
        case 2 * size: loop(&self, 2 &* size)
        default: loop(&self, stride)
        }
    }

    /// Reads 24-bit samples with a closure that gets four bytes each.
    ///
    /// The fourth byte of the last sample may not exist and is 0.
    @inline(__always)
    fileprivate mutating func loadWords(_ bytes: RawSpan, _ stride: Int, _ body: (UInt32) -> Element) {
        guard count > 0 else { return }
        let last = (count - 1) * stride
        var others = _mutatingExtracting(..<(count - 1))
        others.load(bytes, UInt32.self, stride, body)
        let tail = (0..<3).map { unsafe UInt32(bytes.unsafeLoad(fromByteOffset: last + $0, as: UInt8.self)) << UInt32(8 * $0) }
        self[count - 1] = body((tail[0] | tail[1] | tail[2]).littleEndian)
    }
}

extension MutableRawSpan {
    /// Writes samples with a closure.
    ///
    /// The common strides are constants, so that the compiler vectorizes their loops.
    @inline(__always)
    fileprivate mutating func store<Sample, Word: BitwiseCopyable>(_ plane: Span<Sample>, _ stride: Int, _ body: (Sample) -> Word) {
        let size = MemoryLayout<Word>.size
        precondition(plane.isEmpty || (plane.count - 1) * stride + size <= byteCount)
        /// Writes samples at a constant distance.
        @inline(__always)
        func loop(_ all: inout MutableRawSpan, _ step: Int) {
            var bytes = all._mutatingExtracting(0..<all.byteCount)
            for index in 0..<plane.count {
                unsafe bytes.storeBytes(of: body(plane[unchecked: index]), toUncheckedByteOffset: index &* step, as: Word.self)
            }
        }
        switch stride {
        case size: loop(&self, size)
        case 2 * size: loop(&self, 2 &* size)
        default: loop(&self, stride)
        }
    }

    /// Writes 16-bit integers.
    ///
    /// Interleaved samples take two steps, so that the first step is vectorized.
    @inline(__always)
    fileprivate mutating func store16<Sample: WorkingSample>(_ plane: Span<Sample>, _ stride: Int, _ order: (Int32) -> UInt16) {
        guard stride > 2 else { return store(plane, stride) { order($0.short(bitCount: 16)) } }
        let blockLength = 64
        var integers = ContiguousArray<Int32>(repeating: 0, count: blockLength)
        for first in Swift.stride(from: 0, to: plane.count, by: blockLength) {
            let part = plane.extracting(first..<min(first + blockLength, plane.count))
            var all = integers.mutableSpan
            var block = all._mutatingExtracting(..<part.count)
            block.update(with: part) { $0 = $1.short(bitCount: 16) }
            var target = _mutatingExtracting((first * stride)...)
            target.store(block.span, stride, order)
        }
    }
}
