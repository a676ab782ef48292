// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Makes one channel of two in the time-frequency plane, with the mean of their energies in every band.
///
/// The decoder shares the energy of the one channel out to two (ISO/IEC 14496-3:2009, 8.6.4.6), so that the sum of both is
/// what it was. Each band is projected on the principal axis of its channels, so that a source in it stays whole wherever it is
/// panned. What cancels in the sum is made up for, by 6 dB at most; where the channels are in opposite phase, one is turned first.
struct StereoDownmix: ~Copyable {
    private var leftAnalysis = HybridAnalysis()
    private var rightAnalysis = HybridAnalysis()
    private var leftLow: [10 of ComplexVector] = .init(repeating: .zero)
    private var rightLow: [10 of ComplexVector] = .init(repeating: .zero)
    /// Two groups of four columns that wait for the low bands' filters: 64 subbands each.
    private var leftPast: [128 of ComplexVector] = .init(repeating: .zero)
    private var rightPast: [128 of ComplexVector] = .init(repeating: .zero)
    private var levels: [20 of BandLevel] = .init(repeating: BandLevel())
    /// Energies of the group at hand.
    private var left: [20 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    private var right: [20 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    private var product: [20 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))
    private var sum: [20 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0))

    /// Columns by which the output is behind the input.
    static let delay = HybridAnalysis.encoderDelay

    private var twin = StereoTwin()

    /// What is remembered of a band.
    private struct BandLevel {
        /// Energies of the channels and their product, over some 25 ms.
        var left: Float = 0
        var right: Float = 0
        var product: Float = 0
        /// What the channels are multiplied with: the root of two times a direction.
        var weights = SIMD2<Float>(1, 1)
        /// Twice the product against the energy of both channels, from -1 (opposite phase) to 1, over a longer time.
        var slowTotal: Float = 0
        var slowProduct: Float = 0
        /// What the right channel is turned by.
        var turn = SIMD2<Float>(1, 0)
        /// What the sum was multiplied with last.
        var gain: Float = 0.5
    }

    /// Makes a downmix with a silent past.
    init() {}

    /// Mixes the 32 columns of a frame.
    ///
    /// - Parameters:
    ///   - statistics: Takes energies and products, in step with the output.
    ///   - mono: Takes the columns of the one channel.
    ///   - core: Takes 1024 samples of its lower half.
    mutating func mix(
        left: borrowing SubbandColumns, right: borrowing SubbandColumns, statistics: inout StereoStatistics,
        into mono: inout SubbandColumns, synthesis: inout QMFSynthesis, core: inout MutableSpan<Float>
    ) {
        var leftBands = InlineArray<64, ComplexVector>(repeating: .zero)
        var rightBands = InlineArray<64, ComplexVector>(repeating: .zero)
        var leftWork = leftBands.mutableSpan
        var rightWork = rightBands.mutableSpan
        for column in stride(from: 0, to: SubbandColumns.columnCount, by: 4) {
            left.collect(column, into: &leftWork)
            right.collect(column, into: &rightWork)
            delay(&leftWork, &rightWork, column: column)
            add(&leftWork, &rightWork)
            scale(&leftWork)
            mono.store(leftWork.span, column: column)
            twin.measure(leftWork.span, &rightWork, column: column)
            for band in 0..<StereoStatistics.bandCount {
                let values = StereoStatistics.Values(
                    left: self.left[band], right: self.right[band], product: product[band], mono: twin.mono[band],
                    twin: twin.twin[band], cross: twin.cross[band])
                statistics.store(values, band: band, column: column)
            }
            synthesis.synthesize32(&leftWork, columnCount: 4, into: &core, at: 32 * column, tables: QMFTables.shared)
        }
        leftAnalysis.advance(columnCount: SubbandColumns.columnCount)
        rightAnalysis.advance(columnCount: SubbandColumns.columnCount)
        twin.advance()
    }

