// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Codes levels as differences, in time or in frequency, whichever takes fewer bits (ISO/IEC 14496-3:2009, 4.6.18.3.4 and
/// 4.6.18.3.5).
struct DifferencePlanner {
    /// The frame before, from which differences in time start.
    private(set) var history = EnvelopeLevels.History()

    private var wasBalance = false

    /// Makes a planner before the first frame.
    init() {}

    /// Fills in directions and differences for levels, which move where no codeword reaches them.
    ///
    /// - Parameters:
    ///   - isIndependent: Whether the frame has to be understood without the one before.
    ///   - isBalance: The second channel of a coupled pair.
    mutating func code(
        _ levels: inout EnvelopeLevels, into data: inout SBRChannelData, tables: borrowing FrequencyBandTables, isCoarse: Bool,
        isBalance: Bool, isIndependent: Bool
    ) {
        data.envelopesInTime = 0
        // Levels and balances have nothing in common, and balances are even.
        let allowsTime = !isIndependent && isBalance == wasBalance
        wasBalance = isBalance
        data.noiseFloorsInTime = 0
        for index in 0..<data.borders.count {
            codeEnvelope(
                index, &levels, into: &data, tables: tables, coding: .envelope(isCoarse: isCoarse, isBalance: isBalance),
                step: isBalance ? 2 : 1, allowsTime: index > 0 || allowsTime)
        }
        for index in 0..<data.borders.noiseCount {
            codeNoiseFloor(
                index, &levels, into: &data, bandCount: tables.noise.count, coding: .noise(isBalance: isBalance),
                step: isBalance ? 2 : 1, allowsTime: index > 0 || allowsTime)
        }
        history.update(levels, data)
    }

    private func codeEnvelope(
        _ index: Int, _ levels: inout EnvelopeLevels, into data: inout SBRChannelData, tables: borrowing FrequencyBandTables,
        coding: DifferenceCoding, step: Int, allowsTime: Bool
    ) {
        let place = index * SBRChannelData.maximumBandCount
        let isHigh = data.grid.isHighResolution(index)
        let wasHigh = index == 0 ? history.isHighResolution : data.grid.isHighResolution(index - 1)
        let bandCount = tables.bandCount(isHighResolution: isHigh)
        let odd = tables.high.count & 1
        var frequencyBits = coding.startBitCount
        var timeBits = allowsTime ? 0 : Int.max / 2
        var timeDifferences = InlineArray<48, Int8>(repeating: 0)
        for band in 0..<bandCount {
            let level = Int(levels.envelopes[place + band])
            let earlierBand = isHigh == wasHigh ? band : isHigh ? (band + odd) / 2 : max(0, 2 * band - odd)
            let earlier =
                index == 0 ? history.envelope[earlierBand] : levels.envelopes[place - SBRChannelData.maximumBandCount + earlierBand]
            let inTime = (level - Int(earlier)) / step
            timeDifferences[band] = Int8(truncatingIfNeeded: inTime)
            timeBits += coding.time.range.contains(inTime) ? coding.time.bitCount(of: inTime) : Self.unreachable
            if band > 0 {
                let difference = (level - Int(levels.envelopes[place + band - 1])) / step
                frequencyBits += coding.frequency.bitCount(of: coding.frequency.clamp(difference))
            }
        }
        if timeBits < frequencyBits {
            data.envelopesInTime |= 1 << UInt8(index)
            for band in 0..<bandCount { data.envelopeDifferences[place + band] = timeDifferences[band] }
            return
        }
        data.envelopeDifferences[place] = Int8(Int(levels.envelopes[place]) / step)
        for band in 1..<bandCount {
            let before = Int(levels.envelopes[place + band - 1])
            let difference = coding.frequency.clamp((Int(levels.envelopes[place + band]) - before) / step)
            data.envelopeDifferences[place + band] = Int8(difference)
            levels.envelopes[place + band] = UInt8(before + step * difference)
        }
    }

    private func codeNoiseFloor(
        _ index: Int, _ levels: inout EnvelopeLevels, into data: inout SBRChannelData, bandCount: Int,
        coding: DifferenceCoding, step: Int, allowsTime: Bool
    ) {
        let place = index * SBRChannelData.maximumNoiseBandCount
        var frequencyBits = coding.startBitCount
        var timeBits = allowsTime ? 0 : Int.max / 2
        var timeDifferences = SIMD8<Int8>(repeating: 0)
        for band in 0..<bandCount {
            let level = Int(levels.noiseFloors[place + band])
            let earlier = index == 0 ? history.noiseFloor[band] : levels.noiseFloors[band]
            let inTime = (level - Int(earlier)) / step
            timeDifferences[band] = Int8(truncatingIfNeeded: inTime)
            timeBits += coding.time.range.contains(inTime) ? coding.time.bitCount(of: inTime) : Self.unreachable
            if band > 0 {
                frequencyBits += coding.frequency.bitCount(
                    of: coding.frequency.clamp((level - Int(levels.noiseFloors[place + band - 1])) / step))
            }
        }
        if timeBits < frequencyBits {
            data.noiseFloorsInTime |= 1 << UInt8(index)
            for band in 0..<bandCount { data.noiseDifferences[place + band] = timeDifferences[band] }
            return
        }
        data.noiseDifferences[place] = Int8(Int(levels.noiseFloors[place]) / step)
        for band in 1..<max(bandCount, 1) {
            let before = Int(levels.noiseFloors[place + band - 1])
            let difference = coding.frequency.clamp((Int(levels.noiseFloors[place + band]) - before) / step)
            data.noiseDifferences[place + band] = Int8(difference)
            levels.noiseFloors[place + band] = UInt8(before + step * difference)
        }
    }

    /// More bits than any envelope takes.
    private static let unreachable = 100_000
}

extension DifferenceCodebook {
    /// The nearest difference that has a codeword.
    fileprivate func clamp(_ difference: Int) -> Int { min(max(difference, range.lowerBound), range.upperBound) }
}
