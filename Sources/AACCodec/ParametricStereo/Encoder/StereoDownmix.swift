// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Makes one channel of two in the time-frequency plane, with the mean of their energies in every band.
///
/// The decoder shares the energy of the one channel out to two (ISO/IEC 14496-3:2009, 8.6.4.6), so that the sum of both is
/// what it was. Each band is projected on the principal axis of its channels (``PrincipalAxisTracker``), so that a source in it stays
/// whole wherever it is panned.
struct StereoDownmix: ~Copyable {
    private var leftAnalysis = HybridAnalysis()
    private var rightAnalysis = HybridAnalysis()
    private var leftLow: [10 of ComplexVector] = .init(repeating: .zero)
    private var rightLow: [10 of ComplexVector] = .init(repeating: .zero)
    /// The last three groups of four columns, 64 subbands each: the low bands' filters need the newest to split the oldest.
    private var leftGroups: [192 of ComplexVector] = .init(repeating: .zero)
    private var rightGroups: [192 of ComplexVector] = .init(repeating: .zero)
    /// The group to be written next, which is the oldest.
    private var group = 0
    private var axes = PrincipalAxisTracker()
    private var twin: DecorrelatedSignalModel
    /// Energies of the group at hand, one column in each lane: of the channels, their product, and their sum.
    private var left: [20 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    private var right: [20 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    private var product: [20 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    private var sum: [20 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))

    /// Columns by which the output is behind the input.
    static let delay = HybridAnalysis.encoderDelay

    private static let groupCount = 3
    private static let bands = StereoBands.bands20

    /// Makes a downmix with a silent past.
    ///
    /// - Parameter isFast: Whether a guess will do for the twins of higher bands.
    init(isFast: Bool = false) {
        twin = DecorrelatedSignalModel(bandLimit: isFast ? DecorrelatedSignalModel.fastBandLimit : StereoStatistics.bandCount)
    }

    /// Mixes the 32 columns of a frame.
    ///
    /// - Parameters:
    ///   - left: The bank of the left channel, which has its samples; that of the right one likewise.
    ///   - statistics: Takes energies and products, in step with the output.
    ///   - mono: Takes the columns of the one channel.
    ///   - core: Takes 1024 samples of its lower half.
    mutating func mix(
        left: inout QMFAnalysis64, right: inout QMFAnalysis64, statistics: inout StereoStatistics,
        into mono: inout SubbandColumns, synthesis: inout QMFSynthesis, core: inout MutableSpan<Float>
    ) {
        var monoBands = InlineArray<64, ComplexVector>(repeating: .zero)
        var workBands = InlineArray<64, ComplexVector>(repeating: .zero)
        var mixed = monoBands.mutableSpan
        var work = workBands.mutableSpan
        for column in stride(from: 0, to: SubbandColumns.columnCount, by: 4) {
            append(&left, &right, column: column, work: &work)
            mix(into: &mixed)
            axes.follow(left: self.left.span, right: self.right.span, product: product.span, sum: sum.span)
            scale(&mixed)
            mono.store(mixed.span, column: column)
            for band in twin.bandLimit..<StereoStatistics.bandCount {
                twin.setEnergies(sum[band] * (axes.gains[band] * axes.gains[band]), ofBand: band)
            }
            twin.measure(mixed.span, &work, column: column)
            statistics.store(.left, self.left.span, column: column)
            statistics.store(.right, self.right.span, column: column)
            statistics.store(.product, product.span, column: column)
            twin.store(into: &statistics, column: column)
            synthesis.synthesize32(&mixed, columnCount: 4, into: &core, at: 32 * column, tables: QMFTables.shared)
        }
        leftAnalysis.advance(columnCount: SubbandColumns.columnCount)
        rightAnalysis.advance(columnCount: SubbandColumns.columnCount)
        twin.advance()
    }

    /// Takes the next four columns, and splits the low bands of those that have come two groups before.
    private mutating func append(
        _ left: inout QMFAnalysis64, _ right: inout QMFAnalysis64, column: Int, work: inout MutableSpan<ComplexVector>
    ) {
        let range = 64 &* group..<64 &* group &+ 64
        group = group == Self.groupCount - 1 ? 0 : group &+ 1
        Self.append(&left, column, &leftGroups, range, &leftAnalysis, &leftLow, work: &work)
        Self.append(&right, column, &rightGroups, range, &rightAnalysis, &rightLow, work: &work)
    }

    @inline(__always)
    private static func append(
        _ bank: inout QMFAnalysis64, _ column: Int, _ groups: inout [192 of ComplexVector], _ range: Range<Int>,
        _ analysis: inout HybridAnalysis, _ low: inout [10 of ComplexVector], work: inout MutableSpan<ComplexVector>
    ) {
        var all = groups.mutableSpan
        var newest = all._mutatingExtracting(range)
        bank.split(from: column, into: &newest, work: &work, tables: QMFTables.shared)
        analysis.append(newest.span, column: column)
        var target = low.mutableSpan
        analysis.split(column, bands, into: &target, StereoTables.shared)
    }

    /// Puts the sum of both channels into the bands of one, and measures.
    private mutating func mix(into mono: inout MutableSpan<ComplexVector>) {
        for band in 0..<Self.bands.splitBandCount { store(BandSums(), band) }
        for part in 0..<Self.bands.lowBandCount {
            let band = Self.bands.stereoBand(ofLowBand: part)
            // At negative frequencies phases run the other way.
            let isConjugated = Self.bands.conjugatedLowBands.contains(part)
            let mixer = Mixer(axes.weights[band], sign: isConjugated ? -1 : 1)
            var sums = BandSums(left: left[band], right: right[band], product: product[band], sum: sum[band])
            leftLow[part] = sums.add(leftLow[part], rightLow[part], mixer)
            store(sums, band)
        }
        let oldest = 64 &* group..<64 &* group &+ 64
        let (lefts, rights) = (leftGroups.span.extracting(oldest), rightGroups.span.extracting(oldest))
        var mono = mono._mutatingExtracting(0..<64)
        for band in Self.bands.splitBandCount..<StereoStatistics.bandCount {
            let mixer = Mixer(axes.weights[band], sign: 1)
            var sums = BandSums()
            for subband in StereoBands.subbands(ofBand20: band) { mono[subband] = sums.add(lefts[subband], rights[subband], mixer) }
            left[band] = sums.left
            right[band] = sums.right
            product[band] = sums.product
            sum[band] = sums.sum
        }
    }

    private mutating func store(_ sums: BandSums, _ band: Int) {
        left[band] = sums.left
        right[band] = sums.right
        product[band] = sums.product
        sum[band] = sums.sum
    }

    /// What two channels are multiplied with.
    private struct Mixer {
        let left: SIMD4<Float>
        let right: ComplexVector

        @inline(__always)
        init(_ weights: SIMD4<Float>, sign: Float) {
            left = SIMD4(repeating: weights.x)
            right = ComplexVector(SIMD4(repeating: weights.y), SIMD4(repeating: weights.z * sign))
        }
    }

    /// Energies of a band.
    private struct BandSums {
        var left = SIMD4<Float>(repeating: 0)
        var right = SIMD4<Float>(repeating: 0)
        var product = SIMD4<Float>(repeating: 0)
        var sum = SIMD4<Float>(repeating: 0)

        /// Adds a subband; returns the mix.
        @inline(__always)
        mutating func add(_ a: ComplexVector, _ b: ComplexVector, _ mixer: Mixer) -> ComplexVector {
            left += a.energy
            right += b.energy
            product += a.innerProduct(b)
            let mixed = a * mixer.left + b * mixer.right
            sum += mixed.energy
            return mixed
        }
    }

    /// Gives each band its energy, and adds up the parts of split subbands.
    private mutating func scale(_ mono: inout MutableSpan<ComplexVector>) {
        var mono = mono._mutatingExtracting(0..<64)
        for subband in 0..<Self.bands.splitSubbandCount { mono[subband] = .zero }
        for part in 0..<Self.bands.lowBandCount {
            let subband = part < 6 ? 0 : part < 8 ? 1 : 2
            let value = leftLow[part] * axes.gains[Self.bands.stereoBand(ofLowBand: part)]
            twin.setLowBand(part, value)
            mono[subband] = mono[subband] + value
        }
        for band in Self.bands.splitBandCount..<StereoStatistics.bandCount {
            let gain = axes.gains[band]
            for subband in StereoBands.subbands(ofBand20: band) { mono[subband] = mono[subband] * gain }
        }
    }
}

extension SubbandColumns {
    /// Stores four columns, one in each lane of 64 bands, from `column` on.
    @inline(__always)
    mutating func store(_ bands: Span<ComplexVector>, column: Int) {
        let bands = bands.extracting(0..<64)
        for row in 0..<Self.rowCount {
            let (a, b, c, d) = (bands[4 &* row], bands[4 &* row &+ 1], bands[4 &* row &+ 2], bands[4 &* row &+ 3])
            store(
                SIMD4<Float>.transposed(a.real, b.real, c.real, d.real),
                SIMD4<Float>.transposed(a.imaginary, b.imaginary, c.imaginary, d.imaginary), column: column, row: row)
        }
    }
}
