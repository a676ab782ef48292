// SPDX-License-Identifier: Apache-2.0

/// Power tables for inverse quantization (ISO/IEC 14496-3:2009, 4.6.1.3 and 4.6.2.3.3).
@usableFromInline package struct DequantizationTables: ~Copyable {
    /// sign(q) |q|^(4/3) for q from -1024 to 1023, at index q + 1024.
    ///
    /// Larger magnitudes are rare and computed.
    package let powers = sharedPowers

    /// The index of q = 0 in ``powers``.
    @inlinable package static var powerOffset: Int { 1024 }

    /// 2^(g/4) for g from -256 to 255, at index g + 256.
    package private(set) var gains = FixedArray<Float>(repeating: 0, count: 2 * gainOffset)

    /// The index of gain 2^0 in ``gains``.
    @inlinable package static var gainOffset: Int { 256 }

    /// The scale factor for gain 1 (`SF_OFFSET`).
    @inlinable package static var scaleFactorOffset: Int { 100 }

    /// ``powers``, computed once for all decoders.
    package static let sharedPowers: ContiguousArray<Float> = {
        var powers = ContiguousArray<Float>(repeating: 0, count: 2 * powerOffset)
        for magnitude in 1...powerOffset {
            let power = power(magnitude)
            powers[powerOffset - magnitude] = -power
            if magnitude < powerOffset { powers[powerOffset + magnitude] = power }
        }
        return powers
    }()

    /// Computes the gains.
    package init() {
        for index in gains.indices {
            let exponent = index - Self.gainOffset
            let whole = exponent >> 2
            let quarter = [1, 1.1892071150027210667, 1.4142135623730950488, 1.6817928305074290861][exponent & 3]
            gains[index] = Float(Double(sign: .plus, exponent: whole, significand: quarter))
        }
    }

    /// Returns sign(q) |q|^(4/3) of a quantized value.
    ///
    /// - Parameter powers: ``powers``.
    @inlinable @inline(__always)
    package static func power(_ quantized: Int16, _ powers: Span<Float>) -> Float {
        let index = Int(quantized) &+ powerOffset
        if index >= 0 && index < powers.count { return powers[index] }
        let power = power(Int(quantized.magnitude))
        return quantized < 0 ? -power : power
    }

    /// Returns the power 4/3 of a magnitude from 1 to 8191.
    ///
    /// The cube root is computed with Newton's method.
    @usableFromInline package static func power(_ magnitude: Int) -> Float {
        let value = Double(magnitude)
        // The initial value is within a factor of 2 of the root: 2^(floor(log2) / 3).
        let octave = Int.bitWidth - 1 - magnitude.leadingZeroBitCount
        var root = Double(1 << (octave / 3))
        for _ in 0..<7 {
            root = (2 * root + value / (root * root)) / 3
        }
        return Float(value * root)
    }
}
