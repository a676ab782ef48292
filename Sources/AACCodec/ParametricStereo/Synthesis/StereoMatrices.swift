// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The mixing matrices of each stereo band and envelope, and their interpolation between envelopes (ISO/IEC 14496-3:2009, 8.6.4.6).
struct StereoMatrices: ~Copyable {
    private static let maximumBandCount = 34

    /// Real parts of h11, h12, h21 and h22.
    ///
    /// Band b at the end of the previous frame is at b, and envelope e at 34 (e + 1) + b.
    private var real = FixedArray<SIMD4<Float>>(repeating: SIMD4(1, 1, 0, 0), count: capacity)
    /// Imaginary parts in the same layout.
    private var imaginary = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: capacity)
    /// Whether any imaginary part is nonzero.
    private(set) var isComplex = false
    private var envelopes: FixedArray<UInt8>
    /// The interpolation weight of each time slot's envelope relative to the previous one, (n - n_e + 1) / (n_(e+1) - n_e).
    private var progress: FixedArray<Float>
    /// `ipd` and `opd` of each band of the current envelope.
    private var phases = FixedArray<SIMD2<Int8>>(repeating: SIMD2(0, 0), count: maximumBandCount)
    /// `ipd` and `opd` of each band of the previous envelope.
    private var lastPhases = FixedArray<SIMD2<Int8>>(repeating: SIMD2(0, 0), count: maximumBandCount)
    /// `ipd` and `opd` of each band, two envelopes before the current one.
    private var earlierPhases = FixedArray<SIMD2<Int8>>(repeating: SIMD2(0, 0), count: maximumBandCount)
    /// The number of time slots per frame.
    private let qmfSlotCount: Int

    /// The number of matrices: the end of the previous frame, and all envelopes.
    private static let capacity = maximumBandCount * (StereoEnvelopes.maximumCount + 1)

    /// Creates the matrices of identical channels.
    ///
    /// - Parameter qmfSlotCount: The number of time slots per frame.
    init(qmfSlotCount: Int) {
        self.qmfSlotCount = qmfSlotCount
        // Whole groups of four time slots.
        envelopes = FixedArray(repeating: 0, count: (qmfSlotCount + 3) & ~3)
        progress = FixedArray(repeating: 0, count: (qmfSlotCount + 3) & ~3)
    }

    /// Computes the matrices of a frame.
    mutating func begin(_ frame: borrowing StereoEnvelopes, bands: StereoBands, _ tables: StereoTables) {
        setProgress(envelopeCount: frame.count, ends: frame.ends)
        for envelope in 0..<frame.count {
            let header = frame.header
            let first = Self.maximumBandCount * (envelope + 1)
            var reals = real.mutableSpan(first: Self.capacity)
            for band in 0..<bands.count {
                reals[first &+ band] = tables.matrix(
                    header, level: frame.level(envelope, band, bands), coherence: frame.coherence(envelope, band, bands))
            }
            var imaginaries = imaginary.mutableSpan(first: Self.capacity)
            for band in 0..<bands.count { imaginaries[first &+ band] = SIMD4(repeating: 0) }
            rotate(frame, envelope: envelope, bands: bands)
        }
        isComplex = false
        let imaginaries = imaginary.span(first: Self.capacity)
        for envelope in 0...frame.count {
            for band in 0..<bands.phaseCount where imaginaries[Self.maximumBandCount &* envelope &+ band] != .zero {
                isComplex = true
            }
        }
    }

    /// Starts a frame in which the matrices return to identical channels.
    mutating func startMono() {
        var ends = SIMD8<UInt8>(repeating: 0)
        ends[0] = UInt8(qmfSlotCount)
        setProgress(envelopeCount: 1, ends: ends)
        for band in 0..<Self.maximumBandCount {
            real[Self.maximumBandCount + band] = SIMD4(1, 1, 0, 0)
            imaginary[Self.maximumBandCount + band] = SIMD4(repeating: 0)
        }
    }

    /// Ends a frame, whose last matrices become the start of the next.
    mutating func advance(envelopeCount: Int) {
        let last = Self.maximumBandCount * envelopeCount..<Self.maximumBandCount * (envelopeCount + 1)
        real.copy(last, to: 0)
        imaginary.copy(last, to: 0)
    }

    /// Maps the matrices at the start of the next frame to another number of bands, and clears the phase history.
    mutating func change(to bands: StereoBands) {
        // Saves the old matrices in the storage of the first envelope, which is computed later.
        let old = Self.maximumBandCount
        real.copy(0..<Self.maximumBandCount, to: old)
        imaginary.copy(0..<Self.maximumBandCount, to: old)
        for band in 0..<bands.count {
            if bands == .bands34 {
                let pair = StereoBands.from20To34[band]
                let (first, second) = (old + Int(pair.x), old + Int(pair.y))
                real[band] = (real[first] + real[second]) * 0.5
                imaginary[band] = (imaginary[first] + imaginary[second]) * 0.5
            } else {
                let source = StereoBands.from34To20[band]
                real[band] = SIMD4(repeating: 0)
                imaginary[band] = SIMD4(repeating: 0)
                for part in 0..<4 where source.weights[part] != 0 {
                    let share = source.weights[part] / source.weights.laneSum
                    real[band] += real[old + Int(source.first) + part] * share
                    imaginary[band] += imaginary[old + Int(source.first) + part] * share
                }
            }
        }
        lastPhases.fill(SIMD2(0, 0))
        earlierPhases.fill(SIMD2(0, 0))
    }

    /// Sets the envelope and the interpolation weight of each time slot.
    private mutating func setProgress(envelopeCount: Int, ends: SIMD8<UInt8>) {
        var start = 0
        for envelope in 0..<envelopeCount {
            let end = Int(ends[envelope])
            for qmfSlot in start..<end {
                envelopes[qmfSlot] = UInt8(envelope)
                progress[qmfSlot] = Float(qmfSlot - start + 1) / Float(end - start)
            }
            start = end
        }
        // Groups of four time slots can end after the frame.
        for qmfSlot in start..<envelopes.count { envelopes[qmfSlot] = UInt8(envelopeCount - 1) }
    }

    /// Applies the phase differences to the matrices of an envelope, smoothed over three envelopes (8.6.4.6.3.2).
    ///
    ///     H11, H21 = h11, h21 · exp(i opd)
    ///     H12, H22 = h12, h22 · exp(i (opd - ipd))
    private mutating func rotate(_ frame: borrowing StereoEnvelopes, envelope: Int, bands: StereoBands) {
        phases.fill(SIMD2(0, 0))
        if frame.hasPhases {
            for band in 0..<bands.phaseCount {
                phases[band] = frame.phases(envelope, band, bands)
                let channel = smoothed(0, band)
                let overall = smoothed(1, band)
                // exp(i (overall - channel)).
                let second = SIMD2(
                    overall.x * channel.x + overall.y * channel.y, overall.y * channel.x - overall.x * channel.y)
                let index = Self.maximumBandCount * (envelope + 1) + band
                let matrix = real[index]
                real[index] = matrix * SIMD4(overall.x, second.x, overall.x, second.x)
                imaginary[index] = matrix * SIMD4(overall.y, second.y, overall.y, second.y)
            }
        }
        swap(&earlierPhases, &lastPhases)
        swap(&lastPhases, &phases)
    }

    /// Returns the unit vector of a band's smoothed phase: exp(iθ) + exp(iθ') / 2 + exp(iθ'') / 4, normalized.
    ///
    /// - Parameter kind: 0 for `ipd`, 1 for `opd`.
    private func smoothed(_ kind: Int, _ band: Int) -> SIMD2<Float> {
        let sum =
            Self.direction(phases[band][kind]) + Self.direction(lastPhases[band][kind]) * 0.5
            + Self.direction(earlierPhases[band][kind]) * 0.25
        // The length is at least 0.25.
        return sum / (sum.x * sum.x + sum.y * sum.y).squareRoot()
    }

    /// Returns the unit vector of a phase in steps of π/4.
    private static func direction(_ phase: Int8) -> SIMD2<Float> {
        let diagonal: Float = 0.707_106_78
        return switch phase & 7 {
        case 0: SIMD2(1, 0)
        case 1: SIMD2(diagonal, diagonal)
        case 2: SIMD2(0, 1)
        case 3: SIMD2(-diagonal, diagonal)
        case 4: SIMD2(-1, 0)
        case 5: SIMD2(-diagonal, -diagonal)
        case 6: SIMD2(0, -1)
        default: SIMD2(diagonal, -diagonal)
        }
    }
}

