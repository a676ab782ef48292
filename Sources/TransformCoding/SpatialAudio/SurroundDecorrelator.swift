// SPDX-License-Identifier: Apache-2.0

package import MPEG4Audio

/// The decorrelator of MPEG Surround 2-1-2: delays, all-pass filters and the ducker of their output (ISO/IEC 23003-1).
package struct SurroundDecorrelator: ~Copyable {
    /// The filter inputs of the history and the frame, as in ``SurroundSignal``, plus four bands.
    private var inputs: FixedArray<Float>
    /// The filter outputs, in the same order.
    private var outputs: FixedArray<Float>
    /// The filter coefficients by region: for an input, for an output.
    private let factors: FixedArray<SIMD2<Float>>
    /// The smoothed energies of the ducker's 28 bands: input, then output.
    private var energies = FixedArray<Float>(repeating: 0, count: 2 * duckerBandCount)
    /// The energies of the ducker's bands in one time slot: input, then output.
    private var sums = FixedArray<Float>(repeating: 0, count: 2 * duckerBandCount)
    /// The energies of the hybrid bands of one time slot, plus one band: input, then output.
    private var hybridEnergies = FixedArray<Float>(repeating: 0, count: SurroundSignal.qmfSlotStride)
    /// The gains of the ducker's bands.
    private var gains = FixedArray<Float>(repeating: 0, count: duckerBandCount)
    /// The runs of hybrid bands in the same ducker band.
    private let duckerRuns: FixedArray<DuckerRun>
    /// The ducker band of each hybrid band.
    private let duckerMap: FixedArray<UInt8>
    /// The number of time slots per frame.
    private let qmfSlotCount: Int
    private let regions: [SurroundRegion]

    /// The number of previous time slots that the filters reach.
    private static let historyCount = 24
    private static let duckerBandCount = 28
    /// The energy ratio above which the ducker acts.
    private static let duckerRatio: Float = 1.5

    /// A run of hybrid bands in the same ducker band.
    private struct DuckerRun: BitwiseCopyable {
        /// The first hybrid band.
        var first: Int
        /// The end of the hybrid bands.
        var end: Int
        /// The ducker band.
        var target: Int
    }

    /// Creates a decorrelator with silent history.
    ///
    /// - Parameters:
    ///   - regions: The filter regions. Delay plus order is at most 24 time slots.
    ///   - duckerMap: The ducker band of each hybrid band, at most 27.
    package init(regions: [SurroundRegion], duckerMap: [UInt8], qmfSlotCount: Int) {
        self.qmfSlotCount = qmfSlotCount
        self.regions = regions
        self.duckerMap = FixedArray(count: SurroundTables.hybridBandCount) { duckerMap[$0] }
        let count = SurroundSignal.qmfSlotStride * (Self.historyCount + qmfSlotCount) + 8
        inputs = FixedArray(repeating: 0, count: count)
        outputs = FixedArray(repeating: 0, count: count)
        let factors = regions.flatMap { region in
            let filter = region.denominator
            return (1..<filter.count).map { SIMD2(filter[filter.count - $0], filter[$0]) }
        }
        self.factors = FixedArray(count: factors.count) { factors[$0] }
        var runs: [DuckerRun] = []
        for band in 0..<SurroundTables.hybridBandCount {
            let target = Int(duckerMap[band])
            let first = runs.last?.target == target ? runs.removeLast().first : band
            runs.append(DuckerRun(first: first, end: band + 1, target: target))
        }
        duckerRuns = FixedArray(count: runs.count) { runs[$0] }
    }

    /// Creates a decorrelator of the hybrid bands in xHE-AAC with silent history.
    package init(hybridBandsOf configuration: MPEGSurround212Config, qmfSlotCount: Int) {
        let map = SurroundTables.mapStart(bandCount: Self.duckerBandCount)
        self.init(
            regions: SurroundRegion.hybridBands(configuration: configuration.decorrelation),
            duckerMap: Array(SurroundTables.bandMaps[map..<map + SurroundTables.hybridBandCount]), qmfSlotCount: qmfSlotCount)
    }

    package mutating func reset() {
        inputs.fill(0)
        outputs.fill(0)
        energies.fill(0)
    }

    /// Decorrelates a frame.
    ///
    /// - Parameters:
    ///   - signal: The downmix.
    ///   - transients: The time slots, one bit each, in which bands from 7 are muted.
    ///   - result: Receives the decorrelated bands.
    package mutating func decorrelate(_ signal: borrowing SurroundSignal, transients: UInt64, into result: inout SurroundSignal) {
        let stride = SurroundSignal.qmfSlotStride
        let (historyLength, frame) = (stride * Self.historyCount, stride * qmfSlotCount)
        inputs.copy(signal.values.span.extracting(0..<frame), to: historyLength)
        for qmfSlot in 0..<qmfSlotCount where transients >> UInt64(qmfSlot) & 1 != 0 {
            for index in 14..<stride { inputs[historyLength + stride * qmfSlot + index] = 0 }
        }
        filter()
        result.values.copy(outputs.span.extracting(historyLength..<historyLength + frame), to: 0)
        duck(&result)
        inputs.copy(frame..<frame + historyLength, to: 0)
        outputs.copy(frame..<frame + historyLength, to: 0)
    }

    private mutating func filter() {
        let stride = SurroundSignal.qmfSlotStride
        let inputs = inputs.span
        let factors = factors.span
        var outputs = outputs.mutableSpan
        for qmfSlot in Self.historyCount..<Self.historyCount + qmfSlotCount {
            var nextFactor = 0
            for region in regions {
                let (delay, order) = (region.delay, region.denominator.count &- 1)
                let firstFactor = nextFactor
                nextFactor &+= order
                // Four bands at a time. Bands beyond a region are filtered again with their own region, bands beyond the last with the next
                // slot.
                var offset = stride &* qmfSlot &+ 2 &* region.bands.lowerBound
                let end = stride &* qmfSlot &+ 2 &* region.bands.upperBound
                while offset < end {
                    let farthest = offset &- stride &* (delay &+ order)
                    var (low, high) = (inputs.vector(at: farthest), inputs.vector(at: farthest &+ 4))
                    for index in 0..<order {
                        let factor = factors[firstFactor &+ index]
                        let (input, output) = (offset &- stride &* (delay &+ index), offset &- stride &* (index &+ 1))
                        let (forward, back) = (SIMD4(repeating: factor.x), SIMD4(repeating: factor.y))
                        low = low + inputs.vector(at: input) * forward - outputs.vector(at: output) * back
                        high = high + inputs.vector(at: input &+ 4) * forward - outputs.vector(at: output &+ 4) * back
                    }
                    outputs.store(low, at: offset)
                    outputs.store(high, at: offset &+ 4)
                    offset &+= 8
                }
            }
        }
    }

    /// Limits the energy ratio of output and input.
    private mutating func duck(_ result: inout SurroundSignal) {
        let stride = SurroundSignal.qmfSlotStride
        var results = result.values.mutableSpan
        for qmfSlot in 0..<qmfSlotCount {
            var outputs = results._mutatingExtracting(stride * qmfSlot..<stride * (qmfSlot + 1))
            measure(qmfSlot, outputs.span)
            setGains()
            let gains = gains.span(first: Self.duckerBandCount)
            let map = duckerMap.span(first: SurroundTables.hybridBandCount)
            for band in 0..<map.count {
                let gain = gains[Int(map[band])]
                outputs[2 &* band] *= gain
                outputs[2 &* band &+ 1] *= gain
            }
        }
    }

    /// Computes ``sums`` for a time slot.
    private mutating func measure(_ qmfSlot: Int, _ outputs: Span<Float>) {
        let stride = SurroundSignal.qmfSlotStride
        let first = stride * (Self.historyCount + qmfSlot)
        let inputs = inputs.span.extracting(first..<first + stride)
        var all = hybridEnergies.mutableSpan(first: SurroundSignal.qmfSlotStride)
        for offset in Swift.stride(from: 0, to: SurroundSignal.qmfSlotStride, by: 8) {
            all.store(Self.energies(inputs.vector(at: offset), inputs.vector(at: offset &+ 4)), at: offset / 2)
            all.store(Self.energies(outputs.vector(at: offset), outputs.vector(at: offset &+ 4)), at: (stride &+ offset) / 2)
        }
        var sums = sums.mutableSpan(first: 2 * Self.duckerBandCount)
        for index in 0..<2 * Self.duckerBandCount { sums[index] = 0 }
        let runs = duckerRuns.span
        for index in 0..<runs.count {
            let run = runs[index]
            var (input, output) = (all[run.first], all[stride / 2 &+ run.first])
            for band in run.first &+ 1..<run.end {
                input += all[band]
                output += all[stride / 2 &+ band]
            }
            sums[run.target] += input
            sums[Self.duckerBandCount &+ run.target] += output
        }
    }

    /// Returns the energies of four complex values.
    @inline(__always)
    private static func energies(_ first: SIMD4<Float>, _ second: SIMD4<Float>) -> SIMD4<Float> {
        let (a, b) = (first * first, second * second)
        return SIMD4(a.x, a.z, b.x, b.z) + SIMD4(a.y, a.w, b.y, b.w)
    }

    /// Smooths the energies with the time slot's and computes the gains.
    private mutating func setGains() {
        let count = Self.duckerBandCount
        let sums = sums.span(first: 2 * Self.duckerBandCount)
        var energies = energies.mutableSpan(first: 2 * Self.duckerBandCount)
        var gains = gains.mutableSpan(first: Self.duckerBandCount)
        let one = SIMD4<Float>(repeating: 1)
        // Avoids division by 0. Two energies of 0 have a ratio of 1.
        let least = SIMD4<Float>(repeating: 1e-30)
        for band in stride(from: 0, to: Self.duckerBandCount, by: 4) {
            let input = energies.vector(at: band) * 0.8 + sums.vector(at: band) * (1 - 0.8)
            let output = energies.vector(at: count &+ band) * 0.8 + sums.vector(at: count &+ band) * (1 - 0.8)
            energies.store(input, at: band)
            energies.store(output, at: count &+ band)
            // At least one of the two factors is 1.
            let ratio = (input + least) / (output + least)
            let square = (ratio * Self.duckerRatio).minimum(one) * (ratio * (1 / Self.duckerRatio)).maximum(one)
            gains.store(square.squareRoots.minimum(SIMD4(repeating: 2)), at: band)
        }
    }
}
