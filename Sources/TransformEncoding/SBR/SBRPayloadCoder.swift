// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
package import TransformCoding

/// A coder of measured energies to SBR payloads.
///
/// It codes channels separately, or couples a pair as level and balance (ISO/IEC 14496-3:2009, 4.6.18.3.6).
package struct SBRPayloadCoder: ~Copyable {
    package private(set) var payload: SBRPayload

    private var coupled: SBRPayload
    private var planners = FixedArray(count: 2) { _ in DeltaCodingPlanner() }
    /// The candidate delta coding of a coupled pair's levels and balances.
    private var coupledPlanners = FixedArray(count: 2) { _ in DeltaCodingPlanner() }
    /// The levels of the last coded channel or pair.
    private var levels = EnvelopeLevels()
    /// The balances of the last coded pair.
    private var balances = EnvelopeLevels()
    private let tuning: SBRTuning

    /// The maximum level, in steps of 3 dB.
    private static let highestLevel: Float = 35
    /// The maximum size ratio of coupled to uncoupled frames at which coupling is used.
    private static let couplingGain = 0.85

    package init(channelCount: Int, tuning: SBRTuning) {
        payload = SBRPayload(channelCount: channelCount, slotCount: tuning.layout.slotCount)
        coupled = SBRPayload(channelCount: channelCount, slotCount: tuning.layout.slotCount)
        #if !hasFeature(Embedded) || LINNET_LOW_DELAY
        payload.syntax.isLowDelay = tuning.layout.isLowDelay
        coupled.syntax.isLowDelay = tuning.layout.isLowDelay
        #endif
        self.tuning = tuning
    }

    package mutating func code(_ channel: borrowing SBRChannelEncoder, isIndependent: Bool) {
        payload.syntax.isIndependent = tuning.isEnhanced && isIndependent
        code(channel, as: 0, isIndependent: isIndependent)
    }

    /// Codes a pair, coupled if that is permitted and saves bits.
    package mutating func code(_ left: borrowing SBRChannelEncoder, _ right: borrowing SBRChannelEncoder, isIndependent: Bool) {
        for channel in 0..<2 { coupledPlanners[channel].copyState(of: planners[channel]) }
        payload.syntax.isIndependent = tuning.isEnhanced && isIndependent
        coupled.syntax.isIndependent = payload.syntax.isIndependent
        payload.isCoupled = false
        code(left, as: 0, isIndependent: isIndependent)
        code(right, as: 1, isIndependent: isIndependent)
        guard tuning.allowsCoupling else { return }
        couple(left, right, isIndependent: isIndependent)
        if Double(bitCount(of: coupled)) <= Self.couplingGain * Double(bitCount(of: payload)) {
            swap(&payload, &coupled)
            swap(&planners, &coupledPlanners)
        }
    }

    private func bitCount(of payload: borrowing SBRPayload) -> Int {
        payload.bitCount(header: tuning.header, tables: tuning.tables, stereo: nil)
    }

    /// Quantizes one channel and codes it as channel `index` of the payload.
    private mutating func code(_ channel: borrowing SBRChannelEncoder, as index: Int, isIndependent: Bool) {
        payload.channels[index].copySideData(of: channel.data)
        levels.clear()
        let isCoarse = channel.data.usesCoarseAmplitudes(tuning.header)
        for envelope in 0..<channel.data.boundaries.count {
            for offset in bandIndices(envelope, of: channel.data) {
                levels.envelopes[offset] = Self.level(channel.energies[offset], isCoarse: isCoarse)
            }
        }
        for floor in 0..<channel.data.boundaries.noiseCount {
            for band in 0..<tuning.tables.noise.count {
                levels.noiseFloors[floor * SBRChannelData.maximumNoiseBandCount + band] = Self.noiseLevel(channel.noise.floors[band])
            }
        }
        planners[index].code(
            &levels, into: &payload.channels[index], tables: tuning.tables, isCoarse: isCoarse, isBalance: false,
            isIndependent: isIndependent)
    }

    private mutating func couple(_ left: borrowing SBRChannelEncoder, _ right: borrowing SBRChannelEncoder, isIndependent: Bool) {
        coupled.isCoupled = true
        coupled.channels[0].copySideData(of: left.data)
        coupled.channels[1].copySideData(of: left.data)
        coupled.channels[1].harmonics = right.data.harmonics
        for band in 0..<tuning.tables.noise.count {
            let mode = min(left.data.inverseFiltering[band], right.data.inverseFiltering[band])
            coupled.channels[0].inverseFiltering[band] = mode
            coupled.channels[1].inverseFiltering[band] = mode
        }
        let isCoarse = left.data.usesCoarseAmplitudes(tuning.header)
        setCoupledLevels(left, right, isCoarse: isCoarse)
        coupledPlanners[0].code(
            &levels, into: &coupled.channels[0], tables: tuning.tables, isCoarse: isCoarse, isBalance: false,
            isIndependent: isIndependent)
        coupledPlanners[1].code(
            &balances, into: &coupled.channels[1], tables: tuning.tables, isCoarse: isCoarse, isBalance: true,
            isIndependent: isIndependent)
    }

    /// Quantizes the energies and noise floors of a pair as levels and balances.
    private mutating func setCoupledLevels(_ left: borrowing SBRChannelEncoder, _ right: borrowing SBRChannelEncoder, isCoarse: Bool) {
        levels.clear()
        balances.clear()
        for index in 0..<left.data.boundaries.count {
            for offset in bandIndices(index, of: left.data) {
                let (a, b) = (max(left.energies[offset], 1), max(right.energies[offset], 1))
                levels.envelopes[offset] = Self.level((a + b) * 0.5, isCoarse: isCoarse)
                balances.envelopes[offset] = Self.balance(a / b, stepsPerOctave: isCoarse ? 1 : 2)
            }
        }
        for band in 0..<tuning.tables.noise.count {
            let (a, b) = (PortableMath.exp2(left.noise.floors[band]), PortableMath.exp2(right.noise.floors[band]))
            for index in 0..<left.data.boundaries.noiseCount {
                let offset = index * SBRChannelData.maximumNoiseBandCount + band
                levels.noiseFloors[offset] = Self.noiseLevel(PortableMath.log2((a + b) * 0.5))
                balances.noiseFloors[offset] = Self.balance(a / b, stepsPerOctave: 1)
            }
        }
    }

    /// Returns the indices of an envelope's bands in ``EnvelopeLevels/envelopes``.
    private func bandIndices(_ index: Int, of data: borrowing SBRChannelData) -> Range<Int> {
        let first = index * SBRChannelData.maximumBandCount
        return first..<first + tuning.tables.bandCount(isHighResolution: data.grid.isHighResolution(index))
    }

    /// Returns the level nearest to an energy.
    ///
    /// Input far above full scale has energies that are infinite or not a number.
    private static func level(_ energy: Float, isCoarse: Bool) -> UInt8 {
        guard energy > EnvelopeDequantizer.lowestEnergy else { return 0 }
        let octaves = min(PortableMath.log2(energy / EnvelopeDequantizer.lowestEnergy), highestLevel)
        return UInt8(Int((isCoarse ? octaves : 2 * octaves) + 0.5))
    }

    /// Returns the level nearest to the binary logarithm of a noise floor, from -12 to 0.
    private static func noiseLevel(_ floor: Float) -> UInt8 { UInt8(6.5 - floor) }

    /// Returns the even balance nearest to an energy ratio.
    ///
    /// 12 octaves of steps stand for equality.
    private static func balance(_ ratio: Float, stepsPerOctave: Int) -> UInt8 {
        let octaves = min(max(PortableMath.log2(ratio), -12), 12) + 12
        return UInt8(2 * Int(octaves * Float(stepsPerOctave) * 0.5 + 0.5))
    }
}
