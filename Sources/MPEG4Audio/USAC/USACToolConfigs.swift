// SPDX-License-Identifier: Apache-2.0

/// The configuration of enhanced SBR (`SbrConfig`, ISO/IEC 23003-3, 5.2).
package struct USACSBRConfig: Hashable, Sendable {
    /// Whether frames may use the harmonic transposer (`harmonicSBR`).
    package var isHarmonic = false
    /// Whether envelopes may be shaped in time by the low band (`bs_interTes`).
    package var hasInterTES = false
    /// Whether envelopes may be predicted from the low band (`bs_pvc`).
    package var hasPVC = false
    /// The header that frames may refer to.
    package var defaultHeader = USACSBRHeaderFields()

    /// Creates a configuration without tools.
    package init() {}
}

/// The fields of a header of enhanced SBR (`SbrDfltHeader`, `SbrHeader`).
package struct USACSBRHeaderFields: Hashable, Sendable {
    /// `start_freq`, 0 to 15.
    package var startFrequency = 0
    /// `stop_freq`, 0 to 15.
    package var stopFrequency = 0
    /// Whether `freq_scale`, `alter_scale` and `noise_bands` are sent; else they have their defaults.
    package var hasFrequencyFields = false
    /// Whether the fields from `limiter_bands` on are sent; else they have their defaults.
    package var hasLimiterFields = false
    /// `freq_scale`, 0 to 3.
    package var frequencyScale = 2
    /// `alter_scale`.
    package var altersScale = true
    /// `noise_bands`, 0 to 3.
    package var noiseBands = 2
    /// `limiter_bands`, 0 to 3.
    package var limiterBands = 2
    /// `limiter_gains`, 0 to 3.
    package var limiterGains = 2
    /// `interpol_freq`.
    package var interpolatesFrequency = true
    /// `smoothing_mode` = 0: whether gains are smoothed in time; the coded bit is inverted.
    package var smoothsGains = false

    /// Creates fields of 0 or with their defaults.
    package init() {}
}

/// The configuration of MPEG Surround 2-1-2 (`Mps212Config`, ISO/IEC 23003-3, 5.2).
package struct MPEGSurround212Config: Hashable, Sendable {
    /// The number of parameter bands: 28, 20, 14, 10, 7, 5 or 4 (`bsFreqRes`).
    package var bandCount = 28
    /// The gain of the downmix in quarters of an octave, 0 to 7; 7 stands for 8 (`bsFixedGainDMX`).
    package var fixedGain = 0
    /// The temporal shaping: 0 none, 1 STP, 2 GES, 3 TSD (`bsTempShapeConfig`).
    package var temporalShaping = 0
    /// The regions of the decorrelator, 0 to 2 (`bsDecorrConfig`).
    package var decorrelation = 0
    /// Whether frames may have several sets of parameters (`bsHighRateMode`).
    package var isHighRate = false
    /// Whether frames may have phases (`bsPhaseCoding`).
    package var hasPhaseCoding = false
    /// The number of bands with phases, if it is sent (`bsOTTBandsPhase`); else it follows from ``bandCount``.
    package var sentPhaseBandCount: Int?
    /// The number of bands with phases; there are as many at least as with a residual.
    package var phaseBandCount = 0
    /// The number of bands with a residual (`bsResidualBands`).
    package var residualBandCount = 0
    /// Whether the core channels are left and right instead of downmix and residual (`bsPseudoLr`).
    package var isPseudoLeftRight = false
    /// Whether the reshaping values of GES have coarse steps (`bsEnvQuantMode`).
    package var envelopeQuantization = 0

    /// The numbers of parameter bands by `bsFreqRes`, from 1 on; 0 is reserved.
    static let bandCounts = [28, 28, 20, 14, 10, 7, 5, 4]

    /// Creates a configuration without tools.
    package init() {}
}
