// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The harmonic transposer of enhanced SBR, QMF-based: stretches the low band in frequency by 2, 3 and 4 (ISO/IEC 23003-3, 7.5.4).
///
/// A small filter bank synthesizes part of the low band to samples. Another one analyzes these into half-bands, each half a subband
/// wide. Half-band ν has the index ν - 2 `k_L`.
package struct HarmonicTransposer: ~Copyable {
    /// `X_T`.
    package private(set) var output: TransposedSlots
    private let qmfSlotCount: Int
    /// Whether the SBR ratio is 4:1.
    private let isQuadruple: Bool
    private let coreBandCount: Int
    /// The delay of the transposer relative to the newest QMF slots, in QMF slots.
    private let lag: Int
    private(set) var analysis: CoreAnalysis
    /// The real parts of the core's QMF slots: the previous frame, the current frame, the slots after it, and new ones.
    ///
    /// Subband k of QMF slot c is at index 32 c + k.
    private var inputReal: FixedArray<Float>
    /// The imaginary parts, in the same order.
    private var inputImaginary: FixedArray<Float>
    /// The two filter banks and the windows; `nil` before the first header.
    private var bank: HalfBandBank?
    /// The boundaries of the ranges, `X`, with `X(0)` unused.
    ///
    /// Subbands from `X(T - 1)` are stretched by T.
    private var borders = SIMD8<UInt8>(repeating: 0)
    private var maximumStretch = 0
    /// The factors of the output's phase rotation, real parts first.
    private let rotation: FixedArray<Float>

    /// The number of QMF slots after a frame that stretching writes to.
    private static let spareCount = 12

    package init(_ layout: SlotLayout) {
        output = TransposedSlots(layout, spareCount: Self.spareCount)
        qmfSlotCount = layout.qmfSlotCount
        isQuadruple = layout.qmfSlotsPerTimeSlot == 4
        coreBandCount = layout.analysisBandCount
        lag = isQuadruple ? 32 : 0
        analysis = CoreAnalysis(layout)
        inputReal = FixedArray(repeating: 0, count: 32 * (3 * layout.qmfSlotCount + lag))
        inputImaginary = FixedArray(repeating: 0, count: 32 * (3 * layout.qmfSlotCount + lag))
        rotation = FixedArray(count: 128) {
            let turn = (Double($0 & 63) + 0.5) * 127 / 128
            return Float($0 < 64 ? CircularFunctions.cosinePi(turn) : CircularFunctions.sinePi(turn))
        }
    }

    package mutating func load(_ core: Span<Float>) {
        analysis.analyze(core)
        for qmfSlot in 0..<qmfSlotCount {
            for band in 0..<coreBandCount { load(analysis.value(band, analysis.retainedCount + qmfSlot), band: band, qmfSlot: qmfSlot) }
        }
    }

    /// Loads the newest QMF slots of the core, instead of samples.
    package mutating func load(_ core: borrowing LowBandSlots) {
        for qmfSlot in 0..<qmfSlotCount {
            for band in 0..<coreBandCount { load(core.value(band, core.retainedCount + qmfSlot), band: band, qmfSlot: qmfSlot) }
        }
    }

    @inline(__always)
    private mutating func load(_ value: SIMD2<Float>, band: Int, qmfSlot: Int) {
        let target = 32 * (2 * qmfSlotCount + lag + qmfSlot) + band
        inputReal[target] = value.x
        inputImaginary[target] = value.y
    }

    /// Transposes the loaded frame.
    ///
    /// - Parameters:
    ///   - tables: The frequency band tables; `nil` before the first header.
    ///   - pitch: `sbrPitchInBins`.
    package mutating func transpose(tables: FrequencyBandTables?, isReset: Bool, pitch: Int) {
        inputReal.copy(32 * qmfSlotCount..<inputReal.count, to: 0)
        inputImaginary.copy(32 * qmfSlotCount..<inputImaginary.count, to: 0)
        output.advance()
        guard let tables else { return }
        if isReset || bank == nil {
            setRanges(tables)
            var stretches: UInt8 = 0
            for stretch in 2...4 where stretch <= maximumStretch && borders[stretch - 1] < borders[stretch] {
                stretches |= 1 << UInt8(stretch)
            }
            bank = HalfBandBank(crossover: tables.crossoverSubband, coreBandCount: coreBandCount, stretches: stretches)
            // The previous frame, to fill the filter banks and windows.
            run(firstQMFSlot: 0, pitch: 0)
            output.advance()
        }
        run(firstQMFSlot: qmfSlotCount, pitch: pitch)
    }

    /// Computes the ranges of the stretch factors.
    private mutating func setRanges(_ tables: borrowing FrequencyBandTables) {
        let (first, top) = (tables.crossoverSubband, tables.low.last)
        borders = SIMD8(repeating: 0)
        maximumStretch = 4
        var count = 0
        for stretch in 1...(isQuadruple ? 6 : 4) {
            count = stretch
            guard stretch * first < top else {
                borders[stretch] = UInt8(top)
                maximumStretch = min(stretch, 4)
                break
            }
            var border = Self.border(of: tables.low, upTo: stretch * first)
            if stretch * first - border > 3 { border = Self.border(of: tables.high, upTo: stretch * first) }
            borders[stretch] = UInt8(border)
        }
        var targets = SIMD8<UInt8>(repeating: 0)
        let reachesTop = Int(borders[count]) == top
        for index in 1...count { targets[index - 1] = borders[index] }
        output.ranges = PatchTable(targets: targets, count: max(1, reachesTop ? count - 1 : count), top: top)
    }

    /// Returns the highest boundary at or below a subband.
    private static func border(of bands: BandBoundaries, upTo subband: Int) -> Int {
        var result = bands.first
        for index in 0...bands.count where bands[index] <= subband { result = bands[index] }
        return result
    }

    /// Transposes the QMF slots of a frame, starting at an input slot.
    private mutating func run(firstQMFSlot: Int, pitch: Int) {
        guard var bank = bank.take() else { return }
        var real = output.real.mutableSpan
        var imaginary = output.imaginary.mutableSpan
        for slot in 0..<qmfSlotCount / 2 {
            let first = 32 * (firstQMFSlot + 2 * slot)
            bank.append(inputReal.span.extracting(first..<first + 64), inputImaginary.span.extracting(first..<first + 64))
            let target = 64 * (output.retainedCount + 2 * slot)
            for stretch in 2...4 where stretch <= maximumStretch {
                let (lower, upper) = (Int(borders[stretch - 1]), Int(borders[stretch]))
                guard lower < upper else { continue }
                bank.stretch(stretch, bands: lower..<upper, into: &real, &imaginary, at: target)
                if pitch >= (isQuadruple ? 24 : 12) {
                    let products = HalfBandBank.CrossProducts(
                        stretch: stretch, pitch: Float(pitch) / (isQuadruple ? 24 : 12),
                        angle: Double(pitch) / 48 * (isQuadruple ? 1 : 2))
                    bank.addCrossProducts(products, bands: lower..<upper, into: &real, &imaginary, at: target + 64 * 5)
                }
            }
        }
        let rotations = rotation.span(first: 128)
        for qmfSlot in output.retainedCount..<output.retainedCount + qmfSlotCount {
            if isQuadruple { Self.copyTop(qmfSlot, borders, &real, &imaginary) }
            for band in stride(from: 0, to: 64, by: 4) {
                let index = 64 &* qmfSlot &+ band
                let value = ComplexVector(real.vector(at: index), imaginary.vector(at: index))
                let rotated = value * ComplexVector(rotations.vector(at: band), rotations.vector(at: 64 &+ band))
                real.store(rotated.real, at: index)
                imaginary.store(rotated.imaginary, at: index)
            }
        }
        self.bank = consume bank
    }

    /// Fills the ranges above stretch factor 4 with copies of its range, at ratio 4:1.
    private static func copyTop(
        _ qmfSlot: Int, _ borders: SIMD8<UInt8>, _ real: inout MutableSpan<Float>, _ imaginary: inout MutableSpan<Float>
    ) {
        let (sourceStart, sourceEnd) = (Int(borders[3]), Int(borders[4]))
        guard sourceStart < sourceEnd else { return }
        for stretch in 5...6 {
            let (start, end) = (Int(borders[stretch - 1]), Int(borders[stretch]))
            var position = start
            while position < end {
                var count = min(end - position, sourceEnd - sourceStart)
                // The block's last subband is copied from the source's last subband, or from one with the same parity.
                var last = sourceEnd - 1
                if (position + count - 1 - last) & 1 != 0 {
                    if last - count >= sourceStart { last -= 1 } else if count > 1 { count -= 1 } else { last -= 1 }
                }
                for offset in 0..<count {
                    let (source, target) = (64 * qmfSlot + last - offset, 64 * qmfSlot + position + count - 1 - offset)
                    real[target] = real[source]
                    imaginary[target] = imaginary[source]
                }
                position += count
            }
        }
    }
}
