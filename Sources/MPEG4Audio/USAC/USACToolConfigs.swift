// SPDX-License-Identifier: Apache-2.0

/// The enhanced SBR configuration (`SbrConfig`, ISO/IEC 23003-3, 5.2).
package struct USACSBRConfig: Hashable, Sendable {
    /// Whether frames can use the harmonic transposer (`harmonicSBR`).
    package var isHarmonic = false
    /// Whether envelopes can be shaped in time by the low band (`bs_interTes`).
    package var hasInterTES = false
    /// Whether envelopes can be predicted from the low band (`bs_pvc`).
    package var hasPVC = false
    /// The default header that frames can refer to.
    package var defaultHeader: USACSBRHeaderFields

    package init(defaultHeader: USACSBRHeaderFields = USACSBRHeaderFields()) { self.defaultHeader = defaultHeader }
}

/// The fields of an enhanced SBR header (`SbrDfltHeader`, `SbrHeader`).
package struct USACSBRHeaderFields: Hashable, Sendable {
    /// `start_freq`, 0 to 15.
    package var startFrequency = 0
    /// `stop_freq`, 0 to 15.
    package var stopFrequency = 0
    /// Whether `freq_scale`, `alter_scale` and `noise_bands` are coded instead of default.
    package var hasFrequencyFields = false
    /// Whether the fields starting with `limiter_bands` are coded instead of default.
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
    /// Whether gains are smoothed in time (`smoothing_mode` 0).
    package var smoothsGains = false

    package init() {}
}

/// The MPEG Surround 2-1-2 configuration (`Mps212Config`, ISO/IEC 23003-3, 5.2).
package struct MPEGSurround212Config: Hashable, Sendable {
    /// The number of parameter bands: 28, 20, 14, 10, 7, 5 or 4 (`bsFreqRes`).
    package var bandCount = 28
    /// The downmix gain in quarter octaves, 0 to 7, where 7 stands for 8 (`bsFixedGainDMX`).
    package var fixedGain = 0
    /// The temporal shaping: 0 none, 1 STP, 2 GES, 3 TSD (`bsTempShapeConfig`).
    package var temporalShaping = 0
    /// The decorrelator configuration, 0 to 2 (`bsDecorrConfig`).
    package var decorrelation = 0
    /// Whether frames can have several parameter sets (`bsHighRateMode`).
    package var isHighRate = false
    /// Whether frames can have phase parameters (`bsPhaseCoding`).
    package var hasPhaseCoding = false
    /// The coded number of phase bands (`bsOTTBandsPhase`), or `nil` if ``bandCount`` determines it.
    package var sentPhaseBandCount: Int?
    /// The number of phase bands, at least ``residualBandCount``.
    package var phaseBandCount = 0
    /// The number of residual bands (`bsResidualBands`).
    package var residualBandCount = 0
    /// Whether core channels are left and right instead of downmix and residual (`bsPseudoLr`).
    package var isPseudoLeftRight = false
    /// The quantisation of GES envelope values (`bsEnvQuantMode`), 0 or 1 (coarse).
    package var envelopeQuantization = 0

    /// The parameter band counts by `bsFreqRes`, where 0 is reserved.
    static let bandCounts = [28, 28, 20, 14, 10, 7, 5, 4]

    package init() {}
}
