// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The downmix weights of each stereo band: the projection of two channels on their principal axis, with the mean of their energies.
///
/// A gain of up to 6 dB compensates for cancellation in the sum. If the channels are in opposite phase, the right one is rotated first.
package struct PrincipalAxisTracker: ~Copyable {
    /// The weights of each stereo band: of the left channel, then the real and imaginary parts for the right channel.
    package private(set) var weights = FixedArray<SIMD4<Float>>(repeating: SIMD4(1, 1, 0, 0), count: StereoStatistics.bandCount)
    /// The gains of the sum in four time slots, interpolated from the previous to the new gain.
    package private(set) var gains = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0.5), count: StereoStatistics.bandCount)

    /// The states of the 20 stereo bands.
    private var rows = FixedArray<Row>(repeating: Row(), count: StereoStatistics.bandCount / 4)

    /// The state of four stereo bands, one per lane.
    fileprivate struct Row {
        /// The energy of the left channel, smoothed over about 25 ms.
        var left = SIMD4<Float>(repeating: 0)
        /// The energy of the right channel, smoothed over about 25 ms.
        var right = SIMD4<Float>(repeating: 0)
        /// The product of both channels, smoothed over about 25 ms.
        var product = SIMD4<Float>(repeating: 0)
        /// The first component of the principal axis, which has length sqrt(2).
        var axisX = SIMD4<Float>(repeating: 1)
        /// The second component of the principal axis.
        var axisY = SIMD4<Float>(repeating: 1)
        /// The energy of both channels, with slow smoothing.
        var slowTotal = SIMD4<Float>(repeating: 0)
        /// Twice the product of both channels, with slow smoothing.
        var slowProduct = SIMD4<Float>(repeating: 0)
        /// The cosine of the right channel's rotation angle.
        var rotation = SIMD4<Float>(repeating: 1)
        /// The most recent gain of the sum.
        var gain = SIMD4<Float>(repeating: 0.5)
    }

    /// The smoothing coefficient per four time slots of the energies that determine the axis.
    ///
    /// Measured in SBR.md#parametric-stereo.
    fileprivate static let smoothing: Float = 0.2
    /// The smoothing coefficient per four time slots of the energies that determine the rotation.
    fileprivate static let slowSmoothing: Float = 0.1
    /// The minimum gain of the sum, for identical channels.
    fileprivate static let minimumGain: Float = 0.5
    /// The maximum gain of the sum.
    fileprivate static let maximumGain: Float = 1
    /// The fraction of both energies added to the product, which centres the axis of uncorrelated channels.
    fileprivate static let diagonalWeight: Float = 0.02
    /// The energy below which the axis does not change.
    fileprivate static let silence: Float = 1
    /// The coherence at which the rotation of the right channel starts.
    fileprivate static let rotationStart: Float = -0.3
    /// The coherence at which the rotation is half a turn.
    fileprivate static let fullRotation: Float = -0.7
    /// The maximum change of the cosine of the rotation per four time slots.
    fileprivate static let rotationStep: Float = 0.1

    package init() {}

    mutating func reset() {
        weights.fill(SIMD4(1, 1, 0, 0))
        gains.fill(SIMD4(repeating: 0.5))
        rows.fill(Row())
    }

    /// Updates weights and gains from the stereo bands of four time slots, one per lane.
    ///
    /// - Parameters:
    ///   - left: The energies of the left channel.
    ///   - right: The energies of the right channel.
    ///   - product: The real parts of left times the conjugate of right.
    ///   - sum: The energies of the weighted sum.
    package mutating func update(
        left: Span<SIMD4<Float>>, right: Span<SIMD4<Float>>, product: Span<SIMD4<Float>>, sum: Span<SIMD4<Float>>
    ) {
        for index in 0..<5 {
            var row = rows[index]
            let total = Self.total(left, index) + Self.total(right, index)
            setGains(index, from: row.gain, to: row.nextGain(total: total, sum: Self.total(sum, index)))
            row.rotateRight(total: total, product: Self.total(product, index))
            row.updateAxis(left: Self.total(left, index), right: Self.total(right, index), product: Self.total(product, index))
            rows[index] = row
            setWeights(index)
        }
    }

    /// Returns the sums over the lanes of four bands.
    @inline(__always)
    private static func total(_ bands: Span<SIMD4<Float>>, _ row: Int) -> SIMD4<Float> {
        let qmfSlots = SIMD4<Float>.transposed(
            bands[4 &* row], bands[4 &* row &+ 1], bands[4 &* row &+ 2], bands[4 &* row &+ 3])
        return (qmfSlots.0 + qmfSlots.1) + (qmfSlots.2 + qmfSlots.3)
    }

    /// Sets the gains of four bands, interpolated over four time slots.
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
        let rotation = rows[row].rotation
        let zero = SIMD4<Float>(repeating: 0)
        let sine = (SIMD4(repeating: 1) - rotation * rotation).maximum(zero).squareRoots
        let bands = SIMD4<Float>.transposed(rows[row].axisX, rows[row].axisY * rotation, rows[row].axisY * sine, zero)
        weights[4 &* row] = bands.0
        weights[4 &* row &+ 1] = bands.1
        weights[4 &* row &+ 2] = bands.2
        weights[4 &* row &+ 3] = bands.3
    }
}

