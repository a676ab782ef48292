// SPDX-License-Identifier: Apache-2.0

/// The use of SBR in AAC-ELD (low delay SBR, ISO/IEC 14496-3:2009, 4.6.19).
public enum LowDelaySBR: Hashable, Sendable, CaseIterable {
    /// SBR where it gives better quality for the bit rate, the sample rate and the channel count; ``AACEncoder/configuration`` tells which it is.
    case automatic
    /// No SBR: the core codes the whole band, with a delay of 3N/2 sample frames, N being the frame length.
    case off
    /// SBR with a core at the sample rate of the input: a delay of 3N/2 + 32 sample frames.
    case singleRate
    /// SBR with a core at half of it, so that a unit has 2N sample frames: a delay of 3N + 64 of them.
    case dualRate
}
