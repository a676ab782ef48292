// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The downmix of two channels to one in the QMF domain, with the mean of their energies in every stereo band.
///
/// The decoder distributes the downmix energy to both channels (ISO/IEC 14496-3:2009, 8.6.4.6), so that their total energy matches the
/// original. Each stereo band is projected on the principal axis of its channels (``PrincipalAxisTracker``), which preserves a panned
/// source at any position.
package struct StereoDownmix: ~Copyable {
    private var left: Channel
    private var right: Channel
    /// The index of the oldest group, which is overwritten next.
    private var group = 0
    /// The weights and gains of the channels.
    private var axes = PrincipalAxisTracker()
    private var decorrelated: DecorrelatedSignalModel
    /// The energies of the left channel in the current group, one time slot per lane, by stereo band.
    private var leftEnergies = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: StereoStatistics.bandCount)
    /// The energies of the right channel in the same layout.
    private var rightEnergies = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: StereoStatistics.bandCount)
    /// The products of both channels in the same layout.
    private var products = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: StereoStatistics.bandCount)
    /// The energies of the weighted sum in the same layout.
    private var sumEnergies = FixedArray<SIMD4<Float>>(repeating: SIMD4(repeating: 0), count: StereoStatistics.bandCount)

    /// The sum, in four time slots.
    private var mixed = FixedArray<ComplexVector>(repeating: .zero, count: 64)
    /// Workspace for filter banks and decorrelator.
    private var work = FixedArray<ComplexVector>(repeating: .zero, count: 64)
    /// The delay, in time slots.
    package static let delay = HybridAnalysis.encoderDelay

    /// The number of stored groups of four time slots.
    ///
    /// The hybrid filters need the newest group to split the oldest.
    private static let groupCount = 3
    private static let bands = StereoBands.bands20

    /// Creates a downmix with zeroed history.
    ///
    /// - Parameters:
    ///   - qmfSlotCount: The maximum number of time slots per frame.
    ///   - isFast: Whether to estimate the decorrelated signal of the higher bands instead of measuring it.
    ///   - isSurround: Whether the decoder is that of MPEG Surround 2-1-2.
    package init(qmfSlotCount: Int, isFast: Bool, isSurround: Bool = false) {
        left = Channel(qmfSlotCount: qmfSlotCount)
        right = Channel(qmfSlotCount: qmfSlotCount)
        decorrelated = DecorrelatedSignalModel(
            qmfSlotCount: qmfSlotCount, bandLimit: isFast ? DecorrelatedSignalModel.fastBandLimit : StereoStatistics.bandCount,
            isSurround: isSurround)
    }

    mutating func reset() {
        left.reset()
        right.reset()
        group = 0
        axes.reset()
        decorrelated.reset()
    }

    /// Mixes the time slots of a frame that form whole groups of four.
    ///
    /// - Parameters:
    ///   - input: The filter banks of both channels, after the frame's samples were appended.
    ///   - output: Receives the time slots with their energies and products.
    ///   - synthesizesCore: Whether `output` also receives the core's samples.
    package mutating func mix(_ input: borrowing StereoFilterBanks, into output: inout StereoDownmixOutput, synthesizesCore: Bool) {
        let qmfSlotCount = input.left.readyQMFSlotCount
        for qmfSlot in stride(from: 0, to: qmfSlotCount, by: 4) {
            let newest = 64 &* group..<64 &* group &+ 64
            group = group == Self.groupCount - 1 ? 0 : group &+ 1
            left.append(input.left, qmfSlot: qmfSlot, group: newest, work: &work)
            right.append(input.right, qmfSlot: qmfSlot, group: newest, work: &work)
            sum()
            axes.update(left: leftEnergies.span, right: rightEnergies.span, product: products.span, sum: sumEnergies.span)
            scale()
            output.store(mixed.span, qmfSlot: qmfSlot)
            measure(qmfSlot: qmfSlot, into: &output.statistics)
            if synthesizesCore { output.synthesizeCore(&mixed, work: &work, qmfSlot: qmfSlot) }
        }
        left.analysis.advance(qmfSlotCount: qmfSlotCount)
        right.analysis.advance(qmfSlotCount: qmfSlotCount)
        decorrelated.advance(qmfSlotCount: qmfSlotCount)
    }

    /// Computes the weighted sum of both channels and measures their energies.
    ///
    /// Subbands are stored in ``mixed``. Hybrid bands replace the left channel's.
    private mutating func sum() {
        for band in 0..<Self.bands.splitBandCount { store(BandSums(), band) }
        for part in 0..<Self.bands.lowBandCount {
            let band = Self.bands.stereoBand(ofLowBand: part)
            // At negative frequencies the phase is inverted.
            let isConjugated = Self.bands.conjugatedLowBands.contains(part)
            let mixer = Mixer(axes.weights[band], sign: isConjugated ? -1 : 1)
            var sums = BandSums(
                left: leftEnergies[band], right: rightEnergies[band], product: products[band], sum: sumEnergies[band])
            left.low[part] = sums.add(left.low[part], right.low[part], mixer)
            store(sums, band)
        }
        let oldest = 64 &* group..<64 &* group &+ 64
        let (lefts, rights) = (left.groups.span.extracting(oldest), right.groups.span.extracting(oldest))
        var mixed = mixed.mutableSpan(first: 64)
        for band in Self.bands.splitBandCount..<StereoStatistics.bandCount {
            let mixer = Mixer(axes.weights[band], sign: 1)
            var sums = BandSums()
            for subband in StereoBands.bands20.subbands(ofBand: band) {
                mixed[subband] = sums.add(lefts[subband], rights[subband], mixer)
            }
            leftEnergies[band] = sums.left
            rightEnergies[band] = sums.right
            products[band] = sums.product
            sumEnergies[band] = sums.sum
        }
    }

    private mutating func store(_ sums: BandSums, _ band: Int) {
        leftEnergies[band] = sums.left
        rightEnergies[band] = sums.right
        products[band] = sums.product
        sumEnergies[band] = sums.sum
    }

    /// Applies each stereo band's gain, and sums the hybrid bands to the split subbands.
    private mutating func scale() {
        var mixed = mixed.mutableSpan(first: 64)
        for subband in 0..<Self.bands.splitSubbandCount { mixed[subband] = .zero }
        for part in 0..<Self.bands.lowBandCount {
            let subband = part < 6 ? 0 : part < 8 ? 1 : 2
            let value = left.low[part] * axes.gains[Self.bands.stereoBand(ofLowBand: part)]
            decorrelated.setLowBand(part, value)
            mixed[subband] = mixed[subband] + value
        }
        for band in Self.bands.splitBandCount..<StereoStatistics.bandCount {
            let gain = axes.gains[band]
            for subband in StereoBands.bands20.subbands(ofBand: band) { mixed[subband] = mixed[subband] * gain }
        }
    }

    /// Measures the decorrelated signal of four time slots, and stores all energies and products.
    private mutating func measure(qmfSlot: Int, into statistics: inout StereoStatistics) {
        for band in decorrelated.bandLimit..<StereoStatistics.bandCount {
            decorrelated.setEnergies(sumEnergies[band] * (axes.gains[band] * axes.gains[band]), ofBand: band)
        }
        var work = work.mutableSpan
        decorrelated.measure(mixed.span, work: &work, qmfSlot: qmfSlot)
        statistics.store(.left, leftEnergies.span, qmfSlot: qmfSlot)
        statistics.store(.right, rightEnergies.span, qmfSlot: qmfSlot)
        statistics.store(.product, products.span, qmfSlot: qmfSlot)
        decorrelated.store(into: &statistics, qmfSlot: qmfSlot)
    }
}

