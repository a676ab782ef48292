// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import TransformCoding

/// The decorrelator of MPEG Surround 2-1-2: delays and all-pass filters, and the ducker of their output (ISO/IEC 23003-1).
struct SurroundDecorrelator: ~Copyable {
    /// The columns of the past and of the frame at the inputs of the filters, as in ``SurroundSignal``, and four bands more.
    private var inputs: FixedArray<Float>
    /// The same at their outputs.
    private var outputs: FixedArray<Float>
    /// The factors of the filters, region after region: of an input, of an output.
    private let factors: FixedArray<SIMD2<Float>>
    /// The smoothed energies of the 28 bands of the ducker: input, output.
    private var energies = FixedArray<SIMD2<Float>>(repeating: SIMD2(0, 0), count: duckerBandCount)
    /// The energies of a column, and then the gains.
    private var sums = FixedArray<SIMD2<Float>>(repeating: SIMD2(0, 0), count: duckerBandCount)
    /// The columns of a frame.
    private let columnCount: Int
    /// The first band of each region, and the end.
    private let regions: [Int]

    /// The columns of the past that the filters reach.
    private static let pastCount = 24
    /// The bands of the ducker.
    private static let duckerBandCount = 28
    /// The ratio of energies from which the ducker acts.
    private static let duckerRatio: Float = 1.5

    /// Makes a decorrelator with a silent past.
    init(configuration: Int, columnCount: Int) {
        self.columnCount = columnCount
        regions = SurroundTables.decorrelatorRegions[configuration]
        let count = SurroundSignal.columnStride * (Self.pastCount + columnCount) + 8
        inputs = FixedArray(repeating: 0, count: count)
        outputs = FixedArray(repeating: 0, count: count)
        let factors = SurroundTables.decorrelatorFilters.flatMap { filter in
            (1..<filter.count).map { SIMD2(filter[filter.count - $0], filter[$0]) }
        }
        self.factors = FixedArray(count: factors.count) { factors[$0] }
    }

    /// Decorrelates a frame.
    ///
    /// - Parameters:
    ///   - signal: The downmix.
    ///   - transients: The columns, one bit each, whose bands from 7 on are silent here.
    ///   - result: Receives the decorrelated bands.
    mutating func decorrelate(_ signal: borrowing SurroundSignal, transients: UInt64, into result: inout SurroundSignal) {
        let stride = SurroundSignal.columnStride
        let (past, frame) = (stride * Self.pastCount, stride * columnCount)
        inputs.copy(signal.values.span.extracting(0..<frame), to: past)
        for column in 0..<columnCount where transients >> UInt64(column) & 1 != 0 {
            for index in 14..<stride { inputs[past + stride * column + index] = 0 }
        }
        filter()
        result.values.copy(outputs.span.extracting(past..<past + frame), to: 0)
        duck(&result)
        inputs.copy(frame..<frame + past, to: 0)
        outputs.copy(frame..<frame + past, to: 0)
    }

    /// Runs the filters over a frame.
    private mutating func filter() {
        let stride = SurroundSignal.columnStride
        let inputs = inputs.span
        let factors = factors.span
        var outputs = outputs.mutableSpan
        for column in Self.pastCount..<Self.pastCount + columnCount {
            var nextFactor = 0
            for region in 0..<4 {
                let delay = SurroundTables.decorrelatorDelays[region]
                let order = SurroundTables.decorrelatorOrders[region]
                let firstFactor = nextFactor
                nextFactor &+= order
                // Four bands at a time; those beyond a region are filtered again with their own, and those beyond the last with the next column.
                var place = stride &* column &+ 2 &* regions[region]
                let end = stride &* column &+ 2 &* regions[region &+ 1]
                while place < end {
                    let farthest = place &- stride &* (delay &+ order)
                    var (low, high) = (inputs.vector(at: farthest), inputs.vector(at: farthest &+ 4))
                    for index in 0..<order {
                        let factor = factors[firstFactor &+ index]
                        let (input, output) = (place &- stride &* (delay &+ index), place &- stride &* (index &+ 1))
                        let (forward, back) = (SIMD4(repeating: factor.x), SIMD4(repeating: factor.y))
                        low = low + inputs.vector(at: input) * forward - outputs.vector(at: output) * back
                        high = high + inputs.vector(at: input &+ 4) * forward - outputs.vector(at: output &+ 4) * back
                    }
                    outputs.store(low, at: place)
                    outputs.store(high, at: place &+ 4)
                    place &+= 8
                }
            }
        }
    }

    /// Limits the ratios of the energies of output and input.
    private mutating func duck(_ result: inout SurroundSignal) {
        let stride = SurroundSignal.columnStride
        let bandCount = SurroundTables.hybridBandCount
        let start = SurroundTables.mapStart(bandCount: Self.duckerBandCount)
        let table = SurroundTables.bandMaps
        let map = table.span.extracting(start..<start + bandCount)
        var sums = sums.mutableSpan(first: Self.duckerBandCount)
        var energies = energies.mutableSpan(first: Self.duckerBandCount)
        var results = result.values.mutableSpan
        for column in 0..<columnCount {
            let first = stride * (Self.pastCount + column)
            let inputs = inputs.span.extracting(first..<first + stride)
            var outputs = results._mutatingExtracting(stride * column..<stride * (column + 1))
            for band in 0..<Self.duckerBandCount { sums[band] = SIMD2(0, 0) }
            for band in 0..<bandCount {
                let (x, y) = (inputs[2 &* band], inputs[2 &* band &+ 1])
                let (u, v) = (outputs[2 &* band], outputs[2 &* band &+ 1])
                sums[Int(map[band])] += SIMD2(x * x + y * y, u * u + v * v)
            }
            for band in 0..<Self.duckerBandCount {
                let smoothed = energies[band] * 0.8 + sums[band] * (1 - 0.8)
                energies[band] = smoothed
                let (input, output) = (smoothed.x, smoothed.y)
                var gain: Float = 1
                if output > Self.duckerRatio * input {
                    gain = (Self.duckerRatio * input / output).squareRoot()
                } else if input > Self.duckerRatio * output {
                    gain = output > 0 ? min(2, (input / (Self.duckerRatio * output)).squareRoot()) : 2
                }
                sums[band].x = gain
            }
            for band in 0..<bandCount {
                let gain = sums[Int(map[band])].x
                outputs[2 &* band] *= gain
                outputs[2 &* band &+ 1] *= gain
            }
        }
    }
}
