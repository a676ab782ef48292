// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The decorrelated twin that a decoder will make of the one channel, and what it has in common with it.
///
/// Against a tone the twin is a tone too, in some fixed phase: added to it, it raises one channel and lowers the other. The encoder
/// has to know by how much.
struct DecorrelatedSignalModel: ~Copyable {
    private var decorrelator = Decorrelator()
    private var reducer = TransientReducer()
    private var low: [32 of ComplexVector] = .init(repeating: .zero)
    private var lowTwins: [32 of ComplexVector] = .init(repeating: .zero)
    private var gains: [36 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    /// Energies and products of four columns, one in each lane, by stereo band.
    private(set) var mono: [20 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    private(set) var twin: [20 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    private(set) var cross: [20 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))

    private static let bands = StereoBands.bands20

    /// Bands from this one on are taken to have a twin as loud as they are, which has nothing to do with them.
    let bandLimit: Int

    /// The limit that does where time counts: above 4 kHz tones are rare.
    static let fastBandLimit = 18

    /// Makes one with a silent past.
    init(bandLimit: Int = StereoStatistics.bandCount) { self.bandLimit = bandLimit }

    /// Takes the energies of a band from ``bandLimit`` on.
    mutating func setEnergies(_ energies: SIMD4<Float>, ofBand band: Int) {
        mono[band] = energies
        twin[band] = energies
    }

    /// Takes a low band of the next four columns.
    mutating func setLowBand(_ part: Int, _ value: ComplexVector) { low[part] = value }

    /// Measures four columns.
    ///
    /// - Parameters:
    ///   - subbands: The 64 QMF subbands of the one channel.
    ///   - twins: Working space.
    ///   - column: Their place in the frame.
    mutating func measure(_ subbands: Span<ComplexVector>, _ twins: inout MutableSpan<ComplexVector>, column: Int) {
        var target = lowTwins.mutableSpan
        decorrelator.decorrelate(
            low: low.span, subbands: subbands, bands: .bands20, column: column, columnCount: 4,
            subbandCount: StereoBands.subbands(ofBand20: bandLimit - 1).upperBound, intoLow: &target, into: &twins)
        for band in 0..<Self.bands.splitBandCount { store(Sums(), band) }
        for part in 0..<Self.bands.lowBandCount {
            let band = Self.bands.stereoBand(ofLowBand: part)
            var sums = Sums(mono: mono[band], twin: twin[band], cross: cross[band])
            sums.add(low[part], lowTwins[part])
            store(sums, band)
        }
        let (subbands, others) = (subbands.extracting(0..<64), twins.span.extracting(0..<64))
        for band in Self.bands.splitBandCount..<bandLimit {
            var sums = Sums()
            for subband in StereoBands.subbands(ofBand20: band) { sums.add(subbands[subband], others[subband]) }
            store(sums, band)
        }
        holdBack()
    }

    /// Hands out what was measured.
    mutating func store(into statistics: inout StereoStatistics, column: Int) {
        statistics.store(.mono, mono.span, column: column)
        statistics.store(.twin, twin.span, column: column)
        statistics.store(.cross, cross.span, column: column)
    }

    private mutating func store(_ sums: Sums, _ band: Int) {
        mono[band] = sums.mono
        twin[band] = sums.twin
        cross[band] = sums.cross
    }

    /// Energies of a band and the product.
    private struct Sums {
        var mono = SIMD4<Float>(repeating: 0)
        var twin = SIMD4<Float>(repeating: 0)
        var cross = SIMD4<Float>(repeating: 0)

        @inline(__always)
        mutating func add(_ value: ComplexVector, _ other: ComplexVector) {
            mono += value.energy
            twin += other.energy
            cross += value.innerProduct(other)
        }
    }

    /// Takes the twin back behind attacks, as the decoder does.
    private mutating func holdBack() {
        for band in 0..<StereoStatistics.bandCount { gains[band] = mono[band] }
        var span = gains.mutableSpan
        reducer.reduce(&span, bandCount: StereoStatistics.bandCount, columnCount: 4)
        for band in 0..<StereoStatistics.bandCount {
            twin[band] *= gains[band] * gains[band]
            cross[band] *= gains[band]
        }
    }

    /// Ends a frame.
    mutating func advance() { decorrelator.advance(columnCount: SubbandColumns.columnCount) }
}