extension StereoDownmix {
    private struct Channel: ~Copyable {
        var analysis: HybridAnalysis
        /// The hybrid bands of the oldest group.
        var low = FixedArray<ComplexVector>(repeating: .zero, count: bands.lowBandCount)
        /// The last three groups of four time slots, with 64 subbands each.
        var groups = FixedArray<ComplexVector>(repeating: .zero, count: 64 * groupCount)

        init(qmfSlotCount: Int) { analysis = HybridAnalysis(qmfSlotCount: qmfSlotCount) }

        mutating func reset() {
            analysis.reset()
            groups.fill(.zero)
        }

        /// Analyses the next four time slots into the subbands at `group`, and splits the lowest subbands of the group before the previous
        /// one.
        @inline(__always)
        mutating func append(
            _ bank: borrowing QMFAnalysis64, qmfSlot: Int, group: Range<Int>, work: inout FixedArray<ComplexVector>
        ) {
            var all = groups.mutableSpan
            var newest = all._mutatingExtracting(group)
            var work = work.mutableSpan
            bank.split(from: qmfSlot, into: &newest, work: &work)
            analysis.append(newest.span, qmfSlot: qmfSlot)
            var target = low.mutableSpan
            analysis.split(qmfSlot, isFine: false, into: &target)
        }
    }

    private struct Mixer {
        let left: SIMD4<Float>
        let right: ComplexVector

        @inline(__always)
        init(_ weights: SIMD4<Float>, sign: Float) {
            left = SIMD4(repeating: weights.x)
            right = ComplexVector(SIMD4(repeating: weights.y), SIMD4(repeating: weights.z * sign))
        }
    }

    /// The energies and the product of both channels in a band.
    private struct BandSums {
        var left = SIMD4<Float>(repeating: 0)
        var right = SIMD4<Float>(repeating: 0)
        /// The real part of left times the conjugate of right.
        var product = SIMD4<Float>(repeating: 0)
        /// The energy of the weighted sum.
        var sum = SIMD4<Float>(repeating: 0)

