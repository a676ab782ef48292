// SPDX-License-Identifier: Apache-2.0

/// The complex filter banks of 64 or 32 subbands, which differ in prototype filter and phases.
package enum QMFBank: Sendable {
    /// The one of SBR (ISO/IEC 14496-3:2009, 4.6.18.4).
    case standard
    /// The complex low delay filter bank of low delay SBR (ISO/IEC 14496-3:2009, 4.6.19).
    case lowDelay
    /// The one of low delay MPEG Surround, in which SBR runs too where a stream has both (ISO/IEC 23003-2).
    case lowDelaySurround
}
