// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// How two channels become one in each stereo band: along their principal axis, with the mean of their energies.
///
/// What cancels in the sum is made up for, by 6 dB at most; where the channels are in opposite phase, one is turned first.
struct PrincipalAxisTracker: ~Copyable {
    /// What the channels of a band are multiplied with: the left one, then the real and the imaginary part for the right one.
    private(set) var weights: [20 of SIMD4<Float>] = .init(repeating: SIMD4(1, 1, 0, 0))
    /// What the sum is multiplied with in four columns, which lead from the last gain to the next.
    private(set) var gains: [20 of SIMD4<Float>] = .init(repeating: SIMD4(repeating: 0.5))

    private var rows: [5 of Row] = .init(repeating: Row())

    /// What is remembered of four bands, one in each lane.
    fileprivate struct Row {
        /// Energies of the channels and their product, over some 25 ms.
        var left = SIMD4<Float>(repeating: 0)
        var right = SIMD4<Float>(repeating: 0)
        var product = SIMD4<Float>(repeating: 0)
        /// The root of two times a direction.
        var axisX = SIMD4<Float>(repeating: 1)
        var axisY = SIMD4<Float>(repeating: 1)
        /// Twice the product against the energy of both channels, from -1 (opposite phase) to 1, over a longer time.
        var slowTotal = SIMD4<Float>(repeating: 0)
        var slowProduct = SIMD4<Float>(repeating: 0)
        /// The cosine of what the right channel is turned by.
        var turn = SIMD4<Float>(repeating: 1)
        /// What the sum was multiplied with last.
        var gain = SIMD4<Float>(repeating: 0.5)
    }

    /// The share of four columns in the energies that set the axis, and in those that set the turn.
    fileprivate static let rate: Float = 0.2
    fileprivate static let slowRate: Float = 0.1
    /// Gains of the sum: half is that of channels alike, and 6 dB above it the most.
    fileprivate static let smallestGain: Float = 0.5
    fileprivate static let largestGain: Float = 1
    /// The share of both energies in the product, so that without coherence the axis is the middle.
    fileprivate static let diagonalShare: Float = 0.02
    /// Energy below which the axis stays where it is.
    fileprivate static let silence: Float = 1
    /// Coherence where turning begins and where it is half a turn, and the most that its cosine changes in four columns.
    fileprivate static let firstTurned: Float = -0.3
    fileprivate static let fullyTurned: Float = -0.7
    fileprivate static let turnStep: Float = 0.1

    /// Makes axes in the middle.
    init() {}

    /// Follows energies and products of the channels, and the energy of their sum, in four columns, one in each lane.
    mutating func follow(
        left: Span<SIMD4<Float>>, right: Span<SIMD4<Float>>, product: Span<SIMD4<Float>>, sum: Span<SIMD4<Float>>
    ) {
        for index in 0..<5 {
            var row = rows[index]
            let total = Self.total(left, index) + Self.total(right, index)
            setGains(index, from: row.gain, to: row.nextGain(total: total, sum: Self.total(sum, index)))
            row.turnRight(total: total, product: Self.total(product, index))
            row.turnAxis(left: Self.total(left, index), right: Self.total(right, index), product: Self.total(product, index))
            rows[index] = row
            setWeights(index)
        }
    }

    /// The sums over the lanes of four bands.
    @inline(__always)
    private static func total(_ bands: Span<SIMD4<Float>>, _ row: Int) -> SIMD4<Float> {
        let columns = SIMD4<Float>.transposed(
            bands[4 &* row], bands[4 &* row &+ 1], bands[4 &* row &+ 2], bands[4 &* row &+ 3])
        return (columns.0 + columns.1) + (columns.2 + columns.3)
    }