    /// Splits the low bands, and puts columns as far back as these are in place of the new ones.
    private mutating func delay(_ left: inout MutableSpan<ComplexVector>, _ right: inout MutableSpan<ComplexVector>, column: Int) {
        leftAnalysis.append(left.span, column: column)
        rightAnalysis.append(right.span, column: column)
        var low = leftLow.mutableSpan
        leftAnalysis.split(column, .bands20, into: &low, StereoTables.shared)
        low = rightLow.mutableSpan
        rightAnalysis.split(column, .bands20, into: &low, StereoTables.shared)
        let first = 64 &* ((column / 4) & 1)
        for subband in 3..<64 {
            swap(&left[subband], &leftPast[first &+ subband])
            swap(&right[subband], &rightPast[first &+ subband])
        }
    }

    /// Puts the sum of both channels in place of the left one, and measures.
    private mutating func add(_ left: inout MutableSpan<ComplexVector>, _ right: inout MutableSpan<ComplexVector>) {
        for band in 0..<StereoStatistics.bandCount {
            self.left[band] = SIMD4(repeating: 0)
            self.right[band] = SIMD4(repeating: 0)
            product[band] = SIMD4(repeating: 0)
            sum[band] = SIMD4(repeating: 0)
        }
        for part in 0..<StereoBands.bands20.lowBandCount {
            let band = StereoBands.bands20.stereoBand(ofLowBand: part)
            // At negative frequencies phases run the other way.
            let isConjugated = StereoBands.bands20.conjugatedLowBands.contains(part)
            leftLow[part] = measure(leftLow[part], rightLow[part], band: band, sign: isConjugated ? -1 : 1)
        }
        for subband in StereoBands.bands20.splitSubbandCount..<64 {
            let band = StereoBands.bands20.stereoBand(ofSubband: subband)
            left[subband] = measure(left[subband], right[subband], band: band, sign: 1)
        }
    }

    @inline(__always)
    private mutating func measure(_ a: ComplexVector, _ b: ComplexVector, band: Int, sign: Float) -> ComplexVector {
        left[band] += a.real * a.real + a.imaginary * a.imaginary
        right[band] += b.real * b.real + b.imaginary * b.imaginary
        product[band] += a.real * b.real + a.imaginary * b.imaginary
        let weights = levels[band].weights
        let cosine = weights.y * levels[band].turn.x
        let sine = weights.y * levels[band].turn.y * sign
        let mixed = ComplexVector(
            a.real * weights.x + (b.real * cosine - b.imaginary * sine),
            a.imaginary * weights.x + (b.real * sine + b.imaginary * cosine))
        sum[band] += mixed.real * mixed.real + mixed.imaginary * mixed.imaginary
        return mixed
    }

    /// Gives each band its energy, and adds up the parts of split subbands.
    private mutating func scale(_ mono: inout MutableSpan<ComplexVector>) {
        var gains = InlineArray<20, SIMD4<Float>>(repeating: SIMD4(repeating: 0))
        for band in 0..<StereoStatistics.bandCount { gains[band] = nextGains(band) }
        for subband in 0..<3 { mono[subband] = .zero }
        for part in 0..<StereoBands.bands20.lowBandCount {
            let subband = part < 6 ? 0 : part < 8 ? 1 : 2
            let value = leftLow[part] * gains[StereoBands.bands20.stereoBand(ofLowBand: part)]
            twin.setLowBand(part, value)
            mono[subband] = mono[subband] + value
        }
        for subband in 3..<64 {
            mono[subband] = mono[subband] * gains[StereoBands.bands20.stereoBand(ofSubband: subband)]
        }
    }

    /// The gains of four columns, which lead from the last gain to the next.
    private mutating func nextGains(_ band: Int) -> SIMD4<Float> {
        let total = left[band].laneSum + right[band].laneSum
        let before = levels[band].gain
        // The mean of both energies, against that of the sum.
        let ratio = total / max(2 * sum[band].laneSum, 1e-3)
        let gain = min(max(ratio, Self.smallestGain * Self.smallestGain), Self.largestGain * Self.largestGain).squareRoot()
        levels[band].gain = gain
        turnRight(band)
        turnAxis(band)
        return SIMD4(repeating: before) + SIMD4(0.25, 0.5, 0.75, 1) * (gain - before)
    }