        /// Adds a subband and returns its weighted sum.
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
}

/// The analysis filter banks of two channels.
package struct StereoFilterBanks: ~Copyable {
    var left: QMFAnalysis64
    var right: QMFAnalysis64

    /// Creates filter banks with zeroed history.
    package init(_ layout: SlotLayout) {
        left = QMFAnalysis64(layout)
        right = QMFAnalysis64(layout)
    }

    package mutating func load(left leftSamples: Span<Float>, right rightSamples: Span<Float>) {
        left.load(leftSamples)
        right.load(rightSamples)
    }

    package mutating func advance() {
        left.advance()
        right.advance()
    }

    /// Makes `count` time slots of both channels pending, as in the middle of a stream.
    mutating func restart(pendingCount count: Int) {
        left.restart(pendingCount: count)
        right.restart(pendingCount: count)
    }
}

/// The output queue of a downmix, consumed in whole frames.
package struct StereoDownmixOutput: ~Copyable {
    /// The time slots of the last dequeued frame, then of the next one.
    package private(set) var qmfSlots: SubbandSlots
    /// The core samples of the last dequeued frame at half the sample rate, then of the next one.
    private var core: FixedArray<Float>
    /// The energies and products of the latest time slots.
    package var statistics: StereoStatistics
    private var synthesis = QMFSynthesis()
    /// The division of a frame into time slots.
    private let layout: SlotLayout
    /// The delay of ``qmfSlots`` relative to the core, in time slots.
    private let qmfSlotDelay: Int
    /// The number of available time slots of the next frame.
    private var restCount: Int

    /// Creates a silent output.
    ///
    /// - Parameters:
    ///   - qmfSlotDelay: The delay of ``qmfSlots`` relative to the core, in time slots.
    ///   - mergesQMFSlots: Whether the statistics are sums over four time slots.
    package init(_ layout: SlotLayout, qmfSlotDelay: Int, mergesQMFSlots: Bool) {
        self.layout = layout
        self.qmfSlotDelay = qmfSlotDelay
        restCount = layout.groupRest
        qmfSlots = SubbandSlots(qmfSlotCount: qmfSlotDelay + layout.groupRest + layout.qmfSlotCount + layout.groupedQMFSlotCount)
        core = FixedArray(
            repeating: 0, count: QMFAnalysis.bandCount * (layout.groupRest + layout.qmfSlotCount + layout.groupedQMFSlotCount))
        statistics = StereoStatistics(mergesQMFSlots: mergesQMFSlots)
    }

    /// The index in the statistics of the last dequeued frame's first time slot.
    var firstQMFSlot: Int { StereoStatistics.qmfSlotCount - restCount - layout.qmfSlotCount }

    /// Starts a frame: removes the last dequeued one.
    ///
    /// - Parameter newCount: The number of time slots that will be mixed.
    package mutating func begin(newCount: Int) {
        qmfSlots.moveToStart(qmfSlotDelay + restCount, from: layout.qmfSlotCount)
        let first = QMFAnalysis.bandCount * layout.qmfSlotCount
        core.copy(first..<first + QMFAnalysis.bandCount * restCount, to: 0)
        statistics.advance(newCount)
    }

    /// Stores four time slots of the mix.
    ///
    /// `qmfSlot` is relative to the time slots mixed in this frame.
    @inline(__always)
    mutating func store(_ bands: Span<ComplexVector>, qmfSlot: Int) {
        qmfSlots.store(bands, qmfSlot: qmfSlotDelay + restCount + qmfSlot)
    }

    /// Ends a frame after `newCount` time slots have been mixed, and passes the core samples to `body`.
    package mutating func take(newCount: Int, _ body: (Span<Float>) -> Void) {
        restCount += newCount - layout.qmfSlotCount
        body(core.span.extracting(0..<layout.coreFrameLength))
    }

    /// Sets the number of available time slots of the next frame from the number not yet split by its filter banks.
    mutating func restart(pendingCount: Int) { restCount = layout.groupRest - pendingCount }

    /// Synthesizes core samples from the lower 32 subbands of four time slots, which are overwritten.
    ///
    /// - Parameter work: Workspace for 64 values.
    mutating func synthesizeCore(
        _ bands: inout FixedArray<ComplexVector>, work: inout FixedArray<ComplexVector>, qmfSlot: Int
    ) {
        var bands = bands.mutableSpan
        var work = work.mutableSpan
        var samples = core.mutableSpan
        QMFAnalysis64.restorePhases(&bands)
        synthesis.synthesize32(
            &bands, work: &work, qmfSlotCount: 4, into: &samples, at: QMFAnalysis.bandCount * (restCount + qmfSlot))
    }
}
