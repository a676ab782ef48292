// SPDX-License-Identifier: Apache-2.0

/// The SBR variants, which differ in frequency tables and limits.
package enum SBRVariant: Hashable, Sendable {
    /// SBR in AAC, at twice the core sample rate (ISO/IEC 14496-3:2009, 4.6.18).
    case standard
    /// Enhanced SBR at 2 or 8/3 times the core sample rate (ISO/IEC 23003-3, 7.5).
    case enhanced
    /// Enhanced SBR at four times the core sample rate, the standard's "quadruple" mode.
    case enhancedQuadruple

    /// Whether this build decodes enhanced SBR.
    ///
    /// Small builds without USAC omit it.
    @inline(__always)
    static var includesEnhanced: Bool {
        #if !hasFeature(Embedded) || LINNET_USAC
        true
        #else
        false
        #endif
    }

    /// The maximum value of `kx`.
    var maximumCrossover: Int { self == .enhancedQuadruple ? 16 : 32 }
    /// The ratio of sample rate to subband spacing for frequency limits: twice the subband count of the filter bank.
    var subbandScale: Int { self == .enhancedQuadruple ? 64 : 128 }
    var maximumEnvelopeCount: Int { self == .standard ? 5 : 8 }
}
