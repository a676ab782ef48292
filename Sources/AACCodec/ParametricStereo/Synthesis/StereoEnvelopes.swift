// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The quantised parameters of parametric stereo in one frame, after delta decoding (ISO/IEC 14496-3:2009, 8.6.4.4).
struct StereoEnvelopes: Sendable {
    /// The parameters of one envelope, by band as sent.
    struct Indices: Sendable {
        /// `iid`: the intensity difference, -7 to 7 or -15 to 15.
        var levels: [34 of Int8] = .init(repeating: 0)
        /// `icc`: the coherence, 0 to 7.
        var coherence: [34 of Int8] = .init(repeating: 0)
        /// `ipd`: the inter-channel phase difference in steps of π/4, 0 to 7.
        var channelPhases: [34 of Int8] = .init(repeating: 0)
        /// `opd`: the overall phase difference in steps of π/4, 0 to 7.
        var overallPhases: [34 of Int8] = .init(repeating: 0)
    }

    /// The maximum number of envelopes, with the one that is added to cover the frame.
    static let maximumCount = 5

    /// The header in force.
    var header = ParametricStereoHeader()
    /// Whether there are phase differences.
    var hasPhases = false
    /// The number of envelopes, 1 to 5.
    var count = 1
    /// `n_e`: the column after the last one of each envelope.
    var ends = SIMD8<UInt8>(repeating: 0)
    /// The parameters of each envelope.
    var indices: [5 of Indices] = .init(repeating: Indices())

    /// Creates the parameters before the first data: identical channels.
    init() {}

    /// Returns one envelope that covers the next frame and repeats the last parameters, without those that `data` disables.
    func repeated(_ data: ParametricStereoData?, columnCount: Int) -> StereoEnvelopes {
        var result = StereoEnvelopes()
        result.header = header
        result.hasPhases = hasPhases
        result.indices[0] = indices[count - 1]
        result.ends[0] = UInt8(columnCount)
        guard let data else { return result }
        result.header.hasLevelDifferences = header.hasLevelDifferences && data.header.hasLevelDifferences
        result.header.hasCoherence = header.hasCoherence && data.header.hasCoherence
        if !result.header.hasLevelDifferences { result.indices[0].levels = .init(repeating: 0) }
        if !result.header.hasCoherence { result.indices[0].coherence = .init(repeating: 0) }
        return result
    }

    /// Returns the parameters of the next frame, with its differences decoded; nil if a value or a boundary is out of range.
    func next(_ data: borrowing ParametricStereoData, columnCount: Int) -> StereoEnvelopes? {
        var result = StereoEnvelopes()
        result.header = data.header
        result.hasPhases = data.hasPhases
        result.count = data.envelopeCount
        guard data.envelopeCount > 0, result.setBoundaries(data, columnCount: columnCount) else { return nil }
        for envelope in 0..<data.envelopeCount {
            let earlier = envelope == 0 ? indices[count - 1] : result.indices[envelope - 1]
            guard result.decode(data, envelope: envelope, after: earlier, with: envelope == 0 ? header : result.header) else {
                return nil
            }
        }
        if Int(result.ends[data.envelopeCount - 1]) < columnCount {
            result.indices[data.envelopeCount] = result.indices[data.envelopeCount - 1]
            result.ends[data.envelopeCount] = UInt8(columnCount)
            result.count = data.envelopeCount + 1
        }
        return result
    }

    /// Sets the boundaries of the envelopes.
    ///
    /// - Returns: Whether they rise and lie within the frame.
    private mutating func setBoundaries(_ data: borrowing ParametricStereoData, columnCount: Int) -> Bool {
        var start = 0
        for envelope in 0..<data.envelopeCount {
            let end =
                data.hasVariableBoundaries
                ? Int(data.boundaryPositions[envelope]) + 1 : (envelope + 1) * columnCount / data.envelopeCount
            guard end > start, end <= columnCount else { return false }
            ends[envelope] = UInt8(end)
            start = end
        }
        return true
    }

