// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// The header of an SBR stream, `sbr_header()` (ISO/IEC 14496-3:2009, 4.5.2.8): what the frequency tables come from.
struct SBRHeader: Hashable, Sendable {
    /// `bs_amp_res`: envelopes in steps of 3 dB, not 1.5 dB.
    var usesCoarseAmplitudes = true
    /// `bs_start_freq`, 0 to 15.
    var startFrequency = 0
    /// `bs_stop_freq`, 0 to 15.
    var stopFrequency = 0
    /// `bs_xover_band`, 0 to 7: the first band of the master table that SBR codes.
    var crossoverBand = 0
    /// `bs_freq_scale`, 0 to 3: 0 for linear bands, else 12, 10 or 8 bands an octave.
    var frequencyScale = Defaults.frequencyScale
    /// `bs_alter_scale`: wider bands.
    var altersScale = Defaults.altersScale
    /// `bs_noise_bands`, 0 to 3: noise floor bands an octave.
    var noiseBands = Defaults.noiseBands
    /// `bs_limiter_bands`, 0 to 3: 0 for one band, else 1.2, 2 or 3 an octave.
    var limiterBands = Defaults.limiterBands
    /// `bs_limiter_gains`, 0 to 3; 3 is no limit.
    var limiterGains = Defaults.limiterGains
    /// `bs_interpol_freq`: energies are taken in each subband, not in each band.
    var interpolatesFrequency = Defaults.interpolatesFrequency
    /// `bs_smoothing_mode` 0: gains are smoothed in time. (The coded bit is inverted.)
    var smoothsGains = Defaults.smoothsGains

    /// What holds where the header is silent.
    enum Defaults {
        static let frequencyScale = 2
        static let altersScale = true
        static let noiseBands = 2
        static let limiterBands = 2
        static let limiterGains = 2
        static let interpolatesFrequency = true
        static let smoothsGains = false
    }

    /// Makes the header with all fields 0 or at their defaults.
    init() {}

    /// Reads a header; every bit pattern is one.
    init(reading reader: inout BitReader) {
        usesCoarseAmplitudes = reader.readFlag()
        startFrequency = Int(reader.read(4))
        stopFrequency = Int(reader.read(4))
        crossoverBand = Int(reader.read(3))
        reader.skip(2)
        let hasFrequencyFields = reader.readFlag()
        let hasLimiterFields = reader.readFlag()
        if hasFrequencyFields {
            frequencyScale = Int(reader.read(2))
            altersScale = reader.readFlag()
            noiseBands = Int(reader.read(2))
        }
        if hasLimiterFields {
            limiterBands = Int(reader.read(2))
            limiterGains = Int(reader.read(2))
            interpolatesFrequency = reader.readFlag()
            smoothsGains = !reader.readFlag()
        }
    }

    /// Writes the header; fields at their defaults are left out where that is possible.
    func write(to sink: inout some BitSink) {
        let hasFrequencyFields =
            frequencyScale != Defaults.frequencyScale || altersScale != Defaults.altersScale
            || noiseBands != Defaults.noiseBands
        let hasLimiterFields =
            limiterBands != Defaults.limiterBands || limiterGains != Defaults.limiterGains
            || interpolatesFrequency != Defaults.interpolatesFrequency || smoothsGains != Defaults.smoothsGains
        sink.write(usesCoarseAmplitudes)
        sink.write(UInt32(startFrequency), count: 4)
        sink.write(UInt32(stopFrequency), count: 4)
        sink.write(UInt32(crossoverBand), count: 3)
        sink.write(0, count: 2)
        sink.write(hasFrequencyFields)
        sink.write(hasLimiterFields)
        if hasFrequencyFields {
            sink.write(UInt32(frequencyScale), count: 2)
            sink.write(altersScale)
            sink.write(UInt32(noiseBands), count: 2)
        }
        if hasLimiterFields {
            sink.write(UInt32(limiterBands), count: 2)
            sink.write(UInt32(limiterGains), count: 2)
            sink.write(interpolatesFrequency)
            sink.write(!smoothsGains)
        }
    }

    /// Whether the frequency tables of the two headers differ, so that SBR starts anew.
    func needsReset(after previous: SBRHeader) -> Bool {
        startFrequency != previous.startFrequency || stopFrequency != previous.stopFrequency
            || crossoverBand != previous.crossoverBand || frequencyScale != previous.frequencyScale
            || altersScale != previous.altersScale || noiseBands != previous.noiseBands
    }
}