    @inline(__always)
    private mutating func setGains(_ row: Int, from before: SIMD4<Float>, to gain: SIMD4<Float>) {
        let step = gain - before
        let bands = SIMD4<Float>.transposed(before + step * 0.25, before + step * 0.5, before + step * 0.75, before + step)
        gains[4 &* row] = bands.0
        gains[4 &* row &+ 1] = bands.1
        gains[4 &* row &+ 2] = bands.2
        gains[4 &* row &+ 3] = bands.3
    }

    @inline(__always)
    private mutating func setWeights(_ row: Int) {
        let turn = rows[row].turn
        let zero = SIMD4<Float>(repeating: 0)
        let sine = (SIMD4(repeating: 1) - turn * turn).maximum(zero).squareRoots
        let bands = SIMD4<Float>.transposed(rows[row].axisX, rows[row].axisY * turn, rows[row].axisY * sine, zero)
        weights[4 &* row] = bands.0
        weights[4 &* row &+ 1] = bands.1
        weights[4 &* row &+ 2] = bands.2
        weights[4 &* row &+ 3] = bands.3
    }
}

extension PrincipalAxisTracker.Row {
    /// Makes the energy of the sum the mean of both.
    @inline(__always)
    fileprivate mutating func nextGain(total: SIMD4<Float>, sum: SIMD4<Float>) -> SIMD4<Float> {
        let smallest = PrincipalAxisTracker.smallestGain * PrincipalAxisTracker.smallestGain
        let largest = PrincipalAxisTracker.largestGain * PrincipalAxisTracker.largestGain
        let ratio = total / (sum * 2).maximum(SIMD4(repeating: 1e-3))
        gain = ratio.maximum(SIMD4(repeating: smallest)).minimum(SIMD4(repeating: largest)).squareRoots
        return gain
    }

    /// Turns the right channel towards the left where they cancel.
    @inline(__always)
    fileprivate mutating func turnRight(total: SIMD4<Float>, product: SIMD4<Float>) {
        slowTotal += (total - slowTotal) * PrincipalAxisTracker.slowRate
        slowProduct += (product * 2 - slowProduct) * PrincipalAxisTracker.slowRate
        let coherence = slowProduct / slowTotal.maximum(SIMD4(repeating: 1e-3))
        let one = SIMD4<Float>(repeating: 1)
        let slope: Float = 2 / (PrincipalAxisTracker.firstTurned - PrincipalAxisTracker.fullyTurned)
        let wanted = (one + (coherence - SIMD4(repeating: PrincipalAxisTracker.firstTurned)) * slope)
            .maximum(SIMD4(repeating: -1)).minimum(one)
        let step = SIMD4<Float>(repeating: PrincipalAxisTracker.turnStep)
        turn += (wanted - turn).maximum(SIMD4(repeating: 0) - step).minimum(step)
    }

    /// Follows the principal axis: the eigenvector of energies and product to the larger eigenvalue.
    @inline(__always)
    fileprivate mutating func turnAxis(left newLeft: SIMD4<Float>, right newRight: SIMD4<Float>, product newProduct: SIMD4<Float>) {
        left += (newLeft - left) * PrincipalAxisTracker.rate
        right += (newRight - right) * PrincipalAxisTracker.rate
        product += (newProduct - product) * PrincipalAxisTracker.rate
        let zero = SIMD4<Float>(repeating: 0)
        let total = left + right
        let common = product.maximum(zero) + total * PrincipalAxisTracker.diagonalShare
        let difference = (left - right) * 0.5
        let root = (difference * difference + common * common).squareRoots
        let isLeft = difference .> zero
        let x = common.replacing(with: difference + root, where: isLeft)
        let y = (root - difference).replacing(with: common, where: isLeft)
        let scale = SIMD4(repeating: Float(2).squareRoot()) / (x * x + y * y).squareRoots
        let isHeard = total .> SIMD4(repeating: PrincipalAxisTracker.silence)
        axisX.replace(with: x * scale, where: isHeard)
        axisY.replace(with: y * scale, where: isHeard)
    }
}
