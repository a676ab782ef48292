// SPDX-License-Identifier: Apache-2.0

/// The dequantized SBR data of one channel and frame (ISO/IEC 14496-3:2009, 4.6.18.3).
package struct SBRChannelFrame: ~Copyable {
    /// `bs_frame_class`.
    package var frameClass = SBRGrid.FrameClass.fixFix
    /// `t_E`: the envelope boundaries.
    package var boundaries: EnvelopeBoundaries
    /// `r`: bit l is set if envelope l has high frequency resolution.
    package var highResolution: UInt8 = 0
    /// `bs_invf_mode` by noise band.
    package var inverseFiltering = SIMD8<UInt8>(repeating: 0)
    /// `bs_add_harmonic`: bit i is set if band i with high frequency resolution has a sinusoid.
    package var harmonics: UInt64 = 0
    /// `bs_inter_temp_shape_mode` of each envelope; 0 for none, as always in AAC.
    package var temporalShapes = SIMD8<UInt8>(repeating: 0)
    /// Whether the harmonic transposer generates the high band.
    ///
    /// Never in AAC.
    package var isTransposed = false
    /// The pitch for the harmonic transposer, in twelfths of half a subband.
    package var pitch = 0
    /// `E_Orig`, with envelope l, band k at index 48 l + k.
    package var energies = FixedArray<Float>(repeating: 0, count: SBRChannelData.envelopeCapacity)
    /// `Q_Orig`, with noise floor l, band k at index 5 l + k.
    package var noises = FixedArray<Float>(repeating: 0, count: SBRChannelData.noiseCapacity)

    /// Creates a silent frame.
    ///
    /// - Parameter slotCount: The number of time slots per frame.
    package init(slotCount: Int) { boundaries = EnvelopeBoundaries(from: 0, to: slotCount) }

    /// Sets everything except envelopes and noise floors from decoded data.
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

    /// Sets a single envelope without sinusoids and inverse filtering, and keeps envelope and noise floor values.
    package mutating func set(_ boundaries: EnvelopeBoundaries, isHighResolution: Bool) {
        frameClass = .fixFix
        self.boundaries = boundaries
        highResolution = isHighResolution ? 1 : 0
        inverseFiltering = SIMD8(repeating: 0)
        harmonics = 0
        temporalShapes = SIMD8(repeating: 0)
    }

    /// Returns whether envelope `index` has high frequency resolution.
    package func isHighResolution(_ index: Int) -> Bool { highResolution >> UInt8(truncatingIfNeeded: index) & 1 != 0 }

    /// Dequantizes the envelopes and noise floors of an uncoupled channel.
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

    /// Dequantizes the envelopes and noise floors of a coupled pair.
    ///
    /// - Parameters:
    ///   - frames: The frames of the left and right channel.
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
