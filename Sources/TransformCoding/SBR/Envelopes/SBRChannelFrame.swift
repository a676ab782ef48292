// SPDX-License-Identifier: Apache-2.0

/// The dequantised SBR data of one channel in one frame (ISO/IEC 14496-3:2009, 4.6.18.3).
package struct SBRChannelFrame: ~Copyable {
    /// `bs_frame_class`.
    package var frameClass = SBRGrid.FrameClass.fixFix
    /// `t_E`: the envelopes in time.
    package var boundaries: EnvelopeBoundaries
    /// `r` in bit l: whether envelope l has the high frequency resolution.
    package var highResolution: UInt8 = 0
    /// `bs_invf_mode` by noise band.
    package var inverseFiltering = SIMD8<UInt8>(repeating: 0)
    /// `bs_add_harmonic` in bit i: whether band i of the high frequency resolution has a sinusoid.
    package var harmonics: UInt64 = 0
    /// `bs_inter_temp_shape_mode` of each envelope; 0 for none, as always in AAC.
    package var temporalShapes = SIMD8<UInt8>(repeating: 0)
    /// Whether the high band is made by the harmonic transposer, as never in AAC.
    package var isTransposed = false
    /// The pitch of the harmonic transposer, in twelfths of a subband's half.
    package var pitch = 0
    /// `E_Orig`: envelope l, band k at 48 l + k.
    package var energies = FixedArray<Float>(repeating: 0, count: SBRChannelData.envelopeCapacity)
    /// `Q_Orig`: noise floor l, band k at 5 l + k.
    package var noises = FixedArray<Float>(repeating: 0, count: SBRChannelData.noiseCapacity)

    /// Makes a silent frame.
    ///
    /// - Parameter slotCount: The time slots of a frame.
    package init(slotCount: Int) { boundaries = EnvelopeBoundaries(from: 0, to: slotCount) }

    /// Replaces everything but envelopes and noise floors by coded data.
    package mutating func set(_ data: borrowing SBRChannelData) {
        frameClass = data.grid.frameClass
        boundaries = data.boundaries
        highResolution = data.grid.highResolution
        inverseFiltering = data.inverseFiltering
        harmonics = data.harmonics
        temporalShapes = data.temporalShapes
        isTransposed = data.isTransposed
        pitch = data.pitch
    }

    /// Replaces everything but envelopes and noise floors by one envelope, without sinusoids and inverse filtering.
    package mutating func set(_ boundaries: EnvelopeBoundaries, isHighResolution: Bool) {
        frameClass = .fixFix
        self.boundaries = boundaries
        highResolution = isHighResolution ? 1 : 0
        inverseFiltering = SIMD8(repeating: 0)
        harmonics = 0
        temporalShapes = SIMD8(repeating: 0)
    }

    /// Returns whether envelope `index` has the high frequency resolution.
    package func isHighResolution(_ index: Int) -> Bool { highResolution >> UInt8(truncatingIfNeeded: index) & 1 != 0 }

    /// Dequantises the envelopes and noise floors of a channel without coupling.
    package mutating func dequantize(_ levels: borrowing EnvelopeLevels, isCoarse: Bool, tables: borrowing FrequencyBandTables) {
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
    ///
    /// - Parameters:
    ///   - frames: The frames of the left and the right channel.
    ///   - levels: The levels, then the balances.
    package static func dequantizePair(
        _ frames: inout FixedArray<SBRChannelFrame>, levels: borrowing FixedArray<EnvelopeLevels>, isCoarse: Bool,
        tables: borrowing FrequencyBandTables
    ) {
        for index in 0..<frames[0].boundaries.count {
            let first = index * SBRChannelData.maximumBandCount
            for offset in first..<first + tables.bandCount(isHighResolution: frames[0].isHighResolution(index)) {
                let energies = EnvelopeDequantizer.energies(
                    level: levels[0].envelopes[offset], balance: levels[1].envelopes[offset], isCoarse: isCoarse)
                frames[0].energies[offset] = energies.left
                frames[1].energies[offset] = energies.right
            }
        }
        for offset in 0..<frames[0].boundaries.noiseCount * SBRChannelData.maximumNoiseBandCount {
            let noises = EnvelopeDequantizer.noises(
                level: levels[0].noiseFloors[offset], balance: levels[1].noiseFloors[offset])
            frames[0].noises[offset] = noises.left
            frames[1].noises[offset] = noises.right
        }
    }
}
