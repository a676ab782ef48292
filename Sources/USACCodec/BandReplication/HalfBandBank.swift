// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import TransformCoding

/// The two small filter banks of the harmonic transposer, and the windows of half-bands that it stretches (ISO/IEC 23003-3, 7.5.4).
struct HalfBandBank: ~Copyable {
    /// `M_S`: the subbands of synthesis, 4 to 20.
    private let synthesisCount: Int
    /// `L`: the half-bands of analysis.
    private let bandCount: Int
    /// `k_L`: the first subband.
    private let firstBand: Int
    /// The factors of the subbands before synthesis: cosines, then sines.
    private let phases: FixedArray<Float>
    /// The prototype filter of synthesis.
    private let synthesisWindow: FixedArray<Float>
    /// The cosines of synthesis: 2 M_S for each subband.
    private let cosines: FixedArray<Float>
    /// The prototype filter of analysis.
    private let analysisWindow: FixedArray<Float>
    /// The factors of analysis: real parts of L half-bands for each of 2 L folded samples, four in a vector.
    private let analysisReal: FixedArray<SIMD4<Float>>
    /// Imaginary parts, likewise.
    private let analysisImaginary: FixedArray<SIMD4<Float>>
    /// `V`.
    private var vector: FixedArray<Float>
    /// The synthesised samples: those of the analysis window and the newest that it does not reach, in order.
    private var samples: FixedArray<Float>
    /// The folded samples.
    private var folded: FixedArray<Float>
    /// The half-bands, and these with the roots that stretching needs: for each kind 13 time slots of 40 values, the oldest first.
    private var windows = FixedArray<SIMD2<Float>>(repeating: SIMD2(0, 0), count: Kind.count * kindStride)

    /// The time slots of a window.
    private static let slotCount = 13
    /// The values of a time slot.
    private static let slotStride = 40
    /// The values of a kind.
    private static let kindStride = slotCount * slotStride

    /// The kinds of values in the windows.
    private enum Kind {
        /// The half-bands.
        static let plain = 0
        /// With the roots for a stretch of 2.
        static let half = 1
        /// With the roots for a stretch of 3.
        static let third = 2
        /// Interpolated between the time slot and the one before, with the roots for a stretch of 3.
        static let thirdBetween = 3
        /// With the roots for a stretch of 4.
        static let quarter = 4
        /// The number of kinds.
        static let count = 5
    }

    /// `k_L` for each `kx`.
    private static let firstBands: [Int] = [
        0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 8, 8, 8, 8, 8, 10, 10, 10, 12, 12, 12, 12, 12, 12, 12,
    ]
    /// The gain of an interpolation, without that of its phases.
    private static let interpolationGain: Float = 0.398_403_343_7

    /// Makes silent filter banks for a `kx`.
    init(crossover: Int, coreBandCount: Int) {
        let count = min(4 * ((crossover + 4) / 8 + 1), 20)
        let table = Self.firstBands[min(max(crossover, 0), 32)]
        let first = coreBandCount < 32 ? max(0, min(table, coreBandCount - count)) : table
        let double = 2 * count
        synthesisCount = count
        bandCount = double
        firstBand = first
        phases = FixedArray(count: 2 * count) {
            let band = Double(first + $0 % count)
            let turn = 1 + Double(first) / 2 - (band + 0.5) * 65 / 128
            return Float($0 < count ? CircularFunctions.cosinePi(turn) : CircularFunctions.sinePi(turn))
        }
        synthesisWindow = FixedArray(count: 10 * count) { Float(QMFAnalysisOfAnySize.prototype($0, bandCount: count)) }
        cosines = FixedArray(count: 2 * count * count) {
            let (band, n) = ($0 / (2 * count), $0 % (2 * count))
            return Float(
                CircularFunctions.cosinePi((Double(band) + 0.5) * Double(2 * n - count) / Double(2 * count)) / Double(count))
        }
        analysisWindow = FixedArray(count: 10 * double) { Float(QMFAnalysisOfAnySize.prototype($0, bandCount: double)) }
        /// Returns the angle of a factor in half turns.
        func turn(_ index: Int) -> Double { (Double(index % double) + 0.5) * Double(index / double - double) / Double(double) }
        /// Returns four factors.
        func factors(_ index: Int, _ part: (Double) -> Double) -> SIMD4<Float> {
            SIMD4(
                Float(part(turn(4 * index))), Float(part(turn(4 * index + 1))), Float(part(turn(4 * index + 2))),
                Float(part(turn(4 * index + 3))))
        }
        analysisReal = FixedArray(count: double * double / 2) { factors($0, CircularFunctions.cosinePi) }
        analysisImaginary = FixedArray(count: double * double / 2) { factors($0, CircularFunctions.sinePi) }
        vector = FixedArray(repeating: 0, count: 20 * count)
        samples = FixedArray(repeating: 0, count: 10 * double + count)
        folded = FixedArray(repeating: 0, count: 2 * double)
    }

