// SPDX-License-Identifier: Apache-2.0

/// The use of SBR in AAC-ELD (low delay SBR, ISO/IEC 14496-3:2009, 4.6.19).
///
/// Delays are in sample frames, including the framing of one access unit. N is the core's frame length.
public enum LowDelaySBR: Hashable, Sendable, CaseIterable {
    /// The best mode for the bit rate, sample rate and channel count. ``AACEncoder/configuration`` reports the choice.
    case automatic
    /// No SBR. The core codes the whole band. The delay is 3N/2.
    case off
    /// SBR with the core at the input sample rate; the delay is 3N/2 + 32.
    case singleRate
    /// SBR with the core at half the input sample rate. An access unit has 2N sample frames; the delay is 3N + 64.
    case dualRate
}
