// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The factors that make left and right, by stereo band and envelope, and between envelopes by column
/// (ISO/IEC 14496-3:2009, 8.6.4.6).
struct StereoMatrices: ~Copyable {
    private static let maximumBandCount = 34

    /// h11, h12, h21, h22 of band b: at the end of the frame before at b, of envelope e at 34 (e + 1) + b.
    private var real: [204 of SIMD4<Float>] = .init(repeating: SIMD4(1, 1, 0, 0))
    private var imaginary: [204 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    /// Whether any imaginary part is not 0.
    private(set) var isComplex = false
    /// For each column its envelope, and how far it is on the way there.
    private var envelopes: [32 of UInt8] = .init(repeating: 0)
    private var progress: [32 of Float] = .init(repeating: 0)
    /// Phase indices of the last two envelopes: between the channels, then overall.
    private var lastPhases: [2 of [34 of Int8]] = .init(repeating: .init(repeating: 0))
    private var earlierPhases: [2 of [34 of Int8]] = .init(repeating: .init(repeating: 0))

    /// Makes matrices that leave both channels alike.
    init() {}

    /// Works out the matrices of a frame.
    mutating func begin(_ frame: borrowing StereoEnvelopes, bands: StereoBands, columnCount: Int, _ tables: StereoTables) {
        setProgress(frame, columnCount: columnCount)
        for envelope in 0..<frame.count {
            let header = frame.header
            let levels = StereoEnvelopes.mapped(
                frame.indices[envelope].levels, bandCount: header.levelBandCount, to: bands)
            let coherence = StereoEnvelopes.mapped(
                frame.indices[envelope].coherence, bandCount: header.coherenceBandCount, to: bands)
            for band in 0..<bands.count {
                let place = Self.maximumBandCount * (envelope + 1) + band
                real[place] = tables.matrix(header, level: Int(levels[band]), coherence: Int(coherence[band]))
                imaginary[place] = SIMD4(repeating: 0)
            }
            turn(frame, envelope: envelope, bands: bands)
        }
        isComplex = false
        for envelope in 0...frame.count {
            for band in 0..<bands.phaseCount where imaginary[Self.maximumBandCount * envelope + band] != .zero {
                isComplex = true
            }
        }
    }

    /// Makes a frame that goes back to both channels alike.
    mutating func beginMono(columnCount: Int) {
        var frame = StereoEnvelopes()
        frame.ends[0] = UInt8(columnCount)
        setProgress(frame, columnCount: columnCount)
        for band in 0..<Self.maximumBandCount {
            real[Self.maximumBandCount + band] = SIMD4(1, 1, 0, 0)
            imaginary[Self.maximumBandCount + band] = SIMD4(repeating: 0)
        }
    }

    /// Makes the last envelope of a frame the start of the next.
    mutating func advance(envelopeCount: Int) {
        for band in 0..<Self.maximumBandCount {
            real[band] = real[Self.maximumBandCount * envelopeCount + band]
            imaginary[band] = imaginary[Self.maximumBandCount * envelopeCount + band]
        }
    }

    /// Takes the start of the next frame over to another number of bands.
    mutating func change(to bands: StereoBands) {
        let oldReal = real
        let oldImaginary = imaginary
        for band in 0..<bands.count {
            if bands == .bands34 {
                let pair = StereoBands.from20To34[band]
                real[band] = (oldReal[Int(pair.x)] + oldReal[Int(pair.y)]) * 0.5
                imaginary[band] = (oldImaginary[Int(pair.x)] + oldImaginary[Int(pair.y)]) * 0.5
            } else {
                let source = StereoBands.from34To20[band]
                real[band] = SIMD4(repeating: 0)
                imaginary[band] = SIMD4(repeating: 0)
                for part in 0..<4 where source.weights[part] != 0 {
                    let share = source.weights[part] / source.weights.laneSum
                    real[band] += oldReal[Int(source.first) + part] * share
                    imaginary[band] += oldImaginary[Int(source.first) + part] * share
                }
            }
        }
        lastPhases = .init(repeating: .init(repeating: 0))
        earlierPhases = .init(repeating: .init(repeating: 0))
    }

    private mutating func setProgress(_ frame: borrowing StereoEnvelopes, columnCount: Int) {
        var start = 0
        for envelope in 0..<frame.count {
            let end = Int(frame.ends[envelope])
            for column in start..<end {
                envelopes[column] = UInt8(envelope)
                progress[column] = Float(column - start + 1) / Float(end - start)
            }
            start = end
        }
    }

    /// Turns the matrices of an envelope by the phases, smoothed over three envelopes.
    private mutating func turn(_ frame: borrowing StereoEnvelopes, envelope: Int, bands: StereoBands) {
        var phases = InlineArray<2, InlineArray<34, Int8>>(repeating: .init(repeating: 0))
        if frame.hasPhases {
            let count = frame.header.phaseBandCount
            phases[0] = Self.phases(frame.indices[envelope].channelPhases, count, bands)
            phases[1] = Self.phases(frame.indices[envelope].overallPhases, count, bands)
            for band in 0..<bands.phaseCount {
                let channel = smoothed(phases, 0, band)
                let overall = smoothed(phases, 1, band)
                // exp(i (overall - channel)).
                let second = SIMD2(
                    overall.x * channel.x + overall.y * channel.y, overall.y * channel.x - overall.x * channel.y)
                let place = Self.maximumBandCount * (envelope + 1) + band
                let matrix = real[place]
                real[place] = matrix * SIMD4(overall.x, second.x, overall.x, second.x)
                imaginary[place] = matrix * SIMD4(overall.y, second.y, overall.y, second.y)
            }
        }
        earlierPhases = lastPhases
        lastPhases = phases
    }

    /// The phases of the bands for processing; a sixth of five bands is missing and 0.
    private static func phases(_ indices: borrowing [34 of Int8], _ count: Int, _ bands: StereoBands) -> [34 of Int8] {
        var known = InlineArray<34, Int8>(repeating: 0)
        for band in 0..<count { known[band] = indices[band] }
        return StereoEnvelopes.mapped(known, bandCount: count, to: bands)
    }

    /// The direction of a band's phase.
    private func smoothed(_ phases: borrowing [2 of [34 of Int8]], _ kind: Int, _ band: Int) -> SIMD2<Float> {
        let sum =
            Self.direction(phases[kind][band]) + Self.direction(lastPhases[kind][band]) * 0.5
            + Self.direction(earlierPhases[kind][band]) * 0.25
        // At least 0.25 long.
        return sum / (sum.x * sum.x + sum.y * sum.y).squareRoot()
    }

    /// The unit vector of a phase in eighths of a turn.
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
    /// The factors of one band in up to four columns, one in each lane.
    struct Factors {
        var h11 = SIMD4<Float>(repeating: 0)
        var h12 = SIMD4<Float>(repeating: 0)
        var h21 = SIMD4<Float>(repeating: 0)
        var h22 = SIMD4<Float>(repeating: 0)
    }

    /// The real parts of the factors of all bands in four columns from `column` on.
    mutating func realFactors(_ column: Int, bandCount: Int, into factors: inout MutableSpan<Factors>) {
        Self.interpolate(real.span, envelopes.span, progress.span, column, bandCount, into: &factors)
    }

    /// The imaginary parts of the factors.
    mutating func imaginaryFactors(_ column: Int, bandCount: Int, into factors: inout MutableSpan<Factors>) {
        Self.interpolate(imaginary.span, envelopes.span, progress.span, column, bandCount, into: &factors)
    }

    @inline(__always)
    private static func interpolate(
        _ matrices: Span<SIMD4<Float>>, _ envelopes: Span<UInt8>, _ progress: Span<Float>,
        _ column: Int, _ bandCount: Int, into factors: inout MutableSpan<Factors>
    ) {
        let row0 = maximumBandCount &* Int(envelopes[column])
        let row1 = maximumBandCount &* Int(envelopes[column &+ 1])
        let row2 = maximumBandCount &* Int(envelopes[column &+ 2])
        let row3 = maximumBandCount &* Int(envelopes[column &+ 3])
        let (progress0, progress1) = (progress[column], progress[column &+ 1])
        let (progress2, progress3) = (progress[column &+ 2], progress[column &+ 3])
        for band in 0..<bandCount {
            // Four matrices, one for each column, turned into four factors.
            let h = SIMD4<Float>.transposed(
                interpolated(matrices, row0 &+ band, progress0),
                interpolated(matrices, row1 &+ band, progress1),
                interpolated(matrices, row2 &+ band, progress2),
                interpolated(matrices, row3 &+ band, progress3))
            factors[band] = Factors(h11: h.0, h12: h.1, h21: h.2, h22: h.3)
        }
    }

    @inline(__always)
    private static func interpolated(_ matrices: Span<SIMD4<Float>>, _ place: Int, _ progress: Float) -> SIMD4<Float> {
        let start = matrices[place]
        return start + (matrices[place &+ maximumBandCount] - start) * progress
    }
}
