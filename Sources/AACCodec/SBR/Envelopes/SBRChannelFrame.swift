// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The dequantised SBR data of one channel in one frame (ISO/IEC 14496-3:2009, 4.6.18.3).
struct SBRChannelFrame: Sendable {
    /// `bs_frame_class`.
    var frameClass = SBRGrid.FrameClass.fixFix
    /// `t_E`: the envelopes in time.
    var boundaries = EnvelopeBoundaries(from: 0, to: 16)
    /// `r` in bit l: whether envelope l has the high frequency resolution.
    var highResolution: UInt8 = 0
    /// `bs_invf_mode` by noise band.
    var inverseFiltering = SIMD8<UInt8>(repeating: 0)
    /// `bs_add_harmonic` in bit i: whether band i of the high frequency resolution has a sinusoid.
    var harmonics: UInt64 = 0
    /// `E_Orig`: envelope l, band k at 48 l + k.
    var energies: [240 of Float] = .init(repeating: 0)
    /// `Q_Orig`: noise floor l, band k at 5 l + k.
    var noises: [10 of Float] = .init(repeating: 0)

    /// Creates a silent frame.
    init() {}

    /// Creates a frame from coded data, without envelopes and noise floors.
    init(_ data: borrowing SBRChannelData) { set(data) }

    /// Replaces everything but envelopes and noise floors by coded data.
    mutating func set(_ data: borrowing SBRChannelData) {
        frameClass = data.grid.frameClass
        boundaries = data.boundaries
        highResolution = data.grid.highResolution
        inverseFiltering = data.inverseFiltering
        harmonics = data.harmonics
    }

    /// Returns whether envelope `index` has the high frequency resolution.
    func isHighResolution(_ index: Int) -> Bool { highResolution >> UInt8(truncatingIfNeeded: index) & 1 != 0 }

    /// Dequantises the envelopes and noise floors of a channel without coupling.
    mutating func dequantize(_ levels: borrowing EnvelopeLevels, isCoarse: Bool, tables: borrowing FrequencyBandTables) {
        for index in 0..<boundaries.count {
            let first = index * SBRChannelData.maximumBandCount
            for offset in first..<first + tables.bandCount(isHighResolution: isHighResolution(index)) {
                energies[offset] = EnvelopeDequantizer.energy(level: levels.envelopes[offset], isCoarse: isCoarse)
            }
        }
        for offset in 0..<boundaries.noiseCount * SBRChannelData.maximumNoiseBandCount {
            noises[offset] = EnvelopeDequantizer.noise(level: levels.noiseFloors[offset])
        }
    }

    /// Dequantises the envelopes and noise floors of a coupled pair.
    static func dequantizePair(
        _ left: inout SBRChannelFrame, _ right: inout SBRChannelFrame, levels: borrowing EnvelopeLevels,
        balances: borrowing EnvelopeLevels, isCoarse: Bool, tables: borrowing FrequencyBandTables
    ) {
        for index in 0..<left.boundaries.count {
            let first = index * SBRChannelData.maximumBandCount
            for offset in first..<first + tables.bandCount(isHighResolution: left.isHighResolution(index)) {
                (left.energies[offset], right.energies[offset]) = EnvelopeDequantizer.energies(
                    level: levels.envelopes[offset], balance: balances.envelopes[offset], isCoarse: isCoarse)
            }
        }
        for offset in 0..<left.boundaries.noiseCount * SBRChannelData.maximumNoiseBandCount {
            (left.noises[offset], right.noises[offset]) = EnvelopeDequantizer.noises(
                level: levels.noiseFloors[offset], balance: balances.noiseFloors[offset])
        }
    }
}
