// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// Integer samples in bytes, and left-aligned in 32-bit integers for libsndfile.
extension SampleEncoding {
    /// Unpacks integer samples to left-aligned 32-bit integers.
    ///
    /// - Parameters:
    ///   - bytes: Complete samples in this encoding, which must be an integer one.
    ///   - integers: The array whose first elements are replaced. It grows as needed.
    func unpack(_ bytes: RawSpan, into integers: inout [Int32]) {
        let count = bytes.byteCount / byteCount
        if integers.count < count { integers = [Int32](repeating: 0, count: count) }
        integers.withUnsafeMutableBufferPointer { target in
            func each(_ body: (Int) -> UInt32) { for index in 0..<count { target[index] = Int32(bitPattern: body(index)) } }
            func byte(_ index: Int) -> UInt32 {
                UInt32(unsafe bytes.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self))
            }
            switch self {
            case .unsigned8: each { (byte($0) ^ 0x80) << 24 }
            case .signed8: each { byte($0) << 24 }
            case .int16: each { byte(2 * $0) << 16 | byte(2 * $0 + 1) << 24 }
            case .int16BigEndian: each { byte(2 * $0 + 1) << 16 | byte(2 * $0) << 24 }
            case .int24: each { byte(3 * $0) << 8 | byte(3 * $0 + 1) << 16 | byte(3 * $0 + 2) << 24 }
            case .int24BigEndian: each { byte(3 * $0 + 2) << 8 | byte(3 * $0 + 1) << 16 | byte(3 * $0) << 24 }
            case .int32: each { byte(4 * $0) | byte(4 * $0 + 1) << 8 | byte(4 * $0 + 2) << 16 | byte(4 * $0 + 3) << 24 }
            case .int32BigEndian: each { byte(4 * $0 + 3) | byte(4 * $0 + 2) << 8 | byte(4 * $0 + 1) << 16 | byte(4 * $0) << 24 }
            default: preconditionFailure("not an integer encoding")
            }
        }
    }

    /// Packs left-aligned integers in this encoding, which must be a little-endian integer one.
    ///
    /// Truncates low-order bits.
    ///
    /// - Parameter bytes: The bytes to replace, of exactly the required size.
    func pack(_ integers: ArraySlice<Int32>, into bytes: inout [UInt8]) {
        precondition(bytes.count == integers.count * byteCount && !isBigEndian && !isFloat)
        bytes.withUnsafeMutableBytes { target in
            integers.withUnsafeBufferPointer { source in
                switch self {
                case .unsigned8:
                    for index in source.indices { target[index] = UInt8(truncatingIfNeeded: source[index] >> 24) ^ 0x80 }
                case .signed8: for index in source.indices { target[index] = UInt8(truncatingIfNeeded: source[index] >> 24) }
                case .int16:
                    for index in source.indices {
                        target.storeBytes(
                            of: Int16(truncatingIfNeeded: source[index] >> 16).littleEndian, toByteOffset: 2 * index, as: Int16.self)
                    }
                case .int24:
                    for index in source.indices {
                        target[3 * index] = UInt8(truncatingIfNeeded: source[index] >> 8)
                        target[3 * index + 1] = UInt8(truncatingIfNeeded: source[index] >> 16)
                        target[3 * index + 2] = UInt8(truncatingIfNeeded: source[index] >> 24)
                    }
                default:
                    for index in source.indices {
                        target.storeBytes(of: source[index].littleEndian, toByteOffset: 4 * index, as: Int32.self)
                    }
                }
            }
        }
    }

    /// Returns samples of this encoding, which must be 64-bit floating point.
    func doubles(_ bytes: [UInt8]) -> [Double] {
        bytes.withUnsafeBytes { source in
            (0..<source.count / 8).map { index in
                let bits = source.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)
                return Double(bitPattern: isBigEndian ? UInt64(bigEndian: bits) : UInt64(littleEndian: bits))
            }
        }
    }

    /// Replaces `bytes` with the interleaved frames of a buffer, rounded as in ``/AudioPrimitives/SampleRounding``.
    package func encode(_ buffer: PCMBuffer, into bytes: inout [UInt8]) {
        let count = buffer.frameCount * buffer.channelCount * byteCount
        if bytes.count > count { bytes.removeLast(bytes.count - count) }
        if bytes.count < count { bytes.append(contentsOf: repeatElement(0, count: count - bytes.count)) }
        encode(buffer, into: &bytes, at: 0)
    }

    /// Writes the interleaved frames of a buffer, rounded as in ``/AudioPrimitives/SampleRounding``.
    ///
    /// - Parameters:
    ///   - bytes: The target, which must be large enough.
    ///   - start: The offset of the first byte to write.
    func encode(_ buffer: PCMBuffer, into bytes: inout [UInt8], at start: Int) {
        guard let sampleFormat else {
            let flip: UInt8 = self == .unsigned8 ? 0x80 : 0
            buffer.forEachInterleaved {
                bytes[start + $0] = UInt8(truncatingIfNeeded: SampleRounding.integer($1, bitCount: 8)) ^ flip
            }
            return
        }
        sampleFormat.encode(buffer, into: &bytes, at: start)
        guard isBigEndian else { return }
        let end = start + buffer.frameCount * buffer.channelCount * byteCount
        for first in stride(from: start, to: end, by: byteCount) { bytes[first..<first + byteCount].reverse() }
    }

    /// Swaps the byte order of complete samples.
    func reverseBytes(of bytes: inout [UInt8]) {
        let byteCount = byteCount
        bytes.withUnsafeMutableBufferPointer { bytes in
            for first in stride(from: 0, to: bytes.count, by: byteCount) {
                for index in 0..<byteCount / 2 { bytes.swapAt(first + index, first + byteCount - 1 - index) }
            }
        }
    }
}
