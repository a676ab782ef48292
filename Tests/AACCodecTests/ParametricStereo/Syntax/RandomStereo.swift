// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import TestSupport
import TransformCoding

/// A generator of random parametric stereo data with all syntax features.
struct RandomStereo {
    private var random: SeededRandom
    private var header = ParametricStereoHeader()
    private var levels = [Int](repeating: 0, count: 34)
    private var coherence = [Int](repeating: 0, count: 34)
    private var isFirst = true

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// Returns the next data.
    ///
    /// - Parameter mode: `iid_mode` and `icc_mode`, used if there is a header.
    mutating func data(mode: Int, hasHeader: Bool, hasPhases: Bool = false) -> ParametricStereoData {
        var data = ParametricStereoData()
        if hasHeader {
            isFirst = isFirst || header.levelMode % 3 != mode % 3
            header.hasLevelDifferences = true
            header.levelMode = mode
            header.hasCoherence = true
            header.coherenceMode = mode
            header.hasExtension = hasPhases
            // From fine to coarse steps, the previous levels may be out of range.
            if isFirst || !header.hasFineLevels { levels = levels.map { max(-7, min(7, $0)) } }
        }
        data.header = header
        data.hasHeader = hasHeader
        data.hasVariableBoundaries = Bool.random(using: &random)
        data.envelopeCount =
            data.hasVariableBoundaries ? Int.random(in: 1...4, using: &random) : [0, 1, 2, 4].randomElement(using: &random) ?? 1
        if isFirst && data.envelopeCount == 0 { data.envelopeCount = 1 }
        if data.hasVariableBoundaries {
            let boundaries = (0..<32).shuffled(using: &random).prefix(data.envelopeCount).sorted()
            for (envelope, boundary) in boundaries.enumerated() { data.boundaryPositions[envelope] = UInt8(boundary) }
        }
        let limit = header.maximumLevelIndex
        var (newLevels, newCoherence) = (levels, coherence)
        for envelope in 0..<data.envelopeCount {
            fill(&data.levels, envelope, &newLevels, bandCount: header.levelBandCount, range: -limit...limit)
            fill(&data.coherence, envelope, &newCoherence, bandCount: header.coherenceBandCount, range: 0...7)
            isFirst = false
        }
        (levels, coherence) = (newLevels, newCoherence)
        data.hasPhases = hasPhases && Bool.random(using: &random)
        if data.hasPhases {
            for envelope in 0..<data.envelopeCount {
                fillPhases(&data.channelPhases, envelope)
                fillPhases(&data.overallPhases, envelope)
            }
        }
        return data
    }

    private mutating func fill(
        _ differences: inout ParametricStereoData.Differences, _ envelope: Int, _ values: inout [Int], bandCount: Int,
        range: ClosedRange<Int>
    ) {
        let isInTime = !isFirst && Bool.random(using: &random)
        if isInTime { differences.inTime |= 1 << UInt8(envelope) }
        var previous = 0
        for band in 0..<bandCount {
            let from = isInTime ? values[band] : previous
            let value = max(range.lowerBound, min(range.upperBound, from + Int.random(in: -2...2, using: &random)))
            differences.values[34 * envelope + band] = Int8(value - from)
            values[band] = value
            previous = value
        }
    }

    private mutating func fillPhases(_ differences: inout ParametricStereoData.Differences, _ envelope: Int) {
        if Bool.random(using: &random) { differences.inTime |= 1 << UInt8(envelope) }
        for band in 0..<header.phaseBandCount {
            differences.values[34 * envelope + band] = Int8.random(in: 0...7, using: &random)
        }
    }
}

extension ParametricStereoData {
    /// The encoded data.
    var bits: BitWriter {
        var writer = BitWriter()
        write(to: &writer)
        return writer
    }
}
