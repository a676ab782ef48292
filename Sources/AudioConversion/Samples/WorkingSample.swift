// SPDX-License-Identifier: Apache-2.0

/// The type of a sample within a converter: `Float` where 24 bits suffice, else `Double`, which holds all integers of 32 bits.
protocol WorkingSample: BinaryFloatingPoint, Sendable {
    /// Creates a sample from an integer, rounded if it has more bits than the type.
    init(integer: Int32)
    /// Creates a sample from single precision.
    init(single: Float)
    /// Creates a sample from double precision.
    init(double: Double)
    /// The sample in single precision.
    var single: Float { get }
    /// The sample in double precision.
    var double: Double { get }
    /// The sample as an integer of at most 16 bits; full scale is ±1.
    ///
    /// - Parameter bitCount: 8 or 16.
    func short(bitCount: Int) -> Int32
}

extension WorkingSample {
    /// The sample as an integer of 24 or 32 bits; full scale is ±1.
    func long(bitCount: Int) -> Int32 { double.rounded(bitCount: bitCount) }
}

extension Float: WorkingSample {
    /// Creates a sample from an integer, rounded to 24 bits.
    init(integer: Int32) { self.init(integer) }
    /// Creates a sample from single precision.
    init(single: Float) { self = single }
    /// Creates a sample from double precision.
    init(double: Double) { self.init(double) }
    /// The sample itself.
    var single: Float { self }
    /// The sample in double precision.
    var double: Double { Double(self) }

    /// The sample as an integer of at most 16 bits.
    func short(bitCount: Int) -> Int32 {
        let scale = Float(1 << (bitCount - 1))
        let number = self == self ? self * scale : 0
        let low = number > -scale ? number : -scale
        // Adding 1.5 · 2^23 leaves the rounded integer in the low bits.
        let bits = ((low < scale - 1 ? low : scale - 1) + 12_582_912).bitPattern
        return Int32(bitPattern: bits &- Float(12_582_912).bitPattern)
    }
}

extension Double: WorkingSample {
    /// Creates a sample from an integer.
    init(integer: Int32) { self.init(integer) }
    /// Creates a sample from single precision.
    init(single: Float) { self.init(single) }
    /// Creates a sample from double precision.
    init(double: Double) { self = double }
    /// The sample in single precision.
    var single: Float { Float(self) }
    /// The sample itself.
    var double: Double { self }

    /// The sample as an integer of at most 16 bits.
    func short(bitCount: Int) -> Int32 { rounded(bitCount: bitCount) }

    /// The sample as an integer, rounded and clipped as `SampleRounding` does; here, so that it is inlined in the loops of this module.
    fileprivate func rounded(bitCount: Int) -> Int32 {
        let scale = Double(1 << (bitCount - 1))
        let number = self == self ? self * scale : 0
        let low = number > -scale ? number : -scale
        // Adding 1.5 · 2^52 leaves the rounded integer in the low bits.
        return Int32(truncatingIfNeeded: Int64(bitPattern: ((low < scale - 1 ? low : scale - 1) + 6_755_399_441_055_744).bitPattern))
    }
}
