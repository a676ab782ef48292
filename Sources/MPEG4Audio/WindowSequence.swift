// SPDX-License-Identifier: Apache-2.0

/// The transform lengths of a block and the windows between them (`window_sequence`, ISO/IEC 14496-3:2009, 4.6.11).
///
/// Public, so that other modules inline its comparisons: as a package type it costs an encoder 1 to 2 % of its instructions.
public enum WindowSequence: UInt8, Hashable, Sendable {
    /// One long transform, long slopes on both sides.
    case onlyLong = 0
    /// One long transform that falls by a short slope.
    case longStart
    /// Eight short transforms.
    case eightShort
    /// One long transform that rises by a short slope.
    case longStop
}