extension PrincipalAxisTracker.Row {
    /// Updates and returns the gain that makes the energy of the sum the mean of both channels' energies.
    @inline(__always)
    fileprivate mutating func nextGain(total: SIMD4<Float>, sum: SIMD4<Float>) -> SIMD4<Float> {
        let smallest = PrincipalAxisTracker.minimumGain * PrincipalAxisTracker.minimumGain
        let largest = PrincipalAxisTracker.maximumGain * PrincipalAxisTracker.maximumGain
        let ratio = total / (sum * 2).maximum(SIMD4(repeating: 1e-3))
        gain = ratio.maximum(SIMD4(repeating: smallest)).minimum(SIMD4(repeating: largest)).squareRoots
        return gain
    }

    /// Updates the rotation of the right channel, towards the left one if they cancel.
    @inline(__always)
    fileprivate mutating func rotateRight(total: SIMD4<Float>, product: SIMD4<Float>) {
        slowTotal += (total - slowTotal) * PrincipalAxisTracker.slowSmoothing
        slowProduct += (product * 2 - slowProduct) * PrincipalAxisTracker.slowSmoothing
        let coherence = slowProduct / slowTotal.maximum(SIMD4(repeating: 1e-3))
        let one = SIMD4<Float>(repeating: 1)
        let slope: Float = 2 / (PrincipalAxisTracker.rotationStart - PrincipalAxisTracker.fullRotation)
        let wanted = (one + (coherence - SIMD4(repeating: PrincipalAxisTracker.rotationStart)) * slope)
            .maximum(SIMD4(repeating: -1)).minimum(one)
        let step = SIMD4<Float>(repeating: PrincipalAxisTracker.rotationStep)
        rotation += (wanted - rotation).maximum(SIMD4(repeating: 0) - step).minimum(step)
    }

    /// Updates the principal axis: the eigenvector of the covariance matrix for its larger eigenvalue.
    @inline(__always)
    fileprivate mutating func updateAxis(left newLeft: SIMD4<Float>, right newRight: SIMD4<Float>, product newProduct: SIMD4<Float>) {
        left += (newLeft - left) * PrincipalAxisTracker.smoothing
        right += (newRight - right) * PrincipalAxisTracker.smoothing
        product += (newProduct - product) * PrincipalAxisTracker.smoothing
        let zero = SIMD4<Float>(repeating: 0)
        let total = left + right
        let common = product.maximum(zero) + total * PrincipalAxisTracker.diagonalWeight
        let difference = (left - right) * 0.5
        let root = (difference * difference + common * common).squareRoots
        let isLeft = difference .> zero
        let x = common.replacing(with: difference + root, where: isLeft)
        let y = (root - difference).replacing(with: common, where: isLeft)
        let scale = SIMD4(repeating: Float(2).squareRoot()) / (x * x + y * y).squareRoots
        let isAudible = total .> SIMD4(repeating: PrincipalAxisTracker.silence)
        axisX.replace(with: x * scale, where: isAudible)
        axisY.replace(with: y * scale, where: isAudible)
    }
}
