// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The quantized parametric stereo parameters of one frame, after delta decoding (ISO/IEC 14496-3:2009, 8.6.4.4).
package struct StereoEnvelopes: ~Copyable {
    /// The maximum number of envelopes, including one that is added to cover the frame.
    static let maximumCount = 5
    /// The number of values per parameter (bands × envelopes).
    static let capacity = maximumCount * ParametricStereoData.maximumBandCount

    var header = ParametricStereoHeader()
    var hasPhases = false
    /// The number of envelopes, 1 to 5.
    package var count = 1
    /// `n_e`: the end of each envelope, in time slots.
    var ends = SIMD8<UInt8>(repeating: 0)
    /// `iid`: the intensity differences, -7 to 7 or -15 to 15, with the sent resolution.
    ///
    /// Envelope e, band b is at 34 e + b.
    package var levels = FixedArray<Int8>(repeating: 0, count: capacity)
    /// `icc`: the coherence, 0 to 7, in the same layout.
    package var coherence = FixedArray<Int8>(repeating: 0, count: capacity)
    /// `ipd`: the inter-channel phase differences in steps of π/4, 0 to 7, in the same layout.
    var channelPhases = FixedArray<Int8>(repeating: 0, count: capacity)
    /// `opd`: the overall phase differences in steps of π/4, 0 to 7, in the same layout.
    var overallPhases = FixedArray<Int8>(repeating: 0, count: capacity)

    /// Creates the parameters used before the first data: identical channels.
    package init() {}

    /// Returns the indices of an envelope's values.
    static func row(_ envelope: Int) -> Range<Int> {
        let first = ParametricStereoData.maximumBandCount * envelope
        return first..<first + ParametricStereoData.maximumBandCount
    }

    /// Replaces the parameters with one envelope that covers the frame and repeats the last one.
    package mutating func repeatLast(qmfSlotCount: Int) {
        copyEnvelope(count - 1, to: 0)
        count = 1
        ends[0] = UInt8(qmfSlotCount)
    }

    /// Resets the parameters of the only envelope that a header disables.
    mutating func disable(_ next: ParametricStereoHeader) {
        header.hasLevelDifferences = header.hasLevelDifferences && next.hasLevelDifferences
        header.hasCoherence = header.hasCoherence && next.hasCoherence
        for band in 0..<ParametricStereoData.maximumBandCount {
            if !header.hasLevelDifferences { levels[band] = 0 }
            if !header.hasCoherence { coherence[band] = 0 }
        }
    }

    private mutating func copyEnvelope(_ source: Int, to target: Int) {
        let (source, target) = (Self.row(source), Self.row(target).lowerBound)
        levels.copy(source, to: target)
        coherence.copy(source, to: target)
        channelPhases.copy(source, to: target)
        overallPhases.copy(source, to: target)
    }

    /// Decodes the differences of a frame.
    ///
    /// - Returns: Whether there are envelopes, and all values and boundaries are in range. Otherwise, the contents are unspecified.
    package mutating func decode(
        _ data: borrowing ParametricStereoData, after previous: borrowing StereoEnvelopes, qmfSlotCount: Int
    ) -> Bool {
        header = data.header
        hasPhases = data.hasPhases
        count = data.envelopeCount
        levels.fill(0)
        coherence.fill(0)
        channelPhases.fill(0)
        overallPhases.fill(0)
        guard data.envelopeCount > 0, setBoundaries(data, qmfSlotCount: qmfSlotCount) else { return false }
        for envelope in 0..<data.envelopeCount {
            guard decode(data, envelope: envelope, after: previous) else { return false }
        }
        if Int(ends[data.envelopeCount - 1]) < qmfSlotCount {
            copyEnvelope(data.envelopeCount - 1, to: data.envelopeCount)
            ends[data.envelopeCount] = UInt8(qmfSlotCount)
            count = data.envelopeCount + 1
        }
        return true
    }

    /// Sets the boundaries of the envelopes.
    ///
    /// - Returns: Whether they increase and are within the frame.
    private mutating func setBoundaries(_ data: borrowing ParametricStereoData, qmfSlotCount: Int) -> Bool {
        var start = 0
        for envelope in 0..<data.envelopeCount {
            let end =
                data.hasVariableBoundaries
                ? Int(data.boundaryPositions[envelope]) + 1 : (envelope + 1) * qmfSlotCount / data.envelopeCount
            guard end > start, end <= qmfSlotCount else { return false }
            ends[envelope] = UInt8(end)
            start = end
        }
        return true
    }

    /// Decodes the differences of one envelope.
    ///
    /// Time differences are relative to 0 if the previous envelope has a different number of bands.
    ///
    /// - Parameter previous: The parameters of the previous frame.
    /// - Returns: Whether all values are in range.
    private mutating func decode(
        _ data: borrowing ParametricStereoData, envelope: Int, after previous: borrowing StereoEnvelopes
    ) -> Bool {
        let last = previous.count - 1
        if header.hasLevelDifferences {
            let (count, limit) = (header.levelBandCount, header.maximumLevelIndex)
            let base = previous.header.levelBandCount == count ? last : nil
            guard Self.decode(data.levels, envelope, count, after: previous.levels, base, range: -limit...limit, into: &levels) else {
                return false
            }
        }
        if header.hasCoherence {
            let count = header.coherenceBandCount
            let base = previous.header.coherenceBandCount == count ? last : nil
            guard Self.decode(data.coherence, envelope, count, after: previous.coherence, base, range: 0...7, into: &coherence) else {
                return false
            }
        }
        guard hasPhases else { return true }
        let count = header.phaseBandCount
        let base = previous.header.phaseBandCount == count ? last : nil
        return Self.decode(data.channelPhases, envelope, count, after: previous.channelPhases, base, range: nil, into: &channelPhases)
            && Self.decode(data.overallPhases, envelope, count, after: previous.overallPhases, base, range: nil, into: &overallPhases)
    }

    /// Decodes the differences of one kind of parameter in an envelope.
    ///
    /// - Parameters:
    ///   - last: The previous frame's last envelope; `nil` if time differences of the first envelope are relative to 0.
    ///   - range: The valid range; `nil` for phases, which are modulo 8.
    /// - Returns: Whether all values are in range.
    private static func decode(
        _ differences: borrowing ParametricStereoData.Differences, _ envelope: Int, _ bandCount: Int,
        after previous: borrowing FixedArray<Int8>, _ last: Int?, range: ClosedRange<Int>?, into indices: inout FixedArray<Int8>
    ) -> Bool {
        let isInTime = differences.isInTime(envelope)
        let first = row(envelope).lowerBound
        var index = 0
        for band in 0..<bandCount {
            if isInTime && envelope > 0 {
                index = Int(indices[row(envelope - 1).lowerBound + band])
            } else if isInTime {
                index = last.map { Int(previous[row($0).lowerBound + band]) } ?? 0
            }
            index += Int(differences.values[first + band])
            if range == nil { index &= 7 }
            guard range?.contains(index) ?? true else { return false }
            indices[first + band] = Int8(index)
        }
        return true
    }
}

