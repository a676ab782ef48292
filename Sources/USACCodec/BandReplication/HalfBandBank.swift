// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The harmonic transposer's two small filter banks, and the windows of half-bands that it stretches (ISO/IEC 23003-3, 7.5.4).
struct HalfBandBank: ~Copyable {
    /// `M_S`: the number of synthesis subbands, 4 to 20.
    private let synthesisCount: Int
    /// `L`: the number of analysis half-bands.
    let bandCount: Int
    /// `k_L`: the first subband.
    let firstBand: Int
    /// The phase factors of the subbands before synthesis: cosines, then sines.
    private let phases: FixedArray<Float>
    /// The synthesis prototype filter.
    private let synthesisWindow: FixedArray<Float>
    /// The synthesis cosines, 2 M_S per subband.
    private let cosines: FixedArray<Float>
    /// The analysis prototype filter.
    private let analysisWindow: FixedArray<Float>
    /// The real parts of the analysis factors of L half-bands, for each of 2 L folded samples, four per vector.
    private let analysisReal: FixedArray<SIMD4<Float>>
    /// The imaginary parts of the analysis factors, in the same order.
    private let analysisImaginary: FixedArray<SIMD4<Float>>
    /// `V`, the synthesis delay line.
    private var vector: FixedArray<Float>
    /// The synthesized samples in order: those in the analysis window, and newer ones.
    private var samples: FixedArray<Float>
    private var folded: FixedArray<Float>
    /// The real parts of the half-bands, plain and with the roots for stretching.
    ///
    /// Each kind has 26 time slots of 40 values. A window of 13 consecutive time slots moves through them, oldest first.
    private var windowReal = FixedArray<Float>(repeating: 0, count: Kind.count * kindStride)
    /// The imaginary parts, in the same order.
    private var windowImaginary = FixedArray<Float>(repeating: 0, count: Kind.count * kindStride)
    /// The first time slot of the window.
    private var oldest = 0
    /// The stretch factors that need roots, one bit each.
    private let stretches: UInt8

    /// The number of time slots per window.
    static let slotCount = 13
    /// The number of values per time slot.
    private static let slotStride = 40
    /// The number of values per kind.
    private static let kindStride = 2 * slotCount * slotStride

    enum Kind {
        static let plain = 0
        /// The half-bands with roots for stretch factor 2.
        static let half = 1
        /// The half-bands with roots for stretch factor 3.
        static let third = 2
        /// Half-bands interpolated between the previous and the current time slot, with roots for stretch factor 3.
        static let thirdBetween = 3
        /// The half-bands with roots for stretch factor 4.
        static let quarter = 4
        static let count = 5
    }

    /// `k_L` for each `kx`.
    private static let firstBands: [Int] = [
        0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 8, 8, 8, 8, 8, 10, 10, 10, 12, 12, 12, 12, 12, 12, 12,
    ]
    /// The gain of the interpolation, without the gain of its phases.
    private static let interpolationGain: Float = 0.398_403_343_7

    /// Creates silent filter banks for a `kx`.
    ///
    /// - Parameter stretches: The stretch factors in use, one bit each.
    init(crossover: Int, coreBandCount: Int, stretches: UInt8) {
        self.stretches = stretches
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
        synthesisWindow = FixedArray(count: 10 * count) { Float(GenericQMFAnalysis.prototype($0, bandCount: count)) }
        cosines = FixedArray(count: 2 * count * count) {
            let (band, n) = ($0 / (2 * count), $0 % (2 * count))
            return Float(
                CircularFunctions.cosinePi((Double(band) + 0.5) * Double(2 * n - count) / Double(2 * count)) / Double(count))
        }
        analysisWindow = FixedArray(count: 10 * double) { Float(GenericQMFAnalysis.prototype($0, bandCount: double)) }
        /// Returns the angle of a factor, in half turns.
        func turn(_ index: Int) -> Double { (Double(index % double) + 0.5) * Double(index / double - double) / Double(double) }
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

    /// Appends a time slot: two QMF slots of 32 subbands.
    mutating func append(_ real: Span<Float>, _ imaginary: Span<Float>) {
        samples.copy(bandCount..<samples.count, to: 0)
        for column in 0..<2 {
            synthesize(
                real.extracting(32 * column..<32 * column + 32), imaginary.extracting(32 * column..<32 * column + 32),
                at: samples.count - bandCount + column * synthesisCount)
        }
        oldest += 1
        if oldest > Self.slotCount {
            for kind in 0..<Kind.count {
                let (start, first) = (kind * Self.kindStride, kind * Self.kindStride + oldest * Self.slotStride)
                windowReal.copy(first..<first + (Self.slotCount - 1) * Self.slotStride, to: start)
                windowImaginary.copy(first..<first + (Self.slotCount - 1) * Self.slotStride, to: start)
            }
            oldest = 0
        }
        analyze()
        setRoots()
    }

    /// Synthesizes samples from a QMF slot.
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
        let (values, window) = (vector.span, synthesisWindow.span)
        var target = samples.mutableSpan
        for index in stride(from: 0, to: count, by: 4) {
            var sum = SIMD4<Float>(repeating: 0)
            for block in 0..<5 {
                let (first, second) = (4 * count * block + index, 2 * count * block + index)
                sum += values.vector(at: first) * window.vector(at: second)
                sum += values.vector(at: first + 3 * count) * window.vector(at: second + count)
            }
            target.store(sum, at: position + index)
        }
    }

