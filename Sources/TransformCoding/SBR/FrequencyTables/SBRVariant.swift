// SPDX-License-Identifier: Apache-2.0

/// The variants of SBR, which differ in their frequency tables and in their limits.
package enum SBRVariant: Hashable, Sendable {
    /// SBR of AAC, at twice the rate of the core (ISO/IEC 14496-3:2009, 4.6.18).
    case standard
    /// Enhanced SBR at 2 or 8/3 times the rate of the core (ISO/IEC 23003-3, 7.5).
    case enhanced
    /// Enhanced SBR at four times the rate of the core: the standard's "quadruple" mode.
    case enhancedQuadruple

    /// Whether this build decodes enhanced SBR: small ones without USAC leave it out.
    @inline(__always)
    static var includesEnhanced: Bool {
        #if !hasFeature(Embedded) || LINNET_USAC
        true
        #else
        false
        #endif
    }

    /// The largest value of `kx`.
    var maximumCrossover: Int { self == .enhancedQuadruple ? 16 : 32 }
    /// Half the number of subbands of the bank whose spacing the limits of frequency are counted in.
    var subbandScale: Int { self == .enhancedQuadruple ? 64 : 128 }
    /// The maximum number of envelopes of a frame.
    var maximumEnvelopeCount: Int { self == .standard ? 5 : 8 }
}
