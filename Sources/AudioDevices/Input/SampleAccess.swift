// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

extension UnsafeRawBufferPointer {
    /// Returns the sample at `index` as floating point, full scale ±1; samples are little-endian.
    @inline(__always)
    func sample(at index: Int, as format: SampleFormat) -> Float {
        switch format {
        case .int16: Float(loadUnaligned(fromByteOffset: index * 2, as: Int16.self)) * (1 / 32768)
        case .int24: Float(int24(at: index)) * (1 / 8_388_608)
        case .int32: Float(loadUnaligned(fromByteOffset: index * 4, as: Int32.self)) * (1 / 2_147_483_648)
        case .float32: loadUnaligned(fromByteOffset: index * 4, as: Float.self)
        case .float64: Float(loadUnaligned(fromByteOffset: index * 8, as: Double.self))
        }
    }

    /// Returns the packed 24-bit sample at `index`.
    private func int24(at index: Int) -> Int32 {
        let low = UInt32(self[index * 3]) | UInt32(self[index * 3 + 1]) << 8
        return Int32(bitPattern: (low | UInt32(self[index * 3 + 2]) << 16) << 8) >> 8
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Stores a floating-point value as the sample at `index`; integer formats round to nearest, ties away from zero, and clip.
    @inline(__always)
    func store(_ value: Float, at index: Int, as format: SampleFormat) {
        switch format {
        case .int16: storeBytes(of: Int16(scaled(value, 32768)), toByteOffset: index * 2, as: Int16.self)
        case .int24:
            let bits = UInt32(bitPattern: Int32(scaled(value, 8_388_608)))
            self[index * 3] = UInt8(truncatingIfNeeded: bits)
            self[index * 3 + 1] = UInt8(truncatingIfNeeded: bits >> 8)
            self[index * 3 + 2] = UInt8(truncatingIfNeeded: bits >> 16)
        case .int32: storeBytes(of: Int32(scaled(value, 2_147_483_648)), toByteOffset: index * 4, as: Int32.self)
        case .float32: storeBytes(of: value, toByteOffset: index * 4, as: Float.self)
        case .float64: storeBytes(of: Double(value), toByteOffset: index * 8, as: Double.self)
        }
    }

    /// Returns `value` in units of an integer format with the given full scale, rounded and clipped; 0 for NaN.
    private func scaled(_ value: Float, _ fullScale: Double) -> Double {
        guard value == value else { return 0 }
        return Swift.min(Swift.max((Double(value) * fullScale).rounded(), -fullScale), fullScale - 1)
    }
}
