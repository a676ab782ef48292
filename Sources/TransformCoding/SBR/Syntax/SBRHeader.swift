// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The header of an SBR stream, `sbr_header()` (ISO/IEC 14496-3:2009, 4.5.2.8).
package struct SBRHeader: Hashable, Sendable {
    /// `bs_amp_res`: whether envelopes have steps of 3 dB instead of 1.5 dB.
    package var usesCoarseAmplitudes = true
    /// The fields that determine the frequency band tables.
    package var bands = FrequencyBandParameters()
    /// `bs_limiter_bands`: 0 for one band, 1 to 3 for 1.2, 2 or 3 bands per octave.
    package var limiterBands = Defaults.limiterBands
    /// `bs_limiter_gains`, 0 to 3: the gain limit; 3 for no limit.
    package var limiterGains = Defaults.limiterGains
    /// `bs_interpol_freq`: whether energies are measured per subband instead of per band.
    package var interpolatesFrequency = Defaults.interpolatesFrequency
    /// `bs_smoothing_mode` = 0: whether gains are smoothed in time.
    ///
    /// The coded bit is inverted.
    package var smoothsGains = Defaults.smoothsGains

    /// Default values of fields that a header may omit (`bs_header_extra_2` = 0).
    package enum Defaults {
        /// The default of `bs_limiter_bands`.
        package static let limiterBands = 2
        /// The default of `bs_limiter_gains`.
        package static let limiterGains = 2
        /// The default of `bs_interpol_freq`.
        package static let interpolatesFrequency = true
        /// The inverted default of `bs_smoothing_mode`.
        package static let smoothsGains = false
    }

    /// Creates a header with all fields 0 or at their defaults.
    package init() {}

    /// Reads a header.
    ///
    /// Every bit pattern is valid.
    package init(reading reader: inout BitReader) {
        usesCoarseAmplitudes = reader.readFlag()
        bands.startFrequency = Int(reader.read(4))
        bands.stopFrequency = Int(reader.read(4))
        bands.crossoverBand = Int(reader.read(3))
        reader.skip(2)
        let hasFrequencyFields = reader.readFlag()
        let hasLimiterFields = reader.readFlag()
        if hasFrequencyFields {
            bands.frequencyScale = Int(reader.read(2))
            bands.altersScale = reader.readFlag()
            bands.noiseBands = Int(reader.read(2))
        }
        if hasLimiterFields {
            limiterBands = Int(reader.read(2))
            limiterGains = Int(reader.read(2))
            interpolatesFrequency = reader.readFlag()
            smoothsGains = !reader.readFlag()
        }
    }

    /// Writes the header, omitting groups of fields with default values.
    package func write(to sink: inout some BitSink) {
        let hasFrequencyFields = !bands.hasDefaultScale
        let hasLimiterFields =
            limiterBands != Defaults.limiterBands || limiterGains != Defaults.limiterGains
            || interpolatesFrequency != Defaults.interpolatesFrequency || smoothsGains != Defaults.smoothsGains
        sink.write(usesCoarseAmplitudes)
        sink.write(UInt32(bands.startFrequency), count: 4)
        sink.write(UInt32(bands.stopFrequency), count: 4)
        sink.write(UInt32(bands.crossoverBand), count: 3)
        sink.write(0, count: 2)
        sink.write(hasFrequencyFields)
        sink.write(hasLimiterFields)
        if hasFrequencyFields {
            sink.write(UInt32(bands.frequencyScale), count: 2)
            sink.write(bands.altersScale)
            sink.write(UInt32(bands.noiseBands), count: 2)
        }
        if hasLimiterFields {
            sink.write(UInt32(limiterBands), count: 2)
            sink.write(UInt32(limiterGains), count: 2)
            sink.write(interpolatesFrequency)
            sink.write(!smoothsGains)
        }
    }

    /// Returns whether the frequency band tables differ from the previous header's, which resets SBR (ISO/IEC 14496-3:2009, 4.6.18.3.1).
    func needsReset(after previous: SBRHeader) -> Bool { bands != previous.bands }
}

extension FrequencyBandTables {
    /// Creates the tables for a header; `nil` if it violates one of the standard's limits at this rate.
    ///
    /// - Parameter rate: The SBR sample rate in hertz: twice the core sample rate, even in downsampled mode.
    package init?(header: SBRHeader, rate: Int, variant: SBRVariant = .standard) {
        self.init(header.bands, limiterBands: header.limiterBands, rate: rate, variant: variant)
    }
}