    /// Decodes the differences of one envelope.
    ///
    /// Differences in time from an envelope with another number of bands start from 0.
    ///
    /// - Parameters:
    ///   - earlier: The indices of the envelope before.
    ///   - earlierHeader: The header of that envelope.
    /// - Returns: Whether all values are in range.
    private mutating func decode(
        _ data: borrowing ParametricStereoData, envelope: Int, after earlier: Indices, with earlierHeader: ParametricStereoHeader
    ) -> Bool {
        let zeros = InlineArray<34, Int8>(repeating: 0)
        if header.hasLevelDifferences {
            let (count, limit) = (header.levelBandCount, header.maximumLevelIndex)
            let base = earlierHeader.levelBandCount == count ? earlier.levels : zeros
            guard
                Self.decode(
                    data.levels, envelope, after: base, bandCount: count, range: -limit...limit, into: &indices[envelope].levels)
            else { return false }
        }
        if header.hasCoherence {
            let count = header.coherenceBandCount
            let base = earlierHeader.coherenceBandCount == count ? earlier.coherence : zeros
            guard
                Self.decode(data.coherence, envelope, after: base, bandCount: count, range: 0...7, into: &indices[envelope].coherence)
            else { return false }
        }
        if hasPhases {
            let count = header.phaseBandCount
            let fits = earlierHeader.phaseBandCount == count
            Self.decodePhases(
                data.channelPhases, envelope, after: fits ? earlier.channelPhases : zeros, bandCount: count,
                into: &indices[envelope].channelPhases)
            Self.decodePhases(
                data.overallPhases, envelope, after: fits ? earlier.overallPhases : zeros, bandCount: count,
                into: &indices[envelope].overallPhases)
        }
        return true
    }

    /// Decodes the differences of one kind of parameter in an envelope.
    ///
    /// - Returns: Whether all values are in range.
    private static func decode(
        _ differences: borrowing ParametricStereoData.Differences, _ envelope: Int, after earlier: [34 of Int8], bandCount: Int,
        range: ClosedRange<Int>, into indices: inout [34 of Int8]
    ) -> Bool {
        let isInTime = differences.isInTime(envelope)
        // A span of a copy, since Swift copies an array of a borrowed structure at each access.
        let allValues = differences.values
        let values = allValues.span
        var index = 0
        for band in 0..<bandCount {
            if isInTime { index = Int(earlier[band]) }
            index += Int(values[envelope * ParametricStereoData.maximumBandCount + band])
            guard range.contains(index) else { return false }
            indices[band] = Int8(index)
        }
        return true
    }

    /// Decodes the differences of phase differences in an envelope, modulo 8.
    private static func decodePhases(
        _ differences: borrowing ParametricStereoData.Differences, _ envelope: Int, after earlier: [34 of Int8], bandCount: Int,
        into indices: inout [34 of Int8]
    ) {
        let isInTime = differences.isInTime(envelope)
        // A span of a copy, since Swift copies an array of a borrowed structure at each access.
        let allValues = differences.values
        let values = allValues.span
        var index = 0
        for band in 0..<bandCount {
            if isInTime { index = Int(earlier[band]) }
            index = (index + Int(values[envelope * ParametricStereoData.maximumBandCount + band])) & 7
            indices[band] = Int8(index)
        }
    }
}

extension StereoEnvelopes {
    /// The frequency bands of processing: 34 stereo bands if a parameter has as many; nil without parameters.
    var bands: StereoBands? {
        guard header.hasLevelDifferences || header.hasCoherence else { return nil }
        let has34 =
            (header.hasLevelDifferences && header.levelBandCount == 34)
            || (header.hasCoherence && header.coherenceBandCount == 34)
        return has34 ? .bands34 : .bands20
    }

    /// Returns the indices of `bandCount` bands mapped to the bands of processing (8.6.4.4).
    static func mapped(_ indices: borrowing [34 of Int8], bandCount: Int, to bands: StereoBands) -> [34 of Int8] {
        var result = InlineArray<34, Int8>(repeating: 0)
        for band in 0..<bands.count { result[band] = Int8(value(indices, bandCount, band, bands)) }
        return result
    }

    /// Returns the index of a band of processing.
    private static func value(_ indices: borrowing [34 of Int8], _ bandCount: Int, _ band: Int, _ bands: StereoBands) -> Int {
        switch bandCount {
        // 5, 11 and 17 bands of phase differences are the first ones of 10, 20 and 34.
        case 5, 10: at20(indices, band, bands, halves: true)
        case 11, 20: at20(indices, band, bands, halves: false)
        default: bands == .bands34 ? Int(indices[band]) : from34(indices, band)
        }
    }

    /// Returns the index of a band of processing from those of 20 bands, or of 10 if `halves` is true.
    private static func at20(_ indices: borrowing [34 of Int8], _ band: Int, _ bands: StereoBands, halves: Bool) -> Int {
        guard bands == .bands34 else { return Int(indices[halves ? band / 2 : band]) }
        let pair = StereoBands.from20To34[band]
        let first = Int(indices[halves ? Int(pair.x) / 2 : Int(pair.x)])
        let second = Int(indices[halves ? Int(pair.y) / 2 : Int(pair.y)])
        return (first + second) / 2
    }

    /// Returns the index of one of 20 bands from those of 34.
    private static func from34(_ indices: borrowing [34 of Int8], _ band: Int) -> Int {
        let source = StereoBands.from34To20[band]
        var sum = 0
        var weight = 0
        for part in 0..<4 where source.weights[part] != 0 {
            sum += Int(source.weights[part]) * Int(indices[Int(source.first) + part])
            weight += Int(source.weights[part])
        }
        return sum / weight
    }
}
