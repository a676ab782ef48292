// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The samples of one channel in memory, in the encoding of a stream.
@unsafe
struct ChannelBytes {
    /// The encoding of a sample.
    var encoding: SampleEncoding
    /// The first sample.
    var base: UnsafeMutableRawPointer
    /// The distance between samples in bytes.
    var stride: Int
    /// The number of samples.
    var count: Int

    /// Reads all samples; integers of up to 24 bits are exact in either type, those of 32 bits in `Double`.
    @unsafe
    func read<Sample: WorkingSample>(into target: UnsafeMutablePointer<Sample>) {
        let scale8: Sample = 1 / 128
        let scale16: Sample = 1 / 32_768
        let scale32: Sample = 1 / 2_147_483_648
        switch unsafe encoding {
        case .unsigned8: unsafe load(target) { unsafe Sample(integer: Int32($0.loadUnaligned(as: UInt8.self)) - 128) * scale8 }
        case .signed8: unsafe load(target) { unsafe Sample(integer: Int32($0.loadUnaligned(as: Int8.self))) * scale8 }
        case .int16:
            unsafe load(target) { unsafe Sample(integer: Int32(Int16(littleEndian: $0.loadUnaligned(as: Int16.self)))) * scale16 }
        case .int16BigEndian:
            unsafe load(target) { unsafe Sample(integer: Int32(Int16(bigEndian: $0.loadUnaligned(as: Int16.self)))) * scale16 }
        case .int24:
            unsafe loadWords(target) { Sample(integer: Int32(bitPattern: UInt32(littleEndian: $0) << 8)) * scale32 }
        case .int24BigEndian:
            unsafe loadWords(target) { Sample(integer: Int32(bitPattern: UInt32(bigEndian: $0) & 0xFFFF_FF00)) * scale32 }
        case .int32: unsafe load(target) { unsafe Sample(integer: Int32(littleEndian: $0.loadUnaligned(as: Int32.self))) * scale32 }
        case .int32BigEndian: unsafe load(target) { unsafe Sample(integer: Int32(bigEndian: $0.loadUnaligned(as: Int32.self))) * scale32 }
        case .float32:
            unsafe load(target) { unsafe Sample(single: Float(bitPattern: UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)))) }
        case .float32BigEndian:
            unsafe load(target) { unsafe Sample(single: Float(bitPattern: UInt32(bigEndian: $0.loadUnaligned(as: UInt32.self)))) }
        case .float64:
            unsafe load(target) { unsafe Sample(double: Double(bitPattern: UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)))) }
        case .float64BigEndian:
            unsafe load(target) { unsafe Sample(double: Double(bitPattern: UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)))) }
        }
    }

    /// Writes all samples: integers rounded as `SampleRounding` says, floating point not clipped.
    @unsafe
    func write<Sample: WorkingSample>(_ source: UnsafePointer<Sample>) {
        switch unsafe encoding {
        case .unsigned8:
            unsafe store(source) { unsafe $1.storeBytes(of: UInt8(truncatingIfNeeded: $0.short(bitCount: 8) ^ 0x80), as: UInt8.self) }
        case .signed8: unsafe store(source) { unsafe $1.storeBytes(of: Int8(truncatingIfNeeded: $0.short(bitCount: 8)), as: Int8.self) }
        case .int16: unsafe store16(source) { UInt16(truncatingIfNeeded: $0).littleEndian }
        case .int16BigEndian: unsafe store16(source) { UInt16(truncatingIfNeeded: $0).bigEndian }
        case .int24: unsafe store(source) { unsafe Self.store24($0.long(bitCount: 24), at: $1, first: 0, last: 2) }
        case .int24BigEndian: unsafe store(source) { unsafe Self.store24($0.long(bitCount: 24), at: $1, first: 2, last: 0) }
        case .int32: unsafe store(source) { unsafe $1.storeBytes(of: $0.long(bitCount: 32).littleEndian, as: Int32.self) }
        case .int32BigEndian: unsafe store(source) { unsafe $1.storeBytes(of: $0.long(bitCount: 32).bigEndian, as: Int32.self) }
        case .float32: unsafe store(source) { unsafe $1.storeBytes(of: $0.single.bitPattern.littleEndian, as: UInt32.self) }
        case .float32BigEndian: unsafe store(source) { unsafe $1.storeBytes(of: $0.single.bitPattern.bigEndian, as: UInt32.self) }
        case .float64: unsafe store(source) { unsafe $1.storeBytes(of: $0.double.bitPattern.littleEndian, as: UInt64.self) }
        case .float64BigEndian: unsafe store(source) { unsafe $1.storeBytes(of: $0.double.bitPattern.bigEndian, as: UInt64.self) }
        }
    }

    /// Calls a closure with each sample's address; the usual distances are constants, so that the compiler vectorises their loops.
    @inline(__always)
    private func load<Sample>(_ target: UnsafeMutablePointer<Sample>, _ body: (UnsafeRawPointer) -> Sample) {
        let source = unsafe UnsafeRawPointer(base)
        let size = unsafe encoding.byteCount
        let (count, stride) = unsafe (count, stride)
        switch stride {
        case size: for index in 0..<count { unsafe target[index] = body(source + index &* size) }
        case 2 * size: for index in 0..<count { unsafe target[index] = body(source + index &* (2 &* size)) }
        default: for index in 0..<count { unsafe target[index] = body(source + index &* stride) }
        }
    }

    /// Calls a closure with each sample and its destination.
    @inline(__always)
    private func store<Sample>(_ source: UnsafePointer<Sample>, _ body: (Sample, UnsafeMutableRawPointer) -> Void) {
        let size = unsafe encoding.byteCount
        let (count, stride) = unsafe (count, stride)
        switch stride {
        case size: for index in 0..<count { unsafe body(source[index], base + index &* size) }
        case 2 * size: for index in 0..<count { unsafe body(source[index], base + index &* (2 &* size)) }
        default: for index in 0..<count { unsafe body(source[index], base + index &* stride) }
        }
    }

    /// Calls a closure with the four bytes at each sample's address; after the last sample there may be none, so that its fourth is 0.
    @inline(__always)
    @unsafe
    private func loadWords<Sample>(_ target: UnsafeMutablePointer<Sample>, _ body: (UInt32) -> Sample) {
        guard unsafe count > 0 else { return }
        let source = unsafe UnsafeRawPointer(base)
        let (last, stride) = unsafe (count - 1, stride)
        for index in 0..<last { unsafe target[index] = body((source + index &* stride).loadUnaligned(as: UInt32.self)) }
        let bytes = unsafe source + last * stride
        let tail = (0..<3).map { unsafe UInt32(bytes.loadUnaligned(fromByteOffset: $0, as: UInt8.self)) }
        unsafe target[last] = body((tail[0] | tail[1] << 8 | tail[2] << 16).littleEndian)
    }

    /// Stores integers of 16 bits; interleaved ones in two steps, so that the first is vectorised.
    @inline(__always)
    @unsafe
    private func store16<Sample: WorkingSample>(_ source: UnsafePointer<Sample>, _ order: (Int32) -> UInt16) {
        guard unsafe stride > 2 else {
            return unsafe store(source) { unsafe $1.storeBytes(of: order($0.short(bitCount: 16)), as: UInt16.self) }
        }
        let (base, count, stride) = unsafe (base, count, stride)
        let blockLength = 64
        unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: blockLength) { block in
            for first in Swift.stride(from: 0, to: count, by: blockLength) {
                let length = min(blockLength, count - first)
                for index in 0..<length { unsafe block[index] = source[first &+ index].short(bitCount: 16) }
                for index in 0..<length {
                    unsafe (base + (first &+ index) &* stride).storeBytes(of: order(block[index]), as: UInt16.self)
                }
            }
        }
    }

    /// Stores an integer of 24 bits.
    @inline(__always)
    private static func store24(_ value: Int32, at target: UnsafeMutableRawPointer, first: Int, last: Int) {
        unsafe target.storeBytes(of: UInt8(truncatingIfNeeded: value), toByteOffset: first, as: UInt8.self)
        unsafe target.storeBytes(of: UInt8(truncatingIfNeeded: value >> 8), toByteOffset: 1, as: UInt8.self)
        unsafe target.storeBytes(of: UInt8(truncatingIfNeeded: value >> 16), toByteOffset: last, as: UInt8.self)
    }
}