    /// Analyzes the samples for the newest time slot.
    ///
    /// The very newest samples belong to the next time slot.
    private mutating func analyze() {
        fold()
        let target = (oldest + Self.slotCount - 1) * Self.slotStride
        let (reals, imaginaries, samples) = (analysisReal.span, analysisImaginary.span, folded.span)
        let rows = bandCount / 4
        var real = windowReal.mutableSpan
        var imaginary = windowImaginary.mutableSpan
        for row in 0..<rows {
            // Cosines are even about the centre, sines odd. Sums and differences of mirrored samples need only half the factors.
            let middle = bandCount &* rows &+ row
            var sums = reals[middle] * SIMD4(repeating: samples[bandCount]) + reals[row] * SIMD4(repeating: samples[0])
            var differences = imaginaries[middle] * SIMD4(repeating: samples[bandCount]) + imaginaries[row] * SIMD4(repeating: samples[0])
            for index in 1..<bandCount {
                sums += reals[middle &+ index &* rows] * SIMD4(repeating: samples[bandCount &+ index] + samples[bandCount &- index])
                differences +=
                    imaginaries[middle &+ index &* rows] * SIMD4(repeating: samples[bandCount &+ index] - samples[bandCount &- index])
            }
            real.store(sums, at: target &+ 4 &* row)
            imaginary.store(differences, at: target &+ 4 &* row)
        }
    }

    private mutating func fold() {
        let last = samples.count - synthesisCount
        let (source, window) = (samples.span, analysisWindow.span)
        var target = folded.mutableSpan
        for index in stride(from: 0, to: 2 * bandCount, by: 4) {
            var sum = SIMD4<Float>(repeating: 0)
            for block in stride(from: index, to: 10 * bandCount, by: 2 * bandCount) {
                sum += source.vector(at: last - block - 3).reversed * window.vector(at: block)
            }
            target.store(sum, at: index)
        }
    }

    /// Computes the values with roots for the newest time slot.
    private mutating func setRoots() {
        let newest = (oldest + Self.slotCount - 1) * Self.slotStride
        let signs = interpolationSigns()
        var real = windowReal.mutableSpan
        var imaginary = windowImaginary.mutableSpan
        for index in stride(from: newest, to: newest + bandCount, by: 4) {
            let value = ComplexVector(real.vector(at: index), imaginary.vector(at: index))
            for stretch in 2...4 where stretches >> UInt8(stretch) & 1 != 0 {
                let kind = stretch == 2 ? Kind.half : stretch == 3 ? Kind.third : Kind.quarter
                let root = value * Self.rootFactors(value.energy, stretch)
                real.store(root.real, at: kind * Self.kindStride + index)
                imaginary.store(root.imaginary, at: kind * Self.kindStride + index)
            }
            guard stretches >> 3 & 1 != 0 else { continue }
            let older = ComplexVector(real.vector(at: index - Self.slotStride), imaginary.vector(at: index - Self.slotStride))
            let between = (older.timesConjugate(of: signs) + signs * value) * SIMD4(repeating: Self.interpolationGain)
            let root = between * Self.rootFactors(between.energy, 3)
            real.store(root.real, at: Kind.thirdBetween * Self.kindStride + index)
            imaginary.store(root.imaginary, at: Kind.thirdBetween * Self.kindStride + index)
        }
    }

    /// Returns the interpolation phases of four half-bands.
    ///
    /// The first index is a multiple of four.
    private func interpolationSigns() -> ComplexVector {
        var signs = ComplexVector.zero
        for lane in 0..<4 {
            let quarter = (2 * firstBand + lane + 1) & 3
            signs.real[lane] = quarter == 0 || quarter == 1 ? 1 : -1
            signs.imaginary[lane] = quarter == 0 || quarter == 3 ? 1 : -1
        }
        return signs
    }