    // MARK: Filter banks

    /// Appends a time slot: two columns of 32 subbands.
    mutating func append(_ real: Span<Float>, _ imaginary: Span<Float>) {
        samples.copy(bandCount..<samples.count, to: 0)
        for column in 0..<2 {
            synthesize(
                real.extracting(32 * column..<32 * column + 32), imaginary.extracting(32 * column..<32 * column + 32),
                at: samples.count - bandCount + column * synthesisCount)
        }
        for kind in 0..<Kind.count {
            let start = kind * Self.kindStride
            windows.copy(start + Self.slotStride..<start + Self.kindStride, to: start)
        }
        analyze()
        setRoots()
    }

    /// Synthesises a column to samples.
    private mutating func synthesize(_ real: Span<Float>, _ imaginary: Span<Float>, at position: Int) {
        let count = synthesisCount
        vector.copy(0..<18 * count, to: 2 * count)
        for n in 0..<2 * count { vector[n] = 0 }
        for band in 0..<count where firstBand + band < 32 {
            let value = real[firstBand + band] * phases[band] + imaginary[firstBand + band] * phases[count + band]
            let factors = cosines.span.extracting(2 * count * band..<2 * count * (band + 1))
            var target = vector.mutableSpan
            for n in stride(from: 0, to: 2 * count, by: 4) {
                target.store(target.vector(at: n) + factors.vector(at: n) * SIMD4(repeating: value), at: n)
            }
        }
        for index in 0..<count {
            var sum: Float = 0
            for block in 0..<5 {
                sum += vector[4 * count * block + index] * synthesisWindow[2 * count * block + index]
                sum += vector[4 * count * block + 3 * count + index] * synthesisWindow[2 * count * block + count + index]
            }
            samples[position + index] = sum
        }
    }

    /// Analyses the newest samples to the newest time slot; the very newest ones come with the next.
    private mutating func analyze() {
        let last = samples.count - synthesisCount
        for index in 0..<2 * bandCount {
            var sum: Float = 0
            for block in stride(from: index, to: 10 * bandCount, by: 2 * bandCount) {
                sum += samples[last - block] * analysisWindow[block]
            }
            folded[index] = sum
        }
        let target = (Self.slotCount - 1) * Self.slotStride
        let (reals, imaginaries, samples) = (analysisReal.span, analysisImaginary.span, folded.span)
        let rows = bandCount / 4
        for row in 0..<rows {
            var (real, imaginary) = (SIMD4<Float>(repeating: 0), SIMD4<Float>(repeating: 0))
            for index in 0..<2 &* bandCount {
                let value = SIMD4(repeating: samples[index])
                real += reals[index &* rows &+ row] * value
                imaginary += imaginaries[index &* rows &+ row] * value
            }
            for lane in 0..<4 { windows[target + 4 * row + lane] = SIMD2(real[lane], imaginary[lane]) }
        }
    }

    /// Derives the values with roots of the newest time slot.
    private mutating func setRoots() {
        let newest = (Self.slotCount - 1) * Self.slotStride
        for band in 0..<bandCount {
            let value = windows[newest + band]
            windows[Kind.half * Self.kindStride + newest + band] = Self.root(value, 2)
            windows[Kind.third * Self.kindStride + newest + band] = Self.root(value, 3)
            windows[Kind.quarter * Self.kindStride + newest + band] = Self.root(value, 4)
            let between = interpolated(band, slot: Self.slotCount - 1)
            windows[Kind.thirdBetween * Self.kindStride + newest + band] = Self.root(between, 3)
        }
    }

    /// Returns a half-band halfway between a time slot and the one before.
    private func interpolated(_ band: Int, slot: Int) -> SIMD2<Float> {
        let (older, newer) = (self[Kind.plain, band, slot - 1], self[Kind.plain, band, slot])
        let quarter = (2 * firstBand + band + 1) & 3
        let phase = SIMD2<Float>(quarter == 0 || quarter == 1 ? 1 : -1, quarter == 0 || quarter == 3 ? 1 : -1)
        let sum = Self.product(SIMD2(phase.x, -phase.y), older) + Self.product(phase, newer)
        return sum * Self.interpolationGain
    }

