// SPDX-License-Identifier: Apache-2.0

/// The quantized envelopes and noise floors of one channel after delta decoding (ISO/IEC 14496-3:2009, 4.6.18.3.4 and
/// 4.6.18.3.5).
package struct EnvelopeLevels: ~Copyable {
    /// `E`: level or balance, 0 to 127 in steps of 1.5 or 3 dB.
    ///
    /// Envelope l, band k is at index 48 l + k.
    package var envelopes = FixedArray<UInt8>(repeating: 0, count: SBRChannelData.envelopeCapacity)
    /// `Q`: level, 0 to 30 in steps of 3 dB from loud to quiet, or balance.
    ///
    /// Noise floor l, band k is at index 5 l + k.
    package var noiseFloors = FixedArray<UInt8>(repeating: 0, count: SBRChannelData.noiseCapacity)

    /// The last envelope and noise floor of the previous frame, the reference for time differences.
    package struct History: ~Copyable {
        /// The last envelope, by band of its resolution.
        package var envelope = FixedArray<UInt8>(repeating: 0, count: SBRChannelData.maximumBandCount)
        /// Whether the last envelope has high frequency resolution.
        package var isHighResolution = false
        /// The last noise floor, by band.
        package var noiseFloor = SIMD8<UInt8>(repeating: 0)
        /// Whether a noise floor was sent without reference to an earlier one.
        ///
        /// Before, the last one is unknown if decoding started within a stream.
        private(set) var hasKnownNoise = false

        package init() {}

        package mutating func copy(_ other: borrowing History) {
            envelope.copy(other.envelope)
            isHighResolution = other.isHighResolution
            noiseFloor = other.noiseFloor
            hasKnownNoise = other.hasKnownNoise
        }

        /// Stores the last envelope and noise floor of a frame.
        package mutating func update(_ levels: borrowing EnvelopeLevels, _ data: borrowing SBRChannelData) {
            let last = data.boundaries.count - 1
            for band in 0..<SBRChannelData.maximumBandCount {
                envelope[band] = levels.envelopes[last * SBRChannelData.maximumBandCount + band]
            }
            isHighResolution = data.grid.isHighResolution(last)
            for index in 0..<data.boundaries.noiseCount where !data.isNoiseFloorInTime(index) { hasKnownNoise = true }
            for band in 0..<SBRChannelData.maximumNoiseBandCount {
                noiseFloor[band] =
                    levels.noiseFloors[(data.boundaries.noiseCount - 1) * SBRChannelData.maximumNoiseBandCount + band]
            }
        }
    }

    static let maximumLevel = 127
    private static let maximumNoise = 30
    private static let maximumNoiseBalance = 24

    package init() {}

    package mutating func copy(_ other: borrowing EnvelopeLevels) {
        envelopes.copy(other.envelopes)
        noiseFloors.copy(other.noiseFloors)
    }

    package func isEqual(to other: borrowing EnvelopeLevels) -> Bool {
        for index in envelopes.indices where envelopes[index] != other.envelopes[index] { return false }
        for index in noiseFloors.indices where noiseFloors[index] != other.noiseFloors[index] { return false }
        return true
    }

    package mutating func clear() {
        envelopes.fill(0)
        noiseFloors.fill(0)
    }

    /// Decodes the differences of a frame.
    ///
    /// Noise floors that differ from an unknown one are limited to their range.
    ///
    /// - Parameter isBalance: Whether the channel is the second of a coupled pair. Its differences count double.
    /// - Returns: Whether all values are in range. If not, the levels are unspecified.
    package mutating func decode(
        _ data: borrowing SBRChannelData, after history: borrowing History, tables: borrowing FrequencyBandTables,
        isBalance: Bool
    ) -> Bool {
        clear()
        for index in 0..<data.boundaries.count {
            guard decodeEnvelope(index, data, after: history, tables: tables, factor: isBalance ? 2 : 1) else { return false }
        }
        for index in 0..<data.boundaries.noiseCount {
            guard
                decodeNoiseFloor(index, data, after: history, bandCount: tables.noise.count, isBalance: isBalance)
            else { return false }
        }
        return true
    }

    /// Decodes the differences of one envelope.
    ///
    /// - Returns: Whether all values are in range.
    private mutating func decodeEnvelope(
        _ index: Int, _ data: borrowing SBRChannelData, after history: borrowing History,
        tables: borrowing FrequencyBandTables, factor: Int
    ) -> Bool {
        let offset = index * SBRChannelData.maximumBandCount
        let isHigh = data.grid.isHighResolution(index)
        let wasHigh = index == 0 ? history.isHighResolution : data.grid.isHighResolution(index - 1)
        let isInTime = data.isEnvelopeInTime(index)
        let odd = tables.high.count & 1
        let (differences, previous) = (data.envelopeDifferences.span, history.envelope.span)
        var levels = envelopes.mutableSpan
        var level = 0
        for band in 0..<tables.bandCount(isHighResolution: isHigh) {
            if isInTime {
                let earlier =
                    isHigh == wasHigh ? band : isHigh ? (band + odd) / 2 : max(0, 2 * band - odd)
                level =
                    index == 0
                    ? Int(previous[earlier])
                    : Int(levels[offset - SBRChannelData.maximumBandCount + earlier])
            }
            level += factor * Int(differences[offset + band])
            guard level >= 0, level <= Self.maximumLevel else { return false }
            levels[offset + band] = UInt8(level)
        }
        return true
    }

    /// Decodes the differences of one noise floor.
    ///
    /// - Returns: Whether all values are in range.
    private mutating func decodeNoiseFloor(
        _ index: Int, _ data: borrowing SBRChannelData, after history: borrowing History, bandCount: Int, isBalance: Bool
    ) -> Bool {
        let offset = index * SBRChannelData.maximumNoiseBandCount
        let isInTime = data.isNoiseFloorInTime(index)
        var level = 0
        for band in 0..<bandCount {
            if isInTime { level = index == 0 ? Int(history.noiseFloor[band]) : Int(noiseFloors[band]) }
            level += (isBalance ? 2 : 1) * Int(data.noiseDifferences[offset + band])
            let maximum = isBalance ? Self.maximumNoiseBalance : Self.maximumNoise
            if isInTime && !history.hasKnownNoise { level = min(max(level, 0), maximum) }
            guard level >= 0, level <= maximum else { return false }
            noiseFloors[offset + band] = UInt8(level)
        }
        return true
    }
}