extension StereoEnvelopes {
    /// The processing bands: 34 stereo bands if any parameter has 34; `nil` without parameters.
    var bands: StereoBands? {
        guard header.hasLevelDifferences || header.hasCoherence else { return nil }
        let has34 =
            (header.hasLevelDifferences && header.levelBandCount == 34)
            || (header.hasCoherence && header.coherenceBandCount == 34)
        return has34 ? .bands34 : .bands20
    }

    /// Returns the intensity difference of a processing band (8.6.4.4).
    func level(_ envelope: Int, _ band: Int, _ bands: StereoBands) -> Int {
        Self.value(levels.span.extracting(Self.row(envelope)), header.levelBandCount, band, bands)
    }

    func coherence(_ envelope: Int, _ band: Int, _ bands: StereoBands) -> Int {
        Self.value(coherence.span.extracting(Self.row(envelope)), header.coherenceBandCount, band, bands)
    }

    /// Returns the inter-channel and overall phase differences of a processing band; 0 for bands that are not sent.
    func phases(_ envelope: Int, _ band: Int, _ bands: StereoBands) -> SIMD2<Int8> {
        let (row, bandCount) = (Self.row(envelope), header.phaseBandCount)
        return SIMD2(
            Int8(Self.value(channelPhases.span.extracting(row), bandCount, band, bands)),
            Int8(Self.value(overallPhases.span.extracting(row), bandCount, band, bands)))
    }

    /// Returns the index of a processing band.
    private static func value(_ indices: Span<Int8>, _ bandCount: Int, _ band: Int, _ bands: StereoBands) -> Int {
        switch bandCount {
        // The 5, 11 and 17 phase difference bands are the first ones of 10, 20 and 34.
        case 5, 10: at20(indices, band, bands, halves: true)
        case 11, 20: at20(indices, band, bands, halves: false)
        default: bands == .bands34 ? Int(indices[band]) : from34(indices, band)
        }
    }

    /// Returns the index of a processing band from 20 bands, or from 10 if `halves` is true.
    private static func at20(_ indices: Span<Int8>, _ band: Int, _ bands: StereoBands, halves: Bool) -> Int {
        guard bands == .bands34 else { return Int(indices[halves ? band / 2 : band]) }
        let pair = StereoBands.from20To34[band]
        let first = Int(indices[halves ? Int(pair.x) / 2 : Int(pair.x)])
        let second = Int(indices[halves ? Int(pair.y) / 2 : Int(pair.y)])
        return (first + second) / 2
    }

    /// Returns the index of one of 20 bands from 34 bands.
    private static func from34(_ indices: Span<Int8>, _ band: Int) -> Int {
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
