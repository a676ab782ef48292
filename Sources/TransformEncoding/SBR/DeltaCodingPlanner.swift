// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
package import TransformCoding

/// Delta coding of envelopes and noise floors, in time or frequency direction, whichever needs fewer bits (ISO/IEC 14496-3:2009, 4.6.18.3.4
/// and 4.6.18.3.5).
package struct DeltaCodingPlanner: ~Copyable {
    /// The levels of the previous frame, the reference for time differences.
    private(set) var history = EnvelopeLevels.History()

    /// Whether the previous frame contained balances.
    private var wasBalance = false

    /// The reference levels for time differences, by band.
    private var previous = FixedArray<UInt8>(repeating: 0, count: SBRChannelData.maximumBandCount)

    package init() {}

    mutating func copyState(of other: borrowing DeltaCodingPlanner) {
        history.copy(other.history)
        wasBalance = other.wasBalance
    }

    /// Chooses directions and computes differences.
    ///
    /// A level that no codeword reaches is changed to the nearest reachable one.
    ///
    /// - Parameters:
    ///   - isIndependent: Whether the frame must be decodable without the previous frame.
    ///   - isBalance: Whether the channel is the second of a coupled pair.
    package mutating func code(
        _ levels: inout EnvelopeLevels, into data: inout SBRChannelData, tables: borrowing FrequencyBandTables, isCoarse: Bool,
        isBalance: Bool, isIndependent: Bool
    ) {
        data.envelopesInTime = 0
        // Levels and balances cannot be references for each other.
        let allowsTime = !isIndependent && isBalance == wasBalance
        wasBalance = isBalance
        data.noiseFloorsInTime = 0
        for index in 0..<data.boundaries.count {
            codeEnvelope(
                index, &levels, into: &data, tables: tables, coding: .envelope(isCoarse: isCoarse, isBalance: isBalance),
                allowsTime: index > 0 || allowsTime)
        }
        for index in 0..<data.boundaries.noiseCount {
            codeNoiseFloor(
                index, &levels, into: &data, bandCount: tables.noise.count, coding: .noise(isBalance: isBalance),
                allowsTime: index > 0 || allowsTime)
        }
        history.update(levels, data)
    }

    private mutating func codeEnvelope(
        _ index: Int, _ levels: inout EnvelopeLevels, into data: inout SBRChannelData, tables: borrowing FrequencyBandTables,
        coding: DeltaCoding, allowsTime: Bool
    ) {
        let offset = index * SBRChannelData.maximumBandCount
        let isHigh = data.grid.isHighResolution(index)
        let wasHigh = index == 0 ? history.isHighResolution : data.grid.isHighResolution(index - 1)
        let bandCount = tables.bandCount(isHighResolution: isHigh)
        let odd = tables.high.count & 1
        for band in 0..<bandCount {
            let source = isHigh == wasHigh ? band : isHigh ? (band + odd) / 2 : max(0, 2 * band - odd)
            previous[band] =
                index == 0 ? history.envelope[source] : levels.envelopes[offset - SBRChannelData.maximumBandCount + source]
        }
        var allLevels = levels.envelopes.mutableSpan
        var run = allLevels._mutatingExtracting(offset..<offset + bandCount)
        var allDifferences = data.envelopeDifferences.mutableSpan
        var differences = allDifferences._mutatingExtracting(offset..<offset + bandCount)
        let isInTime = Self.code(&run, after: previous.span, into: &differences, coding: coding, allowsTime: allowsTime)
        if isInTime { data.envelopesInTime |= 1 << UInt8(index) }
    }

    private mutating func codeNoiseFloor(
        _ index: Int, _ levels: inout EnvelopeLevels, into data: inout SBRChannelData, bandCount: Int,
        coding: DeltaCoding, allowsTime: Bool
    ) {
        let offset = index * SBRChannelData.maximumNoiseBandCount
        for band in 0..<bandCount { previous[band] = index == 0 ? history.noiseFloor[band] : levels.noiseFloors[band] }
        var allLevels = levels.noiseFloors.mutableSpan
        var run = allLevels._mutatingExtracting(offset..<offset + bandCount)
        var allDifferences = data.noiseDifferences.mutableSpan
        var differences = allDifferences._mutatingExtracting(offset..<offset + bandCount)
        let isInTime = Self.code(&run, after: previous.span, into: &differences, coding: coding, allowsTime: allowsTime)
        if isInTime { data.noiseFloorsInTime |= 1 << UInt8(index) }
    }

    /// Codes the levels of all bands of an envelope or noise floor.
    ///
    /// - Returns: Whether the differences are in time direction.
    private static func code(
        _ levels: inout MutableSpan<UInt8>, after previous: Span<UInt8>, into differences: inout MutableSpan<Int8>,
        coding: DeltaCoding, allowsTime: Bool
    ) -> Bool {
        let (time, frequency, step) = (coding.time, coding.frequency, coding.step)
        var frequencyBits = coding.startBitCount
        var timeBits = allowsTime ? 0 : unreachable
        var before = 0
        for band in 0..<levels.count {
            let level = Int(levels[band])
            let inTime = (level - Int(previous[band])) / step
            differences[band] = Int8(truncatingIfNeeded: inTime)
            timeBits += time.range.contains(inTime) ? time.bitCount(of: inTime) : unreachable
            if band > 0 { frequencyBits += frequency.bitCount(of: frequency.clamp((level - before) / step)) }
            before = level
        }
        if timeBits < frequencyBits { return true }
        guard levels.count > 0 else { return false }
        differences[0] = Int8(Int(levels[0]) / step)
        before = Int(levels[0])
        for band in 1..<levels.count {
            let difference = frequency.clamp((Int(levels[band]) - before) / step)
            differences[band] = Int8(difference)
            before += step * difference
            levels[band] = UInt8(before)
        }
        return false
    }

    /// The cost of a difference without a codeword, larger than the bits of any envelope.
    private static let unreachable = 100_000
}

extension DeltaCodebook {
    /// Returns the nearest difference with a codeword.
    fileprivate func clamp(_ difference: Int) -> Int { min(max(difference, range.lowerBound), range.upperBound) }
}
