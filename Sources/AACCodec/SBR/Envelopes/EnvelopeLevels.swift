// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Envelopes and noise floors of one channel as integers, the differences summed up (ISO/IEC 14496-3:2009, 4.6.18.3.4 and
/// 4.6.18.3.5).
struct EnvelopeLevels: Sendable {
    /// Envelope l, band k at 48 l + k: level or balance, 0 to 127 in steps of 1.5 or 3 dB.
    var envelopes: [240 of UInt8] = .init(repeating: 0)
    /// Noise floor l, band k at 5 l + k, 0 to 30 in steps of 3 dB, larger being quieter.
    var noiseFloors: [10 of UInt8] = .init(repeating: 0)

    /// The last envelope and noise floor of the frame before, from which differences in time start.
    struct History: Sendable {
        var envelope: [48 of UInt8] = .init(repeating: 0)
        var isHighResolution = false
        var noiseFloor = SIMD8<UInt8>(repeating: 0)

        /// Takes the last envelope and noise floor of a frame.
        mutating func update(_ levels: borrowing EnvelopeLevels, _ data: borrowing SBRChannelData) {
            let last = data.boundaries.count - 1
            for band in 0..<SBRChannelData.maximumBandCount {
                envelope[band] = levels.envelopes[last * SBRChannelData.maximumBandCount + band]
            }
            isHighResolution = data.grid.isHighResolution(last)
            for band in 0..<SBRChannelData.maximumNoiseBandCount {
                noiseFloor[band] =
                    levels.noiseFloors[(data.boundaries.noiseCount - 1) * SBRChannelData.maximumNoiseBandCount + band]
            }
        }
    }

    private static let maximumLevel = 127
    private static let maximumNoise = 30
    private static let maximumNoiseBalance = 24

    /// Makes levels of zero.
    init() {}

    /// Sums up the differences of a frame; nil when a value leaves its range.
    ///
    /// - Parameter isBalance: The second channel of a coupled pair, whose differences count double.
    init?(
        _ data: borrowing SBRChannelData, after history: borrowing History, tables: borrowing FrequencyBandTables,
        isBalance: Bool
    ) {
        for index in 0..<data.boundaries.count {
            guard sumEnvelope(index, data, after: history, tables: tables, factor: isBalance ? 2 : 1) else { return nil }
        }
        for index in 0..<data.boundaries.noiseCount {
            guard
                sumNoiseFloor(index, data, after: history, bandCount: tables.noise.count, isBalance: isBalance)
            else { return nil }
        }
    }

    private mutating func sumEnvelope(
        _ index: Int, _ data: borrowing SBRChannelData, after history: borrowing History,
        tables: borrowing FrequencyBandTables, factor: Int
    ) -> Bool {
        let place = index * SBRChannelData.maximumBandCount
        let isHigh = data.grid.isHighResolution(index)
        let wasHigh = index == 0 ? history.isHighResolution : data.grid.isHighResolution(index - 1)
        let isInTime = data.isEnvelopeInTime(index)
        let odd = tables.high.count & 1
        var level = 0
        for band in 0..<tables.bandCount(isHighResolution: isHigh) {
            if isInTime {
                let earlier =
                    isHigh == wasHigh ? band : isHigh ? (band + odd) / 2 : max(0, 2 * band - odd)
                level =
                    index == 0
                    ? Int(history.envelope[earlier])
                    : Int(envelopes[place - SBRChannelData.maximumBandCount + earlier])
            }
            level += factor * Int(data.envelopeDifferences[place + band])
            guard level >= 0, level <= Self.maximumLevel else { return false }
            envelopes[place + band] = UInt8(level)
        }
        return true
    }

    private mutating func sumNoiseFloor(
        _ index: Int, _ data: borrowing SBRChannelData, after history: borrowing History, bandCount: Int, isBalance: Bool
    ) -> Bool {
        let place = index * SBRChannelData.maximumNoiseBandCount
        let isInTime = data.isNoiseFloorInTime(index)
        var level = 0
        for band in 0..<bandCount {
            if isInTime { level = index == 0 ? Int(history.noiseFloor[band]) : Int(noiseFloors[band]) }
            level += (isBalance ? 2 : 1) * Int(data.noiseDifferences[place + band])
            guard level >= 0, level <= (isBalance ? Self.maximumNoiseBalance : Self.maximumNoise) else { return false }
            noiseFloors[place + band] = UInt8(level)
        }
        return true
    }
}
