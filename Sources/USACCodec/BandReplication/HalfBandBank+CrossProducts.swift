// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Products of two half-bands one pitch apart, which the harmonic transposer adds (ISO/IEC 23003-3, 7.5.4).
extension HalfBandBank {
    struct CrossProducts {
        /// The stretch factor T.
        var stretch: Int
        var pitch: Float
        /// The rotation per step, in half turns.
        var angle: Double
    }

    /// Adds products of two half-bands that are one pitch apart.
    mutating func addCrossProducts(
        _ products: CrossProducts, bands: Range<Int>, into real: inout MutableSpan<Float>, _ imaginary: inout MutableSpan<Float>,
        at target: Int
    ) {
        let middle = Self.slotCount / 2
        let stretch = products.stretch
        for band in bands {
            var best: (low: Int, high: Int, step: Int)?
            let own = (stretch == 2 ? band : stretch == 3 ? 2 * band / 3 : band / 2) - 2 * firstBand
            var largest = Self.energy(self[Kind.plain, own, middle])
            var found: Float = -1
            for step in 1..<stretch {
                let position = (Float(2 * band + 1) - Float(step) * products.pitch) / Float(stretch)
                let low = Int(position.rounded(.down)) - 2 * firstBand
                let high = Int((position + products.pitch).rounded(.down)) - 2 * firstBand
                guard low >= 0, high < bandCount else { continue }
                let value = min(Self.energy(self[Kind.plain, low, middle]), Self.energy(self[Kind.plain, high, middle]))
                if value > found {
                    found = value
                    best = (low, high, step)
                }
            }
            guard let best, found > largest else { continue }
            largest = found
            addProduct(products, band, best.low, best.high, best.step, into: &real, &imaginary, at: target + band)
        }
    }

    private func addProduct(
        _ products: CrossProducts, _ band: Int, _ low: Int, _ high: Int, _ step: Int, into real: inout MutableSpan<Float>,
        _ imaginary: inout MutableSpan<Float>, at target: Int
    ) {
        let middle = Self.slotCount / 2
        let stretch = products.stretch
        // The half-band with more steps is the centre.
        let isLowCenter = 2 * step <= stretch
        let (center, side) = isLowCenter ? (low, high) : (high, low)
        let centerPower = stretch == 4 && step == 2 ? 2 : stretch - 1
        let sidePower = stretch - centerPower
        let early: SIMD2<Float> =
            switch (stretch, step) {
            case (3, _): interpolated(side, slot: middle - 1)
            case (4, 1), (4, 3): self[Kind.plain, side, middle - 2]
            default: self[Kind.plain, side, middle - 1]
            }
        let steps = stretch == 4 && step == 2 ? 2 : (isLowCenter ? 1 : -1) * (stretch - 1)
        let gain: Float = stretch == 2 ? 5.0 / 3 : stretch == 3 ? 1.885_618_1 : 2
        let factor = Self.power(Self.root(self[Kind.plain, center, middle], stretch), centerPower) * gain
        let turn = Double(steps) * products.angle
        let rotation = SIMD2(Float(CircularFunctions.cosinePi(turn)), Float(CircularFunctions.sinePi(turn)))
        let first = Self.product(Self.power(Self.root(early, stretch), sidePower), factor)
        Self.add(Self.product(first, rotation), &real, &imaginary, target)
        let second = Self.power(Self.root(self[Kind.plain, side, middle], stretch), sidePower)
        Self.add(Self.product(second, factor), &real, &imaginary, target + 64)
    }

    /// Returns |z|².
    private static func energy(_ value: SIMD2<Float>) -> Float { value.x * value.x + value.y * value.y }
}