    /// Returns z · |z|^(1 / T - 1).
    private static func root(_ value: SIMD2<Float>, _ stretch: Int) -> SIMD2<Float> {
        let energy = value.x * value.x + value.y * value.y + 1e-17
        switch stretch {
        case 2: return value * (1 / energy.squareRoot().squareRoot())
        case 3: return value * PortableMath.exp2(PortableMath.log2(energy) * (-1.0 / 3))
        default:
            let quarter = energy.squareRoot().squareRoot()
            return value * (1 / (quarter * quarter.squareRoot()))
        }
    }

    /// Returns a half-band of a time slot, 0 outside of the filter bank.
    @inline(__always)
    private subscript(kind: Int, band: Int, slot: Int) -> SIMD2<Float> {
        guard band >= 0 && band < bandCount else { return SIMD2(0, 0) }
        return windows[kind &* Self.kindStride &+ slot &* Self.slotStride &+ band]
    }

    /// Returns a · b.
    @inline(__always)
    private static func product(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> SIMD2<Float> {
        SIMD2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
    }

    /// Returns z to a power from 1 to 3.
    @inline(__always)
    private static func power(_ value: SIMD2<Float>, _ exponent: Int) -> SIMD2<Float> {
        exponent == 1 ? value : exponent == 2 ? product(value, value) : product(product(value, value), value)
    }

    // MARK: Stretching

    /// Adds the stretched window to the columns from an index of the output on.
    mutating func stretch(
        _ stretch: Int, bands: Range<Int>, into real: inout MutableSpan<Float>, _ imaginary: inout MutableSpan<Float>, at target: Int
    ) {
        let middle = Self.slotCount / 2
        for band in bands {
            switch stretch {
            case 2:
                let half = band - 2 * firstBand
                let center = self[Kind.half, half, middle] * (1.0 / 3)
                for slot in 1...10 {
                    Self.add(Self.product(self[Kind.half, half, slot], center), &real, &imaginary, target + 64 * slot + band)
                }
            case 3:
                stretchThird(band, into: &real, &imaginary, at: target + 64 * 2 + band)
            default:
                let half = band / 2 - 2 * firstBand
                let other = band & 1 == 0 ? half - 1 : half + 1
                let center = Self.power(self[Kind.quarter, half, middle], 3) * (2.0 / 3)
                for point in 0..<6 {
                    Self.add(
                        Self.product(self[Kind.quarter, other, 2 * point], center), &real, &imaginary, target + 64 * (3 + point) + band)
                }
            }
        }
    }

    /// Adds a window stretched by 3.
    private func stretchThird(
        _ band: Int, into real: inout MutableSpan<Float>, _ imaginary: inout MutableSpan<Float>, at target: Int
    ) {
        let half = 2 * band / 3 - 2 * firstBand
        let middle = Self.slotCount / 2
        let isDouble = 2 * band % 3 == 2
        let gain: Float = isDouble ? 0.235_702_26 : 0.471_404_52
        let center = Self.power(self[Kind.third, half, middle], 2) * gain
        let upper = isDouble ? Self.power(self[Kind.third, half + 1, middle], 2) * gain : SIMD2(0, 0)
        for point in 0..<8 {
            let kind = point & 1 == 0 ? Kind.third : Kind.thirdBetween
            // Points are one and a half time slots apart; an interpolated one is at the later of its two.
            let slot = point & 1 == 0 ? 3 * point / 2 : 3 * (point - 1) / 2 + 2
            var value: SIMD2<Float>
            if isDouble {
                value = Self.product(self[kind, half + 1, slot], center) + Self.product(self[kind, half, slot], upper)
            } else {
                value = Self.product(self[kind, half, slot], center)
            }
            Self.add(value, &real, &imaginary, target + 64 * point)
        }
    }

    /// Adds a complex number to the output.
    @inline(__always)
    private static func add(
        _ value: SIMD2<Float>, _ real: inout MutableSpan<Float>, _ imaginary: inout MutableSpan<Float>, _ index: Int
    ) {
        real[index] += value.x
        imaginary[index] += value.y
    }

    // MARK: Cross products

    /// The parameters of cross products.
    struct CrossProducts {
        /// T.
        var stretch: Int
        /// The pitch in half-bands.
        var pitch: Float
        /// The rotation of a step, in half turns.
        var angle: Double
    }

    /// Adds products of two half-bands that are a pitch apart.
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

    /// Adds the product of two half-bands.
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
    @inline(__always)
    private static func energy(_ value: SIMD2<Float>) -> Float { value.x * value.x + value.y * value.y }
}
