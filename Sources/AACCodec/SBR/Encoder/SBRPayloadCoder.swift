// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// A coder of measured energies to payloads: quantises each channel by itself, or a pair coupled as level and balance (ISO/IEC
/// 14496-3:2009, 4.6.18.3.6).
struct SBRPayloadCoder {
    /// The payload of the frame coded last.
    private(set) var payload: SBRPayload

    /// The delta coding of the first channel.
    private var first = DeltaCodingPlanner()
    /// The delta coding of the second channel.
    private var second = DeltaCodingPlanner()
    /// The header and other settings.
    private let tuning: SBRTuning

    /// The maximum level, in steps of 3 dB.
    private static let highestLevel: Float = 35
    /// The largest ratio of the bits of a coupled frame to those of an uncoupled one at which coupling is used.
    private static let couplingGain = 0.85

    /// Creates a coder before its first frame.
    init(channelCount: Int, tuning: SBRTuning) {
        payload = SBRPayload(channelCount: channelCount)
        self.tuning = tuning
    }

    /// Codes one channel.
    mutating func code(_ channel: inout SBRChannelEncoder, isIndependent: Bool) {
        payload.channels[0] = coded(&channel, by: &first, isIndependent: isIndependent)
    }

    /// Codes a pair: coupled if that is allowed and takes fewer bits.
    mutating func code(
        _ left: inout SBRChannelEncoder, _ right: inout SBRChannelEncoder, isIndependent: Bool
    ) {
        let before = (first, second)
        payload.isCoupled = false
        payload.channels[0] = coded(&left, by: &first, isIndependent: isIndependent)
        payload.channels[1] = coded(&right, by: &second, isIndependent: isIndependent)
        guard tuning.allowsCoupling else { return }
        let separate = (payload: payload, bitCount: bitCount, after: (first, second))
        (first, second) = before
        couple(&left, &right, isIndependent: isIndependent)
        if Double(bitCount) > Self.couplingGain * Double(separate.bitCount) {
            payload = separate.payload
            (first, second) = separate.after
        }
    }

    /// The size of the payload in bits.
    private var bitCount: Int {
        var counter = BitCounter()
        payload.write(to: &counter, header: tuning.header, tables: tuning.tables)
        return counter.bitCount
    }

    /// Returns the data of one channel, quantised and delta coded.
    private func coded(
        _ channel: inout SBRChannelEncoder, by planner: inout DeltaCodingPlanner, isIndependent: Bool
    ) -> SBRChannelData {
        var data = channel.data
        var levels = EnvelopeLevels()
        let isCoarse = data.usesCoarseAmplitudes(tuning.header)
        for index in 0..<data.boundaries.count {
            for offset in bandIndices(index, of: data) {
                levels.envelopes[offset] = Self.level(channel.energies[offset], isCoarse: isCoarse)
            }
        }
        for index in 0..<data.boundaries.noiseCount {
            for band in 0..<tuning.tables.noise.count {
                levels.noiseFloors[index * SBRChannelData.maximumNoiseBandCount + band] = UInt8(Int(6.5 - channel.noise.floors[band]))
            }
        }
        planner.code(
            &levels, into: &data, tables: tuning.tables, isCoarse: isCoarse, isBalance: false, isIndependent: isIndependent)
        return data
    }

    /// Codes a pair as level and balance.
    private mutating func couple(
        _ left: inout SBRChannelEncoder, _ right: inout SBRChannelEncoder, isIndependent: Bool
    ) {
        var (level, balance) = (left.data, right.data)
        var (levels, balances) = (EnvelopeLevels(), EnvelopeLevels())
        let isCoarse = level.usesCoarseAmplitudes(tuning.header)
        for index in 0..<level.boundaries.count {
            for offset in bandIndices(index, of: level) {
                let (a, b) = (max(left.energies[offset], 1), max(right.energies[offset], 1))
                levels.envelopes[offset] = Self.level((a + b) * 0.5, isCoarse: isCoarse)
                balances.envelopes[offset] = Self.balance(a / b, stepsPerOctave: isCoarse ? 1 : 2)
            }
        }
        for band in 0..<tuning.tables.noise.count {
            let (a, b) = (PortableMath.exp2(left.noise.floors[band]), PortableMath.exp2(right.noise.floors[band]))
            for index in 0..<level.boundaries.noiseCount {
                let offset = index * SBRChannelData.maximumNoiseBandCount + band
                levels.noiseFloors[offset] = UInt8(Int(6.5 - PortableMath.log2((a + b) * 0.5)))
                balances.noiseFloors[offset] = Self.balance(a / b, stepsPerOctave: 1)
            }
        }
        for band in 0..<tuning.tables.noise.count {
            level.inverseFiltering[band] = min(level.inverseFiltering[band], balance.inverseFiltering[band])
        }
        balance.inverseFiltering = level.inverseFiltering
        balance.grid = level.grid
        balance.boundaries = level.boundaries
        first.code(
            &levels, into: &level, tables: tuning.tables, isCoarse: isCoarse, isBalance: false, isIndependent: isIndependent)
        second.code(
            &balances, into: &balance, tables: tuning.tables, isCoarse: isCoarse, isBalance: true, isIndependent: isIndependent)
        payload.isCoupled = true
        payload.channels[0] = level
        payload.channels[1] = balance
    }

    /// Returns the indices of the bands of an envelope in ``EnvelopeLevels/envelopes``.
    private func bandIndices(_ index: Int, of data: borrowing SBRChannelData) -> Range<Int> {
        let first = index * SBRChannelData.maximumBandCount
        return first..<first + tuning.tables.bandCount(isHighResolution: data.grid.isHighResolution(index))
    }

    /// Returns the level nearest to an energy.
    private static func level(_ energy: Float, isCoarse: Bool) -> UInt8 {
        let octaves = min(PortableMath.log2(max(energy / EnvelopeDequantizer.lowestEnergy, 1)), highestLevel)
        return UInt8(Int((isCoarse ? octaves : 2 * octaves) + 0.5))
    }

    /// Returns the even balance nearest to a ratio of energies; 12 octaves of steps stand for equality.
    private static func balance(_ ratio: Float, stepsPerOctave: Int) -> UInt8 {
        let octaves = min(max(PortableMath.log2(ratio), -12), 12) + 12
        return UInt8(2 * Int(octaves * Float(stepsPerOctave) * 0.5 + 0.5))
    }
}