    /// Returns a half-band interpolated halfway between the previous time slot and `slot`.
    func interpolated(_ band: Int, slot: Int) -> SIMD2<Float> {
        let (older, newer) = (self[Kind.plain, band, slot - 1], self[Kind.plain, band, slot])
        let quarter = (2 * firstBand + band + 1) & 3
        let phase = SIMD2<Float>(quarter == 0 || quarter == 1 ? 1 : -1, quarter == 0 || quarter == 3 ? 1 : -1)
        let sum = Self.product(SIMD2(phase.x, -phase.y), older) + Self.product(phase, newer)
        return sum * Self.interpolationGain
    }

    /// Returns z · |z|^(1 / T - 1).
    static func root(_ value: SIMD2<Float>, _ stretch: Int) -> SIMD2<Float> {
        value * rootFactors(SIMD4(repeating: value.x * value.x + value.y * value.y), stretch).x
    }

    /// Returns |z|^(1 / T - 1) from |z|².
    @inline(__always)
    private static func rootFactors(_ energies: SIMD4<Float>, _ stretch: Int) -> SIMD4<Float> {
        let energies = energies + SIMD4(repeating: 1e-17)
        let one = SIMD4<Float>(repeating: 1)
        switch stretch {
        case 2: return one / energies.squareRoots.squareRoots
        case 3: return PortableMath.exp2(PortableMath.log2(energies) * (-1.0 / 3))
        default:
            let quarters = energies.squareRoots.squareRoots
            return one / (quarters * quarters.squareRoots)
        }
    }

    /// The value of a half-band in a time slot; 0 outside the filter bank.
    @inline(__always)
    subscript(kind: Int, band: Int, slot: Int) -> SIMD2<Float> {
        guard band >= 0 && band < bandCount else { return SIMD2(0, 0) }
        let index = kind &* Self.kindStride &+ (oldest &+ slot) &* Self.slotStride &+ band
        return SIMD2(windowReal[index], windowImaginary[index])
    }

    /// Returns a · b.
    @inline(__always)
    static func product(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> SIMD2<Float> {
        SIMD2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
    }

    /// Returns z to a power from 1 to 3.
    @inline(__always)
    static func power(_ value: SIMD2<Float>, _ exponent: Int) -> SIMD2<Float> {
        exponent == 1 ? value : exponent == 2 ? product(value, value) : product(product(value, value), value)
    }

    // MARK: Stretching

    /// Adds the stretched window to the output, starting at QMF slot index `target`.
    mutating func stretch(
        _ stretch: Int, bands: Range<Int>, into real: inout MutableSpan<Float>, _ imaginary: inout MutableSpan<Float>, at target: Int
    ) {
        guard stretch != 2 else { return stretchSecond(bands, into: &real, &imaginary, at: target) }
        let middle = Self.slotCount / 2
        for band in bands {
            guard stretch != 3 else {
                stretchThird(band, into: &real, &imaginary, at: target + 64 * 2 + band)
                continue
            }
            do {
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

    /// Adds windows stretched by 2.
    private func stretchSecond(
        _ bands: Range<Int>, into real: inout MutableSpan<Float>, _ imaginary: inout MutableSpan<Float>, at target: Int
    ) {
        // Half-bands outside the filter bank are 0.
        let first = 2 * firstBand
        let (lower, upper) = (max(bands.lowerBound, first), min(bands.upperBound, first + bandCount))
        guard lower < upper else { return }
        let (sourceReal, sourceImaginary) = (windowReal.span, windowImaginary.span)
        let start = Kind.half * Self.kindStride + oldest * Self.slotStride - first
        let centers = start + Self.slotCount / 2 * Self.slotStride
        let whole = upper - (upper - lower) & 3
        for slot in 1...10 {
            let (source, output) = (start &+ slot &* Self.slotStride, target &+ 64 &* slot)
            for band in stride(from: lower, to: whole, by: 4) {
                let center = ComplexVector(sourceReal.vector(at: centers &+ band), sourceImaginary.vector(at: centers &+ band))
                let value = ComplexVector(sourceReal.vector(at: source &+ band), sourceImaginary.vector(at: source &+ band))
                let product = value * (center * SIMD4(repeating: 1.0 / 3))
                real.store(real.vector(at: output &+ band) + product.real, at: output &+ band)
                imaginary.store(imaginary.vector(at: output &+ band) + product.imaginary, at: output &+ band)
            }
            for band in whole..<upper {
                let center = self[Kind.half, band - first, Self.slotCount / 2] * (1.0 / 3)
                Self.add(Self.product(self[Kind.half, band - first, slot], center), &real, &imaginary, output + band)
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
            // Points are 1.5 time slots apart. Interpolated points use the later of their two slots.
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

    @inline(__always)
    static func add(
        _ value: SIMD2<Float>, _ real: inout MutableSpan<Float>, _ imaginary: inout MutableSpan<Float>, _ index: Int
    ) {
        real[index] += value.x
        imaginary[index] += value.y
    }
}
