// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The energies and products for stereo parameter estimation, by stereo band and time slot, over the last four frames.
package struct StereoStatistics: ~Copyable {
    /// The number of stored time slots, a power of two: at least four frames.
    static let qmfSlotCount = 128
    static let bandCount = 20

    /// The quantities of each band and time slot.
    package enum Quantity: Int, CaseIterable {
        /// The energies of the two channels.
        case left, right
        /// The real part of left times the conjugate of right.
        case product
        /// The energies of the downmix and of the decoder's decorrelated signal.
        case mono, decorrelated
        /// The real part of the downmix times the conjugate of the decorrelated signal.
        case cross
    }

    /// The number of four-band vectors per quantity and time slot.
    private static let bandRows = 5
    /// The number of four-band vectors per time slot.
    private static let rowCount = 30

    /// The number of vectors of all time slots.
    private static let vectorCount = qmfSlotCount * rowCount

    /// A ring of time slots, or of sums over four time slots.
    private var qmfSlots = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: vectorCount)
    /// The ring index of the first of the newest time slots.
    private var newest = 0
    /// The number of newest time slots.
    private var newestCount = 0
    /// The most recent sums over time slots.
    private var sums = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: rowCount)

    /// Whether to store sums over four time slots, which then have the same weight.
    private let mergesQMFSlots: Bool

    /// Creates the statistics of silence.
    ///
    /// - Parameter mergesQMFSlots: Whether to store sums over four time slots, which then have the same weight.
    package init(mergesQMFSlots: Bool) { self.mergesQMFSlots = mergesQMFSlots }

    /// Starts the next `count` time slots, a multiple of four.
    package mutating func advance(_ count: Int) {
        newest = (newest &+ newestCount) & (Self.qmfSlotCount &- 1)
        newestCount = count
    }

    /// Stores one quantity of all bands in four time slots, one per lane.
    ///
    /// `qmfSlot` is relative to the newest time slots.
    @inline(__always)
    package mutating func store(_ quantity: Quantity, _ bands: Span<SIMD4<Float>>, qmfSlot: Int) {
        let bands = bands.extracting(0..<Self.bandCount)
        let position = (newest &+ qmfSlot) & (Self.qmfSlotCount &- 1)
        let index = mergesQMFSlots ? position / 4 : position
        let first = Self.rowCount &* index &+ Self.bandRows &* quantity.rawValue
        var target = qmfSlots.mutableSpan(first: Self.vectorCount)
        for row in 0..<Self.bandRows {
            let four = SIMD4<Float>.transposed(
                bands[4 &* row], bands[4 &* row &+ 1], bands[4 &* row &+ 2], bands[4 &* row &+ 3])
            if mergesQMFSlots {
                target[first &+ row] = (four.0 + four.1) + (four.2 + four.3)
                continue
            }
            target[first &+ row] = four.0
            target[first &+ row &+ Self.rowCount] = four.1
            target[first &+ row &+ 2 &* Self.rowCount] = four.2
            target[first &+ row &+ 3 &* Self.rowCount] = four.3
        }
    }

    /// Computes weighted sums over time slots.
    ///
    /// - Parameters:
    ///   - first: The first time slot, relative to the oldest.
    ///   - weights: The weights of time slots, each in all lanes. Count is a multiple of four.
    package mutating func sum(from first: Int, weights: Span<SIMD4<Float>>) {
        let oldest = newest &+ newestCount &+ first
        if mergesQMFSlots { return sumMergedQMFSlots(from: oldest / 4, weights: weights) }
        let all = qmfSlots.span(first: Self.vectorCount)
        var target = sums.mutableSpan(first: Self.rowCount)
        for row in 0..<Self.rowCount {
            var sum0 = SIMD4<Float>(repeating: 0)
            var (sum1, sum2, sum3) = (sum0, sum0, sum0)
            for index in Swift.stride(from: 0, to: weights.count, by: 4) {
                let qmfSlot = oldest &+ index
                sum0 += all[Self.index(qmfSlot, row)] * weights[index]
                sum1 += all[Self.index(qmfSlot &+ 1, row)] * weights[index &+ 1]
                sum2 += all[Self.index(qmfSlot &+ 2, row)] * weights[index &+ 2]
                sum3 += all[Self.index(qmfSlot &+ 3, row)] * weights[index &+ 3]
            }
            target[row] = (sum0 + sum1) + (sum2 + sum3)
        }
    }

    /// Computes weighted sums over sums of four time slots.
    private mutating func sumMergedQMFSlots(from first: Int, weights: Span<SIMD4<Float>>) {
        let all = qmfSlots.span(first: Self.vectorCount)
        var target = sums.mutableSpan(first: Self.rowCount)
        for row in 0..<Self.rowCount { target[row] = SIMD4(repeating: 0) }
        for four in 0..<weights.count / 4 {
            let weight = (weights[4 &* four &+ 1] + weights[4 &* four &+ 2]) * 0.5
            let offset = Self.rowCount &* ((first &+ four) & (Self.qmfSlotCount / 4 &- 1))
            for row in 0..<Self.rowCount { target[row] += all[offset &+ row] * weight }
        }
    }

    /// Returns the ring index of a row of a time slot.
    private static func index(_ qmfSlot: Int, _ row: Int) -> Int { rowCount &* (qmfSlot & (qmfSlotCount &- 1)) &+ row }

    /// The weighted sums of one band; see ``Quantity``.
    package struct Sums {
        /// The energy of the left channel.
        package var left: Float
        /// The energy of the right channel.
        package var right: Float
        /// The product of both channels.
        package var product: Float
        /// The energy of the downmix.
        package var mono: Float
        /// The energy of the decorrelated signal.
        package var decorrelated: Float
        /// The product of downmix and decorrelated signal.
        package var cross: Float

        package init(left: Float, right: Float, product: Float, mono: Float, decorrelated: Float, cross: Float) {
            self.left = left
            self.right = right
            self.product = product
            self.mono = mono
            self.decorrelated = decorrelated
            self.cross = cross
        }

        static func + (a: Sums, b: Sums) -> Sums {
            Sums(
                left: a.left + b.left, right: a.right + b.right, product: a.product + b.product, mono: a.mono + b.mono,
                decorrelated: a.decorrelated + b.decorrelated, cross: a.cross + b.cross)
        }
    }

    package func sums(_ band: Int) -> Sums {
        let (all, row, lane) = (sums.span(first: Self.rowCount), band / 4, band & 3)
        return Sums(
            left: all[row][lane], right: all[row &+ Self.bandRows][lane], product: all[row &+ 2 &* Self.bandRows][lane],
            mono: all[row &+ 3 &* Self.bandRows][lane], decorrelated: all[row &+ 4 &* Self.bandRows][lane],
            cross: all[row &+ 5 &* Self.bandRows][lane])
    }
}
