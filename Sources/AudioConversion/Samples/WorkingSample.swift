// SPDX-License-Identifier: Apache-2.0

/// The sample type inside a converter: `Float` if 24 bits suffice, otherwise `Double`, which represents 32-bit integers exactly.
protocol WorkingSample: BinaryFloatingPoint, Sendable {
    /// Creates a sample from an integer, rounded to the precision of the type.
    init(integer: Int32)
    init(single: Float)
    init(double: Double)
    var single: Float { get }
    var double: Double { get }
    /// Returns the sample as an integer of at most 16 bits; full scale is ±1.
    ///
    /// - Parameter bitCount: 8 or 16.
    func short(bitCount: Int) -> Int32
}

extension WorkingSample {
    /// Returns the sample as a 24-bit or 32-bit integer; full scale is ±1.
    func long(bitCount: Int) -> Int32 { double.rounded(bitCount: bitCount) }
}

extension Float: WorkingSample {
    init(integer: Int32) { self.init(integer) }
    init(single: Float) { self = single }
    init(double: Double) { self.init(double) }
    var single: Float { self }
    var double: Double { Double(self) }

    func short(bitCount: Int) -> Int32 {
        let scale = Float(1 << (bitCount - 1))
        let number = self == self ? self * scale : 0
        let low = number > -scale ? number : -scale
        // Adding 1.5 · 2^23 moves the rounded integer to the low bits.
        let bits = ((low < scale - 1 ? low : scale - 1) + 12_582_912).bitPattern
        return Int32(bitPattern: bits &- Float(12_582_912).bitPattern)
    }
}

extension Double: WorkingSample {
    init(integer: Int32) { self.init(integer) }
    init(single: Float) { self.init(single) }
    init(double: Double) { self = double }
    var single: Float { Float(self) }
    var double: Double { self }

    func short(bitCount: Int) -> Int32 { rounded(bitCount: bitCount) }

    /// Returns the sample as an integer, rounded and clipped as in `SampleRounding`.
    ///
    /// Defined here to be inlined into this module's loops.
    fileprivate func rounded(bitCount: Int) -> Int32 {
        let scale = Double(Int64(1) << Int64(bitCount - 1))
        let number = self == self ? self * scale : 0
        let low = number > -scale ? number : -scale
        // Adding 1.5 · 2^52 moves the rounded integer to the low bits.
        return Int32(truncatingIfNeeded: Int64(bitPattern: ((low < scale - 1 ? low : scale - 1) + 6_755_399_441_055_744).bitPattern))
    }
}
