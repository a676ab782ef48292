// SPDX-License-Identifier: Apache-2.0

/// The complex filter banks with 64 or 32 subbands, which differ in prototype filter and phases.
package enum QMFBank: Sendable {
    /// The SBR filter bank (ISO/IEC 14496-3:2009, 4.6.18.4).
    case standard
    /// The complex low delay filter bank of low delay SBR (ISO/IEC 14496-3:2009, 4.6.19).
    case lowDelay
    /// The filter bank of low delay MPEG Surround. SBR uses it too if a stream has both (ISO/IEC 23003-2).
    case lowDelaySurround
}
