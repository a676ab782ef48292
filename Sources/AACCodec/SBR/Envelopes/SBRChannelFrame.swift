// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// What a frame asks of one channel, in real numbers.
struct SBRChannelFrame: Sendable {
    /// How the boundaries are fixed.
    var frameClass = SBRGrid.FrameClass.fixFix
    /// The envelopes in time.
    var boundaries = EnvelopeBoundaries(from: 0, to: 16)
    /// Bit l is set when envelope l has the high frequency resolution.
    var highResolution: UInt8 = 0
    /// Inverse filtering modes by noise band.
    var inverseFiltering = SIMD8<UInt8>(repeating: 0)
    /// Bit i is set when band i of the high resolution has a sine.
    var harmonics: UInt64 = 0
    /// `E_Orig` of envelope l, band k at 48 l + k.
    var energies: [240 of Float] = .init(repeating: 0)
    /// `Q_Orig` of noise floor l, band k at 5 l + k.
    var noises: [10 of Float] = .init(repeating: 0)

    /// Makes a silent frame.
    init() {}

    /// Takes all but the levels.
    init(_ data: borrowing SBRChannelData) {
        frameClass = data.grid.frameClass
        boundaries = data.boundaries
        highResolution = data.grid.highResolution
        inverseFiltering = data.inverseFiltering
        harmonics = data.harmonics
    }

    /// Whether envelope `index` has the high frequency resolution.
    func isHighResolution(_ index: Int) -> Bool { highResolution >> UInt8(truncatingIfNeeded: index) & 1 != 0 }

    /// Sets energies and noises from levels of the channel's own.
    mutating func dequantize(_ levels: borrowing EnvelopeLevels, isCoarse: Bool, tables: borrowing FrequencyBandTables) {
        for index in 0..<boundaries.count {
            let first = index * SBRChannelData.maximumBandCount
            for place in first..<first + tables.bandCount(isHighResolution: isHighResolution(index)) {
                energies[place] = EnvelopeDequantizer.energy(level: levels.envelopes[place], isCoarse: isCoarse)
            }
        }
        for place in 0..<boundaries.noiseCount * SBRChannelData.maximumNoiseBandCount {
            noises[place] = EnvelopeDequantizer.noise(level: levels.noiseFloors[place])
        }
    }

    /// Sets energies and noises of a coupled pair from the levels and the balances.
    static func dequantizePair(
        _ left: inout SBRChannelFrame, _ right: inout SBRChannelFrame, levels: borrowing EnvelopeLevels,
        balances: borrowing EnvelopeLevels, isCoarse: Bool, tables: borrowing FrequencyBandTables
    ) {
        for index in 0..<left.boundaries.count {
            let first = index * SBRChannelData.maximumBandCount
            for place in first..<first + tables.bandCount(isHighResolution: left.isHighResolution(index)) {
                (left.energies[place], right.energies[place]) = EnvelopeDequantizer.energies(
                    level: levels.envelopes[place], balance: balances.envelopes[place], isCoarse: isCoarse)
            }
        }
        for place in 0..<left.boundaries.noiseCount * SBRChannelData.maximumNoiseBandCount {
            (left.noises[place], right.noises[place]) = EnvelopeDequantizer.noises(
                level: levels.noiseFloors[place], balance: balances.noiseFloors[place])
        }
    }
}
