// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import TransformCoding

/// The decorrelator of MPEG Surround 2-1-2: delays and all-pass filters, and the ducker of their output (ISO/IEC 23003-1).
struct SurroundDecorrelator: ~Copyable {
    /// The columns of the past and of the frame at the inputs of the filters, by band.
    private var inputs: FixedArray<SIMD2<Float>>
    /// The same at their outputs.
    private var outputs: FixedArray<SIMD2<Float>>
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
        let count = SurroundTables.hybridBandCount * (Self.pastCount + columnCount)
        inputs = FixedArray(repeating: SIMD2(0, 0), count: count)
        outputs = FixedArray(repeating: SIMD2(0, 0), count: count)
    }

    /// Decorrelates a frame.
    ///
    /// - Parameters:
    ///   - signal: The downmix.
    ///   - transients: The columns, one bit each, whose bands from 7 on are silent here.
    ///   - result: Receives the decorrelated bands.
    mutating func decorrelate(_ signal: borrowing SurroundSignal, transients: UInt64, into result: inout SurroundSignal) {
        let length = Self.pastCount + columnCount
        for region in 0..<4 {
            let filter = SurroundTables.decorrelatorFilters[region]
            for band in regions[region]..<regions[region + 1] {
                let start = band * length
                for column in 0..<columnCount {
                    let isSilent = band >= 7 && transients >> UInt64(column) & 1 != 0
                    inputs[start + Self.pastCount + column] = isSilent ? SIMD2(0, 0) : signal[band, column]
                }
                self.filter(start, filter, delay: SurroundTables.decorrelatorDelays[region])
                for column in 0..<columnCount { result[band, column] = outputs[start + Self.pastCount + column] }
            }
        }
        duck(&result)
        for band in 0..<SurroundTables.hybridBandCount {
            let start = band * length
            inputs.copy(start + columnCount..<start + length, to: start)
            outputs.copy(start + columnCount..<start + length, to: start)
        }
    }

    /// Runs the filter of a band over a frame.
    private mutating func filter(_ start: Int, _ filter: [Float], delay: Int) {
        let order = filter.count - 1
        let inputs = inputs.span
        var outputs = outputs.mutableSpan
        for column in start + Self.pastCount..<start + Self.pastCount + columnCount {
            var sum = inputs[column - delay - order]
            for index in 0..<order {
                sum += inputs[column - delay - index] * filter[order - index]
                sum -= outputs[column - index - 1] * filter[index + 1]
            }
            outputs[column] = sum
        }
    }

    /// Limits the ratios of the energies of output and input.
    private mutating func duck(_ result: inout SurroundSignal) {
        let map = SurroundTables.mapStart(bandCount: Self.duckerBandCount)
        let length = Self.pastCount + columnCount
        for column in 0..<columnCount {
            sums.fill(SIMD2(0, 0))
            for band in 0..<SurroundTables.hybridBandCount {
                let input = inputs[band * length + Self.pastCount + column]
                let output = result[band, column]
                sums[Int(SurroundTables.bandMaps[map + band])] += SIMD2(
                    input.x * input.x + input.y * input.y, output.x * output.x + output.y * output.y)
            }
            for band in 0..<Self.duckerBandCount {
                energies[band] = energies[band] * 0.8 + sums[band] * (1 - 0.8)
                let (input, output) = (energies[band].x, energies[band].y)
                var gain: Float = 1
                if output > Self.duckerRatio * input {
                    gain = (Self.duckerRatio * input / output).squareRoot()
                } else if input > Self.duckerRatio * output {
                    gain = output > 0 ? min(2, (input / (Self.duckerRatio * output)).squareRoot()) : 2
                }
                sums[band].x = gain
            }
            for band in 0..<SurroundTables.hybridBandCount { result[band, column] *= sums[Int(SurroundTables.bandMaps[map + band])].x }
        }
    }
}