    /// Follows the principal axis: the eigenvector of energies and product to the larger eigenvalue.
    private mutating func turnAxis(_ band: Int) {
        levels[band].left += Self.rate * (left[band].laneSum - levels[band].left)
        levels[band].right += Self.rate * (right[band].laneSum - levels[band].right)
        levels[band].product += Self.rate * (product[band].laneSum - levels[band].product)
        let total = levels[band].left + levels[band].right
        guard total > Self.silence else { return }
        let product = max(levels[band].product, 0) + Self.diagonalShare * total
        let difference = (levels[band].left - levels[band].right) / 2
        let root = (difference * difference + product * product).squareRoot()
        let axis = difference > 0 ? SIMD2(difference + root, product) : SIMD2(product, root - difference)
        let length = (axis.x * axis.x + axis.y * axis.y).squareRoot()
        let scale = Float(2).squareRoot() / length
        levels[band].weights = SIMD2(axis.x * scale, axis.y * scale)
    }

    /// Turns the right channel towards the left where they cancel.
    private mutating func turnRight(_ band: Int) {
        let total = left[band].laneSum + right[band].laneSum
        levels[band].slowTotal += Self.slowRate * (total - levels[band].slowTotal)
        levels[band].slowProduct += Self.slowRate * (2 * product[band].laneSum - levels[band].slowProduct)
        let coherence = levels[band].slowProduct / max(levels[band].slowTotal, 1e-3)
        let wanted = min(max(1 + (coherence - Self.firstTurned) * (2 / (Self.firstTurned - Self.fullyTurned)), -1), 1)
        let before = levels[band].turn.x
        let next = before + min(max(wanted - before, -Self.turnStep), Self.turnStep)
        guard next != before else { return }
        levels[band].turn = SIMD2(next, max(0, 1 - next * next).squareRoot())
    }

    /// The share of four columns in the energies that set the axis, and in those that set the turn.
    private static let rate: Float = 0.2
    private static let slowRate: Float = 0.1
    /// Gains of the sum: half is that of channels alike, and 6 dB above it the most.
    private static let smallestGain: Float = 0.5
    private static let largestGain: Float = 1
    /// The share of both energies in the product, so that without coherence the axis is the middle.
    private static let diagonalShare: Float = 0.02
    /// Energy below which the axis stays where it is.
    private static let silence: Float = 1
    /// Coherence where turning begins and where it is half a turn, and the most that its cosine changes in four columns.
    private static let firstTurned: Float = -0.3
    private static let fullyTurned: Float = -0.7
    private static let turnStep: Float = 0.1
}

extension SubbandColumns {
    /// Puts four columns from `column` on, one in each lane, into the 64 bands of `bands`.
    @inline(__always)
    func collect(_ column: Int, into bands: inout MutableSpan<ComplexVector>) {
        let reals = real.span.extracting(Self.rowCount &* column..<Self.rowCount &* column &+ 64)
        let imaginaries = imaginary.span.extracting(Self.rowCount &* column..<Self.rowCount &* column &+ 64)
        var bands = bands._mutatingExtracting(0..<64)
        for row in 0..<Self.rowCount {
            let r = SIMD4<Float>.transposed(reals[row], reals[row &+ 16], reals[row &+ 32], reals[row &+ 48])
            let i = SIMD4<Float>.transposed(
                imaginaries[row], imaginaries[row &+ 16], imaginaries[row &+ 32], imaginaries[row &+ 48])
            bands[4 &* row] = ComplexVector(r.0, i.0)
            bands[4 &* row &+ 1] = ComplexVector(r.1, i.1)
            bands[4 &* row &+ 2] = ComplexVector(r.2, i.2)
            bands[4 &* row &+ 3] = ComplexVector(r.3, i.3)
        }
    }

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