extension StereoMatrices {
    /// The factors of one stereo band in up to four time slots, one per lane.
    struct Factors {
        /// From the mono signal to the left channel.
        var h11 = SIMD4<Float>(repeating: 0)
        /// From the mono signal to the right channel.
        var h12 = SIMD4<Float>(repeating: 0)
        /// From the decorrelated signal to the left channel.
        var h21 = SIMD4<Float>(repeating: 0)
        /// From the decorrelated signal to the right channel.
        var h22 = SIMD4<Float>(repeating: 0)
    }

    /// Computes the real parts of all bands' factors in four time slots starting at `qmfSlot`.
    func realFactors(_ qmfSlot: Int, bandCount: Int, into factors: inout MutableSpan<Factors>) {
        Self.interpolate(real.span(first: 204), envelopes.span, progress.span, qmfSlot, bandCount, into: &factors)
    }

    /// Computes the imaginary parts of all bands' factors in four time slots starting at `qmfSlot`.
    func imaginaryFactors(_ qmfSlot: Int, bandCount: Int, into factors: inout MutableSpan<Factors>) {
        Self.interpolate(imaginary.span(first: 204), envelopes.span, progress.span, qmfSlot, bandCount, into: &factors)
    }

    /// Interpolates the matrices of all bands in four time slots.
    @inline(__always)
    private static func interpolate(
        _ matrices: Span<SIMD4<Float>>, _ envelopes: Span<UInt8>, _ progress: Span<Float>,
        _ qmfSlot: Int, _ bandCount: Int, into factors: inout MutableSpan<Factors>
    ) {
        guard envelopes[qmfSlot] != envelopes[qmfSlot &+ 3] else {
            let row = maximumBandCount &* Int(envelopes[qmfSlot])
            let progress = progress.vector(at: qmfSlot)
            for band in 0..<bandCount { factors[band] = interpolated(matrices, row &+ band, progress) }
            return
        }
        let row0 = maximumBandCount &* Int(envelopes[qmfSlot])
        let row1 = maximumBandCount &* Int(envelopes[qmfSlot &+ 1])
        let row2 = maximumBandCount &* Int(envelopes[qmfSlot &+ 2])
        let row3 = maximumBandCount &* Int(envelopes[qmfSlot &+ 3])
        let (progress0, progress1) = (progress[qmfSlot], progress[qmfSlot &+ 1])
        let (progress2, progress3) = (progress[qmfSlot &+ 2], progress[qmfSlot &+ 3])
        for band in 0..<bandCount {
            // Transposes four matrices, one per time slot, to four factors.
            let h = SIMD4<Float>.transposed(
                interpolated(matrices, row0 &+ band, progress0),
                interpolated(matrices, row1 &+ band, progress1),
                interpolated(matrices, row2 &+ band, progress2),
                interpolated(matrices, row3 &+ band, progress3))
            factors[band] = Factors(h11: h.0, h12: h.1, h21: h.2, h22: h.3)
        }
    }

    /// Returns the factors of four time slots of one envelope from the matrix at `index` of the previous envelope.
    @inline(__always)
    private static func interpolated(_ matrices: Span<SIMD4<Float>>, _ index: Int, _ progress: SIMD4<Float>) -> Factors {
        let start = matrices[index]
        let step = matrices[index &+ maximumBandCount] - start
        return Factors(
            h11: SIMD4(repeating: start.x) + SIMD4(repeating: step.x) * progress,
            h12: SIMD4(repeating: start.y) + SIMD4(repeating: step.y) * progress,
            h21: SIMD4(repeating: start.z) + SIMD4(repeating: step.z) * progress,
            h22: SIMD4(repeating: start.w) + SIMD4(repeating: step.w) * progress)
    }

    /// Returns the matrix at `index` of the previous envelope, interpolated towards the next one.
    @inline(__always)
    private static func interpolated(_ matrices: Span<SIMD4<Float>>, _ index: Int, _ progress: Float) -> SIMD4<Float> {
        let start = matrices[index]
        return start + (matrices[index &+ maximumBandCount] - start) * progress
    }
}
